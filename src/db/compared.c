#include "db/compared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/connection.h"
#include "db/schema.h"

static void
run(struct profile *p, const char *sql)
{
	sqlite3_stmt *st = profile_prepare(p, sql);

	profile_step(p, st);
	sqlite3_finalize(st);
}

void
profile_make_compared(struct profile *p)
{
	if (p->compared_made)
		return;
	p->compared_made = true;
	/* Only the database in memory can be written to: the file was opened for reading. */
	run(p, "PRAGMA query_only = OFF");
	run(p, "CREATE TEMP TABLE compared_row(id INTEGER PRIMARY KEY, things INTEGER, "
	       "procedure INTEGER, procedure_name TEXT, callee INTEGER, callee_name TEXT, "
	       "file INTEGER, path TEXT, line INTEGER, column INTEGER, end_line INTEGER, "
	       "end_column INTEGER, kind TEXT, a, b, value, magnitude REAL, sides TEXT, "
	       "significance REAL, spark TEXT, owner INTEGER, caller_entity INTEGER, "
	       "callee_entity INTEGER, first_file INTEGER, first_line INTEGER, "
	       "first_column INTEGER, first_end_line INTEGER, first_end_column INTEGER, "
	       "estimated INTEGER)");
	run(p, "CREATE INDEX temp.compared_by_caller ON compared_row(caller_entity) "
	       "WHERE caller_entity IS NOT NULL");
	run(p, "CREATE INDEX temp.compared_by_callee ON compared_row(callee_entity) "
	       "WHERE callee_entity IS NOT NULL");
	run(p, "PRAGMA query_only = ON");
}

/* Rows of one kind have ids of their own, so that they lie together. */
#define FIRST_ID(things) ((int64_t)(things) << 40)

