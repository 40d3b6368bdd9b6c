/* Inside src/compare: what is defined outside of procedures, and which of it has changed. */
#ifndef CGVIEW_COMPARE_DEFINITIONS_H
#define CGVIEW_COMPARE_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/match.h"
#include "compare/side.h"

/* The names of macros, types, enumerators and data whose definition is another one in one profile
 * than in another, or uses one of these. */
struct changed_names;

/* Compares the definitions of profile A with those of profile B, the later one. Heap. Takes of the
 * work that M has left for texts. */
struct changed_names *changed_names_find(struct match *m, size_t a, size_t b);
void changed_names_free(struct changed_names *c);

/* Does a procedure of the later profile use one of them? */
bool changed_names_used(struct match *m, const struct changed_names *c, model_id procedure);

#endif
