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