bool
profile_compared_begin(struct profile *p, int things)
{
	sqlite3_stmt *st;

	if (things < 1 || things > MAX_COMPARED_THINGS)
		BUG("things %d", things);
	profile_make_compared(p);
	run(p, "PRAGMA query_only = OFF");
	run(p, "BEGIN");
	st = profile_prepare(p, "DELETE FROM temp.compared_row WHERE id BETWEEN ?1 AND ?2");
	if (st) {
		sqlite3_bind_int64(st, 1, FIRST_ID(things));
		sqlite3_bind_int64(st, 2, FIRST_ID(things + 1) - 1);
		profile_step(p, st);
		sqlite3_finalize(st);
	}
	p->compared_things = things;
	p->compared_rows[things] = 0;
	p->compared_add = profile_prepare(p,
		"INSERT INTO temp.compared_row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	return p->compared_add != NULL;
}

/* What is bound next: parameters are in the order of the table's columns. */
struct binder { sqlite3_stmt *st; int at; };

static void
bind_number(struct binder *b, int64_t n)
{
	sqlite3_bind_int64(b->st, ++b->at, n);
}

static void
bind_some(struct binder *b, int64_t n)
{
	if (n)
		bind_number(b, n);
	else
		sqlite3_bind_null(b->st, ++b->at);
}

static void
bind_text(struct binder *b, const char *text)
{
	sqlite3_bind_text(b->st, ++b->at, text, -1, SQLITE_STATIC);
}

static void
bind_value(struct binder *b, const struct scalar_value *v)
{
	b->at++;
	if (v->type == SCALAR_INTEGER)
		sqlite3_bind_int64(b->st, b->at, v->integer);
	else if (v->type == SCALAR_REAL)
		sqlite3_bind_double(b->st, b->at, v->real);
	else
		sqlite3_bind_null(b->st, b->at);
}

static void
bind_place(struct binder *b, const struct place *p)
{
	bind_some(b, p->line);
	bind_some(b, p->column);
	bind_some(b, p->end_line);
	bind_some(b, p->end_column);
}

static double
magnitude(const struct scalar_value *v)
{
	return v->type == SCALAR_INTEGER ? fabs((double)v->integer)
	       : v->type == SCALAR_REAL  ? fabs(v->real)
					 : -1;
}

void
profile_compared_add(struct profile *p, const struct compared_record *r)
{
	struct binder b = { p->compared_add, 0 };
	const struct model_comparison *row = &r->row;
	bool moved = !row->place.file && r->first.file;

	if (!b.st)
		return;
	sqlite3_reset(b.st);
	profile_step_anew(b.st);
	bind_number(&b, FIRST_ID(p->compared_things) +
			(int64_t)p->compared_rows[p->compared_things]++);
	bind_number(&b, p->compared_things);
	bind_some(&b, row->procedure);
	bind_text(&b, row->procedure_name);
	bind_some(&b, row->callee);
	bind_text(&b, row->callee_name);
	bind_some(&b, row->place.file);
	bind_text(&b, moved && r->first_path ? r->first_path : row->path);
	bind_place(&b, moved ? &r->first : &row->place);
	bind_text(&b, row->kind);
	bind_value(&b, &row->a);
	bind_value(&b, &row->b);
	bind_value(&b, &row->value);
	sqlite3_bind_double(b.st, ++b.at, r->ranked ? r->rank : magnitude(&row->value));
	bind_text(&b, row->sides);
	sqlite3_bind_double(b.st, ++b.at, row->significance); /* NAN is NULL */
	bind_text(&b, r->spark);
	bind_some(&b, r->owner);
	bind_some(&b, r->caller);
	bind_some(&b, r->callee);
	bind_some(&b, r->first.file);
	bind_place(&b, &r->first);
	bind_number(&b, r->estimated);
	profile_step(p, b.st);
}

void
profile_compared_end(struct profile *p)
{
	sqlite3_finalize(p->compared_add);
	p->compared_add = NULL;
	run(p, "COMMIT");
	run(p, "PRAGMA query_only = ON");
}

uint64_t
profile_compared_rows(const struct profile *p, int things)
{
	return p->compared_rows[things];
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
					      "time_scale FROM compared ORDER BY id");
	size_t nr = 0;

	while (nr < max && profile_step(p, st)) {
		sides[nr++] = (struct stored_side){
			.path = kept(p, st, 0), .build_id = kept(p, st, 1),
			.size = sqlite3_column_double(st, 2),
			.count_scale = sqlite3_column_double(st, 3),
			.time_scale = sqlite3_column_double(st, 4),
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

void
profile_stored_rows(struct profile *p, const char *name, int things)
{
	sqlite3_stmt *st;

	if (!profile_compared_begin(p, things))
		return;
	/* Both ends of a call that are not here cannot be told apart by number. */
	st = about(p, "INSERT INTO temp.compared_row SELECT ?2 + row_number() OVER (ORDER BY id), "
		      "?3, procedure, procedure_name, callee, callee_name, file, path, line, "
		      "column, end_line, end_column, kind, a, b, value, "
		      "coalesce(abs(value), -1), sides, significance, NULL, procedure, "
		      "CASE WHEN kind IN ('exact', 'estimated', 'pinned', 'measured') "
		      "THEN procedure END, CASE WHEN kind IN ('exact', 'estimated', 'pinned', "
		      "'measured') THEN callee END, NULL, NULL, NULL, NULL, NULL, "
		      "kind IN ('estimated', 'pinned') FROM comparison WHERE " OF_METRIC, name);
	if (st) {
		sqlite3_bind_int64(st, 2, FIRST_ID(things));
		sqlite3_bind_int64(st, 3, things);
		profile_step(p, st);
		p->compared_rows[things] = (uint64_t)sqlite3_changes64(p->db);
		sqlite3_finalize(st);
	}
	profile_compared_end(p);
}

static struct scalar_value
value_of(sqlite3_stmt *st, int i)
{
	struct scalar_value v = { .type = SCALAR_NULL };

	if (sqlite3_column_type(st, i) == SQLITE_INTEGER) {
		v.type = SCALAR_INTEGER;
		v.integer = sqlite3_column_int64(st, i);
	} else if (sqlite3_column_type(st, i) == SQLITE_FLOAT) {
		v.type = SCALAR_REAL;
		v.real = sqlite3_column_double(st, i);
	}
	return v;
}

static void
read_value(sqlite3_stmt *st, struct stored_value *v)
{
	size_t n;
	const char *kind = column_text(st, 9, &n);

	column_place(st, 0, &v->place);
	v->a = value_of(st, 5);
	v->b = value_of(st, 6);
	v->value = value_of(st, 7);
	v->significance = sqlite3_column_type(st, 8) == SQLITE_NULL
				  ? NAN : sqlite3_column_double(st, 8);
	v->kind = n == strlen(schema_range_kinds[RANGE_PROCEDURE]) &&
		  !memcmp(kind, schema_range_kinds[RANGE_PROCEDURE], n)
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
		read_value(st, &(*values)[nr++]);
	}
	sqlite3_finalize(st);
	return nr;
}

double
profile_stored_greatest(struct profile *p, const char *name)
{
	sqlite3_stmt *st = about(p, "SELECT max(abs(value)) FROM comparison WHERE "
				    "abs(value) < 9e999 AND " OF_METRIC, name);
	double greatest = profile_step(p, st) ? sqlite3_column_double(st, 0) : 0;

	sqlite3_finalize(st);
	return greatest;
}
