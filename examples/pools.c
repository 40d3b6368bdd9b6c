/* Pools of its own: a server's memory, in which each request has a pool that ends with that of its
 * session. malloc() is called twice for each pool, so without names of these procedures nothing is
 * to be seen of who wants the memory. Build it with
 *
 * cgcc -O2 --cgview-flags=alloc=pool_get:2,free=pool_end,pool=pool_begin:1 -o pools pools.c
 *
 * run it under cgview record --space, and look with W and v, or cgview report --by pool. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 16 };

struct pool {
	struct pool *inner, *next; /* that end with it; with the same parent */
	size_t used;
	char *room;
};

struct pool *
pool_begin(struct pool *parent)
{
	struct pool *p = calloc(1, sizeof(*p));

	if (!p || !(p->room = malloc(ROOM)))
		exit(1);
	if (parent) {
		p->next = parent->inner;
		parent->inner = p;
	}
	return p;
}

void *
pool_get(struct pool *p, size_t size)
{
	size_t at = p->used;

	p->used += (size + 15) & ~(size_t)15;
	if (p->used > ROOM)
		exit(1);
	return p->room + at;
}

/* The pools that end with it are given back, too: in code that nobody needs to name. */
static void
give_back(struct pool *p)
{
	while (p->inner) {
		struct pool *next = p->inner->next;

		give_back(p->inner);
		p->inner = next;
	}
	free(p->room);
	free(p);
}

void
pool_end(struct pool *p)
{
	give_back(p);
}

struct header {
	struct header *next;
	char text[24];
};

static struct header *
parse(struct pool *p, int n)
{
	struct header *all = NULL;

	while (n-- > 0) {
		struct header *h = pool_get(p, sizeof(*h));

		snprintf(h->text, sizeof(h->text), "header %d", n);
		h->next = all;
		all = h;
	}
	return all;
}

/* What is remembered stays as long as the session. */
static const char *
remember(struct pool *session, const char *text)
{
	return strcpy(pool_get(session, strlen(text) + 1), text);
}

static size_t
answer(struct pool *session, int number)
{
	struct pool *request = pool_begin(session);
	struct header *all = parse(request, 10);
	char *page = pool_get(request, 4000);

	snprintf(page, 4000, "answer %d: %s", number, all->text);
	return strlen(page) + strlen(remember(session, all->text));
}

int
main(void)
{
	size_t bytes = 0;

	for (int i = 0; i < 20; i++) {
		struct pool *session = pool_begin(NULL);

		for (int k = 0; k < 50; k++)
			bytes += answer(session, k);
		if (i % 10) /* two sessions are forgotten */
			pool_end(session);
	}
	printf("%zu bytes\n", bytes);
	return 0;
}
