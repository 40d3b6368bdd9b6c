/* Allocations below calls, by hand: what test-space-producers.sh expects is computed from the sizes
 * that stand here. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
enum { MANY = 64 };
static void *volatile kept[MANY];

/* ---- totals ---- */

APART static void
leaf(int size)
{
	kept[0] = malloc(size);
}

/* 3 blocks of 10, and 2 of 100: leaf() has two callers, so what is theirs is an estimate. */
APART static void
small(void)
{
	for (int i = 0; i < 3; i++)
		leaf(10);
}

APART static void
large(void)
{
	for (int i = 0; i < 2; i++)
		leaf(100);
}

/* Only called from alone(): certain, though it calls itself. 4 blocks of 7. */
APART static void
deep(int n)
{
	kept[1] = malloc(7);
	if (n > 1)
		deep(n - 1);
}

APART static void
alone(void)
{
	deep(4);
}

static void *
run_thread(void *unused)
{
	kept[2] = malloc(50);
	return unused;
}

static void
totals(void)
{
	pthread_t thread;

	small();
	large();
	alone();
	pthread_create(&thread, NULL, run_thread, NULL);
	pthread_join(thread, NULL);
}

int
main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } modes[] = {
		{ "totals", totals },
	};

	for (unsigned i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc > 1 && !strcmp(argv[1], modes[i].name))
			modes[i].run();
	return 0;
}
