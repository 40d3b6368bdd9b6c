/* More work, or slower work? What makes the difference of two profiles, as src/compare/ledger
 * works it out: causes with their time, below each what it does more of, or what got dearer, and at
 * last what cannot be told from chance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/ledger/ledger.h"
#include "show/human.h"
#include "show/ledger_words.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "util/text/path.h"
#include "util/text/safe.h"

/* How much of a cause is shown. */
enum { SHOW_NOTHING_MORE, SHOW_LARGE, SHOW_ALL_ITEMS };

struct entry {
	enum entry_kind {
		ENTRY_NOTE,        /* what could not be had, NUMBER of the head's notes */
		ENTRY_TOTAL,       /* of waiting, which has a ledger of its own */
		ENTRY_SPEED,
		ENTRY_CAUSE,       /* NUMBER: the row */
		ENTRY_ITEM,        /* ITEM of row NUMBER */
		ENTRY_MORE_ITEMS,  /* of row NUMBER, ITEM of them */
		ENTRY_UNRESOLVED,  /* all rows that are not beyond chance */
	} kind;
	enum ledger_of of;
	size_t number, item;
};

struct causes {
	struct entry *entries;
	size_t nr, alloc;
	struct { unsigned char *shown; bool unresolved; } of[2]; /* by ledger: of each row */
	bool made;
};

static struct ledger *
ledger_here(struct view *v, enum ledger_of of)
{
	return v->browser->compare.ledger.of[of];
}

/* ---- the work ---- */

void
compare_ledger_forget(struct compare *x)
{
	for (int of = 0; of < 2; of++)
		ledger_close(x->ledger.of[of]);
	free(x->ledger.error);
	memset(&x->ledger, 0, sizeof(x->ledger));
}

/* Begins the next ledger that there is; false: there is none, or it cannot be had. */
static bool
begin_ledger(struct compare *x, struct error *err)
{
	enum ledger_of of = x->ledger.nr_done ? LEDGER_WAIT : LEDGER_CPU;
	bool both_waited = profile_totals(x->profiles[0])->run.wall_interval_ns &&
			   profile_totals(x->profiles[1])->run.wall_interval_ns;

	if (x->ledger.of[of])
		return true;
	if (of == LEDGER_WAIT && !both_waited)
		return false;
	x->ledger.of[of] = ledger_begin(x->profiles[0], x->profiles[1], of, &x->options.match,
					comparison_match(x->c), err);
	return x->ledger.of[of] != NULL;
}

/* Goes on in the slice that has begun: WORK_MORE and so on. */
static unsigned
work_on(struct browser *b)
{
	struct compare *x = &b->compare;
	struct error err = ERROR_INIT;
	int done = 0;

	if (!x->ledger.ready && begin_ledger(x, &err)) {
		done = ledger_work(x->ledger.of[x->ledger.nr_done], busy_over, b, &err);
		x->ledger.nr_done += done > 0;
		if (done >= 0 && x->ledger.nr_done < 2)
			return WORK_MORE | WORK_NEW;
	}
	if (*err.text) {
		compare_ledger_forget(x);
		x->ledger.error = xstrdup(err.text);
	}
	x->ledger.ready = true;
	return WORK_NEW;
}

/* A key may have what it needs at once. */
static void
work_for_key(struct browser *b)
{
	busy_slice(b, SLICE_KEY);
	while (!b->compare.ledger.ready && !busy_over(b))
		work_on(b);
}

/* ---- which lines there are ---- */

static void
add(struct causes *s, enum entry_kind kind, enum ledger_of of, size_t number, size_t item)
{
	GROW(s->entries, s->nr + 1, s->alloc);
	s->entries[s->nr++] = (struct entry){ kind, of, number, item };
}

