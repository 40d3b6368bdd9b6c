/* What may be believed: claims, what stands under what, and what is said besides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/ledger/parts.h"
#include "db/lists/compared.h"
#include "db/model/significance.h"

/* A price of fewer samples is no test: it would only make the others' tests weaker. */
static const double FEWEST_SAMPLES = 4;

/* ---- claims ---- */

static bool
is_tested(const struct ledger_made *r, bool changed)
{
	return (r->price || r->beyond) && (r->row.changed && r->price) == changed &&
	       (r->row.samples >= FEWEST_SAMPLES || r->beyond);
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Benjamini and Hochberg 1995, over the prices in changed text, or over all others: of those that
 * are claimed one in twenty may be false. */
static void
claim_prices(struct ledger *l, bool changed, double level)
{
	double *p = xcalloc(l->nr_rows + 1, sizeof(*p)), least = -1;
	size_t nr = 0;

	for (size_t i = 0; i < l->nr_rows; i++)
		if (is_tested(&l->rows[i], changed))
			p[nr++] = l->rows[i].row.value.chance;
	qsort(p, nr, sizeof(*p), compare_doubles);
	for (size_t i = 0; i < nr; i++)
		if (p[i] <= level * (double)(i + 1) / (double)nr)
			least = p[i];
	for (size_t i = 0; i < l->nr_rows; i++)
		if (is_tested(&l->rows[i], changed))
			l->rows[i].row.claimed = l->rows[i].row.value.chance <= least;
	free(p);
}

/* Counts are exact, so that work is there, however few runs there are; how much it takes is
 * measured. */
static void
claim_work(struct ledger *l, double level)
{
	for (size_t i = 0; i < l->nr_rows; i++) {
		struct ledger_made *r = &l->rows[i];

		if (r->price || r->beyond)
			continue;
		r->row.claimed = r->row.value.amount != 0 &&
				 (l->head.in_blocks || r->row.value.chance < level);
	}
}

static bool
is_unclaimed(const struct ledger_made *r)
{
	return !r->row.claimed;
}

/* ---- what stands under what ---- */

/* What changes of the mix of work leave: a price of text that did not change, which is small beside
 * work in the same cells. */
static void
put_under(struct ledger *l)
{
	double *most = xcalloc(l->nr, sizeof(*most)), *work = xcalloc(l->nr, sizeof(*work));
	size_t *of = xcalloc(l->nr, sizeof(*of));

	for (size_t i = 0; i < l->nr_rows; i++) {
		struct ledger_made *r = &l->rows[i];

		if (r->price || r->beyond || !r->row.claimed)
			continue;
		for (size_t k = 0; k < r->nr_terms; k++)
			work[l->cells[r->terms[k].cell].procedure] +=
				ledger_amount(l, &r->terms[k], false);
		for (size_t k = 0; k < r->nr_terms; k++) {
			entity_id e = l->cells[r->terms[k].cell].procedure;

			if (fabs(work[e]) > most[e]) {
				most[e] = fabs(work[e]);
				of[e] = i + 1;
			}
			work[e] = 0;
		}
	}
	for (size_t i = 0; i < l->nr_rows; i++) {
		struct ledger_made *r = &l->rows[i];

		if (r->price && !r->time && r->row.claimed && !r->row.changed &&
		    fabs(r->row.value.amount) <= most[r->procedure] / 2)
			r->row.under = of[r->procedure] - 1;
	}
	free(most);
	free(work);
	free(of);
}

/* ---- hints ---- */

static void
set_hint(struct ledger_made *r)
{
	const struct ledger_item *top = r->row.items;

	if (!top || r->time)
		return;
	if (r->price && top->larger_data)
		r->row.hint = "same calls, larger data?";
	else if (r->price && !r->row.changed && r->row.claimed)
		r->row.hint = "its text is the same: data, caches, or the build?";
}

/* ---- definitions ---- */

/* "SIZE (macro, box.h:4) and 2 more" is told by its first. */
static size_t
length_of_first(const char *uses)
{
	const char *end = strchr(uses, ')');

	return end ? (size_t)(end - uses) + 1 : strlen(uses);
}

static bool
uses_first(const struct ledger_made *r, const char *name)
{
	size_t length = length_of_first(r->row.uses);

	return r->price && !r->time && length && length == strlen(name) &&
	       !strncmp(r->row.uses, name, length);
}

static void
add_definition(struct ledger *l, const char *uses)
{
	struct ledger_definition *d;
	struct ledger_term *terms = NULL;
	size_t nr = 0, alloc = 0;
	char *name = arena_strndup(&l->arena, uses, length_of_first(uses));

	for (size_t i = 0; i < l->nr_definitions; i++)
		if (!strcmp(l->definitions[i].name, name))
			return;
	GROW(l->definitions, l->nr_definitions + 1, l->definitions_alloc);
	d = &l->definitions[l->nr_definitions++];
	*d = (struct ledger_definition){ .name = name };
	for (size_t i = 0; i < l->nr_rows; i++) {
		struct ledger_made *r = &l->rows[i];

		if (!uses_first(r, name))
			continue;
		d->procedures++;
		GROW(terms, nr + r->nr_terms, alloc);
		memcpy(terms + nr, r->terms, r->nr_terms * sizeof(*terms));
		nr += r->nr_terms;
	}
	ledger_value(l, terms, nr, &d->value);
	free(terms);
}

/* A structure that has changed costs a little in all that use it. */
static void
find_definitions(struct ledger *l)
{
	enum { MOST = 20 };

	for (size_t i = 0; i < l->nr_rows && l->nr_definitions < MOST; i++)
		if (l->rows[i].price && *l->rows[i].row.uses)
			add_definition(l, l->rows[i].row.uses);
}

void
ledger_judge(struct ledger *l)
{
	/* Who looked several times while recording has spent some of it. */
	double level = fmin(profile_level(l->sides[0].p), profile_level(l->sides[1].p));

	claim_work(l, level);
	for (int changed = 0; changed < 2 && l->head.judged && !l->head.same_work; changed++)
		claim_prices(l, changed, level);
	for (size_t i = 0; i < l->nr_rows; i++)
		if (l->head.same_work)
			l->rows[i].row.claimed = false;
	ledger_add_bytes(l);
	put_under(l);
	for (size_t i = 0; i < l->nr_rows; i++)
		set_hint(&l->rows[i]);
	if (!l->head.in_blocks)
		find_definitions(l);
	ledger_sum(l, is_unclaimed, &l->head.unresolved);
	l->head.unresolved_runs = ledger_runs_for(l, &l->head.unresolved);
}
