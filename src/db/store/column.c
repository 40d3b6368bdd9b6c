#include "db/store/column.h"

#include <string.h>

#include "db/model/table.h"
#include "db/store/connection.h"

static void
damaged(struct profile *p, sqlite3_stmt *st, int i)
{
	const char *name = sqlite3_column_name(st, i);

	p->row_is_damaged = true;
	if (sqlite3_column_type(st, i) == SQLITE_INTEGER)
		error_set(&p->error, "%s is damaged (%s cannot be %lld): copy it again, or record "
				     "again", p->path, name ? name : "a value",
			  (long long)sqlite3_column_int64(st, i));
	else
		error_set(&p->error, "%s is damaged (%s is not what it has to be): copy it again, "
				     "or record again", p->path, name ? name : "a value");
}

/* Returns how many rows a table of this file can have: the shortest one takes six bytes. */
static uint64_t
most_rows(const struct profile *p)
{
	return p->bytes / 6;
}

bool
column_learn_ids(struct profile *p)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;
	bool good;

	strbuf_str(&sql, "SELECT 0");
	for (int i = TABLE_MEASURE; i < NR_TABLES; i++) {
		if (!table_is_there(&tables[i], p->others))
			continue;
		strbuf_str(&sql, ", (SELECT min(id) FROM ");
		strbuf_str(&sql, tables[i].name);
		strbuf_str(&sql, "), (SELECT max(id) FROM ");
		strbuf_str(&sql, tables[i].name);
		strbuf_char(&sql, ')');
	}
	st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	good = profile_step(p, st);
	for (int i = TABLE_MEASURE, at = -1; good && i < NR_TABLES; i++) {
		if (!table_is_there(&tables[i], p->others))
			continue;
		at += 2;
		int64_t least = sqlite3_column_int64(st, at);
		int64_t greatest = sqlite3_column_int64(st, at + 1);

		if (sqlite3_column_type(st, at) == SQLITE_NULL)
			continue;
		good = least >= 1 && greatest >= least &&
		       (uint64_t)greatest <= most_rows(p) && greatest <= UINT32_MAX;
		p->last_id[i] = good ? (model_id)greatest : 0;
	}
	sqlite3_finalize(st);
	return good;
}

model_id
column_last_id(const struct profile *p, enum table_id table)
{
	return p->last_id[table];
}

bool
column_row_is_damaged(const struct profile *p)
{
	return p->row_is_damaged;
}

