#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/store/texts.h"
#include "print/ledger.h"
#include "print/report.h"
#include "show/ledger_words.h"
#include "util/text/path.h"
#include "util/text/safe.h"

enum { MOST_ROWS = 20, MOST_ITEMS = 4, TEXT_WIDTH = 50 };

void
ledger_put_line(struct strbuf *out, const struct ledger *l, const struct ledger_row *r, bool text)
{
	size_t side = r->at[1].file ? 1 : 0;
	struct place at = r->at[side];
	struct strbuf excerpt = STRBUF_INIT;

	if (!at.file)
		return;
	safe_str(out, path_base(match_path(ledger_match(l), ledger_side(l, side), at.file)));
	strbuf_fmt(out, ":%u", at.line);
	if (!side)
		strbuf_str(out, " of a");
	at.column = 0;
	at.end_column = UINT32_MAX;
	if (text)
		texts_excerpt(profile_texts(ledger_profile(l, side)), &excerpt, &at, TEXT_WIDTH);
	if (excerpt.len)
		strbuf_str(out, ": ");
	safe_fit(out, excerpt.buf, excerpt.len, TEXT_WIDTH);
	strbuf_release(&excerpt);
}

static void
print_padded(const char *text, int width)
{
	printf("%*s", width - safe_width(text, strlen(text)), "");
	fputs(text, stdout);
}

static void
print_behind(const char *text, int width)
{
	int left = width - safe_width(text, strlen(text));

	printf("%s%*s", text, left > 0 ? left : 0, "");
}

static void
print_items(const struct ledger_row *r, const struct ledger_unit *u, int indent)
{
	bool ascii = report_ascii();
	size_t nr = 0, left = 0;

	for (size_t i = 0; i < r->nr_items; i++) {
		struct strbuf out = STRBUF_INIT;

		if (nr == MOST_ITEMS || !ledger_is_large(r, &r->items[i])) {
			left++;
			continue;
		}
		nr++;
		if (r->items[i].kind != LEDGER_BYTES)
			ledger_put_amount(&out, u, r->items[i].amount);
		printf("%*s", indent, "");
		print_padded(out.buf, 12);
		strbuf_clear(&out);
		ledger_put_what(&out, &r->items[i]);
		printf("  ");
		print_behind(out.buf, 36);
		strbuf_clear(&out);
		ledger_put_change(&out, &r->items[i], ascii);
		printf("  %s\n", out.buf);
		strbuf_release(&out);
	}
	if (left)
		printf("%*s%zu more\n", indent + 14, "", left);
}

static void
print_row(const struct ledger *l, const struct ledger_row *r, const struct ledger_unit *u,
	  int indent)
{
	struct strbuf out = STRBUF_INIT;

	printf("%*s", indent, "");
	ledger_put_amount(&out, u, r->value.amount);
	print_padded(out.buf, 8);
	strbuf_clear(&out);
	if (!isnan(r->value.error)) {
		strbuf_str(&out, report_ascii() ? " +-" : " \302\261");
		ledger_put_error(&out, u, r->value.error);
	}
	print_behind(out.buf, 7);
	printf("  %-12s", ledger_kind_words(r->kind));
	strbuf_clear(&out);
	ledger_put_procedure(&out, r);
	if (out.len)
		printf("  %s", out.buf);
	strbuf_clear(&out);
	ledger_put_line(&out, l, r, true);
	if (out.len)
		printf("   %s", out.buf);
	if (*r->hint)
		printf("   (%s)", r->hint);
	putchar('\n');
	print_items(r, u, indent);
	strbuf_release(&out);
}

/* Rows that are not claimed, but whose counts have changed, are told: both are true. */
static bool
has_other_counts(const struct ledger_row *r)
{
	const struct ledger_item *top = r->items;
	double most;

	if (r->claimed || !r->nr_items || r->kind > LEDGER_GONE)
		return false;
	most = fmax(top->n[0], top->n[1]);
	return most >= 100 && fabs(top->n[1] - top->n[0]) >= 0.1 * most;
}

size_t
ledger_next_work(const struct ledger *l, size_t i)
{
	size_t nr = ledger_head(l)->nr_rows;

	while (i < nr && !has_other_counts(ledger_row(l, i)))
		i++;
	return i;
}

