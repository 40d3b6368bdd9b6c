#include "tui/view.h"

#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/text/name.h"
#include "util/text/safe.h"

struct view *
view_new(const struct view_ops *ops, struct browser *browser, void *data)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->ops = ops;
	v->browser = browser;
	v->data = data;
	return v;
}

void
view_free(struct view *v)
{
	if (!v)
		return;
	hits_stop_in(v);
	if (v->ops->close)
		v->ops->close(v);
	free(v);
}

size_t
view_rows(struct view *v)
{
	return v->ops->rows(v);
}

int
view_head_lines(struct view *v)
{
	return v->ops->head_lines ? v->ops->head_lines(v) : 0;
}

int
view_foot_lines(struct view *v)
{
	return v->ops->foot_lines ? v->ops->foot_lines(v) : 0;
}

int
view_one_head_line(struct view *v)
{
	return v->area.h > 3;
}

int
view_body_height(struct view *v)
{
	int h = v->area.h - 1 - view_head_lines(v) - view_foot_lines(v);

	return h > 0 ? h : 0;
}

void
view_clamp(struct view *v)
{
	size_t rows = view_rows(v), height = (size_t)view_body_height(v);

	if (!height)
		height = 1;
	if (v->cursor >= rows)
		v->cursor = rows ? rows - 1 : 0;
	if (v->top + height > rows)
		v->top = rows > height ? rows - height : 0;
	if (v->cursor < v->top)
		v->top = v->cursor;
	if (v->cursor >= v->top + height)
		v->top = v->cursor - height + 1;
}

void
view_move_to(struct view *v, size_t row)
{
	size_t height = (size_t)view_body_height(v);

	if (row + 1 < v->top || row > v->top + height)
		v->top = row > height / 2 ? row - height / 2 : 0;
	v->cursor = row;
	view_clamp(v);
}

void
view_resize(struct view *v, struct area area)
{
	v->area = area;
	if (v->ops->resize)
		v->ops->resize(v);
	view_clamp(v);
}

/* ---- drawing ---- */

void
title_place(struct title *title, struct view *v)
{
	size_t rows = view_rows(v);

	human_count(&title->right, rows ? v->cursor + 1 : 0);
	strbuf_char(&title->right, '/');
	human_count(&title->right, rows);
}

/* Drops c from "a b c", then b, until the rest and MIDDLE fit into ROOM columns. */
static void
fit_right(struct strbuf *right, const struct strbuf *middle, int room)
{
	size_t n;

	while (middle->len && safe_width(right->buf, right->len) +
	       safe_width(middle->buf, middle->len) > room) {
		n = right->len;
		while (n > 2 && (right->buf[n - 1] != ' ' || right->buf[n - 2] != ' '))
			n--;
		if (n <= 2)
			return;
		right->len = n - 2;
		right->buf[right->len] = '\0';
	}
}

