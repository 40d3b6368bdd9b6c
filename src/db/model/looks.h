/* Recording two programs until it is clear how they differ: `cgview record --against`. After 3, 5,
 * 10 and 20 pairs of runs it is looked whether that is so, and who looks often enough sees a
 * difference some time where there is none. So what may be claimed falsely is spent in advance: of
 * the 5 % each look has a share, by the spending function alpha ln(1 + (e - 1) n / 20) of Lan and
 * DeMets (Biometrika 70, 1983), which is close to Pocock's bounds. A look is judged by its own
 * share alone. As all shares together are the 5 %, no rule of stopping can make more false claims,
 * whatever it goes by (Bonferroni's inequality). The profiles keep the share, and comparisons are
 * judged by it: profile_level(). */
#ifndef CGVIEW_DB_LOOKS
#define CGVIEW_DB_LOOKS

#include <stddef.h>

enum { NR_LOOKS = 4 };

/* Returns after how many pairs look I is, from 0. */
size_t look_after(size_t i);
/* Returns what it may claim falsely. */
double look_level(size_t i);

enum look {
	LOOK_GO_ON,
	LOOK_DIFFERS,            /* beyond chance, at the level of the look */
	LOOK_PRECISE,            /* a change of LOOK_SHARE would have been seen */
};
#define LOOK_SHARE 0.02
/* What N values of each program (three at least) say at LEVEL. */
enum look look_at(const double *a, const double *b, size_t n, double level);

#endif
