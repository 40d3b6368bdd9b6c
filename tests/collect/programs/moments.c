/* Memory over time that is known: what test-moments.sh expects is computed from the sizes that
 * stand here. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 10000 };
static void *volatile kept[4][MANY];

static void
fill(int nr, int size)
{
	for (int i = 0; i < nr; i++)
		kept[0][i] = malloc(size); /* FILL */
}

static void
more(int nr, int size)
{
	for (int i = 0; i < nr; i++)
		kept[1][i] = malloc(size); /* MORE */
}

static void
drop(int which, int nr)
{
	for (int i = 0; i < nr; i++) {
		free(kept[which][i]);
		kept[which][i] = NULL;
	}
}

/* 1,000,000 bytes in steps of 100, of which nothing is given back. */
static void
stairs(void)
{
	fill(MANY, 100);
}

/* Fewer than are kept of the moments. */
static void
few_stairs(void)
{
	fill(2000, 100);
}

/* Ten teeth of 500,000 bytes on 500,000. */
static void
saw(void)
{
	fill(5000, 100);
	for (int i = 0; i < 10; i++) {
		more(5000, 100);
		drop(1, 5000);
	}
}

/* 100 blocks of 10,000 bytes that are live for a moment only, beside 300,000. */
static void
spike(void)
{
	fill(3000, 100);
	more(100, 10000);
	drop(1, 100);
	drop(0, 3000);
}

static void
die(void)
{
	stairs();
	kill(getpid(), SIGKILL);
}

/* The child has 500,000 inherited bytes, gives 250,000 of them back, and makes 800,000. */
static void
child(void)
{
	fill(5000, 100);
	if (!fork()) {
		drop(0, 2500);
		more(8000, 100);
		_exit(0);
	}
	wait(NULL);
}

/* Four threads with 1,000,000 bytes each, at the same time. */
static pthread_barrier_t all;

static void *
work(void *of)
{
	void *volatile *mine = of;

	for (int i = 0; i < MANY; i++)
		mine[i] = malloc(100); /* WORK */
	pthread_barrier_wait(&all);
	for (int i = 0; i < MANY; i++)
		free(mine[i]);
	return NULL;
}

static void
threads(void)
{
	pthread_t t[4];

	pthread_barrier_init(&all, NULL, 4);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)kept[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

/* As many moments as a threshold that does not grow would make of it: 200,000 times 1/128. */
static void
long_saw(void)
{
	fill(5000, 100);
	for (int i = 0; i < 2000; i++) {
		more(2000, 100);
		drop(1, 2000);
	}
	more(5000, 100);
	drop(1, 5000);
}

int
main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } modes[] = {
		{"stairs", stairs}, {"saw", saw}, {"spike", spike}, {"die", die},
		{"child", child}, {"threads", threads}, {"long_saw", long_saw},
		{"few_stairs", few_stairs},
	};

	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(argv[1], modes[i].name))
			modes[i].run();
	return 0;
}
