/* Procedures that reach code outside by way of the program's own, which hand them on. Prints for
 * each who handed it over and how often that led to a call; "?" where its address goes elsewhere,
 * too, so that nobody can be sure. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ONE, BY_TWO, LATER, CHOSEN, OTHER, STORED, CALLED, RETURNED, VARIED, PUBLIC, MEMORY, NR };
static int nr[NR], nr_up, nr_down;
typedef void *start(void *);
typedef int order(const void *, const void *);

#define START(name, number) \
	static void *name(void *x) { __sync_fetch_and_add(&nr[number], 1); return x; }
START(one, ONE)
START(by_two, BY_TWO)
START(later, LATER)
START(chosen, CHOSEN)
START(other, OTHER)
START(stored, STORED)
START(called, CALLED)
START(returned, RETURNED)
START(varied, VARIED)
START(public, PUBLIC)
START(in_memory, MEMORY)
static int up(const void *a, const void *b) { nr_up++; return *(const int *)a - *(const int *)b; }
static int down(const void *a, const void *b) { nr_down++; return up(b, a); }

static pthread_t thread;
static start *kept;
static struct { start *f; } box;

/* These keep it to themselves. */
static inline int make(start *f, void *x) { return pthread_create(&thread, NULL, f, x); }
static int make_later(int n, start *f) { return f && n > 0 ? make(f, NULL) : -1; }
static void sort(int *v, int n, order *by) { if (by) qsort(v, (size_t)n, sizeof(*v), by); }
static void sort_maybe(int *v, int n, order *by, int again)
{
	sort(v, n, by);
	if (again)
		sort_maybe(v, n, by, again - 1);
}

/* These do not. */
static int make_stored(start *f) { kept = f; return make(f, NULL); }
static int make_called(start *f) { return make(f, f(NULL)); }
__attribute__((noinline)) static start *give_back(start *f) { make(f, NULL); return f; }
int make_public(start *f);
int make_public(start *f) { return make(f, NULL); }
static int make_varied(int n, start *f) { return make(n ? f : kept, NULL); }
static int make_in_memory(start *f) { start *volatile g = f; box.f = g; return make(box.f, NULL); }

static void join(int failed) { if (!failed) pthread_join(thread, NULL); }

int
main(int argc, char **argv)
{
	start *f = argc > 9 ? other : chosen;
	int v[60];

	for (int i = 0; i < 60; i++)
		v[i] = i * 37 % 61;
	for (int i = 0; i < 5; i++)
		join(make(one, NULL));
	for (int i = 0; i < 3; i++)
		join(pthread_create(&thread, NULL, by_two, argv));
	join(pthread_create(&thread, NULL, by_two, NULL));
	join(make_later(0, later));
	join(make_later(1, later));
	join(make(f, NULL));
	join(make_stored(stored));
	kept(argv);
	join(make_called(called));
	give_back(returned)(NULL);
	join(0);
	join(make_public(public));
	join(make_varied(argc, varied));
	join(make_in_memory(in_memory));
	sort(v, 60, up);
	sort_maybe(v, 60, down, 2);
	printf("by_two 1 pthread_create\nby_two 3 pthread_create\n");
	printf("called ?\nchosen %d pthread_create\ndown %d qsort\n", nr[CHOSEN], nr_down);
	printf("in_memory ?\nlater %d pthread_create\n", nr[LATER]);
	printf("one %d pthread_create\npublic ?\nreturned ?\nstored ?\n", nr[ONE]);
	printf("varied %d pthread_create\n", nr[VARIED]);
	return nr[BY_TWO] != 4 || nr[OTHER];
}
