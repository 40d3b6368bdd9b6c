/* Checks whether profiles can be added up: their builds and their runs. */
#ifndef CGVIEW_CMD_MERGE_CHECK
#define CGVIEW_CMD_MERGE_CHECK

#include <stdbool.h>

#include "db/model/model.h"
#include "util/error.h"
#include "util/index.h"

struct known_build { const char *path, *build_id, *profile; size_t group; bool program; };
struct known_run { uint64_t key; const char *profile; };

struct merge_check {
	bool any_build;            /* builds may differ */
	bool raws;                 /* these are raw files: of any programs, and one that has the
				    * name of another must be of its build, too */
	struct known_build *builds;
	struct known_run *runs;
	struct index by_key;       /* runs */
	size_t nr_builds, builds_alloc, nr_runs, runs_alloc;
	struct arena arena;
};

void merge_check_init(struct merge_check *c);
void merge_check_release(struct merge_check *c);

/* Checks the runs and modules (model_load_runs()) of the next profile. PROFILE, its path, must live
 * on. Returns -1 and ERR when it is of another build, or has a run that one before it has; then it
 * is as if it had not been checked. */
int merge_check_add(struct merge_check *c, const struct model *m, const char *profile,
		    struct error *err);

/* Like merge_check_add(), but checks the runs only. */
int merge_check_add_runs(struct merge_check *c, const struct model *m, const char *profile,
			 struct error *err);

/* Called when all were checked: has M, one of them, anything to do with FIRST, another? Returns -1
 * and ERR when it is of another program. */
int merge_check_related(const struct merge_check *c, const struct model *m, const char *profile,
			const struct model *first, const char *first_profile, struct error *err);

/* Are A and B of the same builds, at the same places? */
bool merge_check_same(const struct model *a, const struct model *b);

/* One path for programs and libraries of one build, wherever they were: the first in the order of
 * texts. */
void merge_check_rename(const struct merge_check *c, struct model *m);

#endif
