/* Who gives back what whom made, after how many bytes, counted by hand: what is expected by
 * test-space-disposers.sh is computed from the numbers that stand here. Each mode is a procedure;
 * places have marks. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile kept[4096];
static void *volatile sink;

/* A wrapper: it is whoever calls this that gives back. */
static __attribute__((noinline)) void
give_back(void *p)
{
	free(p);
}

/* Blocks of 100 bytes that live while LIFE bytes are allocated, which are never given back. */
static void
live_for(size_t life)
{
	kept[0] = malloc(100); /* LIVES */
	if (life)
		sink = malloc(life); /* CLOCK */
	free(kept[0]); /* ENDS */
}

/* 3 temporary ones, 2 of each of the other lives: the first between two other blocks of no bytes;
 * in steps of the clock. */
static void
lives(void)
{
	static const size_t life[] = {0, 8 << 10, 128 << 10, 2 << 20, 32 << 20, 512 << 20};

	for (int i = 0; i < 3; i++)
		live_for(0);
	for (int i = 0; i < 2; i++) {
		kept[0] = malloc(100); /* UNTIL */
		sink = malloc(0);
		free(kept[0]); /* AFTER */
	}
	for (int k = 1; k < 6; k++)
		for (int i = 0; i < 2; i++)
			live_for(life[k]);
}

/* 10 blocks of 50: 4 are given back here, 3 by a wrapper, 1 by a handler, 2 at exit, and 1 never,
 * as there is one more. */
static void
at_exit(void)
{
	for (int i = 8; i < 10; i++)
		free(kept[i]); /* AT_EXIT */
}

static void
on_signal(int signal)
{
	(void)signal;
	free(kept[7]); /* IN_HANDLER */
}

static void
pairs(void)
{
	atexit(at_exit);
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 11; i++)
		kept[i] = malloc(50); /* MADE */
	for (int i = 0; i < 4; i++)
		free(kept[i]); /* HERE */
	for (int i = 4; i < 7; i++)
		give_back(kept[i]); /* GIVES */
	raise(SIGUSR1);
}

/* A buffer of 100 that becomes 200, 400 ... 6400, each time behind another block, so that it has to
 * move; then it becomes 50, where it is. */
static void
grows(void)
{
	char *p = malloc(100); /* FIRST */

	for (size_t n = 200; n <= 6400; n *= 2) {
		kept[n / 200] = malloc(n); /* BEHIND */
		p = realloc(p, n); /* LARGER */
	}
	p = realloc(p, 50); /* SMALLER */
	free(p); /* LAST */
}

/* Each thread makes 1000 blocks of its own size; another gives them back, when all are made. */
enum { THREADS = 4, EACH = 1000 };
static void *blocks[THREADS][EACH];
static pthread_barrier_t made;

static void *
work(void *number)
{
	size_t me = (size_t)number;

	for (int i = 0; i < EACH; i++)
		blocks[me][i] = malloc(20 + me); /* OTHERS */
	pthread_barrier_wait(&made);
	for (int i = 0; i < EACH; i++)
		free(blocks[(me + 1) % THREADS][i]); /* FREED_BY_NEXT */
	return NULL;
}

static void
threads(void)
{
	pthread_t all[THREADS];

	pthread_barrier_init(&made, NULL, THREADS);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&all[i], NULL, work, (void *)i);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
}

/* Of 10 blocks each of 3 children gives back 5, which are not its own, and 2 of 3 of its own; the
 * parent gives back 4. */
static void
children(void)
{
	for (int i = 0; i < 10; i++)
		kept[i] = malloc(10); /* INHERITED */
	for (int k = 0; k < 3; k++) {
		if (fork()) {
			wait(NULL);
			continue;
		}
		for (int i = 0; i < 5; i++)
			free(kept[i]); /* BY_CHILD */
		for (int i = 0; i < 3; i++)
			kept[20 + i] = malloc(30); /* OWN */
		for (int i = 0; i < 2; i++)
			free(kept[20 + i]); /* OWN_FREED */
		_exit(0);
	}
	for (int i = 0; i < 4; i++)
		free(kept[i]); /* BY_PARENT */
}

/* Of 6 blocks 2 are overwritten behind their end, and given back by another call than the whole
 * ones. */
static void
smashed(void)
{
	for (int i = 0; i < 6; i++)
		kept[i] = malloc(16); /* WHOLE */
	for (int i = 0; i < 2; i++)
		for (int k = 16; k < 24; k++)
			((char *)kept[i])[k]++; /* another one, whatever it was */
	for (int i = 0; i < 2; i++)
		free(kept[i]); /* BROKEN */
	for (int i = 2; i < 6; i++)
		free(kept[i]); /* FINE */
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "pairs";

	setvbuf(stdout, NULL, _IONBF, 0);
	if (!strcmp(mode, "pairs") || !strcmp(mode, "exits"))
		pairs();
	else if (!strcmp(mode, "killed"))
		pairs(), kill(getpid(), SIGKILL);
	else if (!strcmp(mode, "lives"))
		lives();
	else if (!strcmp(mode, "grows"))
		grows();
	else if (!strcmp(mode, "threads"))
		threads();
	else if (!strcmp(mode, "children"))
		children();
	else if (!strcmp(mode, "smashed"))
		smashed();
	else if (!strcmp(mode, "exec"))
		return execl(argv[0], argv[0], "pairs", NULL);
	if (!strcmp(mode, "exits"))
		exit(3);
	return 0;
}
