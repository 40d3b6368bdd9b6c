#include "db/tree_links.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

/* Who calls or is called; of a procedure or a cycle. Kept, as they are asked for again. */
struct links {
	uint64_t key;
	struct link *links;
	size_t nr, alloc;
};

static int
compare_links(const void *pa, const void *pb, void *context)
{
	const struct link *a = pa, *b = pb;

	(void)context;
	COMPARE(a->other, b->other);
	return 0;
}

/* One link for each procedure at the other end; returns how many are left of NR in order. */
static size_t
merge_links(struct link *links, size_t nr)
{
	struct link *to = links;

	if (!nr)
		return 0;
	for (size_t i = 1; i < nr; i++) {
		const struct link *from = &links[i];

		if (from->other != to->other) {
			*++to = *from;
			continue;
		}
		if (from->count > to->most) {
			to->most = from->count;
			to->site = from->site;
		}
		to->count = sum_capped(to->count, from->count);
		to->time = sum_capped(to->time, from->time);
		to->estimated |= from->estimated;
	}
	return (size_t)(to - links) + 1;
}

static struct link
read_link(const struct tree *t, sqlite3_stmt *st)
{
	struct link k = {
		.other = column_id(t->profile, st, 1, ID_OF_PROCEDURE),
		.site = column_id(t->profile, st, 2, ID_OF_SITE),
		.count = column_count(t->profile, st, 3), .time = column_count(t->profile, st, 4),
		.estimated = sqlite3_column_int(st, 5),
		.cycle = column_id(t->profile, st, 6, ID_OF_CYCLE),
	};

	k.most = k.count;
	return k;
}

static bool
same_links(const void *ctx, uint32_t item, const void *key)
{
	return ((const struct link_cache *)ctx)->links[item].key == *(const uint64_t *)key;
}

static void
forget_links(struct link_cache *c)
{
	for (size_t i = 0; i < c->nr_links; i++)
		free(c->links[i].links);
	free(c->links);
	c->links = NULL;
	c->nr_links = c->links_alloc = c->kept = 0;
	index_release(&c->index);
}

/* Whoever goes through all of a tree leaves no more than this behind. What is long is as well read
 * again. */
enum { MOST_KEPT = 50000, MOST_KEPT_OF_ONE = 1000 };

static void
keep_links(struct link_cache *c, uint64_t key, const struct link *links, size_t nr)
{
	struct links l = { .key = key, .nr = nr };

	if (nr > MOST_KEPT_OF_ONE)
		return;
	if (c->kept + c->nr_links > MOST_KEPT)
		forget_links(c);
	c->kept += nr;
	GROW(l.links, nr + 1, l.alloc);
	if (nr)
		memcpy(l.links, links, nr * sizeof(*links));
	index_add(&c->index, hash_number(HASH_START, key), (uint32_t)c->nr_links);
	GROW(c->links, c->nr_links + 1, c->links_alloc);
	c->links[c->nr_links++] = l;
}

/* ---- reading in steps ---- */

/* A statement for one reader alone: others may ask the same between two slices. */
static sqlite3_stmt *
take_statement(struct tree *t, struct link_cache *c, enum profile_query query, uint32_t parameter)
{
	sqlite3_stmt **spare = &c->spare[query - QUERY_MEMBERS], *st = *spare;

	*spare = NULL;
	if (!st)
		st = profile_prepare(t->profile, profile_queries[query]);
	if (st)
		sqlite3_bind_int64(st, 1, parameter);
	return st;
}

static void
give_statement(struct link_cache *c, enum profile_query query, sqlite3_stmt *st)
{
	sqlite3_stmt **spare = &c->spare[query - QUERY_MEMBERS];

	sqlite3_reset(st);
	if (*spare)
		sqlite3_finalize(st);
	else
		*spare = st;
}

struct members
members_begin(struct tree *t, struct link_cache *c, uint32_t cycle)
{
	return (struct members){ .st = take_statement(t, c, QUERY_MEMBERS, cycle) };
}

