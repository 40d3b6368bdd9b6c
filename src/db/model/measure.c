#include "db/model/measure.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/model/model.h"
#include "db/model/table.h"

const struct model_measure builtin_measures[NR_BUILTIN_MEASURES] = {
	[MEASURE_COUNT - 1] = { .name = "count", .title = "executions", .unit = "count",
				.combine = COMBINE_SUM, .exact = true },
	[MEASURE_TIME - 1] = { .name = "time", .title = "time", .unit = "ns",
			       .combine = COMBINE_SUM, .inclusive = INCLUSIVE_ARCS },
	[MEASURE_WAIT - 1] = { .name = "wait", .title = "waiting time", .unit = "ns",
			       .combine = COMBINE_SUM, .inclusive = INCLUSIVE_STACKS },
	[MEASURE_CENTRE - 1] = { .name = "centre", .title = "time by cost centre", .unit = "ns",
				 .combine = COMBINE_SUM, .inclusive = INCLUSIVE_ARCS },
	[MEASURE_CALLS - 1] = { .name = "calls", .title = "calls of procedures", .unit = "count",
				.combine = COMBINE_SUM, .exact = true },
	[MEASURE_WORK - 1] = { .name = "work", .title = "executed blocks", .unit = "count",
			       .combine = COMBINE_SUM, .inclusive = INCLUSIVE_ARCS,
			       .exact = true },
};

const char *const builtin_columns[NR_ROW_FIGURES][2] = {
	[MEASURE_COUNT] = { "count", "count" }, [MEASURE_TIME] = { "self_ns", "total_ns" },
	[MEASURE_WAIT] = { "self_wait_ns", "total_wait_ns" },
	[MEASURE_CENTRE] = { "centre_ns", "centre_total_ns" },
	[MEASURE_CALLS] = { "calls", "calls" }, [MEASURE_WORK] = { "self_work", "total_work" },
	[MEASURE_SAMPLES] = { "self_samples", "total_samples" },
	[MEASURE_CODE] = { "code_bytes", NULL },
};

/* Do the tables have a column that this name would make? "samples" would make "self_samples". */
static bool
is_taken(const char *name)
{
	static const char *const prefixes[] = { "self_", "total_" };

	for (int i = 0; i < 2 * NR_TABLES; i++) {
		const char *prefix = prefixes[i % 2];
		size_t n = strlen(prefix);

		for (const struct table_column *c = tables[i / 2].columns; !table_ends(c); c++) {
			if (c->name && !strncmp(c->name, prefix, n) && !strcmp(c->name + n, name))
				return true;
		}
	}
	return false;
}

/* The bits of numbers above 0 are in the order of the numbers. */
int64_t
figure_of_value(double value)
{
	int64_t figure = 0;

	if (value > 0 && isfinite(value))
		memcpy(&figure, &value, sizeof(figure));
	return figure;
}

double
value_of_figure(int64_t figure)
{
	double value;

	memcpy(&value, &figure, sizeof(value));
	return value;
}

bool
measure_name_is_good(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return n && n <= MEASURE_NAME_MAX && !name[n] && *name >= 'a' && *name <= 'z' &&
	       !is_taken(name);
}

static bool
is_builtin(const char *name)
{
	for (int i = 0; i < NR_BUILTIN_MEASURES; i++) {
		if (!strcmp(builtin_measures[i].name, name))
			return true;
	}
	return false;
}

static void
make_identifier(const char *label, const char *prefix, char name[MEASURE_NAME_MAX + 1])
{
	size_t n = (size_t)snprintf(name, MEASURE_NAME_MAX, "%s", prefix);

	for (; *label && n < MEASURE_NAME_MAX; label++)
		name[n++] = (char)(isalnum((unsigned char)*label) && (unsigned char)*label < 128
				   ? tolower((unsigned char)*label) : '_');
	while (n > 1 && name[n - 1] == '_')
		n--;
	name[n] = '\0';
}

void
measure_identifier(const char *label, char name[MEASURE_NAME_MAX + 1])
{
	make_identifier(label, "", name);
	if (!measure_name_is_good(name) || is_builtin(name))
		make_identifier(label, "event_", name);
}

/* Returns the slot of the measure called NAME; -1: none. */
static int
find(const struct model *m, const char *name)
{
	for (size_t i = 0; i < m->nr_measures; i++) {
		if (!strcmp(m->measures[i].name, name))
			return (int)i;
	}
	return -1;
}

bool
measure_has_paths(const struct model_measure *measure)
{
	return measure->inclusive == INCLUSIVE_ARCS && measure->combine == COMBINE_SUM &&
	       !measure->formula && measure->period > 1;
}

bool
measure_is_least(const struct model_measure *measure)
{
	bool is_work = !strcmp(measure->name, builtin_measures[MEASURE_WORK - 1].name);

	return (measure->combine == COMBINE_MAX || is_work) && !measure->exact && !measure->formula;
}

/* Of paths it is the longer one: errors are no less. */
static uint64_t
common_period(const struct model_measure *a, const struct model_measure *b)
{
	if (measure_has_paths(a) && measure_has_paths(b) && b->period > a->period)
		return b->period;
	return measure_has_paths(a) && measure_has_paths(b) ? a->period
	     : a->period == b->period ? a->period : 0;
}

