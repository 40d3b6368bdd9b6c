#include "show/runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/model/measure.h"
#include "show/human.h"
#include "show/value.h"
#include "util/job.h"

void
runs_spread(struct strbuf *out, struct listing *runs, bool ascii)
{
	int cpu = list_column_find(LIST_RUN, "cpu_ns");
	int wall = list_column_find(LIST_RUN, "wall_ns");
	int command = list_column_find(LIST_RUN, "command");
	struct deviation cpus = { .nr = 0 }, walls = { .nr = 0 };
	const struct list_row *row = listing_row(runs, 0);
	char *first = xstrdup(row ? row->cells[command].text : "");
	bool same = true;
	struct job_hold hold;
	size_t i;

	job_hold(&hold, free, first);
	for (i = 0; i < listing_rows(runs) && (row = listing_row(runs, i)); i++) {
		deviation_add(&cpus, (double)row->cells[cpu].number);
		deviation_add(&walls, (double)row->cells[wall].number);
		same &= !strcmp(first, row->cells[command].text);
		job_pause(1);
	}
	if (cpus.nr > 1 && !same) {
		strbuf_fmt(out, "%zu runs of different commands", cpus.nr);
	} else if (cpus.nr > 1) {
		strbuf_fmt(out, "%zu runs: cpu ", cpus.nr);
		human_deviation(out, &cpus, ascii);
		strbuf_str(out, ", wall ");
		human_deviation(out, &walls, ascii);
	}
	job_let_go(&hold);
}

const char *
runs_time_word(const struct model_run *run)
{
	bool ours = !run->tool || !*run->tool || !run->clock;

	return ours || strstr(run->clock, "cpu") || strstr(run->clock, "task-clock") ? "cpu"
										      : "time";
}

/* Returns the measure that stands for time; NULL: there is time, or nothing else. */
static const struct model_measure *
instead_of_time(struct profile *p)
{
	struct measures all = profile_measures(p);

	return profile_totals(p)->run.cpu_ns || all.nr == NR_BUILTIN_MEASURES
		       ? NULL : &all.items[NR_BUILTIN_MEASURES];
}

void
runs_measured(struct strbuf *out, struct profile *p, bool ascii)
{
	const struct profile_totals *t = profile_totals(p);
	const struct model_measure *other = instead_of_time(p);
	size_t begin = out->len;

	if (other) {
		value_whole(out, measure_unit(other), other->total, VALUE_WIDE, ascii);
		strbuf_char(out, ' ');
		strbuf_str(out, other->title);
	} else if (!profile_is_untimed(p)) {
		human_ns(out, t->run.cpu_ns, ascii);
		strbuf_char(out, ' ');
		strbuf_str(out, runs_time_word(&t->run));
	}
	if (profile_is_uncounted(p)) {
		if (!t->self_samples)
			return;
		strbuf_str(out, "   ");
		human_count(out, t->self_samples);
		strbuf_str(out, t->self_samples == 1 ? " sample" : " samples");
		return;
	}
	strbuf_str(out, out->len > begin ? "   " : "");
	if (profile_counts_only_calls(p)) {
		human_short(out, profile_measures(p).items[MEASURE_CALLS - 1].total);
		strbuf_str(out, " calls");
		return;
	}
	if (measure_is_least(&profile_measures(p).items[MEASURE_WORK - 1]))
		value_mark(out, "lacking", ascii);
	human_short(out, t->blocks_executed);
	strbuf_str(out, t->blocks_executed == 1 ? " block" : " blocks");
}
