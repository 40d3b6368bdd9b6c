/* What a page of two profiles says about their difference: the ledger, and the table of all
 * procedures with verdicts. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/ledger/ledger.h"
#include "print/diff.h"
#include "print/export/html/parts.h"
#include "print/ledger.h"
#include "print/report.h"
#include "show/ledger_words.h"
#include "show/value.h"
#include "util/text/safe.h"

struct page_comparison {
	struct comparison *c;
	struct compared *t;
	struct ledger *ledgers[2]; /* of CPU time, of waiting (NULL: there is none) */
	struct profile *sides[2];
};

static struct ledger *
read_ledger(struct page_comparison *c, enum ledger_of of, struct error *err)
{
	struct match_options options = { .renames = NULL };
	struct ledger *l = ledger_begin(c->sides[0], c->sides[1], of, &options,
					comparison_match(c->c), err);

	if (l && ledger_work(l, NULL, NULL, err) < 0) {
		ledger_close(l);
		return NULL;
	}
	return l;
}

/* Reads the table of procedures, by what they differ most. */
static int
read_table(struct page_comparison *c, struct error *err)
{
	const uint64_t samples = FIGURE_BIT(FIGURE_SELF_SAMPLES) | FIGURE_BIT(FIGURE_TOTAL_SAMPLES);
	struct expression_error wrong = EXPRESSION_ERROR_INIT;

	if (comparison_load(c->c, BY_PROCEDURE, samples, err))
		return -1;
	c->t = comparison_table(c->c, BY_PROCEDURE, comparison_default(c->c, BY_PROCEDURE),
				&wrong);
	if (!c->t) {
		*err = wrong.error;
		return -1;
	}
	if (!compared_sampled(c->t))
		return 0;
	if (comparison_know_runs(c->c, compared_figure(c->t), err))
		return -1;
	compared_discoveries(c->t); /* verdicts need them */
	return 0;
}

static bool
have_waited(const struct page_comparison *c)
{
	return profile_totals(c->sides[0])->run.wall_interval_ns &&
	       profile_totals(c->sides[1])->run.wall_interval_ns;
}

struct page_comparison *
page_compare(struct page *g, struct error *err)
{
	struct page_comparison *c = xcalloc(1, sizeof(*c));
	struct comparison_options options = { .size_name = NULL };

	c->sides[0] = g->e->before;
	c->sides[1] = g->p;
	c->c = comparison_open(c->sides, 2, &options, err);
	if (c->c && !read_table(c, err)) {
		c->ledgers[0] = read_ledger(c, LEDGER_CPU, err);
		if (c->ledgers[0] && have_waited(c))
			c->ledgers[1] = read_ledger(c, LEDGER_WAIT, err);
		if (c->ledgers[0] && (c->ledgers[1] || !have_waited(c)))
			return c;
	}
	page_compare_close(c);
	return NULL;
}

void
page_compare_close(struct page_comparison *c)
{
	if (!c)
		return;
	ledger_close(c->ledgers[0]);
	ledger_close(c->ledgers[1]);
	if (c->c)
		comparison_close(c->c);
	free(c);
}

/* ---- the ledger ---- */

enum { MOST_ITEMS = 6, MOST_ROWS = 100 };

/* Appends OUT as an element, and empties it; nothing where it is empty. */
static void
put_element(struct page *g, const char *tag, struct strbuf *out)
{
	if (out->len) {
		strbuf_fmt(&g->html, "<%s>", tag);
		page_put(g, out->buf);
		strbuf_fmt(&g->html, "</%.*s>", (int)strcspn(tag, " "), tag);
	}
	strbuf_clear(out);
}

static void
put_items(struct page *g, const struct ledger_row *r, const struct ledger_unit *u)
{
	struct strbuf out = STRBUF_INIT;
	size_t nr = 0, left = 0;

	for (size_t i = 0; i < r->nr_items; i++) {
		if (nr == MOST_ITEMS || !ledger_is_large(r, &r->items[i])) {
			left++;
			continue;
		}
		nr++;
		if (r->items[i].kind != LEDGER_BYTES)
			ledger_put_amount(&out, u, r->items[i].amount);
		strbuf_str(&out, out.len ? "  " : "");
		ledger_put_what(&out, &r->items[i]);
		strbuf_str(&out, "  ");
		ledger_put_change(&out, &r->items[i], false);
		put_element(g, "div", &out);
	}
	if (left)
		strbuf_fmt(&out, "%zu more", left);
	put_element(g, "div", &out);
}

/* Begins a link to the line of a row, if that line is in the page. */
static bool
begin_link(struct page *g, const struct ledger_row *r)
{
	const struct place *at = &r->at[1];

	if (!at->file)
		return false;
	strbuf_str(&g->html, "<a href=\"#");
	page_put_link(g, at->file, at->line);
	strbuf_str(&g->html, "\">");
	return true;
}

