/* Arcs and times of rows that have no counts of their own: of foreign code (PROCEDURE_FOREIGN), and
 * of what was only sampled (procedure_is_counted()). */
#ifndef CGVIEW_SOLVE_FOREIGN
#define CGVIEW_SOLVE_FOREIGN

#include <stdbool.h>

#include "db/model/model.h"

static inline bool
is_foreign(const struct model *m, model_id procedure)
{
	return procedure && m->procedures[procedure - 1].flags & PROCEDURE_FOREIGN;
}

/* Has PROCEDURE no counts: foreign code, and what was only sampled? */
static inline bool
is_uncounted_row(const struct model *m, model_id procedure)
{
	return procedure && !procedure_is_counted(&m->procedures[procedure - 1]);
}

/* Returns the foreign row that each direct call names, heap, by the site's id; 0: none. */
model_id *foreign_targets(const struct model *m);

/* The arcs of M are solved and sorted. Adds an ARC_SAMPLED for each site from which stacks lead
 * without an arc, if it or what it called has no counts, and sets the calls of foreign rows. */
void foreign_add_arcs(struct model *m);

/* Sets the own times of all procedures. */
void foreign_store_own(struct model *m);

#endif
