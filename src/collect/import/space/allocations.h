/* The allocations of a model: what each call got of each size class, with its type. */
#ifndef CGVIEW_COLLECT_ALLOCATIONS_H
#define CGVIEW_COLLECT_ALLOCATIONS_H

#include "db/model/parts.h"
#include "util/index.h"

struct allocations { struct index by_size; };

/* Adds the counts of A to M's allocation of its call and size class, which is made if it is not
 * there, and to PART (NULL: nobody asks). */
void allocations_add(struct allocations *s, struct model *m, struct part_entries *part,
		     const struct model_allocation *a);
void allocations_release(struct allocations *s);

/* Are they of one call, and of one size class or pool? The hash is of these. */
bool allocations_alike(const struct model_allocation *x, const struct model_allocation *y);
uint64_t allocations_hash(const struct model_allocation *a);

/* Returns the type to show for a call that gets blocks of type X or Y (NULL: unknown), where one
 * cannot be told from the other; it may be in ARENA. */
const char *allocations_type(struct arena *arena, const char *x, const char *y);

#endif
