/* The tree of calls as rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/value.h"
#include "tui/busy.h"
#include "tui/tree_view.h"
#include "tui/views.h"
#include "util/name.h"
#include "util/safe.h"

static struct tree_rows *
rows_of(struct view *v)
{
	return v->browser->tree->rows;
}

/* ---- columns ---- */

struct cell_of {                 /* the node and row that a cell shows */
	struct view *v;
	struct tree_rows *rows;
	uint32_t id;
	const struct tree_node *n;
	bool back;               /* nothing but recursion, which is counted above */
	struct compare_tree_row compared; /* of a joined tree */
	size_t profile;          /* in a comparison, the column's */
	int width;
	enum role role;
};

typedef void tree_print(struct cell_of *c, struct strbuf *out);

static void
print_share(struct cell_of *c, struct strbuf *out)
{
	if (!c->back)
		human_percent(out, tree_weight(c->rows->tree, c->n), tree_rows_whole(c->rows));
}

static void
print_bar(struct cell_of *c, struct strbuf *out)
{
	uint64_t whole = tree_rows_whole(c->rows);

	c->role = ROLE_BAR;
	if (whole && !c->back)
		human_bar(out, (double)tree_weight(c->rows->tree, c->n) / (double)whole, c->width,
			  draw_ascii());
}

static void
print_total(struct cell_of *c, struct strbuf *out)
{
	const struct tree_node *tail;

	if (c->back) {
		c->role = ROLE_DIM;
		tail = tree_node(c->rows->tree, tree_rows_tail(c->rows, c->id));
		if (!tail->total)
			return;
		strbuf_char(out, '(');
		value_whole(out, tree_unit(c->rows->tree), tail->total, c->width, draw_ascii());
		strbuf_char(out, ')');
	} else {
		value_whole(out, tree_unit(c->rows->tree), c->n->total, c->width, draw_ascii());
	}
}

static const struct compare_kind *
kind_of(const struct cell_of *c)
{
	return compare_tree_kind(c->v->browser, c->rows->tree);
}

static bool
is_timed(struct browser *b, const struct tree_rows *rows)
{
	return figure_is_sampled(compare_tree_kind(b, rows->tree)->figure);
}

/* For times the head tells it. */
static bool
is_estimate(const struct cell_of *c)
{
	return !c->compared.exact && !is_timed(c->v->browser, c->rows);
}

/* Prints a figure of one profile of a comparison. */
static void
print_figure(struct cell_of *c, struct strbuf *out)
{
	double figure = c->compared.figures[c->profile];
	int width = c->width - (c->back ? 2 : 0);

	if (isnan(figure) || figure == 0 || c->back)
		c->role = ROLE_DIM;
	if (c->back && !(figure > 0))
		return;
	strbuf_str(out, c->back ? "(" : "");
	if (!c->back && !isnan(figure) && is_estimate(c))
		width -= value_mark(out, "estimated", draw_ascii());
	value_real(out, figure_unit(kind_of(c)->figure), figure, width, VALUE_PLAIN, draw_ascii());
	strbuf_str(out, c->back ? ")" : "");
}

static void
print_value(struct cell_of *c, struct strbuf *out)
{
	if (c->back)
		return;
	c->role = compare_text_role(c->v->browser, kind_of(c), c->compared.value,
				    compare_is_unsure(c->compared.significance));
	value_real(out, kind_of(c)->unit, c->compared.value, c->width, VALUE_SIGNED, draw_ascii());
}

static void
print_direction(struct cell_of *c, struct strbuf *out)
{
	if (!c->back)
		compare_arrow(c->v->browser, kind_of(c), c->compared.value,
			      compare_is_unsure(c->compared.significance), out, &c->role);
}

static void
print_significance(struct cell_of *c, struct strbuf *out)
{
	c->role = ROLE_DIM;
	if (!c->back)
		value_errors(out, c->compared.significance);
}

