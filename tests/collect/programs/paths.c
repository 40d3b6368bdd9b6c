/* Allocations of one call site by several paths, whose bytes are known and printed. What is at
 * random here is the program's own, and the same each time. Modes: shares, rand, leaks, threads,
 * seeds, children, killed, foreign, sandbox, deep. */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static size_t
draw(unsigned long *state, size_t most)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return 16 + (*state >> 20) % most;
}

static APART char *
make(size_t n)
{
	char *p = malloc(n);

	p[0] = 1;
	return p;
}

static APART void few(size_t n) { free(make(n)); }
static APART void many(size_t n) { free(make(n)); }

/* Of BYTES in blocks of 16 up to MOST more 1/4 by one path and 3/4 by another one. */
static APART void
shares(size_t bytes, size_t most, unsigned long seed)
{
	size_t by_few = 0, by_many = 0;

	while (by_few + by_many < bytes) {
		size_t n = draw(&seed, most);

		if (3 * by_few <= by_many) {
			few(n);
			by_few += n;
		} else {
			many(n);
			by_many += n;
		}
	}
	printf("%zu %zu\n", by_few, by_many);
}

static void *kept[1 << 16];
static int nr_kept;
static APART void keep(size_t n) { kept[nr_kept++] = make(n); }
static APART void use(size_t n) { free(make(n)); }

/* What one of two paths gets is kept, each time as much as the other one gives back. */
static APART void
leaks(void)
{
	unsigned long seed = 5;

	for (int i = 0; i < 20000; i++) {
		size_t n = draw(&seed, 4000);

		keep(n);
		use(n);
	}
}

static void *
thread(void *seed)
{
	shares(16 << 20, 2000, *(unsigned long *)seed);
	return NULL;
}

static APART void
threads(void)
{
	unsigned long seeds[] = { 11, 22, 33, 44 };
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, &seeds[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static pthread_barrier_t all;

static void *
seed(void *unused)
{
	pthread_barrier_wait(&all); /* each has a copy of the counters of its own */
	shares(40 << 20, 2000, 1);
	return unused;
}

static APART void
seeds(int nr)
{
	pthread_t t[500];

	pthread_barrier_init(&all, NULL, nr);
	for (int i = 0; i < nr; i++)
		pthread_create(&t[i], NULL, seed, NULL);
	for (int i = 0; i < nr; i++)
		pthread_join(t[i], NULL);
}

static APART void
children(void)
{
	shares(4 << 20, 2000, 3);
	fflush(stdout);
	for (int i = 0; i < 5; i++) {
		if (fork() == 0) {
			shares(8 << 20, 2000, 7 + i);
			exit(0);
		}
		wait(NULL);
	}
}

/* GCC 16 takes out a pair of strdup and free, as others do one of malloc and free. */
static char *volatile copied;
static APART void by_few(const char *s) { free(copied = strdup(s)); }
static APART void by_many(const char *s) { free(copied = strdup(s)); }

static int
compare(const void *a, const void *b)
{
	few(500);
	return *(const int *)a - *(const int *)b;
}

/* Code that was not profiled between allocator and path, and in the midst of it. */
static APART void
foreign(void)
{
	char text[1001];
	int numbers[1000];

	memset(text, 'x', 1000);
	text[1000] = '\0';
	for (int i = 0; i < 40000; i++)
		(i % 4 ? by_many : by_few)(text);
	for (int i = 0; i < 1000; i++)
		numbers[i] = i * 7919 % 1000;
	qsort(numbers, 1000, sizeof(*numbers), compare);
}

static APART char *
deep(int depth, size_t n)
{
	volatile char here = 1;
	char *p = depth ? deep(depth - 1, n) : make(n);

	return p + here - 1;
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "shares"))
		shares(argc > 2 ? strtoul(argv[2], NULL, 10) << 20 : 400 << 20, 2000, 1);
	else if (!strcmp(mode, "rand"))
		for (int i = 0; i < 1000; few(100000), i++)
			printf("%d %ld\n", rand(), random());
	else if (!strcmp(mode, "leaks"))
		leaks();
	else if (!strcmp(mode, "threads"))
		threads();
	else if (!strcmp(mode, "seeds"))
		seeds(atoi(argv[2]));
	else if (!strcmp(mode, "children"))
		children();
	else if (!strcmp(mode, "foreign"))
		foreign();
	else if (!strcmp(mode, "deep"))
		for (int i = 0; i < 3000; i++)
			free(deep(i, 10000));
	if (!strcmp(mode, "killed")) {
		shares(64 << 20, 2000, 9);
		fflush(stdout);
		kill(getpid(), SIGKILL);
	}
	if (!strcmp(mode, "sandbox")) {
		shares(16 << 20, 2000, 2);
		fflush(stdout);
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
		for (int i = 0; i < 20000; i++)
			few(1000);
		syscall(SYS_exit, 0);
	}
	return 0;
}
