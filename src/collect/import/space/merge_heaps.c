#include "collect/import/space/merge_heaps.h"

#include <stdlib.h>
#include <string.h>

#include "util/index.h"

enum { MOST_HEAPS = 8 };

/* ---- producers ---- */

static uint64_t
hash_producer(const struct model_producer *p)
{
	uint64_t h = hash_number(hash_number(HASH_START, p->procedure), p->site);

	return hash_number(h, (uint64_t)p->place.line << 32 | p->place.column);
}

static bool
producer_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct model_producer *x = &((const struct model *)ctx)->producers[item], *k = key;

	return x->procedure == k->procedure && x->site == k->site && x->through == k->through &&
	       place_same(&x->place, &k->place);
}

/* Returns FROM's producer as it is in INTO. */
static struct model_producer
as_in_into(const struct merger *g, const struct model_producer *from)
{
	struct model_producer p = *from;

	p.procedure = merge_id(g, TABLE_PROCEDURE, p.procedure);
	p.site = merge_id(g, TABLE_SITE, p.site);
	if (p.place.file)
		p.place = merge_place(g, p.place);
	if (p.place.file == MERGE_NOWHERE)
		p.place = (struct place){ .file = 0 };
	return p;
}

/* Returns the ids in INTO by FROM's, heap. */
static model_id *
merge_producers(const struct merger *g)
{
	model_id *ids = xcalloc(g->from->nr_producers + 1, sizeof(*ids));
	struct index known = INDEX_INIT;
	struct model *m = g->into;

	for (size_t i = 0; i < m->nr_producers; i++)
		index_add(&known, hash_producer(&m->producers[i]), (uint32_t)i);
	for (size_t i = 0; i < g->from->nr_producers; i++) {
		struct model_producer p = as_in_into(g, &g->from->producers[i]);
		uint32_t at = index_find(&known, hash_producer(&p), producer_equal, m, &p);

		if (at == INDEX_NONE) {
			at = (uint32_t)m->nr_producers;
			*MODEL_ADD(m, producers) = p;
			index_add(&known, hash_producer(&p), at);
		}
		ids[i + 1] = at + 1;
	}
	index_release(&known);
	return ids;
}

/* ---- how many are kept ---- */

static int
compare_peaks(const void *a, const void *b, void *context)
{
	const struct model *m = context;
	model_id x = *(const model_id *)a, y = *(const model_id *)b;
	uint64_t p = m->heaps[x - 1].peak_bytes, q = m->heaps[y - 1].peak_bytes;

	return p != q ? (p > q ? -1 : 1) : x < y ? -1 : x > y;
}

/* Sets KEEP, by id, for the greatest heaps with moments. Returns whether there are others. */
static bool
choose(struct model *m, bool *keep)
{
	model_id *with = xcalloc(m->nr_moments, sizeof(*with));
	size_t nr = 0;

	for (size_t i = 0; i < m->nr_moments; i++)
		if (!i || m->moments[i].heap != m->moments[i - 1].heap)
			with[nr++] = m->moments[i].heap;
	qsort_r(with, nr, sizeof(*with), compare_peaks, m);
	for (size_t i = 0; i < nr && i < MOST_HEAPS; i++)
		keep[with[i]] = true;
	free(with);
	return nr > MOST_HEAPS;
}

void
heaps_bound(struct model *m)
{
	bool *keep = xcalloc(m->nr_heaps + 1, sizeof(*keep));
	model_id *ids = xcalloc(m->nr_moments + 1, sizeof(*ids));
	size_t moments = 0, bands = 0, size_bands = 0;
	bool any = choose(m, keep);

	for (size_t i = 0; any && i < m->nr_moments; i++) {
		if (!keep[m->moments[i].heap])
			continue;
		m->moments[moments++] = m->moments[i];
		ids[i + 1] = (model_id)moments;
	}
	for (size_t i = 0; any && i < m->nr_bands; i++) {
		m->bands[bands] = m->bands[i];
		m->bands[bands].moment = ids[m->bands[i].moment];
		bands += m->bands[bands].moment != 0;
	}
	for (size_t i = 0; any && i < m->nr_size_bands; i++) {
		m->size_bands[size_bands] = m->size_bands[i];
		m->size_bands[size_bands].moment = ids[m->size_bands[i].moment];
		size_bands += m->size_bands[size_bands].moment != 0;
	}
	m->nr_moments = any ? moments : m->nr_moments;
	m->nr_bands = any ? bands : m->nr_bands;
	m->nr_size_bands = any ? size_bands : m->nr_size_bands;
	free(keep);
	free(ids);
}

/* ---- all of it ---- */

static void
add_heaps(const struct merger *g)
{
	struct model *m = g->into;

	for (size_t i = 0; i < m->nr_heaps; i++)
		m->heaps[i].run += (model_id)g->from->nr_runs;
	for (size_t i = 0; i < g->from->nr_heaps; i++)
		*MODEL_ADD(m, heaps) = g->from->heaps[i];
}

void
merge_heaps(const struct merger *g)
{
	struct model *m = g->into;
	model_id *producers = merge_producers(g), heaps = (model_id)m->nr_heaps;
	model_id moments = (model_id)m->nr_moments;

	add_heaps(g);
	for (size_t i = 0; i < g->from->nr_moments; i++) {
		struct model_moment *moment = MODEL_ADD(m, moments);

		*moment = g->from->moments[i];
		moment->heap += heaps;
	}
	for (size_t i = 0; i < g->from->nr_bands; i++) {
		const struct model_band *b = &g->from->bands[i];

		*MODEL_ADD(m, bands) = (struct model_band){
			b->moment + moments, producers[b->producer], b->live_bytes,
			b->made_bytes,
		};
	}
	for (size_t i = 0; i < g->from->nr_size_bands; i++) {
		struct model_size_band *b = MODEL_ADD(m, size_bands);

		*b = g->from->size_bands[i];
		b->moment += moments;
	}
	heaps_bound(m);
	free(producers);
}
