/* The columns of listings: those of list_spec.c, and those made for a profile's measures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/formula.h"
#include "db/lists/list_spec.h"
#include "db/store/connection.h"

/* ---- columns of measures ---- */

struct maker {
	struct arena *arena;
	struct measures all;     /* the builtin ones first */
	enum list_kind kind;
	struct list_column columns[LIST_MAX_COLUMNS + 1]; /* ends with a NULL name */
	int nr;
	bool total;              /* the column being made is one of totals */
	bool shared;             /* totals are shared out by calls, as there are no stacks */
	bool span;               /* times are those of a span, counts are not */
};

/* Returns the index of the column called NAME, of LENGTH bytes; -1: none. */
static int
find(const struct list_column *c, const char *name, size_t length)
{
	for (int i = 0; c[i].name; i++) {
		if (!strncmp(c[i].name, name, length) && !c[i].name[length])
			return i;
	}
	return -1;
}

/* Appends the column NAME with its SQL, which shows MEASURE. */
static void
add_column(struct maker *k, const struct model_measure *measure, const struct strbuf *name,
	   const struct strbuf *sql)
{
	const struct list_spec *s = &list_specs[k->kind];
	bool adds_up = measure->combine == COMBINE_SUM && !k->total;
	bool figures = measure >= &k->all.items[NR_BUILTIN_MEASURES] && !measure->formula;
	struct strbuf down = STRBUF_INIT;
	const char *kept = arena_strdup(k->arena, sql->buf);

	strbuf_fmt(&down, figures ? "-abs(%s)" : "-%s", kept);
	k->columns[k->nr++] = (struct list_column){
		.name = arena_strdup(k->arena, name->buf), .sql = kept,
		.unit = measure->formula ? UNIT_VALUE : measure_unit(measure),
		.sort = { arena_strdup(k->arena, down.buf), s->figures.ties },
		.sum = kept,
		.sort_from = k->shared ? s->figures.sort_from : NULL,
		.flags = (adds_up ? 0 : LIST_NO_SUM) | (k->shared ? LIST_SHARED : 0) |
			 (measure == &k->all.items[MEASURE_WORK - 1] ? LIST_COUNTED : 0),
		.measure = measure,
	};
	k->columns[k->nr].name = NULL;
	strbuf_release(&down);
}

/* Returns the column of the builtin measure NAME; blocks are executed, procedures called. */
static const char *
builtin_column(const struct maker *k, const char *name, size_t n)
{
	bool procedures = k->kind == LIST_PROCEDURE;

	for (int i = 0; i < NR_BUILTIN_MEASURES; i++) {
		const char *known = builtin_measures[i].name;
		const char *column = builtin_columns[i + 1][k->total];

		if (strlen(known) != n || memcmp(known, name, n))
			continue;
		if (i + 1 == MEASURE_COUNT || i + 1 == MEASURE_CALLS)
			return procedures ? "calls" : "count";
		return find(k->columns, column, strlen(column)) < 0 && i + 1 == MEASURE_WORK
			       ? "count" : column;
	}
	return NULL;
}

/* Returns the SQL of what a formula calls NAME: a measure, or a column of the listing. */
static const char *
find_figure(void *context, const char *name, size_t n)
{
	struct maker *k = context;
	const char *builtin = builtin_column(k, name, n);
	struct strbuf column = STRBUF_INIT;
	const struct list_column *c;
	struct sort_term term;
	int i;

	strbuf_str(&column, k->total ? "total_" : "self_");
	strbuf_add(&column, name, n);
	i = builtin ? find(k->columns, builtin, strlen(builtin))
		    : find(k->columns, column.buf, column.len);
	strbuf_release(&column);
	if (!builtin && (i < 0 || !k->columns[i].measure))
		i = find(k->columns, name, n);
	c = &k->columns[i < 0 ? 0 : i];
	if (i < 0 || !unit_descends(c->unit) || c->unit == UNIT_VALUE || c->unit == UNIT_RATIO ||
	    c->flags & LIST_UNEVEN ||
	    !list_sort_term(c, 0, &term))
		return NULL;
	return c->measure ? c->sql : term.sql;
}

/* Adds the column of MEASURE. Returns false when its formula gives none. */
static bool
add_figure(struct maker *k, const struct model_measure *measure, bool total)
{
	const struct list_spec *s = &list_specs[k->kind];
	struct strbuf name = STRBUF_INIT, sql = STRBUF_INIT;
	size_t slot = (size_t)(measure - k->all.items);
	bool good = true;

	k->total = total;
	if (slot < NR_BUILTIN_MEASURES) {
		strbuf_str(&name, builtin_columns[slot + 1][total]);
	} else {
		strbuf_str(&name, total ? "total_" : "self_");
		strbuf_str(&name, measure->name);
	}
	if (measure->formula) {
		good = formula_sql(measure->formula, find_figure, k, &sql);
	} else {
		strbuf_str(&sql, k->shared ? s->figures.before : s->figures.table);
		strbuf_str(&sql, name.buf);
		strbuf_str(&sql, k->shared ? s->figures.behind : "");
	}
	if (good)
		add_column(k, measure, &name, &sql);
	strbuf_release(&name);
	strbuf_release(&sql);
	return good;
}

