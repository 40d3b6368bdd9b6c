#include "db/lists/compared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/arc_ends.h"
#include "db/model/table.h"
#include "db/store/connection.h"
#include "util/job.h"
#include "util/order.h"

void
profile_compared_set(struct profile *p, int things, const struct compared_source *source)
{
	if (things < 1 || things > MAX_COMPARED_THINGS)
		BUG("things %d", things);
	p->compared[things] = source ? *source : (struct compared_source){ .rows = 0 };
}

uint64_t
profile_compared_rows(const struct profile *p, int things)
{
	return p->compared[things].rows;
}

bool
profile_compared_read(const struct profile *p, int things, uint64_t i, struct arena *arena,
		      struct compared_record *r)
{
	const struct compared_source *source = &p->compared[things];

	*r = (struct compared_record){ .owner = 0 };
	if (i >= source->rows)
		return false;
	source->read(source->context, i, arena, r);
	return true;
}

int64_t
profile_compared_id(int things, uint64_t i)
{
	return COMPARED_ID(things) + (int64_t)i;
}

/* ---- stored ---- */

static const char *
kept(struct profile *p, sqlite3_stmt *st, int column)
{
	size_t n;
	const char *text = column_text(st, column, &n);

	return arena_strndup(&p->arena, text, n);
}

size_t
profile_stored_sides(struct profile *p, struct stored_side *sides, size_t max)
{
	sqlite3_stmt *st = profile_prepare(p, "SELECT path, build_id, size, count_scale, "
					      "time_scale, started_ns, blocks_executed, "
					      "self_ns FROM compared ORDER BY id");
	size_t nr = 0;

	while (nr < max && profile_step(p, st)) {
		sides[nr++] = (struct stored_side){
			.path = kept(p, st, 0), .build_id = kept(p, st, 1),
			.size = column_real(st, 2),
			.count_scale = column_real(st, 3),
			.time_scale = column_real(st, 4),
			.started_ns = column_integer(st, 5),
			.blocks_executed = column_count(p, st, 6),
			.self_ns = column_count(p, st, 7),
		};
	}
	sqlite3_finalize(st);
	return nr;
}

static sqlite3_stmt *
about(struct profile *p, const char *sql, const char *name)
{
	sqlite3_stmt *st = profile_prepare(p, sql);

	if (st)
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	return st;
}

#define OF_METRIC "metric = (SELECT min(id) FROM metric WHERE things = ?1)"

char *
profile_stored_expression(struct profile *p, const char *name)
{
	sqlite3_stmt *st = about(p, "SELECT expression FROM metric WHERE things = ?1 ORDER BY id",
				 name);
	char *text = NULL;
	size_t n;

	if (profile_step(p, st)) {
		const char *s = column_text(st, 0, &n);

		text = xcalloc(n + 1, 1);
		memcpy(text, s, n);
	}
	sqlite3_finalize(st);
	return text;
}

/* ---- its rows, one by one ---- */

struct stored_rows {
	struct profile *profile;
	sqlite3_stmt *row;
	uint32_t *ids;           /* the greatest |value| first */
	uint32_t nr;
	bool calls;              /* the rows are calls, which have ends */
	bool texts;              /* the rows have source texts */
	struct ends ends;        /* made when it is asked for */
};

static struct scalar_value
value_of(sqlite3_stmt *st, int i)
{
	struct scalar_value v = { .type = SCALAR_NULL };

	if (sqlite3_column_type(st, i) == SQLITE_INTEGER) {
		v.type = SCALAR_INTEGER;
		v.integer = column_integer(st, i);
	} else if (sqlite3_column_type(st, i) == SQLITE_FLOAT) {
		v.type = SCALAR_REAL;
		v.real = column_real(st, i);
	}
	return v;
}

static const char *
text_in(struct arena *arena, sqlite3_stmt *st, int i)
{
	size_t n;
	const char *text;

	if (sqlite3_column_type(st, i) == SQLITE_NULL)
		return NULL;
	text = column_text(st, i, &n);
	return arena_strndup(arena, text, n);
}

static bool
step_to(struct stored_rows *s, uint64_t i)
{
	sqlite3_reset(s->row);
	profile_step_anew(s->row);
	sqlite3_bind_int64(s->row, 1, s->ids[i]);
	return profile_step(s->profile, s->row);
}

