/* Inside src/compare: the neighbours of a procedure: its callers and callees, and what stands above
 * and below it in its file. If they are the same in two profiles, they identify the procedure, even
 * if its text has changed. */
#ifndef CGVIEW_COMPARE_VICINITY_H
#define CGVIEW_COMPARE_VICINITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/match/side.h"

/* A procedure, and what is around it. */
struct around {
	size_t profile;
	model_id procedure;
	/* Ascending: entities that both profiles have, and what each is to it. Of many those with
	 * the smallest numbers. */
	const uint32_t *known;
	uint32_t nr;             /* 0 for what is matched itself */
	uint32_t above, below;   /* how many stand between it and the known ones in its file */
};

struct vicinity;

/* For the procedures in A and B, whose profile and number are set, in M as it is matched with
 * profile K. Of each text GRAMS 3-grams are looked at. Heap; A and B stay. NULL: a profile is
 * damaged, with its profile_error(). */
struct vicinity *vicinity_new(struct match *m, size_t k, size_t grams, struct around *a,
			      size_t nr_a, struct around *b, size_t nr_b);
/* Looks around those of A and B that are not matched yet. Returns how many steps that took. */
size_t vicinity_update(struct vicinity *v);
void vicinity_free(struct vicinity *v);
/* Which of B have most around them that A has around it, too: at most MOST. */
size_t vicinity_leads(struct vicinity *v, const struct around *a, uint32_t *best, size_t most);

/* How much of what is around them agrees, 0 to 1. *EVIDENCE: how much that is; what many
 * procedures have around them counts less. */
double vicinity_agrees(const struct vicinity *v, const struct around *a, const struct around *b,
		       double *evidence);

#endif