/* Makes OLD stand for NEW, too. Returns false when they are not the same thing. */
static bool
unite(struct model_measure *old, const struct model_measure *new)
{
	if (strcmp(old->unit, new->unit) || old->combine != new->combine)
		return false;
	old->exact &= new->exact;
	old->period = common_period(old, new);
	return true;
}

int
measure_add(struct model *m, const struct model_measure *measure)
{
	int slot = find(m, measure->name);
	struct model_measure *new;

	if (slot >= 0)
		return unite(&m->measures[slot], measure) ? slot : -1;
	if (m->nr_measures == MEASURES_MAX || !measure_name_is_good(measure->name) ||
	    is_builtin(measure->name))
		return -1;
	new = MODEL_ADD(m, measures);
	*new = *measure;
	new->name = arena_strdup(&m->arena, measure->name);
	new->label = measure->label ? arena_strdup(&m->arena, measure->label) : NULL;
	new->title = arena_strdup(&m->arena, measure->title);
	new->unit = arena_strdup(&m->arena, measure->unit);
	new->formula = measure->formula ? arena_strdup(&m->arena, measure->formula) : NULL;
	return (int)m->nr_measures - 1;
}

int64_t
measure_combine(enum measure_combine how, int64_t a, int64_t b)
{
	int64_t sum;

	switch (how) {
	case COMBINE_SUM:
		if (__builtin_add_overflow(a, b, &sum) || sum == INT64_MIN)
			sum = a < 0 ? -INT64_MAX : INT64_MAX;
		return sum;
	case COMBINE_MAX:
		return a > b ? a : b;
	case COMBINE_LAST:
		return b;
	case COMBINE_NONE:
		break;
	}
	return 0;
}

int64_t
figure_combine(enum measure_combine how, int64_t a, int64_t b)
{
	return !a ? b : !b ? a : measure_combine(how, a, b);
}

/* Returns where the figure of BIT is; it is made as 0. */
static int64_t *
figure_at(struct arena *arena, struct figures **at, uint64_t bit)
{
	struct figures *f = *at;
	unsigned i = f ? (unsigned)__builtin_popcountll(f->has & (bit - 1)) : 0;
	unsigned nr = f ? (unsigned)__builtin_popcountll(f->has) : 0;

	if (f && f->has & bit)
		return &f->values[i];
	/* There is room for as many as the next power of two. */
	if (!(nr & (nr - 1))) {
		f = arena_alloc(arena, sizeof(*f) + (nr ? 2 * nr : 1) * sizeof(*f->values));
		f->has = *at ? (*at)->has : 0;
		if (nr)
			memcpy(f->values, (*at)->values, nr * sizeof(*f->values));
		*at = f;
	}
	f->has |= bit;
	memmove(&f->values[i + 1], &f->values[i], (nr - i) * sizeof(*f->values));
	f->values[i] = 0;
	return &f->values[i];
}

static uint64_t
figure_bit(bool total, unsigned slot)
{
	return (uint64_t)1 << (total ? MEASURES_MAX + slot : slot);
}

void
figures_set(struct arena *arena, struct figures **at, bool total, unsigned slot, int64_t value)
{
	uint64_t bit = figure_bit(total, slot);

	if (value || (*at && (*at)->has & bit))
		*figure_at(arena, at, bit) = value;
}

/* Combines VALUE into the figure of BIT, whose slot is SLOT. */
static void
combine(struct model *m, struct figures **at, uint64_t bit, unsigned slot, int64_t value)
{
	int64_t *to;

	if (!value)
		return;
	to = figure_at(&m->arena, at, bit);
	*to = figure_combine(m->measures[slot].combine, *to, value);
}

void
figure_self(struct model *m, struct figures **at, unsigned slot, int64_t value)
{
	combine(m, at, figure_bit(false, slot), slot, value);
}

void
figure_total(struct model *m, struct figures **at, unsigned slot, int64_t value)
{
	combine(m, at, figure_bit(true, slot), slot, value);
}

void
figures_combine(struct model *m, struct figures **at, const struct figures *from,
		const unsigned slots[MEASURES_MAX])
{
	const int64_t *value = from ? from->values : NULL;

	for (uint64_t bits = from ? from->has : 0; bits; bits &= bits - 1, value++) {
		unsigned bit = (unsigned)__builtin_ctzll(bits);
		bool total = bit >= MEASURES_MAX;
		unsigned slot = slots[total ? bit - MEASURES_MAX : bit];

		combine(m, at, figure_bit(total, slot), slot, *value);
	}
}

void
figures_unite(struct model *m, struct figures **into, struct figures *from)
{
	unsigned slots[MEASURES_MAX];

	for (unsigned i = 0; i < MEASURES_MAX; i++)
		slots[i] = i;
	if (*into)
		figures_combine(m, into, from, slots);
	else
		*into = from;
}

bool
measures_unite(struct model *into, const struct model *from, unsigned slots[MEASURES_MAX],
	       const char **name)
{
	for (size_t i = 0; i < from->nr_measures; i++) {
		int slot = measure_add(into, &from->measures[i]);

		*name = from->measures[i].name;
		if (slot < 0)
			return false;
		slots[i] = (unsigned)slot;
	}
	return true;
}