static void
print_in(struct cell_of *c, struct strbuf *out)
{
	c->role = ROLE_ESTIMATE;
	strbuf_char(out, ' ');
	compare_tree_in(&c->v->browser->compare, c->compared.sides, out);
}

static void
print_self(struct cell_of *c, struct strbuf *out)
{
	bool lent;
	uint64_t own = tree_rows_own(c->rows, c->id, &lent);

	if (c->back)
		return;
	value_whole(out, tree_unit(c->rows->tree), own, c->width, draw_ascii());
	strbuf_char(out, lent ? '+' : ' ');
}

static void
print_number(struct cell_of *c, struct strbuf *out)
{
	if (tree_wanted(c->rows->tree)->source == TREE_ARCS && !c->n->exact)
		c->role = ROLE_ESTIMATE;
	tree_print_number(c->rows, c->n, c->width, out);
}

static void
print_where(struct cell_of *c, struct strbuf *out)
{
	struct browser *b = c->v->browser;
	const struct profile_file *file;
	struct strbuf line = STRBUF_INIT;
	struct target target;

	c->role = ROLE_PLACE;
	if (!tree_node_target(b, c->rows, c->id, false, &target))
		return;
	file = profile_file(target.first ? b->compare.profiles[0] : b->profile, target.place.file);
	if (!file)
		return;
	strbuf_fmt(&line, ":%u", target.place.line);
	path_tail(out, file->path, c->width - (int)line.len, draw_ascii());
	strbuf_str(out, line.buf);
	strbuf_release(&line);
}

/* Profiles of a comparison that have a column: all, or the first ones and the last. */
enum { MOST_FIGURES = 6 };

enum {
	COLUMN_SHARE, COLUMN_BAR, COLUMN_FIGURE,
	COLUMN_VALUE = COLUMN_FIGURE + MOST_FIGURES, COLUMN_DIRECTION, COLUMN_SIGNIFICANCE,
	COLUMN_IN, COLUMN_TOTAL, COLUMN_SELF, COLUMN_NUMBER, COLUMN_TREE, COLUMN_WHERE, NR_COLUMNS
};
enum { WIDE = 110 };

static const struct {
	int least;               /* on narrower screens the tree has its room */
	int width, wide;         /* below WIDE columns on the screen, and else; 0: not there */
	enum align align;
	bool compared;           /* joined trees have it, and of the others only the last ones */
	tree_print *print;       /* NULL: the tree itself */
	const char *head;        /* heads: from the callers down; from arcs */
} columns[NR_COLUMNS] = {
	[COLUMN_SHARE] = { 20, 6, 6, ALIGN_RIGHT, false, print_share, "total%" },
	[COLUMN_BAR] = { 72, 4, 8, ALIGN_LEFT, false, print_bar, "" },
	[COLUMN_FIGURE] = { 60, 9, 10, ALIGN_RIGHT, true, print_figure, "" },
	[COLUMN_FIGURE + 1 ... COLUMN_VALUE - 2] = { WIDE, 0, 10, ALIGN_RIGHT, true, print_figure,
						     "" },
	[COLUMN_VALUE - 1] = { 50, 9, 10, ALIGN_RIGHT, true, print_figure, "" },
	[COLUMN_VALUE] = { 30, 10, 11, ALIGN_RIGHT, true, print_value, "result" },
	[COLUMN_DIRECTION] = { 90, 1, 1, ALIGN_LEFT, true, print_direction, "" },
	[COLUMN_SIGNIFICANCE] = { 90, 6, 6, ALIGN_RIGHT, true, print_significance, "signif" },
	[COLUMN_IN] = { 70, 8, 8, ALIGN_LEFT, true, print_in, " in" },
	[COLUMN_TOTAL] = { 42, 9, 10, ALIGN_RIGHT, false, print_total, "total" },
	[COLUMN_SELF] = { 52, 9, 10, ALIGN_RIGHT, false, print_self, "self " },
	[COLUMN_NUMBER] = { 64, 9, 13, ALIGN_RIGHT, false, print_number, "calls" },
	[COLUMN_TREE] = { 0, 0, 0, ALIGN_LEFT, false, NULL, "procedure, callees below" },
	[COLUMN_WHERE] = { WIDE, 0, 22, ALIGN_LEFT, false, print_where, "where" },
};