/* Draws "── left ──────────── middle ─── right ──" on the first row of the pane. */
static void
draw_title(struct view *v, bool focused)
{
	struct title t = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, false };
	enum role rule = focused ? ROLE_RULE_ON : ROLE_RULE;
	struct line line = draw_line(&v->area, 0, OVERLAY_NONE);
	int w = v->area.w, x, right, middle;

	v->ops->title(v, &t);
	if (view_table(v))
		table_describe_work(view_table(v), &t.middle);
	hits_describe(v, &t.middle);
	line_fill(&line, 0, w, rule, GLYPH_HLINE);
	x = 2 + line_text(&line, 1, w - 2, ALIGN_LEFT, rule, " ", 1);
	x += line_text(&line, 2, w - 3, ALIGN_LEFT, focused ? ROLE_RULE_ON : ROLE_STRONG,
		       t.left.buf, (ptrdiff_t)t.left.len) -
	     1;
	x += line_text(&line, x, 1, ALIGN_LEFT, rule, " ", 1);
	if (t.right.len)
		fit_right(&t.right, &t.middle, w - x - 9);
	right = safe_width(t.right.buf, t.right.len);
	if (right && x + right + 5 <= w) {
		line_text(&line, w - right - 3, 1, ALIGN_LEFT, rule, " ", 1);
		line_text(&line, w - right - 2, right, ALIGN_LEFT, ROLE_DIM, t.right.buf,
			  (ptrdiff_t)t.right.len);
		line_text(&line, w - 2, 1, ALIGN_LEFT, rule, " ", 1);
		w -= right + 4;
	}
	middle = safe_width(t.middle.buf, t.middle.len);
	if (middle && x + 5 < w) {
		if (middle > w - x - 5)
			middle = w - x - 5;
		if (t.names)
			name_cut(&t.middle, middle, draw_glyph(GLYPH_DOTS));
		x += (w - x - middle) / 2 - 1;
		line_text(&line, x, 1, ALIGN_LEFT, rule, " ", 1);
		middle = line_text(&line, x + 1, middle, ALIGN_LEFT, ROLE_NAME, t.middle.buf,
				   (ptrdiff_t)t.middle.len);
		line_text(&line, x + 1 + middle, 1, ALIGN_LEFT, rule, " ", 1);
	}
	strbuf_release(&t.left);
	strbuf_release(&t.middle);
	strbuf_release(&t.right);
}

/* Returns the bytes of S for one row of WIDTH columns: to its line end, or to a blank before. */
static size_t
row_length(const char *s, int width)
{
	size_t n = strcspn(s, "\n"), cut;

	if (safe_width(s, n) <= width)
		return n;
	for (cut = n; cut > 0; cut--)
		if (s[cut] == ' ' && safe_width(s, cut) <= width)
			return cut;
	return n;
}

static void
draw_empty(struct view *v, int first)
{
	struct strbuf text = STRBUF_INIT;
	enum role role = ROLE_STRONG;
	struct line line;
	const char *s;
	int y = first + (view_body_height(v) > 4);
	size_t n;

	if (view_table(v) && table_busy(view_table(v)))
		strbuf_str(&text, "Not found yet.\n");
	else if (v->ops->empty)
		v->ops->empty(v, &text);
	for (s = text.buf; *s && y < v->area.h; s += n + (s[n] != '\0'), y++) {
		n = row_length(s, v->area.w - 3);
		line = draw_line(&v->area, y, OVERLAY_NONE);
		line_text(&line, 2, v->area.w - 3, ALIGN_LEFT, role, s, (ptrdiff_t)n);
		if (s[n] == '\n')
			role = ROLE_TEXT;
	}
	strbuf_release(&text);
}

static void
draw_body(struct view *v, bool focused, int first)
{
	enum overlay here = focused ? OVERLAY_CURSOR : OVERLAY_CURSOR_IDLE;
	size_t rows = view_rows(v), row;
	struct line line;
	int y, end = v->area.h - view_foot_lines(v);

	for (y = first, row = v->top; y < end && row < rows; y++, row++) {
		bool cursor = row == v->cursor;

		line = draw_line(&v->area, y,
				 cursor && v->ops->cursor == CURSOR_ROW ? here : OVERLAY_NONE);
		v->ops->draw_row(v, row, &line);
		if (cursor && focused && v->ops->cursor != CURSOR_NONE)
			line_text(&line, 0, 1, ALIGN_LEFT, ROLE_KEY, draw_glyph(GLYPH_CURSOR), -1);
	}
}

void
view_draw(struct view *v, bool focused)
{
	struct line line;
	int i, heads = view_head_lines(v), feet = view_foot_lines(v);

	if (v->area.h <= 0 || v->area.w <= 0)
		return;
	draw_title(v, focused);
	for (i = 0; i < heads; i++) {
		line = draw_line(&v->area, 1 + i, OVERLAY_NONE);
		v->ops->draw_head(v, i, &line);
	}
	for (i = 0; i < feet; i++) {
		line = draw_line(&v->area, v->area.h - feet + i, OVERLAY_NONE);
		v->ops->draw_foot(v, i, &line);
	}
	if (view_rows(v))
		draw_body(v, focused, 1 + heads);
	else
		draw_empty(v, 1 + heads);
}

