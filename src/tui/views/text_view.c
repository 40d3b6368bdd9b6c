/* Views of running text: help, diagnostics. Lines may have a head in a first column and are wrapped
 * to the width of the screen. */
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "tui/busy.h"
#include "tui/keys/command.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/views/text_view.h"
#include "util/job.h"
#include "util/text/safe.h"

enum {
	TEXT_MOST = 100,     /* columns: longer lines are hard to read */
	LINE_WORK = 4,       /* units of work of a line, see util/job.h */
};

/* One line of the screen. */
struct text_line {
	char *head;          /* first column, or NULL */
	char *text;
	enum role role;      /* of the text */
};

struct text {
	const char *title;
	void (*build)(struct view *v);
	unsigned (*accept)(struct browser *b); /* NULL: it asks nothing */
	unsigned (*open)(struct browser *b);   /* NULL: there is nothing to open */
	bool by_default;     /* Enter accepts */
	bool in_slices;
	struct job *building; /* more lines; NULL: that are all */
	size_t seen;         /* rows from the first on that have been shown */
	int head_width;
	struct text_line *lines;
	size_t nr, alloc;
	int width;           /* that it was built for */
	const struct view_ops *about; /* help: of the view that it was asked for in */
};

static void
text_clear(struct text *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++) {
		free(t->lines[i].head);
		free(t->lines[i].text);
	}
	t->nr = 0;
}

static void
text_close(struct view *v)
{
	struct text *t = v->data;

	busy_drop(&t->building);
	text_clear(t);
	free(t->lines);
	free(t);
}

static void
add_line(struct text *t, const char *head, const char *s, size_t n, enum role role)
{
	GROW(t->lines, t->nr + 1, t->alloc);
	t->lines[t->nr].head = head ? xstrdup(head) : NULL;
	t->lines[t->nr].text = xstrndup(s, n);
	t->lines[t->nr++].role = role;
}

/* Returns the bytes of S that fit into WIDTH columns, cut at a blank where there is one. */
static size_t
fitting(const char *s, int width)
{
	size_t n = strlen(s), i = 0, blank = 0, step;
	int used = 0, w;
	int32_t c;

	while (i < n) {
		step = utf8_decode(s + i, n - i, &c);
		w = safe_width_char(c);
		if (used + w > width)
			return blank ? blank : i ? i : step;
		if (c == ' ')
			blank = i;
		used += w;
		i += step;
	}
	return n;
}

void
text_add(struct view *v, enum role role, const char *head, const char *text)
{
	struct text *t = v->data;
	int width = (t->width < TEXT_MOST ? t->width : TEXT_MOST) - 3 - (head ? t->head_width : 0);
	size_t n;

	if (width < 10)
		width = 10;
	do {
		job_pause(LINE_WORK);
		n = fitting(text, width);
		add_line(t, head, text, n, role);
		head = head ? "" : NULL;
		text += n;
		while (*text == ' ')
			text++;
	} while (*text);
}

/* Blanks could push the rest out of sight. */
static void
tell_blanks(const char *text, struct strbuf *out)
{
	enum { SHOWN = 3 };
	size_t n;

	while (*text) {
		n = strspn(text, " \t");
		if (n > SHOWN)
			strbuf_fmt(out, "<%zu blanks>", n);
		else
			strbuf_add(out, text, n);
		text += n;
		n = strcspn(text, " \t");
		strbuf_add(out, text, n);
		text += n;
	}
}

void
text_add_whole(struct view *v, enum role role, const char *text)
{
	struct text *t = v->data;
	int width = t->width - 3, used, w;
	struct strbuf s = STRBUF_INIT;
	size_t from, i, step;
	int32_t c;

	tell_blanks(text, &s);
	for (from = 0; from < s.len; from = i) {
		for (i = from, used = 0; i < s.len; i += step, used += w) {
			step = utf8_decode(s.buf + i, s.len - i, &c);
			w = safe_width_char(c);
			if (used + w > width && i > from)
				break;
		}
		add_line(t, NULL, s.buf + from, i - from, role);
	}
	strbuf_release(&s);
}

static void
build(void *view)
{
	struct view *v = view;
	struct text *t = v->data;

	t->build(v);
}

/* What is to be seen is there in any case. */
static bool
has_enough(void *view)
{
	struct view *v = view;
	struct text *t = v->data;

	return t->nr > v->top + (size_t)v->area.h && busy_over(v->browser);
}

/* Returns true when there are all lines. */
static bool
build_on(struct view *v)
{
	struct text *t = v->data;

	if (t->building && !job_run(t->building, has_enough, v))
		return false;
	busy_drop(&t->building);
	return true;
}

