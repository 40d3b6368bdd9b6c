#include "tui/layout.h"

#include <stdlib.h>
#include <string.h>

#include "show/runs.h"
#include "tui/icicle/icicle_aside.h"
#include "tui/keys/complete.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/text/path.h"
#include "util/text/safe.h"

enum {
	LEAST_ROWS = 5, LEAST_COLUMNS = 24, /* below: only a message */
	SPLIT_ROWS = 14,      /* fewer: one pane at a time */
	SPLIT_COLUMNS = 72,   /* fewer: callers or callees, not both */
	CALM_ROWS = 32,       /* from here on panes keep their size when the keyboard moves */
	BESIDE_COLUMNS = 220, /* from here on callers and callees stand beside the source */
	ARCS_COLUMNS = 110,   /* more are of no use to them there */
};

static bool
too_small(void)
{
	return draw_rows() < LEAST_ROWS || draw_columns() < LEAST_COLUMNS;
}

/* ---- places ---- */

static void
place(struct view *v, int y, int x, int h, int w)
{
	view_resize(v, (struct area){ y, x, h > 0 ? h : 0, w > 0 ? w : 0 });
}

/* The rows of summary, source, arcs in hundredths of the screen: no pane but the source has more
 * than it can fill. */
static const int shares_calm[3] = { 30, 43, 27 };
static const int shares[PANE_NR][3] = {
	[PANE_SUMMARY] = { 44, 32, 24 },
	[PANE_SOURCE] = { 22, 54, 24 },
	[PANE_CALLERS] = { 22, 38, 40 },
	[PANE_CALLEES] = { 22, 38, 40 },
};

/* Returns the rows that V can fill, with title, head and foot, or with why there is nothing; no
 * less than LEAST, no more than MOST. */
static int
fill(struct view *v, int least, int most)
{
	enum { FEW_ROWS = 5 /* and fewer: there is room for a foot, and for words */ };
	size_t rows = view_rows(v);

	if (rows < FEW_ROWS)
		rows = FEW_ROWS;
	if (rows + 3 < (size_t)most)
		most = (int)rows + 3;
	return most < least ? least : most;
}

/* The summary stands still while rows are left out. */
static int
summary_rows(struct browser *b, int most)
{
	struct view *v = b->panes[PANE_SUMMARY];
	const struct table *t = view_table(v);

	if (restrict_any(&t->to, b->profile, t->kind->list))
		return most < 4 ? 4 : most;
	return fill(v, 4, most);
}

static bool
arcs_are_beside(int h, int w)
{
	return h >= CALM_ROWS && w >= BESIDE_COLUMNS;
}

/* Returns how many rows callers and callees get below the source. */
static int
arcs_rows(struct browser *b, int most, int w)
{
	enum { LEAST = 5 };
	struct view *callers = b->panes[PANE_CALLERS], *callees = b->panes[PANE_CALLEES];
	int rows = fill(callers, LEAST, most), other = fill(callees, LEAST, most);

	if (w < SPLIT_COLUMNS)
		return b->focus == PANE_CALLEES ? other : rows;
	return other > rows ? other : rows;
}

static void
place_arcs(struct browser *b, int y, int h, int w)
{
	bool callees = b->focus == PANE_CALLEES;
	int left = w / 2;

	if (w < SPLIT_COLUMNS) {
		place(b->panes[PANE_CALLERS], y, 0, callees ? 0 : h, w);
		place(b->panes[PANE_CALLEES], y, 0, callees ? h : 0, w);
		return;
	}
	place(b->panes[PANE_CALLERS], y, 0, h, left);
	place(b->panes[PANE_CALLEES], y, left + 1, h, w - left - 1);
}

/* Places the icicle at the right of the panes, if there is room. Returns the columns left of it. */
static int
place_aside(struct browser *b, int y, int h, int w)
{
	int aside = icicle_aside_width(b, h, w);

	if (aside && !b->aside)
		b->aside = icicle_aside_new(b);
	if (b->aside)
		place(b->aside, y, w - aside, aside ? h : 0, aside);
	return aside ? w - aside - 1 : w;
}