static void
read_stored(void *context, uint64_t i, struct arena *arena, struct compared_record *r)
{
	struct stored_rows *s = context;
	struct profile *p = s->profile;
	struct model_comparison *row = &r->row;
	sqlite3_stmt *st = s->row;
	const char *kind;

	if (!step_to(s, i))
		return;
	row->procedure = r->owner = column_id(p, st, 0, TABLE_PROCEDURE);
	row->procedure_name = text_in(arena, st, 1);
	row->callee = column_id(p, st, 2, TABLE_PROCEDURE);
	row->callee_name = text_in(arena, st, 3);
	column_compared_place(p, st, 4, &row->place);
	row->path = text_in(arena, st, 9);
	row->kind = kind = text_in(arena, st, 10);
	row->a = value_of(st, 11);
	row->b = value_of(st, 12);
	row->value = value_of(st, 13);
	row->sides = text_in(arena, st, 14);
	row->significance = sqlite3_column_type(st, 15) == SQLITE_NULL
				    ? NAN : column_real(st, 15);
	r->arcs = column_u32(p, st, 16);
	/* Ends that are not in this profile all have the number 0. */
	r->caller = s->calls ? row->procedure : 0;
	r->callee = s->calls ? row->callee : 0;
	r->pair = s->calls ? column_id(p, st, 17, TABLE_COMPARISON) : 0;
	row->type = text_in(arena, st, 18);
	row->size_class = sqlite3_column_type(st, 19) == SQLITE_NULL
				  ? COUNT_UNKNOWN : column_count(p, st, 19);
	if (s->texts && row->place.file) {
		r->holder = s->profile;
		r->held_file = row->place.file;
	}
	r->estimated = kind && (!strcmp(kind, stored_arc_hows[ARC_ESTIMATED]) ||
				!strcmp(kind, stored_arc_hows[ARC_PINNED]));
	sqlite3_reset(st);
}

static uint32_t
stored_end(void *context, uint32_t i, bool callee)
{
	struct stored_rows *s = context;

	return step_to(s, i) ? column_id(s->profile, s->row, callee ? 2 : 0, TABLE_PROCEDURE) : 0;
}

static const uint32_t *
stored_calls(void *context, bool callee, uint32_t entity, size_t *nr)
{
	struct stored_rows *s = context;
	bool still;

	if (!s->ends.ready) {
		still = job_still(true); /* SQLite waits for the rows */
		ends_make(&s->ends, s->nr, column_last_id(s->profile, TABLE_PROCEDURE), stored_end,
			  s);
		sqlite3_reset(s->row);
		job_still(still);
	}
	return ends_of(&s->ends, callee, entity, nr);
}

struct ranked_id { double magnitude; uint32_t id; };

static int
compare_ranks(const void *pa, const void *pb)
{
	const struct ranked_id *a = pa, *b = pb;

	COMPARE(b->magnitude, a->magnitude);
	return (a->id > b->id) - (a->id < b->id);
}

/* The ids are in the order of |value| if cgview wrote them; infinite values, which stand last where
 * they weigh little, are left in their places then. */
static void
read_ids(struct stored_rows *s, const char *name)
{
	sqlite3_stmt *st = about(s->profile, "SELECT id, coalesce(abs(value + 0.0), -1) "
				 "FROM comparison "
				 "WHERE " OF_METRIC " ORDER BY id", name);
	struct ranked_id *ranks = NULL;
	size_t nr = 0, alloc = 0;
	double last = INFINITY;
	bool sorted = true;

	while (nr < UINT32_MAX && profile_step(s->profile, st)) {
		GROW(ranks, nr + 1, alloc);
		ranks[nr].id = column_id(s->profile, st, 0, TABLE_COMPARISON);
		ranks[nr].magnitude = column_real(st, 1);
		if (!isinf(ranks[nr].magnitude)) {
			sorted &= ranks[nr].magnitude <= last;
			last = ranks[nr].magnitude;
		}
		nr++;
	}
	sqlite3_finalize(st);
	if (!sorted)
		qsort(ranks, nr, sizeof(*ranks), compare_ranks);
	s->nr = (uint32_t)nr;
	s->ids = xcalloc(nr, sizeof(*s->ids));
	for (size_t i = 0; i < nr; i++)
		s->ids[i] = ranks[i].id;
	free(ranks);
}

static void
forget_rows(struct profile *p, int things)
{
	struct stored_rows *s = p->stored[things];

	if (!s)
		return;
	profile_compared_set(p, things, NULL);
	sqlite3_finalize(s->row);
	ends_release(&s->ends);
	free(s->ids);
	free(s);
	p->stored[things] = NULL;
}

void
profile_stored_forget(struct profile *p)
{
	for (int i = 1; i <= MAX_COMPARED_THINGS; i++)
		forget_rows(p, i);
}

