/* Makes the columns of tables: those of columns.c, of a profile's measures, and of listings that
 * have words for them. Names of measures are good; titles and units may be anything. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collect/events.h"
#include "show/columns.h"
#include "util/text/safe.h"

enum { TITLE_WIDTH = 60, UNIT_WIDTH = 16, HEAD_WIDTH = 16, RANK_LISTED = 15 };

/* The three columns of a measure. */
enum part { PART_SELF, PART_SHARE, PART_TOTAL };

struct maker {
	struct column_set *columns;
	const struct table_kind *kind;
	struct profile *p;
	const struct model_measure *measure;
	size_t id;
	int rank;                /* of the measure among those that are shown */
	bool only;               /* no other measure has any cost */
};

static bool
is_headed(const struct table_kind *kind, const char *name)
{
	for (const struct column *c = kind->columns; c->head; c++) {
		if (!strcmp(c->head, name))
			return true;
	}
	return false;
}

/* Returns "faults", "faults%", "total faults"; "self bytes" where "bytes" is another column.
 * BESIDE: the table has a column of self figures, too. */
static const char *
head_of(const struct maker *k, enum part part, bool beside)
{
	const char *name = k->measure->label ? k->measure->label : k->measure->name;
	const char *before = "", *text;
	struct strbuf head = STRBUF_INIT;

	if (part == PART_TOTAL && beside)
		before = "total ";
	else if (is_headed(k->kind, name))
		before = part == PART_TOTAL ? "total " : "self ";
	strbuf_str(&head, before);
	safe_fit(&head, name, strlen(name), MEASURE_NAME_MAX);
	strbuf_str(&head, part == PART_SHARE ? "%" : "");
	text = arena_strdup(&k->columns->texts, head.buf);
	strbuf_release(&head);
	return text;
}

const char *
measure_head_unit(const struct model_measure *m, struct arena *texts)
{
	struct strbuf unit = STRBUF_INIT;
	const char *text;

	if (!measure_names_unit(m))
		return NULL;
	safe_fit(&unit, m->unit, strlen(m->unit), UNIT_WIDTH);
	text = arena_strdup(texts, unit.buf);
	strbuf_release(&unit);
	return text;
}

static const char *
help_of(const struct maker *k, enum part part, const struct list_column *source)
{
	const struct model_measure *m = k->measure;
	struct strbuf help = STRBUF_INIT;
	const char *text;

	if (part == PART_SHARE)
		strbuf_str(&help, "Share of all ");
	safe_fit(&help, m->title, strlen(m->title), TITLE_WIDTH);
	if (help.len)
		help.buf[0] = (char)toupper((unsigned char)help.buf[0]);
	text = part == PART_SHARE ? NULL : measure_head_unit(m, &k->columns->texts);
	if (text) {
		strbuf_str(&help, ", in ");
		strbuf_str(&help, text);
	}
	if (source->flags & LIST_SHARED)
		strbuf_str(&help, ": what the calls bring of the callee's by their counts");
	else if (part == PART_TOTAL)
		strbuf_str(&help, k->kind->list == LIST_ARC ? ", in the calls"
							     : ", with called functions");
	if (part == PART_TOTAL && m->inclusive == INCLUSIVE_ARCS)
		strbuf_str(&help, ", by counts of calls");
	text = arena_strdup(&k->columns->texts, help.buf);
	strbuf_release(&help);
	return text;
}

static bool
is(const struct maker *k, enum builtin_measure measure)
{
	return k->id == measure;
}

/* The first few measures are of more use than others. */
static int
rank_of(const struct maker *k, enum part part, bool beside)
{
	static const unsigned char first[][3] = { { 6, 10, 11 }, { 7, 11, 12 }, { 8, 12, 13 } };
	static const unsigned char waiting[3] = { 4, 12, 6 };
	enum { ONLY = 4, LATER = 16 };

	if (part == PART_SHARE && k->only)
		return ONLY;
	if (part == PART_TOTAL && !beside)
		part = PART_SELF;
	if (is(k, MEASURE_WAIT))
		return waiting[part];
	return k->rank < 3 ? first[k->rank][part] : LATER + k->rank;
}

