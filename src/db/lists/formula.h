/* Inside src/db only: the formula of a measure, as SQL. It comes with a profile, from anywhere, so
 * none of its text gets into the SQL: numbers are printed anew, names are looked up. */
#ifndef CGVIEW_DB_FORMULA_H
#define CGVIEW_DB_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "util/mem.h"

/* Appends the SQL of FORMULA: numbers, + - * /, parentheses, ratio(), share(), min(), max(), abs(),
 * and names, for which FIND(CONTEXT, name, length) gives the SQL, or NULL; 24 of these at most. All
 * is computed in floating point; a division by 0 has no value. Returns false when the formula is
 * not understood or a name is not known; what was appended is then of no use. */
bool formula_sql(const char *formula,
		 const char *(*find)(void *context, const char *name, size_t length), void *context,
		 struct strbuf *sql);

#endif
