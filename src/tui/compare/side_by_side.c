/* Both texts of a file side by side: corresponding lines stand beside each other, each with the
 * figures of its own profile. */
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/value.h"
#include "tui/browser.h"
#include "tui/compare/compare_source.h"
#include "tui/screen/text_line.h"
#include "tui/views.h"
#include "util/text/safe.h"

struct beside {
	model_id a, b;           /* the file in the first and the last profile */
	struct line_pair *pairs; /* heap: a copy, as the comparison drops its own */
	size_t nr, changed;
	bool known;              /* are the pairs there? */
	bool same;               /* the text of the last profile stands for both */
};

static size_t
beside_rows(struct view *v)
{
	const struct beside *s = v->data;

	return s->nr;
}

static const char *
path_of(struct view *v, bool first)
{
	const struct beside *s = v->data;
	struct browser *b = v->browser;
	const struct profile_file *file = first ? profile_file(b->compare.profiles[0], s->a)
						: profile_file(b->profile, s->b);

	return file ? file->path : "";
}

static struct doc *
doc_of(struct view *v, bool first)
{
	const struct beside *s = v->data;
	struct browser *b = v->browser;

	return first && !s->same ? docs_get(&b->compare.docs, s->a) : docs_get(&b->docs, s->b);
}

/* Returns the visible lines of one side. */
static struct compare_source
window_of(struct view *v, bool first)
{
	const struct beside *s = v->data;
	struct compare_source w = { .file = { first ? s->a : s->b, first }, .from = 1 };
	size_t end = v->top + (size_t)v->area.h;
	bool begun = false;

	for (size_t i = v->top; i < s->nr && i < end; i++) {
		uint32_t line = compare_line_of(&s->pairs[i], first);

		if (!line)
			continue;
		if (!begun)
			w.from = line;
		begun = true;
		w.to = line;
	}
	return w;
}

enum { FIGURE_AT = 1, FIGURE_WIDTH = 9 };

static void
draw_figure(struct view *v, const struct compare_source *w, uint32_t lineno,
	    const struct line *line)
{
	const struct compare_value *value = compare_value_of_line(v->browser, w, lineno);
	struct source_cell cell = { .width = FIGURE_WIDTH,
				    .of = w->file.first ? CELL_A : CELL_B };
	struct strbuf text = STRBUF_INIT;
	enum role role;

	if (!value)
		return;
	compare_print_cell(v->browser, &cell, value, &text, &role);
	line_text(line, FIGURE_AT, FIGURE_WIDTH, ALIGN_RIGHT, role, text.buf, -1);
	strbuf_release(&text);
}

static void
draw_side(struct view *v, bool first, uint32_t lineno, const struct line *line)
{
	struct doc *doc = doc_of(v, first);
	struct compare_source w = window_of(v, first);
	struct strbuf number = STRBUF_INIT;
	struct painted vis;
	int x = FIGURE_AT + FIGURE_WIDTH + 1, nr_digits;

	if (!lineno || !doc)
		return;
	nr_digits = text_line_digits(doc->nr_lines);
	draw_figure(v, &w, lineno, line);
	strbuf_fmt(&number, "%u", lineno);
	line_text(line, x, nr_digits, ALIGN_RIGHT, ROLE_LINENO, number.buf, -1);
	strbuf_release(&number);
	x += nr_digits + 1;
	text_look_at(doc, lineno, v->left, line->w - x, &vis);
	compare_paint(v->browser, &w, &vis, lineno);
	text_draw(&vis, line, x, v->left);
}

/* Returns where the right half begins; the mark stands before it. */
static int
middle(const struct line *line)
{
	return (line->w - 3) / 2 + 3;
}

static void
draw_mark(const struct line_pair *pair, const struct line *line)
{
	int x = middle(line) - 2;
	const char *mark = !pair->b ? "-" : !pair->a ? "+" : pair->changed ? "~" : "";

	line_text(line, x, 1, ALIGN_LEFT, *mark == '~' ? ROLE_ESTIMATE : ROLE_STRONG, mark, -1);
	if (!*mark)
		line_text(line, x, 1, ALIGN_LEFT, ROLE_RULE, draw_glyph(GLYPH_VLINE), -1);
}