static int
width_of(const char *head, const char *unit, enum part part)
{
	int width = (int)strlen(head), least = part == PART_SHARE ? 5 : 8;

	width += unit ? 1 + safe_width(unit, strlen(unit)) : 0;

	return width < least ? least : width > HEAD_WIDTH ? HEAD_WIDTH : width;
}

static bool
is_off(const struct maker *k, enum part part)
{
	return (part == PART_SHARE && !k->only) || k->measure->detail || is(k, MEASURE_WORK);
}

static void
add_column(struct maker *k, enum part part, const struct list_column *source, bool beside)
{
	struct column_set *c = k->columns;
	const char *head = head_of(k, part, beside);
	const char *unit = part == PART_SHARE ? NULL
			 : measure_head_unit(k->measure, &k->columns->texts);
	bool shared = source->flags & LIST_SHARED, least = measure_is_least(k->measure);
	bool carried = part == PART_TOTAL && k->measure->inclusive == INCLUSIVE_ARCS;

	c->items[c->nr++] = (struct column){
		.head = head, .source = arena_strdup(&c->texts, source->name),
		.unit = unit, .width = width_of(head, unit, part),
		.cell = part == PART_SHARE ? CELL_COUNT_PERCENT
		      : k->measure->formula ? CELL_FORMULA
		      : shared || carried ? (least ? CELL_SHARED_LEAST : CELL_SHARED)
		      : least ? CELL_LEAST : CELL_VALUE,
		.second = !carried ? NULL : is(k, MEASURE_WORK) ? "estimated" : "shared",
		.rank = rank_of(k, part, beside), .help = help_of(k, part, source),
		.needs = is(k, MEASURE_WAIT) ? NEEDS_WAITING : NEEDS_NOTHING,
		.flags = is_off(k, part) ? COLUMN_OFF : 0,
	};
}

static const struct list_column *
source_of(const struct maker *k, bool total)
{
	const struct list_column *c = profile_columns(k->p, k->kind->list);

	while (c->name && (c->measure != k->measure || !strncmp(c->name, "total_", 6) != total))
		c++;
	return c->name ? c : NULL;
}

static bool
add_columns(struct maker *k)
{
	const struct list_column *self = source_of(k, false), *total = source_of(k, true);
	const struct list_column *shared = self ? self : total;

	if (!shared)
		return false;
	if (self)
		add_column(k, PART_SELF, self, true);
	else
		add_column(k, PART_TOTAL, total, false);
	if (list_has_shares(shared) && k->kind->list != LIST_ARC)
		add_column(k, PART_SHARE, shared, true);
	if (self && total)
		add_column(k, PART_TOTAL, total, true);
	return true;
}

/* Other builtin ones have columns that are described with those of the kind. */
static bool
has_made_columns(const struct maker *k)
{
	if (is(k, MEASURE_WORK))
		return !k->p || k->measure->total;
	return is(k, MEASURE_WAIT) || k->id > NR_BUILTIN_MEASURES;
}

static void
add_measures(struct column_set *c, const struct table_kind *kind, struct profile *p)
{
	const struct measures builtin = { builtin_measures, NR_BUILTIN_MEASURES, 0 };
	struct measures all = p ? profile_measures(p) : builtin;
	struct maker k = { .columns = c, .kind = kind, .p = p };
	bool only = p && !profile_totals(p)->self_ns;

	for (k.id = 1; k.id <= all.nr; k.id++) {
		k.measure = &all.items[k.id - 1];
		k.only = only && k.id > NR_BUILTIN_MEASURES;
		if (!has_made_columns(&k) || !add_columns(&k) || k.id <= NR_BUILTIN_MEASURES)
			continue;
		k.rank++;
		only = false;
	}
}

