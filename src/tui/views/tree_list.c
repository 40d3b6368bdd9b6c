/* The tree of calls as rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/tree_columns.h"
#include "tui/busy.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/views/tree_view.h"
#include "util/text/name.h"
#include "util/text/safe.h"

static struct tree_rows *
rows_of(struct view *v)
{
	return v->browser->tree->rows;
}

/* ---- columns and cells ---- */

/* A row of the tree as its columns show it. */
struct shown {
	struct view *v;
	struct tree_rows *rows;
	uint32_t id;
	struct list_row row;
	struct compare_tree_row compared; /* of a joined tree */
	char sides[80];          /* of many profiles the first ones: it is cut to a column anyhow */
};

static bool
is_joined(const struct tree_rows *rows)
{
	return tree_is_joined(rows->tree);
}

static const struct compare_kind *
kind_of(const struct view *v, const struct tree_rows *rows)
{
	return compare_tree_kind(v->browser, rows->tree);
}

enum { WIDE = 110 };

static void
make_columns(struct view *v, struct tree_rows *rows, struct column_set *columns)
{
	struct tree_compared compared = { .nr = 0 };

	if (is_joined(rows))
		compared = (struct tree_compared){
			v->browser->compare.nr, figure_is_sampled(kind_of(v, rows)->figure),
		};
	column_set_release(columns);
	tree_columns_make(columns, rows, &compared, draw_ascii());
}

/* They are made anew for each line: their heads depend on the tree that is shown. */
static struct fixed_columns
columns_of(struct view *v, struct tree_rows *rows)
{
	struct column_set *columns = v->data;

	make_columns(v, rows, columns);
	return (struct fixed_columns){ columns->items, columns->nr, 1, 1, WIDE, 1 };
}

static struct cell_context
context_of(struct view *v, struct tree_rows *rows)
{
	struct cell_context x = tree_cell_context(rows, draw_ascii());

	if (is_joined(rows)) {
		x.unit = kind_of(v, rows)->unit;
		x.figure = x.of_a = x.of_b = kind_of(v, rows)->figure;
	}
	return x;
}

static void
put_place(struct shown *s)
{
	struct browser *b = s->v->browser;
	const struct profile_file *file;
	struct target target;

	if (!tree_node_target(b, s->rows, s->id, false, &target))
		return;
	file = profile_file(target.first ? b->compare.profiles[0] : b->profile, target.place.file);
	if (!file)
		return;
	list_row_put_text(&s->row, LIST_TREE, "file", file->path);
	list_row_put_number(&s->row, LIST_TREE, "line", target.place.line);
}

/* A chain's own figures are its last node's. */
static void
put_compared(struct shown *s)
{
	static const char *const middle[] = { "m1", "m2", "m3", "m4" };
	const struct tree_want *want = tree_wanted(s->rows->tree);
	struct compare_tree_row *c = &s->compared;
	struct browser *b = s->v->browser;
	struct strbuf sides = STRBUF_INIT;
	size_t last = b->compare.nr - 1;

	compare_tree_row(b, s->rows->tree,
			 want->bottom_up ? s->id : tree_rows_tail(s->rows, s->id), c);
	list_row_put_real(&s->row, LIST_TREE, "a", c->figures[0]);
	for (size_t i = 0; i < sizeof(middle) / sizeof(*middle) && i + 1 < last; i++)
		list_row_put_real(&s->row, LIST_TREE, middle[i], c->figures[i + 1]);
	list_row_put_real(&s->row, LIST_TREE, "b", c->figures[last]);
	list_row_put_real(&s->row, LIST_TREE, "value", c->value);
	list_row_put_real(&s->row, LIST_TREE, "significance", c->significance);
	list_row_put_text(&s->row, LIST_TREE, "verdict", verdict_word(c->verdict.verdict));
	compare_tree_in(&b->compare, &c->sides, &sides);
	snprintf(s->sides, sizeof(s->sides), "%s", sides.len ? sides.buf : "all");
	strbuf_release(&sides);
	list_row_put_text(&s->row, LIST_TREE, "sides", s->sides);
	/* For times the head tells it. */
	list_row_put_number(&s->row, LIST_TREE, "estimated",
			    !c->exact && !figure_is_sampled(kind_of(s->v, s->rows)->figure));
}

static void
fill(struct shown *s)
{
	tree_cells(s->rows, s->id, &s->row);
	put_place(s);
	if (is_joined(s->rows))
		put_compared(s);
}

static void
print_cell(const struct shown *s, const struct cell_context *x, const struct column *c, int width,
	   struct strbuf *out, enum role *role)
{
	struct browser *b = s->v->browser;
	double heat = s->compared.heat;
	bool unsure;

