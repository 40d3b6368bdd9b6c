/* Touches pages for the first time, as many as it is told, at places that are known. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static char *
map(long pages)
{
	char *p = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, (size_t)pages * PAGE, MADV_NOHUGEPAGE))
		exit(9);
	return p;
}

static long
resident(char *p, long pages)
{
	unsigned char *there = malloc((size_t)pages);
	long i, n = 0;

	if (mincore(p, (size_t)pages * PAGE, there))
		exit(9);
	for (i = 0; i < pages; i++)
		n += there[i] & 1;
	free(there);
	return n;
}

__attribute__((noinline)) static void
first(volatile char *p, long n)
{
	for (; n; n--, p += PAGE)
		*p = 1; /* FIRST */
}

__attribute__((noinline)) static void
second(volatile char *p, long n)
{
	for (; n; n--, p += PAGE)
		*p = 1; /* SECOND */
}

__attribute__((noinline)) static void
both(volatile char *p, long n, long m)
{
	first(p, n);
	second(p + n * PAGE, m);
	__asm__ volatile("" ::: "memory"); /* no call is the last act */
}

/* ---- callers, of which each touches what the counts of its calls do not tell ---- */

/* One page, by 9 calls for each of SELDOM's pages. */
__attribute__((noinline)) static void
often(volatile char *p, long n)
{
	for (n *= 9; n; n--)
		first(p, 1);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
seldom(volatile char *p, long n)
{
	first(p, n);
	__asm__ volatile("" ::: "memory");
}

/* From two places: N and 2 * N pages. */
__attribute__((noinline)) static void
pair(volatile char *p, long n)
{
	first(p, n); /* ONE */
	first(p + n * PAGE, 2 * n); /* TWO */
	__asm__ volatile("" ::: "memory");
}

/* A page for each level of the recursion, in which two places take turns. */
__attribute__((noinline)) static void
deep(volatile char *p, long n)
{
	second(p, 1);
	if (n > 1 && n % 2)
		deep(p + PAGE, n - 1); /* ODD */
	else if (n > 1)
		deep(p + PAGE, n - 1); /* EVEN */
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
callers(long n)
{
	volatile char *p = map(6 * n + 1);

	often(p, n);
	seldom(p + PAGE, n);
	pair(p + (n + 1) * PAGE, n);
	deep(p + (4 * n + 1) * PAGE, 2 * n);
	__asm__ volatile("" ::: "memory");
}

/* ---- threads, processes, libraries ---- */

static long each;

static void *
thread(void *pages)
{
	second(pages, each);
	__asm__ volatile("" ::: "memory");
	return NULL;
}

/* NR threads, AT_ONCE of them at a time, that touch EACH pages each. */
static void
threads(long nr, long at_once)
{
	pthread_t t[64];
	long i, k;

	for (i = 0; i < nr; i += at_once) {
		for (k = 0; k < at_once; k++)
			if (pthread_create(&t[k], NULL, thread, map(each)))
				exit(9);
		for (k = 0; k < at_once; k++)
			pthread_join(t[k], NULL);
	}
}

__attribute__((noinline)) static void
child(long n)
{
	first(map(n), n);
	__asm__ volatile("" ::: "memory");
}

static void
wait_for_child(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		exit(9);
}

static void
processes(char *self, long n)
{
	pid_t pid = fork();
	char number[32];

	if (!pid) {
		child(n);
		_exit(0);
	}
	wait_for_child(pid);
	pid = fork();
	if (!pid) {
		snprintf(number, sizeof(number), "%ld", 2 * n);
		execl(self, self, "child", number, (char *)NULL);
		_exit(9);
	}
	wait_for_child(pid);
}

static void
library(const char *path, long n)
{
	void *handle = dlopen(path, RTLD_NOW);
	void (*touch)(char *, long) = handle ? (void (*)(char *, long))dlsym(handle, "touch")
					     : NULL;

	if (!touch)
		exit(9);
	touch(map(n), n);
}

/* ---- what the program has to do with the signal and with descriptors ---- */

static volatile sig_atomic_t nr_urgent;

static void
on_urgent(int signal)
{
	(void)signal;
	nr_urgent++;
}

/* Its own SIGURG, by a handler, raised and from a socket; then blocked and waited for. */
static void
urgent(void)
{
	struct sigaction action = {.sa_handler = on_urgent}, old;
	struct timespec second = {1, 0};
	int ends[2], i, got;
	sigset_t set, before;

	sigaction(SIGURG, &action, NULL);
	for (i = 0; i < 10; i++) {
		first(map(20), 20);
		raise(SIGURG);
	}
	printf("%d raised\n", (int)nr_urgent);
	sigaction(SIGURG, NULL, &old);
	printf("handler %s\n", old.sa_handler == on_urgent ? "as set" : "another");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		exit(9);
	fcntl(ends[0], F_SETOWN, getpid());
	fcntl(ends[0], F_SETSIG, SIGURG);
	fcntl(ends[0], F_SETFL, O_ASYNC);
	nr_urgent = 0;
	if (write(ends[1], "x", 1) != 1)
		exit(9);
	printf("%d from the socket\n", (int)nr_urgent);
	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigprocmask(SIG_BLOCK, &set, NULL);
	nr_urgent = 0;
	both(map(20), 10, 10);
	kill(getpid(), SIGURG);
	both(map(20), 10, 10);
	got = sigtimedwait(&set, NULL, &second);
	printf("waited for %d, handled %d\n", got == SIGURG, (int)nr_urgent);
	sigprocmask(SIG_BLOCK, NULL, &before);
	printf("blocked %d\n", sigismember(&before, SIGURG));
}

/* Waits are not ended, whoever touches pages: here the kernel does, for the program. */
static void
waits(void)
{
	struct timespec little = {0, 1000000};
	int i, ended = 0, ends[2];
	char *p = map(600);

	if (pipe(ends))
		exit(9);
	for (i = 0; i < 300; i++) {
		first(p + i * 2 * PAGE, 1);
		if (write(ends[1], "x", 1) != 1 || read(ends[0], p + (i * 2 + 1) * PAGE, 1) != 1)
			ended++;
		if (ppoll(NULL, 0, &little, NULL) < 0 && errno == EINTR)
			ended++;
	}
	printf("%d ended\n", ended);
}

/* Closes all there is, again and again, and looks which numbers it gets. */
static void
descriptors(void)
{
	int i, wrong = 0;

	for (i = 0; i < 50; i++) {
		each = 30;
		threads(2, 2);
		if (syscall(SYS_close_range, 3u, ~0u, 0u))
			for (int fd = 3; fd < 4096; fd++)
				close(fd);
		wrong += open("/dev/null", O_RDONLY) != 3;
		first(map(10), 10);
		wrong += dup(0) != 4;
	}
	printf("%d wrong numbers\n", wrong);
}

/* Touches N pages before and in a sandbox in which it may only write and end. */
static void
sandbox(long n)
{
	char *p = map(2 * n);

	first(p, n);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		exit(9);
	first(p + n * PAGE, n);
	if (write(1, "done\n", 5) != 5)
		syscall(SYS_exit, 9);
	syscall(SYS_exit, 0);
}

/* Prints how many major faults there were. */
static void
major(const char *path, long n)
{
	static char page[PAGE];
	struct rusage before, after;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *p;
	long i;

	memset(page, 1, sizeof(page));
	for (i = 0; i < n * 4; i++)
		if (write(fd, page, sizeof(page)) != PAGE)
			exit(9);
	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	p = mmap(NULL, (size_t)n * 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	madvise(p, (size_t)n * 4 * PAGE, MADV_RANDOM);
	getrusage(RUSAGE_SELF, &before);
	for (i = 0; i < n; i++)
		first(p + i * 4 * PAGE, 1);
	getrusage(RUSAGE_SELF, &after);
	printf("%ld\n", after.ru_majflt - before.ru_majflt);
	unlink(path);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0, m = argc > 3 ? atol(argv[3]) : 0;
	struct rusage before, after;
	char *p;

	if (!strcmp(what, "both")) {
		p = map(n + m);
		getrusage(RUSAGE_SELF, &before);
		both(p, n, m);
		getrusage(RUSAGE_SELF, &after);
		printf("%ld %ld\n", resident(p, n + m), after.ru_minflt - before.ru_minflt);
	} else if (!strcmp(what, "callers")) {
		callers(n);
	} else if (!strcmp(what, "threads")) {
		each = argc > 4 ? atol(argv[4]) : 0;
		getrusage(RUSAGE_THREAD, &before);
		threads(n, m);
		getrusage(RUSAGE_THREAD, &after);
		printf("%ld\n", after.ru_minflt - before.ru_minflt);
	} else if (!strcmp(what, "processes")) {
		processes(argv[0], n);
	} else if (!strcmp(what, "child")) {
		child(n);
	} else if (!strcmp(what, "library")) {
		library(argv[3], n);
	} else if (!strcmp(what, "urgent")) {
		urgent();
	} else if (!strcmp(what, "waits")) {
		waits();
	} else if (!strcmp(what, "descriptors")) {
		descriptors();
	} else if (!strcmp(what, "full")) {
		while (dup(0) >= 0)
			;
		each = n;
		first(map(n), n);
		threads(4, 4);
	} else if (!strcmp(what, "sandbox")) {
		sandbox(n);
	} else if (!strcmp(what, "major")) {
		major(argv[3], n);
	} else {
		return 2;
	}
	return 0;
}
