/* Helps to write functions that compare for qsort(). */
#ifndef CGVIEW_UTIL_ORDER_H
#define CGVIEW_UTIL_ORDER_H

/* Returns from the function with the order of A and B, the smaller first, unless they are equal. */
#define COMPARE(a, b) do { if ((a) != (b)) return (a) < (b) ? -1 : 1; } while (0)

#endif
