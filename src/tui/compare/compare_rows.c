/* The rows of a comparison for listings, read where they are. */
#include <math.h>
#include <string.h>

#include "compare/store.h"
#include "db/lists/compared.h"
#include "tui/browser.h"
#include "tui/busy.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/index.h"

/* Returns the place of row I of a listing in the table. */
static size_t
place_in_table(const struct compare_kind *k, uint64_t i)
{
	return k->series.rows ? k->series.rows[i].row : (size_t)i;
}

enum { SPARK_WIDTH = 8 /* that of the column */ };

static void
fill_series(struct compare_kind *k, uint64_t i, struct compared_record *r, struct arena *arena)
{
	const struct series_row *row = &k->series.rows[i];
	size_t nr = comparison_profiles(k->series.c);
	double values[MAX_PROFILES];
	struct error err = ERROR_INIT;
	struct strbuf text = STRBUF_INIT;
	struct fit fit;

	if (series_values(&k->series, row, values, &err))
		memset(values, 0, sizeof(values));
	fit_values(&k->series.sizes, values, &fit);
	fit_name(&fit, &text);
	r->model = arena_strdup(arena, text.len ? text.buf : "-");
	strbuf_clear(&text);
	for (size_t p = 0; p < nr; p++)
		values[p] = isnan(values[p]) ? 0 : values[p];
	spark_line(&text, values, nr, SPARK_WIDTH, draw_ascii());
	r->spark = arena_strdup(arena, text.buf);
	strbuf_release(&text);
	r->row.a = (struct scalar_value){ .type = SCALAR_REAL, .real = values[0] };
	r->row.b = (struct scalar_value){ .type = SCALAR_REAL, .real = values[nr - 1] };
	r->row.value.type = isnan(row->exponent) ? SCALAR_NULL : SCALAR_REAL;
	r->row.value.real = (double)row->exponent;
	r->row.significance = isnan(k->exponents[row->row]) ? 0 : NAN;
}

const struct series_row *
compare_series_row(struct browser *b, int things, const struct list_row *row)
{
	const struct series *s = &b->compare.kinds[things - 1].series;
	int64_t i = table_id(row) - profile_compared_id(things, 0);

	return i >= 0 && (size_t)i < s->nr_rows ? &s->rows[i] : NULL;
}

static void
fill_middle(const struct compare_kind *k, size_t at, const struct sides *sides,
	    struct compared_record *r)
{
	size_t last = match_profiles(compared_match(k->table)) - 1;

	for (size_t i = 0; i < MAX_COMPARED_MIDDLE && i + 1 < last; i++)
		if (sides_have(sides, i + 1))
			r->middle[i] = compared_value(k->table, at, i + 1,
						      compared_figure_of(k->table, i + 1));
}

static void
read_row(void *context, uint64_t i, struct arena *arena, struct compared_record *r)
{
	struct compare_kind *k = context;
	size_t at = place_in_table(k, i);
	struct compared_row row;

	compared_what(k->table, at, &row);
	compared_listed(k->table, at, true, arena, r);
	fill_middle(k, at, &row.sides, r);
	if (k->series.rows)
		fill_series(k, i, r, arena);
}

static uint32_t
end_of(void *context, uint32_t i, bool callee)
{
	struct compare_kind *k = context;
	struct compared_row row;

	compared_what(k->table, place_in_table(k, i), &row);
	return callee ? row.callee : row.entity;
}

void
compare_find_ends(void *kind)
{
	struct compare_kind *k = kind;

	ends_make(&k->ends, (uint32_t)compared_rows(k->table),
		  (uint32_t)match_entities(compared_match(k->table)), end_of, k);
}

static const uint32_t *
calls_of(void *context, bool callee, uint32_t entity, size_t *nr)
{
	struct compare_kind *k = context;

	return ends_of(&k->ends, callee, entity, nr);
}

