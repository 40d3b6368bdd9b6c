/* The tree of calls as an icicle: a box for each node as wide as its share, callees below their
 * callers (bottom-up: callers below). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/heat.h"
#include "show/human.h"
#include "show/value.h"
#include "tui/icicle/boxes.h"
#include "tui/busy.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/views/tree_view.h"
#include "util/text/name.h"
#include "util/text/safe.h"

struct icicle {
	struct boxes all;
	size_t at;               /* box that is selected */
	struct heat heat;
};

static struct tree_rows *
rows_of(struct view *v)
{
	return v->browser->tree->rows;
}

/* ---- layout ---- */

static void
lay_out(struct view *v)
{
	struct icicle *c = v->data;
	struct browser *b = v->browser;

	busy_drop(&b->tree->laying_out);
	c->at = 0;
	if (!boxes_begin(&c->all, rows_of(v), v->area.w))
		return;
	b->tree->laying_out = job_new(boxes_lay_out, &c->all);
	busy_slice(b, SLICE_KEY);
	busy_run(b, &b->tree->laying_out);
}

/* Finds the box of the state's node, or of the nearest one above it that has one. */
static void
find_box(struct view *v)
{
	struct icicle *c = v->data;
	uint32_t id = v->browser->tree->node;
	size_t i;

	c->at = 0;
	for (; c->all.nr && id != TREE_NONE && id; id = tree_node(rows_of(v)->tree, id)->parent) {
		for (i = 0; i < c->all.nr && c->all.items[i].node != id; i++)
			;
		if (i < c->all.levels[c->all.nr_levels]) {
			c->at = i;
			break;
		}
	}
	if (c->all.nr)
		view_move_to(v, boxes_level(&c->all, c->at));
}

static void
icicle_resize(struct view *v)
{
	lay_out(v);
	find_box(v);
}

static size_t
icicle_rows(struct view *v)
{
	const struct icicle *c = v->data;

	return c->all.nr_levels;
}

/* ---- drawing ---- */

/* Returns the role of a difference in a comparison. */
static enum role
compared_role(struct browser *b, const struct tree_rows *rows, uint32_t id)
{
	const struct compare_kind *k = compare_tree_kind(b, rows->tree);
	struct compare_tree_row row;

	compare_tree_row(b, rows->tree, id, &row);
	return compare_role(b, k, row.heat, compare_is_unsure(k, row.significance));
}

static enum role
box_role(struct view *v, const struct tree_rows *rows, uint32_t id)
{
	const struct icicle *c = v->data;

	return tree_is_joined(rows->tree) && tree_node(rows->tree, id)->kind < TREE_RECURSION
		       ? compared_role(v->browser, rows, id)
		       : boxes_role(&c->all, id, &c->heat);
}

static void
icicle_draw_row(struct view *v, size_t row, const struct line *line)
{
	uint64_t whole = tree_node(rows_of(v)->tree, 0)->total;
	struct icicle *c = v->data;
	size_t i;

	/* Heat begins at a tenth of a percent: colours in all views of one tree mean the same. */
	heat_init(&c->heat, tree_unit(rows_of(v)->tree), v->browser->linear, whole / 1000,
		  whole);
	for (i = c->all.levels[row]; i < c->all.levels[row + 1]; i++)
		boxes_draw(v->browser, &c->all, i, box_role(v, rows_of(v), c->all.items[i].node),
			   i == c->at, line);
}

static int
icicle_head_lines(struct view *v)
{
	return v->area.h > 4 && rows_of(v) && rows_of(v)->nr ? 2 : 0;
}

static void
describe_compared(struct browser *b, const struct tree_rows *rows, uint32_t id, struct strbuf *s)
{
	const struct compare_kind *k = compare_tree_kind(b, rows->tree);
	struct compare_tree_row row;

	compare_tree_row(b, rows->tree, id, &row);
	for (size_t i = 0; i < b->compare.nr; i++) {
		if (i && i + 1 < b->compare.nr)
			continue;
		strbuf_fmt(s, "   %s ", sides_name(i));
		value_real(s, figure_unit(k->figure), row.figures[i], VALUE_WIDE, VALUE_PLAIN,
			   draw_ascii());
	}
	strbuf_str(s, "   result ");
	value_real(s, k->unit, row.value, VALUE_WIDE, VALUE_SIGNED, draw_ascii());
	if (sides_count(&row.sides) < b->compare.nr)
		strbuf_str(s, "   ");
	compare_tree_in(&b->compare, &row.sides, s);
}

