/* The virtual table compared_row. The rows of comparisons are read where they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/connection.h"

enum column {
	ID, THINGS, PROCEDURE, PROCEDURE_NAME, CALLEE, CALLEE_NAME, FILE_ID, PATH, LINE, COLUMN,
	END_LINE, END_COLUMN, KIND, A, B, VALUE, MAGNITUDE, SIDES, SIGNIFICANCE, SPARK, MODEL,
	OWNER, CALLER_ENTITY, CALLEE_ENTITY, FIRST_FILE, FIRST_LINE, FIRST_COLUMN, FIRST_END_LINE,
	FIRST_END_COLUMN, ESTIMATED, ARCS, PAIR, HOLDER, HELD_FILE, TYPE, SIZE_CLASS, VERDICT,
	LEAST, MIDDLE
};

static const char declaration[] =
	"CREATE TABLE compared_row(id INTEGER, things INTEGER, procedure INTEGER, "
	"procedure_name TEXT, callee INTEGER, callee_name TEXT, file INTEGER, path TEXT, "
	"line INTEGER, column INTEGER, end_line INTEGER, end_column INTEGER, kind TEXT, a, b, "
	"value, magnitude REAL, sides TEXT, significance REAL, spark TEXT, model TEXT, "
	"owner INTEGER, caller_entity INTEGER, callee_entity INTEGER, first_file INTEGER, "
	"first_line INTEGER, first_column INTEGER, first_end_line INTEGER, "
	"first_end_column INTEGER, estimated INTEGER, arcs INTEGER, pair INTEGER, holder, "
	"held_file INTEGER, type TEXT, size_class INTEGER, verdict TEXT, least REAL, "
	"m1, m2, m3, m4, m5, m6, m7, m8)";
_Static_assert(MAX_COMPARED_MIDDLE == 8, "m1 to m8");

struct row_table {
	sqlite3_vtab base;       /* first: SQLite's */
	struct profile *profile;
};

struct cursor {
	sqlite3_vtab_cursor base; /* first: SQLite's */
	int things, last_things; /* the things that are read now, the last ones to read */
	const struct compared_source *source;
	const uint32_t *rows;    /* NULL: all */
	uint64_t from, nr, at;   /* how many: of ROWS, or of all from FROM on */
	bool backward;
	bool known;              /* RECORD is that of the row */
	unsigned reads;
	struct arena arena;      /* texts of some records */
	struct compared_record record;
};

/* ---- plans ---- */

/* The values asked for, in the order of the arguments; BACKWARD: from the last row on. */
enum { BY_ID = 1, BY_THINGS = 2, BY_CALLER = 4, BY_CALLEE = 8, BACKWARD = 16 };

static int
plan_of_column(int column)
{
	switch (column) {
	case ID:
		return BY_ID;
	case THINGS:
		return BY_THINGS;
	case CALLER_ENTITY:
		return BY_CALLER;
	case CALLEE_ENTITY:
		return BY_CALLEE;
	default:
		return 0;
	}
}

/* Rows come in the order of their rank, which is also that of their ids. */
static void
plan_order(sqlite3_index_info *info)
{
	int first = info->nOrderBy ? info->aOrderBy[0].iColumn : -1;
	bool down = info->nOrderBy && info->aOrderBy[0].desc;

	if (first == ID && info->nOrderBy == 1) {
		info->orderByConsumed = 1;
		info->idxNum |= down ? BACKWARD : 0;
	} else if (first == MAGNITUDE && info->nOrderBy == 2 && info->aOrderBy[1].iColumn == ID &&
		   info->aOrderBy[1].desc != down && info->idxNum & (BY_ID | BY_THINGS)) {
		info->orderByConsumed = 1;
		info->idxNum |= down ? 0 : BACKWARD;
	}
}

static int
best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	int of[BY_CALLEE + 1] = { 0 }, nr = 0;

	(void)base;
	for (int i = 0; i < info->nConstraint; i++) {
		int plan = plan_of_column(info->aConstraint[i].iColumn);

		if (info->aConstraint[i].usable &&
		    info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ)
			of[plan] = i + 1;
	}
	/* Ends of calls are found among things of one kind only, and one end at a time. */
	if (!of[BY_THINGS])
		of[BY_CALLER] = of[BY_CALLEE] = 0;
	if (of[BY_CALLER])
		of[BY_CALLEE] = 0;
	for (int plan = BY_ID; plan <= BY_CALLEE; plan *= 2) {
		if (!of[plan])
			continue;
		info->idxNum |= plan;
		info->aConstraintUsage[of[plan] - 1].argvIndex = ++nr;
		info->aConstraintUsage[of[plan] - 1].omit = 1;
	}
	plan_order(info);
	info->estimatedCost = of[BY_ID] ? 1 : of[BY_CALLER] || of[BY_CALLEE] ? 100
			      : of[BY_THINGS] ? 1e6 : 1e7;
	return SQLITE_OK;
}

