/* Makes a database of raw profiles: code that record and import share. */
#ifndef CGVIEW_CMD_MAKE_PROFILE
#define CGVIEW_CMD_MAKE_PROFILE

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "cmd/make/destination.h"
#include "collect/import/counts/candidates.h"
#include "db/model/model.h"
#include "util/error.h"

struct recorded {                  /* what only the starter of the program knows */
	size_t nr_raws;            /* so many raw files are of this run, in their turn */
	const char *const *arguments;
	size_t nr_arguments;
	int status;                /* as from wait4() */
	bool attached;             /* it ran before: neither status nor usage is known */
	struct rusage usage;
	int64_t started_ns;        /* since 1970 */
	uint64_t wall_ns;
	struct baseline {          /* the figures without profiling */
		const char *program;       /* NULL: not run */
		int status;
		struct rusage usage;
		uint64_t wall_ns;
	} baseline;
};

struct foreign_format;
struct make_options {
	struct destination *to;    /* opened */
	const struct recorded *recorded; /* NULL: each raw file is a run of its own */
	size_t nr_recorded;        /* runs that were made one after the other */
	bool append;               /* add to the profile that is there, if there is one */
	bool keep_going;           /* leave out raw files that cannot be imported, and say so */
	bool without_texts;        /* keep no source texts */
	bool quiet;                /* tell nothing when all is well */
	const struct source_paths *source_paths; /* where else they are looked for; or NULL */
	const char *const *logs;   /* what other tools wrote of errors, see defect_log.h */
	size_t nr_logs;
	const char *program;       /* whose profile another tool has written; or NULL */
	const struct foreign_format *format; /* of the raw files, which are another tool's; NULL:
	                                      * they are ours */
	const sigset_t *hold;      /* signals to hold back while the database is put in place */
};

/* May this process open as many more files as the making of a profile needs? -1 and ERR: no; asked
 * before anything is made, as later each reader would tell of it in its own words. */
int make_profile_check_room(struct error *err);

/* Put M in order, see db/model/order.h, with the candidates for its arcs. */
int make_profile_order(struct model *m, struct spill *to, struct candidates *c, struct error *err);

/* Import the raw files (where nobody saw the run: those that raw_check() lets pass), solve for the
 * calls, write the database, tell about it on stderr in one line (and one line for each thing that
 * makes counts doubtful). 1: as destination_put(), or something was left out. -1 and ERR: nothing
 * was changed; with append also: it is of another build, or has a run already. Without raw files
 * the errors of the logs are added to the profile that is there, which is said with append. */
int make_profile(const char *const *raws, size_t nr, const struct make_options *o,
		 struct error *err);

/* Does what make_profile() does at the end: puts the solved model M in place, see
 * destination_put(). */
int make_profile_write(const struct model *m, const struct make_options *o, struct error *err);
/* ... and tell about it. */
void make_profile_tell(const struct model *m, const struct make_options *o);

#endif
