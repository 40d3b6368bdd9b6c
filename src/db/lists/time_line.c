#include "db/lists/time_line.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/load.h"
#include "util/job.h"
#include "util/order.h"

/* ---- reading ---- */

struct reading { struct model m; struct time_line *t; };

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
	t->nr++;
	for (size_t i = 0; i < of->nr_samples; i++) {
		const struct track_sample *s = &of->samples[i];
		bool waits = s->how & TRACK_WAIT;
		uint64_t end = s->at_us + (waits ? s->ns / 1000 : 0);

		lane->samples[i] = (struct lane_sample){
			s->at_us, s->ns, procedures[s->stack], (uint8_t)s->how,
		};
		job_pause(1);
		if (!waits)
			lane->cpu_ns = count_add(lane->cpu_ns, s->ns);
		t->end_us = end >= t->end_us ? end + 1 : t->end_us;
	}
	job_let_go(&hold);
}

/* ---- chunks ---- */

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

/* Adds NS of PROCEDURE to chunk C, the last one of LANE. PLACES: by procedure, where it may be
 * among the parts. */
static void
add_part(struct lane *lane, struct lane_chunk *c, size_t *places, model_id procedure, uint64_t ns)
{
	size_t at = places[procedure];

	if (at < c->first_part || at >= lane->nr_parts || lane->parts[at].procedure != procedure) {
		GROW(lane->parts, lane->nr_parts + 1, lane->parts_alloc);
		places[procedure] = at = lane->nr_parts++;
		lane->parts[at] = (struct lane_part){ .procedure = procedure };
		c->nr_parts++;
	}
	lane->parts[at].ns += ns;
}

static void
make_chunks(struct lane *lane, size_t *places)
{
	size_t nr = (lane->nr + TIME_LINE_CHUNK - 1) / TIME_LINE_CHUNK;

	lane->chunks = xcalloc(nr + 1, sizeof(*lane->chunks));
	for (size_t i = 0; i < lane->nr; i++, job_pause(1)) {
		struct lane_chunk *c = &lane->chunks[i / TIME_LINE_CHUNK];
		const struct lane_sample *s = &lane->samples[i];
		uint64_t begin, end, ns;

		bounds(s, &begin, &end);
		if (!(i % TIME_LINE_CHUNK))
			*c = (struct lane_chunk){ .from_us = begin, .first_part = lane->nr_parts };
		ns = begin < end ? (end - begin) * 1000 : s->ns;
		if (s->how & TRACK_WAIT)
			c->wait_ns += ns;
		else if (s->how & TRACK_KERNEL)
			c->kernel_ns += ns;
		else
			add_part(lane, c, places, s->procedure, ns);
		end -= begin < end;
		if (begin < c->from_us)
			c->from_us = begin;
		if (end > c->to_us)
			c->to_us = end;
	}
}

static void
make_all_chunks(struct time_line *t)
{
	size_t *places = xcalloc(t->nr_procedures + 1, sizeof(*places));
	struct job_hold hold;

	job_hold(&hold, free, places);
	for (size_t i = 0; i < t->nr; i++)
		make_chunks(&t->lanes[i], places);
	job_let_go(&hold);
}

/* ---- what is hot ---- */

/* Adds what the samples from FIRST to END did in SPAN. */
static void
add_samples_in(struct time_line *t, const struct lane *lane, size_t first, size_t end,
	       const struct time_span *span)
{
	for (size_t i = first; i < end; i++) {
		const struct lane_sample *s = &lane->samples[i];
		uint64_t from, to, ns = s->ns;

		bounds(s, &from, &to);
		if (s->how & TRACK_WAIT || to < span->from_us || from >= span->to_us)
			continue;
		if (from < to) {
			from = from < span->from_us ? span->from_us : from;
			to = to > span->to_us ? span->to_us : to;
			ns = (to - from) * 1000;
		}
		t->span_ns += ns;
		if (!(s->how & TRACK_KERNEL))
			t->procedure_ns[s->procedure] += ns;
	}
}

static void
add_lane_in(struct time_line *t, const struct lane *lane, const struct time_span *span)
{
	for (size_t i = 0; i < lane->nr; i += TIME_LINE_CHUNK) {
		const struct lane_chunk *c = &lane->chunks[i / TIME_LINE_CHUNK];
		size_t end = i + TIME_LINE_CHUNK < lane->nr ? i + TIME_LINE_CHUNK : lane->nr;

		if (c->to_us + 1 < span->from_us || c->from_us >= span->to_us)
			continue;
		if (c->from_us < span->from_us || c->to_us >= span->to_us) {
			add_samples_in(t, lane, i, end, span);
			continue;
		}
		t->span_ns += c->kernel_ns;
		for (size_t k = c->first_part; k < c->first_part + c->nr_parts; k++) {
			t->procedure_ns[lane->parts[k].procedure] += lane->parts[k].ns;
			t->span_ns += lane->parts[k].ns;
		}
	}
}

