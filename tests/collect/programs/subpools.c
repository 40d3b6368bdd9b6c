/* Pools in pools, with known numbers: what ends with what. The figures behind a mark are counted by
 * hand from the sizes at the calls. The mode is the first argument: pools that are made in others
 * (as of apr), blocks that are pools (as of talloc), a stack (as an obstack), peaks. */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- pools in pools ---- */

/* Rooms of pools are never given back to malloc(): no pool has the address of one before. */
struct pool {
	struct pool *parent, *first, *next;
	char *at;
};

static char room[1 << 22];
static size_t used;

static void *
from_room(size_t size)
{
	used += (size + 15) & ~(size_t)15;
	if (used > sizeof(room))
		abort();
	return room + used - ((size + 15) & ~(size_t)15);
}

__attribute__((noinline)) int
pool_create(struct pool **made, struct pool *parent)
{
	struct pool *p = from_room(sizeof(*p));

	memset(p, 0, sizeof(*p));
	p->parent = parent;
	if (parent) {
		p->next = parent->first;
		parent->first = p;
	}
	*made = p;
	return 0;
}

__attribute__((noinline)) struct pool *
pool_new(const char *name, struct pool *parent)
{
	struct pool *p;

	return *name && !pool_create(&p, parent) ? p : NULL;	/* the same pool, twice told */
}

__attribute__((noinline)) void *
pool_alloc(struct pool *p, size_t size)
{
	p->at = from_room(size);
	return p->at;
}

__attribute__((noinline)) void
pool_clear(struct pool *p)
{
	p->first = NULL;
	p->at = NULL;
}

static void *volatile sink;

static void
use_pools(void)
{
	struct pool *root, *child, *grandchild, *other;

	pool_create(&root, NULL);
	pool_create(&child, root);
	grandchild = pool_new("grandchild", child);
	pool_create(&other, NULL);
	for (int i = 0; i < 10; i++)
		sink = pool_alloc(root, 100);		/* ROOT */
	for (int i = 0; i < 20; i++)
		sink = pool_alloc(child, 10);		/* CHILD */
	for (int i = 0; i < 30; i++)
		sink = pool_alloc(grandchild, 7);	/* GRANDCHILD */
	for (int i = 0; i < 5; i++)
		sink = pool_alloc(other, 40);		/* OTHER */
	/* There are 10 * 100 + 20 * 10 + 30 * 7 + 5 * 40 = 1610 bytes: the peak. */
	pool_clear(child);	/* with what is in the grandchild */
	for (int i = 0; i < 3; i++)
		sink = pool_alloc(child, 60);		/* AGAIN */
	pool_clear(root);	/* the child is still one of its: 1000 + 180 */
	for (int i = 0; i < 2; i++)
		sink = pool_alloc(root, 33);		/* LEFT */
	if (pool_new("", root))
		abort();
}

/* ---- blocks that are pools ---- */

struct block {
	size_t size;
	char data[];
};

__attribute__((noinline)) void *
tree_alloc(const void *parent, size_t size)
{
	struct block *b = from_room(sizeof(*b) + size + 16);

	(void)parent;
	b->size = size;
	return b->data;
}

__attribute__((noinline)) void *
tree_realloc(const void *parent, void *old, size_t size)
{
	void *new = tree_alloc(parent, size);

	if (old)
		memcpy(new, old, 4);
	return new;
}

__attribute__((noinline)) void *
tree_steal(const void *parent, void *block)
{
	return parent ? block : NULL;
}

__attribute__((noinline)) int
tree_free(void *block)
{
	return block ? 0 : -1;
}

static void
use_tree(void)
{
	char *top = tree_alloc(NULL, 1000);	/* TOP */
	char *a = tree_alloc(top, 10);		/* A */
	char *b = tree_alloc(top, 20);		/* B */
	char *grown;

	for (int i = 0; i < 4; i++)
		sink = tree_alloc(a, 100);	/* IN_A */
	for (int i = 0; i < 4; i++)
		sink = tree_alloc(b, 50);	/* IN_B */
	sink = tree_alloc(sink, 5);		/* IN_LAST */
	tree_steal(top, sink);			/* it is not b's any more, by a block of b */
	grown = tree_realloc(top, a, 30);	/* GROWN: what is in a is in it now */
	tree_free(b);				/* 20 + 4 * 50, not the 5 */
	tree_free(grown);			/* 30 + 4 * 100 */
	sink = tree_alloc(top, 3);		/* KEPT */
}

static void
end_tree(void)
{
	char *top = tree_alloc(NULL, 1000);	/* TOP2 */
	char *at = top;

	for (int i = 0; i < 2000; i++)
		at = tree_alloc(at, 8);		/* DEEP */
	sink = tree_alloc(NULL, 9);		/* APART */
	tree_free(top);
}

/* ---- a stack ---- */

struct stack {
	int nr;
};

__attribute__((noinline)) void *
stack_push(struct stack *s, size_t size)
{
	s->nr++;
	return from_room(size);
}

/* All from BLOCK on are given back; NULL: all. */
__attribute__((noinline)) void
stack_pop(struct stack *s, const void *block)
{
	s->nr = block ? s->nr - 1 : 0;
}

static struct stack first, second;

static void
use_stack(void)
{
	void *mark = NULL;

	for (int i = 0; i < 3000; i++) {
		void *p = stack_push(&first, 10);	/* FIRST */

		if (i == 2000)
			mark = p;
		sink = stack_push(&second, 1);		/* SECOND */
	}
	stack_pop(&first, mark);	/* 1000 blocks: number 2000 and what came later */
	stack_pop(&second, mark);	/* it is none of its: nothing */
	for (int i = 0; i < 4; i++)
		sink = stack_push(&first, 100);		/* LATER */
	stack_pop(&second, NULL);	/* all */
	sink = stack_push(&second, 2);			/* LAST */
}

/* ---- peaks ---- */

static void
use_peaks(void)
{
	struct pool *p, *q;

	pool_create(&p, NULL);
	pool_create(&q, NULL);
	for (int i = 0; i < 10; i++)
		sink = pool_alloc(p, 100);	/* EARLY */
	pool_clear(p);
	for (int i = 0; i < 5; i++)
		sink = pool_alloc(q, 100);	/* STAYS */
	for (int i = 0; i < 7; i++)
		sink = pool_alloc(p, 100);	/* PEAK: 500 + 700 are the most */
	pool_clear(p);
	for (int i = 0; i < 6; i++)
		sink = pool_alloc(p, 100);	/* LESS */
	for (int i = 0; i < 9; i++)
		sink = pool_alloc(q, 1);	/* MORE */
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "pools"))
		use_pools();
	if (!strcmp(mode, "tree"))
		use_tree();
	if (!strcmp(mode, "deep"))
		end_tree();
	if (!strcmp(mode, "stack"))
		use_stack();
	if (!strcmp(mode, "peaks") || !strcmp(mode, "killed"))
		use_peaks();
	if (!strcmp(mode, "killed"))
		kill(getpid(), SIGKILL);
	for (int i = 0; !strcmp(mode, "children") && i < atoi(argv[2]); i++) {
		if (!fork()) {
			use_peaks();
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}