/* Adds the column NAME if a builtin measure has it. */
static void
add_builtin(struct maker *k, const char *name)
{
	for (int i = 0; i < 2 * NR_BUILTIN_MEASURES; i++) {
		if (!strcmp(builtin_columns[i / 2 + 1][i % 2], name)) {
			add_figure(k, &k->all.items[i / 2], i % 2);
			return;
		}
	}
}

static enum column_unit
stored_unit(const struct table_column *c, const char *name)
{
	enum holds holds = c->holds;
	const char *suffix = strrchr(name, '_');

	if (holds == HOLDS_TEXT || holds == HOLDS_WORD)
		return UNIT_TEXT;
	if (holds != HOLDS_COUNT && holds != HOLDS_KNOWN)
		return UNIT_NUMBER;
	suffix = suffix ? suffix + 1 : name;
	return !strcmp(suffix, "ns") ? UNIT_NS : !strcmp(suffix, "bytes") ? UNIT_BYTES
	     : !strcmp(suffix, "samples") ? UNIT_SAMPLES : UNIT_COUNT;
}

/* Adds column C of the listing's table. Times that add up have equal rows in the listing's order
 * of these. */
static void
add_stored(struct maker *k, const struct list_column *c)
{
	static const struct table_column temporary = { .name = "", .holds = HOLDS_COUNT };
	const struct list_spec *s = &list_specs[k->kind];
	enum table_id of = s->figures.table ? s->figures.of : s->columns[0].id;
	const struct table_column *column = of ? tables[of].columns : &temporary;
	struct list_column *made = &k->columns[k->nr++];
	struct strbuf sql = STRBUF_INIT;

	while (of && !table_ends(column) && (!column->name || strcmp(column->name, c->name)))
		column++;
	strbuf_char(&sql, '-');
	strbuf_add(&sql, s->id, strcspn(s->id, ".") + 1);
	strbuf_str(&sql, c->name);
	*made = *c;
	made->sql = arena_strdup(k->arena, sql.buf + 1);
	/* One of a place, which is one entry of the table, is a number. */
	made->unit = table_ends(column) ? UNIT_NUMBER : stored_unit(column, c->name);
	if (s->figures.ties && !(c->flags & LIST_NO_SUM) &&
	    (made->unit == UNIT_NS || made->unit == UNIT_SAMPLES)) {
		made->sort[0] = arena_strdup(k->arena, sql.buf);
		made->sort[1] = s->figures.ties;
	}
	strbuf_release(&sql);
}

/* Adds the columns of list_spec.c, and those of builtin measures that only the table has. */
static void
add_common(struct maker *k)
{
	const struct list_spec *s = &list_specs[k->kind];

	k->nr = 0;
	k->shared = false;
	for (const struct list_column *c = s->columns; c->name; c++) {
		if (!c->sql)
			add_builtin(k, c->name);
		else if (*c->sql)
			k->columns[k->nr++] = *c;
		else
			add_stored(k, c);
	}
	k->columns[k->nr].name = NULL;
	for (const struct table_column *c = tables[s->figures.of].columns;
	     s->figures.table && !table_ends(c); c++)
		if (c->name && find(k->columns, c->name, strlen(c->name)) < 0)
			add_builtin(k, c->name);
}

/* Adds the columns of stored measures, or of FORMULAS. GOOD: by measure, set when it got one. */
static void
add_figures(struct maker *k, bool formulas, bool *good)
{
	const struct list_spec *s = &list_specs[k->kind];
	bool shared = k->shared;

	for (size_t i = NR_BUILTIN_MEASURES; i < k->all.nr; i++) {
		const struct model_measure *m = &k->all.items[i];

		/* Formulas cannot compute with shares. */
		if (!m->formula == formulas || (formulas && shared))
			continue;
		k->shared = shared && m->inclusive != INCLUSIVE_ARCS &&
			    m->inclusive != INCLUSIVE_MEASURED;
		if (s->figures.self)
			good[i] |= add_figure(k, m, false);
		if (s->figures.total && m->inclusive != INCLUSIVE_NONE)
			good[i] |= add_figure(k, m, true);
	}
	k->shared = shared;
}

/* Of a span there is no time of each call, nor of each execution. */
static void
drop_each(struct maker *k)
{
	for (int i = 0; i < k->nr; i++) {
		struct list_column *c = &k->columns[i];
		const char *each = strstr(c->name, "_each_ns");

		if (!each || each[strlen("_each_ns")])
			continue;
		c->sql = "NULL";
		memset(c->sort, 0, sizeof(c->sort));
	}
}

