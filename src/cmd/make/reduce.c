#include "cmd/make/reduce.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/import/sums/since.h"
#include "db/store/new_file.h"
#include "util/child.h"
#include "util/mem.h"

/* Begins F anew, for OUTPUT. */
static int
begin(struct fold *f, const struct reduce_work *w, const char *output, struct error *err)
{
	int status = 0;

	fold_release(f);
	fold_init(f, w->keep, output);
	for (size_t i = 0; i < w->nr_spreads && !status; i++)
		status = fold_spread(f, w->spreads[i], err);
	return status;
}

/* Adds to the spreads what every STEP-th path from FIRST on did, but those that were left OUT. */
static int
add_spreads(struct fold *f, const struct reduce_work *w, size_t first, size_t step,
	    const bool *out, struct error *err)
{
	int status = 0;

	for (size_t i = first; i < w->nr && w->nr_spreads && !status; i += step)
		status = out[i] ? 0 : fold_add_spread(f, w->paths[i], err);
	return status;
}

/* Adds every STEP-th path from FIRST on. Returns how many were left out; -1 and ERR: nothing is to
 * be written. */
static int
add_paths(struct fold *f, const struct reduce_work *w, size_t first, size_t step, struct error *err)
{
	bool *out = xcalloc(w->nr, sizeof(*out));
	int left_out = 0;

	for (size_t i = first; i < w->nr && left_out >= 0; i += step) {
		struct error e = ERROR_INIT;

		if (!fold_add(f, w->paths[i], &e))
			continue;
		out[i] = true;
		left_out++;
		if (!w->keep_going || step > 1 || f->stacks.problem.set)
			left_out = error_copy(err, &e);
		else if (w->left_out)
			w->left_out[i] = true;
		else
			complain("left out: %s", e.text);
	}
	if (left_out >= 0 && !f->nr_processes)
		left_out = error_set(err, "none of the files can be added");
	if (left_out >= 0 && add_spreads(f, w, first, step, out, err))
		left_out = -1;
	free(out);
	return left_out;
}

/* Part NUMBER of the work, in a child: a sum in TO. */
static void __attribute__((noreturn))
run_part(const struct reduce_work *w, size_t number, const char *to)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct error err = ERROR_INIT;
	struct fold f = { .keep = 0 };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		signal(ends[i], SIG_DFL); /* the first process says what is to be said */
	child_end(begin(&f, w, to, &err) ||
		  add_paths(&f, w, number, w->jobs, &err) || fold_write(&f, to, true, &err));
}

/* Adds what several processes have added up. Returns false when one of them met with any trouble:
 * then one process does it all, so that what is told does not depend on their number. */
static bool
add_in_parts(struct fold *f, const struct reduce_work *w)
{
	char **parts = xcalloc(w->jobs, sizeof(*parts));
	pid_t *children = xcalloc(w->jobs, sizeof(*children));
	struct error err = ERROR_INIT;
	bool good = true;
	int status;

	for (size_t i = 0; i < w->jobs && good; i++) {
		parts[i] = w->scratch ? xasprintf("%s.%zu", w->scratch, i)
				      : new_file_temporary(&err);
		children[i] = parts[i] ? fork() : -1;
		if (!children[i])
			run_part(w, i, parts[i]);
		good = children[i] > 0;
	}
	for (size_t i = 0; i < w->jobs; i++) {
		while (children[i] > 0 && waitpid(children[i], &status, 0) < 0)
			if (errno != EINTR)
				status = -1;
		good = good && !status && !fold_add(f, parts[i], &err);
		if (parts[i])
			unlink(parts[i]);
		free(parts[i]);
	}
	free(parts);
	free(children);
	return good;
}

int
reduce_files(const struct reduce_work *given, const char *output, struct error *err)
{
	enum { MANY = 32 }; /* for each of several processes */
	struct reduce_work w = *given;
	int left_out = 0;
	struct fold f = { .keep = 0 };

	if (begin(&f, &w, output, err)) {
		fold_release(&f);
		return -1;
	}
	if (w.nr / MANY < w.jobs)
		w.jobs = w.nr / MANY;
	if (w.jobs < 2 || !add_in_parts(&f, &w))
		left_out = begin(&f, &w, output, err) ? -1 : add_paths(&f, &w, 0, 1, err);
	if (left_out >= 0 && fold_check_spreads(&f, err))
		left_out = -1;
	if (left_out >= 0 && w.since && fold_since(&f, w.since, err))
		left_out = -1;
	if (left_out >= 0 && fold_write(&f, output, w.passing, err))
		left_out = -1;
	fold_release(&f);
	return left_out;
}
