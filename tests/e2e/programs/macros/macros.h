/* Macros of pieces that are alternatives or statements, or vanish; a procedure of two units. */
#ifndef MACROS_H
#define MACROS_H
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(x, lo, hi) \
	((x) < (lo) ? (lo) : \
	 (x) > (hi) ? (hi) : (x))
#define SWAP(a, b) do { \
		int t_ = (a); \
		(a) = (b); \
		(b) = t_; \
	} while (0)
#define UP(i) ((i) + 1)
#define UP2(i) UP(UP(i))
static inline int sq(int x)
{
	if (x < 0)
		return -x * x;
	return x * x;
}
#endif
