/* Takes a model's time apart: keeps only the samples of a span. */
#include <stdlib.h>
#include <string.h>

#include "db/model/tracks.h"

/* ---- what a track has in a span ---- */

/* Returns what the sample says of the span. A sample stands for time that ends with it, and is
 * there or not; of a wait it is the part that lies in the span. */
static struct sampled
in_span(const struct track_sample *s, const struct time_span *span)
{
	uint64_t begin = s->at_us * 1000, end = count_add(begin, s->ns);
	uint64_t from = span->from_us * 1000, to = span->to_us * 1000;

	if (!(s->how & TRACK_WAIT))
		return s->at_us >= span->from_us && s->at_us < span->to_us
			       ? (struct sampled){ 1, s->ns, 0 } : (struct sampled){ 0 };
	begin = begin > from ? begin : from;
	end = end < to ? end : to;
	return (struct sampled){ .wait_ns = end > begin ? end - begin : 0 };
}

/* Appends what ROW has in SPAN to E; ALL gets the sum. Nothing else stays in the track. */
static int
cut_track(struct model *m, struct model_track *row, const struct time_span *span,
	  struct part_entries *e, struct sampled *all, struct error *err)
{
	struct track t = { .entries = NULL };
	struct sampled *sums;
	size_t nr = 0;
	int status = track_unpack(row, m, &t, err);

	if (status) {
		track_release(&t);
		return -1;
	}
	sums = xcalloc(t.nr_stacks + 1, sizeof(*sums));
	for (size_t i = 0; i < t.nr_samples; i++) {
		struct track_sample of = t.samples[i];
		struct sampled s = in_span(&of, span);

		if (!s.samples && !s.wait_ns)
			continue;
		sampled_add(&sums[of.stack], &s);
		sampled_add(all, &s);
		if (of.how & TRACK_WAIT) {
			of.at_us = of.at_us > span->from_us ? of.at_us : span->from_us;
			of.ns = s.wait_ns;
		}
		t.samples[nr++] = of;
	}
	t.nr_samples = nr;
	for (size_t i = 0; i < t.nr_stacks; i++)
		for (size_t k = track_begin(&t, i); k < t.ends[i]; k++)
			part_add_sampled(e, t.entries[k].column, t.entries[k].id, &sums[i]);
	free(sums);
	status = track_store(m, row, &t, err);
	track_release(&t);
	return status;
}

/* ---- threads and parts ---- */

/* Returns the thread of ROW; where several used its part, the first of them; NULL: none. */
static struct model_thread *
thread_of(struct model *m, const struct model_track *row)
{
	struct model_thread *of_part = NULL;

	for (size_t i = 0; i < m->nr_threads; i++) {
		struct model_thread *t = &m->threads[i];

		if (t->run == row->run && t->pid == row->pid && t->tid == row->tid)
			return t;
		if (!of_part && row->part && t->part == row->part)
			of_part = t;
	}
	return of_part;
}

static void
add_to_thread(struct model *m, const struct model_track *row, const struct sampled *all)
{
	struct model_thread *t = thread_of(m, row);

	if (!t)
		return;
	t->cpu_ns = count_add(t->cpu_ns, all->ns);
	t->samples = count_add(t->samples, all->samples);
	t->wait_ns = count_add(t->wait_ns, all->wait_ns);
}

static void
clear_threads(struct model *m)
{
	for (size_t i = 0; i < m->nr_threads; i++) {
		struct model_thread *t = &m->threads[i];

		t->cpu_ns = t->samples = t->lost_samples = t->wait_ns = t->delay_ns = 0;
	}
}

