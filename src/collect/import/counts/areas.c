#include "collect/import/counts/areas.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/build.h"
#include "collect/import/counts/entries.h"

void
areas_init(struct areas *a, struct model *m)
{
	*a = (struct areas){ .m = m, .input = UINT32_MAX };
}

void
areas_release(struct areas *a)
{
	index_release(&a->by_key);
	index_release(&a->by_tid);
	free(a->items);
	free(a->threads);
	free(a->shared);
	*a = (struct areas){ .m = NULL };
}

/* ---- a raw file ---- */

static void
take_share(struct areas *a, const struct raw_share *s)
{
	if (s->nr_processes <= 1)
		return;
	a->mixed |= s->kind == RAW_COUNTERS || s->kind == RAW_TARGETS ||
		    s->kind == RAW_TARGET_ROOM || s->kind == RAW_SPACE_CELLS ||
		    s->kind == RAW_SPACE_PAIRS || s->kind == RAW_SPACE_POOLS;
	if (s->kind != RAW_SAMPLES)
		return;
	GROW(a->shared, a->nr_shared + 1, a->shared_alloc);
	a->shared[a->nr_shared++] = s->offset;
}

static void
read_shares(struct areas *a, const struct rawfile *r, const struct raw_part *p)
{
	struct raw_share s;
	uint64_t at;

	for (at = 0; p->size - at >= sizeof(s); at += sizeof(s))
		if (rawfile_read(r, p->offset + at, &s, sizeof(s)) == sizeof(s))
			take_share(a, &s);
}

/* Records that went on to other processes, or to other threads of children, hide whose is what. */
static void
read_records(struct areas *a, const struct rawfile *r, const struct raw_part *p)
{
	struct raw_thread t;
	uint64_t k;

	for (k = 0; rawfile_thread(r, p, k, &t); k++)
		a->mixed |= t.more_processes || (t.pid != r->head.pid && t.more_threads);
}

void
areas_begin(struct areas *a, const struct rawfile *r, model_id run)
{
	size_t i;

	a->input++;
	a->main_pid = r->head.pid;
	a->run = run;
	a->rank = r->rank;
	a->mixed = false;
	a->nr_shared = 0;
	for (i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == RAW_SHARES)
			read_shares(a, r, &r->parts[i]);
		else if (r->parts[i].kind == RAW_THREADS)
			read_records(a, r, &r->parts[i]);
}

/* ---- finding ---- */

static struct area
key_of(const struct areas *a, uint32_t pid, uint32_t slot)
{
	bool together = a->mixed && pid != a->main_pid;

	return (struct area){ a->input, together ? 0 : pid, together ? 0 : slot };
}

static uint64_t
hash_area(const struct area *k)
{
	return hash_number(hash_number(HASH_START, k->input), (uint64_t)k->pid << 32 | k->slot);
}

static bool
area_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct area *x = &((const struct areas *)ctx)->items[item], *k = key;

	return x->input == k->input && x->pid == k->pid && x->slot == k->slot;
}

static model_id
find(const struct areas *a, uint32_t pid, uint32_t slot)
{
	struct area key = key_of(a, pid, slot);
	uint32_t i = index_find(&a->by_key, hash_area(&key), area_equal, a, &key);

	return i == INDEX_NONE ? 0 : i + 1;
}

static model_id
take(struct areas *a, uint32_t pid, uint32_t slot)
{
	struct area key = key_of(a, pid, slot);
	model_id found = find(a, pid, slot);

	if (found)
		return found;
	GROW(a->items, a->nr + 1, a->alloc);
	a->items[a->nr] = key;
	index_add(&a->by_key, hash_area(&key), (uint32_t)a->nr++);
	*MODEL_ADD(a->m, parts) = (struct model_part){ .run = a->run, .rank = a->rank };
	return (model_id)a->nr;
}

static bool
tid_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct area_thread *x = &((const struct areas *)ctx)->threads[item], *k = key;

	return x->input == k->input && x->tid == k->tid;
}