static void
place_panes(struct browser *b, int y, int h, int w)
{
	const int *share = h >= CALM_ROWS ? shares_calm : shares[b->focus];
	int summary = summary_rows(b, h * share[0] / 100);
	int arcs, callers, x;

	w = place_aside(b, y, h, w);
	place(b->panes[PANE_SUMMARY], y, 0, summary, w);
	y += summary;
	h -= summary;
	if (arcs_are_beside(h + summary, w)) {
		x = w - (w * 3 / 8 < ARCS_COLUMNS ? w * 3 / 8 : ARCS_COLUMNS);
		place(b->panes[PANE_SOURCE], y, 0, h, x - 1);
		callers = fill(b->panes[PANE_CALLERS], h / 4, h / 2);
		place(b->panes[PANE_CALLERS], y, x, callers, w - x);
		place(b->panes[PANE_CALLEES], y + callers, x, h - callers, w - x);
		return;
	}
	arcs = arcs_rows(b, (h + summary) * share[2] / 100, w);
	place(b->panes[PANE_SOURCE], y, 0, h - arcs, w);
	place_arcs(b, y + h - arcs, arcs, w);
}

static void
place_one(struct browser *b, int y, int h, int w)
{
	int i;

	for (i = 0; i < PANE_NR; i++)
		place(b->panes[i], y, 0, i == (int)b->focus ? h : 0, w);
	if (b->aside)
		place(b->aside, y, 0, 0, 0);
}

/* Returns the view under place I of the stack. */
static struct view *
below(struct browser *b, int i)
{
	return i ? b->stack[i - 1] : b->panes[b->focus];
}

enum { POPUP_ROWS = 8 }; /* fewer: the screen to itself */

/* Places it beside the view that it belongs to, below it or above; over its lower part if that
 * fills the screen. H rows from row 1 on are there. */
static void
place_popup(struct view *v, const struct view *under, int h, int w)
{
	int end = under->area.y + under->area.h, rows, y;

	/* Lines of text are as many as the width needs. */
	if (v->area.w != w)
		place(v, 1, 0, h, w);
	rows = (int)view_rows(v) + 1;
	if (1 + h - end >= POPUP_ROWS) {
		y = end;
		h = 1 + h - end;
	} else if (under->area.y - 1 >= POPUP_ROWS) {
		h = under->area.y - 1;
		y = 1 + (h > rows ? h - rows : 0);
	} else if (h >= 3 * POPUP_ROWS) {
		y = 1 + h / 3;
		h -= h / 3;
	} else {
		y = 1;
	}
	place(v, y, 0, h < rows ? h : rows, w);
}

struct view *
layout_strip(const struct browser *b)
{
	for (int i = 0; i < b->depth; i++)
		if (b->stack[i]->ops->strip)
			return b->stack[i];
	return NULL;
}

/* Places V at the top, of H rows and W columns, with all of its rows if these are few. Returns the
 * rows that are left. */
static int
place_strip(struct view *v, int h, int w)
{
	int rows;

	place(v, 1, 0, h, w);
	rows = 1 + view_head_lines(v) + view_foot_lines(v) + (int)view_rows(v);
	if (rows > h / 2)
		rows = h / 2 > LEAST_ROWS ? h / 2 : h;
	place(v, 1, 0, rows, w);
	return h - rows;
}

void
layout(struct browser *b)
{
	int all = draw_rows() - 2, h = all, w = draw_columns(), y, i;
	struct view *strip = layout_strip(b);

	if (too_small())
		return;
	if (strip)
		h = place_strip(strip, h, w);
	y = 1 + all - h;
	if (b->zoom || b->live.procedures_only || h < SPLIT_ROWS)
		place_one(b, y, h, w);
	else
		place_panes(b, y, h, w);
	for (i = 0; i < b->depth; i++)
		if (b->stack[i]->ops->popup)
			place_popup(b->stack[i], below(b, i), all, w);
		else if (b->stack[i] != strip)
			place(b->stack[i], y, 0, h, w);
}

