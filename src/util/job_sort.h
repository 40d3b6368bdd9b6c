/* Sorting what may be much: a merge sort that calls job_pause() and tells its progress. */
#ifndef CGVIEW_UTIL_JOB_SORT_H
#define CGVIEW_UTIL_JOB_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts as qsort_r() does; equals keep their order if COMPARE tells apart what it can. Elements
 * that are in order already cost a look at each. During a pause some may be twice in the array, and
 * others not. */
void job_sort(void *base, size_t nr, size_t size,
	      int (*compare)(const void *a, const void *b, void *context), void *context);

/* Things that live elsewhere: *ORDER (heap, the caller's from the beginning) has the numbers 0 ..
 * NR - 1 in order. COMPARE is < 0, 0, > 0 as in qsort(), for things number A and B; equals stay as
 * they were. */
void job_sort_order(uint32_t **order, size_t nr,
		    int (*compare)(const void *context, uint32_t a, uint32_t b),
		    const void *context);

#endif