static void
add_cause(struct causes *s, const struct ledger *l, enum ledger_of of, size_t i)
{
	const struct ledger_row *r = ledger_row(l, i);
	size_t left = 0;

	add(s, ENTRY_CAUSE, of, i, 0);
	for (size_t k = 0; k < r->nr_items; k++) {
		if (s->of[of].shown[i] == SHOW_ALL_ITEMS ||
		    (s->of[of].shown[i] == SHOW_LARGE && ledger_is_large(r, &r->items[k])))
			add(s, ENTRY_ITEM, of, i, k);
		else
			left++;
	}
	if (left && s->of[of].shown[i] == SHOW_LARGE)
		add(s, ENTRY_MORE_ITEMS, of, i, left);
}

static void
add_ledger(struct causes *s, const struct ledger *l, enum ledger_of of)
{
	const struct ledger_head *h = ledger_head(l);

	if (!s->of[of].shown) {
		/* Where nothing is beyond chance, what may be is all that there is to see. */
		s->of[of].unresolved = !h->nr_claimed;
		s->of[of].shown = xcalloc(h->nr_rows + 1, 1);
		memset(s->of[of].shown, SHOW_LARGE, h->nr_claimed ? h->nr_claimed : h->nr_rows);
	}
	if (of == LEDGER_WAIT) {
		add(s, ENTRY_TOTAL, of, 0, 0);
		if (h->controlled)
			add(s, ENTRY_SPEED, of, 0, 0);
	}
	for (size_t i = 0; i < h->nr_notes; i++)
		add(s, ENTRY_NOTE, of, i, 0);
	/* A cause that has changed another's mix has it below. */
	for (size_t i = 0; i < h->nr_rows; i++) {
		if (i == h->nr_claimed) {
			add(s, ENTRY_UNRESOLVED, of, 0, 0);
			if (!s->of[of].unresolved)
				break;
		}
		if (ledger_row(l, i)->under != SIZE_MAX)
			continue;
		add_cause(s, l, of, i);
		for (size_t k = 0; k < h->nr_rows; k++)
			if (ledger_row(l, k)->under == i)
				add_cause(s, l, of, k);
	}
}

static void
make_entries(struct view *v)
{
	struct causes *s = v->data;

	s->nr = 0;
	for (enum ledger_of of = LEDGER_CPU; of <= LEDGER_WAIT; of++)
		if (ledger_here(v, of))
			add_ledger(s, ledger_here(v, of), of);
	s->made = true;
	view_clamp(v);
}

/* To where the view was left, or to the first cause. */
static void
go_to_first(struct view *v)
{
	const struct causes *s = v->data;
	size_t to = v->browser->compare.ledger.row;

	while (to + 1 < s->nr && s->entries[to].kind == ENTRY_NOTE)
		to++;
	view_move_to(v, to);
	v->top = to < (size_t)view_body_height(v) ? 0 : v->top;
}

static size_t
causes_rows(struct view *v)
{
	struct causes *s = v->data;

	if (!v->browser->compare.ledger.ready) {
		/* The profile is another one now. */
		for (int of = 0; of < 2; of++) {
			free(s->of[of].shown);
			s->of[of].shown = NULL;
		}
		s->nr = 0;
		s->made = false;
	} else if (!s->made) {
		make_entries(v);
	}
	return s->nr;
}

/* ---- drawing ---- */

enum { AMOUNT = 9, ERROR = 8, KIND = 13, ITEM_AMOUNT = 16, WHAT_AT = AMOUNT + ERROR + 2,
       LEAST_NAME = 20 };

static int
causes_head_lines(struct view *v)
{
	const struct ledger *l = causes_rows(v) ? ledger_here(v, LEDGER_CPU) : NULL;
	const struct ledger_head *h = l ? ledger_head(l) : NULL;

	return !h || v->area.h < 6 ? 0 : 1 + (h->controlled || h->same_work);
}

static void
causes_draw_head(struct view *v, int i, const struct line *line)
{
	const struct ledger_head *h = ledger_head(ledger_here(v, LEDGER_CPU));
	struct strbuf out = STRBUF_INIT;

	if (!i)
		ledger_put_total(&out, h, draw_ascii());
	else if (h->same_work)
		strbuf_str(&out, "same work; what differs is the machine");
	else
		ledger_put_speed(&out, h, draw_ascii());
	line_text(line, 1, line->w - 1, ALIGN_LEFT, ROLE_STRONG, out.buf, -1);
	strbuf_release(&out);
}

