/* A merge sort that can be left and gone on with, of an array where it stands. */
#ifndef CGVIEW_UTIL_SLICESORT_H
#define CGVIEW_UTIL_SLICESORT_H

#include <stdbool.h>
#include <stddef.h>

struct slice_sort {
	char *base;              /* the caller's, and not touched by it until all is done */
	size_t nr, size;         /* elements, bytes of one */
	int (*compare)(const void *a, const void *b, void *context);
	void *context;
	/* Where it was left. */
	size_t width, at;        /* of sorted runs; what is done of this round */
	size_t i, j, k;          /* of the merge that goes on: from left, from the array, to */
	size_t nr_left, end;
	char *left;              /* a copy of the left run; NULL: nothing is being merged */
};

/* COMPARE is as for qsort_r(). Elements that are in order already cost a look at each. */
void slice_sort_begin(struct slice_sort *s, void *base, size_t nr, size_t size,
		      int (*compare)(const void *a, const void *b, void *context), void *context);
/* Go on until ENOUGH(CONTEXT) (NULL: to the end). True: sorted, nothing is left to release. */
bool slice_sort_work(struct slice_sort *s, bool (*enough)(void *context), void *context);
/* How much of it is done, about: 0 to 1. */
double slice_sort_done(const struct slice_sort *s);
void slice_sort_release(struct slice_sort *s);

#endif