void
profile_stored_rows(struct profile *p, const char *name, int things)
{
	struct stored_rows *s = xcalloc(1, sizeof(*s));
	struct compared_source source = { .read = read_stored, .context = s };

	forget_rows(p, things);
	p->stored[things] = s;
	s->profile = p;
	s->row = profile_prepare(p, "SELECT procedure, procedure_name, callee, callee_name, file, "
				    "line, column, end_line, end_column, path, kind, a, b, value, "
				    "sides, significance, arcs, coalesce(pair, id), "
				    "type, size_class "
				    "FROM comparison WHERE id = ?1");
	if (!s->row)
		return;
	read_ids(s, name);
	s->calls = !strcmp(name, "arc") || !strcmp(name, "pair");
	s->texts = strcmp(name, "procedure") && strcmp(name, "file");
	if (s->calls)
		source.calls = stored_calls;
	source.rows = s->nr;
	profile_compared_set(p, things, &source);
}

/* ---- its rows by their places ---- */

static void
read_value(struct profile *p, sqlite3_stmt *st, struct stored_value *v)
{
	size_t n;
	const char *kind = column_text(st, 9, &n);

	column_compared_place(p, st, 0, &v->place);
	v->a = value_of(st, 5);
	v->b = value_of(st, 6);
	v->value = value_of(st, 7);
	v->significance = sqlite3_column_type(st, 8) == SQLITE_NULL
				  ? NAN : column_real(st, 8);
	v->kind = n == strlen(stored_range_kinds[RANGE_PROCEDURE]) &&
		  !memcmp(kind, stored_range_kinds[RANGE_PROCEDURE], n)
			  ? RANGE_PROCEDURE : RANGE_STATEMENT;
}

size_t
profile_stored_at(struct profile *p, const char *name, model_id file, uint32_t first,
		  uint32_t last, struct stored_value **values)
{
	sqlite3_stmt *st = about(p, "SELECT file, line, column, end_line, end_column, a, b, value, "
				    "significance, kind FROM comparison WHERE file = ?2 AND "
				    "line <= ?4 AND coalesce(end_line, line) >= ?3 AND " OF_METRIC
				    " ORDER BY line, column, end_line DESC, end_column DESC", name);
	size_t nr = 0, alloc = 0;

	*values = NULL;
	if (!st)
		return 0;
	sqlite3_bind_int64(st, 2, file);
	sqlite3_bind_int64(st, 3, first);
	sqlite3_bind_int64(st, 4, last);
	while (profile_step(p, st)) {
		GROW(*values, nr + 1, alloc);
		read_value(p, st, &(*values)[nr++]);
	}
	sqlite3_finalize(st);
	return nr;
}

void
profile_stored_facts(struct profile *p, const char *name, struct stored_facts *facts)
{
	sqlite3_stmt *st = about(p, "SELECT max(abs(value + 0.0)) FILTER (WHERE "
				    "abs(value + 0.0) < 9e999), max(significance IS NOT NULL), "
				    "max(sides NOT IN ('both', 'all')), max(sides LIKE 'like (%'), "
				    "max(sides LIKE 'uses %') "
				    "FROM comparison WHERE " OF_METRIC, name);

	*facts = (struct stored_facts){ .greatest = 0 };
	if (profile_step(p, st)) {
		facts->greatest = column_real(st, 0);
		facts->sampled = column_integer(st, 1);
		facts->apart = column_integer(st, 2);
		facts->alike = column_integer(st, 3);
		facts->affected = column_integer(st, 4);
	}
	sqlite3_finalize(st);
}

struct judging { sqlite3_stmt *st; double *all; };

static void
end_judging(void *judging)
{
	struct judging *j = judging;

	sqlite3_finalize(j->st);
	free(j->all);
}

struct discoveries
profile_stored_discoveries(struct profile *p, const char *name)
{
	struct judging j = { .all = NULL };
	size_t nr = 0, alloc = 0;
	struct discoveries found;
	struct job_hold hold;

	j.st = about(p, "SELECT significance FROM comparison WHERE value <> 0 AND "
			"significance IS NOT NULL AND " OF_METRIC, name);
	job_hold(&hold, end_judging, &j);
	while (profile_step(p, j.st)) {
		GROW(j.all, nr + 1, alloc);
		j.all[nr++] = column_real(j.st, 0);
		job_pause(1);
	}
	found = discoveries_of(j.all, nr, profile_level(p));
	job_let_go(&hold);
	return found;
}

double
profile_level(struct profile *p)
{
	static const char before[] = "judged at ";
	sqlite3_stmt *st = profile_prepare(p, "SELECT text FROM note WHERE kind = 'looks'");
	double level = FALSE_DISCOVERIES, told;
	const char *at;
	size_t n;

	while (st && profile_step(p, st)) {
		at = strstr(column_text(st, 0, &n), before);
		told = at ? strtod(at + strlen(before), NULL) : 0;
		level = told > 0 && told < level ? told : level;
	}
	sqlite3_finalize(st);
	return level;
}