/* Time is more or less, with or without a colour for how sure that is. */
static enum role
role_of(const struct ledger_row *r)
{
	if (!r->claimed)
		return ROLE_UNSURE;
	return r->value.amount < 0 ? ROLE_LESS_1 + COMPARE_LEVELS - 1
				   : ROLE_MORE_1 + COMPARE_LEVELS - 1;
}

static void
draw_amount(const struct line *line, const struct ledger_head *h, const struct ledger_value *value,
	    enum role role)
{
	struct ledger_unit u = ledger_unit(h, draw_ascii());
	struct strbuf out = STRBUF_INIT;

	ledger_put_amount(&out, &u, value->amount);
	line_text(line, 0, AMOUNT, ALIGN_RIGHT, role, out.buf, -1);
	strbuf_clear(&out);
	if (!isnan(value->error)) {
		strbuf_str(&out, draw_glyph(GLYPH_PLUS_MINUS));
		ledger_put_error(&out, &u, value->error);
	}
	line_text(line, AMOUNT + 1, ERROR - 1, ALIGN_LEFT, ROLE_TEXT, out.buf, -1);
	strbuf_release(&out);
}

/* Appends the line of a cause: "jim.c:4445"; TEXT: with its text. */
static void
put_line(struct view *v, const struct ledger_row *r, bool text, struct strbuf *out)
{
	bool first = !r->at[1].file;
	const struct place *at = &r->at[!first];
	const struct profile_file *file;
	struct doc *doc;
	const char *s;
	size_t n;

	if (!at->file)
		return;
	file = profile_file(ledger_profile(ledger_here(v, LEDGER_CPU), !first), at->file);
	safe_str(out, file ? path_base(file->path) : "?");
	strbuf_fmt(out, ":%u%s", at->line, first ? " of a" : "");
	doc = text ? docs_get(compare_docs(v->browser, first), at->file) : NULL;
	if (!doc || at->line > doc->nr_lines)
		return;
	s = doc_line(doc, at->line, &n);
	while (n && (*s == ' ' || *s == '\t'))
		s++, n--;
	strbuf_str(out, "  ");
	safe_text(out, s, n);
}

static void
draw_cause(struct view *v, const struct ledger *l, const struct entry *e, const struct line *line)
{
	const struct ledger_row *r = ledger_row(l, e->number);
	int indent = r->under == SIZE_MAX ? 0 : 2, x = WHAT_AT + indent, w, place;
	struct strbuf name = STRBUF_INIT, at = STRBUF_INIT;

	draw_amount(line, ledger_head(l), &r->value, role_of(r));
	ledger_put_procedure(&name, r);
	line_text(line, x, name.len ? KIND - 1 : line->w - x, ALIGN_LEFT,
		  r->claimed ? ROLE_STRONG : ROLE_DIM, ledger_kind_words(r->kind), -1);
	x += KIND;
	if (*r->hint)
		strbuf_fmt(&name, " (%s)", r->hint);
	put_line(v, r, line->w > 110, &at);
	w = line->w - x;
	place = safe_width(at.buf, at.len);
	if (place > w - LEAST_NAME)
		place = w - LEAST_NAME;
	if (place > 3 && safe_width(name.buf, name.len) + 2 < w - place)
		w = line->w > 110 ? safe_width(name.buf, name.len) : w - place - 2;
	else if (place > 3)
		w -= place + 2;
	if (name.len)
		line_text(line, x, w, ALIGN_LEFT,
			  r->procedure[1] || r->procedure[0] ? ROLE_NAME : ROLE_TEXT, name.buf, -1);
	if (place > 3)
		line_text(line, x + w + 2, line->w - x - w - 2, ALIGN_LEFT, ROLE_PLACE, at.buf, -1);
	strbuf_release(&name);
	strbuf_release(&at);
}

