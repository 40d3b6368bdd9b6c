/* Arrays that may be refused: every allocation of src/flow goes through here and is checked. */
#ifndef CGVIEW_FLOW_ARRAY_H
#define CGVIEW_FLOW_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Allocates NR elements of SIZE bytes, zeroed, never an empty array; NULL when there is no
 * memory. */
static inline void *
array_new(size_t nr, size_t size)
{
	return calloc(nr + 1, size);
}

/* Like array_new(), but not zeroed: for arrays that are filled at once. */
static inline void *
array_raw(size_t nr, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nr + 1, size, &bytes))
		return NULL;
	return malloc(bytes);
}

#endif
