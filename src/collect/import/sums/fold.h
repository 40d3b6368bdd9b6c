/* Adding up raw profiles and sums of them to one sum (cgview reduce): associative and commutative.
 * It holds a share for each program, one for each process that is kept, and the list of processes;
 * how many there are makes no other difference. */
#ifndef CGVIEW_COLLECT_FOLD_H
#define CGVIEW_COLLECT_FOLD_H

#include <stdio.h>

#include "collect/import/sums/derive.h"
#include "collect/import/sums/share_read.h"
#include "collect/import/sums/sumfile.h"

struct folded_process {
	struct sum_process of;     /* without host, job and member */
	const char *host, *job;
	struct share *share;       /* that it is in */
};

/* How evenly processes have what the procedures of a place did; see struct sum_spread. */
struct spread {
	int place;
	uint64_t hash, processes;
	uint32_t first, nr_procedures;
	struct sum_spread_row (*rows)[SUM_SPREAD_FIGURES]; /* processes: numbers in the fold */
};

struct fold {
	struct places places;
	struct share_reader reader;
	struct stack_store stacks; /* that are put aside */
	struct folded_process *processes;
	size_t nr_processes, processes_alloc;
	struct index by_id;
	struct share **programs;   /* those that were not kept, a share for each program */
	size_t nr_programs, programs_alloc;
	uint64_t keep;
	uint32_t *kept;            /* processes with a share of their own, in their order */
	size_t nr_kept, kept_alloc;
	struct derive **derives;   /* programs that a spread is asked of */
	size_t nr_derives, derives_alloc;
	struct spread *spreads;
	size_t nr_spreads, spreads_alloc;
};

/* KEEP: so many processes are kept at most; fewer where a sum that is added has kept fewer. What
 * does not stay in memory is put beside OUTPUT, which is the caller's; NULL: in $TMPDIR. F is not
 * moved. */
void fold_init(struct fold *f, uint64_t keep, const char *output);
void fold_release(struct fold *f);

/* Adds the raw profile or sum PATH. -1 and ERR: it is damaged or cut, cannot be read, or has a
 * process that is there already; then nothing of it was added. Or there is no room on the disk for
 * what is put aside: F is only to be released then, whatever is done fails in the same way. */
int fold_add(struct fold *f, const char *path, struct error *err);

/* Asks for a spread of PROGRAM, before anything is added. -1 and ERR: it cannot be used. */
int fold_spread(struct fold *f, const char *program, struct error *err);
/* Adds to the spreads what the raw profile PATH did, which was added; a sum's are there already.
 * Only when all files are added is it known where samples fell. -1 and ERR: it cannot be read any
 * more, or a program's debug information cannot. */
int fold_add_spread(struct fold *f, const char *path, struct error *err);
/* Is there a spread of all that was asked for? Else -1 and ERR. */
int fold_check_spreads(const struct fold *f, struct error *err);

/* Writes the sum to PATH, which is replaced when it is complete (PASSING: it need not be on the
 * disk when the machine stops); or to OUT, which stands at its begin, is a file, and is to be
 * flushed by the caller. -1 and ERR. */
int fold_write(struct fold *f, const char *path, bool passing, struct error *err);
int fold_write_to(struct fold *f, FILE *out, struct error *err);

/* Fills ERR: P of HOST, which PATH has, is there already. Returns -1. */
int fold_twice(const struct sum_process *p, const char *host, const char *path, struct error *err);

/* Returns the number of the place of S's program itself; -1: only libraries of it count. */
int fold_program_place(const struct fold *f, const struct share *s);

/* Returns the number of the process with ID, which is there. */
uint32_t fold_process(const struct fold *f, uint64_t id);

/* The order of processes; see struct sum_process. */
int folded_compare(const struct folded_process *a, const struct folded_process *b);

#endif
