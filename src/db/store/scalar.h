/* One SQL scalar expression, which SQLite evaluates again and again with other figures. It may come
 * from anywhere: it runs in an empty database in memory, never in a profile; an authorizer lets it
 * call scalar functions and nothing else; lengths and the time are limited. */
#ifndef CGVIEW_DB_SCALAR_H
#define CGVIEW_DB_SCALAR_H

#include <stddef.h>

#include "db/model/scalar_value.h"
#include "util/error.h"

struct scalar;

enum { SCALAR_MAX_PARAMETERS = 200, SCALAR_MAX_SQL = 8000 };

/* Prepare EXPRESSION, which has the parameters ?1..?NR. Besides SQLite's own scalar functions it
 * may call
 *   ratio(x, y)            x / y as a real; infinite when only y is 0, NULL when both are
 *   share(x, total)        percent that x is of total
 *   growth(x, y, m, n)     exponent e with y / x = (n / m)^e; NULL unless all are positive and m,
 *                          n differ
 *   signif(x, y, u, s, v, t) significance() of y - x, when x is sampled with one sample each u, and
 *                          y with one each v, and the variance of their ratio is s + t
 * any of them NULL when an argument is. NULL: ERR says why; *PLACE is the offset in EXPRESSION of
 * what is wrong, or -1. */
struct scalar *scalar_open(const char *expression, int nr, struct error *err, int *place);
void scalar_close(struct scalar *s);

/* Limits the CPU time of all evaluations from now on together to MS milliseconds. */
void scalar_deadline(struct scalar *s, unsigned ms);

/* Sets parameter I (from 1 on); it stays until it is set again. */
void scalar_bind(struct scalar *s, int i, const struct scalar_value *value);

/* Computes the value. Returns -1 and ERR (deadline, a text too long, not a number). */
int scalar_run(struct scalar *s, struct scalar_value *value, struct error *err);

#endif
