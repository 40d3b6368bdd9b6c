/* cgview report --sql: the rows of any query. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/sql.h"
#include "print/report.h"
#include "util/safe.h"

enum { MAX_WIDTH = 80, MAX_TEXT_BYTES = 256 << 20 };

struct printing {
	const char *const *names;   /* while rows come */
	int nr;
	size_t limit, shown, cut;
	struct strbuf out;
	/* text: all cells, so that columns are as wide as they must be */
	char **cells;               /* rows of nr, the heads first */
	size_t nr_cells, alloc;
	struct arena arena;
	size_t bytes;
	int width[SQL_MAX_COLUMNS];
	bool number[SQL_MAX_COLUMNS], full;
};

static bool
print_out(struct printing *p)
{
	fwrite(p->out.buf, 1, p->out.len, stdout);
	return ++p->shown < p->limit && report_can_write();
}

/* ---- csv ---- */

static void
csv_columns(void *arg, int nr, const char *const *names)
{
	struct printing *p = arg;

	p->nr = nr;
	for (int i = 0; i < nr; i++) {
		if (i)
			strbuf_char(&p->out, ',');
		report_csv_text(&p->out, names[i], strlen(names[i]));
	}
	strbuf_str(&p->out, "\r\n");
	fwrite(p->out.buf, 1, p->out.len, stdout);
}

static bool
csv_row(void *arg, const struct sql_cell *cells)
{
	struct printing *p = arg;
	struct strbuf s = STRBUF_INIT;

	strbuf_clear(&p->out);
	for (int i = 0; i < p->nr; i++) {
		if (i)
			strbuf_char(&p->out, ',');
		strbuf_clear(&s);
		sql_cell_text(&cells[i], &s);
		report_csv_text(&p->out, s.buf, s.len);
		p->cut += cells[i].cut;
	}
	strbuf_str(&p->out, "\r\n");
	strbuf_release(&s);
	return print_out(p);
}

/* ---- json ---- */

static void
json_columns(void *arg, int nr, const char *const *names)
{
	struct printing *p = arg;

	p->nr = nr;
	strbuf_str(&p->out, "{\"version\":1,\"by\":\"sql\",\"columns\":[");
	for (int i = 0; i < nr; i++) {
		if (i)
			strbuf_char(&p->out, ',');
		report_json_text(&p->out, names[i], strlen(names[i]));
	}
	strbuf_str(&p->out, "],\"rows\":[");
	fwrite(p->out.buf, 1, p->out.len, stdout);
}

static void
json_cell(struct strbuf *out, const struct sql_cell *cell)
{
	struct strbuf s = STRBUF_INIT;

	sql_cell_text(cell, &s);
	if (cell->type == SQL_NULL || (cell->type == SQL_REAL && !isfinite(cell->real)))
		strbuf_str(out, "null");
	else if (cell->type == SQL_INTEGER || cell->type == SQL_REAL)
		strbuf_add(out, s.buf, s.len);
	else
		report_json_text(out, s.buf, s.len);
	strbuf_release(&s);
}

static bool
json_row(void *arg, const struct sql_cell *cells)
{
	struct printing *p = arg;

	strbuf_clear(&p->out);
	strbuf_str(&p->out, p->shown ? ",\n[" : "\n[");
	for (int i = 0; i < p->nr; i++) {
		if (i)
			strbuf_char(&p->out, ',');
		json_cell(&p->out, &cells[i]);
		p->cut += cells[i].cut;
	}
	strbuf_char(&p->out, ']');
	return print_out(p);
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

/* ---- any ---- */

static const struct {
	const char *name;
	void (*columns)(void *arg, int nr, const char *const *names);
	bool (*row)(void *arg, const struct sql_cell *cells);
	const char *end;
} formats[] = {
	{ "text", text_columns, text_row, "" },
	{ "csv", csv_columns, csv_row, "" },
	{ "json", json_columns, json_row, "\n]}\n" },
};

static void
tell(const char *sql, const struct sql_problem *problem)
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
	struct printing p = { .limit = limit, .out = STRBUF_INIT, .arena = ARENA_INIT };
	struct sql_limits limits = { .seconds = seconds, .arg = &p };
	struct sql_problem problem;
	size_t f = 0;
	int result;

	while (strcmp(formats[f].name, format))
		f++;
	limits.columns = formats[f].columns;
	limits.row = formats[f].row;
	result = sql_run(path, *sql ? sql : sql_tables, &limits, &problem);
	if (result == 0 || p.shown)
		print_text(&p);
	if (p.nr)
		fputs(formats[f].end, stdout);
	if (result < 0)
		tell(sql, &problem);
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