/* Puts the sampled entries E in place of those that P has. */
static int
renew_part(struct model *m, struct model_part *p, const struct part_entries *e, struct error *err)
{
	struct part_entries all = { .items = NULL };
	int status = part_unpack(p, m, &all, err);
	size_t nr = 0;

	for (size_t i = 0; i < all.nr; i++)
		if (!part_is_sampled(all.items[i].column))
			all.items[nr++] = all.items[i];
	all.nr = nr;
	GROW(all.items, nr + e->nr, all.alloc);
	if (e->nr)
		memcpy(all.items + nr, e->items, e->nr * sizeof(*e->items));
	all.nr += e->nr;
	if (!status)
		status = part_store(m, p, &all, err);
	part_entries_release(&all);
	return status;
}

/* Adds up what the tracks of part NUMBER, 0: of none, have in SPAN. NEXT: from FIRST on. */
static int
keep_part(struct model *m, const struct time_span *span, model_id number, size_t first,
	  const size_t *next, struct error *err)
{
	struct part_entries e = { .items = NULL };
	int status = 0;

	for (size_t i = first; i && !status; i = next[i]) {
		struct model_track *row = &m->tracks[i - 1];
		struct model_run *run = &m->runs[row->run - 1];
		struct part_entries own = { .items = NULL };
		struct sampled all = { 0 };

		status = cut_track(m, row, span, &own, &all, err);
		parts_add_sampled(m, run, &own);
		run->cpu_ns = count_add(run->cpu_ns, all.ns);
		add_to_thread(m, row, &all);
		GROW(e.items, e.nr + own.nr, e.alloc);
		if (own.nr)
			memcpy(e.items + e.nr, own.items, own.nr * sizeof(*own.items));
		e.nr += own.nr;
		part_entries_release(&own);
	}
	if (!status && number && packed_is_there(&m->parts[number - 1].data))
		status = renew_part(m, &m->parts[number - 1], &e, err);
	part_entries_release(&e);
	return status;
}

/* ---- all of it ---- */

static uint64_t
without_time(const struct model *m)
{
	uint64_t all = 0, timed = 0;

	for (size_t i = 0; i < m->nr_runs; i++)
		all = count_add(all, m->runs[i].samples);
	for (size_t i = 0; i < m->nr_tracks; i++)
		timed = count_add(timed, m->tracks[i].samples);
	return all > timed ? all - timed : 0;
}

static void
drop_empty_tracks(struct model *m)
{
	size_t nr = 0;

	for (size_t i = 0; i < m->nr_tracks; i++)
		if (m->tracks[i].samples || m->tracks[i].waits)
			m->tracks[nr++] = m->tracks[i];
	m->nr_tracks = nr;
}

/* A run whose length is not known has none in the span, either. */
static void
cut_runs(struct model *m, const struct time_span *span)
{
	for (size_t i = 0; i < m->nr_runs; i++) {
		uint64_t *wall = &m->runs[i].wall_ns;
		uint64_t end = *wall < span->to_us * 1000 ? *wall : span->to_us * 1000;

		*wall = end > span->from_us * 1000 ? end - span->from_us * 1000 : 0;
	}
}

int
tracks_keep(struct model *m, const struct time_span *span, uint64_t *left, struct error *err)
{
	size_t *first = xcalloc(m->nr_parts + 1, sizeof(*first));
	size_t *next = xcalloc(m->nr_tracks + 1, sizeof(*next));
	int status = m->nr_tracks ? 0 : error_set(err, "it does not tell when its samples were "
						  "taken: record, or import, again");

	m->nr_spreads = 0; /* they are of all the time */
	*left = without_time(m);
	for (size_t i = m->nr_tracks; i; i--) {
		next[i] = first[m->tracks[i - 1].part];
		first[m->tracks[i - 1].part] = i;
	}
	if (!status) {
		parts_clear_sampled(m);
		clear_threads(m);
		cut_runs(m, span);
	}
	for (size_t i = 0; i <= m->nr_parts && !status; i++)
		status = keep_part(m, span, (model_id)i, first[i], next, err);
	parts_complete_sampled(m);
	drop_empty_tracks(m);
	free(first);
	free(next);
	return status;
}
