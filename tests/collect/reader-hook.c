/* Preloaded: what reads a file of another tool, a process that dies with its parent, does what HOOK
 * says when it opens the file, as if the file had made it do that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static long
attempt(int i)
{
	char *const arguments[] = { "true", NULL };

	switch (i) {
	case 0: return open("made", O_WRONLY | O_CREAT, 0600);
	case 1: return open("old.db", O_RDWR);
	case 2: return creat("made", 0600);
	case 3: return unlink("old.db");
	case 4: return rename("old.db", "made");
	case 5: return mkdir("made", 0700);
	case 6: return symlink("old.db", "made");
	case 7: return chmod("old.db", 0);
	case 8: return truncate("old.db", 0);
	case 9: return socket(AF_UNIX, SOCK_STREAM, 0);
	case 10: return socket(AF_INET, SOCK_STREAM, 0);
	case 11: return execv("/bin/true", arguments);
	case 12: return kill(getppid(), 0);
	case 13: return ptrace(PTRACE_ATTACH, getppid(), 0, 0);
	default: return chdir("/");
	}
}

static void
tell_rights(void)
{
	for (int i = 0; i < 15; i++) {
		errno = 0;
		if (attempt(i) != -1 || errno != EPERM)
			fprintf(stderr, "attempt %d was not refused: %s\n", i, strerror(errno));
	}
	fprintf(stderr, "15 attempts\n");
}

static void
act(const char *what)
{
	if (!strcmp(what, "crash"))
		raise(SIGSEGV);
	while (!strcmp(what, "loop"))
		;
	while (!strcmp(what, "memory") && malloc(1 << 18))
		;
	if (!strcmp(what, "rights"))
		tell_rights();
}

FILE *
fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
	static FILE *(*real)(void *, const char *, cookie_io_functions_t);
	const char *what = getenv("HOOK");
	int with_parent = 0;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "fopencookie");
	if (what && !prctl(PR_GET_PDEATHSIG, &with_parent) && with_parent)
		act(what);
	return real(cookie, mode, functions);
}
