#include "tui/keys/complete.h"

#include <string.h>

#include "tui/keys/command.h"
#include "tui/views.h"
#include "tui/views/table.h"

const char *
complete_column(struct browser *b, size_t i)
{
	struct table *t = view_table(browser_view(b));
	size_t k;

	/* A column without a head cannot be named. */
	for (k = 0; t && k < (size_t)t->nr_columns; k++)
		if (t->columns[k].head[0] && !i--)
			return t->columns[k].head;
	return NULL;
}

const char *
complete_measure(struct browser *b, size_t i)
{
	size_t k;

	for (k = 0; k < b->metrics.nr; k++)
		if (b->metrics.items[k].there && !i--)
			return b->metrics.items[k].name;
	return NULL;
}

const char *
complete_self_by(struct browser *b, size_t i)
{
	(void)b;
	return i < NR_SELF_BY ? self_by_names[i] : NULL;
}

const char *
complete_normalise(struct browser *b, size_t i)
{
	static const char *const words[] = { "total", "off" };

	(void)b;
	return i < 2 ? words[i] : NULL;
}

const char *
complete_rule(struct browser *b, size_t i)
{
	static const char *const words[] = { "likely", "spread", "even" };

	(void)b;
	return i < 3 ? words[i] : NULL;
}

/* Returns commands, then actions. */
static const char *
complete_command(struct browser *b, size_t i)
{
	static size_t nr;
	size_t action;

	(void)b;
	while (command_table[nr].name)
		nr++;
	if (i < nr)
		return command_table[i].name;
	action = i - nr + 1;
	return action < ACTION_NR ? action_table[action].name : NULL;
}

static size_t
common_length(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

size_t
complete_words(struct browser *b, command_complete_function *candidates, const char *typed,
	       size_t n, struct strbuf *best, struct strbuf *offer)
{
	const char *word;
	size_t i, nr = 0;

	for (i = 0; (word = candidates(b, i)); i++) {
		if (strncmp(word, typed, n) || !strncmp(word, "prompt-", 7))
			continue;
		if (!nr++)
			strbuf_str(best, word);
		best->len = common_length(best->buf, word);
		best->buf[best->len] = '\0';
		strbuf_fmt(offer, "%s%s", nr > 1 ? "  " : "", word);
	}
	return nr;
}

void
complete_prompt(struct browser *b)
{
	struct strbuf best = STRBUF_INIT, offer = STRBUF_INIT;
	const char *text = b->prompt.text.buf, *typed = text + strspn(text, " ");
	size_t first = strcspn(typed, " "), n;
	command_complete_function *candidates = complete_command;
	const struct command_row *c;

	if (typed[first]) {
		c = command_find(typed, first);
		candidates = c ? c->complete : NULL;
		typed += first + strspn(typed + first, " ");
	}
	n = candidates ? complete_words(b, candidates, typed, strlen(typed), &best, &offer) : 0;
	if (n == 1)
		strbuf_char(&best, ' ');
	if (n)
		prompt_replace(&b->prompt, (size_t)(typed - text), best.buf);
	prompt_offer(&b->prompt, n > 1 ? offer.buf : n ? "" : "nothing fits");
	strbuf_release(&best);
	strbuf_release(&offer);
}

/* ---- the list above the line ---- */

enum { OFFERS_MAX = 16 };

struct offers {
	struct { const char *name, *arguments, *help; } rows[OFFERS_MAX];
	int nr, most;
	int more;              /* that there is no room for */
};

static void
offer(struct offers *o, const char *name, const char *arguments, const char *help)
{
	if (o->nr == o->most) {
		o->more++;
		return;
	}
	o->rows[o->nr].name = name;
	o->rows[o->nr].arguments = arguments;
	o->rows[o->nr++].help = help;
}

/* What is typed of a command's name offers commands, then actions; behind the name, its words. */
static void
find_offers(struct browser *b, struct offers *o)
{
	const char *typed = b->prompt.text.buf + strspn(b->prompt.text.buf, " "), *word;
	size_t n = strcspn(typed, " "), i;
	const bool behind = typed[n];
	const struct command_row *c = behind ? command_find(typed, n) : NULL;

	if (c) {
		offer(o, c->name, c->arguments, c->help);
		typed += n + strspn(typed + n, " ");
		for (i = 0; c->complete && (word = c->complete(b, i)); i++)
			if (!strncmp(word, typed, strlen(typed)))
				offer(o, "", word, "");
	}
	if (behind)
		return;
	for (c = command_table; c->name; c++)
		if (!strncmp(c->name, typed, n))
			offer(o, c->name, c->arguments, c->help);
	for (i = 1; n && i < ACTION_NR; i++)
		if (!strncmp(action_table[i].name, typed, n) &&
		    action_table[i].group != GROUP_PROMPT)
			offer(o, action_table[i].name, "", action_table[i].help);
}

void
complete_draw(struct browser *b)
{
	enum { NAME = 26 };
	struct offers o = { .most = draw_rows() / 2 };
	struct strbuf more = STRBUF_INIT;
	struct area area = { 0, 0, 1, draw_columns() };

	o.most = o.most < OFFERS_MAX ? o.most : OFFERS_MAX;
	find_offers(b, &o);
	for (int i = 0; i < o.nr; i++) {
		struct line line;
		int w;

		area.y = draw_rows() - 1 - o.nr + i;
		line = draw_line(&area, 0, OVERLAY_CURSOR_IDLE);
		w = 1 + line_text(&line, 1, line.w - 2, ALIGN_LEFT, ROLE_KEY, o.rows[i].name, -1);
		w += 1 + line_text(&line, w + 1, line.w - w - 2, ALIGN_LEFT, ROLE_PLACE,
				   o.rows[i].arguments, -1);
		w = w + 1 < NAME ? NAME : w + 1;
		line_text(&line, w, line.w - w - 1, ALIGN_LEFT, ROLE_TEXT, o.rows[i].help, -1);
		if (i + 1 < o.nr || !o.more)
			continue;
		strbuf_fmt(&more, " and %d more", o.more);
		line_text(&line, line.w - (int)more.len - 1, (int)more.len, ALIGN_LEFT, ROLE_DIM,
			  more.buf, -1);
	}
	strbuf_release(&more);
}
