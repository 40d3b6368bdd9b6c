/* What record and import have in common: raw profiles become a database. */
#ifndef CGVIEW_MAKE_PROFILE_H
#define CGVIEW_MAKE_PROFILE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "collect/candidates.h"
#include "db/model.h"
#include "util/error.h"

struct recorded {                  /* what only the starter of the program knows */
	size_t nr_raws;            /* so many raw files are of this run, in their turn */
	const char *const *arguments;
	size_t nr_arguments;
	int status;                /* as from wait4() */
	struct rusage usage;
	int64_t started_ns;        /* since 1970 */
	uint64_t wall_ns;
	struct baseline {          /* the same without profiling */
		const char *program;       /* NULL: not run */
		int status;
		struct rusage usage;
		uint64_t wall_ns;
	} baseline;
};

struct make_options {
	const char *output;
	const struct recorded *recorded; /* NULL: each raw file is a run of its own */
	size_t nr_recorded;        /* runs that were made one after the other */
	bool append;               /* add to the profile that is there, if there is one */
	const sigset_t *hold;      /* signals to hold back while the database is put in place */
};

/* Put M in order, see db/order.h, with the candidates for its arcs. */
int make_profile_order(struct model *m, struct spill *to, struct candidates *c, struct error *err);

/* Import the raw files, solve for the calls, write the database, tell about it on stderr in one
 * line (and one line for each thing that makes counts doubtful). A profile that is there already is
 * kept as OUTPUT.old. -1 and ERR: nothing was changed; with append also: it is of another build. */
int make_profile(const char *const *raws, size_t nr, const struct make_options *o,
		 struct error *err);

/* What make_profile() does at the end: put the solved model M in place. */
int make_profile_write(const struct model *m, const struct make_options *o, struct error *err);
/* ... and tell about it. */
void make_profile_tell(const struct model *m, const struct make_options *o);

/* Arcs and times of M, which has none yet. */
int make_profile_solve(struct model *m, const struct candidates *c, struct error *err);

/* Can OUTPUT be written? -1 and ERR: its directory cannot be written, or it is something that must
 * not be replaced (a directory, a device, a file that is no profile). */
int make_profile_check(const char *output, struct error *err);

/* Would writing OUTPUT do away with one of the profiles INPUTS that are read for it? -1 and ERR: it
 * is one of them, whatever its name (unless the command ADDS to it: then it is in the sum and kept
 * as OUTPUT.old), or one of them is OUTPUT.old. */
int make_profile_check_inputs(const char *output, bool adds, const char *const *inputs, size_t nr,
			      struct error *err);

#endif
