/* The user's actions in a comparison: the expression, which rows are shown, which text. */
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"
#include "tui/browser.h"
#include "tui/keys/complete.h"
#include "tui/views.h"
#include "tui/views/tree_view.h"

enum { MOST_LIVE = 300000 /* ranges: with more, an expression is computed when it is complete */ };

/* Tells the user when nothing is compared (now). */
static bool
is_possible(struct browser *b)
{
	if (!b->compare.nr)
		browser_say(b, ROLE_MESSAGE, "nothing to compare with: cgview A.db B.db");
	else if (!b->compare.on)
		browser_say(b, ROLE_MESSAGE, "the comparison is hidden: %s shows it",
			    action_key(KEYMAP_GENERIC, ACTION_COMPARE_OFF));
	return b->compare.nr && b->compare.on;
}

struct view *
compare_rows_view(struct browser *b)
{
	for (int i = b->depth - 1; i >= 0; i--) {
		const struct table *t = view_table(b->stack[i]);

		if (t && t->kind->list == LIST_COMPARISON)
			return b->stack[i];
	}
	return b->panes[PANE_SUMMARY];
}

enum compare_by
compare_by_shown(struct browser *b)
{
	const struct table *t = view_table(compare_rows_view(b));

	if (is_tree(browser_view(b)))
		return BY_PROCEDURE;
	return t->kind->list == LIST_COMPARISON ? (enum compare_by)(t->kind->things - 1)
						: BY_PROCEDURE;
}

/* ---- the expression ---- */

/* Returns the text to be edited, even of an expression that has a name. */
static const char *
expression_now(struct browser *b)
{
	const char *text = b->compare.expression;
	const struct compare_kind *k =
		is_tree(browser_view(b)) && b->tree->rows
			? compare_tree_kind(b, b->tree->rows->tree)
			: compare_kind(b, compare_by_shown(b));

	return text ? expression_meant(text, false) : k->expression ? k->expression : "";
}

static unsigned
ask(struct browser *b)
{
	struct compare *x = &b->compare;

	if (!x->c) {
		browser_say(b, ROLE_MESSAGE, "only what was saved can be shown: %s", x->absent);
		return EFFECT_DONE;
	}
	free(x->before);
	x->before = x->expression ? xstrdup(x->expression) : NULL;
	prompt_open(&b->prompt, PROMPT_COMPARE, expression_now(b));
	return EFFECT_DONE;
}

static bool
is_live(const struct browser *b)
{
	return b->totals->nr_ranges <= MOST_LIVE;
}

/* Tries an expression; an error is marked in the prompt. */
static int
try(struct browser *b, const char *text, bool refresh)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;
	int status = compare_set(b, compare_by_shown(b), *text ? text : NULL, &err);

	b->prompt.wrong = -1;
	if (status) {
		prompt_offer(&b->prompt, err.error.text);
		b->prompt.wrong = err.place;
	} else if (refresh) {
		compare_refresh(b);
	}
	return status;
}

unsigned
compare_command(struct browser *b, const char *text)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;

	if (b->live.from)
		return live_compare(b);
	if (!is_possible(b))
		return EFFECT_DONE;
	if (!*text)
		return ask(b);
	if (compare_set(b, compare_by_shown(b), text, &err)) {
		browser_say(b, ROLE_WARNING, "%s", err.error.text);
		return EFFECT_DONE;
	}
	compare_refresh(b);
	return EFFECT_DONE | EFFECT_MOVED;
}

const char *
compare_named(struct browser *b, size_t i)
{
	const struct named_expression *n = expression_named(i);

	(void)b;
	return n ? n->name : NULL;
}

static uint64_t
measures_of(const struct compare *x)
{
	uint64_t mask = 0;

	for (size_t k = 0; k < x->nr; k++)
		mask |= profile_figures(x->profiles[k]);
	return mask;
}

/* Returns word number I that may stand in an expression. */
static const char *
word(struct browser *b, size_t i)
{
	static const char *const functions[] = {
		"ratio(", "share(", "growth(", "significance(", "abs(", "min(", "max(", "round(",
		"coalesce(", "nullif(", "iif(", "sqrt(", "log2(", "ln(", "pow(",
	};
	enum { NR_FUNCTIONS = sizeof(functions) / sizeof(*functions) };
	static char text[64];
	uint64_t figures = compare_figures(compare_by_shown(b), measures_of(&b->compare));
	size_t profiles = b->compare.series ? 1 : b->compare.nr;

	if (i < NR_FUNCTIONS)
		return functions[i];
	i -= NR_FUNCTIONS;
	for (size_t p = 0; p < profiles; p++) {
		for (int f = 0; f < FIGURES_MAX; f++) {
			if (!(figures & FIGURE_BIT(f)) || i--)
				continue;
			snprintf(text, sizeof(text), "%s.%s", sides_name(p),
				 figure_name((enum figure)f));
			return text;
		}
		for (int r = 0; r < NR_RUN_FIGURES; r++) {
			if (i--)
				continue;
			snprintf(text, sizeof(text), "%s.run.%s", sides_name(p),
				 run_figure_name((enum run_figure)r));
			return text;
		}
	}
	return compare_named(b, i);
}

