/* Writes a profile again with measures that have no columns of their own, whose figures follow from
 * what is in it, so that a test can work them out by SQL. A block's figure stands in its first
 * range, on the line where that begins, and in its procedure:
 *
 *   bytes    16 for each execution             sum, with totals
 *   faults   one for every 100 executions      sum, with totals, from samples
 *   depth    the column where the range ends   the greatest, in frames; no totals
 *   each     bytes / count                     a formula
 *   extraN   N for each execution              sum, with totals; units in turn: see extra_units
 *
 * A procedure's total is its own figure and the greatest of a procedure that it calls by one of its
 * sites; a site's total is the latter. A context has 16 bytes, 1 fault and N of extraN for each of
 * its samples, and its total is that of all below it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/model/measure.h"
#include "db/store/load.h"
#include "db/store/writer.h"
#include "solve/aggregate.h"

enum { BYTES, FAULTS, DEPTH, FORMULA, EXTRA };
static const struct model_measure measures[] = {
	[BYTES] = { .name = "bytes", .title = "bytes asked for", .unit = "bytes",
		    .inclusive = INCLUSIVE_STACKS, .exact = true },
	[FAULTS] = { .name = "faults", .title = "page faults", .unit = "count",
		     .inclusive = INCLUSIVE_STACKS, .period = 100 },
	[DEPTH] = { .name = "depth", .title = "stack depth", .unit = "frames",
		    .combine = COMBINE_MAX, .exact = true },
	[FORMULA] = { .name = "each", .title = "bytes of each execution", .unit = "bytes",
		      .combine = COMBINE_NONE, .formula = "bytes / count", .exact = true },
};
static const char *const extra_units[] = { "ns", "samples", "count", "bytes", "words" };
enum { MOST_EXTRA = MEASURES_MAX - EXTRA };

static void
add_measures(struct model *m, unsigned extra)
{
	for (unsigned i = 0; i < EXTRA; i++)
		measure_add(m, &measures[i]);
	for (unsigned i = 1; i <= extra; i++) {
		char name[16], title[32];
		struct model_measure measure = { .name = name, .title = title, .exact = true,
						 .unit = extra_units[(i - 1) % 5],
						 .inclusive = INCLUSIVE_STACKS };

		snprintf(name, sizeof(name), "extra%u", i);
		snprintf(title, sizeof(title), "extra number %u", i);
		measure_add(m, &measure);
	}
}

/* What an execution, or SAMPLES of them, is in measure SLOT. */
static uint64_t
value_of(unsigned slot, uint64_t n, bool samples)
{
	switch (slot) {
	case BYTES:
		return 16 * n;
	case FAULTS:
		return samples ? n : n / 100;
	case DEPTH:
	case FORMULA:
		return 0;
	}
	return (slot - EXTRA + 1) * n;
}

static int
compare_lines(const void *pa, const void *pb)
{
	const struct model_line *a = pa, *b = pb;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* Lines are in the order of the source. */
static struct model_line *
line_at(struct model *m, const struct place *place)
{
	struct model_line line = { .file = place->file, .line = place->line };

	return bsearch(&line, m->lines, m->nr_lines, sizeof(line), compare_lines);
}

static void
add_self(struct model *m, struct model_range *r, struct model_block *b)
{
	struct model_line *line = line_at(m, &r->place);

	for (unsigned k = 0; k < m->nr_measures; k++) {
		uint64_t value = k == DEPTH ? r->place.end_column : value_of(k, b->count, false);

		figure_self(m, &r->figures, k, value);
		figure_self(m, &b->figures, k, value);
		figure_self(m, &m->procedures[b->procedure - 1].figures, k, value);
		if (line)
			figure_self(m, &line->figures, k, value);
	}
}

static void
add_selves(struct model *m)
{
	bool *seen = xcalloc(m->nr_blocks + 1, sizeof(*seen));

	for (size_t i = 0; i < m->nr_ranges; i++) {
		struct model_range *r = &m->ranges[i];

		if (!seen[r->block])
			add_self(m, r, &m->blocks[r->block - 1]);
		seen[r->block] = true;
	}
	free(seen);
}

static void
raise_to(uint64_t *at, uint64_t value)
{
	if (*at < value)
		*at = value;
}

/* The greatest figure of what each site, and each procedure, calls. */
static void
add_totals(struct model *m, unsigned slot)
{
	uint64_t *sites = xcalloc(m->nr_sites + 1, sizeof(*sites));
	uint64_t *callers = xcalloc(m->nr_procedures + 1, sizeof(*callers));

	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];
		model_id caller = a->site ? m->sites[a->site - 1].procedure : 0;
		const struct figures *f = a->callee ? m->procedures[a->callee - 1].figures : NULL;

		if (!caller || !f || caller == a->callee)
			continue;
		raise_to(&sites[a->site], (uint64_t)figures_get(f, false, slot));
		raise_to(&callers[caller], (uint64_t)figures_get(f, false, slot));
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		figure_total(m, &m->sites[i].figures, slot, sites[i + 1]);
	for (size_t i = 0; i < m->nr_procedures; i++) {
		struct figures **f = &m->procedures[i].figures;

		figure_total(m, f, slot, figures_get(*f, false, slot) + (int64_t)callers[i + 1]);
	}
	free(sites);
	free(callers);
}

static void
add_contexts(struct model *m, unsigned slot)
{
	for (size_t i = m->nr_contexts; i--;) {
		struct model_context *c = &m->contexts[i];
		int64_t self = (int64_t)value_of(slot, c->self_samples, true);

		figure_self(m, &c->figures, slot, self);
		figure_total(m, &c->figures, slot, self);
		if (c->parent)
			figure_total(m, &m->contexts[c->parent - 1].figures, slot,
				     figures_get(c->figures, true, slot));
	}
}

static int
failed(const struct error *err)
{
	fprintf(stderr, "make-measures: %s\n", err->text);
	return 1;
}

int
main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	unsigned extra = argc == 4 ? (unsigned)atoi(argv[3]) : 0;
	struct model m;

	if (argc < 3 || extra > MOST_EXTRA) {
		fprintf(stderr, "usage: make-measures FROM.db TO.db [EXTRA (0 to %d)]\n",
			MOST_EXTRA);
		return 2;
	}
	model_init(&m);
	if (model_load(&m, argv[1], &err))
		return failed(&err);
	add_measures(&m, extra);
	add_selves(&m);
	for (unsigned k = 0; k < m.nr_measures; k++) {
		if (m.measures[k].inclusive == INCLUSIVE_NONE)
			continue;
		add_totals(&m, k);
		add_contexts(&m, k);
	}
	if (model_aggregate(&m, &err) || profile_write(argv[2], &m, NULL, &err))
		return failed(&err);
	model_release(&m);
	return 0;
}
