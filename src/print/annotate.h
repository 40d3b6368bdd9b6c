/* Prints the source text with its figures, for `cgview annotate`. */
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
	struct margins margins;         /* the margins of these metrics */
	int columns[MARGINS_MAX];       /* the chosen margins, in their order from the left */
	int nr_columns, width[MARGINS_MAX];
	bool expressions;               /* a line for each expression, too */
	bool colour;
	enum palette palette;
	struct heat heat;
	bool ascii;
	bool begun;                     /* the legend was printed, which stands first */
};

/* Texts are made safe for a terminal; colours are the only escapes. Callers check for write
 * errors. */

/* Prints lines FIRST..LAST of FILE under the heading NAME (a procedure, or NULL). Returns false
 * when its text is not in the profile, and prints that instead. */
bool annotate_lines(struct annotate *a, model_id file, uint32_t first, uint32_t last,
		    const char *name);

/* Prints the definitions of macro NAME in FILE, their pieces, and all uses. False: there is
 * none. */
bool annotate_macro(struct annotate *a, model_id file, const char *name);

#endif