/* Takes the procedures with most time. Two that have as much are in the order of their ids. */
static void
find_hot(struct time_line *t)
{
	t->nr_hot = 0;
	for (model_id id = 1; id <= t->nr_procedures; id++) {
		uint64_t ns = t->procedure_ns[id];
		unsigned at = t->nr_hot;

		while (at && t->hot[at - 1].ns < ns)
			at--;
		if (!ns || at == TIME_LINE_HOT)
			continue;
		t->nr_hot += t->nr_hot < TIME_LINE_HOT;
		memmove(&t->hot[at + 1], &t->hot[at], (t->nr_hot - 1 - at) * sizeof(*t->hot));
		t->hot[at] = (struct time_hot){ id, ns, TIME_LINE_HOT };
	}
}

/* The others of a span have the letters that are left, the hotter one the first. */
static void
give_letters(struct time_line *t)
{
	bool taken[TIME_LINE_HOT] = { false };
	unsigned letter = 0;

	for (unsigned i = 0; i < t->nr_hot; i++)
		for (unsigned k = 0; k < TIME_LINE_HOT; k++)
			if (t->hot[i].procedure == t->first_hot[k]) {
				t->hot[i].letter = k;
				taken[k] = true;
			}
	for (unsigned i = 0; i < t->nr_hot; i++) {
		if (t->hot[i].letter == TIME_LINE_HOT) {
			while (taken[letter])
				letter++;
			t->hot[i].letter = letter++;
		}
		t->letters[t->hot[i].procedure] = (uint8_t)t->hot[i].letter;
	}
}

void
time_line_heat(struct time_line *t, const struct time_span *span)
{
	for (unsigned i = 0; i < t->nr_hot; i++)
		t->letters[t->hot[i].procedure] = TIME_LINE_HOT;
	memset(t->procedure_ns, 0, (t->nr_procedures + 1) * sizeof(*t->procedure_ns));
	t->span_ns = 0;
	for (size_t i = 0; i < t->nr; i++)
		add_lane_in(t, &t->lanes[i], span);
	find_hot(t);
	give_letters(t);
}

/* ---- all of it ---- */

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
	model_release(&((struct reading *)reading)->m);
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
	t->nr_procedures = r.m.nr_procedures;
	t->procedure_ns = xcalloc(t->nr_procedures + 1, sizeof(*t->procedure_ns));
	t->letters = xmalloc(t->nr_procedures + 1);
	memset(t->letters, TIME_LINE_HOT, t->nr_procedures + 1);
	for (size_t i = 0; i < r.m.nr_tracks && !status; i++) {
		job_progress((double)i, (double)r.m.nr_tracks);
		status = read_lane(&r, &r.m.tracks[i], err);
	}
	job_let_go(&hold);
	make_all_chunks(t);
	if (t->nr)
		qsort(t->lanes, t->nr, sizeof(*t->lanes), compare_lanes);
	time_line_heat(t, &(struct time_span){ 0, t->end_us });
	for (unsigned i = 0; i < t->nr_hot; i++)
		t->first_hot[i] = t->hot[i].procedure;
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
		free(t->lanes[i].parts);
	}
	free(t->lanes);
	free(t->letters);
	free(t->procedure_ns);
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

static uint64_t *
slot_of(const struct time_line *t, struct time_cell *c, const struct lane_sample *s)
{
	return s->how & TRACK_WAIT ? &c->wait_ns : s->how & TRACK_KERNEL ? &c->kernel_ns
			: &c->ns[t->letters[s->procedure]];
}

/* Shares S out to the cells that it lies in. */
static void
add_sample(const struct time_line *t, const struct lane_sample *s, const struct time_span *span,
	   int nr, struct time_cell *cells)
{
	uint64_t begin, end;

	bounds(s, &begin, &end);
	if (end < span->from_us || begin >= span->to_us)
		return;
	if (begin == end) {
		*slot_of(t, &cells[time_line_column(span, begin, nr)], s) += s->ns;
		return;
	}
	for (int x = time_line_column(span, begin, nr); x < nr; x++) {
		uint64_t from = time_line_begin(span, x, nr), to = time_line_begin(span, x + 1, nr);

		if (from >= end)
			break;
		from = begin > from ? begin : from;
		to = end < to ? end : to;
		if (to > from)
			*slot_of(t, &cells[x], s) += (to - from) * 1000;
	}
}

static void
add_chunk(struct time_cell *to, const struct time_line *t, const struct lane *lane,
	  const struct lane_chunk *c)
{
	for (size_t i = c->first_part; i < c->first_part + c->nr_parts; i++)
		to->ns[t->letters[lane->parts[i].procedure]] += lane->parts[i].ns;
	to->kernel_ns += c->kernel_ns;
	to->wait_ns += c->wait_ns;
}

/* A chunk in one cell is added as it is; of the others each sample. */
void
time_line_cells(const struct time_line *t, const struct lane *lane, const struct time_span *span,
		int nr, struct time_cell *cells)
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
			add_chunk(&cells[x], t, lane, c);
			continue;
		}
		for (size_t k = i; k < end; k++)
			add_sample(t, &lane->samples[k], span, nr, cells);
	}
}

enum time_kind
time_cell_kind(const struct time_cell *c, uint64_t us, unsigned *letter, int *eighths)
{
	uint64_t cpu = 0, most = 0, all;

	*letter = TIME_LINE_HOT;
	*eighths = 0;
	for (unsigned i = 0; i <= TIME_LINE_HOT; i++) {
		cpu += c->ns[i];
		if (c->ns[i] > most) {
			most = c->ns[i];
			*letter = i;
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
