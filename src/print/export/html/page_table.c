/* The tables of a page: the browser's, with its columns and its texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/wings.h"
#include "print/export/html/parts.h"
#include "show/value.h"
#include "util/text/safe.h"

/* The tables, in their order; those without rows are left out. */
static const struct {
	enum list_kind kind;
	const char *title;       /* NULL: what its rows are */
	size_t most;             /* rows; 0: PAGE_MOST_ROWS, with --all all */
	bool several;            /* one row says nothing */
} tables[] = {
	{ LIST_PROCEDURE, NULL, 0, false }, { LIST_BLOCK, NULL, 500, false },
	{ LIST_LINE, NULL, 500, false }, { LIST_SITE, NULL, 500, false },
	{ LIST_FILE, NULL, 0, false }, { LIST_CYCLE, NULL, 500, false },
	{ LIST_NEVER, "never executed", 2000, false }, { LIST_DEFECT, NULL, 2000, false },
	{ LIST_REMARK, NULL, 2000, false },
	{ LIST_PRODUCER, "allocations", 2000, false }, { LIST_TYPE, NULL, 500, false },
	{ LIST_THREAD, NULL, 500, true }, { LIST_RUN, NULL, 500, true },
};

struct cell_context
page_cells(const struct page *g, enum list_kind kind)
{
	return (struct cell_context){
		.profile = g->p, .totals = g->totals, .optional = &g->optional, .kind = kind,
		.directory = g->directory,
	};
}

void
page_cell(struct strbuf *out, const struct cell_context *x, const struct column *column,
	  const struct list_row *row)
{
	struct strbuf cell = STRBUF_INIT;
	bool text = column->cell == CELL_SOURCE || column->cell == CELL_CALL;
	enum { TEXT_WIDTH = 100, PLACE_WIDTH = 40 };
	enum role role;
	int width = column->cell == CELL_BAR   ? column->width
		  : text		       ? (int)TEXT_WIDTH
		  : column->cell == CELL_PLACE ? (int)PLACE_WIDTH
		  : cell_is_left(column->cell) ? (int)WIDTH_WHOLE
					       : (int)VALUE_WIDE;

	cell_print(&cell, x, column, row, width, &role);
	if (text)
		safe_fit(out, cell.buf, cell.len, TEXT_WIDTH);
	else
		safe_text(out, cell.buf, cell.len);
	strbuf_release(&cell);
}

struct listing *
page_rows(const struct page *g, enum list_kind kind)
{
	const char *sort = table_kind_sort(&table_kinds[kind], g->p);
	struct list_query q = { .kind = kind, .sort = profile_column_find(g->p, kind, sort) };

	if (q.sort < 0)
		q.sort = 0;
	q.descending = unit_descends(profile_columns(g->p, kind)[q.sort].unit);
	return listing_open(g->p, &q);
}

/* ---- cells ---- */

/* Returns what the column is sorted by, if that is a number. */
static bool
key_of(const struct page_columns *c, const struct column *column, const struct list_row *row,
       double *key)
{
	const char *name = column->source ? column->source : column->second;
	int i = name ? profile_column_find(c->g->p, c->x.kind, name) : -1;
	const struct cell *cell = i < 0 ? NULL : &row->cells[i];

	*key = 0;
	if (i < 0 || profile_columns(c->g->p, c->x.kind)[i].unit == UNIT_TEXT)
		return false;
	if (!cell->null)
		*key = profile_columns(c->g->p, c->x.kind)[i].unit == UNIT_VALUE && !cell->whole
			     ? cell->real : (double)cell->number;
	return true;
}

/* Writes a cell: null for "-"; a number that is its own text; a text that is its own key, or an
 * array of both. */
static void
put_cell(struct page_json *j, struct page_columns *c, int i, const struct list_row *row)
{
	struct strbuf text = STRBUF_INIT;
	char own[32];
	double key;
	bool number = key_of(c, &c->items[i], row, &key);

	page_cell(&text, &c->x, &c->items[i], row);
	c->filled[i] |= !cell_is_nothing(&c->x, &c->items[i], row, &text);
	snprintf(own, sizeof(own), "%.0f", key);
	if (number && !strcmp(text.buf, "-") && key == 0) {
		page_json_null(j);
	} else if (number && !strcmp(text.buf, own)) {
		page_json_whole(j, (int64_t)key);
	} else if (!number || c->items[i].flags & COLUMN_IN_SOURCE) {
		page_json_str(j, text.buf);
	} else {
		page_json_begin(j, '[');
		page_json_real(j, key);
		page_json_str(j, text.buf);
		page_json_end(j, ']');
	}
	strbuf_release(&text);
}

/* ---- columns ---- */

