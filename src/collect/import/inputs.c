#include "collect/import/inputs.h"

#include <stdlib.h>

#include "collect/import/sums/share_read.h"

/* ---- files ---- */

static struct input *
add_input(struct inputs *x)
{
	GROW(x->items, x->nr + 1, x->alloc);
	x->items[x->nr] = (struct input){ .of_run = x->nr };
	return &x->items[x->nr];
}

/* Each member of the sum PATH is an input. RECORDED: they are one run, and the first process, which
 * was kept, says whose. */
static int
open_sum(struct inputs *x, struct owners *owners, const char *path, bool recorded,
	 struct error *err)
{
	struct sumfile *sum;
	struct input *in;
	size_t first;

	GROW(x->sums, x->nr_sums + 1, x->sums_alloc);
	sum = x->sums[x->nr_sums++] = xcalloc(1, sizeof(*sum));
	if (sumfile_open(sum, path, err))
		return -1;
	sumfile_owners(sum, owners);
	first = recorded ? sum->nr_members - sum->nr_kept : 0;
	for (size_t i = 0; i < sum->nr_members; i++) {
		size_t member = (first + i) % sum->nr_members;

		in = add_input(x);
		if (sumfile_member(sum, member, &in->raw, err) ||
		    sum_facts_read(&in->raw, &in->facts, err))
			return -1;
		in->ids = sumfile_ids(sum, member);
		x->nr++;
	}
	return 0;
}

static int
open_input(struct inputs *x, struct owners *owners, const char *path, bool recorded,
	   struct error *err)
{
	struct input *in;

	if (sumfile_is(path))
		return open_sum(x, owners, path, recorded, err);
	in = add_input(x);
	if (rawfile_open(&in->raw, path, err))
		return -1;
	owners_add(owners, in->raw.owner);
	x->nr++;
	return 0;
}

int
inputs_open(struct inputs *x, struct model *m, struct owners *owners, const char *const *paths,
	    size_t nr, const struct import_runs *runs, struct error *err)
{
	size_t i, run = 0, ends = runs ? runs->nr_raws[0] : 0, nr_runs = 0;
	struct error first = ERROR_INIT, e;

	for (i = 0; i < nr; i++) {
		size_t before = x->nr;

		e = (struct error)ERROR_INIT;
		for (; runs && i >= ends; ends += runs->nr_raws[run])
			run++;
		if (!open_input(x, owners, paths[i], runs, &e)) {
			for (; runs && before < x->nr; before++)
				x->items[before].of_run = run;
			continue;
		}
		/* The next time it may be there; half a sum is none. */
		if (e.unread || sumfile_is(paths[i]))
			return error_copy(err, &e);
		if (nr > 1)
			model_note(m, "counts", "%s; its counts are missing", e.text);
		error_set(&first, "%s", e.text);
	}
	for (i = 0; runs && i < x->nr; i++)
		nr_runs += i == 0 || x->items[i].of_run != x->items[i - 1].of_run;
	return x->nr && (!runs || nr_runs == runs->nr) ? 0 : error_set(err, "%s", first.text);
}

void
inputs_release(struct inputs *x)
{
	for (size_t i = 0; i < x->nr; i++) {
		rawfile_close(&x->items[i].raw);
		free(x->items[i].module_of);
		free(x->items[i].ids);
	}
	for (size_t i = 0; i < x->nr_sums; i++) {
		sumfile_close(x->sums[i]);
		free(x->sums[i]);
	}
	free(x->sums);
	free(x->items);
	*x = (struct inputs){ .nr = 0 };
}

/* ---- what samples stand for ---- */

struct time_of_run {
	double ns, squares;        /* of the weights of its samples, and of their squares */
	uint64_t most;             /* time of the program that CLOCK is of */
	struct strbuf clock;       /* "": nothing took any */
	bool sum;                  /* its inputs are members of sums */
};

