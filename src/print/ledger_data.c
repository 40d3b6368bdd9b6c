/* A ledger for programs. Rows are terms: their amounts add up to the difference. */
#include <math.h>
#include <stdio.h>

#include "print/diff.h"
#include "print/ledger.h"

static const char *const item_kinds[] = {
	[LEDGER_OWN] = "own", [LEDGER_LINES] = "lines", [LEDGER_LIBRARY] = "library",
	[LEDGER_POINTER] = "pointer", [LEDGER_CALLS] = "calls", [LEDGER_DEEPER] = "deeper",
	[LEDGER_BYTES] = "bytes",
};

static void
put_value(struct record *out, const char *prefix, const struct ledger_value *v)
{
	static const char *const names[] = { "amount", "raw", "error", "least", "chance" };
	const double values[] = { v->amount, v->raw, v->error, v->least, v->chance };
	char name[40];

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		snprintf(name, sizeof(name), "%s%s", prefix, names[i]);
		record_real(out, name, values[i]);
	}
}

static void
put_place(struct record *out, const struct ledger *l, const struct ledger_row *r, size_t side)
{
	const struct place *at = &r->at[side];

	diff_put_text(out, side ? "file" : "a_file", at->file
		      ? match_path(ledger_match(l), ledger_side(l, side), at->file) : "");
	diff_put_place(out, side ? "line" : "a_line", at->line);
}

/* The row; then the term, or what stands for one that has none. */
static void
put_row(struct record *out, const struct ledger *l, size_t i)
{
	const struct ledger_row *r = ledger_row(l, i);

	record_text(out, "of", ledger_head(l)->of == LEDGER_WAIT ? "wait" : "cpu");
	record_whole(out, "row", i + 1);
	record_text(out, "kind", ledger_kind_name(r->kind));
	record_bool(out, "claimed", r->claimed);
	diff_put_text(out, "procedure", r->name);
	record_bool(out, "changed", r->changed);
	diff_put_text(out, "uses", r->uses);
	put_place(out, l, r, 1);
	put_place(out, l, r, 0);
	put_value(out, "row_", &r->value);
	record_real(out, "row_samples", r->samples);
	record_real(out, "row_runs", r->runs);
	if (r->under == SIZE_MAX)
		record_none(out, "under");
	else
		record_whole(out, "under", r->under + 1);
	diff_put_text(out, "hint", r->hint);
}

static void
put_term(struct record *out, const struct ledger_row *r, const struct ledger_item *item)
{
	record_text(out, "term", item ? item_kinds[item->kind] : ledger_kind_name(r->kind));
	record_bool(out, "price", item && item->price);
	diff_put_text(out, "callee", item && item->name ? item->name : "");
	record_bool(out, "estimated", item && item->estimated);
	record_real(out, "a", item ? item->n[0] : NAN);
	record_real(out, "b", item ? item->n[1] : NAN);
	record_real(out, "a_ns", item ? item->ns[0] : NAN);
	record_real(out, "b_ns", item ? item->ns[1] : NAN);
	record_real(out, "amount", item ? item->amount : r->value.amount);
	record_real(out, "raw", item ? item->raw : r->value.raw);
}

static void
put_terms(struct record *out, const struct ledger *l)
{
	bool writes = true;

	for (size_t i = 0; i < ledger_head(l)->nr_rows && writes; i++) {
		const struct ledger_row *r = ledger_row(l, i);

		for (size_t k = 0; (k < r->nr_items || !k) && writes; k++) {
			record_begin(out);
			put_row(out, l, i);
			put_term(out, r, r->nr_items ? &r->items[k] : NULL);
			writes = record_end(out);
		}
	}
}

static void
put_head(struct record *out, const struct ledger_head *h)
{
	record_begin(out);
	record_text(out, "of", h->of == LEDGER_WAIT ? "wait" : "cpu");
	record_whole(out, "a_runs", h->runs[0]);
	record_whole(out, "b_runs", h->runs[1]);
	record_real(out, "a", h->each[0]);
	record_real(out, "b", h->each[1]);
	record_real(out, "a_bytes", h->bytes[0]);
	record_real(out, "b_bytes", h->bytes[1]);
	put_value(out, "measured_", &h->raw);
	put_value(out, "", &h->total);
	record_text(out, "unit", h->in_blocks ? "blocks" : "ns");
	record_bool(out, "at_equal_speed", h->controlled);
	record_real(out, "speed_factor", h->factor > 0 ? h->factor : NAN);
	record_real(out, "speed_share", h->share);
	record_bool(out, "same_work", h->same_work);
	record_bool(out, "prices_judged", h->judged);
	record_whole(out, "rows", h->nr_rows);
	record_whole(out, "claimed", h->nr_claimed);
	put_value(out, "unresolved_", &h->unresolved);
	record_end(out);
}

static void
put_lists(struct record *out, const struct ledger_print *p)
{
	const struct ledger *ledgers[] = { p->cpu, p->wait };

	record_list(out, "ledgers");
	for (size_t i = 0; i < 2 && ledgers[i]; i++)
		put_head(out, ledger_head(ledgers[i]));
	record_list(out, "notes");
	for (size_t i = 0; i < 2 && ledgers[i]; i++)
		for (size_t k = 0; k < ledger_head(ledgers[i])->nr_notes; k++) {
			record_begin(out);
			record_text(out, "note", ledger_head(ledgers[i])->notes[k]);
			record_end(out);
		}
	record_list(out, "definitions");
	for (size_t i = 0; i < ledger_head(p->cpu)->nr_definitions; i++) {
		const struct ledger_definition *d = &ledger_head(p->cpu)->definitions[i];

		record_begin(out);
		record_text(out, "name", d->name);
		record_whole(out, "procedures", d->procedures);
		put_value(out, "", &d->value);
		record_end(out);
	}
}

static void
put_heads(struct record *out)
{
	static const char *const names[] = {
		"of", "row", "kind", "claimed", "procedure", "changed", "uses", "file", "line",
		"a_file", "a_line", "row_amount", "row_raw", "row_error", "row_least", "row_chance",
		"row_samples", "row_runs", "under", "hint", "term", "price", "callee", "estimated",
		"a", "b", "a_ns", "b_ns", "amount", "raw",
	};

	record_heads(out, NULL);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		record_none(out, names[i]);
}

void
ledger_data(const struct ledger_print *p, const char *format)
{
	struct record out;

	record_open(&out, "ledger", format);
	record_text(&out, "by", "cause");
	record_text(&out, "a", profile_name(ledger_profile(p->cpu, 0)));
	record_text(&out, "b", profile_name(ledger_profile(p->cpu, 1)));
	put_heads(&out);
	put_lists(&out, p);
	record_list(&out, "rows");
	put_terms(&out, p->cpu);
	if (p->wait)
		put_terms(&out, p->wait);
	record_close(&out);
}
