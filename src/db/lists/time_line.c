#include "db/lists/time_line.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/load.h"
#include "util/job.h"
#include "util/order.h"

/* ---- reading ---- */

/* While it is read a sample has its procedure. */
struct reading {
	struct model m;
	struct time_line *t;
	model_id **procedures;     /* by lane and sample */
	uint64_t *ns;              /* by procedure: its time */
};

/* Returns by stack the procedure whose own time it is; 0: it is not there. Heap. */
static model_id *
find_procedures(const struct track *t)
{
	model_id *of = xcalloc(t->nr_stacks + 1, sizeof(*of));

	for (size_t i = 0; i < t->nr_stacks; i++)
		for (size_t k = track_begin(t, i); k < t->ends[i]; k++)
			if (t->entries[k].column == PART_SELF_SAMPLES)
				of[i] = t->entries[k].id;
	return of;
}

static void
add_lane(struct reading *r, const struct model_track *row, const struct track *of)
{
	struct time_line *t = r->t;
	struct lane *lane = &t->lanes[t->nr];
	model_id *procedures = find_procedures(of);
	struct job_hold hold;

	job_hold(&hold, free, procedures);
	*lane = (struct lane){
		.run = row->run, .pid = row->pid, .tid = row->tid, .nr = of->nr_samples,
		.name = arena_strdup(&t->arena, row->name),
		.samples = xcalloc(of->nr_samples + 1, sizeof(*lane->samples)),
	};
	r->procedures[t->nr++] = xcalloc(of->nr_samples + 1, sizeof(model_id));
	for (size_t i = 0; i < of->nr_samples; i++) {
		const struct track_sample *s = &of->samples[i];
		bool waits = s->how & TRACK_WAIT;
		uint64_t end = s->at_us + (waits ? s->ns / 1000 : 0);
		model_id procedure = procedures[s->stack];

		lane->samples[i] = (struct lane_sample){
			s->at_us, s->ns, TIME_LINE_HOT, (uint8_t)s->how,
		};
		r->procedures[t->nr - 1][i] = procedure;
		job_pause(1);
		if (!waits) {
			lane->cpu_ns = count_add(lane->cpu_ns, s->ns);
			r->ns[procedure] = count_add(r->ns[procedure], s->ns);
		}
		t->end_us = end >= t->end_us ? end + 1 : t->end_us;
	}
	t->cpu_ns = count_add(t->cpu_ns, lane->cpu_ns);
	job_let_go(&hold);
}

/* Takes the procedures with most time. Two that have as much are in the order of their ids. */
static void
find_hot(struct reading *r)
{
	struct time_line *t = r->t;

	for (model_id id = 1; id <= r->m.nr_procedures; id++) {
		unsigned at = t->nr_hot;

		while (at && t->hot[at - 1].ns < r->ns[id])
			at--;
		if (!r->ns[id] || at == TIME_LINE_HOT)
			continue;
		t->nr_hot += t->nr_hot < TIME_LINE_HOT;
		memmove(&t->hot[at + 1], &t->hot[at], (t->nr_hot - 1 - at) * sizeof(*t->hot));
		t->hot[at].procedure = id;
		t->hot[at].ns = r->ns[id];
	}
}

static void
set_hot(struct reading *r)
{
	uint8_t *hot = xmalloc(r->m.nr_procedures + 1);
	struct job_hold hold;

	memset(hot, TIME_LINE_HOT, r->m.nr_procedures + 1);
	for (unsigned i = 0; i < r->t->nr_hot; i++)
		hot[r->t->hot[i].procedure] = (uint8_t)i;
	job_hold(&hold, free, hot);
	for (size_t i = 0; i < r->t->nr; i++)
		for (size_t k = 0; k < r->t->lanes[i].nr; k++, job_pause(1))
			r->t->lanes[i].samples[k].hot = hot[r->procedures[i][k]];
	job_let_go(&hold);
}

/* ---- chunks ---- */

