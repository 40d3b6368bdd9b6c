#include <math.h>
#include <stdio.h>

#include "print/diff.h"
#include "print/ledger.h"
#include "show/ledger_words.h"
#include "util/text/safe.h"

enum { MOST_ITEMS = 3 };

/* Appends TEXT as code; nothing where it is empty. */
static void
put_code(struct strbuf *out, const struct strbuf *text)
{
	if (!text->len)
		return;
	strbuf_char(out, '`');
	for (size_t i = 0; i < text->len; i++) {
		strbuf_str(out, text->buf[i] == '|' ? "\\" : "");
		strbuf_char(out, text->buf[i] == '`' ? '\'' : text->buf[i]);
	}
	strbuf_char(out, '`');
}

static void
put_items(struct strbuf *out, const struct ledger_row *r)
{
	size_t nr = 0;

	for (size_t i = 0; i < r->nr_items && nr < MOST_ITEMS; i++) {
		struct strbuf what = STRBUF_INIT;

		if (!ledger_is_large(r, &r->items[i]))
			continue;
		strbuf_str(out, nr++ ? "; " : "");
		ledger_put_what(&what, &r->items[i]);
		put_code(out, &what);
		strbuf_char(out, ' ');
		ledger_put_change(out, &r->items[i], false);
		strbuf_release(&what);
	}
	if (*r->hint)
		strbuf_fmt(out, " (%s)", r->hint);
}

static void
put_procedure(struct strbuf *out, const struct ledger_row *r)
{
	struct strbuf text = STRBUF_INIT;

	safe_str(&text, r->name);
	put_code(out, &text);
	strbuf_clear(&text);
	safe_str(&text, r->uses);
	if (text.len)
		strbuf_str(out, " uses ");
	else if (r->changed)
		strbuf_str(out, " (changed)");
	put_code(out, &text);
	strbuf_release(&text);
}

static void
print_row(const struct ledger *l, const struct ledger_row *r, const struct ledger_unit *u)
{
	struct strbuf out = STRBUF_INIT, text = STRBUF_INIT;

	strbuf_str(&out, "| ");
	ledger_put_value(&out, u, &r->value, false);
	strbuf_fmt(&out, " | %s%s | ", r->under == SIZE_MAX ? "" : "\342\206\263 ",
		   ledger_kind_words(r->kind));
	put_procedure(&out, r);
	ledger_put_line(&text, l, r, false);
	strbuf_str(&out, text.len ? " " : "");
	put_code(&out, &text);
	strbuf_str(&out, " | ");
	put_items(&out, r);
	strbuf_str(&out, " |");
	puts(out.buf);
	strbuf_release(&text);
	strbuf_release(&out);
}

static void
print_rows(const struct ledger *l, const struct ledger_unit *u, size_t limit)
{
	const struct ledger_head *h = ledger_head(l);
	size_t most = limit == SIZE_MAX ? DIFF_MARKDOWN_ROWS : limit, nr = 0;

	if (limit == SIZE_MAX && most > h->nr_claimed)
		most = h->nr_claimed;
	if (most && h->nr_rows)
		printf("| %s | cause | procedure | what changed |\n|--:|:--|:--|:--|\n", u->name);
	for (size_t i = 0; i < h->nr_rows && nr < most; i++) {
		if (ledger_row(l, i)->under != SIZE_MAX)
			continue;
		nr++;
		print_row(l, ledger_row(l, i), u);
		for (size_t k = 0; k < h->nr_rows; k++)
			if (ledger_row(l, k)->under == i)
				print_row(l, ledger_row(l, k), u);
	}
	if (most && h->nr_rows)
		putchar('\n');
	for (nr = 0; nr < h->nr_claimed && ledger_row(l, nr)->claimed; nr++)
		;
	if (nr > most)
		printf("%zu more beyond chance. ", nr - most);
}

static void
print_ledger(const struct ledger *l, size_t limit)
{
	const struct ledger_head *h = ledger_head(l);
	struct ledger_unit u = ledger_unit(h, false);
	struct strbuf out = STRBUF_INIT;

	strbuf_str(&out, "**");
	ledger_put_total(&out, h, false);
	strbuf_str(&out, "**");
	if (h->controlled) {
		strbuf_str(&out, "; **");
		ledger_put_speed(&out, h, false);
		strbuf_str(&out, "**");
	}
	if (h->same_work)
		strbuf_str(&out, ": same work; what differs is the machine");
	printf("%s\n\n", out.buf);
	for (size_t i = 0; i < h->nr_notes; i++) {
		struct strbuf note = STRBUF_INIT;

		strbuf_clear(&out);
		strbuf_str(&note, h->notes[i]);
		put_code(&out, &note);
		printf("%s\n\n", out.buf);
		strbuf_release(&note);
	}
	print_rows(l, &u, limit);
	strbuf_clear(&out);
	if (h->nr_rows > h->nr_claimed) {
		ledger_put_value(&out, &u, &h->unresolved, false);
		strbuf_fmt(&out, " %s ", u.name);
		ledger_put_unresolved(&out, h, false);
		printf("%s.\n", out.buf);
	}
	for (size_t i = 0, nr = 0; nr < LEDGER_MOST_WORK; i++, nr++) {
		i = ledger_next_work(l, i);
		if (i >= h->nr_rows)
			break;
		strbuf_clear(&out);
		put_procedure(&out, ledger_row(l, i));
		strbuf_str(&out, ": ");
		put_items(&out, ledger_row(l, i));
		printf("%s- Work changed, time not beyond chance: %s\n", nr ? "" : "\n", out.buf);
	}
	strbuf_release(&out);
}

void
ledger_markdown(const struct ledger_print *p)
{
	print_ledger(p->cpu, p->limit);
	if (!p->wait)
		return;
	putchar('\n');
	print_ledger(p->wait, p->limit);
}