static void
draw_item(const struct ledger *l, const struct entry *e, const struct line *line)
{
	const struct ledger_item *item = &ledger_row(l, e->number)->items[e->item];
	struct ledger_unit u = ledger_unit(ledger_head(l), draw_ascii());
	struct strbuf out = STRBUF_INIT;
	int x = WHAT_AT + 2, w = (line->w - x) / 2, used;

	ledger_put_amount(&out, &u, item->amount);
	line_text(line, 0, ITEM_AMOUNT, ALIGN_RIGHT, ROLE_TEXT, out.buf, -1);
	strbuf_clear(&out);
	ledger_put_what(&out, item);
	used = safe_width(out.buf, out.len);
	w = used > 34 && w > 34 ? w : used > w ? w : w < 34 ? w : 34;
	line_text(line, x, w, ALIGN_LEFT, ROLE_TEXT, out.buf, -1);
	strbuf_clear(&out);
	ledger_put_change(&out, item, draw_ascii());
	line_text(line, x + w + 2, line->w - x - w - 2, ALIGN_LEFT, ROLE_TEXT, out.buf, -1);
	strbuf_release(&out);
}

/* The text of an entry that is one. */
static void
put_text(struct view *v, const struct entry *e, struct strbuf *out)
{
	const struct ledger_head *h = ledger_head(ledger_here(v, e->of));

	switch (e->kind) {
	case ENTRY_NOTE:
		safe_str(out, h->notes[e->number]);
		break;
	case ENTRY_TOTAL:
		ledger_put_total(out, h, draw_ascii());
		break;
	case ENTRY_SPEED:
		ledger_put_speed(out, h, draw_ascii());
		break;
	case ENTRY_MORE_ITEMS:
		strbuf_fmt(out, "%*s%zu more", WHAT_AT + 2, "", e->item);
		break;
	default:
		break;
	}
}

static void
draw_entry(struct view *v, size_t row, const struct line *line)
{
	const struct causes *s = v->data;
	const struct entry *e = &s->entries[row];
	const struct ledger *l = ledger_here(v, e->of);
	struct strbuf out = STRBUF_INIT;

	switch (e->kind) {
	case ENTRY_CAUSE:
		draw_cause(v, l, e, line);
		return;
	case ENTRY_ITEM:
		draw_item(l, e, line);
		return;
	case ENTRY_UNRESOLVED:
		draw_amount(line, ledger_head(l), &ledger_head(l)->unresolved, ROLE_UNSURE);
		ledger_put_unresolved(&out, ledger_head(l), draw_ascii());
		line_text(line, WHAT_AT, line->w - WHAT_AT, ALIGN_LEFT, ROLE_DIM, out.buf, -1);
		break;
	default:
		put_text(v, e, &out);
		line_text(line, 1, line->w - 1, ALIGN_LEFT,
			  e->kind == ENTRY_TOTAL || e->kind == ENTRY_SPEED ? ROLE_STRONG
			  : ROLE_DIM, out.buf, -1);
		break;
	}
	strbuf_release(&out);
}

static void
causes_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct causes *s = v->data;
	const struct entry *e = &s->entries[row];
	const struct ledger *l = ledger_here(v, e->of);
	struct ledger_unit u = ledger_unit(ledger_head(l), draw_ascii());
	const struct ledger_row *r;

	switch (e->kind) {
	case ENTRY_CAUSE:
		r = ledger_row(l, e->number);
		ledger_put_value(out, &u, &r->value, draw_ascii());
		strbuf_fmt(out, "  %s  ", ledger_kind_words(r->kind));
		ledger_put_procedure(out, r);
		if (*r->hint)
			strbuf_fmt(out, " (%s)", r->hint);
		strbuf_str(out, "  ");
		put_line(v, r, true, out);
		break;
	case ENTRY_ITEM:
		r = ledger_row(l, e->number);
		strbuf_str(out, "    ");
		ledger_put_amount(out, &u, r->items[e->item].amount);
		strbuf_str(out, "  ");
		ledger_put_what(out, &r->items[e->item]);
		strbuf_str(out, "  ");
		ledger_put_change(out, &r->items[e->item], draw_ascii());
		break;
	case ENTRY_UNRESOLVED:
		ledger_put_value(out, &u, &ledger_head(l)->unresolved, draw_ascii());
		strbuf_str(out, "  ");
		ledger_put_unresolved(out, ledger_head(l), draw_ascii());
		break;
	default:
		put_text(v, e, out);
	}
}