/* Returns the profile whose figures column I has; SIZE_MAX: none. The last one stands last. */
static size_t
column_profile(const struct browser *b, int i)
{
	size_t nr = b->compare.nr, k = (size_t)(i - COLUMN_FIGURE);

	if (i < COLUMN_FIGURE || i >= COLUMN_VALUE)
		return SIZE_MAX;
	return i == COLUMN_VALUE - 1 ? nr - 1 : k + 1 < nr ? k : SIZE_MAX;
}

/* Returns the head of another measure than time. */
static const char *
measure_head(const struct tree_rows *rows)
{
	return tree_wanted(rows->tree)->measure == MEASURE_WAIT ? "waiting"
								: tree_measure(rows->tree)->name;
}

static void
put_head(struct browser *b, const struct tree_rows *rows, int i, struct strbuf *out)
{
	const struct tree_want *want = tree_wanted(rows->tree);
	bool arcs = want->source == TREE_ARCS, time = i == COLUMN_TOTAL || i == COLUMN_SELF;
	size_t profile = column_profile(b, i);
	const char *head = columns[i].head;

	if (time && want->measure)
		head = i == COLUMN_TOTAL ? measure_head(rows) : "itself ";
	else if (arcs && (profile == SIZE_MAX ? time : is_timed(b, rows)))
		value_mark(out, "estimated", draw_ascii());
	if (i == COLUMN_SHARE && want->bottom_up && !want->procedure)
		head = "self%";
	if (i == COLUMN_NUMBER && !arcs)
		head = "samples";
	if (i == COLUMN_TREE && want->bottom_up)
		head = "procedure, callers below";
	if (i == COLUMN_WHERE && want->bottom_up)
		head = "call";
	strbuf_str(out, profile == SIZE_MAX ? head : compare_letter(profile));
}

static int
column_width(const struct browser *b, const struct tree_rows *rows, int i, int screen)
{
	bool timed = tree_has_time(rows->tree), joined = tree_is_joined(rows->tree);
	int width = screen < WIDE ? columns[i].width : columns[i].wide;

	if (i < COLUMN_TREE && columns[i].compared != joined)
		return 0;
	/* Without time there are only calls. */
	if (joined || timed ? screen < columns[i].least : i <= COLUMN_SELF)
		return 0;
	if (joined && i >= COLUMN_FIGURE && i < COLUMN_VALUE &&
	    column_profile(b, i) == SIZE_MAX)
		return 0;
	return i == COLUMN_NUMBER && tree_wanted(rows->tree)->measure ? 0 : width;
}

