#include "compare/comparison.h"

#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/match/side.h"
#include "compare/table.h"
#include "compare/verdict.h"
#include "db/lists/wings.h"
#include "util/job_sort.h"
#include "util/order.h"

static const struct {
	const char *name, *things;
	const char *figure;      /* that is compared when none is named; NULL: time, or counts */
	bool type, size;         /* each has one */
} kinds[NR_COMPARE_BY] = {
	[BY_PROCEDURE] = { "procedure", "procedures" },
	[BY_BLOCK] = { "block", "blocks" },
	[BY_RANGE] = { "range", "ranges" },
	[BY_LINE] = { "line", "lines" },
	[BY_SITE] = { "site", "call sites" },
	[BY_ARC] = { "arc", "arcs" },
	[BY_FILE] = { "file", "files" },
	[BY_PAIR] = { "pair", "pairs of caller and callee" },
	[BY_PRODUCER] = { "producer", "producers", "bytes", true, true },
	[BY_TYPE] = { "type", "types", "bytes", true, false },
	[BY_SIZE] = { "size", "sizes", "bytes", false, true },
	[BY_DISPOSER] = { "disposer", "disposers", "freed", false, false },
	[BY_POOL] = { "pool", "calls of pools", "pool_bytes", true, false },
};

const char *
compare_by_name(enum compare_by by)
{
	return kinds[by].name;
}

const char *
compare_by_things(enum compare_by by)
{
	return kinds[by].things;
}

int
compare_by_find(const char *name)
{
	for (int i = 0; i < NR_COMPARE_BY; i++) {
		if (!strcmp(kinds[i].name, name))
			return i;
	}
	return -1;
}

bool
compare_by_is_arcs(enum compare_by by)
{
	return by == BY_ARC || by == BY_PAIR;
}

bool
compare_by_is_called(enum compare_by by)
{
	return by == BY_SITE || compare_by_is_arcs(by);
}

bool
compare_by_is_space(enum compare_by by)
{
	return kinds[by].figure;
}

bool
compare_by_has_type(enum compare_by by)
{
	return kinds[by].type;
}

bool
compare_by_has_size(enum compare_by by)
{
	return kinds[by].size;
}

bool
compare_by_has_owner(enum compare_by by)
{
	return by != BY_LINE && by != BY_FILE && by != BY_TYPE && by != BY_SIZE;
}

double
scalar_number(const struct scalar_value *v)
{
	switch (v->type) {
	case SCALAR_INTEGER:
		return (double)v->integer;
	case SCALAR_REAL:
		return v->real;
	default:
		return NAN;
	}
}

/* ---- totals and scales ---- */

/* V over RUNS, times SCALE. What is whole stays so, and what is equal per run is equal to the last
 * bit. */
static struct scalar_value
scaled(int64_t v, double scale, uint32_t runs)
{
	struct scalar_value value = { .type = SCALAR_INTEGER };

	if (scale == 1 && v % runs == 0) {
		value.integer = v / runs;
	} else {
		value.type = SCALAR_REAL;
		value.real = (double)v / runs * scale;
	}
	return value;
}

static void
set_runs(struct comparison *c)
{
	bool per_run = comparison_per_run(c);

	for (size_t k = 0; k < c->nr; k++) {
		uint32_t runs = profile_totals(c->profiles[k])->nr_runs;

		c->runs[k] = per_run && runs ? runs : 1;
	}
}

/* How much the ratio of a figure of profile K to another's differs without a difference, besides by
 * their samples: as runs do, and what it is normalised by is known from samples alone (but for the
 * total, which the clock tells). Infinite of so few runs that nothing tells how these differ: a
 * busy machine makes one of two equal runs take half as long again. */