static uint64_t
hash_tid(const struct areas *a, uint32_t tid)
{
	return hash_number(HASH_START, (uint64_t)a->input << 32 | tid);
}

model_id
areas_of_thread(struct areas *a, const struct raw_thread *t)
{
	struct area_thread key = { a->input, t->tid, take(a, t->pid, t->slot) };

	if (index_find(&a->by_tid, hash_tid(a, t->tid), tid_equal, a, &key) != INDEX_NONE)
		return key.part;
	GROW(a->threads, a->nr_threads + 1, a->threads_alloc);
	a->threads[a->nr_threads] = key;
	index_add(&a->by_tid, hash_tid(a, t->tid), (uint32_t)a->nr_threads++);
	return key.part;
}

model_id
areas_take(struct areas *a, const struct raw_part *p)
{
	return take(a, p->pid, p->slot);
}

model_id
areas_of_extent(const struct areas *a, const struct raw_part *p)
{
	return find(a, p->pid, p->slot);
}

static bool
is_shared(const struct areas *a, const struct raw_part *p)
{
	size_t i;

	for (i = 0; i < a->nr_shared; i++)
		if (a->shared[i] == p->offset - RAW_PAGE)
			return true;
	return false;
}

/* Who waits is noted by another thread; and children go on with extents of dead ones. */
model_id
areas_of_sample(const struct areas *a, const struct raw_part *p, const struct raw_sample *s)
{
	struct area_thread key = { a->input, s->tid, 0 };
	uint32_t i = INDEX_NONE;

	if (s->flags & RAW_WAITING || is_shared(a, p))
		i = index_find(&a->by_tid, hash_tid(a, s->tid), tid_equal, a, &key);
	return i == INDEX_NONE ? find(a, p->pid, p->slot) : a->threads[i].part;
}

/* ---- counts ---- */

static bool
all_zero(const uint64_t *counters, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (counters[i])
			return false;
	return true;
}

static void
count_procedure(struct builder *b, const struct table_procedure *t, const uint64_t *counters,
		uint64_t calls, model_id procedure, model_id first_block, model_id first_branch,
		struct part_entries *e)
{
	const struct counts *c = counts_solve(&b->counts, t, counters, calls);
	uint64_t *ways;
	uint32_t i, nr_ways = builder_ways(t, c, &ways);

	part_add(e, PART_CALLS, procedure, c->calls);
	for (i = 0; i < t->nr_blocks; i++)
		part_add(e, PART_COUNT, first_block + i, c->blocks[i]);
	for (i = 0; i < nr_ways; i++)
		part_add(e, PART_BRANCH_COUNT, first_branch + i, ways[i]);
	free(ways);
	lines_add_part(&b->lines, t, c, e);
}

/* When all counters are 0, and nobody calls, all counts are 0. */
static void
count_unit(struct builder *b, const struct module *mod, size_t number, const uint64_t *counters,
	   struct part_entries *e)
{
	const struct unit *u = &mod->tables.units[number];
	const struct table_procedure *t;
	uint64_t *calls;
	uint32_t i;

	if (all_zero(counters, u->nr_counters))
		return;
	calls = xcalloc(u->nr_procedures, sizeof(*calls));
	entries_find(&b->counts, u, counters, calls, NULL);
	for (i = 0; i < u->nr_procedures; i++) {
		t = &u->procedures[i];
		if (calls[i] || !all_zero(counters + t->first_counter, t->nr_counters))
			count_procedure(b, t, counters + t->first_counter, calls[i],
					mod->procedures[number][i],
					mod->first_blocks[number][i],
					mod->first_branches[number][i], e);
	}
	free(calls);
}

void
areas_count(struct builder *b, const struct module *mod, const uint64_t *counters,
	    struct part_entries *e)
{
	const struct unit *u;
	size_t i;

	for (i = 0; i < mod->tables.nr; i++) {
		u = &mod->tables.units[i];
		if (u->nr_counters)
			count_unit(b, mod, i, counters +
				   (u->counters_address - mod->counters_address) / 8, e);
	}
}
