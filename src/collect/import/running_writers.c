#include "collect/import/running_writers.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

/* The runtime maps the raw file, and a child of fork has its parent's mappings from its first
 * instruction on: earlier than the child has entered itself into the file. A process that has
 * executed another program has none any more. */
static bool
maps_raw(const char *pid, const char *tag)
{
	char *path = xasprintf("/proc/%s/maps", pid), *line = NULL;
	FILE *f = fopen(path, "re");
	size_t room = 0;
	bool found = false;

	while (f && !found && getline(&line, &room, f) >= 0)
		found = strstr(line, tag) != NULL;
	if (f)
		fclose(f);
	free(line);
	free(path);
	return found;
}

/* When the process was started, in ticks since the machine was; 0: it is not there. */
static uint64_t
start_of(const char *pid)
{
	enum { FIELDS = 20 };          /* between the name and the start */
	char *path = xasprintf("/proc/%s/stat", pid), text[1024], *at;
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	int i;

	if (f)
		fclose(f);
	free(path);
	text[n] = '\0';
	at = strrchr(text, ')');       /* the name may hold anything */
	for (i = 0; at && i < FIELDS; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

size_t
living_processes(const char *directory)
{
	const char *dash = strrchr(directory, '-');
	char *tag = xasprintf("%s/", dash ? dash : directory);
	uint64_t own = start_of("self");
	DIR *d = own ? opendir("/proc") : NULL;
	struct dirent *e;
	size_t nr = 0;

	while (d && (e = readdir(d)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && start_of(e->d_name) >= own)
			nr += maps_raw(e->d_name, tag);
	if (d)
		closedir(d);
	free(tag);
	return nr;
}