static double
variance_of_scale(const struct comparison *c, size_t k)
{
	const struct profile_totals *t = profile_totals(c->profiles[k]);
	double variance = t->nr_runs < FEWEST_RUNS ? INFINITY
						   : RUN_DEVIATION * RUN_DEVIATION / t->nr_runs;
	double base = (double)c->base_ns[k], self = (double)t->self_ns;
	double samples = base / c->totals[k].interval_ns * comparison_times(c, k);

	if (samples > 0 && isfinite(samples) && base < self)
		variance += (1 - base / self) / samples;
	return variance;
}

static void
set_totals(struct comparison *c, size_t k, double size)
{
	const struct profile_totals *t = profile_totals(c->profiles[k]);
	struct expression_profile *e = &c->totals[k];
	double count = c->scales[k].count, time = c->scales[k].time;
	uint32_t runs = c->runs[k];

	e->run[RUN_COUNT] = scaled(t->blocks_executed, count, runs);
	e->run[RUN_CALLS] = scaled(t->calls, count, runs);
	e->run[RUN_SELF_NS] = scaled(t->self_ns, time, runs);
	e->run[RUN_SELF_SAMPLES] = scaled(t->self_samples, time, runs);
	e->run[RUN_CPU_NS] = scaled(t->run.cpu_ns, time, runs);
	e->run[RUN_USER_NS] = scaled(t->run.user_ns, time, runs);
	e->run[RUN_SYSTEM_NS] = scaled(t->run.system_ns, time, runs);
	e->run[RUN_WALL_NS] = scaled(t->run.wall_ns, time, runs);
	e->run[RUN_WAIT_NS] = scaled(t->run.wait_ns, time, runs);
	e->run[RUN_RUNS] = scaled(t->nr_runs, 1, 1);
	if (size > 0)
		e->run[RUN_SIZE] = (struct scalar_value){ .type = SCALAR_REAL, .real = size };
	e->interval_ns = t->self_samples ? (double)t->self_ns / (double)t->self_samples : 0;
	if (t->run.sample_ns)
		e->interval_ns = (double)t->run.sample_ns;
	e->interval_ns *= comparison_times(c, k);
	e->wait_interval_ns = (double)t->run.wall_interval_ns * comparison_times(c, k);
	e->variance = variance_of_scale(c, k);
}

/* No measure's total is known as long as its rows cannot be added up. */
static struct scalar_value
total_of_measure(const struct comparison *c, size_t i, enum figure f)
{
	struct measures all = profile_measures(c->profiles[i]);

	for (size_t k = NR_BUILTIN_MEASURES; f >= NR_FIGURES && k < all.nr; k++) {
		const struct model_measure *m = &all.items[k];

		if (!m->formula && m->combine == COMBINE_SUM &&
		    (f == figure_of_measure(m, false) ||
		     (m->inclusive != INCLUSIVE_NONE && f == figure_of_measure(m, true))))
			return comparison_scaled(c, i, f, m->total);
	}
	return (struct scalar_value){ .type = SCALAR_NULL };
}

struct scalar_value
comparison_total(const struct comparison *c, size_t i, enum figure f)
{
	const struct scalar_value *run = c->context.profiles[i].run;

	switch (f) {
	case FIGURE_COUNT:
	case FIGURE_WORK:
	case FIGURE_TOTAL_WORK:
		return run[RUN_COUNT];
	case FIGURE_CALLS:
		return run[RUN_CALLS];
	case FIGURE_SELF_NS:
	case FIGURE_TOTAL_NS:
		return run[RUN_CPU_NS];
	case FIGURE_SELF_SAMPLES:
	case FIGURE_TOTAL_SAMPLES:
		return run[RUN_SELF_SAMPLES];
	case FIGURE_SELF_WAIT_NS:
	case FIGURE_TOTAL_WAIT_NS:
		return run[RUN_WAIT_NS];
	default:
		return total_of_measure(c, i, f);
	}
}

static double
quotient(long double a, long double b)
{
	return a == b ? 1 : b > 0 ? (double)(a / b) : 0;
}

