#include "collect/import/samples/short_runs.h"

#include <math.h>

#include "collect/import/samples/weights.h"
#include "collect/import/sums/share_read.h"
#include "collect/import/sums/sumfile.h"

enum { ENOUGH_SAMPLES = 30 };

void
short_runs_add(struct short_runs *s, uint64_t cpu_ns, uint64_t samples,
	       uint64_t asked_interval_ns)
{
	if (samples >= ENOUGH_SAMPLES)
		return;
	s->cpu_ns += (double)cpu_ns;
	s->asked_ns += (double)samples * (double)asked_interval_ns;
}

/* Adds the short processes in the sum PATH. */
static void
read_sum(struct short_runs *s, const char *path)
{
	struct error ignored = ERROR_INIT;
	struct sumfile sum;

	if (sumfile_open(&sum, path, &ignored))
		return;
	for (size_t i = 0; i < sum.nr_members; i++) {
		struct sum_facts f;
		struct rawfile r;

		if (sumfile_member(&sum, i, &r, &ignored))
			continue;
		if (!sum_facts_read(&r, &f, &ignored)) {
			s->cpu_ns += (double)f.short_cpu_ns;
			s->asked_ns += (double)f.short_asked_ns;
		}
		rawfile_close(&r);
	}
	sumfile_close(&sum);
}

void
short_runs_read(struct short_runs *s, const char *const *raws, size_t nr)
{
	uint64_t cpu = 0, samples = 0, asked = 0;
	struct error ignored;
	struct weights w;
	struct rawfile r;
	size_t i;

	for (i = 0; i < nr; i++) {
		ignored = (struct error)ERROR_INIT;
		if (sumfile_is(raws[i])) {
			read_sum(s, raws[i]);
			continue;
		}
		if (rawfile_open(&r, raws[i], &ignored))
			continue;
		asked = r.head.asked_interval_ns;
		weights_read(&w, &r);
		cpu += w.cpu_ns;
		samples += w.used;
		weights_settle(&w);
		rawfile_close(&r);
	}
	if (cpu || samples)
		short_runs_add(s, cpu, samples, asked);
}

uint64_t
short_runs_interval(const struct short_runs *s, uint64_t cpu_ns, uint64_t samples,
		    uint64_t asked_interval_ns)
{
	if (!samples)
		return 0;
	if (samples >= ENOUGH_SAMPLES)
		return cpu_ns ? cpu_ns / samples : asked_interval_ns;
	if (!(s->cpu_ns > 0 && s->asked_ns > 0))
		return asked_interval_ns;
	return (uint64_t)fmin((double)asked_interval_ns * s->cpu_ns / s->asked_ns, INT64_MAX / 2);
}
