/* The facts of two profiles: the first rows of their ledger. */
#include <math.h>
#include <string.h>

#include "print/brief.h"
#include "print/report.h"
#include "show/ledger_words.h"

enum { MOST_CLAIMED = 10, MOST_ITEMS = 2, MOST_WAITING = 3, MOST_DEFINITIONS = 3, MOST_NOTES = 4 };
_Static_assert(2 + 2 * BRIEF_FACTS + 2 + 3 + MOST_CLAIMED + LEDGER_MOST_WORK + MOST_WAITING + 2 +
			       MOST_DEFINITIONS + MOST_NOTES <=
		       BRIEF_LINES,
	       "it is brief");

#define MORE(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		"cgview", __VA_ARGS__, b->names[0], b->names[1], NULL                              \
	}

static struct scalar_value
real(double v)
{
	return (struct scalar_value){.type = SCALAR_REAL, .real = v};
}

static enum column_unit
unit_of(const struct ledger_head *h)
{
	return h->in_blocks ? UNIT_COUNT : UNIT_NS;
}

/* Adds an amount with its error; blocks are counted. */
static void
put_amount(struct brief_row *row, const struct ledger_head *h, const char *name, const char *key,
	   double amount, double error)
{
	brief_figure(row,
		     &(struct brief_figure){.name = name,
					    .key = key,
					    .unit = unit_of(h),
					    .value = real(amount),
					    .differs = true,
					    .trust = h->in_blocks ? BRIEF_EXACT : BRIEF_SAMPLED,
					    .error = h->in_blocks || !(fabs(amount) > 0)
							     ? NAN
							     : error / fabs(amount)});
}

static void
add_runs(struct brief *b, const struct ledger *l)
{
	const struct ledger_head *h = ledger_head(l);

	brief_fact(b, "runs", "The two",
		   (const char *const[]){"cgview", "brief", b->names[1], NULL});
	for (size_t k = 0; k < 2; k++) {
		const struct profile_totals *t = profile_totals(ledger_profile(l, k));
		const uint64_t figures[] = {t->nr_runs, t->self_samples};
		static const char *const names[] = {"runs", "samples"};
		struct brief_row *row = brief_row(b, k ? "b" : "a");

		row->note = t->run.command;
		brief_figure(row,
			     &(struct brief_figure){.name = h->of == LEDGER_WAIT ? "waited a run"
							    : h->in_blocks	 ? "blocks a run"
										 : "CPU a run",
						    .key = "each",
						    .unit = unit_of(h),
						    .value = real(h->each[k]),
						    .error = NAN});
		for (size_t i = 0; i < 2; i++)
			brief_figure(row, &(struct brief_figure){
						  .name = names[i],
						  .key = names[i],
						  .unit = UNIT_COUNT,
						  .error = NAN,
						  .value = {.type = SCALAR_INTEGER,
							    .integer = count_figure(figures[i])}});
	}
}

static void
add_difference(struct brief *b, const struct ledger *l)
{
	const struct ledger_head *h = ledger_head(l);
	struct brief_row *row;

	brief_fact(b, "difference", "The difference, b less a, a run",
		   MORE("diff", "--by", "cause"));
	row = brief_row(b, "as measured");
	put_amount(row, h, "", "raw", h->raw.amount, h->raw.error);
	if (h->controlled) {
		row = brief_row(b, "at equal speed");
		put_amount(row, h, "", "amount", h->total.amount, h->total.error);
		row->note = "the machine's speed is taken out, by code in which nothing changed";
	}
	if (h->same_work)
		brief_row(b, "same work")->note =
			"one build, equal counts: what differs is the machine";
}

/* Returns what has changed in a row: "calls strcmp 7,047 -> 101 k". */
static const char *
items_of(struct brief *b, const struct ledger_row *r)
{
	struct strbuf out = STRBUF_INIT;
	bool ascii = report_ascii();
	size_t nr = 0;
	const char *text;

	strbuf_str(&out, ledger_kind_words(r->kind));
	if (*r->uses)
		strbuf_fmt(&out, ", uses %s", r->uses);
	else if (r->changed)
		strbuf_str(&out, ", its text has changed");
	for (size_t i = 0; i < r->nr_items && nr < MOST_ITEMS; i++) {
		if (!ledger_is_large(r, &r->items[i]))
			continue;
		strbuf_str(&out, nr++ ? "; " : ": ");
		ledger_put_what(&out, &r->items[i]);
		strbuf_char(&out, ' ');
		ledger_put_change(&out, &r->items[i], ascii);
	}
	text = brief_text_of(b, out.buf);
	strbuf_release(&out);
	return text;
}