static void
set_scale(struct comparison *c, size_t k, const uint64_t first[2], const uint64_t here[2])
{
	long double more = (long double)c->runs[k] / c->runs[0];

	c->scales[k].count = quotient(first[0] * more, here[0]);
	c->scales[k].time = quotient(first[1] * more, here[1]);
	if (c->scales[k].time == 0 && !c->no_time_in)
		c->no_time_in = profile_name(c->profiles[first[1] ? k : 0]);
}

/* Count and time of what is made equal in all profiles. */
static bool
measure(struct comparison *c, size_t k, const char *what, uint64_t measured[2])
{
	const struct profile_totals *t = profile_totals(c->profiles[k]);
	const struct side *s = &c->m->sides[k];

	if (!strcmp(what, "total")) {
		measured[0] = t->blocks_executed;
		measured[1] = t->self_ns;
		return true;
	}
	for (size_t i = 0; i < s->nr_procedures; i++) {
		const struct side_procedure *p = &s->procedures[i];

		if (strcmp(p->name, what) && strcmp(p->linkage_name, what) &&
		    strcmp(p->renamed, what))
			continue;
		measured[0] = p->calls;
		measured[1] = p->total_ns;
		c->base = p->entity;
		return true;
	}
	return false;
}

static int
normalise(struct comparison *c, const char *what, struct error *err)
{
	uint64_t first[2] = { 0 }, here[2];

	for (size_t k = 0; k < c->nr; k++) {
		c->scales[k] = (struct comparison_scale){ 1, 1 };
		if (!what)
			continue;
		if (!measure(c, k, what, here))
			return error_set(err, "normalise: %s has no procedure %s",
					 profile_name(c->profiles[k]), what);
		if (!here[0])
			return error_set(err, "normalise: %s has no count of %s",
					 profile_name(c->profiles[k]), what);
		c->normalised = true;
		c->base_ns[k] = here[1];
		if (!k)
			memcpy(first, here, sizeof(first));
		else
			set_scale(c, k, first, here);
	}
	return 0;
}

/* ---- opening ---- */

enum { LARGE = 256 << 10 /* bytes of an array that is given back when it is freed */ };

static void
set_defaults(struct comparison *c)
{
	for (int by = 0; by < NR_COMPARE_BY; by++)
		c->defaults[by] = default_expression(c, (enum compare_by)by, kinds[by].figure);
}

static bool
has_measured_arcs(const struct profile *p)
{
	struct measures all = profile_measures(p);

	for (size_t i = NR_BUILTIN_MEASURES; i < all.nr; i++)
		if (all.items[i].inclusive == INCLUSIVE_MEASURED)
			return true;
	return false;
}

/* Returns whose rows it has: two tools have each their own. Samples of any program are not those of
 * what cgcc has compiled. */
static const char *
tool_of(struct profile *p)
{
	const char *tool = profile_totals(p)->run.tool;

	return tool && *tool ? tool : profile_is_uncounted(p) ? "samples" : "";
}