static void
causes_write(struct view *v, FILE *out)
{
	struct strbuf line = STRBUF_INIT;
	size_t nr = causes_rows(v);

	if (nr) {
		ledger_put_total(&line, ledger_head(ledger_here(v, LEDGER_CPU)), draw_ascii());
		strbuf_char(&line, '\n');
		ledger_put_speed(&line, ledger_head(ledger_here(v, LEDGER_CPU)), draw_ascii());
		strbuf_char(&line, '\n');
	}
	for (size_t i = 0; i < nr; i++) {
		causes_row_text(v, i, &line);
		strbuf_char(&line, '\n');
	}
	fwrite(line.buf, 1, line.len, out);
	strbuf_release(&line);
}

static void
causes_title(struct view *v, struct title *title)
{
	const struct ledger_head *h;

	strbuf_str(&title->left, "why it takes more, or less");
	if (!causes_rows(v))
		return;
	h = ledger_head(ledger_here(v, LEDGER_CPU));
	human_count(&title->middle, h->nr_claimed);
	strbuf_fmt(&title->middle, " cause%s beyond chance", h->nr_claimed == 1 ? "" : "s");
	title_place(title, v);
}

static void
causes_empty(struct view *v, struct strbuf *out)
{
	const struct compare *x = &v->browser->compare;

	if (x->ledger.error)
		strbuf_fmt(out, "%s\n", x->ledger.error);
	else if (!x->ledger.ready)
		strbuf_fmt(out, "finding the causes: %d%%\n", x->ledger.of[LEDGER_CPU]
			   ? ledger_percent(x->ledger.of[LEDGER_CPU]) : 0);
	else
		strbuf_str(out, "Nothing differs.\n");
}

/* ---- walking ---- */

/* The row that the entry with the cursor belongs to; NULL: none. */
static const struct ledger_row *
row_here(struct view *v, const struct entry **e)
{
	const struct causes *s = v->data;

	if (v->cursor >= causes_rows(v))
		return NULL;
	*e = &s->entries[v->cursor];
	if ((*e)->kind != ENTRY_CAUSE && (*e)->kind != ENTRY_ITEM && (*e)->kind != ENTRY_MORE_ITEMS)
		return NULL;
	return ledger_row(ledger_here(v, (*e)->of), (*e)->number);
}

/* Of what is called its source, if it has any; else the line of the cause that changed most. */
static bool
target_of(const struct entry *e, const struct ledger_row *r, struct target *target)
{
	const struct ledger_item *item = e->kind == ENTRY_ITEM ? &r->items[e->item] : NULL;
	const model_id *procedure = item && (item->callee[0] || item->callee[1]) ? item->callee
										 : r->procedure;
	bool first = !procedure[1];

	*target = (struct target){ .first = first };
	target->procedure = (struct subject){ procedure[!first], first };
	if (procedure == r->procedure && r->at[!first].file) {
		target->place.file = r->at[!first].file;
		target->place.line = r->at[!first].line;
	}
	return procedure[!first] != 0;
}

bool
ledger_target(struct view *v, struct target *target)
{
	const struct entry *e;
	const struct ledger_row *r = row_here(v, &e);
	struct procedure_row row;

	if (!r || !target_of(e, r, target))
		return false;
	if (target->place.file)
		return true;
	if (!compare_row(v->browser, target->procedure, &row))
		return false;
	target->place = source_name_place(compare_docs(v->browser, target->first), &row.place);
	return true;
}

