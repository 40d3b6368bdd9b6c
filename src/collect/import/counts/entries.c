#include "collect/import/counts/entries.h"

#include <stdlib.h>
#include <string.h>

#include "util/index.h"

struct entries {
	const struct unit *u;
	struct counts_room *room;
	const uint64_t *counters;
	uint64_t *calls;
	const struct entries_lacking *lacking;  /* or NULL */
	struct index following;   /* procedures that follow, by linkage name */
	uint32_t *waits;          /* per procedure: calls of it whose count is not known yet */
	uint32_t *ready;          /* procedures that wait for nothing */
	uint32_t nr_ready, nr_done;
	struct entries_call *list; /* in place of counts */
	size_t nr_list, list_alloc;
};

static bool
name_equal(const void *ctx, uint32_t item, const void *key)
{
	return !strcmp(((const struct unit *)ctx)->procedures[item].linkage_name, key);
}

/* The number of the procedure that follows from SITE of P; INDEX_NONE: none, or P itself. */
static uint32_t
followed(const struct entries *e, const struct table_procedure *p, const struct table_site *site)
{
	if (site->kind || counts_calls(site, p))
		return INDEX_NONE;
	return index_find(&e->following, hash_text(HASH_START, site->target), name_equal, e->u,
			  site->target);
}

static void
find_following(struct entries *e)
{
	const struct table_procedure *p;
	uint32_t i, k, to;

	for (i = 0; i < e->u->nr_procedures; i++)
		if (e->u->procedures[i].follows)
			index_add(&e->following,
				  hash_text(HASH_START, e->u->procedures[i].linkage_name), i);
	for (i = 0; i < e->u->nr_procedures; i++)
		for (p = &e->u->procedures[i], k = 0; k < p->nr_sites; k++)
			if ((to = followed(e, p, &p->sites[k])) != INDEX_NONE)
				e->waits[to]++;
}

static void
add_calls(struct entries *e, uint32_t procedure)
{
	const struct table_procedure *p = &e->u->procedures[procedure];
	const struct counts *c = counts_solve(e->room, p, e->counters + p->first_counter,
					      e->calls[procedure]);
	struct lacking l = { NULL, 0 };
	uint32_t k, to;

	if (e->lacking)
		l = lacking_find(e->lacking->room, p, e->lacking->counters + p->first_counter,
				 e->lacking->calls[procedure]);
	for (k = 0; k < p->nr_sites; k++) {
		to = followed(e, p, &p->sites[k]);
		if (to == INDEX_NONE)
			continue;
		e->calls[to] += c->blocks[p->sites[k].block];
		if (l.blocks)
			e->lacking->calls[to] += l.blocks[p->sites[k].block];
		if (!--e->waits[to])
			e->ready[e->nr_ready++] = to;
	}
}

static void
list_calls(struct entries *e, uint32_t procedure)
{
	const struct table_procedure *p = &e->u->procedures[procedure];
	uint32_t to;

	for (uint32_t k = 0; k < p->nr_sites; k++) {
		to = followed(e, p, &p->sites[k]);
		if (to == INDEX_NONE)
			continue;
		GROW(e->list, e->nr_list + 1, e->list_alloc);
		e->list[e->nr_list++] = (struct entries_call){ procedure, to, p->sites[k].block };
		if (!--e->waits[to])
			e->ready[e->nr_ready++] = to;
	}
}

static void
go_through(struct entries *e, void (*take)(struct entries *, uint32_t))
{
	uint32_t i;

	for (i = 0; i < e->u->nr_procedures; i++)
		if (!e->waits[i])
			e->ready[e->nr_ready++] = i;
	for (; e->nr_done < e->nr_ready; e->nr_done++)
		take(e, e->ready[e->nr_done]);
}

uint32_t
entries_find(struct counts_room *room, const struct unit *u, const uint64_t *counters,
	     uint64_t *calls, const struct entries_lacking *lacking)
{
	struct entries e = {
		.u = u, .room = room, .counters = counters, .calls = calls, .lacking = lacking,
	};

	memset(calls, 0, u->nr_procedures * sizeof(*calls));
	e.waits = xcalloc(u->nr_procedures, sizeof(*e.waits));
	e.ready = xcalloc(u->nr_procedures, sizeof(*e.ready));
	find_following(&e);
	if (e.following.nr)
		go_through(&e, add_calls);
	else
		e.nr_done = u->nr_procedures;
	index_release(&e.following);
	free(e.waits);
	free(e.ready);
	return u->nr_procedures - e.nr_done;
}

size_t
entries_order(const struct unit *u, uint32_t *order, struct entries_call **calls)
{
	struct entries e = { .u = u, .ready = order };

	e.waits = xcalloc(u->nr_procedures, sizeof(*e.waits));
	find_following(&e);
	go_through(&e, list_calls);
	for (uint32_t i = 0; i < u->nr_procedures; i++)
		if (e.waits[i])
			order[e.nr_ready++] = i;
	index_release(&e.following);
	free(e.waits);
	*calls = e.list;
	return e.nr_list;
}
