/* Spends its time in foreign code, phase by phase, and tells from the thread's own clock how much
 * in each: "NAME SECONDS". The library (foreign-library.c) is not built by cgcc. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

long plain_work(long n);
long plain_each(long n, long (*f)(long));
long plain_read(int fd, char *to, size_t n);

static char left[1 << 18], right[1 << 18];
static volatile long sink;
static int zero;
static long (*volatile through)(long) = plain_work;
_Atomic long changed;

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void
in_memcmp(void)
{
	sink += memcmp(left, right, sizeof(left));
}

__attribute__((noinline)) static void
in_read(void)
{
	for (int i = 0; i < 20; i++)
		sink += read(zero, left, 4096);
	memset(left, 0, 4096);
}

static int
compare(const void *a, const void *b)
{
	atomic_fetch_add(&changed, 1); /* becomes an instruction: no callee */
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void
in_qsort(void)
{
	static int v[2000];

	for (int i = 0; i < 2000; i++)
		v[i] = (int)((unsigned)i * 2654435761u >> 3);
	qsort(v, 2000, sizeof(*v), compare);
	sink += v[3];
}

static long
step(long n)
{
	for (int i = 0; i < 1000; i++)
		sink += i;
	return n;
}

__attribute__((noinline)) static void
in_library(void)
{
	sink += plain_work(20000);
}

__attribute__((noinline)) static void
in_pointer(void)
{
	sink += through(20000);
}

__attribute__((noinline)) static void
in_callback(void)
{
	sink += plain_each(20, step);
}

__attribute__((noinline)) static void
in_library_read(void)
{
	sink += plain_read(zero, left, 65536);
	memset(left, 0, 4096);
}

__attribute__((noinline)) static void
in_itself(void)
{
	for (int i = 0; i < 30000; i++)
		sink += i;
}

static const struct phase { const char *name; void (*run)(void); } phases[] = {
	{ "in_memcmp", in_memcmp }, { "in_read", in_read }, { "in_qsort", in_qsort },
	{ "in_library", in_library }, { "in_pointer", in_pointer },
	{ "in_callback", in_callback }, { "in_library_read", in_library_read },
	{ "in_itself", in_itself },
};
enum { PHASES = sizeof(phases) / sizeof(*phases) };

int
main(int argc, char **argv)
{
	double each = argc > 1 ? atof(argv[1]) : 0.2, begin;

	zero = open("/dev/zero", O_RDONLY);
	if (zero < 0)
		return 1;
	for (int i = 0; i < PHASES; i++) {
		begin = seconds();
		while (seconds() < begin + each)
			for (int k = 0; k < 10; k++)
				phases[i].run();
		printf("%s %.6f\n", phases[i].name, seconds() - begin);
	}
	if (argc > 2) /* waits */
		poll(NULL, 0, atoi(argv[2]));
	return 0;
}
