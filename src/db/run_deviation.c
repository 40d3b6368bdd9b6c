#include "db/run_deviation.h"

#include <stdlib.h>
#include <string.h>

#include "db/parts.h"
#include "util/deviation.h"
#include "util/mem.h"

struct run_parts { model_id run; size_t part; };

static int
compare_parts(const void *a, const void *b)
{
	const struct run_parts *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
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

/* Adds the times of the procedures to TIMES, by id - 1; lists in SEEN those that had none. */
static int
add_part(const struct model *m, const struct model_part *p, uint64_t *times, model_id *seen,
	 size_t *nr_seen)
{
	struct part_entries e = { .items = NULL };
	struct error ignored = ERROR_INIT;
	int status = part_unpack(p, m, &e, &ignored);
	size_t i;

	for (i = 0; i < e.nr && !status; i++) {
		if (e.items[i].column != PART_SELF_NS)
			continue;
		if (!times[e.items[i].id - 1])
			seen[(*nr_seen)++] = e.items[i].id;
		times[e.items[i].id - 1] += e.items[i].value;
	}
	part_entries_release(&e);
	return status;
}

static int
add_runs(const struct model *m, struct deviation *d)
{
	struct run_parts *order = order_parts(m);
	uint64_t *times = xcalloc(m->nr_procedures, sizeof(*times));
	model_id *seen = xcalloc(m->nr_procedures, sizeof(*seen)), run;
	size_t i, k, nr_seen;
	int status = 0;

	for (i = 0; i < m->nr_parts && !status;) {
		run = order[i].run;
		for (nr_seen = 0; i < m->nr_parts && order[i].run == run && !status; i++)
			status = add_part(m, &m->parts[order[i].part], times, seen, &nr_seen);
		for (k = 0; k < nr_seen; k++) {
			deviation_add(&d[seen[k] - 1], (double)times[seen[k] - 1]);
			times[seen[k] - 1] = 0;
		}
	}
	free(order);
	free(times);
	free(seen);
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

int64_t *
spread_of_procedures(const struct model *m)
{
	int64_t *spread = xcalloc(m->nr_procedures, sizeof(*spread));
	struct deviation *d = xcalloc(m->nr_procedures, sizeof(*d));
	bool known;
	size_t i, sampled = sampled_runs(m, &known);

	known &= sampled > 1 && m->nr_parts > 1 && !add_runs(m, d);
	for (i = 0; i < m->nr_procedures; i++) {
		d[i].nr = sampled; /* the other runs spent nothing there */
		spread[i] = known ? (int64_t)(deviation_of(&d[i]) + 0.5) : -1;
	}
	free(d);
	return spread;
}