/* The clock is that of the program with the most time. */
static void
take_clock(struct time_of_run *t, const char *clock, uint64_t cpu_ns)
{
	if (!*clock || (t->clock.len && cpu_ns < t->most))
		return;
	strbuf_clear(&t->clock);
	strbuf_str(&t->clock, clock);
	t->most = cpu_ns;
}

static void
take_raw(struct time_of_run *t, const struct input *in)
{
	struct strbuf text = STRBUF_INIT;

	t->ns += in->weights.sum;
	t->squares += in->weights.squares;
	weights_tell(&in->weights, &in->raw, &text);
	if (text.len)
		take_clock(t, text.buf, in->weights.cpu_ns);
	strbuf_release(&text);
}

/* What times of short processes are to be multiplied by; see struct sum_facts. */
static double
factor_of(const struct short_runs *shorts, uint64_t asked_ns)
{
	return asked_ns ? (double)short_runs_interval(shorts, 1, 1, asked_ns) / (double)asked_ns
			: 1;
}

/* FACTOR: for the times of short processes. */
static void
take_member(struct time_of_run *t, const struct input *in, double factor)
{
	double squares;
	char *text;

	t->sum = true;
	t->ns += sum_facts_ns(&in->facts, factor, &squares);
	t->squares += squares;
	if (!in->facts.samples)
		return;
	text = sum_facts_clock(&in->facts);
	take_clock(t, text, in->facts.cpu_ns);
	free(text);
}

static void
settle_run(const struct time_of_run *t, struct model *m, model_id id, struct samples *samples,
	   const struct short_runs *among)
{
	struct model_run *run = &m->runs[id - 1];
	double scale = 0;

	if (t->clock.len)
		run->clock = arena_strdup(&m->arena, t->clock.buf);
	if (t->sum) {
		samples_scale_short(samples, id, factor_of(among, run->asked_interval_ns));
		if (run->samples && t->ns > 0)
			run->interval_ns = at_most((uint64_t)(t->ns / (double)run->samples),
						   MOST_INTERVAL_NS);
		scale = 1;
	} else {
		run->interval_ns = at_most(short_runs_interval(among, run->cpu_ns, run->samples,
							       run->asked_interval_ns),
					   MOST_INTERVAL_NS);
		if (t->ns > 0)
			scale = (double)run->interval_ns * (double)run->samples / t->ns;
		samples_scale(samples, id, scale);
	}
	if (t->ns > 0)
		run->sample_ns = at_most((uint64_t)(scale * t->squares / t->ns + 0.5),
					 MOST_INTERVAL_NS);
}

void
inputs_settle_times(const struct inputs *x, struct model *m, struct samples *samples,
		    const struct short_runs *among)
{
	struct time_of_run *times = xcalloc(m->nr_runs, sizeof(*times));
	struct short_runs these = { .cpu_ns = 0 };
	size_t i;

	for (i = 0; i < x->nr; i++) {
		const struct input *in = &x->items[i];
		const struct model_run *run = &m->runs[in->run - 1];

		if (in->raw.sum) {
			these.cpu_ns += (double)in->facts.short_cpu_ns;
			these.asked_ns += (double)in->facts.short_asked_ns;
		} else if (!i || in->run != in[-1].run) {
			short_runs_add(&these, run->cpu_ns, run->samples, run->asked_interval_ns);
		}
	}
	if (!among)
		among = &these;
	for (i = 0; i < x->nr; i++) {
		const struct input *in = &x->items[i];
		uint64_t asked = m->runs[in->run - 1].asked_interval_ns;

		if (in->raw.sum)
			take_member(&times[in->run - 1], in, factor_of(among, asked));
		else
			take_raw(&times[in->run - 1], in);
	}
	for (i = 0; i < m->nr_runs; i++) {
		settle_run(&times[i], m, (model_id)i + 1, samples, among);
		strbuf_release(&times[i].clock);
	}
	free(times);
}
