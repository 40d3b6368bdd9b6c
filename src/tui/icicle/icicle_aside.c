#include "tui/icicle/icicle_aside.h"

#include <stdlib.h>

#include "tui/icicle/boxes.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/views/tree_view.h"

struct aside {
	struct tree *tree;       /* while it is read, before rows own it; else NULL */
	struct tree_rows *rows;  /* NULL: not read yet */
	struct job *job;         /* that reads it, or lays it out */
	struct boxes boxes;
	struct heat heat;
	bool none;               /* there is no tree */
};

int
icicle_aside_width(const struct browser *b, int h, int w)
{
	enum { LEAST_ROWS = 32, LEAST_SCREEN = 200, LEAST = 50, MOST = 90 };
	int aside = w / 4 < MOST ? w / 4 : MOST;

	if (h < LEAST_ROWS || w < LEAST_SCREEN || aside < LEAST || compare_is_on(b) || b->live.from)
		return 0;
	return aside;
}

static void
read_tree(void *tree)
{
	tree_read(tree);
}

/* Begins to read the tree that the browser shows first as one. */
static void
begin(struct browser *b, struct aside *a)
{
	struct tree_want want = {
		.source = tree_is_possible(b->profile, TREE_CONTEXTS) ? TREE_CONTEXTS : TREE_ARCS,
	};

	if (want.source == TREE_ARCS)
		want.measure = tree_arcs_measure(b->profile);
	a->tree = tree_begin(b->profile, &want);
	a->none = !a->tree;
	a->job = a->tree ? job_new(read_tree, a->tree) : NULL;
}

static void
lay_out(struct view *v)
{
	struct aside *a = v->data;

	busy_drop(&a->job);
	if (boxes_begin(&a->boxes, a->rows, v->area.w))
		a->job = job_new(boxes_lay_out, &a->boxes);
}

static void
aside_resize(struct view *v)
{
	struct aside *a = v->data;

	if (a->rows && a->boxes.width != v->area.w)
		lay_out(v);
}

/* What is not to be seen is not read. */
static unsigned
aside_idle(struct view *v)
{
	struct browser *b = v->browser;
	struct aside *a = v->data;

	if (!v->area.h || a->none || (a->rows && !a->job))
		return 0;
	if (!a->rows && !a->tree)
		begin(b, a);
	busy_slice(b, SLICE_IDLE);
	if (a->none || !busy_run(b, &a->job))
		return a->none ? 0 : WORK_MORE;
	if (a->rows)
		return WORK_NEW;
	if (tree_error(a->tree)) {
		a->none = true;
		return 0;
	}
	a->rows = tree_rows_open(b->profile, a->tree);
	a->tree = NULL;
	lay_out(v);
	return WORK_MORE;
}

static size_t
aside_rows(struct view *v)
{
	return ((struct aside *)v->data)->boxes.nr_levels;
}

static void
aside_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct aside *a = v->data;
	const struct tree *tree = a->rows->tree;
	uint64_t whole = (uint64_t)tree_node(tree, 0)->total;

	heat_init(&a->heat, tree_unit(tree), v->browser->linear, whole / 1000, whole);
	for (size_t i = a->boxes.levels[row]; i < a->boxes.levels[row + 1]; i++) {
		uint32_t node = a->boxes.items[i].node;
		model_id procedure = node ? tree_node(tree, node)->procedure : 0;

		boxes_draw(v->browser, &a->boxes, i, boxes_role(&a->boxes, node, &a->heat),
			   procedure && procedure == v->browser->procedure.id, line);
	}
}

static void
aside_title(struct view *v, struct title *title)
{
	const struct aside *a = v->data;

	strbuf_str(&title->left, "icicle");
	strbuf_fmt(&title->right, "%s opens it", action_key(KEYMAP_GENERIC, ACTION_TREE_ICICLE));
	if (a->rows && tree_wanted(a->rows->tree)->source == TREE_ARCS)
		strbuf_str(&title->middle, "from arcs, an estimate");
}

static void
aside_empty(struct view *v, struct strbuf *out)
{
	const struct aside *a = v->data;

	strbuf_str(out, a->none || (a->rows && !a->job)
				? "No stacks were sampled and no calls counted.\n"
				: "Reading...\n");
}

static void
aside_pick(struct view *v, size_t row, int x)
{
	struct aside *a = v->data;
	size_t box = boxes_at(&a->boxes, row, x);
	struct target target;

	if (box != SIZE_MAX && a->boxes.items[box].node &&
	    tree_node_target(v->browser, a->rows, a->boxes.items[box].node, true, &target))
		browser_go(v->browser, &target, false);
}

static void
aside_close(struct view *v)
{
	struct aside *a = v->data;

	busy_drop(&a->job);
	boxes_release(&a->boxes);
	tree_rows_close(a->rows);
	tree_close(a->tree);
	free(a);
}

static void
aside_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct aside *a = v->data;

	for (size_t i = a->boxes.levels[row]; i < a->boxes.levels[row + 1]; i++) {
		if (a->boxes.items[i].node)
			tree_rows_name(a->rows, a->boxes.items[i].node, draw_ascii(), out);
		strbuf_char(out, '\n');
	}
}

static unsigned
aside_act(struct view *v, enum action action, size_t count)
{
	(void)v;
	(void)action;
	(void)count;
	return EFFECT_REFUSED;
}

static const struct view_ops aside_ops = {
	.name = "icicle-aside",
	.keymap = KEYMAP_TEXT, /* none of its own */
	.cursor = CURSOR_NONE,
	.close = aside_close,
	.resize = aside_resize,
	.rows = aside_rows,
	.draw_row = aside_draw_row,
	.title = aside_title,
	.row_text = aside_row_text,
	.empty = aside_empty,
	.act = aside_act,
	.idle = aside_idle,
	.pick = aside_pick,
};

struct view *
icicle_aside_new(struct browser *b)
{
	return view_new(&aside_ops, b, xcalloc(1, sizeof(struct aside)));
}

void
icicle_aside_forget(struct browser *b)
{
	if (b->aside)
		view_free(b->aside);
	b->aside = NULL;
}