struct comparison *
comparison_open(struct profile *const *profiles, size_t nr,
		const struct comparison_options *options, struct error *err)
{
	struct comparison *c;

	if (!nr || nr > MAX_PROFILES) {
		error_set(err, "%zu profiles cannot be compared: 1 to %d can", nr, MAX_PROFILES);
		return NULL;
	}
	/* Large tables grow and go: they shall not leave holes in the heap. */
	mallopt(M_MMAP_THRESHOLD, LARGE);
	c = xcalloc(1, sizeof(*c));
	c->nr = nr;
	memcpy(c->profiles, profiles, nr * sizeof(*profiles));
	c->totals = xcalloc(nr, sizeof(*c->totals));
	c->context.profiles = c->totals;
	c->context.nr_profiles = nr;
	for (size_t k = 0; k < nr; k++) {
		profile_save_memory(profiles[k], nr);
		c->measures[k] = profile_figures(profiles[k]);
		c->measures_of_any |= c->measures[k];
		c->arcs[k] = profile_has_stacks(profiles[k]) || has_measured_arcs(profiles[k]);
		c->uncounted[k] = profile_is_uncounted(profiles[k]);
		c->tools[k] = tool_of(profiles[k]);
	}
	for (int i = 0; i < NR_COMPARE_BY; i++) {
		c->tables[i].c = c;
		c->tables[i].at = xcalloc(nr, sizeof(*c->tables[i].at));
	}
	set_defaults(c);
	set_runs(c);
	c->size_name = options->size_name;
	c->match_options = options->match;
	if (match_open(profiles, nr, &options->match, &c->m, err) ||
	    normalise(c, options->normalise, err)) {
		comparison_close(c);
		return NULL;
	}
	for (size_t k = 0; k < nr; k++) {
		set_totals(c, k, options->sizes[k]);
	}
	comparison_look_at_runs(c);
	return c;
}

/* Leaves ARRAY to sweep(), which frees it. */
static void
discard(struct comparison *c, void *array)
{
	if (!array)
		return;
	GROW(c->unused, c->nr_unused + 1, c->unused_alloc);
	c->unused[c->nr_unused++] = array;
}

static void
sweep(struct comparison *c)
{
	while (c->nr_unused) {
		free(c->unused[--c->nr_unused]);
		job_pause(JOB_LOOK);
	}
}

static void
forget_places(struct compared *t)
{
	for (size_t k = 0; k < t->c->nr; k++) {
		job_free(t->at[k].job);
		discard(t->c, t->at[k].rows);
		discard(t->c, t->at[k].reach);
		discard(t->c, t->at[k].row_of);
		t->at[k] = (struct place_index){ .rows = NULL };
	}
}

static void
forget_order(struct compared *t)
{
	discard(t->c, t->keys);
	discard(t->c, t->order);
	t->keys = NULL;
	t->order = NULL;
}

static void
forget_items(struct compared *t)
{
	struct items *x = &t->x;

	for (size_t k = x->nr_profiles; k-- > 0;) {
		struct side_items *s = &x->sides[k];

		if (!items_shared(x, k))
			discard(t->c, s->items);
		discard(t->c, s->figures.small);
		s->items = NULL;
		s->figures.small = NULL;
	}
	discard(t->c, x->values);
	discard(t->c, x->wide);
	discard(t->c, x->flags);
	discard(t->c, x->index);
	discard(t->c, x->arcs);
	x->values = NULL;
	x->wide = NULL;
	x->flags = NULL;
	x->index = NULL;
	x->arcs = NULL;
	items_release(x);
}

static void
forget_expressions(struct compared *t)
{
	if (t->plain != t->e)
		expression_free(t->plain);
	expression_free(t->e);
	t->e = t->plain = NULL;
	t->judged = false;
}

static void
table_release(struct compared *t)
{
	job_free(t->job);
	job_free(t->loading);
	t->job = t->loading = NULL;
	forget_places(t);
	if (t->loaded)
		forget_items(t);
	t->loaded = 0;
	t->unread = NULL;
	forget_expressions(t);
	forget_order(t);
}

void
comparison_close(struct comparison *c)
{
	if (!c)
		return;
	for (int i = 0; i < NR_COMPARE_BY; i++) {
		table_release(&c->tables[i]);
		free(c->tables[i].at);
	}
	for (size_t k = 0; k < c->nr; k++) {
		free(c->spreads[k].total);
		free(c->spreads[k].self);
	}
	sweep(c);
	free(c->unused);
	free(c->totals);
	for (int i = 0; i < NR_COMPARE_BY; i++)
		free(c->defaults[i]);
	match_close(c->m);
	free(c);
}

struct match *
comparison_match(struct comparison *c)
{
	return c->m;
}

const char *
comparison_size_name(const struct comparison *c)
{
	return c->size_name;
}

