/* Pools, with known numbers: at each marked line so many blocks and bytes of a pool are asked for.
 * The mode is the first argument. An arena (blocks end with it), a slab (blocks are given back one
 * by one), an obstack. */
#include <obstack.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- an arena ---- */

struct arena {
	char *at, *end;
	struct chunk {
		struct chunk *next;
		char data[];
	} *chunks;
};

__attribute__((noinline)) void *
arena_alloc(struct arena *a, size_t size)
{
	enum { LEAST = 65536 };
	size = (size + 15) & ~(size_t)15;
	if (size > (size_t)(a->end - a->at)) {
		size_t room = size > LEAST ? size : LEAST;
		struct chunk *c = malloc(sizeof(*c) + room);	/* CHUNK */

		c->next = a->chunks;
		a->chunks = c;
		a->at = c->data;
		a->end = c->data + room;
	}
	a->at += size;
	return a->at - size;
}

/* What it wants itself is not counted: that is its caller's. */
__attribute__((noinline)) void *
arena_calloc(struct arena *a, size_t n, size_t size)
{
	return memset(arena_alloc(a, n * size), 0, n * size);	/* INSIDE */
}

__attribute__((noinline)) void *
arena_grow(struct arena *a, void *old, size_t before, size_t size)
{
	void *new = size < 4096 ? arena_alloc(a, size) : NULL;

	if (new && old)
		memcpy(new, old, before);
	return new;
}

__attribute__((noinline)) void
arena_reset(struct arena *a)
{
	while (a->chunks) {
		struct chunk *next = a->chunks->next;

		free(a->chunks);
		a->chunks = next;
	}
	a->at = a->end = NULL;
}

/* The blocks are those of its callers. */
static __attribute__((noinline)) void *
xarena(struct arena *a, size_t size)
{
	return arena_alloc(a, size);	/* IN_WRAPPER */
}

static inline __attribute__((always_inline)) void *
inlined(struct arena *a, size_t size)
{
	return arena_alloc(a, size);
}

/* The type is known here: this is no wrapper. */
struct pair {
	long a, b;
};
static __attribute__((noinline)) struct pair *
new_pair(struct arena *a)
{
	struct pair *p = arena_alloc(a, sizeof(*p));	/* PAIR */

	p->a = p->b = 1;
	return p;
}

static struct arena first, second;
static void *volatile sink;

static __attribute__((noinline)) void
jumps(struct arena *a)
{
	arena_alloc(a, 48);	/* LAST */
}

static void
use_arena(void)
{
	for (int i = 1; i <= 10; i++)
		sink = arena_alloc(&first, i);	/* ARENA */
	for (int i = 1; i <= 7; i++)
		sink = arena_calloc(&first, i, 100);	/* CALLOC */
	for (int i = 0; i < 3; i++)
		sink = xarena(&first, 50 + i);	/* WRAPPED */
	for (int i = 0; i < 2; i++)
		sink = inlined(&first, 100);	/* INLINED */
	for (int i = 0; i < 5; i++)
		sink = new_pair(&first);
	for (int i = 0; i < 4; i++)
		jumps(&first);
	sink = arena_alloc(&first, 3), sink = arena_alloc(&second, 5);	/* TWO */
	sink = NULL;
	for (int i = 0; i < 6; i++)
		sink = arena_grow(&first, sink, 100 * i, 100 * (i + 1));	/* GROW */
	if (arena_grow(&first, sink, 600, 5000))	/* FAILS */
		abort();
}

/* ---- a slab ---- */

struct item {
	struct item *next;
	char text[40];
};
static struct item *spare;

__attribute__((noinline)) struct item *
slab_get(void)
{
	struct item *i = spare;

	if (!i) {
		i = calloc(100, sizeof(*i));
		for (int k = 0; k < 99; k++)
			i[k].next = &i[k + 1];
	}
	spare = i->next;
	return i;
}

__attribute__((noinline)) void
slab_put(int why, struct item *i)
{
	(void)why;
	i->next = spare;
	spare = i;
}

static void
use_slab(void)
{
	struct item *items[20];

	for (int i = 0; i < 20; i++)
		items[i] = slab_get();	/* SLAB */
	for (int i = 0; i < 12; i++)
		slab_put(1, items[i]);
	for (int i = 0; i < 5; i++)
		items[i] = slab_get();	/* AGAIN */
}

/* ---- an obstack ---- */

static int chunks;

static void *
chunk_alloc(size_t size)
{
	chunks++;
	return malloc(size);
}
#define obstack_chunk_alloc chunk_alloc
#define obstack_chunk_free free

__attribute__((noinline)) void *
stack_copy(struct obstack *o, const void *text, int size)
{
	return obstack_copy(o, text, size);
}

__attribute__((noinline)) void
stack_free(struct obstack *o)
{
	obstack_free(o, NULL);
}

static struct obstack stack;

static void
use_obstack(void)
{
	obstack_init(&stack);
	for (int i = 1; i <= 1000; i++)
		sink = stack_copy(&stack, "some text that is copied", 1 + i % 20);	/* COPY */
	for (int i = 0; i < 300; i++)
		sink = obstack_alloc(&stack, 100);	/* MACRO */
}

/* ---- threads, fork ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
work(void *unused)
{
	(void)unused;
	for (int i = 0; i < 1000; i++) {
		struct item *item;

		pthread_mutex_lock(&lock);
		item = slab_get();	/* WORK */
		if (i % 4)
			slab_put(0, item);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void
use_threads(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	if (!fork()) {
		arena_reset(&first); /* its parent's */
		work(NULL);
		_exit(0);
	}
	wait(NULL);
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "arena") || !strcmp(mode, "reset"))
		use_arena();
	if (!strcmp(mode, "reset")) {
		arena_reset(&first);
		for (int i = 0; i < 3; i++)
			sink = arena_alloc(&first, 1000);	/* ANEW */
	}
	if (!strcmp(mode, "slab"))
		use_slab();
	if (!strcmp(mode, "obstack")) {
		use_obstack();
		if (argc > 2)
			stack_free(&stack);
		printf("%d\n", chunks);	/* SAYS */
	}
	if (!strcmp(mode, "threads")) {
		sink = arena_alloc(&first, 10);	/* BEFORE_FORK */
		use_threads();
	}
	if (!strcmp(mode, "many")) {
		for (int i = 0; i < 100000; i++)
			sink = arena_alloc(&first, 8);	/* MANY */
		arena_reset(&first);
	}
	return 0;
}
