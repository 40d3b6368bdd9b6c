/* A comparison as part of a profile: the rows become tables of the last profile's model. */
#ifndef CGVIEW_COMPARE_STORE_H
#define CGVIEW_COMPARE_STORE_H

#include "compare/comparison.h"
#include "db/lists/compared.h"

/* Add the rows of T, in its order, to M, which holds the last profile of the comparison (see
 * model_load()). NAME: of the metric; NULL: the expression. */
void compared_store(const struct compared *t, const char *name, struct model *m);

/* Tells M which pair each stored arc is of, when the rows of both are in it. */
void compared_store_pairs(const struct compared *arcs, const struct compared *pairs,
			  struct model *m);

/* Returns the callee of row I if it is no known procedure: see profile_called_name(). NULL: nobody
 * knows, or it is no call. The text is in ARENA. */
const char *compared_callee(const struct compared *t, size_t i, const struct compared_row *row,
			    struct arena *arena);

/* Fills R with row I of T for listings, without what only series and more than two profiles have;
 * texts are in ARENA. FIRST: with its place in the first profile, which it then has if it is not in
 * the last one. */
void compared_listed(const struct compared *t, size_t i, bool first, struct arena *arena,
		     struct compared_record *r);

/* Add the profiles themselves; once, before the first table. SIZES as in the options. */
void comparison_store(const struct comparison *c, const double *sizes, struct model *m);

/* Returns the kind of a row in words: that of its range or arc; else what is compared. */
const char *compared_kind(const struct compared *t, const struct compared_row *row);

#endif
