/* What the reader of debug information can still do when it has given up its rights, and that it
 * dies with its parent. */
#include "collect/import/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/fixture.h"
#include "util/sanitizer.h"

static const char *const tries[] = {
	"opens a file", "makes a socket", "executes a program", "makes a process",
	"kills its parent", "makes code of memory", "maps code", "traces",
	"writes to another descriptor", "removes a file",
};
enum { NR_TRIES = sizeof(tries) / sizeof(*tries) };
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(CGVIEW_COVERAGE)
enum { GIVES_UP = 1 };
#else
enum { GIVES_UP = 0 };
#endif

static int
attempt(int which, void *page, int other)
{
	char *const arguments[] = { "true", NULL };

	switch (which) {
	case 0: return open("/dev/null", O_RDONLY);
	case 1: return socket(AF_UNIX, SOCK_STREAM, 0);
	case 2: return execv("/bin/true", arguments);
	case 3: return vfork();
	case 4: return kill(getppid(), 0);
	case 5: return mprotect(page, 4096, PROT_READ | PROT_EXEC);
	case 6: return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0) == MAP_FAILED ? -1 : 0;
	case 7: return prctl(PR_SET_PTRACER, 1);
	case 8: return (int)write(other, "", 1);
	default: return unlink("/nonexistent");
	}
}

/* One character for each: '.' refused as it should be; then what it may do. */
static void
confined(int fd, int file)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int other = open("/dev/null", O_WRONLY), i;
	char said[NR_TRIES + 4] = "", byte;

	confine(fd);
	for (i = 0; i < NR_TRIES; i++) {
		errno = 0;
		said[i] = attempt(i, page, other) == -1 && errno == EPERM ? '.' : 'x';
	}
	said[i++] = pread(file, &byte, 1, 0) == 1 ? '.' : 'x';
	said[i++] = (page = malloc(64 << 20)) && memset(page, 1, 64 << 20) ? '.' : 'x';
	if (write(fd, said, (size_t)i) != i)
		_exit(1);
	_exit(0);
}

static void
check_confined(void)
{
	char said[NR_TRIES + 4] = "", name[100];
	int fds[2], file = open("/proc/self/exe", O_RDONLY), status = 0, i;
	pid_t pid;

	must(!pipe(fds), "pipe");
	pid = fork();
	if (!pid)
		confined(fds[1], file);
	close(fds[1]);
	if (read(fds[0], said, sizeof(said)) < 0)
		said[0] = '\0';
	waitpid(pid, &status, 0);
	for (i = 0; i < NR_TRIES; i++) {
		snprintf(name, sizeof(name), "confined: refused is one who %s", tries[i]);
		check(name, said[i] == '.');
	}
	check("... it reads what is open", said[NR_TRIES] == '.');
	check("... gets memory", said[NR_TRIES + 1] == '.');
	check("... and ends by itself", WIFEXITED(status) && !WEXITSTATUS(status));
}

/* The parent is killed; the child, which would run for ever, is inherited by us. */
static void
check_death(void)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	int fds[2], status = 0, i;
	pid_t parent, child = 0;

	must(!prctl(PR_SET_CHILD_SUBREAPER, 1) && !pipe(fds), "subreaper");
	parent = fork();
	if (!parent) {
		pid_t self = getpid();

		child = fork();
		if (!child) {
			confine_to_life_of(self);
			child = getpid();
			while (write(fds[1], &child, sizeof(child)) < 0)
				;
			for (;;)
				;
		}
		for (;;)
			pause.tv_sec = 100, nanosleep(&pause, NULL);
	}
	must(read(fds[0], &child, sizeof(child)) == sizeof(child), "child");
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	for (i = 0; i < 3000 && waitpid(child, &status, WNOHANG) == 0; i++)
		nanosleep(&pause, NULL);
	check("the reader dies with its parent",
	      WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	if (i == 3000)
		kill(child, SIGKILL);
}

int
main(void)
{
	if (GIVES_UP)
		check_confined();
	else
		puts("skip - the reader's rights: it keeps them here");
	check_death();
	return 0;
}