void
compare_show_rows(struct browser *b, enum compare_by by)
{
	struct compare_kind *k = &b->compare.kinds[by];
	struct compared_source source = {
		.read = read_row, .calls = compare_by_is_arcs(by) ? calls_of : NULL, .context = k,
	};

	if (k->listed)
		return;
	k->listed = true;
	if (!b->compare.c) {
		profile_stored_rows(b->profile, compare_by_name(by), (int)by + 1);
		return;
	}
	source.rows = k->table ? compared_rows(k->table) : 0;
	profile_compared_set(b->profile, (int)by + 1, &source);
}

void
compare_row_target(const struct table *t, const struct list_row *row, struct target *target)
{
	struct browser *b = t->browser;
	bool there = table_number(t, row, "file_id") != 0;
	model_id first = (model_id)table_number(t, row, "first_file");

	target->first = first && (b->compare.first || !there);
	target->place = target->first ? table_first_place(t, row) : table_place(t, row);
	target->procedure = compare_of_entity(b, (uint32_t)table_number(t, row, "owner"));
}

/* ---- finding a row in other rows ---- */

static uint64_t
hash_of_type(const char *type)
{
	return hash_text(HASH_START, type ? type : "");
}

/* Size classes that are not known are none. */
static uint64_t
size_of(uint64_t size_class)
{
	return size_class == COUNT_UNKNOWN ? 0 : size_class;
}

struct held_row
compare_row_to_hold(const struct table *t, const struct list_row *row)
{
	return (struct held_row){
		.known = true, .things = t->kind->things, .owner = table_number(t, row, "owner"),
		.place = table_place(t, row), .first = table_first_place(t, row),
		.type = hash_of_type(table_text(t, row, "type")),
		.size_class = size_of((uint64_t)table_number(t, row, "size_class")),
	};
}

static bool
is_about(const struct compared_record *r, const struct held_row *s)
{
	struct place place = r->row.place;

	if ((int64_t)r->owner != s->owner || !place_same(&r->first, &s->first) ||
	    hash_of_type(r->row.type) != s->type || size_of(r->row.size_class) != s->size_class)
		return false;
	/* A row that is only in the first profile is shown there. */
	if (!place.file && r->first.file) {
		place = r->first;
		place.file = 0;
	}
	return place_same(&place, &s->place);
}

/* Searches for the row from S->at on, until the slice is over. */
static bool
find_held(struct browser *b, int things, struct held_row *s)
{
	enum { STRIDE = 256 };
	struct arena arena = ARENA_INIT;
	struct compared_record r;
	bool found = false;

	while (profile_compared_read(b->profile, things, s->at, &arena, &r)) {
		found = is_about(&r, s);
		if (found || (++s->at % STRIDE == 0 && busy_over(b)))
			break;
	}
	arena_release(&arena);
	return found;
}

int64_t
compare_row_of(struct browser *b, struct subject procedure)
{
	enum { THINGS = BY_PROCEDURE + 1, MOST = 20000 };
	uint32_t entity = compare_entity(b, procedure);
	struct arena arena = ARENA_INIT;
	struct compared_record r;
	int64_t id = -1;

	for (uint64_t i = 0; entity && id < 0 && i < MOST &&
	     profile_compared_read(b->profile, THINGS, i, &arena, &r); i++)
		if (r.owner == entity)
			id = profile_compared_id(THINGS, i);
	arena_release(&arena);
	return id;
}

bool
compare_seek(struct browser *b)
{
	struct held_row *s = &b->compare.held;
	struct view *v = compare_rows_view(b);
	struct table *t = view_table(v);
	int things = t->kind->things;

	if (!s->known || t->waits)
		return !s->known;
	if (t->kind->list != LIST_COMPARISON || things != s->things || v->cursor) {
		s->known = false;
	} else if (find_held(b, things, s)) {
		s->known = false;
		table_seek(v, t, profile_compared_id(things, s->at));
	} else if (s->at >= profile_compared_rows(b->profile, things)) {
		s->known = false;
	}
	return !s->known;
}
