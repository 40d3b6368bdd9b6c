/* Profiles of tools that count what is executed, and know nothing of times and of who called what:
 * gcov, lcov, llvm-cov. A reader tells of functions, lines and ranges; coverage_finish() makes a
 * model of them, in which these are counted and no call is known. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_COVERAGE_COVERAGE_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_COVERAGE_COVERAGE_H

#include "collect/import/unpack.h"
#include "db/model/model.h"
#include "util/error.h"
#include "util/text/json.h"

struct coverage;
/* PATH: the file that is read, the first one of several; a source that was written later than that
 * may be another one. */
struct coverage *coverage_new(struct model *m, const char *path);
void coverage_free(struct coverage *c);

/* Returns the model's file that a tool, working in DIRECTORY ("": not known), calls NAME. */
model_id coverage_file(struct coverage *c, const char *directory, const char *name);

/* Returns the procedure; of one that was told before, the counts are added. PLACE: all that is
 * known of it, 0 the rest; UNNAMED: its first line is that of the body, so that the name is looked
 * for above it. LINKAGE tells procedures of a file and line apart. */
struct covered_function {
	const char *linkage;
	struct place place;
	bool unnamed;
	uint64_t count;
};
model_id coverage_function(struct coverage *c, const struct covered_function *f);

/* Adds COUNT to a line. PROCEDURE: the code is its; 0: not known, the line alone counts. */
void coverage_line(struct coverage *c, model_id procedure, model_id file, uint32_t line,
		   uint64_t count);

/* Adds COUNT to a range of PROCEDURE; lines stay as they are. */
void coverage_range(struct coverage *c, model_id procedure, const struct place *place,
		    enum range_kind kind, uint64_t count);

/* Adds COUNT to a way of a condition of PROCEDURE, 0: not known. Of tools that know lines only
 * PLACE has a line, KIND is BRANCH_LINE and NUMBER tells conditions of the line apart. */
void coverage_branch(struct coverage *c, model_id procedure, const struct place *place,
		     enum branch_kind kind, uint32_t number, uint32_t way, uint64_t count);

/* Functions and lines of one file, in any order: lines find their functions by name, or are of the
 * one that they are in. */
struct covered_line {
	const char *function;      /* linkage name; NULL: not told */
	uint32_t line;
	uint64_t count;
};
struct covered_branch {
	const char *function;      /* as of lines */
	uint32_t line, number, way;
	uint64_t count;
};
struct covered_file {
	const char *name;
	struct covered_function *functions; /* their places without a file */
	struct covered_line *lines;
	size_t nr_functions, functions_alloc, nr_lines, lines_alloc;
	struct covered_branch *branches;
	size_t nr_branches, branches_alloc;
};
/* Adds all of F, and empties it, but for its room. */
void coverage_take_file(struct coverage *c, const char *directory, struct covered_file *f);
void covered_file_release(struct covered_file *f);

/* Counts as tools print them: negative ones, which come of overflows, are taken as 0, and told. */
uint64_t coverage_count(struct coverage *c, const struct json *number);

/* Ends the model: texts, places, the run. TOOL: "gcov 12.2.0". PATH: the profile, for
 * messages; UID: its owner, who must be able to read the sources. -1 and ERR: nothing was told. */
int coverage_finish(struct coverage *c, const char *tool, const char *path, uid_t uid,
		    struct error *err);

#endif
