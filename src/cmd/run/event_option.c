#include "cmd/run/event_option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "collect/events.h"

/* Returns 0 if this process can have SOURCE, as a program that it starts could; else errno. */
static int
try_source(enum event_source source)
{
	struct perf_event_attr attr = event_attr(source, 1);
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	int error = fd < 0 ? errno : 0;
	void *page;

	if (fd < 0)
		return error;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		error = errno;
	else
		munmap(page, size);
	close(fd);
	return error;
}

static void
list_events(void)
{
	for (size_t i = 0; i < NR_EVENTS; i++) {
		int error = 0;

		for (unsigned k = 0; k < NR_EVENT_SOURCES && !error; k++)
			if (events[i].sources >> k & 1)
				error = try_source((enum event_source)k);
		printf("%-20s  %-18s  %s%s\n", events[i].names, events[i].title,
		       error ? "cannot be measured here: " : "can be measured here",
		       error ? strerror(error) : "");
	}
}

uint32_t
event_option(const char *list)
{
	uint32_t asked;
	size_t length;
	const char *unknown;

	if (!strcmp(list, "list")) {
		list_events();
		exit(output_finish("record"));
	}
	unknown = events_parse(list, &asked, &length);
	if (unknown)
		die(2, "-e: %.*s: no such event; cgview record -e list tells which there are",
		    (int)length, unknown);
	if (!asked)
		die(2, "-e: which event? cgview record -e list tells which there are");
	return asked;
}