static void
describe(const struct tree_rows *rows, const struct tree_node *n, struct strbuf *s)
{
	bool arcs = tree_wanted(rows->tree)->source == TREE_ARCS;
	const char *about = arcs ? draw_glyph(GLYPH_APPROX) : "";
	enum column_unit unit = tree_unit(rows->tree);

	if (tree_has_time(rows->tree)) {
		strbuf_fmt(s, "   %stotal ", about);
		value_whole(s, unit, n->total, VALUE_WIDE, draw_ascii());
		strbuf_str(s, "  ");
		human_percent(s, tree_weight(rows->tree, n), tree_rows_whole(rows));
		strbuf_fmt(s, "%%   %sself ", about);
		value_whole(s, unit, n->self, VALUE_WIDE, draw_ascii());
	}
	if (n->number) {
		strbuf_str(s, "   ");
		tree_print_number(rows, n, 20, s);
		strbuf_fmt(s, " %s%s", arcs ? "call" : "sample", n->number == 1 ? "" : "s");
	}
	if (n->deep > 1)
		strbuf_fmt(s, "   up to %u deep", n->deep);
}

static const char *
explanation(const struct tree_rows *rows)
{
	if (tree_is_joined(rows->tree))
		return tree_has_time(rows->tree) ? "as wide as its time in all profiles together"
						 : "as wide as its calls in all profiles together";
	return tree_has_time(rows->tree)
		       ? "" : "as wide as its share of the calls that its caller makes";
}

/* Shows all of the selected box, in order of importance. */
static void
icicle_draw_head(struct view *v, int i, const struct line *line)
{
	struct icicle *c = v->data;
	struct tree_rows *rows = rows_of(v);
	struct strbuf s = STRBUF_INIT;
	uint32_t id;
	int x;

	if (i)
		line_text(line, 1, line->w - 2, ALIGN_LEFT, ROLE_DIM, explanation(rows), -1);
	if (!c->all.nr || i)
		return;
	id = c->all.items[c->at].node;
	if (id)
		tree_rows_name(rows, id, draw_ascii(), &s);
	else
		strbuf_str(&s, "all");
	x = 1 + line_text(line, 1, line->w / 2, ALIGN_LEFT, ROLE_NAME, s.buf, (ptrdiff_t)s.len);
	strbuf_clear(&s);
	if (tree_is_joined(rows->tree))
		describe_compared(v->browser, rows, id, &s);
	else
		describe(rows, tree_node(rows->tree, id), &s);
	line_text(line, x, line->w - x - 1, ALIGN_LEFT, ROLE_TEXT, s.buf, (ptrdiff_t)s.len);
	strbuf_release(&s);
}

/* ---- moving ---- */

static void
select_box(struct view *v, size_t box)
{
	struct icicle *c = v->data;

	c->at = box;
	v->browser->tree->node = c->all.items[box].node;
	view_move_to(v, boxes_level(&c->all, box));
}

static void
move_beside(struct view *v, int by)
{
	struct icicle *c = v->data;
	size_t level = boxes_level(&c->all, c->at), to = c->at + (size_t)by;

	if (to >= c->all.levels[level] && to < c->all.levels[level + 1])
		select_box(v, to);
}

static void
move_down(struct view *v)
{
	struct icicle *c = v->data;
	size_t level = boxes_level(&c->all, c->at) + 1, i;

	if (level >= c->all.nr_levels)
		return;
	/* The heaviest is the first. */
	for (i = c->all.levels[level]; i < c->all.levels[level + 1]; i++) {
		if (c->all.items[i].parent == c->at) {
			select_box(v, i);
			return;
		}
	}
}

static void
move_up(struct view *v)
{
	struct icicle *c = v->data;

	if (c->all.items[c->at].parent != SIZE_MAX)
		select_box(v, c->all.items[c->at].parent);
}

static unsigned
move(struct view *v, enum action action, size_t count)
{
	size_t i, by = count ? count : 1;

	for (i = 0; i < by && i < BOXES_DEEP; i++) {
		if (action == ACTION_DOWN)
			move_down(v);
		else if (action == ACTION_UP)
			move_up(v);
		else
			move_beside(v, action == ACTION_TREE_EXPAND ? 1 : -1);
	}
	return EFFECT_DONE | EFFECT_MOVED;
}

