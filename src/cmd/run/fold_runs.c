#include "cmd/run/fold_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/make/partial_sums.h"
#include "cmd/make/reduce.h"
#include "util/mem.h"

/* Returns the sum of the NR files RAWS, run NUMBER's; heap. Those that cannot be added are marked
 * in LEFT_OUT. NULL: there is none. */
static char *
add_up(const char *const *raws, size_t nr, bool *left_out, const char *directory, size_t number)
{
	char *sum = xasprintf("%s/run%zu.sum", directory, number);
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const struct reduce_work w = {
		.paths = raws, .nr = nr, .keep = REDUCE_KEEP, .scratch = sum,
		.jobs = processors > 1 ? (size_t)processors : 1,
		.keep_going = true, .left_out = left_out, .passing = true,
	};
	struct error ignored = ERROR_INIT;

	if (reduce_files(&w, sum, &ignored) >= 0)
		return sum;
	free(sum);
	return NULL;
}

static bool
has_partial_sum(const char *const *raws, size_t nr)
{
	bool has = false;

	for (size_t i = 0; i < nr; i++)
		has |= partial_sum_is(raws[i]);
	return has;
}

/* Adds run NUMBER with its NR files RAWS, which may be changed; see folded_runs_make(). Returns how
 * many F has of it. */
static size_t
add_run(struct folded_runs *f, const char **raws, size_t nr, size_t most, const char *directory,
	size_t number)
{
	bool partial = has_partial_sum(raws, nr);
	bool *left_out = xcalloc(nr + 1, sizeof(*left_out));
	size_t before = f->nr;
	char *sum = NULL;

	if (partial)
		nr = partial_sums_leave_out(raws, nr);
	if (nr > (partial ? 1 : most))
		sum = add_up(raws, nr, left_out, directory, number);
	if (sum)
		f->paths[f->nr++] = f->sums[f->nr_sums++] = sum;
	for (size_t i = 0; i < nr; i++)
		if (!sum || left_out[i])
			f->paths[f->nr++] = raws[i];
	free(left_out);
	return f->nr - before;
}

void
folded_runs_make(struct folded_runs *f, const char *const *raws, struct recorded *runs,
		 size_t nr_runs, size_t most, const char *directory)
{
	const char **some;
	size_t all = 0, at = 0;

	for (size_t i = 0; i < nr_runs; i++)
		all += runs[i].nr_raws;
	*f = (struct folded_runs){ .paths = xcalloc(all + nr_runs + 1, sizeof(*f->paths)),
				   .sums = xcalloc(nr_runs + 1, sizeof(*f->sums)) };
	some = xcalloc(all + 1, sizeof(*some));
	if (all)
		memcpy(some, raws, all * sizeof(*some));
	for (size_t i = 0; i < nr_runs; i++) {
		size_t nr = runs[i].nr_raws;

		runs[i].nr_raws = add_run(f, some + at, nr, most, directory, i + 1);
		at += nr;
	}
	free(some);
}

void
folded_runs_release(struct folded_runs *f)
{
	for (size_t i = 0; i < f->nr_sums; i++) {
		unlink(f->sums[i]);
		free(f->sums[i]);
	}
	free(f->sums);
	free(f->paths);
	*f = (struct folded_runs){ .nr = 0 };
}