/* Adds the columns that the listing itself has words for. */
static void
add_listed(struct column_set *c, const struct table_kind *kind, struct profile *p)
{
	const struct list_column *l = profile_columns(p, kind->list);

	for (; l->name && kind == &table_kinds[kind->list]; l++) {
		bool text = l->unit == UNIT_TEXT;
		int least = text ? 20 : 8, width = (int)strlen(l->head ? l->head : "");

		if (l->head)
			c->items[c->nr++] = (struct column){
				.head = l->head, .source = l->name, .help = l->help, .grow = text,
				.cell = text ? CELL_TEXT : l->unit == UNIT_VALUE ? CELL_FORMULA
									   : CELL_VALUE,
				.width = width > least ? width : least, .flags = COLUMN_OFF,
				.needs = l->flags & LIST_UNEVEN ? NEEDS_SEVERAL : NEEDS_NOTHING,
				.rank = RANK_LISTED,
			};
	}
}

/* Returns the listing's column that stands in for the one of time called NAME; NULL: none. */
static const char *
lead_column(enum list_kind list, const struct profile *p, const char *name)
{
	unsigned lead = p ? profile_lead(p) : 0;
	const struct list_column *c = profile_columns(p, list);
	const char *before = !strcmp(name, "self_ns") ? "self_" : "total_";

	if (!lead || (strcmp(name, "self_ns") && strcmp(name, "total_ns")))
		return NULL;
	while (c->name && (c->measure != &profile_measures(p).items[lead - 1] ||
			   strncmp(c->name, before, strlen(before))))
		c++;
	return c->name;
}

const char *
table_kind_sort(const struct table_kind *kind, const struct profile *p)
{
	const char *lead = lead_column(kind->list, p, kind->sort);

	if (!lead && !strcmp(kind->sort, "total_ns"))
		lead = lead_column(kind->list, p, "self_ns");
	return lead ? lead : kind->sort;
}

/* A bar shows what leads. */
static void
set_bar(struct column *c, const struct table_kind *kind, const struct profile *p)
{
	const char *lead = c->cell == CELL_BAR && c->second
			   ? lead_column(kind->list, p, c->second) : NULL;

	c->second = lead ? lead : c->second;
}

void
column_set_make(struct column_set *c, const struct table_kind *kind, struct profile *p)
{
	int behind = -1;

	c->nr = 0;
	for (int i = 0; kind->columns[i].head; i++) {
		if (kind->columns[i].flags & COLUMN_MEASURES)
			behind = i;
	}
	for (int i = 0; kind->columns[i].head; i++) {
		c->items[c->nr++] = kind->columns[i];
		set_bar(&c->items[c->nr - 1], kind, p);
		if (i == behind)
			add_measures(c, kind, p);
	}
	add_listed(c, kind, p);
	c->items[c->nr].head = NULL;
}

static bool
is_recorded(const char *name)
{
	int i = 0;

	while (i < NR_EVENTS && strcmp(events[i].measure, name))
		i++;
	return i < NR_EVENTS;
}

/* Is NAME one that the columns of a measure can have? */
static bool
is_of_measure(const char *name)
{
	size_t before = !strncmp(name, "self_", 5) ? 5 : !strncmp(name, "total_", 6) ? 6 : 0;
	char *measure = xstrdup(name + before);
	size_t n = strlen(measure);
	bool share = !before && n && measure[n - 1] == '%', is;

	if (share)
		measure[n - 1] = '\0';
	is = measure_name_is_good(measure) && (before || share || is_recorded(measure));
	free(measure);
	return is;
}

bool
columns_may_have(const struct table_kind *kind, const char *name, bool sort)
{
	struct column_set columns = { .nr = 0 };
	bool has, measures = false;

	column_set_make(&columns, kind, NULL);
	has = columns_called(columns.items, columns.nr, name, sort) >= 0;
	for (int i = 0; i < columns.nr; i++)
		measures |= columns.items[i].flags & COLUMN_MEASURES;
	column_set_release(&columns);
	return has || (measures && is_of_measure(name));
}

void
column_set_release(struct column_set *c)
{
	arena_release(&c->texts);
}