static void
beside_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct beside *s = v->data;
	struct line half = *line;
	int right = middle(line);

	half.w = right - 2;
	draw_side(v, true, s->pairs[row].a, &half);
	draw_mark(&s->pairs[row], line);
	half.x = line->x + right - 1;
	half.w = line->w - right + 1;
	draw_side(v, false, s->pairs[row].b, &half);
}

static void
beside_draw_head(struct view *v, int i, const struct line *line)
{
	int right = middle(line), x = FIGURE_AT + FIGURE_WIDTH + 1;
	const struct compare *c = &v->browser->compare;
	const char *figure = figure_name(compare_kind(v->browser, BY_LINE)->figure);
	const char *unit = strrchr(figure, '_');

	(void)i;
	for (int side = 0; side < 2; side++) {
		struct strbuf s = STRBUF_INIT, head = STRBUF_INIT;
		int at = side ? right - 1 : 0;

		strbuf_add(&head, figure, unit ? (size_t)(unit - figure) : strlen(figure));
		line_text(line, at + FIGURE_AT, FIGURE_WIDTH, ALIGN_RIGHT, ROLE_HEAD, head.buf, -1);
		strbuf_fmt(&s, "%s: %s", sides_name(side ? c->nr - 1 : 0),
			   path_of(v, !side));
		line_text(line, at + x, (side ? line->w : right - 2) - at - x, ALIGN_LEFT,
			  ROLE_HEAD_SORT, s.buf, -1);
		strbuf_release(&s);
		strbuf_release(&head);
	}
}

static void
beside_title(struct view *v, struct title *title)
{
	const struct beside *s = v->data;

	strbuf_str(&title->left, "side by side");
	if (!s->known)
		return;
	if (s->changed) {
		human_count(&title->middle, s->changed);
		strbuf_fmt(&title->middle, " line%s differ%s", s->changed == 1 ? "" : "s",
			   s->changed == 1 ? "s" : "");
	} else {
		strbuf_str(&title->middle, "the same text");
	}
	title_place(title, v);
}

/* Appends the texts of both; a blank line has none. */
static void
beside_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct beside *s = v->data;

	for (int first = 1; first >= 0; first--) {
		uint32_t line = compare_line_of(&s->pairs[row], first);
		struct doc *doc = line ? doc_of(v, first) : NULL;
		size_t n;
		const char *text = doc ? doc_line(doc, line, &n) : NULL;

		if (text)
			strbuf_add(out, text, n);
		strbuf_char(out, '\n');
	}
}

static bool
differs(const struct line_pair *p)
{
	return !p->a || !p->b || p->changed;
}

/* Goes to the begin of the next stretch of lines that differ. */
static unsigned
next_difference(struct view *v, bool forward)
{
	const struct beside *s = v->data;
	size_t i = v->cursor;

	for (;;) {
		if (forward ? i + 1 >= s->nr : i == 0)
			break;
		i += forward ? 1 : (size_t)-1;
		if (differs(&s->pairs[i]) && (i == 0 || !differs(&s->pairs[i - 1]))) {
			view_move_to(v, i);
			return EFFECT_DONE;
		}
	}
	browser_say(v->browser, ROLE_MESSAGE, forward ? "the text is the same from here on"
						      : "the text is the same before");
	return EFFECT_DONE;
}

