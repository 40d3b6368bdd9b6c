/* Inside src/print/export/html: a page while it is made. Its parts are, in their order: what is
 * there without a script, then the data of the script: tables,
 * calls, sources. docs/design/pages.md describes the data. */
#ifndef CGVIEW_PRINT_EXPORT_HTML_PARTS_H
#define CGVIEW_PRINT_EXPORT_HTML_PARTS_H

#include "print/export/export.h"
#include "print/export/html/page_json.h"
#include "show/columns.h"
#include "show/doc.h"
#include "show/heat.h"
#include "show/margin.h"

/* What a page knows of a procedure; by its id. */
struct page_procedure {
	struct place place;
	bool ran;                /* some figure of it is not 0 */
	bool shown;              /* its source is in the page */
	uint64_t weight, total, count; /* by which the hottest are chosen */
};

struct page {
	const struct export *e;  /* what is wanted */
	struct profile *p;
	const struct profile_totals *totals;
	struct profile_optional optional;
	char *directory;         /* that all files are in */
	struct docs docs;
	struct metrics metrics;
	struct margins margins;
	struct heat heat;
	int columns[MARGINS_MAX]; /* the margins that are shown */
	int nr_columns;
	struct page_procedure *procedures; /* nr_procedures + 1 of them */
	model_id *hottest;       /* those with a source, the hottest first */
	size_t nr_hottest;
	model_id *called;        /* by site: what it called most; 0: not known, or nothing */
	size_t nr_sites;
	struct strbuf html;      /* elements, not written yet */
	struct strbuf sources;   /* those of packed sources */
	struct strbuf path;      /* page_path() */
};

/* Without --all: rows of tables; calls, the most frequent first; lines of source, the hottest
 * procedures first. */
enum { PAGE_MOST_ROWS = 10000, PAGE_MOST_CALLS = 20000, PAGE_MOST_LINES = 100000,
       PAGE_PLAIN_ROWS = 500, PAGE_PLAIN_SOURCES = 20 };

/* The mark of a line with a condition that never went one of its ways: half a circle. */
#define PAGE_ONE_WAY "\342\227\220"
/* Returns the width of the margin I, in characters; the first has room for a line's mark. */
int page_margin_width(const struct page *g, int i);

/* Appends TEXT, safe to show, as the text of an element or the value of an attribute. */
void page_put(struct page *g, const char *text);
/* Appends source text as it came; tabs stay. */
void page_put_source(struct page *g, const char *s, size_t n);
/* Appends what stands behind the "#" of a link to a line. */
void page_put_link(struct page *g, model_id file, uint32_t line);

/* Returns the path of FILE as the page has it: without the directory that all are in, or in which
 * the program was run; safe to show, until the next call. */
const char *page_path(struct page *g, model_id file);

/* ---- page_table.c ---- */

/* Returns the context in which cells of KIND are printed. */
struct cell_context page_cells(const struct page *g, enum list_kind kind);
/* Appends the cell as it is shown. */
void page_cell(struct strbuf *out, const struct cell_context *x, const struct column *column,
	       const struct list_row *row);
/* Opens the rows of KIND as the browser shows them first. */
struct listing *page_rows(const struct page *g, enum list_kind kind);
/* The columns of a table that have something in this profile. */
struct page_columns {
	const struct page *g;
	struct cell_context x;
	struct column items[COLUMNS_MAX];
	bool filled[COLUMNS_MAX]; /* some row has something there */
	int nr;
	int file, line;          /* of a row's place in the listing; -1: it has none */
	struct column_set set;   /* has the texts of their heads */
};
void page_columns_open(struct page_columns *c, const struct page *g,
		       const struct table_kind *kind);
void page_columns_close(struct page_columns *c);
/* Writes the id, the file, the line and the cells of a row: null for "-"; a number that is its own
 * text; a text that is its own key for sorting, or an array of key and text. */
void page_columns_row(struct page_json *j, struct page_columns *c, const struct list_row *row);
/* Writes the heads, behind the rows: then it is known which columns are empty. */
void page_columns_heads(struct page_json *j, const struct page_columns *c);
/* Writes all tables. */
void page_tables(struct page *g, struct page_json *j);
/* Writes the head of a column; RANK as in struct column, -1: nothing is in it. */
struct page_head { const char *head, *help; bool left; int rank; };
void page_table_head(struct page_json *j, const struct page_head *head);
/* Appends the first procedures of the summary as elements. */
void page_plain_table(struct page *g);

/* ---- page_calls.c ---- */

/* Writes the calls that happened; fills G->called. */
void page_calls(struct page *g, struct page_json *j);
/* Writes the tree of calls. */
void page_tree(struct page *g, struct page_json *j);

/* ---- page_source.c ---- */

/* Chooses the procedures whose source is shown. */
void page_choose_sources(struct page *g);
/* Writes the files, and what of each is shown. */
void page_sources(struct page *g, struct page_json *j);
/* Appends the sources of the hottest procedures as elements. */
void page_plain_sources(struct page *g);

/* ---- page_compare.c ---- */

/* Reads what page_ledger() and page_compared() write. -1: ERR. */
struct page_comparison;
struct page_comparison *page_compare(struct page *g, struct error *err);
void page_compare_close(struct page_comparison *c);
/* Appends the ledger as elements. */
void page_ledger(struct page *g, struct page_comparison *c);
/* Writes the table of procedures that are compared. */
void page_compared(struct page *g, struct page_comparison *c, struct page_json *j);

#endif