static uint64_t *
slot_of(struct time_cell *c, const struct lane_sample *s)
{
	return s->how & TRACK_WAIT ? &c->wait_ns : s->how & TRACK_KERNEL ? &c->kernel_ns
									  : &c->ns[s->hot];
}

/* Finds where S lies: a wait is behind its time, what a sample stands for is before it. */
static void
bounds(const struct lane_sample *s, uint64_t *begin, uint64_t *end)
{
	uint64_t us = s->ns / 1000;

	*begin = *end = s->at_us;
	if (s->how & TRACK_WAIT)
		*end += us;
	else
		*begin -= us < *begin ? us : *begin;
}

static void
make_chunks(struct lane *lane)
{
	size_t nr = (lane->nr + TIME_LINE_CHUNK - 1) / TIME_LINE_CHUNK;

	lane->chunks = xcalloc(nr + 1, sizeof(*lane->chunks));
	for (size_t i = 0; i < lane->nr; i++, job_pause(1)) {
		struct lane_chunk *c = &lane->chunks[i / TIME_LINE_CHUNK];
		const struct lane_sample *s = &lane->samples[i];
		uint64_t begin, end;

		bounds(s, &begin, &end);
		*slot_of(&c->sum, s) += begin < end ? (end - begin) * 1000 : s->ns;
		end -= begin < end;
		if (!(i % TIME_LINE_CHUNK) || begin < c->from_us)
			c->from_us = begin;
		if (end > c->to_us)
			c->to_us = end;
	}
}

static int
compare_lanes(const void *a, const void *b)
{
	const struct lane *x = a, *y = b;

	COMPARE(x->run, y->run);
	COMPARE(y->cpu_ns, x->cpu_ns);
	COMPARE(x->pid, y->pid);
	COMPARE(x->tid, y->tid);
	return 0;
}

static void
release_reading(void *reading)
{
	struct reading *r = reading;

	for (size_t i = 0; r->procedures && i < r->m.nr_tracks; i++)
		free(r->procedures[i]);
	free(r->procedures);
	free(r->ns);
	model_release(&r->m);
}

static void
release_track(void *track)
{
	track_release(track);
}

static int
read_lane(struct reading *r, const struct model_track *row, struct error *err)
{
	struct track of = { .entries = NULL };
	struct job_hold hold;
	int status;

	job_hold(&hold, release_track, &of);
	status = track_unpack(row, &r->m, &of, err);
	if (!status)
		add_lane(r, row, &of);
	job_let_go(&hold);
	return status;
}

int
time_line_read(struct time_line *t, struct profile *p, struct error *err)
{
	struct reading r = { .t = t };
	struct job_hold hold;
	int status;

	*t = (struct time_line){ .arena = ARENA_INIT };
	model_init(&r.m);
	job_hold(&hold, release_reading, &r);
	status = model_load_tracks(&r.m, p, err);
	if (!status && !r.m.nr_tracks)
		status = error_set(err, "this profile does not tell when its samples were taken: "
				   "record, or import, again");
	t->lanes = xcalloc(r.m.nr_tracks + 1, sizeof(*t->lanes));
	r.procedures = xcalloc(r.m.nr_tracks + 1, sizeof(*r.procedures));
	r.ns = xcalloc(r.m.nr_procedures + 1, sizeof(*r.ns));
	for (size_t i = 0; i < r.m.nr_tracks && !status; i++) {
		job_progress((double)i, (double)r.m.nr_tracks);
		status = read_lane(&r, &r.m.tracks[i], err);
	}
	find_hot(&r);
	set_hot(&r);
	for (size_t i = 0; i < t->nr; i++)
		make_chunks(&t->lanes[i]);
	job_let_go(&hold);
	if (t->nr)
		qsort(t->lanes, t->nr, sizeof(*t->lanes), compare_lanes);
	if (status)
		time_line_release(t);
	return status;
}

void
time_line_release(struct time_line *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		free(t->lanes[i].samples);
		free(t->lanes[i].chunks);
	}
	free(t->lanes);
	arena_release(&t->arena);
	*t = (struct time_line){ .arena = ARENA_INIT };
}

