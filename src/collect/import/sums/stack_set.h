/* The different stacks of a share, each with its figures. Beyond some of them they are put aside:
 * sorted, as a run in a file that all shares of a sum have together. So how much memory they take
 * does not depend on how many there are. */
#ifndef CGVIEW_COLLECT_STACK_SET_H
#define CGVIEW_COLLECT_STACK_SET_H

#include <stdbool.h>

#include "collect/sum.h"
#include "util/error.h"
#include "util/index.h"
#include "util/spill.h"

struct places;

struct stack_record {              /* as in a member of a sum, but for the addresses */
	struct sum_stack of;
	uint64_t frames[];         /* as addresses in places, or 0 */
};
static inline size_t
stack_record_size(const struct sum_stack *of)
{
	return sizeof(*of) + of->nr_frames * sizeof(uint64_t);
}

/* The file. */
struct stack_store {
	const struct places *places;
	const char *beside;        /* in the directory of this file; NULL: in $TMPDIR */
	struct spill file;
	size_t most;               /* bytes of the stacks of a share that stay in memory */
	struct error problem;      /* the first: then some stacks are lost */
};

struct stack_set {
	struct stack_store *store;
	const char *program;       /* its own code comes first in the order */
	char *bytes;               /* struct stack_record[]: those in memory */
	size_t length, alloc;
	struct index index;        /* of these; an item is where it begins, in words of 8 bytes */
	struct stack_run { uint64_t at, length; unsigned level; } *runs;
	size_t nr_runs, runs_alloc;
	bool *used;                /* by place: some address is in it */
	size_t nr_used, used_alloc;
};

void stack_store_init(struct stack_store *t, const struct places *p, const char *beside);
void stack_store_release(struct stack_store *t);

void stack_set_init(struct stack_set *s, struct stack_store *t);
void stack_set_release(struct stack_set *s); /* it is empty then */

/* FRAMES are OF->nr_frames. What fails is kept in the store. */
void stack_set_add(struct stack_set *s, const struct sum_stack *of, const uint64_t *frames);
/* Adds all of FROM, which is of the same program and store, and is only to be released then. */
void stack_set_take(struct stack_set *s, struct stack_set *from);

/* All of them, once each, in the order that they have in a member. Nothing is added meanwhile. */
struct stack_set_reader {
	struct stack_set *stacks;
	int *rank;                 /* by place, as places_order() has it */
	uint32_t *order;           /* of those in memory, where they begin */
	struct stack_source *sources; /* a heap */
	size_t nr, nr_opened;
	struct stack_record *now;  /* the current one */
};
void stack_set_read_begin(struct stack_set_reader *r, struct stack_set *s);
bool stack_set_next(struct stack_set_reader *r);
void stack_set_read_end(struct stack_set_reader *r);

/* The order of two, RANK as above; equal ones differ in their figures only. */
int stack_compare(const struct stack_record *a, const struct stack_record *b, const int *rank);

#endif
