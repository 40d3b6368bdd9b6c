/* Solves counts to arcs and aggregate times: the way db -> flow -> db. */
#ifndef CGVIEW_SOLVE_SOLVE
#define CGVIEW_SOLVE_SOLVE

#include "db/model/model.h"
#include "util/error.h"

/* Fill m->arcs from sites, procedures and candidates (direct: by linkage name, within its unit for
 * static procedures; indirect: address-taken procedures of a compatible type, and outside), then
 * aggregate times (aggregate.h) and residuals. Added to the candidates are: an arc from outside to
 * each procedure that code outside can name or was given (see `through` in model.h); an arc to
 * outside for sites without candidates. Arcs that M has are measured, by their member of that name:
 * these calls are facts, the rest is solved, and what is left open is estimated by counts alone.
 * M's pins decide the counts of estimated arcs, not their intervals. Notes of kind "flow" tell what
 * does not fit. */
int model_solve(struct model *m, const struct candidate *candidates, size_t nr, struct error *err);

/* Solves M again, which was solved before and whose pins have changed since. */
int model_solve_again(struct model *m, struct error *err);

#endif
