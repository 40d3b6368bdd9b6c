/* What source.c and source_draw.c share. */
#ifndef CGVIEW_TUI_SOURCE_VIEW_H
#define CGVIEW_TUI_SOURCE_VIEW_H

#include "tui/doc.h"
#include "tui/view.h"

enum { TIME_WIDTH = 8 };

struct source {
	model_id file;
	struct place selected; /* line 0: none */
	/* hot spots of the file, hottest first, asked for when first wanted */
	struct listing *hot;
	size_t hot_at;         /* the next one + 1; 0: none visited */
	int count_width, lineno_width;
	bool legend;           /* all of it is shown */
};

/* Document shown, NULL: none. */
struct doc *source_doc(struct view *v);

/* Columns before the text. */
int source_margin(const struct source *s);

int source_head_lines(struct view *v);
void source_draw_head(struct view *v, int i, const struct line *line);
void source_draw_row(struct view *v, size_t row, const struct line *line);
void source_write(struct view *v, FILE *out);

#endif