/* ---- title bar ---- */

static void
add_facts(struct profile *p, struct strbuf *s)
{
	const struct profile_totals *t = profile_totals(p);

	runs_measured(s, p, draw_ascii());
	if (t->nr_threads > 1)
		strbuf_fmt(s, "   %u threads", t->nr_threads);
	if (t->nr_runs > 1)
		strbuf_fmt(s, "   %u runs", t->nr_runs);
}

/* Writes text at X in the bar if all of it fits before END; returns its end. */
static int
bar_text(const struct line *line, int x, int end, enum role role, const struct strbuf *s)
{
	int w = safe_width(s->buf, s->len);

	if (x + w > end)
		return x;
	return x + line_text(line, x, w, ALIGN_LEFT, role, s->buf, (ptrdiff_t)s->len);
}

enum { LEAST_COMMAND = 5 }; /* less of the command tells nothing */

static void
compared_names(struct browser *b, int room, struct strbuf *s)
{
	compare_names(b, true, s);
	if (safe_width(s->buf, s->len) <= room)
		return;
	strbuf_clear(s);
	compare_names(b, false, s);
}

static void
draw_bar(struct browser *b)
{
	struct area area = { 0, 0, 1, draw_columns() };
	struct line line = draw_line(&area, 0, OVERLAY_NONE);
	struct strbuf s = STRBUF_INIT;
	int x, end, w;

	line_fill(&line, 0, line.w, ROLE_TITLE, GLYPH_SPACE);
	strbuf_fmt(&s, "heat: %s, %s", compare_is_on(b) ? "result" : b->heat.metric->title,
		   b->linear ? "even" : "log");
	w = safe_width(s.buf, s.len);
	end = line.w > w + 30 ? line.w - w - 1 : line.w;
	if (end < line.w)
		line_text(&line, end, w, ALIGN_LEFT, ROLE_TITLE, s.buf, -1);
	strbuf_clear(&s);
	arc_dial_banner(&b->arc_dial, &s);
	threads_banner(b, &s);
	live_banner(b, &s);
	if (compare_is_on(b))
		compare_banner(b, &s);
	w = safe_width(s.buf, s.len);
	if (w && end > w + 3) {
		end -= w + 3;
		line_text(&line, end, w, ALIGN_LEFT, ROLE_WARNING, s.buf, -1);
	}
	strbuf_clear(&s);
	if (compare_is_on(b))
		compared_names(b, end - 2, &s);
	else
		strbuf_str(&s, path_base(profile_name(b->profile)));
	x = 1 + line_text(&line, 1, end - 2, ALIGN_LEFT, ROLE_TITLE_NAME, s.buf, -1);
	if (compare_is_on(b)) {
		strbuf_release(&s);
		return;
	}
	strbuf_clear(&s);
	add_facts(b->profile, &s);
	w = safe_width(s.buf, s.len) + 3;
	if (b->totals->run.command && end - x - 6 - w >= LEAST_COMMAND)
		x += 3 + line_text(&line, x + 3, end - x - 6 - w, ALIGN_LEFT, ROLE_TITLE,
				   b->totals->run.command, -1);
	bar_text(&line, x + 3, end - 1, ROLE_TITLE, &s);
	strbuf_release(&s);
}

/* ---- bottom line ---- */