static bool
is_number(sqlite3_stmt *st, int i)
{
	int type = sqlite3_column_type(st, i);

	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

int64_t
column_integer(sqlite3_stmt *st, int i)
{
	return is_number(st, i) ? sqlite3_column_int64(st, i) : 0;
}

double
column_real(sqlite3_stmt *st, int i)
{
	return is_number(st, i) ? sqlite3_column_double(st, i) : 0;
}

/* Reads a number from 0 to MOST; NULL is 0. A sum that SQLite computed may be a real. */
static uint64_t
number(struct profile *p, sqlite3_stmt *st, int i, uint64_t most)
{
	int64_t v = column_integer(st, i);

	if (sqlite3_column_type(st, i) == SQLITE_NULL)
		return 0;
	if (is_number(st, i) && v >= 0 && (uint64_t)v <= most)
		return (uint64_t)v;
	damaged(p, st, i);
	return 0;
}

uint64_t
column_count(struct profile *p, sqlite3_stmt *st, int i)
{
	return number(p, st, i, INT64_MAX);
}

int64_t
column_figure(struct profile *p, sqlite3_stmt *st, int i)
{
	int64_t v = column_integer(st, i);

	if (v != INT64_MIN && (is_number(st, i) || sqlite3_column_type(st, i) == SQLITE_NULL))
		return v;
	damaged(p, st, i);
	return 0;
}

/* Returns for which ids, as bits, TABLE has columns; the bit 0: for measures without names. */
static uint64_t
find_figures(enum table_id table, bool total)
{
	uint64_t ids = 0;

	for (const struct table_column *c = tables[table].columns; !table_ends(c); c++) {
		ids |= c->holds == (total ? HOLDS_TOTAL : HOLDS_SELF);
		for (unsigned id = 1; c->name && id < NR_ROW_FIGURES; id++) {
			const char *name = builtin_columns[id][total];

			ids |= (uint64_t)(name && !strcmp(name, c->name)) << id;
		}
	}
	return ids;
}
_Static_assert(NR_ROW_FIGURES <= 64, "a row's figures fit in a mask");

uint64_t
column_figure_ids(const struct profile *p, enum table_id table, bool total)
{
	static uint64_t found[NR_TABLES][2]; /* ids, which never change */
	uint64_t *in_table = &found[table][total], ids;

	if (!*in_table)
		*in_table = find_figures(table, total);
	ids = *in_table & ~(uint64_t)1;
	for (size_t i = 0; *in_table & 1 && i < p->others.nr; i++)
		ids |= (uint64_t)!p->others.items[i].formula << (NR_BUILTIN_MEASURES + 1 + i);
	return ids;
}

void
column_figure_name(const struct profile *p, bool total, unsigned id, struct strbuf *sql)
{
	if (builtin_columns[id][total]) {
		strbuf_str(sql, builtin_columns[id][total]);
	} else {
		strbuf_str(sql, total ? "total_" : "self_");
		strbuf_str(sql, p->measures.items[id - 1].name);
	}
}

int
column_figures(struct profile *p, sqlite3_stmt *st, int i, enum table_id table, bool total,
	       int64_t figures[NR_ROW_FIGURES])
{
	memset(figures, 0, NR_ROW_FIGURES * sizeof(*figures));
	for (uint64_t ids = column_figure_ids(p, table, total); ids; ids &= ids - 1, i++) {
		unsigned id = (unsigned)__builtin_ctzll(ids);

		figures[id] = id > NR_BUILTIN_MEASURES && id <= p->measures.nr
				      ? column_figure(p, st, i) : (int64_t)column_count(p, st, i);
	}
	return i;
}

void
column_values(struct profile *p, sqlite3_stmt *st, int i, int64_t figures[NR_ROW_FIGURES])
{
	for (const struct list_column *c = profile_columns(p, LIST_LINE); c->name; c++)
		if (c->measure && c->measure->formula)
			figures[c->measure - p->measures.items + 1] =
				figure_of_value(column_real(st, i++));
}

uint32_t
column_u32(struct profile *p, sqlite3_stmt *st, int i)
{
	return (uint32_t)number(p, st, i, UINT32_MAX);
}

model_id
column_id(struct profile *p, sqlite3_stmt *st, int i, enum table_id table)
{
	model_id id = (model_id)number(p, st, i, p->last_id[table]);

	/* The id 0 says that there is no cycle. */
	if (!id && table != TABLE_CYCLE && sqlite3_column_type(st, i) != SQLITE_NULL &&
	    !p->row_is_damaged)
		damaged(p, st, i);
	return id;
}

int
column_word(struct profile *p, sqlite3_stmt *st, int i, const char *const *words)
{
	size_t n;
	const char *text = column_text(st, i, &n);

	for (int k = 0; words[k]; k++)
		if (!strcmp(words[k], text))
			return k;
	damaged(p, st, i);
	return 0;
}

/* Reads a number that counts from 1. */
static uint32_t
ordinal(struct profile *p, sqlite3_stmt *st, int i)
{
	uint32_t v = (uint32_t)number(p, st, i, COLUMN_LINE_MAX);

	if (!v && !p->row_is_damaged)
		damaged(p, st, i);
	return v;
}

/* Reads a place; all but its begin may be missing. */
static void
read_place(struct profile *p, sqlite3_stmt *st, const int columns[5], struct place *place)
{
	uint32_t at[5] = { 0 };

	*place = (struct place){ .file = column_id(p, st, columns[0], TABLE_FILE) };
	if (!place->file)
		return;
	for (int i = 1; i < 5; i++)
		at[i] = columns[i] >= 0 ? ordinal(p, st, columns[i]) : i < 3 ? 1 : COLUMN_LINE_MAX;
	if (at[3] < at[1] || (at[3] == at[1] && at[4] < at[2]))
		damaged(p, st, columns[at[3] < at[1] ? 3 : 4]);
	if (p->row_is_damaged)
		*place = (struct place){ 0 };
	else
		*place = (struct place){ place->file, at[1], at[2], at[3], at[4] };
}

void
column_place(struct profile *p, sqlite3_stmt *st, int i, struct place *place)
{
	read_place(p, st, (const int[]){ i, i + 1, i + 2, i + 3, i + 4 }, place);
}

void
column_compared_place(struct profile *p, sqlite3_stmt *st, int i, struct place *place)
{
	if (sqlite3_column_type(st, i + 2) != SQLITE_NULL) {
		column_place(p, st, i, place);
		return;
	}
	*place = (struct place){ .file = column_id(p, st, i, TABLE_FILE) };
	if (place->file && sqlite3_column_type(st, i + 1) != SQLITE_NULL)
		place->line = place->end_line = ordinal(p, st, i + 1);
}

void
column_check_place(struct profile *p, sqlite3_stmt *st, const int columns[5])
{
	struct place place;

	read_place(p, st, columns, &place);
}

const char *
column_text(sqlite3_stmt *st, int i, size_t *length)
{
	const char *text = (const char *)sqlite3_column_text(st, i);
	size_t n = text ? strnlen(text, PROFILE_TEXT_MAX + 1) : 0;

	if (n > PROFILE_TEXT_MAX) {
		n = PROFILE_TEXT_MAX;
		while (n > PROFILE_TEXT_MAX - 4 && (text[n] & 0xc0) == 0x80)
			n--;
	}
	*length = n;
	return text ? text : "";
}

const void *
column_blob(struct profile *p, sqlite3_stmt *st, int i, size_t *length)
{
	const void *bytes = NULL;

	*length = 0;
	if (sqlite3_column_type(st, i) == SQLITE_NULL)
		return NULL;
	if (sqlite3_column_type(st, i) != SQLITE_BLOB) {
		damaged(p, st, i);
		return NULL;
	}
	bytes = sqlite3_column_blob(st, i);
	*length = bytes ? (size_t)sqlite3_column_bytes(st, i) : 0;
	return bytes ? bytes : "";
}