static unsigned
open_here(struct view *v)
{
	const struct beside *s = v->data;
	struct browser *b = v->browser;
	struct target target = { .site = 0 };
	struct line_pair pair = s->nr ? s->pairs[v->cursor] : (struct line_pair){ .a = 0 };

	target.first = !pair.b;
	target.place.file = target.first ? s->a : s->b;
	target.place.line = target.first ? pair.a : pair.b;
	browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

static unsigned
beside_act(struct view *v, enum action action, size_t count)
{
	int by = count && count < 10000 ? (int)count : 8;

	switch (action) {
	case ACTION_OPEN:
		return open_here(v);
	case ACTION_HOT_NEXT:
		return next_difference(v, true);
	case ACTION_HOT_PREVIOUS:
		return next_difference(v, false);
	case ACTION_SCROLL_RIGHT:
		v->left += v->left < 100000 ? by : 0;
		return EFFECT_DONE;
	case ACTION_SCROLL_LEFT:
		v->left = v->left > by ? v->left - by : 0;
		return EFFECT_DONE;
	default:
		return EFFECT_REFUSED;
	}
}

static void
write_side(struct view *v, bool first, uint32_t line, FILE *out)
{
	struct doc *doc = line ? doc_of(v, first) : NULL;
	struct strbuf text = STRBUF_INIT;
	const char *s;
	size_t n;

	if (doc) {
		s = doc_line(doc, line, &n);
		safe_text(&text, s, n);
		fprintf(out, "\t%u\t%s", line, text.buf);
	} else {
		fprintf(out, "\t\t");
	}
	strbuf_release(&text);
}

static void
beside_write(struct view *v, FILE *out)
{
	const struct beside *s = v->data;

	for (size_t i = 0; i < s->nr; i++) {
		const struct line_pair *p = &s->pairs[i];

		fprintf(out, "%c", !p->b ? '-' : !p->a ? '+' : p->changed ? '~' : ' ');
		write_side(v, true, p->a, out);
		write_side(v, false, p->b, out);
		fprintf(out, "\n");
	}
}

/* Takes the rows, when they are known, with the cursor on the source's line. */
static bool
take_lines(struct view *v)
{
	struct beside *s = v->data;
	struct view *source = v->browser->panes[PANE_SOURCE];
	bool first = source_file(source).first;
	const struct line_pair *pairs;

	if (!compare_lines(v->browser, s->a, s->b, &pairs, &s->nr))
		return false;
	s->known = true;
	s->pairs = xcalloc(s->nr, sizeof(*s->pairs));
	if (s->nr)
		memcpy(s->pairs, pairs, s->nr * sizeof(*s->pairs));
	for (size_t i = 0; i < s->nr; i++) {
		s->changed += differs(&s->pairs[i]);
		if (compare_line_of(&s->pairs[i], first) == source->cursor + 1)
			v->cursor = i;
	}
	v->top = v->cursor > 5 ? v->cursor - 5 : 0;
	return true;
}

static unsigned
beside_idle(struct view *v)
{
	const struct beside *s = v->data;

	return !s->known && take_lines(v) ? WORK_NEW : 0;
}

static void
beside_empty(struct view *v, struct strbuf *out)
{
	const struct beside *s = v->data;

	if (s->known)
		strbuf_str(out, "The texts are not there.\n");
	else
		strbuf_fmt(out, "finding out which lines correspond: %d%%\n",
			   compare_lines_percent(v->browser));
}

static void
beside_close(struct view *v)
{
	struct beside *s = v->data;

	free(s->pairs);
	free(s);
}

static const struct view_ops beside_ops = {
	.name = "beside",
	.keymap = KEYMAP_BESIDE,
	.cursor = CURSOR_MARK,
	.close = beside_close,
	.rows = beside_rows,
	.empty = beside_empty,
	.idle = beside_idle,
	.head_lines = view_one_head_line,
	.draw_head = beside_draw_head,
	.draw_row = beside_draw_row,
	.title = beside_title,
	.row_text = beside_row_text,
	.act = beside_act,
	.write = beside_write,
};

struct view *
beside_new(struct browser *b)
{
	struct view *source = b->panes[PANE_SOURCE], *v;
	struct subject file = source_file(source), other = compare_other_file(b, file);
	struct beside *s;

	if (!other.id) {
		browser_say(b, ROLE_MESSAGE, b->compare.c ? "this file is in one profile only"
			    : "the text of the first profile is not there: %s", b->compare.absent);
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	s->a = file.first ? file.id : other.id;
	s->b = file.first ? other.id : file.id;
	s->same = compare_same_text(b, s->a, s->b);
	v = view_new(&beside_ops, b, s);
	take_lines(v);
	return v;
}