/* The most useful actions first, for each keymap; the words come from the table. */
static const enum action hints[KEYMAP_NR][NR_HINTS] = {
	[KEYMAP_TABLE] = {ACTION_OPEN, ACTION_CALLERS, ACTION_CALLEES, ACTION_SORT,
			  ACTION_SUMMARY_NEXT, ACTION_TREE, ACTION_HELP, ACTION_SEARCH,
			  ACTION_TREE_ICICLE, ACTION_THREADS, ACTION_LEGEND, ACTION_FILTER,
			  ACTION_COLUMNS, ACTION_QUIT},
	[KEYMAP_ARCS] = {ACTION_OPEN, ACTION_BACK, ACTION_HELP, ACTION_ARC_MORE, ACTION_ARC_FEWER,
			 ACTION_ARC_SET, ACTION_PIN, ACTION_CALLERS, ACTION_CALLEES, ACTION_SORT,
			 ACTION_SEARCH, ACTION_NEXT_PANE, ACTION_ZOOM, ACTION_QUIT},
	[KEYMAP_PINS] = {ACTION_OPEN, ACTION_ARC_MORE, ACTION_ARC_FEWER, ACTION_ARC_SET, ACTION_PIN,
			 ACTION_QUIT},
	[KEYMAP_SOURCE] = {ACTION_OPEN, ACTION_CALLERS, ACTION_CALLEES, ACTION_BACK,
			   ACTION_HOT_NEXT, ACTION_HELP, ACTION_METRIC, ACTION_LEGEND,
			   ACTION_SEARCH, ACTION_OUTLINE, ACTION_EXPRESSION_NEXT, ACTION_QUIT,
			   ACTION_FILES, ACTION_ZOOM},
	[KEYMAP_QUERY] = {ACTION_OPEN, ACTION_COMMAND, ACTION_SEARCH, ACTION_SORT, ACTION_HELP,
			  ACTION_QUIT},
	[KEYMAP_TREE] = {ACTION_TREE_EXPAND, ACTION_TREE_HOTTEST, ACTION_OPEN, ACTION_TREE_INVERT,
			 ACTION_TREE_SOURCE, ACTION_TREE_ICICLE, ACTION_HELP, ACTION_QUIT,
			 ACTION_TREE_ALL, ACTION_TREE_ZOOM, ACTION_TREE_INVERT_ALL,
			 ACTION_TREE_CHAINS, ACTION_SEARCH},
	[KEYMAP_ICICLE] = {ACTION_TREE_ZOOM, ACTION_BACK, ACTION_OPEN, ACTION_TREE_INVERT,
			   ACTION_TREE_SOURCE, ACTION_TREE_ICICLE, ACTION_HELP, ACTION_QUIT,
			   ACTION_TREE_HOTTEST, ACTION_TREE_INVERT_ALL, ACTION_SEARCH},
	[KEYMAP_THREADS] = {ACTION_SHOW, ACTION_MARK_ROW, ACTION_ALL, ACTION_SORT, ACTION_SEARCH,
			    ACTION_HELP, ACTION_QUIT},
	[KEYMAP_TEXT] = {ACTION_SEARCH, ACTION_QUIT},
	[KEYMAP_QUESTION] = {ACTION_YES, ACTION_QUIT},
	[KEYMAP_EXPRESSIONS] = {ACTION_OPEN, ACTION_COMPARE, ACTION_SEARCH, ACTION_QUIT},
	[KEYMAP_BESIDE] = {ACTION_HOT_NEXT, ACTION_OPEN, ACTION_SEARCH, ACTION_SCALE, ACTION_HELP,
			   ACTION_QUIT},
	[KEYMAP_LEDGER] = {ACTION_OPEN, ACTION_COMPARE_BESIDE, ACTION_CALLERS, ACTION_CALLEES,
			   ACTION_TREE_EXPAND, ACTION_QUIT, ACTION_HELP, ACTION_SEARCH},
	[KEYMAP_TIMELINE] = {ACTION_TIMELINE_MARK, ACTION_SHOW, ACTION_TIMELINE_IN,
			     ACTION_TIMELINE_OUT, ACTION_ALL, ACTION_HELP, ACTION_QUIT},
	[KEYMAP_BANDS] = {ACTION_OPEN, ACTION_BANDS_PEAK, ACTION_BANDS_BY, ACTION_BANDS_MARK,
			 ACTION_HELP, ACTION_QUIT},
	[KEYMAP_MATRIX] = {ACTION_OPEN, ACTION_FREED_AT, ACTION_MATRIX, ACTION_MATRIX_CELLS,
			   ACTION_HELP, ACTION_SEARCH, ACTION_QUIT, ACTION_SCALE},
	[KEYMAP_COLUMNS] = {ACTION_COLUMN_TOGGLE, ACTION_COLUMN_LATER, ACTION_COLUMN_EARLIER,
			    ACTION_SORT, ACTION_COLUMN_RESET, ACTION_QUIT},
};

