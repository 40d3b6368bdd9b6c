#include "collect/import/track_log.h"

#include <stdlib.h>
#include <string.h>

void
track_log_release(struct track_log *l)
{
	free(l->items);
	free(l->entries);
	free(l->stacks);
	*l = (struct track_log){ .items = NULL };
}

void
track_log_add(struct track_log *l, size_t track, size_t stack, uint64_t at_ns, uint64_t ns,
	      unsigned how)
{
	if (at_ns / 1000 >= TRACK_US_MAX || ns > INT64_MAX)
		return;
	GROW(l->items, l->nr + 1, l->alloc);
	l->items[l->nr++] = (struct logged_sample){
		.at_us = at_ns / 1000, .ns = ns, .track = (uint32_t)track,
		.stack = (uint32_t)stack, .how = how,
	};
}

/* ---- what stacks count for ---- */

static struct logged_stack *
stack_at(struct track_log *l, size_t stack)
{
	size_t nr = l->nr_stacks;

	if (stack >= nr) {
		GROW(l->stacks, stack + 1, l->stacks_alloc);
		memset(l->stacks + nr, 0, (stack + 1 - nr) * sizeof(*l->stacks));
		l->nr_stacks = stack + 1;
	}
	return &l->stacks[stack];
}

void
track_log_begin(struct track_log *l, size_t stack)
{
	*stack_at(l, stack) = (struct logged_stack){ .first = l->nr_entries };
	l->open = stack + 1;
}

void
track_log_entry(struct track_log *l, enum part_column column, model_id id)
{
	if (!l->open)
		return;
	GROW(l->entries, l->nr_entries + 1, l->entries_alloc);
	l->entries[l->nr_entries++] = (struct track_entry){ column, id };
	l->stacks[l->open - 1].nr++;
}

void
track_log_end(struct track_log *l)
{
	l->open = 0;
}

void
track_log_same(struct track_log *l, size_t stack, size_t other)
{
	struct logged_stack of = *stack_at(l, other);

	*stack_at(l, stack) = of;
}

/* ---- tracks ---- */

/* Stacks of the track at hand: number + 1 in it, by their first entry. */
struct maker {
	struct track_log *l;
	struct track track;
	uint32_t *number;          /* by first entry; 0: not in it */
	size_t *seen;              /* first entries of those that are */
};

static uint32_t
number_of(struct maker *k, size_t stack)
{
	static const struct logged_stack none;
	const struct logged_stack *s =
		stack < k->l->nr_stacks ? &k->l->stacks[stack] : &none;
	struct track *t = &k->track;
	size_t key = s->nr ? s->first : k->l->nr_entries; /* one for all that count for nothing */

	if (!k->number[key]) {
		GROW(t->entries, t->nr_entries + s->nr, t->entries_alloc);
		if (s->nr)
			memcpy(t->entries + t->nr_entries, k->l->entries + s->first,
			       s->nr * sizeof(*t->entries));
		t->nr_entries += s->nr;
		k->seen[t->nr_stacks] = key;
		GROW(t->ends, t->nr_stacks + 1, t->ends_alloc);
		t->ends[t->nr_stacks++] = t->nr_entries;
		k->number[key] = (uint32_t)t->nr_stacks;
	}
	return k->number[key] - 1;
}

/* Makes track ROW of the NR samples AT. Returns how many did not fit. */
static uint64_t
make_track(struct maker *k, struct model *m, struct model_track *row,
	   const struct logged_sample *at, size_t nr)
{
	struct track *t = &k->track;
	size_t kept = nr < TRACK_SAMPLES_MAX ? nr : TRACK_SAMPLES_MAX;

	t->nr_entries = t->nr_stacks = t->nr_samples = 0;
	GROW(t->samples, kept, t->samples_alloc);
	for (size_t i = 0; i < kept; i++)
		t->samples[t->nr_samples++] = (struct track_sample){
			at[i].at_us, at[i].ns, number_of(k, at[i].stack), at[i].how,
		};
	for (size_t i = 0; i < t->nr_stacks; i++)
		k->number[k->seen[i]] = 0;
	track_pack(row, t, &m->arena);
	return nr - kept;
}

/* Sorts the samples by track; those of one stay in their order. */
static void
sort_by_track(struct track_log *l, size_t nr_tracks, size_t *ends)
{
	struct logged_sample *to = xcalloc(l->nr + 1, sizeof(*to));

	for (size_t i = 0; i < l->nr; i++)
		ends[l->items[i].track + 1]++;
	for (size_t i = 0; i < nr_tracks; i++)
		ends[i + 1] += ends[i];
	for (size_t i = 0; i < l->nr; i++)
		to[ends[l->items[i].track]++] = l->items[i];
	free(l->items);
	l->items = to;
}

void
track_log_finish(struct track_log *l, struct model *m)
{
	struct maker k = { .l = l };
	size_t *ends = xcalloc(m->nr_tracks + 2, sizeof(*ends)), kept = 0, first = 0;
	uint64_t left = 0;

	k.number = xcalloc(l->nr_entries + 1, sizeof(*k.number));
	k.seen = xcalloc(l->nr_stacks + 2, sizeof(*k.seen));
	sort_by_track(l, m->nr_tracks, ends);
	for (size_t i = 0; i < m->nr_tracks; first = ends[i++]) {
		struct model_track row = m->tracks[i];

		if (ends[i] == first)
			continue;
		left += make_track(&k, m, &row, l->items + first, ends[i] - first);
		m->tracks[kept++] = row;
	}
	m->nr_tracks = kept;
	if (left)
		model_note(m, "samples", "the times of %llu samples are left out: a thread has "
			   "those of %d", (unsigned long long)left, TRACK_SAMPLES_MAX);
	track_release(&k.track);
	free(k.number);
	free(k.seen);
	free(ends);
}

void
track_log_finish_parts(struct track_log *l, struct model *m)
{
	for (size_t i = 0; i < m->nr_parts; i++)
		*MODEL_ADD(m, tracks) = (struct model_track){
			.run = m->parts[i].run, .part = (model_id)i + 1, .name = "",
		};
	for (size_t i = m->nr_threads; i--;) {
		const struct model_thread *t = &m->threads[i];
		struct model_track *of = t->part ? &m->tracks[t->part - 1] : NULL;

		if (!of)
			continue;
		of->pid = t->pid;
		of->tid = t->tid;
		of->name = t->name;
	}
	track_log_finish(l, m);
}
