/* Adds up raw profiles and sums of them, on several processors: what cgview reduce does, and record
 * with the files of many processes. */
#ifndef CGVIEW_CMD_REDUCE
#define CGVIEW_CMD_REDUCE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

enum { REDUCE_KEEP = 8 };          /* processes that can be looked at alone, if nobody asks */

struct reduce_work {
	const char *const *paths;  /* of raw profiles and sums */
	size_t nr;
	uint64_t keep;             /* as fold_init() has it */
	size_t jobs;               /* so many processes at most, if there is enough for them */
	const char *since;         /* as fold_since() has it; NULL: from the begin */
	const char *const *spreads; /* programs, as fold_spread() has them */
	size_t nr_spreads;
	const char *scratch;       /* their files are SCRATCH.N; NULL: in $TMPDIR */
	bool keep_going;           /* what cannot be added is left out, and complained of; */
	bool *left_out;            /* or, if this is not NULL, only marked here, per path */
	bool passing;              /* it need not be on the disk when the machine stops */
};

/* Writes their sum to OUTPUT, which may be one of them. Its bytes do not depend on the order, or on
 * the jobs. Returns how many were left out; -1 and ERR: nothing was written. */
int reduce_files(const struct reduce_work *w, const char *output, struct error *err);

#endif
