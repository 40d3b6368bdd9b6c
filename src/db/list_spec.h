/* Inside src/db only: the SQL of every kind of listing, as data. */
#ifndef CGVIEW_DB_LIST_SPEC_H
#define CGVIEW_DB_LIST_SPEC_H

#include "db/profile.h"

/* One column: how its values are sorted, in its natural direction (numbers descending, texts and
 * places ascending), '-' = descending. Equal keys are in the order of ids; the other direction is
 * the exact reverse. */
enum { LIST_MAX_TERMS = 4 };
struct column_sort {
	const char *terms[LIST_MAX_TERMS];
	bool indexed;            /* an index has this order; the plan test checks it */
	const char *from;        /* NULL: the kind's; else the tables in the order of the loops */
};

struct list_spec {
	const char *id, *from, *row, *filter;
	const char *file, *procedure; /* columns for the restrictions, NULL: cannot be restricted */
	const struct list_column *columns; /* ends with a NULL name */
	const struct column_sort *sorts;   /* one for each column */
};

extern const struct list_spec list_specs[]; /* by enum list_kind */

/* Parameters of the queries for ids and sums. */
enum { PARAM_FILTER = 1, PARAM_FILE, PARAM_PROCEDURE, PARAM_CALLER, PARAM_CALLEE, PARAM_SITE,
       PARAM_CYCLE, PARAM_GLOB, PARAM_DIRECTORY, PARAM_LEAST, PARAM_THINGS, PARAM_SIDES,
       PARAM_LINE, PARAM_COLUMN };

#endif
