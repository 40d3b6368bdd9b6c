#include "db/model/tracks.h"

#include <stdlib.h>
#include <string.h>

#include "db/model/packed.h"
#include "db/model/rows.h"
#include "util/job.h"
#include "util/order.h"

enum { HOW_BITS = 2 };

void
track_release(struct track *t)
{
	free(t->entries);
	free(t->ends);
	free(t->samples);
	*t = (struct track){ .entries = NULL };
}

/* ---- packing ---- */

static int
compare_samples(const void *a, const void *b)
{
	const struct track_sample *x = a, *y = b;

	COMPARE(x->at_us, y->at_us);
	COMPARE(x->how, y->how);
	COMPARE(x->stack, y->stack);
	COMPARE(x->ns, y->ns);
	return 0;
}

/* Small differences, of either sign, become small numbers. */
static uint64_t
folded(uint64_t value, uint64_t last)
{
	uint64_t difference = value - last;

	return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static uint64_t
unfolded(uint64_t number, uint64_t last)
{
	return last + (number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

static void
put_stacks(struct strbuf *out, const struct track *t)
{
	packed_put(out, t->nr_stacks);
	for (size_t i = 0; i < t->nr_stacks; i++) {
		packed_put(out, t->ends[i] - track_begin(t, i));
		for (size_t k = track_begin(t, i); k < t->ends[i]; k++) {
			packed_put(out, t->entries[k].column);
			packed_put(out, t->entries[k].id);
		}
	}
}

/* What is alike stands together: first all stacks, then times, then what they stand for. */
static void
put_samples(struct strbuf *out, const struct track *t)
{
	uint64_t last = 0;

	packed_put(out, t->nr_samples);
	for (size_t i = 0; i < t->nr_samples; i++)
		packed_put(out, (uint64_t)t->samples[i].stack << HOW_BITS | t->samples[i].how);
	for (size_t i = 0; i < t->nr_samples; i++) {
		packed_put(out, t->samples[i].at_us - last);
		last = t->samples[i].at_us;
	}
	last = 0;
	for (size_t i = 0; i < t->nr_samples; i++) {
		packed_put(out, folded(t->samples[i].ns, last));
		last = t->samples[i].ns;
	}
}

void
track_pack(struct model_track *row, struct track *t, struct arena *a)
{
	struct strbuf plain = STRBUF_INIT;

	if (t->nr_samples)
		qsort(t->samples, t->nr_samples, sizeof(*t->samples), compare_samples);
	row->waits = 0;
	for (size_t i = 0; i < t->nr_samples; i++)
		row->waits += (t->samples[i].how & TRACK_WAIT) != 0;
	row->samples = t->nr_samples - row->waits;
	put_stacks(&plain, t);
	put_samples(&plain, t);
	packed_make(&row->data, &plain, a);
	strbuf_release(&plain);
}

int
track_store(struct model *m, struct model_track *row, struct track *t, struct error *err)
{
	struct arena a = ARENA_INIT;
	int status;

	track_pack(row, t, m->spill ? &a : &m->arena);
	status = packed_spill(&row->data, m, err);
	arena_release(&a);
	return status;
}

/* ---- unpacking ---- */

static void
get_stack(struct packed_reader *r, const struct model *m, struct track *t)
{
	for (uint64_t nr = packed_number(r); nr && !r->bad; nr--) {
		uint64_t column = packed_number(r), id = packed_number(r);

		r->bad |= !column || column >= PART_NR || !part_members[column].ns || !id ||
			  id > rows_count(m, part_table((enum part_column)column));
		if (r->bad)
			return;
		GROW(t->entries, t->nr_entries + 1, t->entries_alloc);
		t->entries[t->nr_entries++] =
			(struct track_entry){ (enum part_column)column, (model_id)id };
	}
	GROW(t->ends, t->nr_stacks + 1, t->ends_alloc);
	t->ends[t->nr_stacks++] = t->nr_entries;
}

static void
get_samples(struct packed_reader *r, struct track *t)
{
	uint64_t nr = packed_number(r), last = 0;

	/* Each has three numbers. */
	r->bad |= nr > TRACK_SAMPLES_MAX || nr > (uint64_t)(r->end - r->p) / 3;
	if (r->bad)
		return;
	t->samples = xcalloc(nr + 1, sizeof(*t->samples));
	t->nr_samples = nr;
	for (uint64_t i = 0; i < nr; i++, job_pause(1)) {
		uint64_t v = packed_number(r);

		r->bad |= v >> HOW_BITS >= t->nr_stacks;
		t->samples[i].stack = (uint32_t)(v >> HOW_BITS);
		t->samples[i].how = v & ((1 << HOW_BITS) - 1);
	}
	for (uint64_t i = 0; i < nr; i++, job_pause(1)) {
		uint64_t step = packed_number(r);

		r->bad |= step >= TRACK_US_MAX || last + step >= TRACK_US_MAX;
		t->samples[i].at_us = last += r->bad ? 0 : step;
	}
	last = 0;
	for (uint64_t i = 0; i < nr; i++, job_pause(1)) {
		t->samples[i].ns = last = unfolded(packed_number(r), last);
		r->bad |= last > INT64_MAX;
	}
}

static void
end_reader(void *reader)
{
	packed_end(reader);
}

int
track_unpack(const struct model_track *row, const struct model *m, struct track *t,
	     struct error *err)
{
	struct packed_reader r;
	struct job_hold hold;
	uint64_t nr;

	packed_begin(&r, &row->data, m);
	job_hold(&hold, end_reader, &r);
	for (nr = packed_number(&r); nr && !r.bad; nr--)
		get_stack(&r, m, t);
	if (!r.bad)
		get_samples(&r, t);
	r.bad |= r.p != r.end;
	job_let_go(&hold);
	return r.bad ? error_set(err, "the profile is damaged: the times of its samples contradict "
				      "its tables") : 0;
}

int
tracks_check(const struct model *m, struct error *err)
{
	int status = 0;

	for (size_t i = 0; i < m->nr_tracks && !status; i++) {
		struct track t = { .entries = NULL };

		status = track_unpack(&m->tracks[i], m, &t, err);
		track_release(&t);
	}
	return status;
}

/* ---- other ids ---- */

void
track_map(struct track *t, const struct row_ids *ids)
{
	size_t nr = 0, at = 0;

	for (size_t i = 0; i < t->nr_stacks; i++) {
		for (; at < t->ends[i]; at++) {
			struct track_entry e = t->entries[at];
			const model_id *to = ids->of[part_table(e.column)];

			e.id = to ? to[e.id] : e.id;
			if (e.id)
				t->entries[nr++] = e;
		}
		t->ends[i] = nr;
	}
	t->nr_entries = nr;
}

int
track_move(const struct model_track *row, const struct model *from, struct model_track *to,
	   struct model *into, const struct row_ids *ids, struct error *err)
{
	struct track t = { .entries = NULL };
	int status = track_unpack(row, from, &t, err);

	if (!status) {
		track_map(&t, ids);
		status = track_store(into, to, &t, err);
	}
	track_release(&t);
	return status;
}