/* Returns the word for an action; NULL: it does nothing here. In the source Enter follows calls. */
static const char *
hint_word(struct view *v, enum action action)
{
	if (v->ops->keymap == KEYMAP_SOURCE && action == ACTION_OPEN)
		return "follow";
	if (action >= ACTION_ARC_MORE && action <= ACTION_PIN && v->ops->keymap == KEYMAP_ARCS &&
	    !arcs_may_turn(v))
		return NULL;
	if (v == v->browser->panes[PANE_CALLERS] && action == ACTION_OPEN)
		return "climb";
	if (v == v->browser->panes[PANE_CALLEES] && action == ACTION_OPEN)
		return "descend";
	/* The key of the pane does the same as Enter there. */
	if ((v == v->browser->panes[PANE_CALLERS] && action == ACTION_CALLERS) ||
	    (v == v->browser->panes[PANE_CALLEES] && action == ACTION_CALLEES))
		return NULL;
	if (action == ACTION_THREADS && v->browser->totals->nr_threads <= 1 &&
	    v->browser->totals->nr_runs <= 1)
		return NULL;
	if (v->ops->keymap == KEYMAP_BESIDE && action == ACTION_HOT_NEXT)
		return "difference";
	if (v->ops->keymap == KEYMAP_MATRIX && action == ACTION_OPEN)
		return "made at";
	if (action == ACTION_HOT_NEXT && (v->browser->errors.walked || is_errors(v)))
		return "next error";
	return action_table[action].hint;
}

/* The hints while profiles are compared. */
static const enum action compare_hints[KEYMAP_NR][NR_HINTS] = {
	[KEYMAP_TABLE] = {ACTION_OPEN, ACTION_COMPARE, ACTION_COMPARE_MENU, ACTION_COMPARE_SIDES,
			  ACTION_COMPARE_BESIDE, ACTION_SUMMARY_NEXT, ACTION_HELP, ACTION_QUIT,
			  ACTION_COMPARE_NORMALISE, ACTION_CALLERS, ACTION_CALLEES, ACTION_SEARCH,
			  ACTION_SORT, ACTION_COLUMNS},
	[KEYMAP_SOURCE] = {ACTION_OPEN, ACTION_COMPARE_TEXT, ACTION_COMPARE_BESIDE, ACTION_COMPARE,
			   ACTION_HOT_NEXT, ACTION_BACK, ACTION_HELP, ACTION_QUIT, ACTION_SEARCH,
			   ACTION_LEGEND, ACTION_CALLERS, ACTION_CALLEES, ACTION_ZOOM},
	[KEYMAP_ARCS] = {ACTION_OPEN, ACTION_BACK, ACTION_COMPARE_SIDES, ACTION_COMPARE_MENU,
			 ACTION_SORT, ACTION_HELP, ACTION_QUIT, ACTION_SEARCH, ACTION_FILTER,
			 ACTION_NEXT_PANE, ACTION_ZOOM},
};

