#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/items.h"
#include "compare/side.h"

static const struct { const char *name, *things; } kinds[NR_COMPARE_BY] = {
	[BY_PROCEDURE] = { "procedure", "procedures" },
	[BY_BLOCK] = { "block", "blocks" },
	[BY_RANGE] = { "range", "ranges" },
	[BY_LINE] = { "line", "lines" },
	[BY_SITE] = { "site", "call sites" },
	[BY_ARC] = { "arc", "arcs" },
	[BY_FILE] = { "file", "files" },
};

/* Rows of a profile by their places, for a window of the source. */
struct place_index {
	uint32_t *rows;          /* positions in the order */
	uint32_t *reach;         /* last line of all up to here that are in the same file */
	size_t nr;
};

struct compared {
	struct comparison *c;
	struct items x;
	unsigned loaded;         /* mask of figures; 0: nothing */
	struct expression *e;
	uint32_t *order;         /* rows, the greatest value first */
	struct place_index at[MAX_PROFILES];
};

struct comparison {
	struct profile *profiles[MAX_PROFILES];
	size_t nr;
	struct match *m;
	struct expression_context context; /* but for figures and things */
	struct comparison_scale scales[MAX_PROFILES];
	const char *no_time_in;  /* path of a profile that cannot be normalised by time */
	struct compared tables[NR_COMPARE_BY];
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

static struct scalar_value
scaled(uint64_t v, double scale)
{
	struct scalar_value value = { .type = SCALAR_INTEGER };

	if (scale == 1) {
		value.integer = v > INT64_MAX ? INT64_MAX : (int64_t)v;
	} else {
		value.type = SCALAR_REAL;
		value.real = (double)v * scale;
	}
	return value;
}

static void
set_totals(struct comparison *c, size_t k, double size)
{
	const struct profile_totals *t = profile_totals(c->profiles[k]);
	struct expression_profile *e = &c->context.profiles[k];
	double count = c->scales[k].count, time = c->scales[k].time;

	e->run[RUN_COUNT] = scaled(t->blocks_executed, count);
	e->run[RUN_CALLS] = scaled(t->calls, count);
	e->run[RUN_SELF_NS] = scaled(t->self_ns, time);
	e->run[RUN_SELF_SAMPLES] = scaled(t->self_samples, time);
	e->run[RUN_CPU_NS] = scaled(t->run.cpu_ns, time);
	e->run[RUN_USER_NS] = scaled(t->run.user_ns, time);
	e->run[RUN_SYSTEM_NS] = scaled(t->run.system_ns, time);
	e->run[RUN_WALL_NS] = scaled(t->run.wall_ns, time);
	e->run[RUN_WAIT_NS] = scaled(t->run.wait_ns, time);
	e->run[RUN_RUNS] = scaled(t->nr_runs, 1);
	if (size > 0)
		e->run[RUN_SIZE] = (struct scalar_value){ .type = SCALAR_REAL, .real = size };
	e->interval_ns = t->self_samples ? (double)t->self_ns / (double)t->self_samples * time : 0;
	e->wait_interval_ns = (double)t->run.wall_interval_ns * time;
}

static double
quotient(uint64_t a, uint64_t b)
{
	return a == b ? 1 : b ? (double)a / (double)b : 0;
}

static void
set_scale(struct comparison *c, size_t k, const uint64_t first[2], const uint64_t here[2])
{
	c->scales[k].count = quotient(first[0], here[0]);
	c->scales[k].time = quotient(first[1], here[1]);
	if (c->scales[k].time == 0 && !c->no_time_in)
		c->no_time_in = profile_path(c->profiles[first[1] ? k : 0]);
}

/* Count and time of what is made equal in all profiles. */
static bool
measure(const struct comparison *c, size_t k, const char *what, uint64_t measured[2])
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
					 profile_path(c->profiles[k]), what);
		if (!here[0])
			return error_set(err, "normalise: %s has no count of %s",
					 profile_path(c->profiles[k]), what);
		if (!k)
			memcpy(first, here, sizeof(first));
		else
			set_scale(c, k, first, here);
	}
	return 0;
}

/* ---- opening ---- */