/* ---- cursors ---- */

/* Goes to the first row of the next things that have any. */
static void
next_things(struct cursor *c)
{
	const struct profile *p = ((struct row_table *)c->base.pVtab)->profile;

	while (c->at >= c->nr && c->things != c->last_things) {
		c->things += c->backward ? -1 : 1;
		c->source = &p->compared[c->things];
		c->at = c->from = 0;
		c->nr = c->source->rows;
	}
}

static void
set_things(struct cursor *c, int64_t things)
{
	bool known = things >= 1 && things <= MAX_COMPARED_THINGS;

	/* The cursor stands before the first of the things: next_things() goes to it. */
	c->last_things = known ? (int)things : 0;
	c->things = !known ? 0 : c->backward ? c->last_things + 1 : c->last_things - 1;
}

static void
set_calls(struct cursor *c, bool callee, int64_t entity)
{
	size_t nr = 0;

	if (c->source && c->source->calls && entity > 0 && entity <= UINT32_MAX)
		c->rows = c->source->calls(c->source->context, callee, (uint32_t)entity, &nr);
	c->nr = nr;
}

static void
set_id(struct cursor *c, int64_t id)
{
	int64_t things = id / COMPARED_ID(1);
	uint64_t row = (uint64_t)(id - COMPARED_ID(things));

	if (id < 0 || !c->source || things != c->things || row >= c->nr) {
		c->nr = 0;
		return;
	}
	c->from = row;
	c->nr = 1;
}

static int
filter(sqlite3_vtab_cursor *base, int plan, const char *name, int nr, sqlite3_value **values)
{
	struct cursor *c = (struct cursor *)base;
	int64_t id = plan & BY_ID ? sqlite3_value_int64(*values++) : -1;

	(void)name;
	(void)nr;
	c->backward = plan & BACKWARD;
	c->known = false;
	c->source = NULL;
	c->rows = NULL;
	c->from = c->nr = c->at = 0;
	c->things = c->backward ? MAX_COMPARED_THINGS + 1 : 0;
	c->last_things = c->backward ? 1 : MAX_COMPARED_THINGS;
	if (plan & BY_THINGS)
		set_things(c, sqlite3_value_int64(*values++));
	else if (plan & BY_ID)
		set_things(c, id / COMPARED_ID(1));
	next_things(c);
	if (plan & BY_ID)
		set_id(c, id);
	else if (plan & (BY_CALLER | BY_CALLEE))
		set_calls(c, plan & BY_CALLEE, sqlite3_value_int64(*values));
	return SQLITE_OK;
}

static int
next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	c->at++;
	c->known = false;
	next_things(c);
	return SQLITE_OK;
}

static int
at_end(sqlite3_vtab_cursor *base)
{
	const struct cursor *c = (const struct cursor *)base;

	return c->at >= c->nr;
}

static uint64_t
row_of(const struct cursor *c)
{
	uint64_t at = c->backward ? c->nr - c->at - 1 : c->at;

	return c->rows ? c->rows[at] : c->from + at;
}

static int
row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	const struct cursor *c = (const struct cursor *)base;

	*id = COMPARED_ID(c->things) + (int64_t)row_of(c);
	return SQLITE_OK;
}

