/* For functions that compare, as qsort() wants them. */
#ifndef CGVIEW_UTIL_ORDER_H
#define CGVIEW_UTIL_ORDER_H

/* Return what tells the order of A and B, the smaller first, unless they are the same. */
#define COMPARE(a, b) do { if ((a) != (b)) return (a) < (b) ? -1 : 1; } while (0)

#endif