static void
put_row(struct page *g, const struct ledger *l, const struct ledger_row *r,
	const struct ledger_unit *u)
{
	struct strbuf out = STRBUF_INIT;
	bool link;

	strbuf_fmt(&g->html, "<tr class=%s>", r->value.amount < 0 ? "less" : "more");
	ledger_put_value(&out, u, &r->value, false);
	put_element(g, "td", &out);
	strbuf_str(&out, r->under == SIZE_MAX ? "" : "\342\206\263 ");
	strbuf_str(&out, ledger_kind_words(r->kind));
	put_element(g, "td class=l", &out);
	strbuf_str(&g->html, "<td class=l>");
	link = begin_link(g, r);
	ledger_put_procedure(&out, r);
	put_element(g, "b", &out);
	strbuf_char(&g->html, ' ');
	ledger_put_line(&out, l, r, !g->e->without_sources);
	page_put(g, out.buf);
	strbuf_str(&g->html, link ? "</a>" : "");
	strbuf_clear(&out);
	strbuf_str(&out, r->hint);
	put_element(g, "i", &out);
	put_items(g, r, u);
	strbuf_str(&g->html, "</td></tr>\n");
	strbuf_release(&out);
}

/* Appends the rows beyond chance; those of which others follow have them below. */
static void
put_rows(struct page *g, const struct ledger *l, const struct ledger_unit *u)
{
	const struct ledger_head *h = ledger_head(l);
	size_t nr = 0, left = 0;

	if (!h->nr_claimed)
		return;
	strbuf_fmt(&g->html, "<table class=ledger><tr><th>%s</th><th class=l>cause</th>"
		   "<th class=l>what changed</th></tr>\n", u->name);
	for (size_t i = 0; i < h->nr_rows && i < h->nr_claimed; i++) {
		const struct ledger_row *r = ledger_row(l, i);

		if (r->under != SIZE_MAX)
			continue;
		if (nr++ >= MOST_ROWS) {
			left++;
			continue;
		}
		put_row(g, l, r, u);
		for (size_t k = 0; k < h->nr_rows; k++)
			if (ledger_row(l, k)->under == i)
				put_row(g, l, ledger_row(l, k), u);
	}
	strbuf_str(&g->html, "</table>\n");
	if (left)
		strbuf_fmt(&g->html, "<p>%zu smaller rows beyond chance</p>\n", left);
}

/* Rows that are not beyond chance, but whose counts have changed, are told: both are true. */
static void
put_other_counts(struct page *g, const struct ledger *l)
{
	size_t rows = ledger_head(l)->nr_rows, nr = 0, i = 0;
	struct strbuf out = STRBUF_INIT;

	for (; (i = ledger_next_work(l, i)) < rows && nr < LEDGER_MOST_WORK; i++, nr++) {
		const struct ledger_row *r = ledger_row(l, i);

		strbuf_str(&out, "work changed, time not beyond chance: ");
		ledger_put_procedure(&out, r);
		strbuf_str(&out, ": ");
		ledger_put_what(&out, r->items);
		strbuf_char(&out, ' ');
		ledger_put_change(&out, r->items, false);
		put_element(g, "p", &out);
	}
	strbuf_release(&out);
}

static void
put_ledger(struct page *g, const struct ledger *l)
{
	const struct ledger_head *h = ledger_head(l);
	struct ledger_unit u = ledger_unit(h, false);
	struct strbuf out = STRBUF_INIT;

	ledger_put_total(&out, h, false);
	put_element(g, "h2", &out);
	ledger_put_speed(&out, h, false);
	put_element(g, "p", &out);
	if (h->same_work)
		strbuf_str(&out, "same work; what differs is the machine");
	put_element(g, "p", &out);
	if (!isnan(h->bytes[0]) && h->of == LEDGER_CPU) {
		strbuf_str(&out, "memory got a run ");
		ledger_put_bytes(&out, h->bytes, false);
	}
	put_element(g, "p", &out);
	for (size_t i = 0; i < h->nr_notes; i++) {
		safe_str(&out, h->notes[i]);
		put_element(g, "p", &out);
	}
	put_rows(g, l, &u);
	if (h->nr_rows > h->nr_claimed) {
		ledger_put_value(&out, &u, &h->unresolved, false);
		strbuf_fmt(&out, " %s ", u.name);
		ledger_put_unresolved(&out, h, false);
	}
	put_element(g, "p", &out);
	put_other_counts(g, l);
	strbuf_release(&out);
}

void
page_ledger(struct page *g, struct page_comparison *c)
{
	struct strbuf out = STRBUF_INIT;
	struct diff d = { .c = c->c, .t = c->t };

	strbuf_str(&g->html, "<section id=ledger><h1>What changed</h1>\n");
	for (size_t k = 0; k < 2; k++) {
		strbuf_str(&out, k ? "b   " : "a   ");
		report_run(&out, c->sides[k]);
		put_element(g, "p", &out);
	}
	if (diff_hardly_matches(&d, &out))
		put_element(g, "p class=warn", &out);
	for (size_t k = 0; k < 2 && c->ledgers[k]; k++)
		put_ledger(g, c->ledgers[k]);
	strbuf_str(&g->html, "</section>\n");
	strbuf_release(&out);
}

/* ---- the table ---- */