	cell_print(out, x, c, &s->row, width, role);
	if (s->row.inner || (c->cell != CELL_DIFFERENCE && c->cell != CELL_DIRECTION))
		return;
	unsure = compare_is_unsure(kind_of(s->v, s->rows), s->compared.significance);
	if (c->cell == CELL_DIFFERENCE)
		*role = compare_text_role(b, kind_of(s->v, s->rows), heat, unsure);
	else
		compare_arrow(b, kind_of(s->v, s->rows), heat, unsure, out, role);
}

/* ---- drawing ---- */

static int
list_head_lines(struct view *v)
{
	return v->area.h > 3 && rows_of(v);
}

static void
list_draw_head(struct view *v, int i, const struct line *line)
{
	const struct fixed_columns columns = columns_of(v, rows_of(v));

	(void)i;
	fixed_draw_head(&columns, line);
}

static void
mark_hits(struct view *v, const struct line *line, int x, int w, const struct strbuf *s)
{
	size_t from = 0, start, end;

	while (search_find(&v->browser->search, s->buf, s->len, from, &start, &end)) {
		int a = safe_width(s->buf, start), b = safe_width(s->buf, end);

		if (a >= w)
			return;
		line_overlay(line, x + a, (b < w ? b : w) - a, OVERLAY_MATCH);
		from = end;
	}
}

static const char *
expander(struct tree_rows *rows, uint32_t id)
{
	if (!tree_rows_has_children(rows, id))
		return "  ";
	if (tree_rows_is_expanded(rows, id))
		return draw_ascii() ? "- " : "▾ ";
	return draw_ascii() ? "+ " : "▸ ";
}

static void
draw_tree(struct view *v, size_t row, const struct line *line, int x, int w)
{
	struct tree_rows *rows = rows_of(v);
	uint32_t id = rows->rows[row].node;
	struct strbuf s = STRBUF_INIT;
	bool dim = tree_node(rows->tree, id)->kind == TREE_OUTSIDE || tree_rows_goes_back(rows, id);
	int used;

	tree_rows_lines(rows, row, w, draw_ascii(), &s);
	used = line_text(line, x, w, ALIGN_LEFT, ROLE_RULE, s.buf, (ptrdiff_t)s.len);
	used += line_text(line, x + used, w - used, ALIGN_LEFT, ROLE_KEY, expander(rows, id), -1);
	strbuf_clear(&s);
	tree_rows_names(rows, id, draw_ascii(), w - used, &s);
	name_cut(&s, w - used, draw_glyph(GLYPH_DOTS));
	line_text(line, x + used, w - used, ALIGN_LEFT, dim ? ROLE_DIM : ROLE_NAME, s.buf,
		  (ptrdiff_t)s.len);
	mark_hits(v, line, x + used, w - used, &s);
	strbuf_release(&s);
}

static void
list_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct tree_rows *rows = rows_of(v);
	const struct fixed_columns columns = columns_of(v, rows);
	const struct cell_context context = context_of(v, rows);
	struct shown shown = { .v = v, .rows = rows, .id = rows->rows[row].node };
	struct strbuf text = STRBUF_INIT;

	rows->drawing = true;
	fill(&shown);
	for (int i = 0, x, w; i < columns.nr; i++) {
		const struct column *c = &columns.columns[i];
		enum role role;

		x = fixed_place(&columns, line->w, i, &w);
		if (w <= 0)
			continue;
		if (!c->width) {
			draw_tree(v, row, line, x, w);
			continue;
		}
		strbuf_clear(&text);
		print_cell(&shown, &context, c, w, &text, &role);
		line_text(line, x, w, column_align(c), role, text.buf, (ptrdiff_t)text.len);
	}
	rows->drawing = false;
	strbuf_release(&text);
}

static void
list_title(struct view *v, struct title *title)
{
	tree_common_title(v, title);
	if (!rows_of(v))
		return;
	busy_slice(v->browser, SLICE_DRAW);
	rows_of(v)->asked = false;
	title_place(title, v);
}

/* ---- moving ---- */

static size_t
list_rows(struct view *v)
{
	return rows_of(v) ? rows_of(v)->nr : 0;
}

/* Moves the cursor to the row of the state's node, after rows changed. */
static void
go_to_node(struct view *v)
{
	if (list_rows(v))
		view_move_to(v, tree_rows_row_of(rows_of(v), v->browser->tree->node));
}

static void
list_moved(struct view *v)
{
	if (v->cursor < list_rows(v))
		v->browser->tree->node = rows_of(v)->rows[v->cursor].node;
}