static int
open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **cursor)
{
	struct cursor *c = xcalloc(1, sizeof(*c));

	(void)base;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int
close_cursor(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	arena_release(&c->arena);
	free(c);
	return SQLITE_OK;
}

/* ---- columns ---- */

static void
read_record(struct cursor *c)
{
	enum { KEPT = 1024 /* records whose texts are in the arena */ };

	if (c->known)
		return;
	if (++c->reads % KEPT == 0)
		arena_release(&c->arena);
	memset(&c->record, 0, sizeof(c->record));
	c->source->read(c->source->context, row_of(c), &c->arena, &c->record);
	c->known = true;
}

static void
result_number(sqlite3_context *context, int64_t n)
{
	if (n)
		sqlite3_result_int64(context, n);
}

static void
result_text(sqlite3_context *context, const char *text)
{
	if (text)
		sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void
result_value(sqlite3_context *context, const struct scalar_value *v)
{
	if (v->type == SCALAR_INTEGER)
		sqlite3_result_int64(context, v->integer);
	else if (v->type == SCALAR_REAL)
		sqlite3_result_double(context, v->real);
}

static double
magnitude(const struct scalar_value *v)
{
	return v->type == SCALAR_INTEGER ? fabs((double)v->integer)
	       : v->type == SCALAR_REAL  ? fabs(v->real)
					 : -1;
}

static void
result_place(sqlite3_context *context, const struct place *p, int i)
{
	const uint32_t numbers[] = { p->line, p->column, p->end_line, p->end_column };

	result_number(context, numbers[i]);
}

static void
result_column(sqlite3_context *context, const struct compared_record *r, int i)
{
	const struct model_comparison *row = &r->row;
	bool moved = !row->place.file && r->first.file; /* it is only there */
	const struct scalar_value *const values[] = { &row->a, &row->b, &row->value };
	const int64_t numbers[] = {
		[PROCEDURE] = row->procedure, [CALLEE] = row->callee,
		[FILE_ID] = row->place.file, [OWNER] = r->owner, [CALLER_ENTITY] = r->caller,
		[CALLEE_ENTITY] = r->callee, [FIRST_FILE] = r->first.file,
		[ESTIMATED] = r->estimated, [ARCS] = r->arcs, [PAIR] = r->pair,
		[HELD_FILE] = r->held_file,
		[SIZE_CLASS] = row->size_class == COUNT_UNKNOWN ? 0 : (int64_t)row->size_class,
	};
	const char *const texts[] = {
		[PROCEDURE_NAME] = row->procedure_name, [CALLEE_NAME] = row->callee_name,
		[PATH] = moved && r->first_path ? r->first_path : row->path, [KIND] = row->kind,
		[SIDES] = row->sides, [SPARK] = r->spark, [MODEL] = r->model, [TYPE] = row->type,
	};

	if (i >= A && i <= VALUE)
		result_value(context, values[i - A]);
	else if (i == MAGNITUDE)
		sqlite3_result_double(context, magnitude(&row->value));
	else if (i == SIGNIFICANCE)
		sqlite3_result_double(context, row->significance); /* NAN is NULL */
	else if (i == VERDICT)
		result_text(context, r->verdict);
	else if (i == LEAST)
		sqlite3_result_double(context, r->verdict ? r->least : NAN);
	else if (i >= LINE && i <= END_COLUMN)
		result_place(context, moved ? &r->first : &row->place, i - LINE);
	else if (i >= FIRST_LINE && i <= FIRST_END_COLUMN)
		result_place(context, &r->first, i - FIRST_LINE);
	else if (i >= MIDDLE)
		result_value(context, &r->middle[i - MIDDLE]);
	else if (i == HOLDER)
		sqlite3_result_pointer(context, r->holder, PROFILE_HOLDER, NULL);
	else if (i == ESTIMATED)
		sqlite3_result_int(context, r->estimated);
	else if (i == TYPE || (i <= MODEL && texts[i]))
		result_text(context, texts[i]);
	else
		result_number(context, numbers[i]);
}

static int
column(sqlite3_vtab_cursor *base, sqlite3_context *context, int i)
{
	struct cursor *c = (struct cursor *)base;

	if (i == THINGS) {
		sqlite3_result_int(context, c->things);
	} else if (i == ID) {
		sqlite3_result_int64(context, COMPARED_ID(c->things) + (int64_t)row_of(c));
	} else {
		read_record(c);
		result_column(context, &c->record, i);
	}
	return SQLITE_OK;
}

/* ---- the table ---- */

static int
connect(sqlite3 *db, void *profile, int nr, const char *const *arguments, sqlite3_vtab **table,
	char **message)
{
	int rc = sqlite3_declare_vtab(db, declaration);
	struct row_table *t;

	(void)nr;
	(void)arguments;
	(void)message;
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
	t = xcalloc(1, sizeof(*t));
	t->profile = profile;
	*table = &t->base;
	return SQLITE_OK;
}

static int
disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

void
profile_make_compared(struct profile *p)
{
	static const sqlite3_module module = {
		.xConnect = connect, .xBestIndex = best_index, .xDisconnect = disconnect,
		.xOpen = open_cursor, .xClose = close_cursor, .xFilter = filter, .xNext = next,
		.xEof = at_end, .xColumn = column, .xRowid = row_id,
	};

	if (p->compared_made)
		return;
	p->compared_made = true;
	if (sqlite3_create_module(p->db, "compared_row", &module, p) != SQLITE_OK)
		BUG("compared_row: %s", sqlite3_errmsg(p->db));
}
