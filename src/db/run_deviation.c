#include "db/run_deviation.h"

#include <stdlib.h>
#include <string.h>

#include "db/parts.h"
#include "util/deviation.h"
#include "util/mem.h"
#include "util/order.h"

struct run_parts { model_id run; size_t part; };

static int
compare_parts(const void *a, const void *b)
{
	const struct run_parts *x = a, *y = b;

	COMPARE(x->run, y->run);
	return x->part < y->part ? -1 : x->part > y->part;
}

/* Returns the parts in the order of their runs. */
static struct run_parts *
order_parts(const struct model *m)
{
	struct run_parts *order = xcalloc(m->nr_parts, sizeof(*order));
	size_t i;

	for (i = 0; i < m->nr_parts; i++)
		order[i] = (struct run_parts){ m->parts[i].run, i };
	qsort(order, m->nr_parts, sizeof(*order), compare_parts);
	return order;
}

/* Where the times of procedures are added up. */
struct gathered {
	enum part_column column;
	const uint32_t *group;   /* of a procedure, by id - 1; NULL: each is one */
	uint64_t *times;         /* of this run, by group */
	uint32_t *seen;          /* groups that have some */
	size_t nr_seen;
	struct deviation *d;     /* by group */
};

static int
add_part(const struct model *m, const struct model_part *p, struct gathered *g)
{
	struct part_entries e = { .items = NULL };
	struct error ignored = ERROR_INIT;
	int status = part_unpack(p, m, &e, &ignored);

	for (size_t i = 0; i < e.nr && !status; i++) {
		uint32_t k = e.items[i].id - 1;

		if (e.items[i].column != g->column)
			continue;
		k = g->group ? g->group[k] : k;
		if (!g->times[k])
			g->seen[g->nr_seen++] = k;
		g->times[k] += e.items[i].value;
	}
	part_entries_release(&e);
	return status;
}

static int
add_runs(const struct model *m, size_t nr, struct gathered *g)
{
	struct run_parts *order = order_parts(m);
	model_id run;
	int status = 0;

	g->times = xcalloc(nr, sizeof(*g->times));
	g->seen = xcalloc(nr, sizeof(*g->seen));
	for (size_t i = 0; i < m->nr_parts && !status;) {
		run = order[i].run;
		for (; i < m->nr_parts && order[i].run == run && !status; i++)
			status = add_part(m, &m->parts[order[i].part], g);
		while (g->nr_seen) {
			uint32_t k = g->seen[--g->nr_seen];

			deviation_add(&g->d[k], (double)g->times[k]);
			g->times[k] = 0;
		}
	}
	free(order);
	free(g->times);
	free(g->seen);
	return status;
}

/* Returns the number of runs that took samples, and in *SAME whether all ran one command: times of
 * different work say nothing about how certain a time is. */
static size_t
sampled_runs(const struct model *m, bool *same)
{
	const char *command = NULL;
	size_t i, nr = 0;

	*same = true;
	for (i = 0; i < m->nr_runs; i++) {
		if (!m->runs[i].asked_interval_ns)
			continue;
		*same &= !command || !strcmp(command, m->runs[i].command);
		command = m->runs[i].command;
		nr++;
	}
	return nr;
}

/* Fills D, one for each of NR groups. Returns the number of runs; 0: they tell nothing. */
static size_t
deviations_of(const struct model *m, enum part_column column, const uint32_t *group, size_t nr,
	      struct deviation *d)
{
	struct gathered g = { .column = column, .group = group, .d = d };
	bool same;
	size_t sampled = sampled_runs(m, &same);

	if (!same || sampled < 2 || m->nr_parts < 2 || add_runs(m, nr, &g))
		return 0;
	for (size_t i = 0; i < nr; i++)
		d[i].nr = sampled; /* the other runs spent nothing there */
	return sampled;
}

int64_t *
spread_of_procedures(const struct model *m)
{
	int64_t *spread = xcalloc(m->nr_procedures, sizeof(*spread));
	struct deviation *d = xcalloc(m->nr_procedures, sizeof(*d));
	size_t runs = deviations_of(m, PART_SELF_NS, NULL, m->nr_procedures, d);

	for (size_t i = 0; i < m->nr_procedures; i++)
		spread[i] = runs ? (int64_t)(deviation_of(&d[i]) + 0.5) : -1;
	free(d);
	return spread;
}

size_t
spread_of_totals(const struct model *m, const uint32_t *group, size_t nr, double *spread,
		 double *cpu)
{
	struct deviation *d = xcalloc(nr, sizeof(*d)), of_cpu = { 0 };
	size_t runs = deviations_of(m, PART_TOTAL_NS, group, nr, d);

	for (size_t i = 0; i < nr; i++)
		spread[i] = runs ? deviation_of(&d[i]) : 0;
	for (size_t i = 0; i < m->nr_runs; i++)
		deviation_add(&of_cpu, (double)m->runs[i].cpu_ns);
	*cpu = runs ? deviation_of(&of_cpu) : 0;
	free(d);
	return runs;
}