static unsigned
expand(struct view *v, uint32_t id)
{
	struct tree_rows *rows = rows_of(v);

	if (tree_node(rows->tree, tree_rows_tail(rows, id))->kind == TREE_RECURSION) {
		browser_say(v->browser, ROLE_MESSAGE,
			    "recursion: what is below is shown where the procedure stands first");
		return EFFECT_DONE;
	}
	if (tree_rows_is_expanded(rows, id))
		view_move_to(v, v->cursor + 1);
	else
		tree_job_expand(v->browser, id);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
collapse(struct view *v, uint32_t id)
{
	struct tree_rows *rows = rows_of(v);
	uint32_t parent = rows->rows[v->cursor].parent;

	if (tree_rows_is_expanded(rows, id)) {
		tree_rows_expand(rows, id, false);
		view_clamp(v);
	} else if (parent != TREE_NONE) {
		view_move_to(v, parent);
	}
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
list_act(struct view *v, enum action action, size_t count)
{
	struct browser *b = v->browser;
	unsigned effect;
	uint32_t id;

	tree_stop_looking(b);
	if (list_rows(v)) {
		list_moved(v);
		id = b->tree->node;
		if (tree_job_before(b, action, id))
			return EFFECT_DONE;
		if (action == ACTION_TREE_EXPAND)
			return expand(v, id);
		if (action == ACTION_TREE_COLLAPSE)
			return collapse(v, id);
	}
	effect = tree_common_act(v, action, count);
	if (!tree_leaves(action) && !(effect & EFFECT_REFUSED))
		go_to_node(v);
	return effect;
}

static bool
list_undo(struct view *v)
{
	list_moved(v);
	if (!tree_common_undo(v))
		return false;
	go_to_node(v);
	return true;
}

static size_t
list_place(struct view *v)
{
	list_moved(v);
	return tree_common_place(v);
}

static void
list_return(struct view *v, size_t place)
{
	tree_stop_looking(v->browser);
	v->browser->tree->node = (uint32_t)place;
	go_to_node(v);
}

static bool
list_search(struct view *v, const struct search *search, bool backward, size_t from, bool here)
{
	if (!tree_common_search(v, search, backward, from, here))
		return false;
	go_to_node(v);
	return true;
}

static void
list_row_text(struct view *v, size_t row, struct strbuf *out)
{
	tree_rows_names(rows_of(v), rows_of(v)->rows[row].node, draw_ascii(), 0, out);
}

static void
write_cells(struct shown *s, const struct column_set *columns, const struct cell_context *context,
	    FILE *out)
{
	struct strbuf text = STRBUF_INIT;
	enum role role;

	for (int i = 0; columns->items[i].width; i++) {
		const struct column *c = &columns->items[i];
		int width = c->width + c->grow;

		if (!c->head[0] && c->cell == CELL_BAR)
			continue;
		strbuf_clear(&text);
		print_cell(s, context, c, width, &text, &role);
		fprintf(out, "%*s%s ", width - safe_width(text.buf, text.len), "", text.buf);
	}
	strbuf_release(&text);
}

void
tree_common_write(struct view *v, FILE *out)
{
	struct tree_rows *rows = rows_of(v);
	struct column_set columns = { .nr = 0 };
	struct strbuf s = STRBUF_INIT, safe = STRBUF_INIT;

	for (size_t row = 0; rows && row < rows->nr; row++) {
		const struct cell_context context = context_of(v, rows);
		struct shown shown = { .v = v, .rows = rows, .id = rows->rows[row].node };

		if (!row)
			make_columns(v, rows, &columns);
		fill(&shown);
		write_cells(&shown, &columns, &context, out);
		strbuf_clear(&s);
		strbuf_clear(&safe);
		tree_rows_lines(rows, row, 80, draw_ascii(), &s);
		tree_rows_names(rows, shown.id, draw_ascii(), 0, &s);
		safe_text(&safe, s.buf, s.len);
		fprintf(out, " %s\n", safe.buf);
	}
	column_set_release(&columns);
	strbuf_release(&s);
	strbuf_release(&safe);
}

static void
list_close(struct view *v)
{
	column_set_release(v->data);
	free(v->data);
}

static const struct view_ops list_ops = {
	.name = "tree",
	.keymap = KEYMAP_TREE,
	.close = list_close,
	.rows = list_rows,
	.head_lines = list_head_lines,
	.draw_head = list_draw_head,
	.draw_row = list_draw_row,
	.title = list_title,
	.row_text = list_row_text,
	.empty = tree_common_empty,
	.act = list_act,
	.undo = list_undo,
	.again = tree_again,
	.place = list_place,
	.return_to = list_return,
	.search = list_search,
	.write = tree_common_write,
	.idle = tree_common_idle,
};

struct view *
tree_list_new(struct browser *b)
{
	struct view *v = view_new(&list_ops, b, xcalloc(1, sizeof(struct column_set)));

	/* The size is not known yet: the row goes into the middle of what it may be. */
	v->area = (struct area){ 1, 0, draw_rows() - 2, draw_columns() };
	go_to_node(v);
	return v;
}