struct comparison *
comparison_open(struct profile *const *profiles, size_t nr,
		const struct comparison_options *options, struct error *err)
{
	struct comparison *c;

	if (!nr || nr > MAX_PROFILES) {
		error_set(err, "%zu profiles cannot be compared: 1 to %d can", nr, MAX_PROFILES);
		return NULL;
	}
	c = xcalloc(1, sizeof(*c));
	c->nr = nr;
	memcpy(c->profiles, profiles, nr * sizeof(*profiles));
	c->context.nr_profiles = nr;
	for (int i = 0; i < NR_COMPARE_BY; i++)
		c->tables[i].c = c;
	if (match_open(profiles, nr, &options->match, &c->m, err) ||
	    normalise(c, options->normalise, err)) {
		comparison_close(c);
		return NULL;
	}
	for (size_t k = 0; k < nr; k++)
		set_totals(c, k, options->sizes[k]);
	return c;
}

static void
forget_places(struct compared *t)
{
	for (size_t k = 0; k < MAX_PROFILES; k++) {
		free(t->at[k].rows);
		free(t->at[k].reach);
		t->at[k] = (struct place_index){ .rows = NULL };
	}
}

static void
table_release(struct compared *t)
{
	forget_places(t);
	if (t->loaded)
		items_release(&t->x);
	t->loaded = 0;
	expression_free(t->e);
	t->e = NULL;
	free(t->order);
	t->order = NULL;
}

void
comparison_close(struct comparison *c)
{
	if (!c)
		return;
	for (int i = 0; i < NR_COMPARE_BY; i++)
		table_release(&c->tables[i]);
	match_close(c->m);
	free(c);
}

struct match *
comparison_match(struct comparison *c)
{
	return c->m;
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
	static const char *const singles[] = { "a.count", "a.self_ns" };
	static char texts[2][MAX_PROFILES][40];
	bool time = compare_figures(by) & 1u << FIGURE_SELF_NS;
	char *text;

	for (size_t k = 0; k < c->nr; k++)
		time &= profile_totals(c->profiles[k])->self_samples > 0;
	if (c->nr == 1)
		return singles[time];
	text = texts[time][c->nr - 1];
	snprintf(text, sizeof(texts[0][0]), time ? "%c.self_ns - a.self_ns" : "%c.count - a.count",
		 (char)('a' + c->nr - 1));
	return text;
}

void
comparison_context(const struct comparison *c, enum compare_by by,
		   struct expression_context *context)
{
	*context = c->context;
	context->figures = compare_figures(by);
	context->things = kinds[by].things;
}

/* ---- values ---- */

static double
scale_of(const struct comparison *c, size_t k, enum figure f)
{
	if (f == FIGURE_CODE_BYTES)
		return 1;
	return figure_is_sampled(f) ? c->scales[k].time : c->scales[k].count;
}

static struct scalar_value
figure_of(const struct compared *t, size_t row, size_t profile, enum figure f)
{
	const struct items *x = &t->x;
	uint32_t item = x->index[row * x->nr_profiles + profile];
	uint64_t v = item && x->slot[f] >= 0 ?
		     x->figures[profile][(size_t)(item - 1) * (size_t)x->stride +
					 (size_t)x->slot[f]] : 0;

	return scaled(v, scale_of(t->c, profile, f));
}

int
comparison_sampled(const struct expression *e)
{
	size_t nr;
	const struct reference *r = expression_references(e, &nr);

	for (size_t i = 0; i < nr; i++) {
		if (figure_is_sampled((enum figure)r[i].figure))
			return r[i].figure;
	}
	return -1;
}

double
comparison_significance(const struct comparison *c, enum figure f, double a, double b)
{
	size_t last = c->nr - 1;
	bool wait = f == FIGURE_SELF_WAIT_NS || f == FIGURE_TOTAL_WAIT_NS;
	const struct expression_profile *pa = &c->context.profiles[0];
	const struct expression_profile *pb = &c->context.profiles[last];
	double variance;

	if (figure_unit(f) == UNIT_SAMPLES)
		variance = a * c->scales[0].time + b * c->scales[last].time;
	else
		variance = a * (wait ? pa->wait_interval_ns : pa->interval_ns) +
			   b * (wait ? pb->wait_interval_ns : pb->interval_ns);
	return variance > 0 ? (b - a) / sqrt(variance) : 0;
}

