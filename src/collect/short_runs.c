#include "collect/short_runs.h"

#include <math.h>

#include "collect/rawfile.h"

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

static uint64_t
cpu_of_part(const struct rawfile *r, const struct raw_part *p)
{
	struct raw_thread t;
	uint64_t at, cpu = 0;

	for (at = 0; p->size - at >= sizeof(t); at += sizeof(t)) {
		if (rawfile_read(r, p->offset + at, &t, sizeof(t)) < sizeof(t))
			break;
		if (t.pid)
			cpu += t.cpu_ns;
	}
	return cpu;
}

static uint64_t
samples_of_part(const struct rawfile *r, const struct raw_part *p)
{
	struct raw_sample_reader from;
	uint64_t nr = 0;

	raw_samples_begin(&from, r, p);
	while (nr < ENOUGH_SAMPLES && raw_samples_next(&from))
		nr += !(from.sample.flags & (RAW_MODULES | RAW_EVENT | RAW_WAITING));
	raw_samples_end(&from);
	return nr;
}

void
short_runs_read(struct short_runs *s, const char *const *raws, size_t nr)
{
	uint64_t cpu = 0, samples = 0, asked = 0;
	struct error ignored;
	const struct raw_part *p;
	struct rawfile r;
	size_t i, k;

	for (i = 0; i < nr; i++) {
		ignored = (struct error)ERROR_INIT;
		if (rawfile_open(&r, raws[i], &ignored))
			continue;
		asked = r.head.asked_interval_ns;
		for (k = 0; k < r.nr_parts; k++) {
			p = &r.parts[k];
			if (p->kind == RAW_THREADS)
				cpu += cpu_of_part(&r, p);
			if (p->kind == RAW_SAMPLES)
				samples += samples_of_part(&r, p);
		}
		rawfile_close(&r);
	}
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
