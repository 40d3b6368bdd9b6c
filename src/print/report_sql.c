/* cgview report --sql: prints the rows of any query. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/sql.h"
#include "print/record.h"
#include "print/report.h"
#include "util/text/safe.h"

enum { MAX_WIDTH = 80, MAX_TEXT_BYTES = 256 << 20 };

struct printing {
	const char *const *names;   /* while rows come */
	int nr;
	size_t limit, shown, cut;
	const char *format;
	struct record record;
	struct strbuf out;
	/* Text: all cells are kept, so that columns are as wide as they must be. */
	char **cells;               /* rows of nr, the heads first */
	size_t nr_cells, alloc;
	struct arena arena;
	size_t bytes;
	int width[SQL_MAX_COLUMNS];
	bool number[SQL_MAX_COLUMNS], full;
};

/* ---- csv, json ---- */

static void
data_columns(void *arg, int nr, const char *const *names)
{
	struct printing *p = arg;

	p->nr = nr;
	record_open(&p->record, "sql", p->format);
	p->record.arrays = true;
	record_text(&p->record, "by", "sql");
	record_heads(&p->record, "columns");
	for (int i = 0; i < nr; i++)
		record_none(&p->record, names[i]);
	record_list(&p->record, "rows");
}

/* SQL writes its numbers itself; those that JSON does not have become null there. */
static void
put_cell(struct record *r, const struct sql_cell *cell, struct strbuf *s)
{
	bool real = cell->type == SQL_REAL;

	strbuf_clear(s);
	sql_cell_text(cell, s);
	if (cell->type == SQL_NULL || (real && r->json && !isfinite(cell->real)))
		record_none(r, NULL);
	else if (real || cell->type == SQL_INTEGER)
		record_digits(r, NULL, s->buf, s->len);
	else
		record_bytes(r, NULL, s->buf, s->len);
}

static bool
data_row(void *arg, const struct sql_cell *cells)
{
	struct printing *p = arg;

	record_begin(&p->record);
	for (int i = 0; i < p->nr; i++) {
		put_cell(&p->record, &cells[i], &p->out);
		p->cut += cells[i].cut;
	}
	return record_end(&p->record) && ++p->shown < p->limit;
}

/* ---- text ---- */

static void
keep_cell(struct printing *p, int column, const char *s, size_t n)
{
	int width;

	strbuf_clear(&p->out);
	width = safe_fit(&p->out, s, n, MAX_WIDTH);
	GROW(p->cells, p->nr_cells + 1, p->alloc);
	p->cells[p->nr_cells++] = arena_strndup(&p->arena, p->out.buf, p->out.len);
	p->bytes += p->out.len + 1 + sizeof(*p->cells);
	if (width > p->width[column])
		p->width[column] = width;
}

static void
text_columns(void *arg, int nr, const char *const *names)
{
	struct printing *p = arg;

	p->nr = nr;
	for (int i = 0; i < nr; i++) {
		p->number[i] = true;
		keep_cell(p, i, names[i], strlen(names[i]));
	}
}

static bool
text_row(void *arg, const struct sql_cell *cells)
{
	struct printing *p = arg;
	struct strbuf s = STRBUF_INIT;

	for (int i = 0; i < p->nr; i++) {
		strbuf_clear(&s);
		sql_cell_text(&cells[i], &s);
		keep_cell(p, i, s.buf, s.len);
		p->number[i] &= cells[i].type != SQL_TEXT && cells[i].type != SQL_BLOB;
	}
	strbuf_release(&s);
	p->full = p->bytes > MAX_TEXT_BYTES;
	return ++p->shown < p->limit && !p->full;
}

static void
print_text_cell(struct printing *p, int column, const char *s)
{
	int pad = p->width[column] - safe_width(s, strlen(s));

	if (column)
		strbuf_str(&p->out, "  ");
	if (p->number[column])
		strbuf_fmt(&p->out, "%*s%s", pad, "", s);
	else if (column == p->nr - 1)
		strbuf_str(&p->out, s);
	else
		strbuf_fmt(&p->out, "%s%*s", s, pad, "");
}

static void
print_text(struct printing *p)
{
	for (size_t i = 0; i < p->nr_cells && report_can_write(); i += (size_t)p->nr) {
		strbuf_clear(&p->out);
		for (int c = 0; c < p->nr; c++)
			print_text_cell(p, c, p->cells[i + (size_t)c]);
		strbuf_char(&p->out, '\n');
		fwrite(p->out.buf, 1, p->out.len, stdout);
	}
}

/* ---- any format ---- */

static void
complain_of_query(const char *sql, const struct sql_problem *problem)
{
	if (problem->at < 0)
		complain("report: --sql: %s", problem->error.text);
	else if (!sql[problem->at])
		complain("report: --sql: %s, at its end", problem->error.text);
	else
		complain("report: --sql: %s, at character %td: %.40s", problem->error.text,
			 problem->at + 1, sql + problem->at);
}

bool
report_sql(const char *path, const char *sql, const char *format, size_t limit,
	   unsigned seconds)
{
	struct printing p = { .limit = limit, .format = format, .out = STRBUF_INIT,
			      .arena = ARENA_INIT };
	bool text = !strcmp(format, "text");
	struct sql_limits limits = { .columns = text ? text_columns : data_columns,
				     .row = text ? text_row : data_row, .seconds = seconds,
				     .arg = &p };
	struct sql_problem problem;
	int result;

	result = sql_run(path, *sql ? sql : sql_tables, &limits, &problem);
	if (result == 0 || p.shown)
		print_text(&p);
	if (p.nr && !text)
		record_close(&p.record);
	if (result < 0)
		complain_of_query(sql, &problem);
	if (p.full)
		complain("report: --sql: only the first %zu rows are shown: csv and json show all",
			 p.shown);
	if (p.cut)
		complain("report: --sql: %zu texts were cut", p.cut);
	free(p.cells);
	arena_release(&p.arena);
	strbuf_release(&p.out);
	return result == 0 && !p.full && !p.cut;
}