size_t
comparison_profiles(const struct comparison *c)
{
	return c->nr;
}

struct profile *
comparison_profile(const struct comparison *c, size_t i)
{
	return c->profiles[i];
}

struct comparison_scale
comparison_scale(const struct comparison *c, size_t i)
{
	return c->scales[i];
}

const char *
comparison_default(const struct comparison *c, enum compare_by by)
{
	return c->defaults[by];
}

void
comparison_context(const struct comparison *c, enum compare_by by,
		   struct expression_context *context)
{
	*context = c->context;
	context->figures = compare_figures(by, c->measures_of_any);
	context->things = kinds[by].things;
}

/* ---- values ---- */

struct scalar_value
comparison_scaled(const struct comparison *c, size_t i, enum figure f, int64_t n)
{
	const struct comparison_scale *s = &c->scales[i];

	if (f >= NR_FIGURES && !(c->measures[i] & FIGURE_BIT(f)))
		return (struct scalar_value){ .type = SCALAR_NULL };
	if (f == FIGURE_CODE_BYTES || (f >= NR_FIGURES && figure_how(f) != COMBINE_SUM))
		return scaled(n, 1, 1);
	if (f >= NR_FIGURES)
		return scaled(n, 1, c->runs[i]);
	/* What runs differ by is of a run as it is. */
	if (f == FIGURE_SELF_SD_NS)
		return scaled(n, s->time, 1);
	return scaled(n, figure_is_time(f) ? s->time : s->count, c->runs[i]);
}

static bool
is_counted(enum figure f)
{
	return f == FIGURE_COUNT || f == FIGURE_CALLS || f == FIGURE_WORK || f == FIGURE_TOTAL_WORK;
}

/* Has PROFILE a row only where samples were taken? It is so where nothing was counted; for foreign
 * code, which has no place; and for an arc that no count tells of: without such a row it is not
 * known how often it was called. */
static bool
is_from_samples(const struct compared *t, size_t row, size_t profile)
{
	const struct items *x = &t->x;
	const uint32_t *index = x->index + row * x->nr_profiles;
	size_t k = profile;

	if (index[k] ? x->sides[k].items[index[k] - 1].uncounted : t->c->uncounted[k])
		return true;
	if (!index[profile])
		for (k = 0; !index[k];)
			k++;
	if (compare_by_is_arcs(x->by))
		return x->sides[k].items[index[k] - 1].kind == ARC_SAMPLED;
	return x->by == BY_PROCEDURE && !item_place(x, k, index[k] - 1).file;
}

/* PROFILE has no row; is nothing known of it, as one that does has another tool's? There such code
 * may be part of another row: procedures are inlined, places whole lines. Of a line, or of a range
 * where it knows columns, no more is left than what is there, if its file is known. */
static bool
is_of_others(const struct compared *t, size_t row, size_t profile, enum figure f)
{
	const struct items *x = &t->x;
	const uint32_t *index = x->index + row * x->nr_profiles;
	size_t k = 0;

	while (!index[k])
		k++;
	if (!strcmp(t->c->tools[k], t->c->tools[profile]))
		return false;
	return (x->by != BY_LINE && !x->sides[profile].points) || is_counted(f) ||
	       !match_file_in(t->c->m, match_file(t->c->m, k, item_place(x, k, index[k] - 1).file),
			      profile);
}

struct scalar_value
figure_of(const struct compared *t, size_t row, size_t profile, enum figure f)
{
	const struct items *x = &t->x;
	uint32_t item = x->index[row * x->nr_profiles + profile];
	int64_t v = item ? item_figure(x, profile, item - 1, f) : 0;

	if ((!v && is_counted(f) && is_from_samples(t, row, profile)) ||
	    (!item && is_of_others(t, row, profile, f)) ||
	    (f >= NR_FIGURES && compare_by_is_arcs(x->by) && !t->c->arcs[profile]))
		return (struct scalar_value){ .type = SCALAR_NULL };
	return comparison_scaled(t->c, profile, f, v);
}

