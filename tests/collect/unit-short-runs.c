/* Runs with few samples: what one of these stands for, and that no time is lost. */
#include "collect/import/samples/short_runs.h"

#include "tui/check.h"

enum { MS = 1000000 };

struct run { uint64_t cpu, samples, asked; };

/* The time that the samples of RUNS stand for, each as it was told. */
static uint64_t
time_of(const struct run *runs, size_t nr)
{
	struct short_runs s = { .cpu_ns = 0 };
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		short_runs_add(&s, runs[i].cpu, runs[i].samples, runs[i].asked);
	for (i = 0; i < nr; i++)
		time += runs[i].samples * short_runs_interval(&s, runs[i].cpu, runs[i].samples,
							      runs[i].asked);
	return time;
}

int
main(void)
{
	const struct run short_ones[] = { { 2 * MS, 0, MS }, { 3 * MS, 1, MS }, { 3 * MS, 1, MS } };
	const struct run mixed[] = { { 2 * MS, 0, MS }, { 100 * MS, 50, MS }, { 4 * MS, 3, MS } };
	const struct run rates[] = { { 10 * MS, 10, MS }, { 10 * MS, 1, 10 * MS },
				     { 4 * MS, 0, MS } };
	const struct run none[] = { { 2 * MS, 0, MS }, { 3 * MS, 0, MS } };
	const struct run unknown[] = { { 0, 2, MS }, { 0, 100, MS } };
	struct short_runs s = { .cpu_ns = 0 };

	verdict(time_of(short_ones, 3) == 8 * MS,
		"short runs: those without a sample are in the others' time");
	verdict(time_of(mixed, 3) == 106 * MS,
		"a run with many samples has its own time");
	verdict(time_of(rates, 3) == 24 * MS,
		"other clocks");
	verdict(time_of(none, 2) == 0,
		"no sample at all");
	verdict(time_of(unknown, 2) == 102 * MS,
		"no clock: as was asked for");
	short_runs_add(&s, 2 * MS, 0, MS);
	short_runs_add(&s, 4 * MS, 3, MS);
	short_runs_add(&s, 100 * MS, 50, MS);
	verdict(short_runs_interval(&s, 100 * MS, 50, MS) == 2 * MS,
		"many samples: its own time");
	verdict(short_runs_interval(&s, 4 * MS, 3, MS) == 2 * MS,
		"few: that of all who have few");
	short_runs_add(&s, UINT64_MAX, 29, UINT64_MAX); /* damaged */
	verdict(short_runs_interval(&s, 4 * MS, 3, MS) <= INT64_MAX,
		"damaged figures");
	return 0;
}