static void
text_resize(struct view *v)
{
	struct text *t = v->data;

	if (t->width == v->area.w)
		return;
	busy_drop(&t->building);
	t->width = v->area.w;
	t->seen = 0;
	text_clear(t);
	if (!t->in_slices) {
		t->build(v);
		return;
	}
	t->building = job_new(build, v);
	busy_slice(v->browser, SLICE_KEY);
	build_on(v);
}

static unsigned
text_idle(struct view *v)
{
	struct text *t = v->data;

	if (!t->building)
		return 0;
	busy_slice(v->browser, SLICE_IDLE);
	return build_on(v) ? WORK_NEW : WORK_MORE;
}

static size_t
text_rows(struct view *v)
{
	struct text *t = v->data;

	return t->nr;
}

static void
text_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct text *t = v->data;
	const struct text_line *l = &t->lines[row];
	const struct search *search = &v->browser->search;
	size_t n = strlen(l->text), from = 0, start, end;
	int x = 2;

	t->seen += row == t->seen;
	if (l->head) {
		line_text(line, x, t->head_width - 2, ALIGN_LEFT, ROLE_KEY, l->head, -1);
		x += t->head_width;
	}
	line_text(line, x, line->w - x, ALIGN_LEFT, l->role, l->text, -1);
	while (search_find(search, l->text, n, from, &start, &end)) {
		line_overlay(line, x + safe_width(l->text, start),
			     safe_width(l->text + start, end - start), OVERLAY_MATCH);
		from = end;
	}
}

static void
text_title(struct view *v, struct title *title)
{
	struct text *t = v->data;
	size_t last;

	strbuf_str(&title->left, t->title);
	last = v->top + (size_t)view_body_height(v);
	human_count(&title->right, last < t->nr ? last : t->nr);
	strbuf_char(&title->right, '/');
	human_count(&title->right, t->nr);
}

static void
text_row_text(struct view *v, size_t row, struct strbuf *out)
{
	struct text *t = v->data;

	if (t->lines[row].head)
		strbuf_fmt(out, "%s\n", t->lines[row].head);
	strbuf_str(out, t->lines[row].text);
}

static void
text_write(struct view *v, FILE *out)
{
	struct text *t = v->data;
	struct strbuf safe = STRBUF_INIT;
	size_t i;

	busy_slice(v->browser, 0);
	build_on(v);
	for (i = 0; i < t->nr; i++) {
		strbuf_clear(&safe);
		safe_str(&safe, t->lines[i].text);
		if (t->lines[i].head)
			fprintf(out, "%-*s%s\n", t->head_width, t->lines[i].head, safe.buf);
		else
			fprintf(out, "%s\n", safe.buf);
	}
	strbuf_release(&safe);
}

static unsigned
answer(struct view *v, bool yes)
{
	struct text *t = v->data;
	struct browser *b = v->browser;

	if (!yes) {
		browser_pop(b); /* V is gone */
		browser_say(b, ROLE_MESSAGE, "not done: %s would have been yes",
			    action_key(KEYMAP_QUESTION, ACTION_YES));
		return EFFECT_DONE | EFFECT_LAYOUT;
	}
	if (t->seen >= t->nr)
		return t->accept(b);
	browser_say(b, ROLE_WARNING, "read on: rows %zu to %zu have not been shown; "
		    "%s goes on", t->seen + 1, t->nr,
		    action_key(KEYMAP_QUESTION, ACTION_PAGE_DOWN));
	return EFFECT_DONE;
}

/* Text scrolls line by line, as in less. */
static unsigned
text_act(struct view *v, enum action action, size_t count)
{
	struct text *t = v->data;
	size_t by = count ? count : 1, rows = text_rows(v), height = (size_t)view_body_height(v);
	size_t last = rows > height ? rows - height : 0;

	if (t->accept && (action == ACTION_OPEN || action == ACTION_YES))
		return answer(v, action == ACTION_YES || t->by_default);
	if (t->open && action == ACTION_OPEN)
		return t->open(v->browser);
	if (action != ACTION_DOWN && action != ACTION_UP)
		return EFFECT_REFUSED;
	if (action == ACTION_DOWN)
		v->top = last - v->top > by ? v->top + by : last;
	else
		v->top = v->top > by ? v->top - by : 0;
	v->cursor = v->top;
	return EFFECT_DONE;
}

#define TEXT_VIEW_OPS \
	.name = "text", .cursor = CURSOR_NONE, .close = text_close, .resize = text_resize, \
	.rows = text_rows, .draw_row = text_draw_row, .title = text_title, \
	.row_text = text_row_text, .act = text_act, .write = text_write, .idle = text_idle