bool
comparison_sampled(const struct expression *e)
{
	size_t nr;
	const struct reference *r = expression_references(e, &nr);

	for (size_t i = 0; i < nr; i++) {
		if (figure_is_sampled((enum figure)r[i].figure))
			return true;
	}
	return false;
}

bool
comparison_no_time(const struct comparison *c)
{
	return c->no_time_in;
}

int
comparison_check_time(const struct comparison *c, const struct expression *e, struct error *err)
{
	if (!c->no_time_in || !comparison_sampled(e))
		return 0;
	return error_set(err, "%s has no time that the others could be normalised by",
			 c->no_time_in);
}

struct scalar_value
row_value(const struct items *x, size_t row)
{
	struct scalar_value v = { .type = (enum scalar_type)(x->flags[row] & ROW_TYPE) };

	if (v.type != SCALAR_NULL)
		v.integer = x->wide ? x->wide[row] : x->values[row];
	return v;
}

/* ---- order ---- */

enum { UNIT = 4 /* rows for a unit of work */ };

/* The largest of the row's figures in the columns a, b.. */
static double
largest_figure(const struct compared *t, size_t row)
{
	enum figure f = compared_figure(t);
	double largest = 0;

	for (size_t k = 0; k < t->x.nr_profiles; k++) {
		struct scalar_value v = figure_of(t, row, k, f);

		largest = fmax(largest, fabs(scalar_number(&v)));
	}
	return largest;
}

/* An infinite value goes before all others only when the row has at least this part of all: one
 * that is new and was called six times says less than millions that became half as many again. */
#define LEAST_PART 0.01

/* Returns |value|, exactly: a long double holds every int64_t; of a rate what is divided, as a
 * value over few executions is mostly chance. Less than any has what is infinite and next to
 * nothing; then what has no value. */
static long double
magnitude(const struct compared *t, size_t row)
{
	const struct reference *rate = expression_rate(t->e);
	struct scalar_value v = row_value(&t->x, row);

	if (v.type == SCALAR_NULL)
		return -1;
	if (rate)
		v = figure_of(t, row, rate->profile, (enum figure)rate->figure);
	if (v.type == SCALAR_INTEGER)
		return fabsl((long double)v.integer);
	if (isinf(v.real) && largest_figure(t, row) < LEAST_PART * t->whole)
		return -0.5;
	return fabsl(v.real);
}

/* A number that is not less for a greater double, from 0 on. */
static uint32_t
coarse(double v)
{
	uint64_t bits;

	if (!(v >= 0))
		return 0;
	memcpy(&bits, &v, sizeof(bits));
	return (uint32_t)(bits >> 32) + 1;
}

/* Rows of equal value (where nothing differs: all) begin with the hottest. The keys at hand tell
 * most rows apart, without a look at the rows themselves. */
static int
compare_rows(const void *pa, const void *pb, void *context)
{
	const struct compared *t = context;
	const struct sort_key *a = pa, *b = pb;
	long double va, vb;

	COMPARE(b->value, a->value);
	va = magnitude(t, a->row);
	vb = magnitude(t, b->row);
	if (va == vb && a->figure != b->figure)
		return a->figure > b->figure ? -1 : 1;
	if (va == vb) {
		va = largest_figure(t, a->row);
		vb = largest_figure(t, b->row);
	}
	COMPARE(vb, va);
	return (a->row > b->row) - (a->row < b->row);
}

/* Makes the keys when all values and the whole are known. */
static void
make_keys(struct compared *t)
{
	t->keys = xcalloc(t->x.nr_rows, sizeof(*t->keys));
	for (size_t i = 0; i < t->x.nr_rows; i++) {
		t->keys[i] = (struct sort_key){
			coarse((double)magnitude(t, i)), coarse(largest_figure(t, i)),
			(uint32_t)i,
		};
		if (i % UNIT == 0)
			job_pause(1);
	}
}