/* Goes to the leftmost box, or to the end of the hottest path that is drawn. */
static unsigned
move_far(struct view *v, enum action action)
{
	struct icicle *c = v->data;
	size_t before;

	if (action == ACTION_FIRST)
		select_box(v, 0);
	for (before = SIZE_MAX; action != ACTION_FIRST && before != c->at;) {
		before = c->at;
		move_down(v);
	}
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
icicle_act(struct view *v, enum action action, size_t count)
{
	struct browser *b = v->browser;
	struct icicle *c = v->data;
	unsigned effect;

	tree_stop_looking(b);
	if (c->all.nr) {
		/* The rows have no row for the whole tree. */
		b->tree->node = c->all.items[c->at].node;
		tree_job_before(b, action, b->tree->node);
		if (action == ACTION_DOWN || action == ACTION_UP || action == ACTION_TREE_EXPAND ||
		    action == ACTION_TREE_COLLAPSE)
			return move(v, action, count);
		if (action == ACTION_FIRST || action == ACTION_LAST ||
		    action == ACTION_TREE_HOTTEST)
			return move_far(v, action);
	}
	effect = tree_common_act(v, action, count);
	if (!tree_leaves(action) && !(effect & EFFECT_REFUSED))
		icicle_resize(v);
	return effect;
}

static bool
icicle_undo(struct view *v)
{
	if (!tree_common_undo(v))
		return false;
	icicle_resize(v);
	return true;
}

static void
icicle_return(struct view *v, size_t place)
{
	tree_stop_looking(v->browser);
	v->browser->tree->node = (uint32_t)place;
	icicle_resize(v);
}

static size_t
icicle_place(struct view *v)
{
	struct icicle *c = v->data;

	/* The box of the whole tree is no node to search from. */
	return c->all.nr && !c->all.items[c->at].node ? tree_node(rows_of(v)->tree, 0)->first
					      : tree_common_place(v);
}

static bool
icicle_search(struct view *v, const struct search *search, bool backward, size_t from, bool here)
{
	struct browser *b = v->browser;
	struct icicle *c = v->data;
	struct strbuf name = STRBUF_INIT;

	if (!tree_common_search(v, search, backward, from, here))
		return false;
	icicle_resize(v);
	/* Without room nothing is drawn. */
	if (!c->all.nr || c->all.items[c->at].node == b->tree->node)
		return true;
	tree_rows_name(rows_of(v), b->tree->node, draw_ascii(), &name);
	browser_say(b, ROLE_MESSAGE, "%s is below this, too narrow to be drawn: %s shows the rows",
		    name.buf, action_key(KEYMAP_ICICLE, ACTION_TREE_ICICLE));
	strbuf_release(&name);
	return true;
}

static void
icicle_pick(struct view *v, size_t row, int x)
{
	const struct icicle *c = v->data;
	size_t box = boxes_at(&c->all, row, x);

	if (box != SIZE_MAX)
		select_box(v, box);
}

static void
icicle_title(struct view *v, struct title *title)
{
	struct icicle *c = v->data;

	tree_common_title(v, title);
	if (v->browser->tree->laying_out) {
		strbuf_clear(&title->middle);
		strbuf_str(&title->middle, "looking for callees");
	}
	if (c->all.nr)
		strbuf_fmt(&title->right, "%zu levels", c->all.nr_levels);
}

static void
icicle_close(struct view *v)
{
	struct icicle *c = v->data;
	struct tree_state *s = v->browser->tree;

	if (!s->node && s->rows && s->rows->nr)
		s->node = s->rows->rows[0].node;
	busy_drop(&s->laying_out);
	boxes_release(&c->all);
	free(c);
}

static void
icicle_row_text(struct view *v, size_t row, struct strbuf *out)
{
	struct icicle *c = v->data;
	size_t i;

	for (i = c->all.levels[row]; i < c->all.levels[row + 1]; i++) {
		if (c->all.items[i].node)
			tree_rows_name(rows_of(v), c->all.items[i].node, draw_ascii(), out);
		strbuf_char(out, '\n');
	}
}

static unsigned
icicle_idle(struct view *v)
{
	struct icicle *c = v->data;
	unsigned what = tree_common_idle(v);
	struct job **job = &v->browser->tree->laying_out;

	if (what || !*job || c->all.rows != rows_of(v))
		return what;
	busy_slice(v->browser, SLICE_IDLE);
	what = busy_run(v->browser, job) ? WORK_NEW : WORK_MORE;
	if (!(what & WORK_MORE))
		find_box(v);
	return what;
}

static const struct view_ops icicle_ops = {
	.name = "icicle",
	.keymap = KEYMAP_ICICLE,
	.cursor = CURSOR_NONE,
	.close = icicle_close,
	.resize = icicle_resize,
	.rows = icicle_rows,
	.head_lines = icicle_head_lines,
	.draw_head = icicle_draw_head,
	.draw_row = icicle_draw_row,
	.title = icicle_title,
	.row_text = icicle_row_text,
	.empty = tree_common_empty,
	.act = icicle_act,
	.pick = icicle_pick,
	.undo = icicle_undo,
	.again = tree_again,
	.place = icicle_place,
	.return_to = icicle_return,
	.search = icicle_search,
	.write = tree_common_write,
	.idle = icicle_idle,
};

struct view *
tree_icicle_new(struct browser *b)
{
	return view_new(&icicle_ops, b, xcalloc(1, sizeof(struct icicle)));
}