static const struct view_ops text_ops = { .keymap = KEYMAP_TEXT, TEXT_VIEW_OPS };
static const struct view_ops beside_ops = { .keymap = KEYMAP_TEXT, .popup = true, TEXT_VIEW_OPS };
static const struct view_ops question_ops = { .keymap = KEYMAP_QUESTION, TEXT_VIEW_OPS };

void
text_ask(struct view *v, bool by_default, unsigned (*accept)(struct browser *b))
{
	struct text *t = v->data;

	v->ops = &question_ops;
	t->by_default = by_default;
	t->accept = accept;
}

void
text_beside(struct view *v)
{
	v->ops = &beside_ops;
}

bool
text_is_built_by(const struct view *v, void (*build)(struct view *v))
{
	const struct text *t = v->data;

	return v->ops == &beside_ops && t->build == build;
}

void
text_in_slices(struct view *v)
{
	struct text *t = v->data;

	t->in_slices = true;
}

void
text_open(struct view *v, unsigned (*open)(struct browser *b))
{
	struct text *t = v->data;

	t->open = open;
}

struct view *
text_new(struct browser *b, const char *title, int head_width, void (*build)(struct view *v))
{
	struct text *t = xcalloc(1, sizeof(*t));

	t->title = title;
	t->head_width = head_width;
	t->build = build;
	return view_new(&text_ops, b, t);
}

/* ---- help ---- */

static const char *const help_notes[] = {
	"Colours of the source: the innermost expression wins. Its figure is the metric's. "
	"Code that was never executed has a colour of its own, neither the one of code that "
	"ran "
	"without being caught by the clock, nor the one of text without code.",
	"Counts are exact. Times are samples: the true time is within \302\261 in 95 of 100 cases. "
	"A count with \342\211\210 is estimated; the true one is in the interval beside "
	"it.",
	"A number typed before a key repeats it, or is the line or column to go to.",
};

/* What one comes for, and the actions that lead there, one after the other. */
static const struct task {
	const char *text;
	enum keymap keymap; /* of the view that the first one opens */
	enum action steps[4];
} tasks[] = {
	{ "Why is this hot: its source, hot spot by hot spot; who calls it", KEYMAP_SOURCE,
	  { ACTION_OPEN, ACTION_HOT_NEXT, ACTION_CALLERS } },
	{ "Where all the time goes: the tree of calls; as an icicle", KEYMAP_TREE,
	  { ACTION_TREE, ACTION_TREE_ICICLE } },
	{ "Who calls this: up, again and again", KEYMAP_ARCS, { ACTION_CALLERS, ACTION_CALLERS } },
	{ "All callers of this at once, up to main", KEYMAP_TREE,
	  { ACTION_TREE, ACTION_TREE_INVERT } },
	{ "The hottest expressions, call sites, lines, files", KEYMAP_TABLE,
	  { ACTION_SUMMARY_NEXT } },
	{ "Go to a procedure, a file or a line by name", KEYMAP_TABLE, { ACTION_GOTO } },
	{ "Find dead code: what never ran, the most first", KEYMAP_TABLE, { ACTION_NEVER } },
	{ "Find the slow thread, and show it alone", KEYMAP_THREADS,
	  { ACTION_THREADS, ACTION_SHOW } },
	{ "Find a phase of the run: mark where it begins, show what it did", KEYMAP_TIMELINE,
	  { ACTION_TIMELINE, ACTION_TIMELINE_MARK, ACTION_SHOW } },
	{ "Find a leak (record --space): memory over time", KEYMAP_BANDS, { ACTION_BANDS } },
	{ "Compare two versions (cgview A.db B.db): what makes the difference, and both texts",
	  KEYMAP_LEDGER, { ACTION_LEDGER, ACTION_COMPARE_BESIDE } },
	{ "What a macro costs, at all its uses: from a use of it", KEYMAP_SOURCE,
	  { ACTION_MACRO } },
	{ "Write a remark beside the source, and find all that were written", KEYMAP_SOURCE,
	  { ACTION_REMARK, ACTION_REMARKS } },
	{ "Change the program, and see what that did", KEYMAP_TABLE,
	  { ACTION_EDIT, ACTION_RUN_AGAIN } },
	{ "What the columns, marks and colours mean", KEYMAP_TABLE, { ACTION_LEGEND } },
};
enum { NR_TASKS = sizeof(tasks) / sizeof(*tasks) };

/* Where keys work: in the view that help was asked for in alone, there and in others, in others. */
enum where { KEYS_HERE, KEYS_EVERYWHERE, KEYS_ELSEWHERE };

