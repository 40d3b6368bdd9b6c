/* What runs differ by: of random parts, against sums over a table of the same times. */
#include "db/model/run_deviation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

enum { RUNS = 7, PROCEDURES = 9, GROUPS = 5, ALL = GROUPS };

/* Times of each run, by group; all of them; with callees likewise. Group 0 is none. */
static double self[RUNS][GROUPS + 1], total[RUNS][GROUPS + 1], cpu[RUNS];
static const uint32_t groups[PROCEDURES] = { 1, 2, 3, 4, 1, 2, 3, 4, 1 };

static void
add_part(struct model *m, size_t run, unsigned *seed)
{
	struct part_entries e = { .items = NULL };
	struct error err = ERROR_INIT;
	struct model_part *p = MODEL_ADD(m, parts);

	p->run = (model_id)run + 1;
	for (model_id id = 1; id <= PROCEDURES; id++) {
		uint64_t ns = 1000000 + (uint64_t)rand_r(seed) % 100000000;

		if (rand_r(seed) % 4 == 0) /* it was not there */
			continue;
		part_add(&e, PART_SELF_NS, id, ns);
		part_add(&e, PART_TOTAL_NS, id, 2 * ns + id);
		part_add(&e, PART_SELF_SAMPLES, id, 7);
		self[run][groups[id - 1]] += (double)ns;
		self[run][ALL] += (double)ns;
		total[run][groups[id - 1]] += (double)(2 * ns + id);
	}
	part_store(m, p, &e, &err);
	part_entries_release(&e);
}

static void
make(struct model *m)
{
	unsigned seed = 7;

	model_init(m);
	m->nr_procedures = PROCEDURES;
	for (size_t run = 0; run < RUNS; run++) {
		cpu[run] = 500000000 + rand_r(&seed) % 100000000;
		*MODEL_ADD(m, runs) = (struct model_run){
			.command = "prog", .asked_interval_ns = 1, .interval_ns = 1000000,
			.cpu_ns = (uint64_t)cpu[run],
		};
	}
	for (size_t i = 0; i < 3 * RUNS; i++) /* the parts of a run do not stand together */
		add_part(m, i % RUNS, &seed);
}

/* That of VALUES, each STEP behind the one before; with BASE of what is beyond their share. */
static double
deviation(const double *values, size_t step, const double *base)
{
	double sum = 0, sums = 0, mean, squares = 0;

	for (size_t i = 0; i < RUNS; i++) {
		sum += values[i * step];
		sums += base ? base[i] : 0;
	}
	mean = sum / RUNS;
	for (size_t i = 0; i < RUNS; i++) {
		double rest = values[i * step] - (base ? base[i] * sum / sums : mean);

		squares += rest * rest;
	}
	return sqrt(squares / (RUNS - 1));
}

static bool
is_near(double got, double want)
{
	if (fabs(got - want) <= 1e-6 * fabs(want) + 1)
		return true;
	printf("# got %f, want %f\n", got, want);
	return false;
}

static bool
test_base(const struct model *m, const double *base)
{
	struct spread_of of = { .group = groups, .nr = GROUPS, .base = base };
	double spread[GROUPS], of_cpu;
	bool right = true;

	of.column = PART_SELF_NS;
	right = spread_of_times(m, &of, spread) == RUNS;
	for (size_t k = 1; k < GROUPS; k++)
		right = right && is_near(spread[k], deviation(&self[0][k], GROUPS + 1, base));
	of.column = PART_TOTAL_NS;
	right = right && spread_of_times(m, &of, spread) == RUNS;
	for (size_t k = 1; k < GROUPS; k++)
		right = right && is_near(spread[k], deviation(&total[0][k], GROUPS + 1, base));
	return right && spread_of_cpu(m, base, &of_cpu) == RUNS &&
	       is_near(of_cpu, deviation(cpu, 1, base));
}

static bool
test_times(const struct model *m, double *of_all, double *of_group)
{
	bool right = true;

	for (size_t run = 0; run < RUNS; run++)
		right = right && is_near(of_all[run], self[run][ALL]) &&
			is_near(of_group[run], total[run][2]);
	return right && test_base(m, of_all) && test_base(m, of_group);
}

static bool
test_other_command(struct model *m)
{
	double none, spread[GROUPS];
	struct spread_of of = { .column = PART_SELF_NS, .group = groups, .nr = GROUPS };

	m->runs[3].command = "another";
	return !spread_of_cpu(m, NULL, &none) && none == 0 && !spread_of_times(m, &of, spread) &&
	       spread[1] == 0;
}

int
main(void)
{
	struct spread_of of_self = { .column = PART_SELF_NS, .group = groups, .nr = GROUPS };
	struct spread_of of_total = { .column = PART_TOTAL_NS, .group = groups, .nr = GROUPS };
	double *of_all, *of_group;
	struct model m;
	bool alone, shares, other;

	make(&m);
	of_all = times_of_runs(&m, &of_self, 0);
	of_group = times_of_runs(&m, &of_total, 2);
	alone = test_base(&m, NULL);
	shares = test_times(&m, of_all, of_group);
	other = test_other_command(&m);
	printf("%s - what runs differ by\n", alone ? "ok" : "not ok");
	printf("%s - ... beyond the same share of all, and of a procedure\n",
	       shares ? "ok" : "not ok");
	printf("%s - runs of two programs tell nothing\n", other ? "ok" : "not ok");
	free(of_all);
	free(of_group);
	model_release(&m);
	return !alone || !shares || !other;
}
