/* Work whose time is known: clock SHAPE [TURNS]. The program reads the CPU clock of the thread
 * around each piece of work, and prints "procedure nanoseconds" for each of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FIRST, SECOND, THIRD, NR };
static const char *const names[NR] = { "first", "second", "third" };
static _Atomic long spent[NR];

static long
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

#define BURN                                                                                \
	volatile unsigned long x = 1;                                                      \
	for (long i = 0; i < n; i++)                                                       \
		x = x * 3 + 1
__attribute__((noinline)) static void first(long n) { BURN; }
__attribute__((noinline)) static void second(long n) { BURN; }
__attribute__((noinline)) static void third(long n) { BURN; }

#define TIMED(which, work)                                                                  \
	do {                                                                               \
		long began = cpu();                                                        \
		work;                                                                      \
		spent[which] += cpu() - began;                                             \
	} while (0)

static void
user(long turns)
{
	for (long i = 0; i < 2 * turns; i++) {
		TIMED(FIRST, first(700000));
		TIMED(SECOND, second(200000));
		TIMED(THIRD, third(100000));
	}
}

static void *
short_thread(void *none)
{
	TIMED(FIRST, first(3300000));
	TIMED(SECOND, second(1100000));
	TIMED(THIRD, third(550000));
	return none;
}

static void
threads(long turns)
{
	pthread_t t;

	for (long i = 0; i < turns; i++)
		if (pthread_create(&t, NULL, short_thread, NULL) || pthread_join(t, NULL))
			exit(9);
}

static void *
half(void *turns)
{
	for (long i = 0; i < *(long *)turns; i++) {
		TIMED(FIRST, first(500000));
		TIMED(SECOND, second(250000));
	}
	return NULL;
}

/* Two threads; run it on one processor. */
static void
contended(long turns)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, half, &turns))
			exit(9);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static int zero;
static char buffer[65536];

__attribute__((noinline)) static void
long_calls(long n)
{
	while (n--)
		if (read(zero, buffer, sizeof(buffer)) < 0)
			exit(9);
}

__attribute__((noinline)) static void
short_calls(long n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void
calls(long turns)
{
	for (long i = 0; i < turns; i++) {
		TIMED(FIRST, long_calls(80));
		TIMED(SECOND, second(600000));
		TIMED(THIRD, short_calls(4000));
	}
}

/* A twentieth of the time is the kernel's, in small pieces. */
static void
some_calls(long turns)
{
	for (long i = 0; i < 10 * turns; i++) {
		TIMED(FIRST, long_calls(1));
		TIMED(SECOND, second(200000));
	}
}

__attribute__((noinline)) static void
touch(long bytes)
{
	char *p = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		exit(9);
	madvise(p, (size_t)bytes, MADV_NOHUGEPAGE);
	for (long i = 0; i < bytes; i += 4096)
		p[i] = 1;
	munmap(p, (size_t)bytes);
}

static void
faults(long turns)
{
	for (long i = 0; i < turns; i += 40) {
		TIMED(FIRST, touch(64 << 20));
		TIMED(SECOND, second(40000000));
	}
}

/* A thirtieth of the time is the kernel's, whatever a page fault costs. */
static void
some_faults(long turns)
{
	for (long i = 0; i < turns; i++) {
		TIMED(FIRST, touch(1 << 20));
		while (spent[SECOND] < 29 * spent[FIRST])
			TIMED(SECOND, second(200000));
	}
}

/* Half of it is done when the program wants the event's signal for itself. */
static void
urgent(long turns)
{
	sigset_t set;

	for (long i = 0; i < turns; i++)
		TIMED(FIRST, first(500000));
	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGURG); /* and is to wait until it is asked for */
	for (long i = 0; i < turns; i++)
		TIMED(SECOND, second(500000));
}

/* Prints how many waits were ended by a signal. */
static void
waits(long turns)
{
	struct timespec t = { .tv_nsec = 20000 };
	long ended = 0;

	for (long i = 0; i < 100 * turns; i++) {
		first(1000);
		ended += ppoll(NULL, 0, &t, NULL) < 0 && errno == EINTR;
	}
	printf("ended %ld\n", ended);
}

static const struct { const char *name; void (*run)(long turns); } shapes[] = {
	{ "user", user }, { "threads", threads }, { "contended", contended }, { "calls", calls },
	{ "some-calls", some_calls }, { "faults", faults },
	{ "some-faults", some_faults }, { "urgent", urgent }, { "waits", waits },
};

int
main(int argc, char **argv)
{
	zero = open("/dev/zero", O_RDONLY);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (argc > 1 && !strcmp(shapes[i].name, argv[1]))
			shapes[i].run(argc > 2 ? atol(argv[2]) : 400);
	for (int i = 0; i < NR; i++)
		if (spent[i])
			printf("%s %ld\n", i == FIRST && strstr("calls some-calls", argv[1])
					   ? "long_calls"
					   : i == THIRD && !strcmp(argv[1], "calls") ? "short_calls"
					   : i == FIRST && strstr(argv[1], "faults") ? "touch"
					   : names[i], spent[i]);
	return 0;
}
