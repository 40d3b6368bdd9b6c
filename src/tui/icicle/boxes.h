/* The boxes of an icicle. Each node of a tree of calls has one, which is as wide as the node's
 * share and stands below its parent's box. */
#ifndef CGVIEW_TUI_BOXES_H
#define CGVIEW_TUI_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "show/heat.h"
#include "show/tree_rows.h"
#include "tui/screen/draw.h"

struct browser;

struct box {
	uint32_t node;           /* 0: all */
	int x, w;
	size_t parent;           /* box */
};

enum { BOXES_DEEP = 2000 };

struct boxes {
	struct box *items;       /* level by level, from the left */
	size_t nr, alloc;
	size_t levels[BOXES_DEEP + 1]; /* its boxes begin here and end where the next one's begin */
	size_t nr_levels;
	struct tree_rows *rows;  /* that they are of, the caller's */
	int width;
};

/* Begins anew with the box of what ROWS are zoomed to. False: there are no rows (NULL: none yet),
 * or no room for them, and no boxes. */
bool boxes_begin(struct boxes *b, struct tree_rows *rows, int width);
/* Lays them out level by level, for a job: with many children to look for, what is there can be
 * drawn meanwhile. */
void boxes_lay_out(void *boxes);
void boxes_release(struct boxes *b);

/* Returns the level of box I. */
size_t boxes_level(const struct boxes *b, size_t i);
/* Returns the box of ROW at column X; SIZE_MAX: there is none. */
size_t boxes_at(const struct boxes *b, size_t row, int x);

/* Returns the role of the node: its heat, by its own time. HEAT: of the tree. */
enum role boxes_role(const struct boxes *b, uint32_t node, const struct heat *heat);
/* Draws box I with ROLE. The selected one is framed and its name reversed: the rest shows its
 * colour. What is searched stands out. */
void boxes_draw(struct browser *browser, const struct boxes *b, size_t i, enum role role,
		bool selected, const struct line *line);

#endif
