/* Procedures that are handed to code outside as values of variables. Prints how often each was
 * called, and by what call it was handed out. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int order(const void *, const void *);
static int nr_up, nr_down, nr_own, nr_hit, nr_start;

static int less(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }
static int up(const void *a, const void *b) { nr_up++; return less(b, a) - less(a, b); }
static int down(const void *a, const void *b) { nr_down++; return less(a, b) - less(b, a); }
static int own(const void *a, const void *b) { nr_own++; return a < b; }
static int never(const void *a, const void *b) { return a > b; }
static order *orders[] = { up, down, own, never, (order *)strcmp };

static void hit(int signal) { nr_hit += signal == SIGUSR1; }
static void *start(void *argument) { nr_start++; return argument; }
static void *(*starts[])(void *) = { start };

/* Profiled: what it is handed it calls itself. */
__attribute__((noinline)) static int
each(order *f, const int *v)
{
	return f(v, v + 1);
}

static void
sort(int *v, int n, order *f)
{
	for (int i = 0; i < n; i++)
		v[i] = (i * 7919) % 1009;
	qsort(v, (size_t)n, sizeof(*v), f);
}

int
main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = SIG_IGN };
	char *words[] = { "one", "two", "three" };
	pthread_t thread;
	int v[1000];

	for (int i = 0; i < 3; i++)
		sort(v, 1000, orders[i > 1]);
	for (int i = 0; i < argc; i++)
		each(orders[argc + 1], v);
	if (argc > 9)
		qsort(v, 10, sizeof(*v), orders[argc]); /* never */
	bsearch("one", words, 1, 1, orders[argc + 3]);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	action.sa_handler = hit;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	pthread_create(&thread, NULL, starts[argc - 1], argv);
	pthread_join(thread, NULL);
	printf("down %d qsort\nhit %d sigaction\nown %d\n", nr_down, nr_hit, nr_own);
	printf("start %d pthread_create\nup %d qsort\n", nr_start, nr_up);
	return 0;
}