/* The rows move to the begin of the keys, so that both are never there. */
static void
end_order(struct compared *t)
{
	uint32_t *order = (uint32_t *)t->keys;

	for (size_t i = 0; i < t->x.nr_rows; i++)
		order[i] = t->keys[i].row;
	t->keys = NULL;
	t->order = xrealloc(order, t->x.nr_rows + 1, sizeof(*order));
}

/* ---- evaluating ---- */

/* No row has a value yet. */
static void
begin_values(struct compared *t)
{
	discard(t->c, t->x.values);
	discard(t->c, t->x.wide);
	t->x.wide = NULL;
	t->x.values = xcalloc(t->x.nr_rows, sizeof(*t->x.values));
	for (size_t i = 0; i < t->x.nr_rows; i++)
		t->x.flags[i] = (unsigned char)((t->x.flags[i] & ~ROW_TYPE) | SCALAR_NULL);
	sweep(t->c);
}

/* The rows before ROW have theirs, so each is moved once. */
static void
set_value(struct items *x, size_t row, int64_t bits)
{
	if (x->values && bits == (int32_t)bits) {
		x->values[row] = (int32_t)bits;
		return;
	}
	if (x->values) {
		x->wide = xcalloc(x->nr_rows, sizeof(*x->wide));
		for (size_t i = 0; i < row; i++)
			x->wide[i] = x->values[i];
		free(x->values);
		x->values = NULL;
	}
	x->wide[row] = bits;
}

static int
evaluate(struct compared *t, size_t i)
{
	struct scalar_value figures[MAX_REFERENCES], value;
	size_t nr, nr_sides = t->x.nr_profiles;
	const struct reference *r = expression_references(t->e, &nr);
	struct items *x = &t->x;

	for (size_t k = 0; k < nr; k++)
		figures[k] = figure_of(t, i, r[k].profile, (enum figure)r[k].figure);
	if (expression_evaluate(t->e, figures, NULL, &value, &t->error))
		return -1;
	x->flags[i] = (unsigned char)((x->flags[i] & ~ROW_TYPE) | value.type);
	if (value.type != SCALAR_NULL)
		set_value(x, i, value.integer);
	for (size_t k = 0; k < nr_sides && !t->apart; k++)
		t->apart = x->flags[i] & ROW_CHANGED || !x->index[i * nr_sides + k];
	t->whole += largest_figure(t, i);
	return 0;
}

static int
evaluate_rows(struct compared *t)
{
	t->whole = 0;
	begin_values(t);
	expression_deadline(t->e, 10000);
	for (size_t i = 0; i < t->x.nr_rows; i++) {
		if (evaluate(t, i))
			return -1;
		job_progress((double)i, (double)t->x.nr_rows);
		if (i % UNIT == 0)
			job_pause(1);
	}
	/* One row at a time is evaluated from now on, for its significance. */
	expression_deadline(t->e, UINT_MAX);
	make_keys(t);
	return 0;
}

/* ---- tables ---- */

/* Has a profile so many runs that the significance is of what these differ by? */
static bool
has_spread(const struct comparison *c)
{
	for (size_t k = 0; k < c->nr; k++)
		if (profile_totals(c->profiles[k])->nr_runs >= FEWEST_RUNS)
			return true;
	return false;
}

/* The figures of an expression, and counts, which all can do with. */
static uint64_t
wanted_figures(const struct comparison *c, enum compare_by by, const struct expression *e)
{
	size_t nr;
	const struct reference *r = expression_references(e, &nr);
	uint64_t mask = FIGURE_BIT(FIGURE_COUNT);

	for (size_t i = 0; i < nr; i++)
		mask |= FIGURE_BIT(r[i].figure);
	/* Verdicts are about the work, too. */
	if (c->nr > 1 && figure_is_sampled(expression_figure(e)))
		mask |= FIGURE_BIT(verdict_work(by, expression_figure(e)));
	if (mask & FIGURE_BIT(FIGURE_SELF_NS) && has_spread(c))
		mask |= FIGURE_BIT(FIGURE_SELF_SD_NS);
	return mask;
}

