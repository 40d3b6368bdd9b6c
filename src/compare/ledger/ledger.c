/* A ledger from its beginning to its end, and as it is seen from A. */
#include "compare/ledger/ledger.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/ledger/parts.h"
#include "db/model/significance.h"

static const struct { const char *words, *name; enum ledger_kind opposite; } kinds[] = {
	[LEDGER_MORE_WORK] = { "MORE WORK", "more_work", LEDGER_LESS_WORK },
	[LEDGER_LESS_WORK] = { "LESS WORK", "less_work", LEDGER_MORE_WORK },
	[LEDGER_NEW] = { "NEW", "new", LEDGER_GONE },
	[LEDGER_GONE] = { "GONE", "gone", LEDGER_NEW },
	[LEDGER_DEARER] = { "DEARER EACH", "dearer", LEDGER_CHEAPER },
	[LEDGER_CHEAPER] = { "CHEAPER EACH", "cheaper", LEDGER_DEARER },
	[LEDGER_MORE_TIME] = { "MORE TIME", "more_time", LEDGER_LESS_TIME },
	[LEDGER_LESS_TIME] = { "LESS TIME", "less_time", LEDGER_MORE_TIME },
	[LEDGER_BEYOND] = { "BEYOND THE SAMPLES", "beyond", LEDGER_BEYOND },
	[LEDGER_MORE_BYTES] = { "MORE BYTES", "more_bytes", LEDGER_LESS_BYTES },
	[LEDGER_LESS_BYTES] = { "LESS BYTES", "less_bytes", LEDGER_MORE_BYTES },
};

const char *
ledger_kind_words(enum ledger_kind k)
{
	return kinds[k].words;
}

const char *
ledger_kind_name(enum ledger_kind k)
{
	return kinds[k].name;
}

/* ---- what could not be had ---- */

