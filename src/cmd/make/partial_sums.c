#include "cmd/make/partial_sums.h"

#include <string.h>

#include "collect/import/rawfile.h"
#include "collect/import/sums/sumfile.h"
#include "util/mem.h"
#include "util/text/path.h"

static const char suffix[] = ".sum.raw";

char *
partial_sum_path(const char *directory, size_t number)
{
	return xasprintf("%s/run%zu%s", directory, number, suffix);
}

bool
partial_sum_is(const char *path)
{
	const char *name = path_base(path);
	size_t n = strlen(name), end = sizeof(suffix) - 1;

	return !strncmp(name, "run", 3) && n > end && !strcmp(name + n - end, suffix);
}

static bool
has(const struct sumfile *s, const char *path)
{
	struct error ignored = ERROR_INIT; /* it is told of where the file is read */
	struct rawfile r;
	uint64_t id;
	bool found = false;

	if (partial_sum_is(path) || rawfile_open(&r, path, &ignored))
		return false;
	id = rawfile_id(&r);
	rawfile_close(&r);
	for (size_t i = 0; i < s->nr_processes && !found; i++)
		found = s->processes[i].id == id;
	return found;
}

static bool
are_beside(const char *a, const char *b)
{
	size_t n = path_directory(a);

	return path_directory(b) == n && !strncmp(a, b, n);
}

size_t
partial_sums_leave_out(const char **paths, size_t nr)
{
	struct error ignored = ERROR_INIT;
	struct sumfile s;

	for (size_t i = 0; i < nr; i++) {
		const char *sum = paths[i];
		size_t left = 0;

		if (!partial_sum_is(sum) || sumfile_open(&s, sum, &ignored))
			continue;
		for (size_t k = 0; k < nr; k++) {
			if (are_beside(paths[k], sum) && has(&s, paths[k]))
				i -= k < i;
			else
				paths[left++] = paths[k];
		}
		nr = left;
		sumfile_close(&s);
	}
	return nr;
}