static bool
is_of_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.';
}

/* Completes the word before the cursor. Returns how many words fit. */
static size_t
complete(struct browser *b)
{
	struct prompt *p = &b->prompt;
	struct strbuf best = STRBUF_INIT, offer = STRBUF_INIT, rest = STRBUF_INIT;
	size_t from = p->at, at, nr;

	while (from && is_of_word(p->text.buf[from - 1]))
		from--;
	strbuf_str(&rest, p->text.buf + p->at);
	nr = complete_words(b, word, p->text.buf + from, p->at - from, &best, &offer);
	if (nr) {
		prompt_replace(p, from, best.buf);
		at = p->at;
		strbuf_str(&p->text, rest.buf);
		p->at = at;
	}
	prompt_offer(p, nr > 1 ? offer.buf : nr ? "" : "nothing fits");
	strbuf_release(&best);
	strbuf_release(&offer);
	strbuf_release(&rest);
	return nr;
}

/* ---- the prompt ---- */

unsigned
compare_prompt(struct browser *b, enum prompt_event event)
{
	struct compare *x = &b->compare;
	char *text;

	switch (event) {
	case PROMPT_CANCELLED:
		b->prompt.wrong = -1;
		prompt_close(&b->prompt, false);
		text = x->before ? xstrdup(x->before) : xstrdup("");
		try(b, text, true);
		free(text);
		break;
	case PROMPT_ACCEPTED:
		if (try(b, b->prompt.text.buf, true))
			return EFFECT_DONE; /* to be mended */
		prompt_close(&b->prompt, true);
		break;
	case PROMPT_COMPLETED:
		if (complete(b) == 1 && is_live(b))
			try(b, b->prompt.text.buf, true);
		break;
	case PROMPT_CHANGED:
		if (is_live(b))
			try(b, b->prompt.text.buf, true);
		break;
	case PROMPT_NOTHING:
	case PROMPT_NEXT:
	case PROMPT_PREVIOUS:
		break;
	}
	return EFFECT_DONE | EFFECT_MOVED;
}

/* ---- what is shown ---- */

enum { MOST_ALONE = 4 /* with at most this many profiles each can be shown alone */ };

/* Returns the choice after NOW among rows that have changed, that are in one profile alone, in all
 * of them. NULL: no restriction. */
static const char *
sides_after(const struct compare *x, const char *now)
{
	const char *order[MOST_ALONE + 4] = { "", "changed" };
	size_t nr = 2;

	for (size_t k = 0; k < x->nr; k++)
		if (!k || k + 1 == x->nr || x->nr <= MOST_ALONE)
			order[nr++] = sides_name(k);
	order[nr] = x->nr > 2 ? "all" : "both";
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(order[i], now))
			return order[i + 1];
	return NULL;
}

/* Returns the table whose rows are to be chosen, and in *V its view; NULL after a message. */
static struct table *
table_to_restrict(struct browser *b, struct view **v)
{
	struct table *t;

	*v = browser_view(b);
	t = view_table(*v);
	if (is_tree(*v)) {
		browser_say(b, ROLE_MESSAGE, "a tree of calls has the paths of all profiles");
		return NULL;
	}
	if (t && t->kind->list == LIST_COMPARISON)
		return t;
	*v = b->panes[PANE_SUMMARY];
	return view_table(*v);
}

