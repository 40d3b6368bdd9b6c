/* What cgview reduce and cgview-mpi-reduce are told: which files to add up, and to which one. */
#ifndef CGVIEW_CMD_REDUCE_OPTIONS_H
#define CGVIEW_CMD_REDUCE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/make/reduce.h"
#include "util/options.h"

struct reduce_options {
	const char *output, *list;
	const char *here;          /* a pattern of files on each host; NULL: none (MPI only) */
	const char *since;         /* not of MPI */
	uint64_t keep;             /* as fold_init() has it */
	size_t jobs;
	bool keep_going;
	const char **spreads;      /* programs; heap */
	size_t nr_spreads, spreads_alloc;
	char **paths;              /* all that are named */
	size_t nr_paths, paths_alloc;
};

#define REDUCE_OPTIONS_INIT { .keep = REDUCE_KEEP, .jobs = 1 }

/* Rows of their tables. */
#define REDUCE_OPTIONS \
	{ "output", 'o', "OUT", \
	  "write the sum to OUT, which may be one of the sums that are added", \
	  OPTION_TEXT, .offset = offsetof(struct reduce_options, output) }, \
	{ "list", 0, "FILE", \
	  "add the files that FILE names, too, one a line; - is the\n" \
	  "standard input", OPTION_TEXT, .offset = offsetof(struct reduce_options, list) }, \
	{ "keep", 0, "N", \
	  "the first N processes (8) can be looked at alone, by job, rank,\n" \
	  "host, number and start; all, or none. Where a sum that is added\n" \
	  "has kept fewer, fewer are kept", OPTION_CALL, .set = reduce_set_keep }, \
	{ "spread", 0, "PROGRAM", \
	  "tell of each procedure of PROGRAM, or of a library of it, how\n" \
	  "evenly all processes have its calls, work and self time; may be\n" \
	  "said several times", OPTION_CALL, .set = reduce_add_spread }, \
	{ "keep-going", 0, NULL, \
	  "leave out what is missing, damaged or there twice, and say so;\n" \
	  "without it nothing is written then", OPTION_FLAG, \
	  .offset = offsetof(struct reduce_options, keep_going) }
void reduce_set_keep(void *options, char *value);
void reduce_add_spread(void *options, char *value);

/* Notes the files that ARGV names from FIRST on, and those of the list. Ends the program when the
 * list cannot be read, when there is no output, or when that is a file which is not to be
 * replaced. */
void reduce_given(struct reduce_options *o, int first, int argc, char **argv);

void reduce_options_release(struct reduce_options *o);

#endif
