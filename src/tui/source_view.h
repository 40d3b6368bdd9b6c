/* What source.c and source_draw.c share. */
#ifndef CGVIEW_TUI_SOURCE_VIEW_H
#define CGVIEW_TUI_SOURCE_VIEW_H

#include "show/doc.h"
#include "show/margin.h"
#include "tui/history.h"
#include "tui/view.h"

struct source {
	struct subject file;
	struct place selected; /* line 0: none */
	model_id copy;         /* the procedure that one came from, or chose */
	/* hot spots of the file, hottest first, asked for when first wanted */
	struct listing *hot;
	size_t hot_at;         /* the next one + 1; 0: none visited */
	const struct margins *margins; /* that there are */
	uint64_t chosen, shown; /* sets of MARGIN_BIT: by the user; what there is room for */
	int count_width, lineno_width;
	int compared;          /* columns of a comparison, in place of those shown; 0: none */
	bool legend;           /* all of it is shown */
};

/* Document shown, NULL: none. */
struct doc *source_doc(struct view *v);

/* Columns before the text. */
int source_margin(const struct source *s);
int source_column_width(const struct source *s, int column);

/* Make sure that the figures of lines FIRST..LAST are in the document. */
void source_window(struct view *v, uint32_t first, uint32_t last);

/* What the colours mean is always there in figures: a set of MARGIN_BIT. */
uint64_t source_needed_margin(const struct view *v);

/* The columns of the margin that the pane has room for; after size, choice or metric changed. */
void source_fit_margin(struct view *v);

int source_head_lines(struct view *v);
void source_draw_head(struct view *v, int i, const struct line *line);
void source_draw_row(struct view *v, size_t row, const struct line *line);

/* All of the text, each line behind the columns that are chosen, in a comparison behind a, b and
 * the result: source_write.c. */
void source_write(struct view *v, FILE *out);

#endif
