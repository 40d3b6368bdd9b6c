#include "tui/icicle/boxes.h"

#include <stdlib.h>

#include "tui/browser.h"
#include "util/job.h"
#include "util/text/name.h"

static void
add_box(struct boxes *b, uint32_t node, int x, int w, size_t parent)
{
	GROW(b->items, b->nr + 1, b->alloc);
	b->items[b->nr++] = (struct box){ node, x, w, parent };
}

static bool
is_boxed(const struct tree_node *n)
{
	return n->kind != TREE_RECURSION;
}

/* Gives the children their shares of a box's width, to the nearest column; they are known. Without
 * time they have all of it: how often they are called says nothing about their caller. */
static void
add_children(struct boxes *b, size_t parent)
{
	const struct tree *tree = b->rows->tree;
	struct box up = b->items[parent];
	const struct tree_node *n = tree_node(tree, up.node);
	uint64_t whole = 0, sum = 0;
	uint32_t i, first = n->first, end = n->first + n->nr;
	int x, next;

	for (i = first; i < end; i++)
		if (is_boxed(tree_node(tree, i)))
			whole += tree_weight(tree, tree_node(tree, i));
	if (tree_has_time(tree) && tree_weight(tree, n) > whole)
		whole = tree_weight(tree, n);
	for (i = first; i < end && whole; i++) {
		n = tree_node(tree, i);
		if (!is_boxed(n))
			continue;
		x = (int)((double)up.w * (double)sum / (double)whole + 0.5);
		sum += tree_weight(tree, n);
		next = (int)((double)up.w * (double)sum / (double)whole + 0.5);
		if (next > x)
			add_box(b, i, up.x + x, next - x, parent);
	}
}

/* A single root needs no box for all above it. */
static uint32_t
top_node(struct tree_rows *rows)
{
	const struct tree_node *all = tree_node(rows->tree, 0);

	return rows->top ? rows->top : all->nr == 1 ? all->first : 0;
}

bool
boxes_begin(struct boxes *b, struct tree_rows *rows, int width)
{
	enum { LEAST_WIDTH = 4 };

	b->nr = b->nr_levels = b->levels[0] = 0;
	b->rows = rows;
	b->width = width;
	if (!rows || !rows->nr || width < LEAST_WIDTH)
		return false;
	add_box(b, top_node(rows), 0, width, SIZE_MAX);
	return true;
}

void
boxes_lay_out(void *boxes)
{
	struct boxes *b = boxes;
	size_t *end;

	for (size_t next = 0; next < b->nr; next++, job_pause(1)) {
		end = &b->levels[b->nr_levels];
		if (next == *end) {
			if (b->nr_levels == BOXES_DEEP)
				break;
			*++end = b->nr;
			b->nr_levels++;
		}
		tree_children(b->rows->tree, b->items[next].node);
		add_children(b, next);
	}
}

void
boxes_release(struct boxes *b)
{
	free(b->items);
}

size_t
boxes_level(const struct boxes *b, size_t i)
{
	size_t level = 0;

	while (level + 1 < b->nr_levels && b->levels[level + 1] <= i)
		level++;
	return level;
}

size_t
boxes_at(const struct boxes *b, size_t row, int x)
{
	for (size_t i = b->levels[row]; row < b->nr_levels && i < b->levels[row + 1]; i++)
		if (x >= b->items[i].x && x < b->items[i].x + b->items[i].w)
			return i;
	return SIZE_MAX;
}

enum role
boxes_role(const struct boxes *b, uint32_t node, const struct heat *heat)
{
	const struct tree_node *n = tree_node(b->rows->tree, node);

	if (!tree_has_time(b->rows->tree) || n->kind >= TREE_RECURSION || n->kind == TREE_ALL)
		return ROLE_COLD;
	return heat_role(heat, 1, false, n->self);
}

void
boxes_draw(struct browser *browser, const struct boxes *b, size_t i, enum role role, bool selected,
	   const struct line *line)
{
	const struct box *box = &b->items[i];
	struct strbuf name = STRBUF_INIT;
	struct line here = *line;
	int room = box->w - (selected ? 2 : 1);
	size_t start, end;

	here.overlay = role == ROLE_COLD ? OVERLAY_CURSOR_IDLE : OVERLAY_NONE;
	line_fill(&here, box->x, box->w, role, GLYPH_SPACE);
	if (selected && box->w > 1)
		line_text(&here, box->x + box->w - 1, 1, ALIGN_LEFT, role,
			  draw_glyph(GLYPH_FRAME_END), -1);
	line_text(&here, box->x, 1, ALIGN_LEFT, role,
		  draw_glyph(selected ? GLYPH_FRAME : GLYPH_EDGE), -1);
	if (box->node)
		tree_rows_name(b->rows, box->node, draw_ascii(), &name);
	else
		strbuf_str(&name, "all");
	name_cut(&name, room, draw_glyph(GLYPH_DOTS));
	here.overlay = selected ? OVERLAY_SELECT : here.overlay;
	if (box->w > 3)
		line_text(&here, box->x + 1, room, ALIGN_LEFT, role, name.buf,
			  (ptrdiff_t)name.len);
	if (box->w > 3 && !selected &&
	    search_find(&browser->search, name.buf, name.len, 0, &start, &end))
		line_overlay(&here, box->x + 1, box->w - 1, OVERLAY_MATCH);
	strbuf_release(&name);
}