model_id
members_next(struct tree *t, struct members *m)
{
	return profile_step(t->profile, m->st)
		       ? column_id(t->profile, m->st, 0, ID_OF_PROCEDURE) : 0;
}

void
members_end(struct link_cache *c, struct members *m)
{
	if (m->st)
		give_statement(c, QUERY_MEMBERS, m->st);
	m->st = NULL;
}

void
links_begin(struct tree *t, struct link_cache *c, struct link_reader *r, bool up,
	    model_id procedure, uint32_t cycle)
{
	uint64_t key = (uint64_t)(procedure ? procedure : cycle) << 2 | !procedure << 1 | up;
	uint32_t i = index_find(&c->index, hash_number(HASH_START, key), same_links, c, &key);

	*r = (struct link_reader){ .query = up ? QUERY_ARCS_IN : QUERY_ARCS_OUT, .key = key,
				   .of_cycle = !procedure };
	if (i != INDEX_NONE) {
		r->stage = LINKS_READY;
		r->nr = c->links[i].nr;
		GROW(r->links, r->nr + 1, r->alloc);
		if (r->nr)
			memcpy(r->links, c->links[i].links, r->nr * sizeof(*r->links));
		return;
	}
	if (r->of_cycle)
		r->members = members_begin(t, c, cycle);
	else
		r->stage = LINKS_READ;
	r->st = take_statement(t, c, r->query, procedure);
}

static void
begin_member(struct tree *t, struct link_reader *r)
{
	model_id member = members_next(t, &r->members);

	if (!member) {
		slice_sort_begin(&r->sort, r->links, r->nr, sizeof(*r->links), compare_links, NULL);
		r->stage = LINKS_SORT;
		return;
	}
	sqlite3_reset(r->st);
	sqlite3_bind_int64(r->st, 1, member);
	r->stage = LINKS_READ;
}

static void
read_next(struct tree *t, struct link_reader *r)
{
	struct link k;

	if (!profile_step(t->profile, r->st)) {
		r->stage = LINKS_MEMBER;
		if (!r->of_cycle) {
			slice_sort_begin(&r->sort, r->links, r->nr, sizeof(*r->links),
					 compare_links, NULL);
			r->stage = LINKS_SORT;
		}
		return;
	}
	k = read_link(t, r->st);
	if (!k.count && !k.time)
		return;
	GROW(r->links, r->nr + 1, r->alloc);
	r->links[r->nr++] = k;
}

static bool
at_once(void *context)
{
	(void)context;
	return true;
}

bool
links_step(struct tree *t, struct link_cache *c, struct link_reader *r)
{
	switch (r->stage) {
	case LINKS_MEMBER:
		begin_member(t, r);
		return true;
	case LINKS_READ:
		read_next(t, r);
		return true;
	case LINKS_SORT:
		tree_sorts(t, r->nr);
		if (!slice_sort_work(&r->sort, at_once, NULL))
			return true;
		r->nr = merge_links(r->links, r->nr);
		keep_links(c, r->key, r->links, r->nr);
		r->stage = LINKS_READY;
		return true;
	case LINKS_READY:
		break;
	}
	return false;
}

void
links_end(struct link_cache *c, struct link_reader *r)
{
	if (r->st)
		give_statement(c, r->query, r->st);
	members_end(c, &r->members);
	slice_sort_release(&r->sort);
	free(r->links);
	*r = (struct link_reader){ .stage = LINKS_READY };
}

/* ---- the cache ---- */

void
links_release(struct link_cache *c)
{
	forget_links(c);
	for (size_t i = 0; i < sizeof(c->spare) / sizeof(c->spare[0]); i++)
		sqlite3_finalize(c->spare[i]);
}

size_t
links_bytes(const struct link_cache *c)
{
	return c->kept * sizeof(struct link) + c->nr_links * sizeof(struct links);
}
