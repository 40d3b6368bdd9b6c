#include "collect/import/foreign/printer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/import/confine.h"
#include "util/child.h"
#include "util/input.h"
#include "util/mem.h"

enum { MOST_SECONDS = 300, SAID = 400 };
#define MOST_BYTES ((rlim_t)2 << 30)

/* What tools take from the user's settings, or ask for on the net, is nothing for a profile. */
static void
set_environment(void)
{
	const char *path = getenv("PATH"), *in = getenv("TMPDIR");
	char *kept_path = xstrdup(path ? path : "/usr/bin:/bin");
	char *kept_in = in ? xstrdup(in) : NULL;

	clearenv();
	setenv("PATH", kept_path, 1);
	setenv("LC_ALL", "C", 1);
	setenv("HOME", "/nonexistent", 1);
	setenv("DEBUGINFOD_URLS", "", 1);
	if (kept_in)
		setenv("TMPDIR", kept_in, 1);
}

bool
printer_is_there(const char *name)
{
	const char *path = getenv("PATH"), *end;
	bool found = false;

	for (; path && *path && !found; path = *end ? end + 1 : end) {
		char *candidate;

		end = path + strcspn(path, ":");
		candidate = xasprintf("%.*s/%s", (int)(end - path), path, name);
		found = !access(candidate, X_OK);
		free(candidate);
	}
	return found;
}

static void __attribute__((noreturn))
run_child(const char *const *arguments, int out, int said, pid_t parent)
{
	const struct rlimit cpu = { MOST_SECONDS, MOST_SECONDS };
	const struct rlimit size = { MOST_BYTES, MOST_BYTES };
	int null = open("/dev/null", O_RDWR);

	confine_to_life_of(parent);
	if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(said, 2) < 0)
		child_end(126);
	close_range(3, ~0u, 0);
	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_FSIZE, &size);
	signal(SIGPIPE, SIG_DFL);
	set_environment();
	execvp(arguments[0], (char *const *)arguments);
	child_end(127);
}

/* Returns, heap, ARGUMENTS as a shell would take them, nearly. */
static char *
command_of(const char *const *arguments)
{
	struct strbuf s = STRBUF_INIT;

	for (; *arguments; arguments++)
		strbuf_fmt(&s, "%s%s", s.len ? " " : "", *arguments);
	return strbuf_take(&s);
}

/* Fills ERR: STATUS is as from waitpid(), SAID what the tool wrote to its standard error. */
static int
tell_failure(const char *const *arguments, int status, int said, struct error *err)
{
	char text[SAID + 1], *command = command_of(arguments), *line = text;
	ssize_t n = input_read_at(said, 0, text, SAID);

	text[n > 0 ? n : 0] = '\0';
	/* The last line is the one that says why. */
	while (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	if (strrchr(text, '\n'))
		line = strrchr(text, '\n') + 1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		error_set(err, "%s is not installed", arguments[0]);
	else
		error_set(err, "%s failed%s%s; try it by hand: %s", arguments[0],
			  *line ? ": " : "", line, command);
	free(command);
	return -1;
}

int
printer_run(struct printed *p, const char *const *arguments, struct error *err)
{
	int said = memfd_create("said", MFD_CLOEXEC), status = -1;
	pid_t pid, parent = getpid();

	p->fd = memfd_create("printed", MFD_CLOEXEC);
	pid = p->fd < 0 || said < 0 ? -1 : fork();
	if (!pid)
		run_child(arguments, p->fd, said, parent);
	if (pid < 0)
		error_set_errno(err, errno, "%s cannot be started", arguments[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && status)
		tell_failure(arguments, status, said, err);
	snprintf(p->path, sizeof(p->path), "/proc/%ld/fd/%d", (long)parent, p->fd);
	if (said >= 0)
		close(said);
	if (pid > 0 && !status)
		return 0;
	printed_close(p);
	return -1;
}

void
printed_close(struct printed *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
