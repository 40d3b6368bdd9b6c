/* Inside src/db only: how evenly the ranks of a profile, or its runs, have what they did. */
#ifndef CGVIEW_DB_IMBALANCE_H
#define CGVIEW_DB_IMBALANCE_H

#include "db/model/model.h"
#include "db/store/profile.h"

/* The columns of temp.imbalance: a row for each procedure that some of them executed or spent time
 * in. */
#define IMBALANCE_OF(figure)                                                                     \
	figure "_least, " figure "_least_at, " figure "_mean, " figure "_most, " figure          \
	"_most_at, " figure "_sd, " figure "_imbalance"
#define IMBALANCE_COLUMNS                                                                        \
	"id INTEGER PRIMARY KEY, of, " IMBALANCE_OF("self") ", " IMBALANCE_OF("calls") ", "      \
	IMBALANCE_OF("work") ", self_least_who, self_most_who, calls_least_who, calls_most_who, " \
	"work_least_who, work_most_who"

/* Are two ranks of P told apart, or without ranks two runs? */
bool imbalance_is_there(struct profile *p);
/* Does P tell of several processes of a sum, of all of them? */
bool imbalance_has_spread(struct profile *p);
/* Reads runs and parts of P into M (fresh): model_load_parts(). False: profile_error() is set. */
bool imbalance_load(struct profile *p, struct model *m);
/* Fills that table, which is empty; it stays so where neither is so. A job pauses. Failures set
 * profile_error(). */
void imbalance_fill(struct profile *p);

#endif