static double
significance(const struct compared *t, size_t row, enum figure f)
{
	struct scalar_value a = figure_of(t, row, 0, f), b = figure_of(t, row, t->c->nr - 1, f);

	return comparison_significance(t->c, f, scalar_number(&a), scalar_number(&b));
}

const char *
comparison_no_time(const struct comparison *c)
{
	return c->no_time_in;
}

static struct scalar_value
row_value(const struct joined_row *row)
{
	struct scalar_value v = { .type = (enum scalar_type)row->type };

	v.integer = row->value;
	return v;
}

static int
evaluate(struct compared *t, struct error *err)
{
	struct scalar_value figures[MAX_REFERENCES], value;
	int sampled = comparison_sampled(t->e);
	size_t nr;
	const struct reference *r = expression_references(t->e, &nr);

	for (size_t i = 0; i < t->x.nr_rows; i++) {
		struct joined_row *row = &t->x.rows[i];

		for (size_t k = 0; k < nr; k++)
			figures[k] = figure_of(t, i, r[k].profile, (enum figure)r[k].figure);
		if (expression_evaluate(t->e, figures, NULL, &value, err))
			return -1;
		row->type = (unsigned char)value.type;
		row->value = value.type == SCALAR_NULL ? 0 : value.integer;
		row->significance = sampled < 0 ? NAN : significance(t, i, (enum figure)sampled);
	}
	return 0;
}

/* ---- order ---- */

/* |value|, exactly: a long double holds every int64_t. */
static long double
magnitude(const struct joined_row *row)
{
	struct scalar_value v = row_value(row);

	if (v.type == SCALAR_NULL)
		return -1;
	return v.type == SCALAR_INTEGER ? fabsl((long double)v.integer) : fabsl(v.real);
}

/* The largest of the row's figures in the columns a, b.. */
static double
largest_figure(const struct compared *t, size_t row)
{
	enum figure f = compared_figure(t);
	double largest = 0;

	for (size_t k = 0; k < t->x.nr_profiles; k++) {
		struct scalar_value v = figure_of(t, row, k, f);

		largest = fmax(largest, scalar_number(&v));
	}
	return largest;
}

/* What has the same value (where nothing differs: all) begins with the hottest. */
static int
compare_rows(const void *pa, const void *pb, void *context)
{
	const struct compared *t = context;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	long double va = magnitude(&t->x.rows[a]), vb = magnitude(&t->x.rows[b]);

	if (va == vb) {
		va = largest_figure(t, a);
		vb = largest_figure(t, b);
	}
	if (va != vb)
		return va > vb ? -1 : 1;
	return (a > b) - (a < b);
}

static void
sort(struct compared *t)
{
	free(t->order);
	t->order = xcalloc(t->x.nr_rows, sizeof(*t->order));
	for (uint32_t i = 0; i < t->x.nr_rows; i++)
		t->order[i] = i;
	if (t->x.nr_rows)
		qsort_r(t->order, t->x.nr_rows, sizeof(*t->order), compare_rows, t);
}

bool
compared_differs(const struct compared *t)
{
	enum value_unit unit = expression_unit(t->e);
	double same = unit == VALUE_RATIO || unit == VALUE_GROWTH ? 1 : 0;

	for (size_t i = 0; i < t->x.nr_rows; i++) {
		struct scalar_value v = row_value(&t->x.rows[i]);

		if (v.type != SCALAR_NULL && scalar_number(&v) != same)
			return true;
	}
	return false;
}

/* ---- tables ---- */

/* The figures of an expression, and counts, which all can do with. */
static unsigned
wanted_figures(const struct expression *e)
{
	size_t nr;
	const struct reference *r = expression_references(e, &nr);
	unsigned mask = 1u << FIGURE_COUNT;

	for (size_t i = 0; i < nr; i++)
		mask |= 1u << r[i].figure;
	return mask;
}

static int
load(struct compared *t, enum compare_by by, unsigned figures, struct error *err)
{
	size_t bad = 0;

	if (t->loaded && !(figures & ~t->loaded))
		return 0;
	figures |= t->loaded;
	table_release(t);
	if (items_load(&t->x, t->c->m, t->c->profiles, by, figures, &bad))
		return error_set(err, "%s", profile_error(t->c->profiles[bad]));
	t->loaded = figures;
	return 0;
}

