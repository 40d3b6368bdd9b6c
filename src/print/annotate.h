/* The source text with its figures, printed: what `cgview annotate` is made of. */
#ifndef CGVIEW_PRINT_ANNOTATE
#define CGVIEW_PRINT_ANNOTATE

#include <stdbool.h>

#include "show/doc.h"
#include "show/heat.h"
#include "show/margin.h"
#include "show/role.h"

struct annotate {
	struct docs docs;
	const struct profile_totals *totals;
	struct metrics metrics;
	struct margins margins;         /* that there are, of these metrics */
	int columns[MARGINS_MAX];       /* of the margins, in the order in which they are shown */
	int nr_columns, width[MARGINS_MAX];
	bool expressions;               /* a line for each expression, too */
	bool colour;
	enum palette palette;
	struct heat heat;
	bool ascii;
	bool begun;                     /* the legend was printed, above all */
};

/* A text is safe for a terminal; colours are the only escapes. Write errors are the caller's to
 * look for. */

/* Lines FIRST..LAST of FILE under the heading NAME (a procedure, or NULL). False: its text is not
 * in the profile, which is said in their place. */
bool annotate_lines(struct annotate *a, model_id file, uint32_t first, uint32_t last,
		    const char *name);

/* The definitions of the macro NAME in FILE: their pieces, and all uses. False: it has none. */
bool annotate_macro(struct annotate *a, model_id file, const char *name);

#endif
