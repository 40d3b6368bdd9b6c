#include "show/ledger_words.h"

#include <inttypes.h>
#include <math.h>

#include "show/human.h"
#include "show/value.h"
#include "util/text/safe.h"

static const char *
arrow(bool ascii)
{
	return ascii ? "->" : "\342\206\222";
}

/* ---- numbers ---- */

struct ledger_unit
ledger_unit(const struct ledger_head *h, bool ascii)
{
	double size = fmax(fabs(h->each[0]), fabs(h->each[1]));

	if (h->in_blocks)
		return size < 1e5 ? (struct ledger_unit){ 1, "blocks" }
		       : size < 1e8 ? (struct ledger_unit){ 1e3, "k blocks" }
		       : (struct ledger_unit){ 1e6, "M blocks" };
	if (size >= 3e10)
		return (struct ledger_unit){ 1e9, "s" };
	return size >= 1e6 ? (struct ledger_unit){ 1e6, "ms" }
	       : (struct ledger_unit){ 1e3, ascii ? "us" : "\302\265s" };
}

static int
decimals(double v)
{
	double size = fabs(v);

	return size >= 99.5 || size == 0 ? 0 : size >= 0.995 ? 1 : size >= 0.0995 ? 2 : 3;
}

void
ledger_put_amount(struct strbuf *out, const struct ledger_unit *u, double amount)
{
	double v = amount / u->size;

	if (!v)
		strbuf_str(out, "0"); /* neither +0 nor -0 */
	else
		strbuf_fmt(out, "%+.*f", decimals(v), v);
}

void
ledger_put_error(struct strbuf *out, const struct ledger_unit *u, double error)
{
	double v = error / u->size;

	strbuf_fmt(out, "%.*f", v >= 9.95 ? 0 : decimals(v), v);
}

void
ledger_put_value(struct strbuf *out, const struct ledger_unit *u, const struct ledger_value *v,
		 bool ascii)
{
	ledger_put_amount(out, u, v->amount);
	if (isnan(v->error))
		return;
	strbuf_str(out, ascii ? " +-" : " \302\261");
	ledger_put_error(out, u, v->error);
}

void
ledger_put_count(struct strbuf *out, double n)
{
	double whole = round(n);

	if (isnan(n))
		strbuf_str(out, "?");
	else if (n >= 1000 || fabs(n - whole) < 1e-6)
		human_count_fit(out, (uint64_t)fmax(0, whole), 5);
	else
		strbuf_fmt(out, n >= 10 ? "%.1f" : "%.2f", n);
}

void
ledger_put_bytes(struct strbuf *out, const double bytes[2], bool ascii)
{
	human_bytes(out, (uint64_t)(bytes[0] + 0.5));
	strbuf_fmt(out, " %s ", arrow(ascii));
	human_bytes(out, (uint64_t)(bytes[1] + 0.5));
}

/* ---- the head ---- */

static void
put_of(struct strbuf *out, const struct ledger_head *h)
{
	strbuf_str(out, h->in_blocks ? "Block executions a run" :
		   h->of == LEDGER_WAIT ? "Waiting a run" : "CPU a run");
}

void
ledger_put_total(struct strbuf *out, const struct ledger_head *h, bool ascii)
{
	struct ledger_unit u = ledger_unit(h, ascii);

	put_of(out, h);
	for (int k = 0; k < 2; k++) {
		double v = h->each[k] / u.size;

		strbuf_fmt(out, " %.*f", fabs(v) >= 99.5 ? 0 : 1, v);
		if (!k)
			strbuf_fmt(out, " %s", arrow(ascii));
	}
	strbuf_fmt(out, " %s, ", u.name);
	ledger_put_value(out, &u, &h->raw, ascii);
	strbuf_fmt(out, " (%" PRIu32 "+%" PRIu32 " runs)", h->runs[0], h->runs[1]);
}

void
ledger_put_speed(struct strbuf *out, const struct ledger_head *h, bool ascii)
{
	struct ledger_unit u = ledger_unit(h, ascii);

	if (!h->controlled)
		return;
	strbuf_fmt(out, "at equal speed (%s%.2f, by %.0f %% of the time) ",
		   ascii ? "x" : "\303\227", 1 / h->factor, h->share * 100);
	ledger_put_value(out, &u, &h->total, ascii);
	strbuf_fmt(out, " %s", u.name);
}