int
comparison_load(struct comparison *c, enum compare_by by, unsigned figures, struct error *err)
{
	return load(&c->tables[by], by, figures & compare_figures(by), err);
}

static bool
uses_time(const struct expression *e)
{
	return comparison_sampled(e) >= 0;
}

struct compared *
comparison_table(struct comparison *c, enum compare_by by, const char *text,
		 struct expression_error *err)
{
	const struct named_expression *named = expression_find(text);
	struct compared *t = &c->tables[by];
	struct expression_context context;
	struct expression *e;

	comparison_context(c, by, &context);
	e = expression_compile(named ? named->expression : text, &context, err);
	if (!e)
		return NULL;
	if (c->no_time_in && uses_time(e)) {
		error_set(&err->error, "%s has no time that the others could be normalised by",
			  c->no_time_in);
	} else if (!load(t, by, wanted_figures(e), &err->error)) {
		expression_free(t->e);
		t->e = e;
		forget_places(t);
		expression_deadline(e, 10000);
		if (evaluate(t, &err->error))
			return NULL;
		sort(t);
		return t;
	}
	expression_free(e);
	return NULL;
}

/* ---- rows ---- */

size_t
compared_rows(const struct compared *t)
{
	return t->x.nr_rows;
}

struct match *
compared_match(const struct compared *t)
{
	return t->c->m;
}

const struct expression *
compared_expression(const struct compared *t)
{
	return t->e;
}

enum compare_by
compared_by(const struct compared *t)
{
	return t->x.by;
}

enum figure
compared_figure(const struct compared *t)
{
	return expression_figure(t->e);
}

void
compared_row(const struct compared *t, size_t i, struct compared_row *out)
{
	const struct items *x = &t->x;
	size_t n = t->order[i];
	const struct joined_row *row = &x->rows[n];
	bool files = x->by == BY_LINE || x->by == BY_FILE;
	uint32_t other = 0;

	*out = (struct compared_row){
		.value = row_value(row), .significance = row->significance,
		.estimated = row->flags & ROW_ESTIMATED, .entity = files ? 0 : row->owner,
		.kind = row->kind,
	};
	for (size_t k = 0; k < x->nr_profiles; k++) {
		uint32_t item = x->index[n * x->nr_profiles + k];

		if (!item)
			continue;
		out->sides |= 1u << k;
		other = x->items[k][item - 1].other;
		if (x->by == BY_ARC)
			out->kind = (int)(x->items[k][item - 1].id >> 30);
	}
	if ((x->by == BY_ARC || x->by == BY_SITE) && !(other & CALL_OUTSIDE))
		out->callee = other & CALL_MASK;
	out->changed = row->flags & ROW_CHANGED && out->sides == (1u << x->nr_profiles) - 1;
}

static const struct item *
item_of(const struct compared *t, size_t i, size_t profile)
{
	uint32_t item = t->x.index[t->order[i] * t->x.nr_profiles + profile];

	return item ? &t->x.items[profile][item - 1] : NULL;
}

bool
compared_place(const struct compared *t, size_t i, size_t profile, struct place *place)
{
	const struct item *item = item_of(t, i, profile);

	if (item)
		*place = item->place;
	return item != NULL;
}

model_id
compared_id(const struct compared *t, size_t i, size_t profile)
{
	const struct item *item = item_of(t, i, profile);

	return !item ? 0 : t->x.by == BY_ARC ? item->id & CALL_MASK : item->id;
}

struct scalar_value
compared_value(const struct compared *t, size_t i, size_t profile, enum figure f)
{
	return figure_of(t, t->order[i], profile, f);
}

const char *
compared_sides(const struct compared *t, uint32_t sides, bool changed)
{
	static char letters[MAX_PROFILES + 1];
	size_t nr = t->x.nr_profiles, n = 0;

	if (sides == (1u << nr) - 1 && nr > 1)
		return changed ? "changed" : nr == 2 ? "both" : "all";
	for (size_t k = 0; k < nr; k++) {
		if (sides & 1u << k)
			letters[n++] = (char)('a' + k);
	}
	letters[n] = '\0';
	return letters;
}

ptrdiff_t
compared_find(struct compared *t, entity_id entity)
{
	for (size_t i = 0; i < t->x.nr_rows; i++) {
		if (t->x.rows[t->order[i]].owner == entity)
			return (ptrdiff_t)i;
	}
	return -1;
}