enum column_of { OF_A, OF_B, OF_VALUE, OF_CHANGE, OF_NOISE, OF_VERDICT, OF_SIDES, OF_NAME, OF_WHERE,
		 NR_OF };
static const struct { const char *name; bool left; int rank; } heads[NR_OF] = {
	[OF_A] = { "a", false, 2 }, [OF_B] = { "b", false, 1 }, [OF_VALUE] = { "value", false, 0 },
	[OF_CHANGE] = { "change", false, 5 }, [OF_NOISE] = { COLUMN_NOISE, false, 6 },
	[OF_VERDICT] = { "verdict", true, 1 }, [OF_SIDES] = { "sides", true, 7 },
	[OF_NAME] = { "procedure", true, 0 }, [OF_WHERE] = { "where", true, 3 },
};

static void
put_heads(const struct page_comparison *c, struct page_json *j)
{
	const struct column *columns = compared_kinds[SUMMARY_PROCEDURES].columns;

	page_json_name(j, "heads");
	page_json_begin(j, '[');
	for (int i = 0; i < NR_OF; i++) {
		const struct column *column =
			&columns[columns_called(columns, INT_MAX, heads[i].name, true)];
		struct strbuf head = STRBUF_INIT;

		if (i <= OF_B) {
			strbuf_fmt(&head, "%s.", heads[i].name);
			figure_put_name(&head, compared_figure_of(c->t, (size_t)i));
		} else {
			column_put_head(&head, column, column->head);
		}
		page_table_head(j, &(struct page_head){ head.buf, column->help, heads[i].left,
							heads[i].rank });
		strbuf_release(&head);
	}
	page_json_end(j, ']');
}

static void
put_key(struct page_json *j, double key, struct strbuf *text)
{
	page_json_begin(j, '[');
	page_json_real(j, isfinite(key) ? key : 0);
	page_json_str(j, text->buf);
	page_json_end(j, ']');
	strbuf_clear(text);
}

static void
put_numbers(const struct page_comparison *c, struct page_json *j, size_t i,
	    const struct compared_row *row)
{
	struct strbuf text = STRBUF_INIT;
	struct scalar_value v[2];

	for (size_t k = 0; k < 2; k++) {
		enum figure figure = compared_figure_of(c->t, k);

		v[k] = (struct scalar_value){ .type = SCALAR_NULL };
		if (sides_have(&row->sides, k))
			v[k] = compared_value(c->t, i, k, figure);
		value_print(&text, figure_unit(figure), &v[k], VALUE_WIDE, VALUE_PLAIN, false);
		put_key(j, scalar_number(&v[k]), &text);
	}
	value_print(&text, expression_unit(compared_expression(c->t)), &row->value, VALUE_WIDE,
		    VALUE_SIGNED, false);
	put_key(j, scalar_number(&row->value), &text);
	value_change(&text, &v[0], &v[1]);
	put_key(j, scalar_number(&v[1]) / scalar_number(&v[0]) - 1, &text);
	value_errors(&text, row->significance);
	put_key(j, row->significance, &text);
	strbuf_release(&text);
}

static void
put_texts(const struct page_comparison *c, struct page_json *j, size_t i,
	  const struct compared_row *row)
{
	struct strbuf text = STRBUF_INIT, sides = STRBUF_INIT;
	struct diff d = { .c = c->c, .t = c->t };
	struct row_verdict verdict = compared_verdict(c->t, i);
	struct diff_place at;

	diff_put_verdict(&text, &d, &verdict, 1, false);
	page_json_str(j, text.buf);
	strbuf_clear(&text);
	compared_sides(c->t, row, &sides);
	cell_sides(&text, sides.buf);
	page_json_str(j, text.buf);
	strbuf_clear(&text);
	diff_place(&d, i, &at);
	safe_str(&text, at.procedure);
	page_json_str(j, text.buf);
	strbuf_clear(&text);
	diff_where(&text, &at, BY_PROCEDURE);
	page_json_str(j, text.buf);
	strbuf_release(&text);
	strbuf_release(&sides);
}

void
page_compared(struct page *g, struct page_comparison *c, struct page_json *j)
{
	size_t nr = compared_rows(c->t);
	struct compared_row row;
	struct place place;

	page_json_name(j, "compared");
	page_json_begin(j, '{');
	page_json_name(j, "name");
	page_json_str(j, "compared");
	page_json_name(j, "title");
	page_json_str(j, "compared procedures");
	page_json_name(j, "all");
	page_json_whole(j, (int64_t)nr);
	page_json_name(j, "rows");
	page_json_begin(j, '[');
	for (size_t i = 0; i < nr && (g->e->all || i < PAGE_MOST_ROWS); i++) {
		compared_row(c->t, i, &row);
		if (!compared_place(c->t, i, 1, &place))
			place = (struct place){ .file = 0 };
		page_json_begin(j, '[');
		page_json_whole(j, compared_id(c->t, i, 1));
		page_json_whole(j, place.file);
		page_json_whole(j, place.line);
		put_numbers(c, j, i, &row);
		put_texts(c, j, i, &row);
		page_json_end(j, ']');
	}
	page_json_end(j, ']');
	put_heads(c, j);
	page_json_end(j, '}');
}
