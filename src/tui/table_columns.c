/* The columns of a table: which there are, which of them are shown, and where. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "show/human.h"
#include "tui/browser.h"
#include "tui/columns.h"
#include "tui/preference.h"
#include "tui/table.h"
#include "util/mem.h"

/* ---- the choice ---- */

static int
nr_columns(const struct table_kind *kind)
{
	int n = 0;

	while (kind->columns[n].head && n < TABLE_MAX_COLUMNS)
		n++;
	return n;
}

void
column_choice_reset(struct column_choice *choice)
{
	int i;

	choice->nr = nr_columns(choice->kind);
	for (i = 0; i < choice->nr; i++) {
		choice->order[i] = (unsigned char)i;
		choice->show[i] = choice->kind->columns[i].flags & COLUMN_OFF ? SHOW_NEVER
									       : SHOW_WITH_ROOM;
	}
	preference_columns_apply(choice);
}

struct column_choice *
column_choice_of(struct browser *b, const struct table_kind *kind)
{
	struct column_choice *choice;
	size_t i;

	for (i = 0; i < b->nr_choices; i++)
		if (b->choices[i]->kind == kind)
			return b->choices[i];
	choice = xcalloc(1, sizeof(*choice));
	choice->kind = kind;
	column_choice_reset(choice);
	GROW(b->choices, b->nr_choices + 1, b->choices_alloc);
	b->choices[b->nr_choices++] = choice;
	return choice;
}

const char *
column_name(const struct column *c)
{
	return c->head[0] ? c->head : "bar";
}

/* ---- the columns ---- */

/* What is charged by program counter, and the same by cost centre. */
static const char *const charged[][2] = {
	{ "self_ns", "centre_ns" }, { "self_samples", "centre_samples" },
	{ "total_ns", "centre_total_ns" }, { "self_each_ns", "centre_each_ns" },
};

static const char *
charged_other_way(const char *source)
{
	size_t i;

	for (i = 0; source && i < sizeof(charged) / sizeof(*charged); i++) {
		if (!strcmp(source, charged[i][0]))
			return charged[i][1];
		if (!strcmp(source, charged[i][1]))
			return charged[i][0];
	}
	return source;
}

const char *
table_charged(const struct table *t, const char *source)
{
	return t->browser->by_centre && t->kind->list == LIST_PROCEDURE
	       ? charged_other_way(source) : source;
}

static bool
is_charged_by_centre(const struct table *t)
{
	return t->browser->by_centre && t->kind->list == LIST_PROCEDURE;
}

void
table_take_columns(struct table *t)
{
	bool by_centre = is_charged_by_centre(t);
	const char *sorted = t->query.sort ? list_columns(t->kind->list)[t->query.sort].name : "";
	const char *head = t->choice && t->choice->kind == t->kind && t->sort >= 0
			   ? t->columns[t->sort].head : "";
	int i;

	t->choice = column_choice_of(t->browser, t->kind);
	t->nr_columns = t->choice->nr;
	for (i = 0; i < t->nr_columns; i++) {
		struct column *c = &t->columns[i];

		*c = t->kind->columns[t->choice->order[i]];
		if (t->kind->list == LIST_COMPARISON)
			c->head = compare_column_head(t->browser, c);
		if (!by_centre)
			continue;
		c->source = charged_other_way(c->source);
		c->second = charged_other_way(c->second);
		if (c->flags & COLUMN_CENTRES)
			c->head = "by pc";
	}
	/* Several may show what is sorted by. */
	t->sort = table_column(t, head, true);
	if (t->sort < 0 || strcmp(t->columns[t->sort].source, sorted))
		t->sort = table_column(t, sorted, true);
}

int
table_column(const struct table *t, const char *name, bool sort)
{
	const struct column *c = t->columns;
	int i;

	for (i = 0; i < t->nr_columns; i++) {
		if (sort && !c[i].source)
			continue;
		if (!strcasecmp(column_name(&c[i]), name))
			return i;
	}
	for (i = 0; i < t->nr_columns; i++)
		if (c[i].source && !(c[i].flags & COLUMN_IN_SOURCE) &&
		    !strcasecmp(c[i].source, name))
			return i;
	return -1;
}

static bool
has_waiting(const struct table *t)
{
	return t->browser->totals->run.wall_interval_ns;
}

static bool
has_bounds(const struct table *t)
{
	return t->browser->optional.bounds && !is_charged_by_centre(t);
}

static bool
has_cycles(const struct table *t)
{
	return t->browser->totals->nr_cycles;
}

static bool
has_runs(const struct table *t)
{
	return t->browser->totals->nr_runs > 1 && !is_charged_by_centre(t);
}

static bool
has_roots(const struct table *t)
{
	return has_cycles(t) && !is_charged_by_centre(t);
}

static bool
has_recursion(const struct table *t)
{
	return t->browser->optional.recursion;
}

static bool
has_builds(const struct table *t)
{
	return t->browser->optional.builds;
}

static bool
has_differences(const struct table *t)
{
	return t->differs;
}

static bool
has_stacks(const struct table *t)
{
	return !is_charged_by_centre(t);
}

