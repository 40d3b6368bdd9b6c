/* Inside src/solve only: figures of measures that are carried up the arcs, as allocations are. */
#ifndef CGVIEW_SOLVE_CARRY_H
#define CGVIEW_SOLVE_CARRY_H

#include "solve/calls.h"

/* Sets the totals of these measures in M's procedures, sites and arcs, and which of them are
 * estimates: what a procedure makes is shared among its callers by the counts of calls, but for
 * what can be reached in one way only. A sum that does not fit is not known, and 0. */
enum flow_status carry_figures(struct model *m, const struct calls *c);

#endif