static unsigned
only_certain(struct browser *b)
{
	struct view *v;
	struct table *t = table_to_restrict(b, &v);
	bool now;

	if (!t)
		return EFFECT_DONE;
	now = t->to.text[RESTRICT_CERTAIN];
	restrict_set(&t->to, RESTRICT_CERTAIN, now ? NULL : "yes");
	table_open(v, t);
	browser_say(b, ROLE_MESSAGE, now ? "all rows" : "without differences of less than two "
		    "standard errors: those may be chance");
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
next_sides(struct browser *b)
{
	struct view *v;
	struct table *t = table_to_restrict(b, &v);
	const char *now, *to;

	if (!t)
		return EFFECT_DONE;
	now = t->to.text[RESTRICT_SIDES] ? t->to.text[RESTRICT_SIDES] : "";
	to = sides_after(&b->compare, now);
	restrict_set(&t->to, RESTRICT_SIDES, to);
	table_open(v, t);
	if (!to)
		browser_say(b, ROLE_MESSAGE, "all rows");
	else if (!strcmp(to, "changed"))
		browser_say(b, ROLE_MESSAGE, "only rows in %s whose text, or what they use, "
			    "has changed",
			    b->compare.nr > 2 ? "all" : "both");
	else
		browser_say(b, ROLE_MESSAGE, "only rows that are in %s%s", to,
			    to[1] ? "" : " alone");
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
set_scale(struct browser *b, const char *what)
{
	struct error err = ERROR_INIT;
	char *copy = what ? xstrdup(what) : NULL;

	if (compare_normalise(b, copy, &err)) {
		browser_say(b, ROLE_WARNING, "%s", err.text);
	} else {
		compare_refresh(b);
		if (what)
			browser_say(b, ROLE_MESSAGE, "figures of the others are multiplied so that "
				    "%s is the same in all", !strcmp(copy, "total")
				    ? "the total" : copy);
		else
			browser_say(b, ROLE_MESSAGE, "figures as they are");
	}
	free(copy);
	return EFFECT_DONE | EFFECT_MOVED;
}

/* Goes on from none to the total to the current procedure. */
static unsigned
next_scale(struct browser *b)
{
	const char *now = b->compare.normalise;
	struct procedure_row row;

	if (!now)
		return set_scale(b, "total");
	return set_scale(b, !strcmp(now, "total") && compare_row(b, b->procedure, &row) ? row.name
										       : NULL);
}

unsigned
compare_normalise_command(struct browser *b, const char *what)
{
	if (!is_possible(b))
		return EFFECT_DONE;
	return set_scale(b, *what && strcmp(what, "off") ? what : NULL);
}

/* Goes to the corresponding place in the other text. */
static unsigned
other_text(struct browser *b)
{
	struct compare *x = &b->compare;
	struct view *source = b->panes[PANE_SOURCE];
	struct subject file = source_file(source), other = compare_other_file(b, file);
	enum compare_mark mark;
	uint32_t here = (uint32_t)source->cursor + 1;
	uint32_t line = compare_other_line(b, file, here, &mark);

	if (!x->c || !other.id) {
		browser_say(b, ROLE_MESSAGE,
			    !x->c ? "the text of the first profile is not there: %s"
			    : "this file is in one profile only", x->absent);
		return EFFECT_DONE;
	}
	x->first = other.first;
	source_show(source, other, line ? line : here, NULL);
	if (mark == NOT_KNOWN_YET)
		x->lines.from = here;
	browser_say(b, ROLE_MESSAGE, "this is the text of %s",
		    profile_name(x->profiles[compare_side(x, other.first)]));
	return EFFECT_DONE | EFFECT_LAYOUT;
}

static unsigned
show_or_hide(struct browser *b)
{
	struct compare *x = &b->compare;
	struct view *source = b->panes[PANE_SOURCE];

	if (!x->nr)
		return is_possible(b), EFFECT_DONE;
	while (b->depth)
		browser_pop(b);
	tree_state_free(b->tree); /* more than one profile needs another tree */
	b->tree = NULL;
	x->on = !x->on;
	if (source_file(source).first)
		source_show(source, (struct subject){ 0 }, 0, NULL);
	compare_refresh(b);
	browser_say(b, ROLE_MESSAGE, x->on ? "compared" : "%s alone", profile_name(b->profile));
	return EFFECT_DONE | EFFECT_MOVED | EFFECT_LAYOUT;
}

unsigned
compare_act(struct browser *b, enum action action, size_t count)
{
	struct view *view;

	(void)count;
	if (action == ACTION_COMPARE_OFF)
		return show_or_hide(b);
	if (b->live.from && action == ACTION_COMPARE)
		return live_compare(b);
	if (!is_possible(b))
		return EFFECT_DONE;
	switch (action) {
	case ACTION_COMPARE:
		return ask(b);
	case ACTION_COMPARE_MENU:
		return browser_push(b, expressions_new(b));
	case ACTION_COMPARE_CERTAIN:
		return only_certain(b);
	case ACTION_COMPARE_SIDES:
		return next_sides(b);
	case ACTION_COMPARE_TEXT:
		return other_text(b);
	case ACTION_COMPARE_BESIDE:
		view = beside_new(b);
		return view ? browser_push(b, view) : EFFECT_DONE;
	default:
		return next_scale(b);
	}
}
