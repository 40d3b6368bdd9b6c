/* Inside src/compare: procedures that nothing equal is found for, and which of the other profile
 * each of them has become. */
#ifndef CGVIEW_COMPARE_COUNTERPART_H
#define CGVIEW_COMPARE_COUNTERPART_H

#include <stddef.h>
#include <stdint.h>

#include "compare/match/side.h"

/* Procedures without a counterpart: entities before profile K, and indices of procedures of K. */
struct unmatched {
	struct keyed *old, *new;
	size_t nr_old, nr_new;
};

/* Calls PAIR for procedures that belong together by their texts (about GRAMS 3-grams are looked at)
 * and by their neighbours. PAIR notes it in M. Returns -1 when a profile is damaged, with its
 * profile_error(). */
int counterparts_find(struct match *m, size_t k, const struct unmatched *u, size_t grams,
		      void (*pair)(void *context, uint32_t entity, uint32_t index, double alike),
		      void *context);

#endif
