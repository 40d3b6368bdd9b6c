/* The runs that profiles are of: how many, what they differ by among themselves, and whether all
 * did the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/match/side.h"
#include "compare/table.h"
#include "db/lists/compared.h"
#include "db/model/run_deviation.h"
#include "db/store/load.h"
#include "util/mem.h"

/* ---- how many ---- */

bool
comparison_per_run(const struct comparison *c)
{
	for (size_t k = 1; k < c->nr; k++)
		if (profile_totals(c->profiles[k])->nr_runs !=
		    profile_totals(c->profiles[0])->nr_runs)
			return true;
	return false;
}

uint32_t
comparison_runs(const struct comparison *c)
{
	uint32_t runs = profile_totals(c->profiles[0])->nr_runs;

	return comparison_per_run(c) || !runs ? 1 : runs;
}

double
comparison_times(const struct comparison *c, size_t i)
{
	return c->scales[i].time / c->runs[i];
}

/* ---- what they differ by ---- */

static void
read_times(struct comparison *c, size_t k, const struct model *m)
{
	struct run_spread *spread = &c->spreads[k];
	uint32_t *group = xcalloc(m->nr_procedures, sizeof(*group));
	struct spread_of of = { .group = group, .nr = match_entities(c->m) + 1 };
	double *base = NULL;

	for (size_t i = 0; i < m->nr_procedures; i++)
		group[i] = match_entity(c->m, k, (model_id)i + 1);
	if (c->normalised) {
		of.column = c->base ? PART_TOTAL_NS : PART_SELF_NS;
		of.base = base = times_of_runs(m, &of, c->base);
		spread->self = xcalloc(of.nr, sizeof(*spread->self));
		of.column = PART_SELF_NS;
		spread_of_times(m, &of, spread->self);
	}
	of.column = PART_TOTAL_NS;
	spread->total = xcalloc(of.nr, sizeof(*spread->total));
	spread_of_times(m, &of, spread->total);
	spread->runs = spread_of_cpu(m, base, &spread->cpu);
	free(base);
	free(group);
}

static int
read_spread(struct comparison *c, size_t k, bool times, struct error *err)
{
	struct run_spread *spread = &c->spreads[k];
	struct model m;
	int status;

	model_init(&m);
	status = times ? model_load_parts(&m, c->profiles[k], err)
		: model_load_runs(&m, profile_path(c->profiles[k]), err);
	if (!status && times)
		read_times(c, k, &m);
	else if (!status)
		spread->runs = spread_of_cpu(&m, NULL, &spread->cpu);
	model_release(&m);
	return status;
}

int
comparison_know_runs(struct comparison *c, enum figure f, struct error *err)
{
	bool times = f == FIGURE_TOTAL_NS || (c->normalised && f == FIGURE_SELF_NS);

	if (!times && f != FIGURE_SELF_NS)
		return 0;
	for (size_t k = 0; k < c->nr; k++) {
		const struct run_spread *spread = &c->spreads[k];

		if (profile_totals(c->profiles[k])->nr_runs >= FEWEST_RUNS &&
		    !(times ? spread->total != NULL : spread->runs) &&
		    read_spread(c, k, times, err))
			return -1;
	}
	return 0;
}

/* ---- the same work ---- */

/* Adds up what each entity did in a run of PROFILE; times -1. */
static void
take_counts(const struct comparison *c, size_t profile, double *executions, double *calls)
{
	const struct side *s = &c->m->sides[profile];
	double runs = fmax(1, profile_totals(c->profiles[profile])->nr_runs);

	for (size_t i = 0; i < s->nr_procedures; i++) {
		const struct side_procedure *p = &s->procedures[i];

		/* Foreign code has a row where a sample fell, so by chance. */
		if (!p->place.file)
			continue;
		executions[p->entity] -= (double)p->executions / runs;
		calls[p->entity] -= (double)p->calls / runs;
	}
}

static bool
has_same_work(const struct comparison *c, size_t profile)
{
	size_t nr = match_entities(c->m) + 1;
	double *executions = xcalloc(nr, sizeof(*executions)), *calls = xcalloc(nr, sizeof(*calls));
	bool same = true;

	take_counts(c, 0, executions, calls);
	for (size_t i = 0; i < nr; i++) {
		executions[i] = -executions[i];
		calls[i] = -calls[i];
	}
	take_counts(c, profile, executions, calls);
	for (size_t i = 0; i < nr && same; i++)
		same = executions[i] == 0 && calls[i] == 0;
	free(executions);
	free(calls);
	return same;
}

static bool
look_at_work(const struct comparison *c)
{
	const struct profile_totals *first = profile_totals(c->profiles[0]);

	for (size_t k = 0; k < c->nr; k++) {
		const struct profile_totals *t = profile_totals(c->profiles[k]);
		struct measures all = profile_measures(c->profiles[k]);

		if (!t->run.build_id || !*t->run.build_id || !t->blocks_executed ||
		    strcmp(t->run.build_id, first->run.build_id) ||
		    measure_is_least(&all.items[MEASURE_WORK - 1]) ||
		    (k && !has_same_work(c, k)))
			return false;
	}
	return c->nr > 1;
}

void
comparison_look_at_runs(struct comparison *c)
{
	c->same_work = look_at_work(c);
	c->level = FALSE_DISCOVERIES;
	for (size_t k = 0; k < c->nr; k++)
		c->level = fmin(c->level, profile_level(c->profiles[k]));
}

bool
comparison_same_work(const struct comparison *c)
{
	return c->same_work;
}

double
comparison_level(const struct comparison *c)
{
	return c->level;
}
