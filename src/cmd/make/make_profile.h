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
#include "util/mem.h"
#include "util/progress.h"

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

/* What is told of a profile that was made: its notes that say that something may be wrong, each
 * with a NUL behind it; one line, up to where the profile is; one about what profiling has cost. */
struct make_told { struct strbuf notes, line, baseline; };
#define MAKE_TOLD_INIT { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT }
void make_told_release(struct make_told *t);

/* Shows on standard error, if that is a terminal, how far something is that takes long. */
struct make_shown { const char *what; int percent; struct progress progress; };
/* Returns what S's work may tell its progress to: "cgview: WHAT  42%"; NULL unless it is LONG and
 * there is a terminal. */
const struct progress *make_shown_begin(struct make_shown *s, const char *what, bool is_long);
void make_shown_end(struct make_shown *s);

struct foreign_format;
struct error_logs;
struct make_options {
	struct destination *to;    /* opened */
	const struct recorded *recorded; /* NULL: each raw file is a run of its own */
	size_t nr_recorded;        /* runs that were made one after the other */
	bool append;               /* add to the profile that is there, if there is one */
	bool keep_going;           /* leave out raw files that cannot be imported, and say so */
	bool without_texts;        /* keep no source texts */
	const char *level_note;    /* see db/model/looks.h; NULL: nothing */
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
/* Does writing M take so long that its progress is shown? */
bool make_profile_is_large(const struct model *m);
/* ... and tell about it; in two steps: what is to be told, and telling it. */
void make_profile_tell(const struct model *m, const struct make_options *o);
void make_profile_collect(struct make_told *t, const struct model *m,
			  const struct make_options *o);
void make_told_print(const struct make_told *t, const struct make_options *o);

/* Makes of M, which is empty, the solved model of the raw files, and of the profile that they are
 * added to; see make_profile(). */
struct raw_check;
int make_profile_model(struct model *m, const char *const *raws, size_t nr,
		       const struct make_options *o, const struct raw_check *left_out,
		       struct error_logs *logs, struct error *err);

#endif
