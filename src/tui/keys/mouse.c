/* The mouse: a click selects, a double click opens, a click on a head sorts, one on a hint at the
 * bottom does what that says, the wheel scrolls. */
#include "tui/browser.h"
#include "tui/layout.h"
#include "tui/screen/term.h"
#include "tui/walk.h"

static bool
is_in(const struct area *a, int y, int x)
{
	return y >= a->y && y < a->y + a->h && x >= a->x && x < a->x + a->w;
}

/* Returns the pane at a place of the screen, or -1. */
static int
pane_at(const struct browser *b, int y, int x)
{
	int i;

	for (i = 0; i < PANE_NR; i++)
		if (is_in(&b->panes[i]->area, y, x))
			return i;
	return -1;
}

static void
click(struct browser *b, struct view *v, const struct term_mouse *mouse)
{
	ptrdiff_t row = view_row_at(v, mouse->y);
	int head = mouse->y - v->area.y - 1;

	if (head >= 0 && head < view_head_lines(v) && v->ops->click) {
		if (v->ops->click(v, head, mouse->x - v->area.x) & EFFECT_MOVED)
			walk_follow_cursor(b, v);
		return;
	}
	if (row < 0)
		return;
	if (v->ops->pick)
		v->ops->pick(v, (size_t)row, mouse->x - v->area.x);
	else
		view_move_to(v, (size_t)row);
	walk_follow_cursor(b, v);
	if (mouse->what == MOUSE_DOUBLE)
		browser_act(b, ACTION_OPEN, 0);
}

/* The pane below the pointer scrolls, and the keyboard stays where it is. */
static void
wheel(struct browser *b, struct view *v, enum action action)
{
	unsigned effect;

	if (v == browser_view(b)) {
		browser_act(b, action, 3);
		return;
	}
	effect = view_act(v, action, 3);
	if (effect & EFFECT_MOVED)
		b->actions_done[action]++;
}

unsigned
browser_mouse(struct browser *b)
{
	struct term_mouse mouse;
	struct view *v;
	enum action hint;
	int pane;

	if (!term_mouse(&mouse))
		return EFFECT_NONE;
	hint = layout_hint_at(mouse.y, mouse.x);
	if (hint != ACTION_NONE && (mouse.what == MOUSE_CLICK || mouse.what == MOUSE_DOUBLE)) {
		browser_act(b, hint, 0);
		return EFFECT_DONE;
	}
	if (!b->depth && b->aside && is_in(&b->aside->area, mouse.y, mouse.x)) {
		ptrdiff_t row = view_row_at(b->aside, mouse.y);

		if (row >= 0 && (mouse.what == MOUSE_CLICK || mouse.what == MOUSE_DOUBLE))
			b->aside->ops->pick(b->aside, (size_t)row, mouse.x - b->aside->area.x);
		layout(b);
		return EFFECT_DONE;
	}
	pane = b->depth ? -1 : pane_at(b, mouse.y, mouse.x);
	if (!b->depth && pane < 0)
		return EFFECT_NONE;
	v = b->depth ? b->stack[b->depth - 1] : b->panes[pane];
	strbuf_clear(&b->message);
	if (mouse.what == MOUSE_WHEEL_UP || mouse.what == MOUSE_WHEEL_DOWN) {
		wheel(b, v, mouse.what == MOUSE_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
	} else {
		if (!b->depth)
			browser_focus(b, (enum pane)pane);
		click(b, v, &mouse);
	}
	layout(b);
	return EFFECT_DONE;
}