/* ---- cells ---- */

uint64_t
time_line_begin(const struct time_span *span, int x, int nr)
{
	return span->from_us + (uint64_t)((double)(span->to_us - span->from_us) * x / nr);
}

int
time_line_column(const struct time_span *span, uint64_t us, int nr)
{
	int x;

	if (us <= span->from_us)
		return 0;
	if (us >= span->to_us)
		return nr - 1;
	x = (int)((double)(us - span->from_us) * nr / (double)(span->to_us - span->from_us));
	/* Both ways must lead to the same cell. */
	while (x + 1 < nr && time_line_begin(span, x + 1, nr) <= us)
		x++;
	while (x > 0 && time_line_begin(span, x, nr) > us)
		x--;
	return x;
}

/* Shares S out to the cells that it lies in. */
static void
add_sample(const struct lane_sample *s, const struct time_span *span, int nr,
	   struct time_cell *cells)
{
	uint64_t begin, end;

	bounds(s, &begin, &end);
	if (end < span->from_us || begin >= span->to_us)
		return;
	if (begin == end) {
		*slot_of(&cells[time_line_column(span, begin, nr)], s) += s->ns;
		return;
	}
	for (int x = time_line_column(span, begin, nr); x < nr; x++) {
		uint64_t from = time_line_begin(span, x, nr), to = time_line_begin(span, x + 1, nr);

		if (from >= end)
			break;
		from = begin > from ? begin : from;
		to = end < to ? end : to;
		if (to > from)
			*slot_of(&cells[x], s) += (to - from) * 1000;
	}
}

static void
add_cell(struct time_cell *to, const struct time_cell *of)
{
	for (int i = 0; i <= TIME_LINE_HOT; i++)
		to->ns[i] += of->ns[i];
	to->kernel_ns += of->kernel_ns;
	to->wait_ns += of->wait_ns;
}

/* A chunk in one cell is added as it is; of the others each sample. */
void
time_line_cells(const struct lane *lane, const struct time_span *span, int nr,
		struct time_cell *cells)
{
	memset(cells, 0, (size_t)nr * sizeof(*cells));
	for (size_t i = 0; i < lane->nr; i += TIME_LINE_CHUNK) {
		const struct lane_chunk *c = &lane->chunks[i / TIME_LINE_CHUNK];
		size_t end = i + TIME_LINE_CHUNK < lane->nr ? i + TIME_LINE_CHUNK : lane->nr;
		int x;

		if (c->to_us + 1 < span->from_us || c->from_us >= span->to_us)
			continue;
		x = time_line_column(span, c->from_us, nr);
		if (c->from_us >= span->from_us && c->to_us < span->to_us &&
		    c->to_us < time_line_begin(span, x + 1, nr)) {
			add_cell(&cells[x], &c->sum);
			continue;
		}
		for (size_t k = i; k < end; k++)
			add_sample(&lane->samples[k], span, nr, cells);
	}
}

enum time_kind
time_cell_kind(const struct time_cell *c, uint64_t us, unsigned *hot, int *eighths)
{
	uint64_t cpu = 0, most = 0, all;

	*hot = TIME_LINE_HOT;
	*eighths = 0;
	for (unsigned i = 0; i <= TIME_LINE_HOT; i++) {
		cpu += c->ns[i];
		if (c->ns[i] > most) {
			most = c->ns[i];
			*hot = i;
		}
	}
	all = cpu + c->kernel_ns;
	if (!all)
		return c->wait_ns ? TIME_WAITS : TIME_NONE;
	if (c->wait_ns > all)
		return TIME_WAITS;
	*eighths = us && all < us * 1000 ? (int)((double)all * 8 / ((double)us * 1000) + 0.5) : 8;
	*eighths = *eighths ? *eighths : 1;
	return c->kernel_ns > cpu ? TIME_KERNEL : TIME_CPU;
}
