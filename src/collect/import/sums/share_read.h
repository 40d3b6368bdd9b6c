/* Reads a raw profile, or a member of a sum, into a share. */
#ifndef CGVIEW_COLLECT_SHARE_READ_H
#define CGVIEW_COLLECT_SHARE_READ_H

#include "collect/import/samples/foreign.h"
#include "collect/import/sums/share.h"

struct share_reader {
	struct places *places;
	struct foreign foreign;    /* for the maps of the file at hand */
	struct owners owners;      /* of the raw files */
};

void share_reader_init(struct share_reader *sr, struct places *p);
void share_reader_release(struct share_reader *sr);

/* Reads all of R into S, which is new. -1 and ERR: R is damaged or cut, or its program is needed
 * and not there. */
int share_read(struct share_reader *sr, struct share *s, const struct rawfile *r,
	       struct error *err);

/* The stacks of a member, one after the other, checked. */
struct sum_stack_reader {
	const struct rawfile *raw;
	uint64_t at, end;
	bool damaged;              /* stopped at something that is no stack */
	struct sum_stack of;
	uint64_t frames[RAW_MAX_FRAMES];
};
void sum_stacks_begin(struct sum_stack_reader *s, const struct rawfile *r,
		      const struct raw_part *p);
bool sum_stacks_next(struct sum_stack_reader *s);

/* Reads the facts of member R. -1 and ERR: there are none, or they cannot be true. */
int sum_facts_read(const struct rawfile *r, struct sum_facts *f, struct error *err);
/* Returns the time of all its samples, and *SQUARES of the times of each; FACTOR: of what short
 * processes have. */
double sum_facts_ns(const struct sum_facts *f, double factor, double *squares);
/* Returns what sampled the time, as struct model_run has it; heap. */
char *sum_facts_clock(const struct sum_facts *f);

#endif