void
ledger_put_unresolved(struct strbuf *out, const struct ledger_head *h, bool ascii)
{
	struct ledger_unit u = ledger_unit(h, ascii);
	size_t nr = h->nr_rows - h->nr_claimed;

	strbuf_fmt(out, "unresolved, %zu row%s", nr, nr == 1 ? "" : "s");
	if (isnan(h->unresolved.least))
		return;
	strbuf_str(out, ": ");
	ledger_put_error(out, &u, h->unresolved.least);
	strbuf_fmt(out, " %s would have been seen", u.name);
	if (!h->same_work && h->unresolved_runs > fmax(h->runs[0], h->runs[1]))
		strbuf_fmt(out, "; if it is there, about %.0f runs a side would tell",
			   h->unresolved_runs);
}

/* ---- rows ---- */

void
ledger_put_procedure(struct strbuf *out, const struct ledger_row *r)
{
	safe_str(out, r->name);
	if (*r->uses) {
		strbuf_str(out, " (uses ");
		safe_str(out, r->uses);
		strbuf_str(out, ")");
	} else if (r->changed) {
		strbuf_str(out, " (changed)");
	}
}

void
ledger_put_what(struct strbuf *out, const struct ledger_item *item)
{
	switch (item->kind) {
	case LEDGER_OWN:
		strbuf_str(out, item->price ? "own code" : "own blocks");
		break;
	case LEDGER_LINES:
		strbuf_str(out, "lines of one side alone");
		break;
	case LEDGER_LIBRARY:
	case LEDGER_CALLS:
		strbuf_str(out, item->price ? "" : "calls ");
		safe_str(out, item->name);
		break;
	case LEDGER_POINTER:
		strbuf_str(out, item->price ? "through a pointer: " : "calls through a pointer: ");
		safe_str(out, item->name ? item->name : "code outside");
		break;
	case LEDGER_BYTES:
		strbuf_str(out, "bytes that it gets");
		break;
	case LEDGER_DEEPER:
		strbuf_str(out, "recurses deeper: calls ");
		safe_str(out, item->name);
		break;
	}
}

static void
put_each(struct strbuf *out, double ns, double n, bool ascii)
{
	double each = ns / n;

	if (each < 10)
		strbuf_fmt(out, "%.2f ns", each);
	else
		human_ns(out, (uint64_t)(each + 0.5), ascii);
}

void
ledger_put_change(struct strbuf *out, const struct ledger_item *item, bool ascii)
{
	if (item->kind == LEDGER_BYTES) {
		ledger_put_bytes(out, item->n, ascii);
		return;
	}
	if (item->price && !isnan(item->n[0]) && item->n[0] > 0 && item->n[1] > 0) {
		put_each(out, item->ns[0], item->n[0], ascii);
		strbuf_fmt(out, " %s ", arrow(ascii));
		put_each(out, item->ns[1], item->n[1], ascii);
		strbuf_str(out, " each, ");
		if (item->n[0] == item->n[1]) {
			ledger_put_count(out, item->n[0]);
			strbuf_str(out, " times in both");
			return;
		}
	} else if (item->price) {
		human_ns(out, (uint64_t)(item->ns[0] + 0.5), ascii);
		strbuf_fmt(out, " %s ", arrow(ascii));
		human_ns(out, (uint64_t)(item->ns[1] + 0.5), ascii);
		strbuf_str(out, ", not counted");
		return;
	}
	strbuf_str(out, item->estimated ? ascii ? "~" : "\342\211\210" : "");
	ledger_put_count(out, item->n[0]);
	strbuf_fmt(out, " %s ", arrow(ascii));
	ledger_put_count(out, item->n[1]);
	strbuf_str(out, item->price ? " times" : "");
}

bool
ledger_is_large(const struct ledger_row *r, const struct ledger_item *item)
{
	double most = 0;

	for (size_t i = 0; i < r->nr_items; i++)
		most = fmax(most, fabs(r->items[i].amount));
	return item->kind == LEDGER_BYTES || fabs(item->amount) >= 0.1 * most;
}