static void
print_other_counts(const struct ledger *l)
{
	size_t nr = 0, rows = ledger_head(l)->nr_rows, i = 0;
	bool ascii = report_ascii();

	for (; (i = ledger_next_work(l, i)) < rows && nr < LEDGER_MOST_WORK; i++, nr++) {
		const struct ledger_row *r = ledger_row(l, i);
		struct strbuf out = STRBUF_INIT;

		ledger_put_procedure(&out, r);
		strbuf_str(&out, ": ");
		ledger_put_what(&out, r->items);
		strbuf_str(&out, " ");
		ledger_put_change(&out, r->items, ascii);
		printf("%*swork changed, time not beyond chance: %s\n", 19, "", out.buf);
		strbuf_release(&out);
	}
}

static void
print_definitions(const struct ledger *l, const struct ledger_unit *u)
{
	const struct ledger_head *h = ledger_head(l);

	for (size_t i = 0; i < h->nr_definitions; i++) {
		const struct ledger_definition *d = &h->definitions[i];
		struct strbuf out = STRBUF_INIT;

		if (d->procedures < 2 || !(d->value.chance < 0.05))
			continue;
		ledger_put_value(&out, u, &d->value, report_ascii());
		printf("%*s%s in all that uses ", 19, "", out.buf);
		strbuf_clear(&out);
		safe_str(&out, d->name);
		printf("%s, %zu procedures\n", out.buf, d->procedures);
		strbuf_release(&out);
	}
}

static void
print_rows(const struct ledger *l, const struct ledger_unit *u, size_t limit)
{
	const struct ledger_head *h = ledger_head(l);
	size_t most = limit == SIZE_MAX ? h->nr_claimed : limit, nr = 0, left = 0;
	double sum = 0;

	if (limit == SIZE_MAX && most > MOST_ROWS)
		most = MOST_ROWS;
	for (size_t i = 0; i < h->nr_rows; i++) {
		const struct ledger_row *r = ledger_row(l, i);

		if (r->under != SIZE_MAX)
			continue;
		if (nr++ >= most) {
			left += r->claimed;
			sum += r->claimed ? r->value.amount : 0;
			continue;
		}
		print_row(l, r, u, 0);
		for (size_t k = 0; k < h->nr_rows; k++)
			if (ledger_row(l, k)->under == i)
				print_row(l, ledger_row(l, k), u, 4);
	}
	if (left) {
		struct strbuf out = STRBUF_INIT;

		ledger_put_amount(&out, u, sum);
		print_padded(out.buf, 8);
		printf("         %zu smaller row%s beyond chance\n", left, left == 1 ? "" : "s");
		strbuf_release(&out);
	}
}

static void
print_ledger(const struct ledger *l, size_t limit)
{
	const struct ledger_head *h = ledger_head(l);
	bool ascii = report_ascii();
	struct ledger_unit u = ledger_unit(h, ascii);
	struct strbuf out = STRBUF_INIT;

	ledger_put_total(&out, h, ascii);
	if (h->controlled)
		strbuf_str(&out, "\n");
	ledger_put_speed(&out, h, ascii);
	if (h->same_work)
		strbuf_str(&out, "\nsame work; what differs is the machine");
	if (!isnan(h->bytes[0]) && h->of == LEDGER_CPU) {
		strbuf_str(&out, "\nmemory got a run ");
		ledger_put_bytes(&out, h->bytes, ascii);
	}
	puts(out.buf);
	for (size_t i = 0; i < h->nr_notes; i++) {
		strbuf_clear(&out);
		safe_str(&out, h->notes[i]);
		puts(out.buf);
	}
	putchar('\n');
	print_rows(l, &u, limit);
	if (h->nr_rows > h->nr_claimed) {
		strbuf_clear(&out);
		ledger_put_amount(&out, &u, h->unresolved.amount);
		print_padded(out.buf, 8);
		strbuf_clear(&out);
		if (!isnan(h->unresolved.error)) {
			strbuf_str(&out, ascii ? " +-" : " \302\261");
			ledger_put_error(&out, &u, h->unresolved.error);
		}
		print_behind(out.buf, 7);
		strbuf_clear(&out);
		ledger_put_unresolved(&out, h, ascii);
		printf("  %s\n", out.buf);
	}
	print_other_counts(l);
	print_definitions(l, &u);
	strbuf_release(&out);
}

void
ledger_text(const struct ledger_print *p)
{
	struct strbuf out = STRBUF_INIT;

	for (size_t k = 0; k < 2; k++) {
		strbuf_fmt(&out, "%s   ", k ? "b" : "a");
		report_run(&out, ledger_profile(p->cpu, k));
		strbuf_char(&out, '\n');
	}
	fputs(out.buf, stdout);
	strbuf_release(&out);
	print_ledger(p->cpu, p->limit);
	if (!p->wait)
		return;
	putchar('\n');
	print_ledger(p->wait, p->limit);
}