void
ledger_note(struct ledger *l, const char *format, ...)
{
	char text[1000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	GROW(l->notes, l->nr_notes + 1, l->notes_alloc);
	l->notes[l->nr_notes++] = arena_strdup(&l->arena, text);
}

/* The name of a side as the user has it. */
static const char *
called(const struct ledger *l, size_t k)
{
	return sides_name(k ^ l->flip);
}

static void
note_missing_time(struct ledger *l)
{
	bool a = l->sides[l->flip].timed, b = l->sides[!l->flip].timed;
	const char *who = !a && !b ? "neither" : a ? "b" : "a", *has = !a && !b ? "has" : "has no";

	if (l->of == LEDGER_WAIT)
		ledger_note(l, "%s %s waiting time: record it with --wall", who, has);
	else
		ledger_note(l, "%s %s times: amounts are executions of blocks, and prices are "
			    "not known", who, has);
}

static void
note_times(struct ledger *l)
{
	const struct ledger_side *a = &l->sides[l->flip], *b = &l->sides[!l->flip];

	if (l->head.in_blocks) {
		note_missing_time(l);
		return;
	}
	for (size_t k = 0; k < 2; k++)
		if (l->sides[k].runs > 1 && l->sides[k].nr_vectors == 1) {
			ledger_note(l, "the runs of %s are not told apart: prices are not judged",
				    called(l, k));
			return;
		}
	if (!l->head.judged)
		ledger_note(l, "prices are judged from %d runs of each profile on (record -n 10): "
			    "these have %zu and %zu", FEWEST_RUNS, a->nr_vectors, b->nr_vectors);
}

static void
note_side(struct ledger *l, size_t k)
{
	const struct match_report *r = match_report(l->m, k);
	struct profile *p = l->sides[k].p;

	if (profile_is_uncounted(p) && l->head.in_blocks)
		ledger_note(l, "%s has no counts, and without times on both sides there is nothing "
			    "to share out: --by procedure compares what it has", called(l, k));
	else if (profile_is_uncounted(p))
		ledger_note(l, "%s has no counts, so work cannot be told from its price: what "
			    "differs is time", called(l, k));
	else if (!profile_totals(p)->blocks_executed)
		ledger_note(l, "%s has no executions of blocks: own code is counted by calls",
			    called(l, k));
	if (profile_only(p))
		ledger_note(l, "%s is %s: what the others do is not in it", called(l, k),
			    profile_only(p));
	if (2 * r->matched >= r->procedures && 2 * r->matched_executions < r->executions)
		ledger_note(l, "most of what %s executes is in procedures that the other does not "
			    "have: --rename tells of new names", called(l, k));
	else if (2 * r->matched < r->procedures)
		ledger_note(l, "%zu of the %zu procedures of %s are in the other: another program? "
			    "--rename tells of new names", r->matched, r->procedures,
			    called(l, k));
	if (r->not_aligned || r->without_text)
		ledger_note(l, "%zu procedures of %s are without a text to compare, or too large: "
			    "their lines are matched by number", r->not_aligned + r->without_text,
			    called(l, k));
}

/* CPU time is that of all threads together: more of them need not make a program slower. */
static void
note_threads(struct ledger *l)
{
	double threads[2];

	for (size_t k = 0; k < 2; k++) {
		const struct profile_totals *t = profile_totals(l->sides[k ^ l->flip].p);

		threads[k] = (double)t->nr_threads / (t->nr_runs ? t->nr_runs : 1);
	}
	if (threads[0] != threads[1])
		ledger_note(l, "threads a run: %.4g in a, %.4g in b; times are those of all "
			    "together", threads[0], threads[1]);
}

/* Is all that did the same faster, or slower, beyond chance? */
static bool
speed_differs(const struct ledger *l)
{
	double mean[2] = { 0, 0 }, of[2] = { 0, 0 }, freedom = 0, t;

	for (size_t k = 0; k < 2; k++) {
		const struct ledger_side *s = &l->sides[k];
		double n = (double)s->nr_vectors;

		for (size_t v = 0; v < s->nr_vectors; v++)
			mean[k] += 1 / s->scale[v] / n;
		for (size_t v = 0; v < s->nr_vectors; v++)
			of[k] += pow(1 / s->scale[v] - mean[k], 2) / (n - 1) / n;
		freedom += of[k] * of[k] / (n - 1);
	}
	freedom = (of[0] + of[1]) * (of[0] + of[1]) / freedom;
	t = (mean[1] - mean[0]) / sqrt(of[0] + of[1]);
	return of[0] + of[1] > 0 && student_beyond(t, freedom) < 0.01;
}

static void
note_speed(struct ledger *l)
{
	double factor = l->flip ? 1 / l->head.factor : l->head.factor;

	if (l->head.controlled && l->head.judged && speed_differs(l))
		ledger_note(l, "code that did the same takes %.2f times as long in b, beyond "
			    "chance: that is the machine, or how it was built", factor);
	if (l->head.in_blocks || l->head.same_work || l->head.controlled ||
	    l->of == LEDGER_WAIT)
		return;
	ledger_note(l, "the machine's speed is not taken out: %.0f %% of the time is in code "
		    "that did the same, %.0f %% are needed", l->head.share * 100,
		    LEDGER_LEAST_CONTROL * 100);
}

/* ---- as it is seen from A ---- */

#define SWAP(pair)                                                                           \
	do {                                                                                 \
		__typeof__((pair)[0]) swap_ = (pair)[0];                                     \
		(pair)[0] = (pair)[1];                                                       \
		(pair)[1] = swap_;                                                           \
	} while (0)

static void
mirror_value(struct ledger_value *v)
{
	v->amount = -v->amount;
	v->raw = -v->raw;
}

static void
mirror_row(struct ledger_row *r)
{
	r->kind = kinds[r->kind].opposite;
	mirror_value(&r->value);
	SWAP(r->procedure);
	SWAP(r->cycle_of);
	SWAP(r->at);
	for (size_t i = 0; i < r->nr_items; i++) {
		struct ledger_item *item = &r->items[i];

		SWAP(item->callee);
		SWAP(item->n);
		SWAP(item->ns);
		item->amount = -item->amount;
		item->raw = -item->raw;
	}
}

static void
mirror(struct ledger *l)
{
	struct ledger_head *h = &l->head;

	SWAP(h->runs);
	SWAP(h->each);
	SWAP(h->bytes);
	mirror_value(&h->raw);
	mirror_value(&h->total);
	mirror_value(&h->unresolved);
	h->factor = h->factor > 0 ? 1 / h->factor : 0;
	for (size_t i = 0; i < l->nr_definitions; i++)
		mirror_value(&l->definitions[i].value);
	for (size_t i = 0; i < l->nr_rows; i++)
		mirror_row(&l->rows[i].row);
}

static int
compare_rows(const void *pa, const void *pb)
{
	const struct ledger_made *made_a = pa, *made_b = pb;
	const struct ledger_row *a = &made_a->row, *b = &made_b->row;
	double x = fabs(a->value.amount), y = fabs(b->value.amount);

	if (a->claimed != b->claimed)
		return a->claimed ? -1 : 1;
	if (x != y)
		return x < y ? 1 : -1;
	x = a->nr_items ? fabs(a->items[0].n[1] - a->items[0].n[0]) : 0;
	y = b->nr_items ? fabs(b->items[0].n[1] - b->items[0].n[0]) : 0;
	if (x != y && !isnan(x) && !isnan(y))
		return x < y ? 1 : -1;
	/* Which of two profiles is A changes no order. */
	if (made_a->procedure != made_b->procedure)
		return made_a->procedure < made_b->procedure ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

static void
order_rows(struct ledger *l)
{
	enum { LOOKED_AT = 30 /* rows that are not claimed, but may be looked at */ };
	size_t *to = arena_alloc(&l->arena, (l->nr_rows + 1) * sizeof(*to));
	size_t claimed = 0;

	for (size_t i = 0; i < l->nr_rows; i++)
		l->rows[i].was = i;
	if (l->nr_rows)
		qsort(l->rows, l->nr_rows, sizeof(*l->rows), compare_rows);
	for (size_t i = 0; i < l->nr_rows; i++)
		to[l->rows[i].was] = i;
	for (size_t i = 0; i < l->nr_rows; i++) {
		struct ledger_row *r = &l->rows[i].row;

		claimed += r->claimed;
		if (r->under != SIZE_MAX)
			r->under = to[r->under];
		if (r->claimed || i < claimed + LOOKED_AT)
			ledger_find_line(l, &l->rows[i]);
	}
	l->head.nr_rows = l->nr_rows;
	l->head.nr_claimed = claimed;
}

/* ---- all of it ---- */

/* The value of all as it was measured, with that error. */
static void
value_raw(struct ledger *l, const struct ledger_term *all, size_t nr, struct ledger_value *v)
{
	double *scaled[2], *scale[2];

	for (size_t k = 0; k < 2; k++) {
		struct ledger_side *s = &l->sides[k];

		scaled[k] = s->scaled;
		scale[k] = s->scale;
		s->scaled = s->mean;
		s->scale = xcalloc(s->nr_vectors, sizeof(*s->scale));
		for (size_t i = 0; i < s->nr_vectors; i++)
			s->scale[i] = 1;
	}
	ledger_value(l, all, nr, v);
	for (size_t k = 0; k < 2; k++) {
		free(l->sides[k].scale);
		l->sides[k].scaled = scaled[k];
		l->sides[k].scale = scale[k];
	}
}

static void
sum_up(struct ledger *l)
{
	struct ledger_head *h = &l->head;
	struct ledger_term *all = NULL;
	size_t nr = 0, alloc = 0;

	for (size_t i = 0; i < l->nr_cells; i++) {
		GROW(all, nr + 2, alloc);
		all[nr++] = (struct ledger_term){ h->in_blocks ? TERM_WORK : TERM_TIME,
						  (uint32_t)i, l->counts[i].n[1] -
							       l->counts[i].n[0] };
	}
	GROW(all, nr + 1, alloc);
	if (!h->in_blocks)
		all[nr++] = (struct ledger_term){ .kind = TERM_BEYOND };
	ledger_value(l, all, nr, &h->total);
	value_raw(l, all, nr, &h->raw);
	free(all);
	for (size_t k = 0; k < 2; k++) {
		h->runs[k] = profile_totals(l->sides[k].p)->nr_runs;
		for (size_t i = 0; i < l->nr_cells; i++)
			h->each[k] += h->in_blocks
				? l->cells[i].kind == LEDGER_OWN ? l->counts[i].n[k] : 0
				: ledger_cell_time(l, (uint32_t)i, k, true);
		h->bytes[k] = l->has_bytes ? 0 : NAN;
		for (size_t e = 0; e < l->nr && l->has_bytes; e++)
			h->bytes[k] += l->procedures[e].bytes[k];
		for (size_t v = 0; v < l->sides[k].nr_vectors && !h->in_blocks; v++)
			h->each[k] += l->sides[k].rest[v] / (double)l->sides[k].nr_vectors;
	}
}

static void
make(void *ledger)
{
	struct ledger *l = ledger;

	if (ledger_gather(l) || ledger_read_times(l))
		return;
	job_progress(0.6, 1);
	ledger_control(l);
	ledger_make_rows(l);
	ledger_judge(l);
	sum_up(l);
	note_times(l);
	note_threads(l);
	for (size_t k = 0; k < 2; k++)
		note_side(l, k ^ l->flip);
	note_speed(l);
	order_rows(l);
	if (l->flip)
		mirror(l);
	l->head.notes = l->notes;
	l->head.nr_notes = l->nr_notes;
	l->head.definitions = l->definitions;
	l->head.nr_definitions = l->nr_definitions;
	l->done = true;
}

/* The canonical order: by when they were recorded, then by what they are. */
static bool
stands_before(struct profile *a, struct profile *b)
{
	const struct profile_totals *x = profile_totals(a), *y = profile_totals(b);
	int c;

	if (x->run.started_ns != y->run.started_ns)
		return x->run.started_ns < y->run.started_ns;
	if (x->blocks_executed != y->blocks_executed)
		return x->blocks_executed < y->blocks_executed;
	if (x->self_ns != y->self_ns)
		return x->self_ns < y->self_ns;
	c = strcmp(x->run.build_id ? x->run.build_id : "", y->run.build_id ? y->run.build_id : "");
	return c ? c < 0 : strcmp(profile_name(a), profile_name(b)) < 0;
}

struct ledger *
ledger_begin(struct profile *a, struct profile *b, enum ledger_of of,
	     const struct match_options *options, struct match *match, struct error *err)
{
	struct ledger *l = xcalloc(1, sizeof(*l));
	struct match_options o = options ? *options : (struct match_options){ .renames = NULL };
	struct profile *sides[2];

	l->of = l->head.of = of;
	l->flip = stands_before(b, a);
	l->sides[0].p = sides[0] = l->flip ? b : a;
	l->sides[1].p = sides[1] = l->flip ? a : b;
	for (size_t k = 0; k < 2; k++)
		model_init(&l->sides[k].m);
	o.first_is_new ^= l->flip;
	if (match && !l->flip)
		l->m = match;
	else if (match_open(sides, 2, &o, &l->m, err)) {
		ledger_close(l);
		return NULL;
	} else {
		l->own_match = true;
	}
	l->job = job_new(make, l);
	return l;
}

int
ledger_work(struct ledger *l, bool (*enough)(void *context), void *context, struct error *err)
{
	if (!l->done && !l->error.set && !job_run(l->job, enough, context))
		return 0;
	if (l->error.set)
		return error_copy(err, &l->error);
	return 1;
}

int
ledger_percent(const struct ledger *l)
{
	return l->done ? 100 : (int)job_percent(l->job);
}

static void
release_side(struct ledger_side *s)
{
	free(s->times);
	free(s->rest);
	free(s->scale);
	free(s->mean);
	free(s->scaled);
	free(s->lines);
	free(s->first_line);
	free(s->sites);
	free(s->first_site);
	free(s->cell_of_context);
	model_release(&s->m);
}

void
ledger_close(struct ledger *l)
{
	if (!l)
		return;
	job_free(l->job);
	if (l->own_match)
		match_close(l->m);
	for (size_t k = 0; k < 2; k++) {
		release_side(&l->sides[k]);
		free(l->weights[k]);
	}
	for (size_t i = 0; i < l->nr_rows; i++) {
		free(l->rows[i].terms);
		free(l->rows[i].row.items);
	}
	carry_release(&l->carry);
	index_release(&l->cell_index);
	arena_release(&l->arena);
	free(l->weighed);
	free(l->rows);
	free(l->procedures);
	free(l->calls);
	free(l->changed);
	free(l->cells);
	free(l->counts);
	free(l->arcs);
	free(l->estimated);
	free(l->price);
	free(l->notes);
	free(l->definitions);
	free(l);
}

const struct ledger_head *
ledger_head(const struct ledger *l)
{
	return &l->head;
}

const struct ledger_row *
ledger_row(const struct ledger *l, size_t i)
{
	return &l->rows[i].row;
}

struct profile *
ledger_profile(const struct ledger *l, size_t side)
{
	return l->sides[side ^ l->flip].p;
}

const struct match *
ledger_match(const struct ledger *l)
{
	return l->m;
}

size_t
ledger_side(const struct ledger *l, size_t side)
{
	return side ^ l->flip;
}