static bool
has_series(const struct table *t)
{
	return t->browser->compare.series;
}

/* What is empty in all rows takes the room of others. */
static bool
has_significance(const struct table *t)
{
	return t->browser->compare.kinds[t->kind->things - 1].sampled;
}

static bool
has_sides(const struct table *t)
{
	return t->browser->compare.kinds[t->kind->things - 1].apart;
}

/* Columns that are only there where they have something to say. */
static const struct {
	const char *source;
	bool (*known)(const struct table *t);
} optional_columns[] = {
	{ "self_wait_ns", has_waiting }, { "total_wait_ns", has_waiting },
	{ "total_lo_ns", has_bounds }, { "root_total_ns", has_roots },
	{ "total_sampled_ns", has_stacks }, { "cycle", has_cycles },
	{ "self_calls", has_recursion }, { "self_sd_ns", has_runs }, { "differs", has_differences },
	{ "runs_without", has_builds },
	{ "spark", has_series }, { "significance", has_significance }, { "sides", has_sides },
};

bool
table_column_known(const struct table *t, int i)
{
	const struct column *c = &t->columns[i];
	size_t k;

	if (c->flags & COLUMN_CENTRES)
		return t->browser->totals->run.centre_samples;
	if (t->kind->list == LIST_COMPARISON && !compare_column_known(t->browser, c))
		return false;
	for (k = 0; k < sizeof(optional_columns) / sizeof(optional_columns[0]); k++)
		if (c->source && !strcmp(c->source, optional_columns[k].source))
			return optional_columns[k].known(t);
	return true;
}

void
table_need(struct table *t, const char *head, bool needed)
{
	int i;

	for (i = 0; i < t->nr_columns; i++) {
		if (strcmp(t->kind->columns[i].head, head))
			continue;
		t->needed = needed ? t->needed | 1u << i : t->needed & ~(1u << i);
	}
}

/* ---- layout ---- */

static int
count_width(const struct table *t)
{
	struct strbuf s = STRBUF_INIT;
	const struct profile_totals *totals = t->browser->totals;
	/* The sum at the foot wants its digits, too. */
	uint64_t max = t->kind->sums ? totals->blocks_executed : totals->max_block_count;
	int w;

	human_count(&s, t->kind->list == LIST_ARC ? totals->calls : max);
	w = (int)s.len + (t->kind->list == LIST_ARC ? 2 : 0);
	strbuf_release(&s);
	return w < 7 ? 7 : w > 15 ? 15 : w;
}

static int
least_width(const struct table *t, int i)
{
	int w = t->columns[i].width;

	return w == WIDTH_COUNT ? count_width(t) : w;
}

/* Between two columns. */
enum { GAP = 2 };

static int
gap_before(const struct table *t, int i)
{
	return t->columns[i].head[0] ? GAP : 1;
}

static int
width_needed(const struct table *t)
{
	int i, sum = 1;

	for (i = 0; i < t->nr_columns; i++)
		if (t->layout[i].shown)
			sum += least_width(t, i) + gap_before(t, i);
	return sum;
}

/* One by which rows are sorted is always to be seen. */
static bool
is_needed(const struct table *t, int i)
{
	return i == t->sort || t->needed >> t->choice->order[i] & 1;
}

static enum column_show
show_of(const struct table *t, int i)
{
	enum column_show show = (enum column_show)t->choice->show[t->choice->order[i]];

	return show == SHOW_NEVER && i == t->sort ? SHOW_WITH_ROOM : show;
}

static bool
may_drop(const struct table *t, int i)
{
	return t->layout[i].shown && t->columns[i].drop > 0 && !is_needed(t, i) &&
	       show_of(t, i) != SHOW_ALWAYS;
}

static bool
drop_one(struct table *t)
{
	int i, worst = -1;

	for (i = 0; i < t->nr_columns; i++)
		if (may_drop(t, i) &&
		    (worst < 0 || t->columns[i].drop > t->columns[worst].drop))
			worst = i;
	if (worst < 0)
		return false;
	t->layout[worst].shown = false;
	return true;
}

void
table_layout(struct table *t, int width)
{
	const struct column *c = t->columns;
	int i, x, left, shares = 0, extra;

	for (i = 0; i < t->nr_columns; i++)
		t->layout[i].shown = table_column_known(t, i) && show_of(t, i) != SHOW_NEVER;
	while (width_needed(t) > width && drop_one(t))
		;
	for (i = 0; i < t->nr_columns; i++)
		shares += t->layout[i].shown ? c[i].grow : 0;
	left = width - width_needed(t);
	for (i = 0, x = 1; i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		extra = 0;
		if (shares > 0 && c[i].grow) {
			extra = left * c[i].grow / shares;
			shares -= c[i].grow;
			left -= extra;
		}
		x += gap_before(t, i);
		t->layout[i].x = x;
		t->layout[i].w = least_width(t, i) + extra;
		/* With nothing left to leave out, what could grow shrinks. */
		if (t->layout[i].w < 4)
			t->layout[i].w = 4;
		x += t->layout[i].w;
	}
}