static void
load_items(void *compared)
{
	struct compared *t = compared;

	t->unread = items_load(&t->x, t->c->m, t->c->profiles);
}

/* All items are to be loaded again when some of FIGURES have not been loaded with them. */
static void
want_figures(struct compared *t, enum compare_by by, uint64_t figures)
{
	if (t->loaded && !(figures & ~t->loaded))
		return;
	figures |= t->loaded;
	table_release(t);
	items_init(&t->x, t->c->m, by, figures);
	t->loaded = figures;
	t->loading = job_new(load_items, t);
}

/* Another expression may be wanted meanwhile, of the same items. */
static int
load(struct compared *t)
{
	job_wait(&t->loading);
	return t->unread ? error_set(&t->error, "%s", t->unread) : 0;
}

int
comparison_load(struct comparison *c, enum compare_by by, uint64_t figures, struct error *err)
{
	struct compared *t = &c->tables[by];

	want_figures(t, by, figures & compare_figures(by, figures));
	if (!load(t))
		return 0;
	table_release(t);
	return error_copy(err, &t->error);
}


/* Parts of the time that they take, about. */
static void
compare(void *compared)
{
	struct compared *t = compared;
	struct job_part all = job_part(0, 0.6);
	bool good;

	sweep(t->c);
	good = !load(t);
	job_part_end(all);
	all = job_part(0.6, 0.8);
	good = good && !evaluate_rows(t);
	job_part_end(all);
	if (!good)
		return;
	all = job_part(0.8, 1);
	job_sort(t->keys, t->x.nr_rows, sizeof(*t->keys), compare_rows, t);
	job_part_end(all);
	end_order(t);
}

struct compared *
comparison_begin(struct comparison *c, enum compare_by by, const char *text, uint64_t figures,
		 struct expression_error *err)
{
	struct compared *t = &c->tables[by];
	struct expression_context context;
	struct expression *e;

	if (comparison_check_space(c, by, &err->error))
		return NULL;
	comparison_context(c, by, &context);
	e = expression_compile(expression_meant(text, by == BY_PROCEDURE), &context, err);
	if (!e)
		return NULL;
	if (comparison_check_time(c, e, &err->error)) {
		expression_free(e);
		return NULL;
	}
	job_free(t->job);
	t->job = NULL;
	forget_order(t);
	figures |= wanted_figures(c, by, e);
	want_figures(t, by, figures & compare_figures(by, ~UINT64_C(0)));
	forget_expressions(t);
	t->e = e;
	verdict_set_ends(c, e, t->ends);
	t->plain = verdict_difference(c, &context, expression_figure(e), e, t->ends);
	t->sampled = comparison_differs(c, e);
	t->few_runs = comparison_few_runs(c, e);
	forget_places(t);
	t->apart = false;
	t->error.set = false;
	t->job = job_new(compare, t);
	return t;
}

int
comparison_work(struct compared *t, bool (*enough)(void *context), void *context,
		struct error *err)
{
	if (!t->job || !job_run(t->job, enough, context))
		return 0;
	if (!t->error.set)
		return 1;
	error_copy(err, &t->error);
	if (t->unread)
		table_release(t);
	return -1;
}

int
compared_percent(const struct compared *t)
{
	return (int)job_percent(t->job);
}

struct compared *
comparison_table(struct comparison *c, enum compare_by by, const char *text,
		 struct expression_error *err)
{
	struct compared *t = comparison_begin(c, by, text, 0, err);

	return t && comparison_work(t, NULL, NULL, &err->error) > 0 ? t : NULL;
}
