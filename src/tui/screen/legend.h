/* The entries of a legend, one after the other, on as many rows as there are and are needed. */
#ifndef CGVIEW_TUI_LEGEND_H
#define CGVIEW_TUI_LEGEND_H

#include <stdbool.h>

#include "show/heat.h"
#include "tui/screen/draw.h"

struct legend {
	const struct line *line; /* NULL: only measured */
	int row;                 /* that LINE is */
	int x0, width;
	int x, y;                /* where the next one goes */
	bool one_row;            /* what does not fit on it stays out */
	bool full;
};

/* Adds GLYPH, if any, and TEXT in the colours of ROLE. */
void legend_add(struct legend *l, enum role role, const char *glyph, const char *text);
/* Adds the steps of HEAT: with BOUNDS from where to where each goes, else where it begins, and on
 * one row not all of them if it is narrow; GLYPHS: with columns as high as they are hot. */
void legend_add_heat(struct legend *l, const struct heat *heat, bool bounds, bool glyphs);

#endif