/* ... and while a program is watched. */
static const enum action live_hints[KEYMAP_NR][NR_HINTS] = {
	[KEYMAP_TABLE] = {ACTION_OPEN, ACTION_RATES, ACTION_FREEZE, ACTION_FROM_ZERO,
			  ACTION_CALLERS, ACTION_CALLEES, ACTION_SORT, ACTION_SUMMARY_NEXT,
			  ACTION_HELP, ACTION_DIAGNOSTICS, ACTION_QUIT, ACTION_SEARCH,
			  ACTION_FILTER, ACTION_COLUMNS},
	[KEYMAP_SOURCE] = {ACTION_OPEN, ACTION_RATES, ACTION_FREEZE, ACTION_FROM_ZERO,
			   ACTION_CALLERS, ACTION_CALLEES, ACTION_BACK, ACTION_HOT_NEXT,
			   ACTION_HELP, ACTION_QUIT, ACTION_SEARCH, ACTION_LEGEND, ACTION_ZOOM},
	[KEYMAP_ARCS] = {ACTION_OPEN, ACTION_BACK, ACTION_RATES, ACTION_FREEZE, ACTION_FROM_ZERO,
			 ACTION_HELP, ACTION_CALLERS, ACTION_CALLEES, ACTION_SORT, ACTION_QUIT,
			 ACTION_SEARCH, ACTION_NEXT_PANE, ACTION_ZOOM},
	[KEYMAP_THREADS] = {ACTION_RATES, ACTION_FREEZE, ACTION_FROM_ZERO, ACTION_SORT,
			    ACTION_COLUMNS, ACTION_HELP, ACTION_QUIT, ACTION_SEARCH},
};

static const enum action *
hints_of(const struct view *v)
{
	enum keymap keymap = v->ops->keymap;

	if (compare_is_on(v->browser) && compare_hints[keymap][0] != ACTION_NONE)
		return compare_hints[keymap];
	if (v->browser->live.from && live_hints[keymap][0] != ACTION_NONE)
		return live_hints[keymap];
	return v->ops->hints ? v->ops->hints : hints[keymap];
}

static bool
has_help(const enum action *hint)
{
	int i;

	for (i = 0; i < NR_HINTS && hint[i] != ACTION_HELP; i++)
		;
	return i < NR_HINTS;
}

/* Where the hints are on the screen. */
static struct {
	struct { int x, end; enum action action; } at[NR_HINTS];
	int nr;
} hint_places;

enum action
layout_hint_at(int y, int x)
{
	for (int i = 0; y == draw_rows() - 1 && i < hint_places.nr; i++)
		if (x >= hint_places.at[i].x && x < hint_places.at[i].end)
			return hint_places.at[i].action;
	return ACTION_NONE;
}

static void
draw_hints(struct browser *b, const struct line *line)
{
	struct view *v = browser_view(b);
	enum keymap keymap = v->ops->keymap;
	struct strbuf key = STRBUF_INIT;
	const enum action *hint = hints_of(v);
	const char *word;
	bool help = !has_help(hint);   /* shown, or not wanted */
	int i, x = 1, w, keep = 8;     /* for "? help" */

	for (i = 0; i < NR_HINTS && hint[i] != ACTION_NONE; i++) {
		word = hint_word(v, hint[i]);
		strbuf_clear(&key);
		if (!word || !action_keys(&key, keymap, hint[i], 1, ""))
			continue;
		w = safe_width(key.buf, key.len) + 1 + (int)strlen(word);
		if (hint[i] == ACTION_HELP)
			help = true;
		if (x + w + (help ? 0 : keep) >= line->w) {
			if (help)
				break;
			continue;
		}
		hint_places.at[hint_places.nr].x = x;
		hint_places.at[hint_places.nr].end = x + w;
		hint_places.at[hint_places.nr++].action = hint[i];
		x += line_text(line, x, w, ALIGN_LEFT, ROLE_KEY, key.buf, -1);
		x += 1 + line_text(line, x + 1, w, ALIGN_LEFT, ROLE_DIM, word, -1);
		x += 2;
	}
	strbuf_release(&key);
}

static void
draw_bottom(struct browser *b)
{
	struct area area = { draw_rows() - 1, 0, 1, draw_columns() };
	struct line line = draw_line(&area, 0, OVERLAY_NONE);
	struct strbuf s = STRBUF_INIT;

	hint_places.nr = 0;
	if (b->prompt.kind == PROMPT_COMMAND)
		complete_draw(b);
	if (b->prompt.kind != PROMPT_NONE) {
		prompt_draw(&b->prompt, &line);
	} else if (profile_error(b->profile)) {
		/* The text may be incomplete from now on, which must stay visible. */
		line_text(&line, 1, line.w - 2, ALIGN_LEFT, ROLE_ERROR, profile_error(b->profile),
			  -1);
	} else if (b->message.len) {
		line_text(&line, 1, line.w - 2, ALIGN_LEFT, b->message_role, b->message.buf,
			  (ptrdiff_t)b->message.len);
	} else {
		draw_hints(b, &line);
	}
	if (b->count) {
		strbuf_fmt(&s, " %zu", b->count);
		line_text(&line, line.w - 12, 11, ALIGN_RIGHT, ROLE_KEY, s.buf, -1);
	}
	strbuf_release(&s);
}

