/* Inside src/db only: the SQL of every kind of listing, as data. */
#ifndef CGVIEW_DB_LIST_SPEC_H
#define CGVIEW_DB_LIST_SPEC_H

#include "db/lists/wings.h"
#include "db/model/table.h"
#include "db/store/profile.h"

struct list_spec {
	const char *name;             /* as of report --by */
	enum wing_id wing;               /* what a profile must have for rows */
	const char *id, *from;        /* of the queries for ids and sums */
	const char *joins;            /* behind FROM of the query for a row, or NULL */
	const char *filter;
	const char *file, *procedure; /* columns for the restrictions, NULL: cannot be restricted */
	const struct list_column *columns; /* ends with a NULL name */
	/* For columns of measures, see profile_columns(): the table that says which of the
	 * builtin ones there are, its name in the SQL, and what sorts equal rows; and where totals
	 * come from stacks and a profile has none, the SQL before and behind the table's column,
	 * and the tables for sorting by that. */
	struct {
		enum table_id of;
		bool self, total;
		const char *table, *ties, *before, *behind, *sort_from;
	} figures;
};

extern const struct list_spec list_specs[]; /* by enum list_kind */

/* Appends the SQL of the values that MEASURE, one of ALL with a formula, has of rows of the table
 * line, which is called "l". Returns false when it has none there. */
bool list_formula_of_lines(struct measures all, const struct model_measure *measure,
			   struct strbuf *sql);

/* A term that rows are sorted by. */
struct sort_term {
	const char *sql;
	bool down;               /* in the column's natural direction */
};
/* Sets *TERM to term I (from 0) of column C. Returns false when it has no more. */
bool list_sort_term(const struct list_column *c, int i, struct sort_term *term);

/* Parameters of the queries for ids and sums. */
enum { PARAM_FILTER = 1, PARAM_FILE, PARAM_PROCEDURE, PARAM_CALLER, PARAM_CALLEE, PARAM_SITE,
       PARAM_CYCLE, PARAM_GLOB, PARAM_DIRECTORY, PARAM_LEAST, PARAM_THINGS, PARAM_SIDES,
       PARAM_LINE, PARAM_COLUMN, PARAM_LIKE, PARAM_DEFECT };

#endif
