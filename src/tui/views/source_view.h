/* The parts that the files of the source view share. */
#ifndef CGVIEW_TUI_SOURCE_VIEW_H
#define CGVIEW_TUI_SOURCE_VIEW_H

#include "show/doc.h"
#include "show/margin.h"
#include "tui/compare/compare.h"
#include "tui/view.h"

/* A column of the margin, or in a comparison a, b, the result. */
struct source_cell {
	const char *head;
	int width;
	const struct margin_column *column;    /* NULL: one of a comparison */
	enum { CELL_A, CELL_B, CELL_RESULT } of; /* which, then */
};

/* A row of the strip: the hottest of its lines. */
struct strip_row {
	int64_t figure;
	uint32_t line;         /* 0: none has any */
};

struct source {
	struct subject file;
	struct place selected; /* line 0: none */
	model_id copy;         /* the procedure that the user came from, or chose */
	/* hot spots of the file, hottest first, looked for when first wanted */
	struct listing *hot;
	size_t hot_at;         /* the next one + 1; 0: none visited */
	size_t hot_looked;     /* spots that are not in the procedure of the cursor */
	int hot_wanted;        /* 1, -1: go to the next or previous one when they are found */
	struct {
		struct strip_row *rows; /* heap */
		size_t nr;
		uint32_t line; /* the last one that was read */
	} strip;
	const struct margins *margins; /* all there are */
	uint64_t chosen;       /* by the user: a set of MARGIN_BIT */
	struct source_cell cells[MARGINS_MAX]; /* those that there is room for */
	int nr_cells;
	int count_width, lineno_width;
	bool compared;         /* the cells are those of a comparison */
	bool legend;           /* all of it is shown */
};

/* Returns the document shown, NULL: none. */
struct doc *source_doc(struct view *v);

/* The columns before the text, and where the cells begin among them. */
enum { MARGIN_START = 3 /* cursor, heat, a blank */ };
int source_margin(const struct source *s);
/* Sets the cells of COLUMNS (a set of MARGIN_BIT), or those of a comparison in a pane of WIDTH;
 * returns how many. */
int source_cells(struct view *v, uint64_t columns, int width, struct source_cell *cells);

/* Makes sure that the figures of lines FIRST..LAST are in the document. */
void source_window(struct view *v, uint32_t first, uint32_t last);

/* Returns the profile of the text. */
struct profile *source_profile(const struct view *v);
/* Scrolls sideways until bytes FROM to END of LINE can be seen. */
void source_reveal(struct view *v, uint32_t line, size_t from, size_t end);

/* ---- hot_spots.c ---- */

/* Lets the spots be looked for anew. */
void source_forget_hot(struct source *s);
/* Goes to the next hot spot (BY 1) or the one before (-1), at once or by source_idle(). */
unsigned source_want_hot(struct view *v, int by);
unsigned source_idle(struct view *v);

/* ---- source_strip.c ---- */

/* Returns the columns that the strip takes at the right, with a blank; 0: the source is short. */
int source_strip_width(struct view *v);
/* Lets its figures be read anew. */
void source_forget_strip(struct source *s);
/* Reads figures for a slice. Returns as browser_idle() does. */
unsigned source_strip_work(struct view *v);
/* Draws the part of it that is beside ROW of the text, at the end of LINE. */
void source_draw_strip(struct view *v, size_t row, const struct line *line);
/* Goes to ROW, or if column X of it is in the strip, to the hottest line there. */
void source_pick(struct view *v, size_t row, int x);

/* ---- source_draw.c, source_head.c ---- */

/* Returns the columns that there are for the text. */
int source_text_width(struct view *v);

/* Returns the columns that the colours need, which are always shown: a set of MARGIN_BIT. */
uint64_t source_needed_margin(const struct view *v);

/* Chooses the columns of the margin that fit; called after size, choice or metric changed. */
void source_fit_margin(struct view *v);

int source_head_lines(struct view *v);
void source_draw_head(struct view *v, int i, const struct line *line);
void source_draw_row(struct view *v, size_t row, const struct line *line);

/* The figures that the cells of a line show. */
struct source_figures {
	bool there;
	struct margin_figures margin;          /* the line's, */
	const struct compare_value *compared;  /* or in a comparison this */
};
/* Returns the figures of LINE, which is one of WINDOW. */
struct source_figures source_figures(struct view *v, const struct compare_source *window,
				     uint32_t line);
/* Appends a cell of figures that are there. */
void source_print_cell(struct view *v, const struct source_cell *cell,
		       const struct source_figures *f, struct strbuf *out, enum role *role);

/* Writes all of the text, each line behind the chosen columns, in a comparison behind a, b and the
 * result: source_write.c. */
void source_write(struct view *v, FILE *out);

#endif