void
page_columns_open(struct page_columns *c, const struct page *g, const struct table_kind *kind)
{
	*c = (struct page_columns){ .g = g, .x = page_cells(g, kind->list) };
	column_set_make(&c->set, kind, g->p);
	for (int i = 0; i < c->set.nr; i++) {
		const struct column *column = &c->set.items[i];

		if (column->flags & COLUMN_OFF || !column_known(&c->x, column) ||
		    (column->flags & COLUMN_IN_SOURCE && g->e->without_sources))
			continue;
		c->items[c->nr++] = *column;
	}
	c->file = kind->list == LIST_FILE ? 0 : profile_column_find(g->p, kind->list, "file_id");
	c->line = profile_column_find(g->p, kind->list, "line");
}

void
page_columns_close(struct page_columns *c)
{
	column_set_release(&c->set);
}

static int64_t
number_of(const struct list_row *row, int column)
{
	return column < 0 || row->cells[column].null ? 0 : row->cells[column].number;
}

void
page_columns_row(struct page_json *j, struct page_columns *c, const struct list_row *row)
{
	page_json_whole(j, row->cells[0].number);
	page_json_whole(j, number_of(row, c->file));
	page_json_whole(j, number_of(row, c->line));
	for (int i = 0; i < c->nr; i++)
		put_cell(j, c, i, row);
}

void
page_table_head(struct page_json *j, const struct page_head *head)
{
	page_json_begin(j, '[');
	page_json_str(j, head->head);
	page_json_str(j, head->help);
	page_json_whole(j, head->left);
	page_json_whole(j, head->rank);
	page_json_end(j, ']');
}

void
page_columns_heads(struct page_json *j, const struct page_columns *c)
{
	page_json_name(j, "heads");
	page_json_begin(j, '[');
	for (int i = 0; i < c->nr; i++) {
		const struct column *column = &c->items[i];
		bool empty = !c->filled[i] && column->needs == NEEDS_ROWS;
		struct strbuf head = STRBUF_INIT;

		column_put_head(&head, column, column_heading(column, 0, false));
		page_table_head(j, &(struct page_head){ head.buf, column->help,
							cell_is_left(column->cell),
							empty ? -1 : column->rank });
		strbuf_release(&head);
	}
	page_json_end(j, ']');
}

/* ---- tables ---- */

static void
put_table(struct page *g, struct page_json *j, enum list_kind kind, const char *title, size_t most)
{
	struct listing *list = page_rows(g, kind);
	const struct list_row *row;
	struct page_columns c;

	page_columns_open(&c, g, &table_kinds[kind]);
	page_json_begin(j, '{');
	page_json_name(j, "name");
	page_json_str(j, list_name(kind));
	page_json_name(j, "title");
	page_json_str(j, title ? title : table_kinds[kind].of_rows);
	page_json_name(j, "all");
	page_json_whole(j, (int64_t)listing_rows(list));
	page_json_name(j, "rows");
	page_json_begin(j, '[');
	for (size_t i = 0; i < most && (row = listing_row(list, i)); i++) {
		page_json_begin(j, '[');
		page_columns_row(j, &c, row);
		page_json_end(j, ']');
	}
	page_json_end(j, ']');
	page_columns_heads(j, &c);
	page_json_end(j, '}');
	listing_close(list);
	page_columns_close(&c);
}

void
page_tables(struct page *g, struct page_json *j)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		enum list_kind kind = tables[i].kind;

		if (wing_missing(g->p, kind) || profile_rows(g->p, kind) <= tables[i].several)
			continue;
		put_table(g, j, kind, tables[i].title,
			  tables[i].most ? tables[i].most : g->e->all ? SIZE_MAX : PAGE_MOST_ROWS);
	}
}

/* ---- without a script ---- */

void
page_plain_table(struct page *g)
{
	struct listing *list = page_rows(g, LIST_PROCEDURE);
	const struct list_row *row;
	struct page_columns c;
	size_t nr = 0, rows = listing_rows(list);

	page_columns_open(&c, g, &table_kinds[LIST_PROCEDURE]);
	strbuf_str(&g->html, "<table>\n<tr>");
	for (int i = 0; i < c.nr; i++) {
		struct strbuf head = STRBUF_INIT;

		column_put_head(&head, &c.items[i], column_heading(&c.items[i], 0, false));
		strbuf_str(&g->html, cell_is_left(c.items[i].cell) ? "<th class=l>" : "<th>");
		page_put(g, head.buf);
		strbuf_release(&head);
	}
	for (; nr < PAGE_PLAIN_ROWS && (row = listing_row(list, nr)); nr++) {
		strbuf_str(&g->html, "\n<tr>");
		for (int i = 0; i < c.nr; i++) {
			struct strbuf cell = STRBUF_INIT;

			page_cell(&cell, &c.x, &c.items[i], row);
			strbuf_str(&g->html, "<td");
			strbuf_str(&g->html, cell_is_left(c.items[i].cell) ? " class=l>" : ">");
			page_put(g, cell.buf);
			strbuf_release(&cell);
		}
	}
	strbuf_str(&g->html, "\n</table>\n");
	if (rows > nr)
		strbuf_fmt(&g->html, "<p>%zu more procedures are in this page for who lets its "
			   "script run.</p>\n", rows - nr);
	listing_close(list);
	page_columns_close(&c);
}