/* Returns where column I begins, and how wide it is. */
static int
column_place(const struct browser *b, const struct tree_rows *rows, int i, int screen,
	     int *width)
{
	int x = 1, right = 0, k;

	for (k = 0; k < i; k++)
		x += column_width(b, rows, k, screen) + (column_width(b, rows, k, screen) ? 1 : 0);
	*width = column_width(b, rows, i, screen);
	if (i < COLUMN_TREE)
		return x;
	right = column_width(b, rows, COLUMN_WHERE, screen);
	if (i == COLUMN_WHERE)
		return screen - right;
	*width = screen - right - x - (right ? 2 : 0) - 1;
	return x + 1;
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
	struct strbuf head = STRBUF_INIT;
	int x, w;

	(void)i;
	for (int k = 0; k < NR_COLUMNS; k++) {
		x = column_place(v->browser, rows_of(v), k, line->w, &w);
		if (w <= 0)
			continue;
		strbuf_clear(&head);
		put_head(v->browser, rows_of(v), k, &head);
		line_text(line, x, w, columns[k].align, ROLE_HEAD, head.buf, -1);
	}
	strbuf_release(&head);
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

/* Fills in what all cells of a node's row share. A chain's own figures are its last node's. */
static void
fill_cells(struct cell_of *c)
{
	uint32_t tail = tree_rows_tail(c->rows, c->id);

	c->back = tree_rows_goes_back(c->rows, c->id);
	c->n = tree_node(c->rows->tree, c->id);
	if (tree_is_joined(c->rows->tree))
		compare_tree_row(c->v->browser, c->rows->tree,
				 tree_wanted(c->rows->tree)->bottom_up ? c->id : tail,
				 &c->compared);
}

static void
list_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct tree_rows *rows = rows_of(v);
	struct strbuf text = STRBUF_INIT;
	struct cell_of c = { .v = v, .rows = rows, .id = rows->rows[row].node };
	int i, x;

	rows->drawing = true;
	fill_cells(&c);
	for (i = 0; i < NR_COLUMNS; i++) {
		x = column_place(v->browser, rows, i, line->w, &c.width);
		if (c.width <= 0)
			continue;
		if (!columns[i].print) {
			draw_tree(v, row, line, x, c.width);
			continue;
		}
		strbuf_clear(&text);
		c.role = ROLE_TEXT;
		c.profile = column_profile(v->browser, i);
		columns[i].print(&c, &text);
		line_text(line, x, c.width, columns[i].align, c.role, text.buf,
			  (ptrdiff_t)text.len);
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
	human_count(&title->right, rows_of(v)->nr ? v->cursor + 1 : 0);
	strbuf_char(&title->right, '/');
	human_count(&title->right, rows_of(v)->nr);
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

void
tree_common_write(struct view *v, FILE *out)
{
	struct tree_rows *rows = rows_of(v);
	struct strbuf s = STRBUF_INIT, safe = STRBUF_INIT;
	struct cell_of c = { .v = v, .rows = rows };

	for (size_t row = 0; rows && row < rows->nr; row++) {
		c.id = rows->rows[row].node;
		fill_cells(&c);
		for (int i = 0; i < COLUMN_TREE; i++) {
			c.width = column_width(v->browser, rows, i, WIDE);
			if (!c.width || i == COLUMN_BAR)
				continue;
			strbuf_clear(&s);
			c.profile = column_profile(v->browser, i);
			columns[i].print(&c, &s);
			fprintf(out, "%*s%s ", c.width - safe_width(s.buf, s.len), "", s.buf);
		}
		strbuf_clear(&s);
		strbuf_clear(&safe);
		tree_rows_lines(rows, row, 80, draw_ascii(), &s);
		tree_rows_names(rows, c.id, draw_ascii(), 0, &s);
		safe_text(&safe, s.buf, s.len);
		fprintf(out, " %s\n", safe.buf);
	}
	strbuf_release(&s);
	strbuf_release(&safe);
}

static const struct view_ops list_ops = {
	.name = "tree",
	.keymap = KEYMAP_TREE,
	.rows = list_rows,
	.head_lines = list_head_lines,
	.draw_head = list_draw_head,
	.draw_row = list_draw_row,
	.title = list_title,
	.row_text = list_row_text,
	.empty = tree_common_empty,
	.act = list_act,
	.undo = list_undo,
	.place = list_place,
	.return_to = list_return,
	.search = list_search,
	.write = tree_common_write,
	.idle = tree_common_idle,
};

struct view *
tree_list_new(struct browser *b)
{
	struct view *v = view_new(&list_ops, b, NULL);

	/* The size is not known yet: the row goes into the middle of what it may be. */
	v->area = (struct area){ 1, 0, draw_rows() - 2, draw_columns() };
	go_to_node(v);
	return v;
}