/* ---- frame ---- */

/* Draws the line between callers and callees, or left of both, joined to the rules above. */
static void
draw_divider(const struct view *callers, const struct view *callees)
{
	struct area area = { callers->area.y, callees->area.x - 1, callers->area.h, 1 };
	struct line line;
	int y;

	if (!callers->area.h || !callees->area.h || !callees->area.x)
		return;
	if (callers->area.x)
		area.h += callees->area.h;
	for (y = 0; y < area.h; y++) {
		line = draw_line(&area, y, OVERLAY_NONE);
		line_fill(&line, 0, 1, ROLE_RULE, y ? GLYPH_VLINE : GLYPH_TEE);
	}
}

static void
draw_aside(struct view *v)
{
	struct area area = { v->area.y, v->area.x - 1, v->area.h, 1 };

	for (int y = 0; y < area.h; y++) {
		struct line line = draw_line(&area, y, OVERLAY_NONE);

		line_fill(&line, 0, 1, ROLE_RULE, y ? GLYPH_VLINE : GLYPH_TEE);
	}
	view_draw(v, false);
}

static void
draw_too_small(void)
{
	struct area area = { 0, 0, draw_rows(), draw_columns() };
	struct line line = draw_line(&area, area.h / 2, OVERLAY_NONE);

	line_text(&line, 0, line.w, ALIGN_CENTRE, ROLE_TEXT, "too small", -1);
}

static void
clear_area(const struct area *area)
{
	struct line line;
	int y;

	for (y = 0; y < area->h; y++) {
		line = draw_line(area, y, OVERLAY_NONE);
		line_fill(&line, 0, area->w, ROLE_TEXT, GLYPH_SPACE);
	}
}

static void
draw_panes(struct browser *b)
{
	int i;

	for (i = 0; i < PANE_NR; i++)
		view_draw(b->panes[i], !b->depth && i == (int)b->focus);
	draw_divider(b->panes[PANE_CALLERS], b->panes[PANE_CALLEES]);
	if (b->aside && b->aside->area.h)
		draw_aside(b->aside);
}

void
layout_draw_busy(const char *text)
{
	struct area area = { draw_rows() - 1, 0, 1, draw_columns() };
	struct line line = draw_line(&area, 0, OVERLAY_NONE);

	line_fill(&line, 0, line.w, ROLE_TEXT, GLYPH_SPACE);
	line_text(&line, 1, line.w - 2, ALIGN_LEFT, ROLE_MESSAGE, text, -1);
	draw_flush(false);
}

bool
layout_fit(struct browser *b)
{
	int h = b->panes[PANE_SOURCE]->area.h;

	if (b->depth && !b->stack[b->depth - 1]->ops->popup)
		return false;
	layout(b);
	return b->panes[PANE_SOURCE]->area.h != h;
}

void
layout_draw(struct browser *b)
{
	struct view *strip = layout_strip(b);
	int i;

	layout_fit(b);
	draw_begin();
	if (too_small()) {
		draw_too_small();
		return;
	}
	draw_bar(b);
	for (i = b->depth - 1; i >= 0 && (b->stack[i]->ops->popup || b->stack[i] == strip); i--)
		;
	if (i < 0)
		draw_panes(b);
	if (strip)
		view_draw(strip, strip == browser_view(b));
	for (i = i < 0 ? 0 : i; i < b->depth; i++) {
		if (b->stack[i] == strip)
			continue;
		clear_area(&b->stack[i]->area);
		view_draw(b->stack[i], i == b->depth - 1);
	}
	draw_bottom(b);
}