/* Does nothing with the rows of most tables: those that say so in their hints have it. */
static bool
is_for_others(const struct view_ops *view, enum action action)
{
	if (action != ACTION_STACKS && action != ACTION_FREED_AT && action != ACTION_MATRIX)
		return false;
	for (int i = 0; view->keymap == KEYMAP_TABLE && view->hints && i < NR_HINTS; i++)
		if (view->hints[i] == action)
			return false;
	return view->keymap == KEYMAP_TABLE;
}

/* Puts the keys that ACTION has in VIEW into KEYS, or in any. */
static enum where
keys_of(const struct view_ops *view, enum action action, struct strbuf *keys)
{
	enum { ALL = 20 };
	struct strbuf generic = STRBUF_INIT;
	enum where where = KEYS_EVERYWHERE;
	int nr;

	strbuf_clear(keys);
	nr = is_for_others(view, action) ? 0
	   : action_keys(keys, view->keymap, action, ALL, " ");
	action_keys(&generic, KEYMAP_GENERIC, action, ALL, " ");
	if (!nr) {
		action_all_keys(keys, action);
		where = KEYS_ELSEWHERE;
	} else if (generic.len != keys->len || memcmp(generic.buf, keys->buf, keys->len) != 0) {
		where = KEYS_HERE;
	}
	strbuf_release(&generic);
	return where;
}

/* Adds the actions of GROUP (GROUP_NR: of all) whose keys work there. */
static void
help_keys(struct view *v, enum where where, int group, const char *head)
{
	const struct text *t = v->data;
	struct strbuf keys = STRBUF_INIT;
	bool any = false;

	for (int action = 1; action < ACTION_NR; action++) {
		const struct action_row *a = &action_table[action];

		if ((group < GROUP_NR && (int)a->group != group) ||
		    keys_of(t->about, (enum action)action, &keys) != where)
			continue;
		if (!any)
			text_add(v, ROLE_STRONG, NULL, head);
		any = true;
		text_add(v, ROLE_TEXT, keys.buf, a->help);
	}
	if (any)
		text_add(v, ROLE_TEXT, NULL, "");
	strbuf_release(&keys);
}

static void
help_tasks(struct view *v)
{
	struct strbuf keys = STRBUF_INIT;

	text_add(v, ROLE_STRONG, NULL, "Tasks, and their keys");
	for (const struct task *t = tasks; t < tasks + NR_TASKS; t++) {
		strbuf_clear(&keys);
		for (int i = 0; t->steps[i]; i++)
			strbuf_fmt(&keys, "%s%s", i ? " " : "", action_key(t->keymap, t->steps[i]));
		text_add(v, ROLE_TEXT, keys.buf, t->text);
	}
	text_add(v, ROLE_TEXT, NULL, "");
	strbuf_release(&keys);
}

static void
build_help(struct view *v)
{
	struct strbuf keys = STRBUF_INIT;
	const struct command_row *c;
	size_t i;
	int group;

	help_keys(v, KEYS_HERE, GROUP_NR, "In the view that you come from");
	help_tasks(v);
	for (group = 0; group < GROUP_NR; group++)
		help_keys(v, KEYS_EVERYWHERE, group, action_group_names[group]);
	strbuf_fmt(&keys, "The panes: the summary above; the source of the selected row in the "
		   "middle; below it who calls that procedure and what it calls. %s follows, %s "
		   "comes back.", action_key(KEYMAP_TABLE, ACTION_OPEN),
		   action_key(KEYMAP_TABLE, ACTION_BACK));
	text_add(v, ROLE_TEXT, NULL, keys.buf);
	text_add(v, ROLE_TEXT, NULL, "");
	for (i = 0; i < sizeof(help_notes) / sizeof(*help_notes); i++) {
		text_add(v, ROLE_TEXT, NULL, help_notes[i]);
		text_add(v, ROLE_TEXT, NULL, "");
	}
	help_keys(v, KEYS_ELSEWHERE, GROUP_NR, "In other views");
	text_add(v, ROLE_STRONG, NULL, "Commands");
	for (c = command_table; c->name; c++) {
		strbuf_clear(&keys);
		strbuf_fmt(&keys, ":%s %s", c->name, c->arguments);
		text_add(v, ROLE_TEXT, keys.buf, c->help);
	}
	strbuf_release(&keys);
}

struct view *
help_new(struct browser *b)
{
	struct view *v = text_new(b, "help", 26, build_help);

	((struct text *)v->data)->about = browser_view(b)->ops;
	return v;
}
