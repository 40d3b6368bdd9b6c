/* Runs with so few samples that these do not tell what each of them stands for. One has none by
 * chance, and its time must not be lost: together they share the samples that they have. */
#ifndef CGVIEW_COLLECT_SHORT_RUNS_H
#define CGVIEW_COLLECT_SHORT_RUNS_H

#include <stddef.h>
#include <stdint.h>

struct short_runs {
	double cpu_ns;
	double asked_ns;         /* of their samples, each as long as was asked for */
};

/* Add a run, if it is short. */
void short_runs_add(struct short_runs *s, uint64_t cpu_ns, uint64_t samples,
		    uint64_t asked_interval_ns);

/* Add the run that left these raw files, and the short processes in those that are sums; those that
 * cannot be read say nothing. */
void short_runs_read(struct short_runs *s, const char *const *raws, size_t nr);

/* Returns what a sample of such a run stands for; without samples 0. S has that run, too. */
uint64_t short_runs_interval(const struct short_runs *s, uint64_t cpu_ns, uint64_t samples,
			     uint64_t asked_interval_ns);

#endif
