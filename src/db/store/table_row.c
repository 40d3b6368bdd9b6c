/* Makes SQL for whole rows of the tables, and reads them. */
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "db/model/table.h"
#include "db/store/connection.h"
#include "db/store/table_row.h"

/* A source range: all ends inclusive, from 1, columns in bytes. NULL file: made by the compiler. */
static const char *const place_columns[] = { "line", "column", "end_line", "end_column" };
enum { NR_PLACE_COLUMNS = 4 };

/* ---- the schema ---- */

static const struct {
	const char *type;
	bool optional;           /* NULL has a meaning whatever the column is */
} held[] = {
	[HOLDS_ID] = { " INTEGER", false }, [HOLDS_TEXT] = { " TEXT", false },
	[HOLDS_WORD] = { " TEXT", false }, [HOLDS_COUNT] = { " INTEGER", false },
	[HOLDS_KNOWN] = { " INTEGER", true }, [HOLDS_U32] = { " INTEGER", false },
	[HOLDS_SOME] = { " INTEGER", true }, [HOLDS_INT] = { " INTEGER", false },
	[HOLDS_TIME] = { " INTEGER", false }, [HOLDS_BOOL] = { " INTEGER", false },
	[HOLDS_FLAG] = { " INTEGER", false }, [HOLDS_REAL] = { " REAL", false },
	[HOLDS_SOME_REAL] = { " REAL", true }, [HOLDS_SCALAR] = { "", true },
	[HOLDS_BLOB] = { " BLOB", true },
};

static bool
is_figures(const struct table_column *c)
{
	return c->holds == HOLDS_SELF || c->holds == HOLDS_TOTAL;
}

/* Returns how many columns of the table C stands for, with OTHERS. */
static int
width(const struct table_column *c, struct measures others)
{
	int stored = 0;

	if (!is_figures(c))
		return c->name ? 1 : 1 + NR_PLACE_COLUMNS;
	for (size_t i = 0; i < others.nr; i++)
		stored += !others.items[i].formula;
	return stored;
}

static bool
may_be_null(const struct table_column *c)
{
	return held[c->holds].optional || c->flags & (COLUMN_NULL | COLUMN_NONE) ||
	       (c->holds == HOLDS_ID && c->flags & COLUMN_SIDE);
}

static void
add_figures(struct strbuf *sql, const struct table_column *c, struct measures others,
	    const char *between, const char *behind)
{
	const char *before = "";

	for (size_t i = 0; i < others.nr; i++) {
		if (others.items[i].formula)
			continue;
		strbuf_fmt(sql, "%s%s%s%s", before, c->name, others.items[i].name, behind);
		before = between;
	}
}

static void
add_declaration(struct strbuf *sql, const struct table_column *c, struct measures others)
{
	strbuf_str(sql, "  ");
	if (is_figures(c)) {
		add_figures(sql, c, others, ",\n  ", " INTEGER NOT NULL");
		return;
	}
	if (!c->name) {
		strbuf_str(sql, "file INTEGER REFERENCES file");
		for (int i = 0; i < NR_PLACE_COLUMNS; i++)
			strbuf_fmt(sql, ",\n  %s INTEGER", place_columns[i]);
		return;
	}
	strbuf_fmt(sql, "%s%s%s", c->name, held[c->holds].type, may_be_null(c) ? "" : " NOT NULL");
	if (c->holds == HOLDS_ID)
		strbuf_fmt(sql, " REFERENCES %s", tables[c->refers].name);
}

void
table_create_sql(const struct table *t, struct measures others, struct strbuf *sql)
{
	const char *comment = t->id_comment;

	strbuf_str(sql, "CREATE TABLE ");
	strbuf_str(sql, t->name);
	strbuf_str(sql, "(\n");
	if (t->nr)
		strbuf_str(sql, "  id INTEGER PRIMARY KEY");
	for (const struct table_column *c = t->columns; !table_ends(c); c++) {
		if (!width(c, others))
			continue;
		if (t->nr || c != t->columns)
			strbuf_fmt(sql, ",%s%s\n", comment ? " -- " : "", comment ? comment : "");
		add_declaration(sql, c, others);
		comment = c->comment;
	}
	strbuf_fmt(sql, "%s%s\n)", comment ? " -- " : "", comment ? comment : "");
}

void
table_insert_sql(const struct table *t, struct measures others, struct strbuf *sql)
{
	int nr = t->nr != 0;

	for (const struct table_column *c = t->columns; !table_ends(c); c++)
		nr += width(c, others);
	strbuf_str(sql, "INSERT INTO ");
	strbuf_str(sql, t->name);
	strbuf_str(sql, " VALUES (?");
	while (--nr > 0)
		strbuf_str(sql, ",?");
	strbuf_char(sql, ')');
}

/* ---- reading ---- */

bool
table_is_selected(const struct table_select *s, const struct table_column *c)
{
	if (s->flag)
		return c->flags & s->flag;
	if (!s->names)
		return !(c->flags & (s->solved ? COLUMN_SIDE : COLUMN_SIDE | COLUMN_SOLVED));
	for (const char *const *name = s->names; *name; name++) {
		if (!strcmp(*name, c->name ? c->name : "file"))
			return true;
	}
	return false;
}

