/* Allocations below calls, by hand: what test-space-producers.sh expects is computed from the sizes
 * that stand here. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
enum { MANY = 64 };
static void *volatile kept[MANY];
static volatile int sunk;

static void
sink(int value)
{
	sunk = value;
}

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

/* ---- wrappers ---- */

APART static void *
xmalloc(size_t size)
{
	void *p = malloc(size); /* IN_XMALLOC */

	if (!p)
		abort();
	return p;
}

APART static void *
jumps(size_t size)
{
	return malloc(size ? size : 1);
}

APART static void *
xrealloc(void *p, size_t size)
{
	void *q = p ? realloc(p, size) : malloc(size); /* IN_XREALLOC */

	if (!q)
		abort();
	return q;
}

/* A wrapper of a wrapper, which fills the block. */
APART static void *
xzalloc(size_t size)
{
	return memset(xmalloc(size), 0, size);
}

/* One by its attribute; the compiler would not know. */
__attribute__((malloc)) APART static void *
by_attribute(int which, size_t size)
{
	if (which)
		kept[3] = malloc(size);
	else
		kept[3] = calloc(1, size);
	return kept[3];
}

/* One by wrapper=by_option: it stores where the block is. */
APART static int
by_option(void **p, size_t size)
{
	*p = malloc(size);
	return !*p;
}

APART static char *
xstrdup(const char *text)
{
	char *p = strdup(text);

	if (!p)
		abort();
	return p;
}

/* As an interpreter has it; a size of 0 gives the block back. */
APART static void *
resize(void *p, size_t size)
{
	if (size == 0) {
		free(p);
		return NULL;
	}
	return realloc(p, size);
}

static inline void *
at_once(size_t size)
{
	return malloc(size);
}

/* None: it knows what it makes. */
struct node { int value; struct node *next; };
APART static struct node *
node_new(int value)
{
	struct node *n = malloc(sizeof(*n)); /* NODE */

	n->value = value;
	return n;
}

APART static void
xfree(void *p)
{
	if (p)
		free(p);
}

/* In the midst of a procedure with a frame of another size each time. */
APART static void
varies(int n)
{
	char *volatile room = __builtin_alloca(16 * n);

	*room = 1;
	kept[4] = xmalloc(n); /* VARIES */
	xfree(kept[4]);
}

/* 10 blocks of 10, of which 4 are given back, and so on: each line has a mark. */
static void
wrappers(void)
{
	void *volatile p = NULL;
	void *q;
	int i;

	for (i = 0; i < 10; i++)
		kept[10 + i] = xmalloc(10); /* XMALLOC */
	for (i = 0; i < 4; i++)
		xfree(kept[10 + i]); /* XFREE */
	for (i = 0; i < 3; i++)
		kept[20 + i] = xmalloc(100); /* XMALLOC2 */
	for (i = 0; i < 5; i++)
		kept[23] = jumps(20); /* JUMPS */
	for (i = 1; i <= 6; i++)
		p = xrealloc(p, 30 * i); /* XREALLOC */
	for (i = 0; i < 7; i++)
		kept[24] = xzalloc(40); /* XZALLOC */
	for (i = 0; i < 8; i++)
		kept[25] = by_attribute(i & 1, 50); /* ATTRIBUTE */
	for (i = 0; i < 9; i++)
		sink(by_option(&q, 60)); /* OPTION */
	for (i = 0; i < 2; i++)
		kept[26] = xstrdup("12345"); /* XSTRDUP */
	for (i = 0; i < 4; i++)
		kept[27] = at_once(70); /* INLINED */
	for (i = 1, p = NULL; i <= 6; i++)
		p = resize(p, i == 6 ? 0 : 10 * i); /* RESIZE */
	for (i = 0; i < 3; i++)
		kept[28] = node_new(i);
	for (i = 1; i <= 50; i++)
		varies(i);
}

static void *
work(void *unused)
{
	for (int i = 0; i < 1000; i++) {
		void *p = xmalloc(16); /* WORK */

		if (i % 4)
			xfree(p);
	}
	return unused;
}

/* Each process has 4 threads; the child begins with what its parent had. */
static void
threads(void)
{
	pthread_t thread[4];
	pid_t child = fork();

	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	if (child)
		waitpid(child, NULL, 0);
}

static void
dies(void)
{
	wrappers();
	kill(getpid(), SIGKILL);
}

/* ---- jumps ---- */

static uintptr_t deepest;

/* A tree that hangs down to one side. Only its last calls are of an allocator: they must not make
 * the recursion, which is a loop for the compiler, one of calls. */
APART static void *
last(int depth, size_t size)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (!deepest || here < deepest)
		deepest = here;
	if (depth)
		return last(depth - 1, size);
	return malloc(size); /* LAST */
}

static void
recursion(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	kept[5] = last(100000, 80);
	printf("%d\n", here - deepest < 1000);
}

int
main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } modes[] = {
		{ "totals", totals }, { "wrappers", wrappers }, { "threads", threads },
		{ "dies", dies }, { "recursion", recursion },
	};

	for (unsigned i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc > 1 && !strcmp(argv[1], modes[i].name))
			modes[i].run();
	return 0;
}