static void
add_row(struct brief *b, const struct ledger *l, const struct ledger_row *r, bool amount)
{
	struct brief_row *row = brief_row(b, r->name && *r->name ? r->name : NULL);
	size_t side = r->at[1].file ? 1 : 0;

	if (r->at[side].file) {
		row->path = match_path(ledger_match(l), ledger_side(l, side), r->at[side].file);
		row->line = r->at[side].line;
		row->column = r->at[side].column;
	}
	if (amount)
		put_amount(row, ledger_head(l), "is", "amount", r->value.amount, r->value.error);
	row->note = items_of(b, r);
}

static void
add_claimed(struct brief *b, const struct ledger *l, const char *key, const char *title,
	    size_t most)
{
	const struct ledger_head *h = ledger_head(l);
	struct brief_fact *f = brief_fact(b, key, title, MORE("diff", "--by", "cause"));

	for (size_t i = 0; i < h->nr_claimed && f->nr < most; i++)
		add_row(b, l, ledger_row(l, i), true);
	if (!f->nr)
		f->none = h->judged || h->in_blocks ? "nothing"
						    : "nothing; times of fewer than 3 runs a side "
						      "are not judged: record -n 5";
}

/* Both are true: counts have changed, and whether that takes time is not known. */
static void
add_work(struct brief *b, const struct ledger *l)
{
	struct brief_fact *f =
		brief_fact(b, "work", "Work that has changed, its time not beyond chance",
			   MORE("diff", "-e", "b.work - a.work"));

	for (size_t i = 0; f->nr < LEDGER_MOST_WORK; i++) {
		i = ledger_next_work(l, i);
		if (i >= ledger_head(l)->nr_rows)
			break;
		add_row(b, l, ledger_row(l, i), false);
	}
	if (!f->nr)
		f->none = "none";
}

static void
add_unresolved(struct brief *b, const struct ledger *l)
{
	const struct ledger_head *h = ledger_head(l);
	struct brief_fact *f = brief_fact(b, "unresolved", "What cannot be told", NULL);
	struct strbuf text = STRBUF_INIT;
	struct brief_row *row;

	if (h->nr_rows == h->nr_claimed) {
		f->none = "nothing is left";
		return;
	}
	row = brief_row(b, "all other rows");
	put_amount(row, h, "together", "amount", h->unresolved.amount, h->unresolved.error);
	ledger_put_unresolved(&text, h, report_ascii());
	row->note = brief_text_of(b, text.buf);
	strbuf_release(&text);
}

static void
add_definitions(struct brief *b, const struct ledger *l)
{
	const struct ledger_head *h = ledger_head(l);
	struct brief_fact *f = brief_fact(
		b, "definitions", "Definitions that have changed, with all that uses them", NULL);

	for (size_t i = 0; i < h->nr_definitions && f->nr < MOST_DEFINITIONS; i++) {
		const struct ledger_definition *d = &h->definitions[i];

		if (d->value.chance < 0.05)
			put_amount(brief_row(b, d->name), h, "", "amount", d->value.amount,
				   d->value.error);
	}
	if (!f->nr)
		f->none = "none that differs beyond chance";
}

static void
add_trust(struct brief *b, const struct ledger *l)
{
	const struct ledger_head *h = ledger_head(l);
	struct brief_fact *f = brief_fact(b, "trust", "What limits trust", NULL);

	if (!h->judged && !h->in_blocks)
		brief_row(b, "few runs")->note =
			"three a side, at least, are needed to judge times: "
			"record -n 5";
	for (size_t i = 0; i < h->nr_notes && f->nr < MOST_NOTES; i++)
		brief_row(b, NULL)->note = h->notes[i];
	if (!f->nr)
		f->none = "nothing is known to";
}

void
brief_compare(struct brief *b, const struct ledger_print *l, const char *const names[2])
{
	*b = (struct brief){.names = {names[0], names[1]}, .texts = ARENA_INIT};
	add_runs(b, l->cpu);
	add_difference(b, l->cpu);
	add_claimed(b, l->cpu, "causes", "Where it comes from, beyond chance", MOST_CLAIMED);
	add_work(b, l->cpu);
	add_unresolved(b, l->cpu);
	add_definitions(b, l->cpu);
	if (l->wait)
		add_claimed(b, l->wait, "waiting", "Waiting that differs beyond chance",
			    MOST_WAITING);
	else
		brief_fact(b, "waiting", "Waiting", NULL)->none =
			"not recorded in both: cgview record --wall";
	add_trust(b, l->cpu);
}
