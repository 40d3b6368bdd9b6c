/* Which columns a profile has something for. */
#include <string.h>

#include "show/columns.h"

/* Returns the listing's column called NAME; NULL: it has none. */
static const struct list_column *
listed(const struct cell_context *x, const char *name)
{
	int i = name ? profile_column_find(x->profile, x->kind, name) : -1;

	return i < 0 ? NULL : &profile_columns(x->profile, x->kind)[i];
}

/* Does it tell of counts that P has not? It may have those of calls, and none of lines. */
static bool
is_uncounted_column(const struct profile *p, enum list_kind kind, const struct list_column *c)
{
	bool of_lines = kind == LIST_LINE || kind == LIST_BLOCK || kind == LIST_FILE ||
			kind == LIST_DIRECTORY || kind == LIST_NEVER ||
			kind == LIST_COVERAGE || kind == LIST_COVERED ||
			kind == LIST_BRANCH;

	return c->flags & LIST_COUNTED &&
	       (of_lines ? profile_lines_are_uncounted(p) : profile_is_uncounted(p));
}

/* Does it tell of time, or of samples of it? */
static bool
is_of_time(const struct list_column *c)
{
	return !strcmp(c->name, "self_each_ns") || !strcmp(c->name, "total_each_ns") ||
	       (!c->measure && (c->unit == UNIT_NS || c->unit == UNIT_SAMPLES));
}

/* Does it tell of the time of each call or execution? Of a span that is not known. */
static bool
is_of_each(const struct list_column *c)
{
	const char *each = strstr(c->name, "_each_ns");

	return each && !each[strlen("_each_ns")];
}

static bool
has_measure(const struct profile *p, const char *name)
{
	struct measures all = profile_measures(p);

	for (size_t i = 0; i < all.nr; i++)
		if (!strcmp(all.items[i].name, name))
			return true;
	return false;
}

bool
column_known(const struct cell_context *x, const struct column *column)
{
	const struct profile_totals *totals = x->totals;
	const struct list_column *c = listed(x, column->source ? column->source : column->second);

	if (c && totals->is_span && is_of_each(c))
		return false;
	if (c && column->source && x->profile && is_uncounted_column(x->profile, x->kind, c))
		return false;
	if (c && x->profile && profile_is_untimed(x->profile) &&
	    (is_of_time(c) || (!totals->max_line_code_bytes &&
			      !strcmp(c->name, builtin_columns[MEASURE_CODE][0]))))
		return false;
	switch (column->needs) {
	case NEEDS_WAITING:
		return totals->run.wait_ns;
	case NEEDS_CENTRES:
		return totals->run.centre_samples;
	case NEEDS_COUNTER:
		return x->self_by != SELF_BY_CENTRE;
	case NEEDS_BOUNDS:
		return x->self_by != SELF_BY_CENTRE && x->optional->bounds;
	case NEEDS_RUNS:
		return x->self_by != SELF_BY_CENTRE && totals->nr_runs > 1;
	case NEEDS_CYCLES:
		return totals->nr_cycles;
	case NEEDS_RECURSION:
		return x->optional->recursion;
	case NEEDS_BUILDS:
		return x->optional->builds;
	case NEEDS_FOREIGN:
		return x->optional->foreign;
	case NEEDS_ERRORS:
		return x->optional->errors;
	case NEEDS_SEVERAL:
		return x->optional->uneven;
	case NEEDS_PEAKS:
		return !x->profile || has_measure(x->profile, "peak");
	case NEEDS_NOTHING:
	case NEEDS_ROWS:
		break;
	}
	return true;
}

bool
column_adds_up(const struct profile *p, enum list_kind kind, const struct column *column)
{
	int i = column->source ? profile_column_find(p, kind, column->source) : -1;

	return i > 0 && list_adds_up(&profile_columns(p, kind)[i]);
}

void
columns_sums(const struct profile *p, enum list_kind kind, const struct list_sums *sums,
	     struct list_row *row)
{
	const struct list_column *columns = profile_columns(p, kind);

	memset(row, 0, sizeof(*row));
	for (int i = 0; columns[i].name; i++) {
		row->cells[i].null = !list_adds_up(&columns[i]) ||
				     is_uncounted_column(p, kind, &columns[i]);
		row->cells[i].number = sums->of[i];
	}
}
