/* How sure it is that two sampled values differ. */
#ifndef CGVIEW_DB_SIGNIFICANCE
#define CGVIEW_DB_SIGNIFICANCE

/* Returns Y - X in standard errors, when X is made of samples that stand for U each, and Y of
 * samples of V each (both positive). It is the exact test of two rates: if both values are the same
 * but for chance, each of all samples together is one of Y with the probability U / (U + V)
 * (Przyborowski and Wilenski 1940). What is returned is the deviation of a normal distribution that
 * is as improbable, on both sides, with the sign of Y - X; 0 without samples. */
double significance(double x, double y, double u, double v);

#endif
