/* The parts of a comparison's columns that only the browser knows: whether its rows have anything
 * in them, and how much is much. */
#include <math.h>
#include <string.h>

#include "db/lists/compared.h"
#include "show/value.h"
#include "tui/browser.h"
#include "tui/views/table.h"

static struct compare_kind *
kind_of(const struct table *t)
{
	return compare_kind(t->browser, (enum compare_by)(t->kind->things - 1));
}

void
compare_add_context(const struct table *t, struct cell_context *x)
{
	x->first = t->browser->compare.c ? t->browser->compare.docs.profile : NULL;
	x->unit = kind_of(t)->unit;
	x->figure = kind_of(t)->figure;
	x->of_a = kind_of(t)->of_a;
	x->of_b = kind_of(t)->of_b;
}

void
compare_colour_cell(const struct table *t, const struct column *c, const struct list_row *row,
		    struct strbuf *out, enum role *role)
{
	const struct series_row *of = compare_series_row(t->browser, t->kind->things, row);
	double value = of ? of->degree : table_real(t, row, "value");
	bool unsure = compare_is_unsure(kind_of(t), table_real(t, row, "significance"));

	if (c->cell == CELL_DIFFERENCE || c->cell == CELL_CHANGE)
		*role = compare_text_role(t->browser, kind_of(t), value, unsure);
	else if (c->cell == CELL_DIRECTION)
		compare_arrow(t->browser, kind_of(t), value, unsure, out, role);
	else if (unsure && c->cell != CELL_SIDES && (of || value != 0))
		*role = ROLE_DIM; /* noise, but for what is there or has changed */
}

/* A column that is empty in all rows leaves its room to others. */
bool
compare_column_known(const struct table *t, const struct column *c)
{
	const struct compare *x = &t->browser->compare;
	const struct compare_kind *k = &x->kinds[t->kind->things - 1];

	if (c->cell == CELL_CHANGE)
		return k->differs && x->nr == 2 && !x->series && value_is_amount(k->unit);
	if (compare_middle(c->source))
		return x->c && compare_middle(c->source) + 1 < x->nr;
	if (!strcmp(c->source, "spark") || !strcmp(c->source, "model"))
		return x->series;
	if (!strcmp(c->source, "least"))
		return x->c && !x->series && figure_is_sampled(k->figure) && !k->few_runs;
	if (!strcmp(c->source, "significance") || !strcmp(c->source, "interval"))
		return k->sampled;
	if (!strcmp(c->source, "verdict"))
		return x->c && x->nr > 1 && !x->series;
	return strcmp(c->source, "sides") || k->apart;
}

/* A stored comparison's totals are those of profiles that may be missing. */
bool
compare_adds_up(const struct table *t, const struct column *c)
{
	const struct compare_kind *k = kind_of(t);
	enum cell_style cell = c->cell;

	return k->table && !t->browser->compare.series && !table_is_restricted(t) &&
	       (cell == CELL_FIGURE || cell == CELL_DIFFERENCE || cell == CELL_CHANGE);
}

static void
set_cell(struct list_row *row, const char *name, struct scalar_value v)
{
	struct cell *cell = &row->cells[list_column_find(LIST_COMPARISON, name)];

	cell->null = v.type == SCALAR_NULL;
	cell->whole = v.type == SCALAR_INTEGER;
	cell->number = cell->whole ? v.integer : 0;
	cell->real = scalar_number(&v);
}

void
compare_sums(const struct table *t, struct list_row *row)
{
	const struct compare_kind *k = kind_of(t);
	size_t last = t->browser->compare.nr - 1;
	char middle[] = "m1";

	memset(row, 0, sizeof(*row));
	for (int i = 0; i < LIST_MAX_COLUMNS; i++)
		row->cells[i].null = true;
	if (!k->table)
		return;
	set_cell(row, "a", compared_total(k->table, 0, k->of_a));
	set_cell(row, "b", compared_total(k->table, last, k->of_b));
	set_cell(row, "value", compared_total_value(k->table));
	for (size_t i = 0; i < MAX_COMPARED_MIDDLE && i + 1 < last; i++, middle[1]++)
		set_cell(row, middle, compared_total(k->table, i + 1, k->figure));
}

int
compare_sides_width(const struct table *t)
{
	return kind_of(t)->affected ? (int)strlen("uses SOME_MACRO (..") :
	       kind_of(t)->alike ? (int)strlen("like (77 %)") : (int)strlen("changed");
}