/* ---- moving ---- */

static size_t
far_down(size_t from, size_t by)
{
	return from + by < from ? SIZE_MAX : from + by;
}

/* Moves cursor and window together, as less and vim do. */
static unsigned
move_by_page(struct view *v, size_t by, bool down)
{
	if (down) {
		v->top = far_down(v->top, by);
		v->cursor = far_down(v->cursor, by);
	} else {
		v->top = v->top > by ? v->top - by : 0;
		v->cursor = v->cursor > by ? v->cursor - by : 0;
	}
	view_clamp(v);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
move_to(struct view *v, size_t row)
{
	size_t rows = view_rows(v);

	view_move_to(v, row < rows ? row : rows ? rows - 1 : 0);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
scroll_sideways(struct view *v, int by)
{
	v->left += by;
	if (v->left < 0)
		v->left = 0;
	return EFFECT_DONE;
}

static unsigned
generic_act(struct view *v, enum action action, size_t count)
{
	size_t by = count ? count : 1, page = (size_t)view_body_height(v);

	page = page > 2 ? page - 1 : 1;
	switch (action) {
	case ACTION_DOWN:
		return move_to(v, far_down(v->cursor, by));
	case ACTION_UP:
		return move_to(v, v->cursor > by ? v->cursor - by : 0);
	case ACTION_PAGE_DOWN:
		return move_by_page(v, page * by, true);
	case ACTION_PAGE_UP:
		return move_by_page(v, page * by, false);
	case ACTION_HALF_DOWN:
		return move_by_page(v, count ? count : (page + 1) / 2, true);
	case ACTION_HALF_UP:
		return move_by_page(v, count ? count : (page + 1) / 2, false);
	case ACTION_FIRST:
		return move_to(v, count ? count - 1 : 0);
	case ACTION_LAST:
		return move_to(v, count ? count - 1 : SIZE_MAX);
	case ACTION_SCROLL_LEFT:
		return scroll_sideways(v, -(int)(count && count < 10000 ? count : 8));
	case ACTION_SCROLL_RIGHT:
		return scroll_sideways(v, (int)(count && count < 10000 ? count : 8));
	default:
		return EFFECT_REFUSED;
	}
}

/* What is done with the row under the cursor: no view is asked for it that has none. */
static bool
takes_a_row(enum action action)
{
	return action == ACTION_OPEN || action == ACTION_SHOW || action == ACTION_MARK_ROW ||
	       action == ACTION_STACKS || action == ACTION_FREED_AT ||
	       action == ACTION_COLUMN_TOGGLE;
}

unsigned
view_act(struct view *v, enum action action, size_t count)
{
	unsigned effect = EFFECT_REFUSED;

	if (takes_a_row(action) && !view_rows(v)) {
		browser_say(v->browser, ROLE_MESSAGE, "there is nothing to choose from");
		return EFFECT_DONE;
	}
	if (v->ops->act)
		effect = v->ops->act(v, action, count);
	if (effect & EFFECT_REFUSED)
		effect = generic_act(v, action, count);
	return effect;
}

/* ---- places ---- */

size_t
view_place(struct view *v)
{
	return v->ops->place ? v->ops->place(v) : v->cursor;
}

void
view_return(struct view *v, size_t place)
{
	if (v->ops->return_to)
		v->ops->return_to(v, place);
	else
		view_move_to(v, place);
}

ptrdiff_t
view_row_at(struct view *v, int y)
{
	int i = y - v->area.y - 1 - view_head_lines(v);

	if (i < 0 || y >= v->area.y + v->area.h - view_foot_lines(v) ||
	    v->top + (size_t)i >= view_rows(v))
		return -1;
	return (ptrdiff_t)(v->top + (size_t)i);
}
