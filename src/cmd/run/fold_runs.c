#include "cmd/run/fold_runs.h"

#include <stdlib.h>
#include <unistd.h>

#include "cmd/make/reduce.h"
#include "util/mem.h"

/* Returns the sum of the NR files RAWS, run NUMBER's; heap. NULL: there is none. */
static char *
add_up(const char *const *raws, size_t nr, const char *directory, size_t number)
{
	char *sum = xasprintf("%s/run%zu.sum", directory, number);
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const struct reduce_work w = {
		.paths = raws, .nr = nr, .keep = REDUCE_KEEP, .scratch = sum,
		.jobs = processors > 1 ? (size_t)processors : 1,
	};
	struct error ignored = ERROR_INIT;

	if (!reduce_files(&w, sum, &ignored))
		return sum;
	free(sum);
	return NULL;
}

void
folded_runs_make(struct folded_runs *f, const char *const *raws, struct recorded *runs,
		 size_t nr_runs, const char *directory)
{
	size_t all = 0;

	for (size_t i = 0; i < nr_runs; i++)
		all += runs[i].nr_raws;
	*f = (struct folded_runs){ .paths = xcalloc(all + 1, sizeof(*f->paths)),
				   .sums = xcalloc(nr_runs + 1, sizeof(*f->sums)) };
	for (size_t i = 0; i < nr_runs; i++) {
		size_t nr = runs[i].nr_raws;
		char *sum = nr > FOLD_FROM ? add_up(raws, nr, directory, i + 1) : NULL;

		if (sum) {
			f->paths[f->nr++] = f->sums[f->nr_sums++] = sum;
			runs[i].nr_raws = 1;
		}
		for (size_t k = 0; k < nr && !sum; k++)
			f->paths[f->nr++] = raws[k];
		raws += nr;
	}
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