static unsigned
open_here(struct view *v)
{
	struct causes *s = v->data;
	const struct entry *e;
	struct target target;

	row_here(v, &e);
	if (v->cursor < causes_rows(v) && s->entries[v->cursor].kind == ENTRY_UNRESOLVED) {
		s->of[s->entries[v->cursor].of].unresolved ^= true;
		make_entries(v);
		return EFFECT_DONE;
	}
	if (!ledger_target(v, &target)) {
		browser_say(v->browser, ROLE_MESSAGE, "this row has no source");
		return EFFECT_DONE;
	}
	v->browser->compare.ledger.row = v->cursor;
	return browser_go(v->browser, &target, true); /* V is gone */
}

/* Shows more of the cause here, or less. */
static unsigned
expand(struct view *v, int by)
{
	struct causes *s = v->data;
	struct entry e;
	unsigned char *shown;

	if (v->cursor >= causes_rows(v))
		return EFFECT_DONE;
	e = s->entries[v->cursor];
	if (e.kind == ENTRY_UNRESOLVED) {
		s->of[e.of].unresolved = by > 0;
	} else if (e.kind == ENTRY_CAUSE || e.kind == ENTRY_ITEM || e.kind == ENTRY_MORE_ITEMS) {
		shown = &s->of[e.of].shown[e.number];
		*shown = (unsigned char)(by > 0 ? *shown < SHOW_ALL_ITEMS ? *shown + 1 : *shown
						: *shown > 0 ? *shown - 1 : 0);
	}
	make_entries(v);
	/* What is shown less may have had the cursor. */
	for (size_t i = 0; by < 0 && i < s->nr; i++)
		if (s->entries[i].kind == ENTRY_CAUSE && s->entries[i].of == e.of &&
		    s->entries[i].number == e.number && e.kind != ENTRY_UNRESOLVED)
			view_move_to(v, i);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
causes_act(struct view *v, enum action action, size_t count)
{
	struct causes *s = v->data;

	(void)count;
	if (!s->made) {
		work_for_key(v->browser);
		if (causes_rows(v))
			go_to_first(v);
	}
	switch (action) {
	case ACTION_OPEN:
		return open_here(v);
	case ACTION_TREE_EXPAND:
		return expand(v, 1);
	case ACTION_TREE_COLLAPSE:
		return expand(v, -1);
	default:
		return EFFECT_REFUSED;
	}
}

static unsigned
causes_idle(struct view *v)
{
	struct causes *s = v->data;
	unsigned what = 0;

	if (!v->browser->compare.ledger.ready) {
		busy_slice(v->browser, SLICE_IDLE);
		what = work_on(v->browser);
	}
	if (!s->made && v->browser->compare.ledger.ready) {
		make_entries(v);
		go_to_first(v);
		what |= WORK_MOVED;
	}
	return what;
}

static void
causes_close(struct view *v)
{
	struct causes *s = v->data;

	free(s->entries);
	for (int of = 0; of < 2; of++)
		free(s->of[of].shown);
	free(s);
}

static const struct view_ops causes_ops = {
	.name = "why",
	.keymap = KEYMAP_LEDGER,
	.cursor = CURSOR_ROW,
	.close = causes_close,
	.rows = causes_rows,
	.empty = causes_empty,
	.idle = causes_idle,
	.head_lines = causes_head_lines,
	.draw_head = causes_draw_head,
	.draw_row = draw_entry,
	.title = causes_title,
	.row_text = causes_row_text,
	.act = causes_act,
	.write = causes_write,
	.again = ledger_new,
};

bool
is_ledger(const struct view *v)
{
	return v->ops == &causes_ops;
}

struct view *
ledger_new(struct browser *b)
{
	const struct compare *x = &b->compare;
	struct view *v;

	if (!x->on || !x->c || x->nr != 2 || x->series) {
		browser_say(b, ROLE_MESSAGE, !x->on ? "nothing is compared: cgview A.db B.db"
			    : !x->c ? "the first profile is not there: %s"
			    : "causes are told of two profiles: cgview A.db B.db", x->absent);
		return NULL;
	}
	v = view_new(&causes_ops, b, xcalloc(1, sizeof(struct causes)));
	work_for_key(b);
	if (causes_rows(v))
		go_to_first(v);
	return v;
}