double
compared_greatest(const struct compared *t)
{
	double greatest = 0;

	for (size_t i = 0; i < t->x.nr_rows; i++) {
		struct scalar_value v = row_value(&t->x.rows[t->order[i]]);
		double number = fabs(scalar_number(&v));

		if (isfinite(number) && number > greatest)
			greatest = number;
	}
	return greatest;
}

void
compared_summarise(const struct compared *t, struct compared_summary *s)
{
	const struct items *x = &t->x;
	enum figure f = compared_figure(t);

	*s = (struct compared_summary){ .rows = x->nr_rows };
	for (size_t i = 0; i < x->nr_rows; i++) {
		const uint32_t *index = x->index + i * x->nr_profiles;
		size_t sides = 0, last = 0;

		for (size_t k = 0; k < x->nr_profiles; k++) {
			sides += index[k] != 0;
			last = index[k] ? k : last;
		}
		s->everywhere += sides == x->nr_profiles;
		s->changed += sides == x->nr_profiles && x->rows[i].flags & ROW_CHANGED;
		s->only[last] += sides == 1;
		for (size_t k = 0; k < x->nr_profiles; k++) {
			struct scalar_value v = figure_of(t, i, k, f);

			s->sum[k] += scalar_number(&v);
			if (sides == x->nr_profiles)
				s->sum_everywhere[k] += scalar_number(&v);
		}
	}
}

/* ---- windows of the source ---- */

#define COMPARE(a, b) do { if ((a) != (b)) return (a) < (b) ? -1 : 1; } while (0)

struct by_place { const struct compared *t; size_t profile; };

static int
compare_by_place(const void *pa, const void *pb, void *context)
{
	const struct by_place *c = context;
	const uint32_t ia = *(const uint32_t *)pa, ib = *(const uint32_t *)pb;
	const struct place *a = &item_of(c->t, ia, c->profile)->place;
	const struct place *b = &item_of(c->t, ib, c->profile)->place;

	COMPARE(a->file, b->file);
	COMPARE(a->line, b->line);
	COMPARE(a->column, b->column);
	COMPARE(b->end_line, a->end_line);
	COMPARE(b->end_column, a->end_column);
	COMPARE(ia, ib);
	return 0;
}

static void
index_places(struct compared *t, size_t profile)
{
	struct place_index *at = &t->at[profile];
	struct by_place context = { t, profile };

	at->rows = xcalloc(t->x.nr_rows, sizeof(*at->rows));
	at->reach = xcalloc(t->x.nr_rows, sizeof(*at->reach));
	for (uint32_t i = 0; i < t->x.nr_rows; i++) {
		const struct item *item = item_of(t, i, profile);

		if (item && item->place.file)
			at->rows[at->nr++] = i;
	}
	if (at->nr)
		qsort_r(at->rows, at->nr, sizeof(*at->rows), compare_by_place, &context);
	for (size_t i = 0; i < at->nr; i++) {
		const struct place *p = &item_of(t, at->rows[i], profile)->place;
		bool same = i && item_of(t, at->rows[i - 1], profile)->place.file == p->file;

		at->reach[i] = same && at->reach[i - 1] > p->end_line ? at->reach[i - 1] :
			       p->end_line;
	}
}

size_t
compared_at(struct compared *t, size_t profile, model_id file, uint32_t first, uint32_t last,
	    size_t **rows)
{
	struct place_index *at = &t->at[profile];
	size_t low = 0, high, nr = 0, begin;

	if (!at->rows)
		index_places(t, profile);
	for (high = at->nr; low < high;) {
		size_t middle = (low + high) / 2;
		const struct place *p = &item_of(t, at->rows[middle], profile)->place;

		if (p->file < file || (p->file == file && p->line <= last))
			low = middle + 1;
		else
			high = middle;
	}
	begin = low;
	while (begin && item_of(t, at->rows[begin - 1], profile)->place.file == file &&
	       at->reach[begin - 1] >= first)
		begin--;
	*rows = xcalloc(low - begin, sizeof(**rows));
	for (; begin < low; begin++) {
		if (item_of(t, at->rows[begin], profile)->place.end_line >= first)
			(*rows)[nr++] = at->rows[begin];
	}
	return nr;
}
