/* What is compared when no expression is given, and what cannot be. */
#include <string.h>

#include "compare/table.h"
#include "db/lists/wings.h"

/* The figure that all profiles have: counts, or times. */
static const char *
common_figure(const struct comparison *c, enum compare_by by)
{
	bool time = compare_figures(by, 0) & FIGURE_BIT(FIGURE_SELF_NS), work = by == BY_PROCEDURE;

	for (size_t k = 0; k < c->nr; k++) {
		const struct profile_totals *t = profile_totals(c->profiles[k]);
		struct measures all = profile_measures(c->profiles[k]);

		/* Times that are not judged are noise beside counts, which are exact. */
		time &= t->self_samples > 0 && (c->nr == 1 || t->nr_runs >= FEWEST_RUNS);
		work &= all.items[MEASURE_WORK - 1].total > 0;
	}
	return figure_name(time ? FIGURE_SELF_NS : work ? FIGURE_WORK : FIGURE_COUNT);
}

/* Returns what PROFILE costs, if its lines are not counted: time, or what leads in its place.
 * FIGURES_MAX: nothing, or things of this kind do not have it. */
static enum figure
cost_of(const struct comparison *c, enum compare_by by, size_t k)
{
	struct profile *p = c->profiles[k];
	unsigned lead = profile_lead(p);
	enum figure f = FIGURES_MAX;

	if (profile_lines_are_uncounted(p) && profile_totals(p)->self_ns)
		f = FIGURE_SELF_NS;
	else if (lead)
		f = figure_of_measure(&profile_measures(p).items[lead - 1], false);
	return f < FIGURES_MAX && compare_figures(by, c->measures[k]) & FIGURE_BIT(f)
	       ? f : FIGURES_MAX;
}

/* Of a profile with costs and one with counts it is the cost of an execution, of two with the same
 * cost the difference. NULL: it is something else. */
static char *
of_costs(const struct comparison *c, enum compare_by by)
{
	size_t last = c->nr - 1, with = cost_of(c, by, 0) < FIGURES_MAX ? 0 : last;
	enum figure f = cost_of(c, by, with), other = cost_of(c, by, last - with);
	struct strbuf name = STRBUF_INIT;
	char *text = NULL;

	if (c->nr != 2 || f == FIGURES_MAX)
		return NULL;
	figure_put_name(&name, f);
	if (f == other)
		text = xasprintf("b.%s - a.%s", name.buf, name.buf);
	else if (other == FIGURES_MAX && !profile_lines_are_uncounted(c->profiles[last - with]))
		text = xasprintf("%s.%s / %s.count", sides_name(with), name.buf,
				 sides_name(last - with));
	strbuf_release(&name);
	return text;
}

char *
default_expression(const struct comparison *c, enum compare_by by, const char *figure)
{
	const char *last = sides_name(c->nr - 1);
	char *text = figure ? NULL : of_costs(c, by);

	if (text)
		return text;
	figure = figure ? figure : common_figure(c, by);
	return c->nr == 1 ? xasprintf("a.%s", figure)
			  : xasprintf("%s.%s - a.%s", last, figure, figure);
}

/* One is enough: what another has not is new, or gone. */
static bool
has_pools(const struct comparison *c)
{
	for (size_t k = 0; k < c->nr; k++)
		if (profile_rows(c->profiles[k], LIST_POOL))
			return true;
	return false;
}

int
comparison_check_space(const struct comparison *c, enum compare_by by, struct error *err)
{
	for (size_t k = 0; k < c->nr && compare_by_is_space(by); k++)
		if (!profile_has_disposals(c->profiles[k]))
			return error_set(err, "%s has no %s: %s", profile_name(c->profiles[k]),
					 compare_by_things(by), wings[WING_BLOCKS].how);
	if (by == BY_POOL && !has_pools(c))
		return error_set(err, "%s has %s: %s", c->nr > 1 ? "neither profile" : "no profile",
				 compare_by_things(by), wings[WING_POOLS].how);
	return 0;
}
