/* What was executed, file by file, for the formats of coverage. Only what was counted is here: a
 * row of which it is not known whether it was ever executed is left out. */
#ifndef CGVIEW_PRINT_EXPORT_COVERAGE
#define CGVIEW_PRINT_EXPORT_COVERAGE

#include "db/lists/coverage.h"
#include "print/export/export.h"

/* The tables that it is made of. */
#define EXPORT_COVERAGE_TABLES \
	(EXPORT_TABLE(FILE) | EXPORT_TABLE(PROCEDURE) | EXPORT_TABLE(LINE) | EXPORT_TABLE(BLOCK))

struct export_function {
	const struct model_procedure *of; /* the first of those that have name and line in common */
	const char *name;          /* as the linker has it, where it has one */
	uint64_t calls;            /* their sum */
	uint64_t blocks, blocks_executed;
	bool at_least;             /* the count is a lower bound */
};

struct export_line {
	uint32_t line;
	uint64_t count;
	bool at_least;             /* as of functions; such a count is never 0 */
	bool part_unexecuted;      /* code on it was never executed */
	size_t first, nr_conditions; /* of the file's */
	size_t ways, ways_taken;   /* of these conditions */
};

/* A file with code that was counted. */
struct export_covered_file {
	const char *path;
	struct export_function *functions;  /* by line, then name */
	struct export_line *lines;          /* by line */
	size_t nr_functions, functions_alloc, nr_lines, lines_alloc;
	size_t functions_hit, lines_hit;    /* that were executed */
	/* By line; of a line without a row of its own, those of the one before. */
	const struct condition **conditions;
	size_t nr_conditions, conditions_alloc;
	size_t ways, ways_taken;
};

struct export_coverage {
	const struct export *e;
	struct export_covered_file file;    /* the one that export_coverage_next() came to */
	model_id at;               /* its id */
	uint32_t *functions, *lines, *blocks; /* positions in the model, by file and line */
	size_t nr_functions, nr_lines, nr_blocks, function_at, line_at, block_at;
	uint64_t *nr_of, *executed_of;      /* blocks, by procedure - 1 */
	const struct condition *conditions; /* of the whole profile, by file and line */
	size_t nr_conditions, condition_at;
};
void export_coverage_init(struct export_coverage *c, const struct export *e);
/* Goes to the next file. False: there is none. */
bool export_coverage_next(struct export_coverage *c);
/* Goes back before the first file. */
void export_coverage_rewind(struct export_coverage *c);
void export_coverage_release(struct export_coverage *c);

/* Returns the innermost function of FILE that LINE is in; NULL: none is known. */
const struct export_function *export_function_at(const struct export_covered_file *file,
						 uint32_t line);

#endif
