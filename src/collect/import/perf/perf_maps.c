#include "collect/import/perf/perf_maps.h"

#include <stdlib.h>
#include <string.h>

/* Of one process, and of all: a child's maps are its parent's until either changes, else a few
 * records could ask for any amount of memory. */
enum { MOST_MAPS = 1 << 18, MOST_ALL_MAPS = 1 << 25, MOST_NAME = 64 };

struct maps { struct perf_map *items; size_t nr, alloc, users; };

struct perf_process { struct maps *maps; };

static void
let_go(struct perf_processes *p, struct maps *m)
{
	if (!m || --m->users)
		return;
	p->nr_maps -= m->nr;
	free(m->items);
	free(m);
}

void
perf_processes_release(struct perf_processes *p)
{
	for (size_t i = 0; i < p->nr; i++)
		let_go(p, p->items[i].maps);
	free(p->items);
	free(p->thread_names);
	free(p->names);
	keys_release(&p->keys);
	keys_release(&p->thread_keys);
	index_release(&p->name_index);
	arena_release(&p->arena);
}

static struct perf_process *
find_process(const struct perf_processes *p, uint32_t pid)
{
	uint32_t i = keys_find(&p->keys, KEY(pid));

	return i == INDEX_NONE ? NULL : &p->items[i];
}

static struct perf_process *
process_of(struct perf_processes *p, uint32_t pid)
{
	bool is_new;
	uint32_t i = keys_number(&p->keys, KEY(pid), &is_new);

	if (is_new) {
		GROW(p->items, p->nr + 1, p->alloc);
		p->items[p->nr++] = (struct perf_process){ .maps = NULL };
	}
	return &p->items[i];
}

bool
perf_is_process(const struct perf_processes *p, uint32_t pid)
{
	return find_process(p, pid) != NULL;
}

/* ---- names ---- */

static void
name_thread(struct perf_processes *p, uint32_t tid, const char *name)
{
	bool is_new;
	uint32_t i = keys_number(&p->thread_keys, KEY(tid), &is_new);

	if (is_new) {
		GROW(p->thread_names, p->nr_threads + 1, p->threads_alloc);
		p->nr_threads++;
	}
	p->thread_names[i] = name;
}

struct text { const char *at; size_t length; };

static bool
name_equal(const void *context, uint32_t item, const void *key)
{
	const char *name = ((const struct perf_processes *)context)->names[item];
	const struct text *k = key;

	return strlen(name) == k->length && !memcmp(name, k->at, k->length);
}

/* Each name once: a file may give a million threads the same. */
static const char *
keep_name(struct perf_processes *p, struct text t)
{
	uint64_t hash = hash_bytes(HASH_START, t.at, t.length);
	uint32_t i = index_find(&p->name_index, hash, name_equal, p, &t);

	if (i != INDEX_NONE)
		return p->names[i];
	GROW(p->names, p->nr_names + 1, p->names_alloc);
	p->names[p->nr_names] = arena_strndup(&p->arena, t.at, t.length);
	index_add(&p->name_index, hash, (uint32_t)p->nr_names);
	return p->names[p->nr_names++];
}

void
perf_set_name(struct perf_processes *p, uint32_t pid, uint32_t tid, const char *name,
	      size_t length, bool exec)
{
	struct perf_process *of;

	name_thread(p, tid, keep_name(p, (struct text){
		name, length < MOST_NAME ? length : MOST_NAME }));
	if (!exec)
		return;
	of = process_of(p, pid);
	let_go(p, of->maps);
	of->maps = NULL;
}

const char *
perf_name_of(const struct perf_processes *p, uint32_t tid)
{
	uint32_t i = keys_find(&p->thread_keys, KEY(tid));

	return i == INDEX_NONE ? "" : p->thread_names[i];
}

/* ---- maps ---- */

/* Makes the maps of P, which others may have as well, its own. */
static struct maps *
own_maps(struct perf_processes *all, struct perf_process *p)
{
	struct maps *m = xcalloc(1, sizeof(*m)), *old = p->maps;

	m->users = 1;
	if (old && old->users == 1) {
		free(m);
		return old;
	}
	if (old) {
		m->nr = m->alloc = old->nr;
		m->items = xcalloc(old->nr + 1, sizeof(*m->items));
		memcpy(m->items, old->items, old->nr * sizeof(*m->items));
		all->nr_maps += m->nr;
		let_go(all, old);
	}
	return p->maps = m;
}

/* The number of the first map that ends behind ADDRESS. */
static size_t
first_behind(const struct maps *m, uint64_t address)
{
	size_t lo = 0, hi = m->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->items[mid].end <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void
perf_add_map(struct perf_processes *p, uint32_t pid, const struct perf_map *map)
{
	struct perf_process *of = process_of(p, pid);
	size_t had = of->maps ? of->maps->nr : 0, from, to, behind;
	struct perf_map pieces[3];
	unsigned nr = 0;
	struct maps *m;

	if (map->begin >= map->end)
		return;
	if (had >= MOST_MAPS || p->nr_maps + had >= MOST_ALL_MAPS) {
		p->left_out++;
		return;
	}
	m = own_maps(p, of);
	from = first_behind(m, map->begin);
	for (to = from; to < m->nr && m->items[to].begin < map->end; to++)
		;
	/* What was there is replaced; what of it stands before and behind stays. */
	if (from < to && m->items[from].begin < map->begin) {
		pieces[nr] = m->items[from];
		pieces[nr++].end = map->begin;
	}
	pieces[nr++] = *map;
	if (from < to && m->items[to - 1].end > map->end) {
		struct perf_map rest = m->items[to - 1];

		rest.offset += map->end - rest.begin;
		rest.begin = map->end;
		pieces[nr++] = rest;
	}
	behind = m->nr - to;
	GROW(m->items, from + nr + behind, m->alloc);
	memmove(m->items + from + nr, m->items + to, behind * sizeof(*m->items));
	memcpy(m->items + from, pieces, nr * sizeof(*pieces));
	p->nr_maps += from + nr + behind - m->nr;
	m->nr = from + nr + behind;
}

void
perf_fork(struct perf_processes *p, uint32_t pid, uint32_t tid, uint32_t from_pid,
	  uint32_t from_tid)
{
	struct perf_process *from, *to;
	struct maps *maps;

	name_thread(p, tid, perf_name_of(p, from_tid));
	if (pid == from_pid)
		return;
	from = find_process(p, from_pid);
	maps = from ? from->maps : NULL;
	if (maps)
		maps->users++;
	to = process_of(p, pid);
	let_go(p, to->maps);
	to->maps = maps;
}

const struct perf_map *
perf_map_at(const struct perf_processes *p, uint32_t pid, uint64_t address)
{
	const struct perf_process *of = find_process(p, pid);
	const struct maps *m = of ? of->maps : NULL;
	size_t i = m ? first_behind(m, address) : 0;

	return m && i < m->nr && m->items[i].begin <= address ? &m->items[i] : NULL;
}