/* Returns the columns of a kind, in K's arena. STACKS: the totals of arcs come from stacks. */
static const struct list_column *
make_columns(struct maker *k, enum list_kind kind, bool stacks, bool *good)
{
	struct list_column *columns;
	size_t size;

	k->kind = kind;
	add_common(k);
	k->shared = list_specs[kind].figures.before && !stacks;
	add_figures(k, false, good);
	add_figures(k, true, good); /* whose formulas name the stored ones */
	if (k->span)
		drop_each(k);
	size = ((size_t)k->nr + 1) * sizeof(*columns);
	columns = arena_alloc(k->arena, size);
	memcpy(columns, k->columns, size);
	return columns;
}

bool
list_formula_of_lines(struct measures all, const struct model_measure *measure,
		      struct strbuf *sql)
{
	struct arena arena = ARENA_INIT;
	struct maker *k = xcalloc(1, sizeof(*k));
	bool good[NR_BUILTIN_MEASURES + MEASURES_MAX] = { false };
	const struct list_column *c;

	k->arena = &arena;
	k->all = all;
	c = make_columns(k, LIST_LINE, true, good);
	while (c->name && c->measure != measure)
		c++;
	strbuf_str(sql, c->name ? c->sql : "");
	good[0] = c->name;
	free(k);
	arena_release(&arena);
	return good[0];
}

static void
tell_formulas(struct profile *p, const bool *good)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < p->measures.nr; i++) {
		if (good[i] || !p->measures.items[i].formula)
			continue;
		strbuf_str(&names, names.len ? ", " : "");
		strbuf_str(&names, p->measures.items[i].name);
	}
	if (names.len)
		p->without_formula = arena_strdup(&p->arena, names.buf);
	strbuf_release(&names);
}

void
profile_make_columns(struct profile *p)
{
	struct maker *k = xcalloc(1, sizeof(*k));
	bool good[NR_BUILTIN_MEASURES + MEASURES_MAX] = { false };

	k->arena = &p->arena;
	k->all = p->measures;
	k->span = p->totals.is_span;
	for (int kind = 0; kind < LIST_NR; kind++)
		p->columns[kind] = list_specs[kind].figures.table
			? make_columns(k, (enum list_kind)kind, profile_has_stacks(p), good)
			: list_columns((enum list_kind)kind);
	tell_formulas(p, good);
	free(k);
}

/* ---- asking ---- */

const struct list_column *
list_columns(enum list_kind kind)
{
	static const struct list_column *made[LIST_NR]; /* they stay until the program ends */
	static struct arena arena = ARENA_INIT;
	struct maker *k;

	if (kind >= LIST_NR)
		return list_specs[kind].columns;
	if (!made[kind]) {
		k = xcalloc(1, sizeof(*k));
		k->arena = &arena;
		k->all = (struct measures){ builtin_measures, NR_BUILTIN_MEASURES, 0 };
		made[kind] = make_columns(k, kind, true, NULL);
		free(k);
	}
	return made[kind];
}

const struct list_column *
profile_columns(const struct profile *p, enum list_kind kind)
{
	return p && kind < LIST_NR ? p->columns[kind] : list_columns(kind);
}

int
profile_column_find(const struct profile *p, enum list_kind kind, const char *name)
{
	return find(profile_columns(p, kind), name, strlen(name));
}

int
list_column_find(enum list_kind kind, const char *name)
{
	return find(list_columns(kind), name, strlen(name));
}

bool
list_adds_up(const struct list_column *column)
{
	return unit_descends(column->unit) && column->unit != UNIT_RATIO &&
	       column->unit != UNIT_VALUE && !(column->flags & LIST_NO_SUM);
}

bool
list_has_files(enum list_kind kind)
{
	return list_specs[kind].file != NULL;
}

const char *
profile_without_formula(const struct profile *p)
{
	return p->without_formula;
}

/* ---- rows that are made ---- */

void
list_row_empty(struct list_row *row)
{
	*row = (struct list_row){ .arcs = 0 };
	for (int i = 0; i < LIST_MAX_COLUMNS; i++)
		row->cells[i] = (struct cell){ .null = true, .text = "" };
}

void
list_row_put_number(struct list_row *row, enum list_kind kind, const char *column, int64_t n)
{
	row->cells[list_column_find(kind, column)] = (struct cell){ .number = n, .text = "" };
}

void
list_row_put_real(struct list_row *row, enum list_kind kind, const char *column, double v)
{
	row->cells[list_column_find(kind, column)] = (struct cell){
		.null = isnan(v), .real = v, .text = "",
	};
}

void
list_row_put_text(struct list_row *row, enum list_kind kind, const char *column, const char *text)
{
	row->cells[list_column_find(kind, column)] = (struct cell){
		.null = !text, .text = text ? text : "",
	};
}
