/* cgview report --by comparison: prints what cgview diff -o has stored in a profile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/compared.h"
#include "print/diff.h"
#include "print/report.h"
#include "show/value.h"
#include "util/error.h"
#include "util/text/safe.h"

/* ---- which comparison ---- */

/* Appends the kinds of rows that are stored: "procedures, lines"; returns how many. */
static int
list_stored(struct profile *p, bool stored[NR_COMPARE_BY], struct strbuf *out)
{
	int nr = 0;

	for (int by = 0; by < NR_COMPARE_BY; by++) {
		char *expression = profile_stored_expression(p, compare_by_name(by));

		stored[by] = expression != NULL;
		if (stored[by])
			strbuf_fmt(out, "%s%s", nr++ ? ", " : "", compare_by_things(by));
		free(expression);
	}
	return nr;
}

/* Returns the kind of rows: as asked for, else procedures, else the first there is. */
static int
choose(struct profile *p, int of)
{
	bool stored[NR_COMPARE_BY];
	struct strbuf list = STRBUF_INIT;
	int nr = list_stored(p, stored, &list), by = of < 0 ? 0 : of;

	if (profile_error(p))
		die(1, "%s", profile_error(p));
	if (!nr)
		die(1, "%s has no comparison: cgview diff -o FILE A.db B.db writes a profile that "
		    "has one", profile_path(p));
	if (of >= 0 && !stored[of])
		die(1, "%s has no comparison of %s, but of %s", profile_path(p),
		    compare_by_things(of), list.buf);
	while (!stored[by])
		by++;
	strbuf_release(&list);
	return by;
}

/* Figures have the units of those in the expression; a damaged one gives none. */
static void
set_units(struct report_compared *c, struct profile *p)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct expression_context context = {
		.nr_profiles = c->nr_profiles,
		.figures = compare_figures(c->by, profile_figures(p)),
		.things = compare_by_things(c->by),
	};
	struct expression *e = expression_compile(c->expression, &context, &err);

	if (!e)
		return;
	c->unit = expression_unit(e);
	c->figure = expression_figure(e);
	c->of_a = expression_figure_of(e, 0);
	c->of_b = expression_figure_of(e, c->nr_profiles - 1);
	expression_free(e);
}

void
report_compared_open(struct report_compared *c, struct profile *p, int of)
{
	struct stored_side sides[MAX_PROFILES];

	*c = (struct report_compared){ .by = (enum compare_by)choose(p, of), .unit = UNIT_VALUE };
	c->expression = profile_stored_expression(p, compare_by_name(c->by));
	c->nr_profiles = profile_stored_sides(p, sides, MAX_PROFILES);
	set_units(c, p);
	profile_stored_rows(p, compare_by_name(c->by), REPORT_THINGS);
}

void
report_compared_release(struct report_compared *c)
{
	free(c->expression);
}

bool
report_compared_calls(const struct report_compared *c)
{
	return compare_by_is_called((enum compare_by)c->by);
}

const char *
report_compared_name(const struct report_compared *c, const struct cell *name)
{
	return !name->null && *name->text ? name->text : report_compared_calls(c) ? "outside" : "";
}

/* ---- the head ---- */

static void
print_side(const struct stored_side *side, size_t k, bool last)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_fmt(&out, "%s   ", sides_name(k));
	safe_str(&out, side->path);
	if (last)
		strbuf_str(&out, "   (this profile)");
	if (side->count_scale != 1 || side->time_scale != 1) {
		strbuf_str(&out, "   shown ");
		value_scale(&out, side->count_scale, report_ascii());
		strbuf_str(&out, " (counts), ");
		value_scale(&out, side->time_scale, report_ascii());
		strbuf_str(&out, " (times)");
	}
	puts(out.buf);
	strbuf_release(&out);
}

void
report_compared_title(const struct report_compared *c, struct profile *p)
{
	struct stored_side sides[MAX_PROFILES];
	size_t nr = profile_stored_sides(p, sides, MAX_PROFILES);
	struct strbuf out = STRBUF_INIT;

	for (size_t k = 0; k < nr; k++)
		print_side(&sides[k], k, k + 1 == nr);
	strbuf_str(&out, "result = ");
	safe_str(&out, c->expression);
	if (c->of_a != c->of_b)
		strbuf_fmt(&out, "   a: %s, b: %s%s", figure_name(c->of_a), figure_name(c->of_b),
			   nr > 2 ? " in the last" : "");
	else
		strbuf_fmt(&out, "   a, b: %s in %s", figure_name(c->figure),
			   nr > 2 ? "the first and the last" : "both");
	printf("%s\n\n", out.buf);
	strbuf_release(&out);
}

void
report_compared_chance(const struct report_compared *c, struct profile *p)
{
	enum compare_by by = (enum compare_by)c->by;
	struct discoveries found = profile_stored_discoveries(p, compare_by_name(by));

	diff_print_discoveries(&found, by);
}

void
report_compared_hint(struct profile *p)
{
	struct stored_side sides[MAX_PROFILES];
	size_t nr = profile_only(p) ? 0 : profile_stored_sides(p, sides, MAX_PROFILES);
	struct strbuf out = STRBUF_INIT;

	if (nr < 2)
		return;
	strbuf_str(&out, "compared with ");
	safe_str(&out, sides[0].path);
	if (nr > 2)
		strbuf_fmt(&out, " and %zu more", nr - 2);
	printf("%s: see --by comparison\n", out.buf);
	strbuf_release(&out);
}
