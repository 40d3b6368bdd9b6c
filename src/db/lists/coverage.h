/* How much of a program was executed: lines, blocks and the ways of conditions. */
#ifndef CGVIEW_DB_COVERAGE_H
#define CGVIEW_DB_COVERAGE_H

#include "db/store/profile.h"

enum coverage_of { COVERAGE_LINES, COVERAGE_BLOCKS, COVERAGE_BRANCHES, NR_COVERAGE };
extern const char *const coverage_names[NR_COVERAGE + 1]; /* "lines"; NULL at the end */

struct coverage {
	uint64_t all, executed;
	uint64_t uncounted;      /* of all: it is not known whether they were executed */
};

/* Sets OF to the sums of all files, or of those whose path GLOB (NULL: all) matches, as
 * LIST_COVERAGE has them in its first row. What the profile does not know has 0 of all. */
void profile_coverage(struct profile *p, const char *glob, struct coverage of[NR_COVERAGE]);

/* A condition, with all copies of its text. */
struct condition {
	model_id procedure;      /* the first; 0: not known */
	struct place place;
	enum branch_kind kind;
	uint32_t number;         /* as of branches */
	uint32_t ways, taken;    /* how many it has, and how many were taken */
	uint32_t uncounted;      /* ways that may have been taken or not */
	uint64_t count;          /* how often it was tested: the sum over its ways */
	const struct condition_way *of; /* WAYS of them, in order */
};
struct condition_way {
	uint32_t way;            /* as of branches */
	uint32_t to_line;
	uint64_t count;
	bool uncounted;
};

/* Sets *CONDITIONS to those of P by place, which P owns. Returns how many there are. */
size_t profile_conditions(struct profile *p, const struct condition **conditions);

/* Some of them, by place; those of a profile, whose ways are the profile's, too. */
struct conditions {
	struct condition *items;
	struct condition_way *ways; /* of these */
	size_t nr, alloc, nr_ways, ways_alloc;
};
/* Sets *C to those that begin on lines FIRST..LAST of FILE. The first looks are quick, where
 * profile_conditions() sorts all. The caller releases *C, before P is closed. */
void profile_conditions_at(struct profile *p, model_id file, uint32_t first, uint32_t last,
			   struct conditions *c);
void conditions_release(struct conditions *c); /* and makes it empty */

/* Was it tested, and is there a way that it certainly never went? */
bool condition_is_one_way(const struct condition *c);

/* Appends what the way W of C is, in the words of the next. */
void condition_put_way(struct strbuf *out, const struct condition *c,
		       const struct condition_way *w);
/* Appends which ways were never taken: "true", "false", "case of line 12", "no case", "way 3". */
void condition_put_missing(struct strbuf *out, const struct condition *c);

/* Inside src/db: make the temporary tables of LIST_COVERAGE, LIST_COVERED and LIST_BRANCH, if they
 * are not made already, and return how many rows they have. */
uint64_t covered_make(struct profile *p);
uint64_t coverage_make(struct profile *p, const char *glob);
uint64_t conditions_make(struct profile *p);

#endif
