/* What source.c and source_draw.c share. */
#ifndef CGVIEW_TUI_SOURCE_VIEW_H
#define CGVIEW_TUI_SOURCE_VIEW_H

#include "show/doc.h"
#include "show/margin.h"
#include "tui/compare.h"
#include "tui/view.h"

/* A column of the margin, or in a comparison a, b, the result. */
struct source_cell {
	const char *head;
	int width;
	const struct margin_column *column;    /* NULL: of a comparison */
	enum { CELL_A, CELL_B, CELL_RESULT } of; /* which, then */
};

struct source {
	struct subject file;
	struct place selected; /* line 0: none */
	model_id copy;         /* the procedure that one came from, or chose */
	/* hot spots of the file, hottest first, asked for when first wanted */
	struct listing *hot;
	size_t hot_at;         /* the next one + 1; 0: none visited */
	const struct margins *margins; /* that there are */
	uint64_t chosen;       /* by the user: a set of MARGIN_BIT */
	struct source_cell cells[MARGINS_MAX]; /* what there is room for */
	int nr_cells;
	int count_width, lineno_width;
	bool compared;         /* the cells are those of a comparison */
	bool legend;           /* all of it is shown */
};

/* Document shown, NULL: none. */
struct doc *source_doc(struct view *v);

/* Columns before the text, and where the cells begin among them. */
enum { MARGIN_START = 3 /* cursor, heat, a blank */ };
int source_margin(const struct source *s);
/* The cells of COLUMNS (a set of MARGIN_BIT), or those of a comparison in a pane of WIDTH; returns
 * how many. */
int source_cells(struct view *v, uint64_t columns, int width, struct source_cell *cells);

/* Make sure that the figures of lines FIRST..LAST are in the document. */
void source_window(struct view *v, uint32_t first, uint32_t last);

/* What the colours mean is always there in figures: a set of MARGIN_BIT. */
uint64_t source_needed_margin(const struct view *v);

/* The columns of the margin that the pane has room for; after size, choice or metric changed. */
void source_fit_margin(struct view *v);

int source_head_lines(struct view *v);
void source_draw_head(struct view *v, int i, const struct line *line);
void source_draw_row(struct view *v, size_t row, const struct line *line);

/* What the cells of a line are made of. */
struct source_figures {
	bool there;
	struct margin_figures margin;          /* of these, */
	const struct compare_value *compared;  /* or in a comparison of this */
};
/* LINE, which is one of WINDOW. */
struct source_figures source_figures(struct view *v, const struct compare_source *window,
				     uint32_t line);
/* Append a cell of figures that are there. */
void source_print_cell(struct view *v, const struct source_cell *cell,
		       const struct source_figures *f, struct strbuf *out, enum role *role);

/* All of the text, each line behind the columns that are chosen, in a comparison behind a, b and
 * the result: source_write.c. */
void source_write(struct view *v, FILE *out);

#endif