void
table_select_sql(const struct table_select *s, struct measures others, struct strbuf *sql)
{
	const struct table *t = &tables[s->table];
	const char *comma = t->nr ? ", " : "";

	strbuf_str(sql, t->nr ? "SELECT id" : "SELECT ");
	for (const struct table_column *c = t->columns; !table_ends(c); c++) {
		if (!table_is_selected(s, c) || !width(c, others))
			continue;
		strbuf_str(sql, comma);
		if (is_figures(c))
			add_figures(sql, c, others, ", ", "");
		else
			strbuf_str(sql, c->name ? c->name : "file");
		comma = ", ";
		for (int i = 0; i < NR_PLACE_COLUMNS && !c->name; i++)
			strbuf_fmt(sql, ", %s", place_columns[i]);
	}
	strbuf_fmt(sql, " FROM %s%s", t->name, t->nr ? " ORDER BY id" : "");
}

static void
read_text(sqlite3_stmt *st, int i, const struct table_column *c, struct arena *arena,
	  const char **text)
{
	size_t n;
	const char *s = column_text(st, i, &n);

	if (sqlite3_column_type(st, i) != SQLITE_NULL || !(c->flags & COLUMN_NONE))
		*text = arena_strndup(arena, s, n);
}

static void
read_scalar(sqlite3_stmt *st, int i, struct scalar_value *v)
{
	int type = sqlite3_column_type(st, i);

	v->type = type == SQLITE_INTEGER ? SCALAR_INTEGER :
		  type == SQLITE_FLOAT ? SCALAR_REAL : SCALAR_NULL;
	if (v->type == SCALAR_INTEGER)
		v->integer = column_integer(st, i);
	else if (v->type == SCALAR_REAL)
		v->real = column_real(st, i);
}

static void
read_blob(struct profile *p, sqlite3_stmt *st, int i, struct arena *arena, struct blob *blob)
{
	size_t bytes;
	const void *data = column_blob(p, st, i, &bytes);
	void *kept;

	if (!data)
		return;
	blob->bytes = bytes;
	kept = arena_alloc(arena, bytes + 1);
	memcpy(kept, data, bytes);
	blob->data = kept;
}

static bool
read_id(struct profile *p, sqlite3_stmt *st, int i, const struct table_column *c, model_id *id)
{
	*id = column_id(p, st, i, c->refers);
	if (c->flags & COLUMN_BEFORE && *id >= column_integer(st, 0))
		return false;
	return *id || !(c->flags & COLUMN_NEEDED);
}

static void
read_figures(struct profile *p, sqlite3_stmt *st, int i, const struct table_column *c,
	     struct arena *arena, struct figures **at)
{
	for (size_t k = 0; k < p->others.nr; k++) {
		if (!p->others.items[k].formula)
			figures_set(arena, at, c->holds == HOLDS_TOTAL, (unsigned)k,
				    column_figure(p, st, i++));
	}
}

static bool
read_member(struct profile *p, sqlite3_stmt *st, int i, const struct table_column *c,
	    struct arena *arena, char *at)
{
	bool null = sqlite3_column_type(st, i) == SQLITE_NULL;

	switch (c->holds) {
	case HOLDS_ID:
		return read_id(p, st, i, c, (model_id *)at);
	case HOLDS_TEXT:
		read_text(st, i, c, arena, (const char **)at);
		break;
	case HOLDS_WORD:
		*(int *)at = column_word(p, st, i, c->words);
		break;
	case HOLDS_COUNT:
	case HOLDS_KNOWN:
		*(uint64_t *)at = null && c->holds == HOLDS_KNOWN ? COUNT_UNKNOWN
								   : column_count(p, st, i);
		break;
	case HOLDS_U32:
	case HOLDS_SOME:
		*(uint32_t *)at = column_u32(p, st, i);
		break;
	case HOLDS_INT:
		*(int *)at = column_integer(st, i);
		break;
	case HOLDS_TIME:
		*(int64_t *)at = column_integer(st, i);
		break;
	case HOLDS_BOOL:
		*(bool *)at = column_count(p, st, i) != 0;
		break;
	case HOLDS_FLAG:
		*(uint32_t *)at |= column_count(p, st, i) ? c->bit : 0;
		break;
	case HOLDS_REAL:
	case HOLDS_SOME_REAL:
		*(double *)at = null && c->holds == HOLDS_REAL ? NAN
								: column_real(st, i);
		break;
	case HOLDS_SCALAR:
		read_scalar(st, i, (struct scalar_value *)at);
		break;
	case HOLDS_PLACE:
		column_place(p, st, i, (struct place *)at);
		break;
	case HOLDS_COMPARED_PLACE:
		column_compared_place(p, st, i, (struct place *)at);
		break;
	case HOLDS_BLOB:
		read_blob(p, st, i, arena, (struct blob *)at);
		break;
	case HOLDS_SELF:
	case HOLDS_TOTAL:
		read_figures(p, st, i, c, arena, (struct figures **)at);
		break;
	}
	return true;
}

bool
table_read(struct profile *p, sqlite3_stmt *st, const struct table_select *s, struct arena *arena,
	   void *row)
{
	const struct table *t = &tables[s->table];
	int i = t->nr != 0;
	bool good = true;

	for (const struct table_column *c = t->columns; !table_ends(c); c++) {
		if (!table_is_selected(s, c))
			continue;
		good &= read_member(p, st, i, c, arena, (char *)row + c->at);
		i += width(c, p->others);
	}
	return good;
}
