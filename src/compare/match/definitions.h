/* Inside src/compare: what is defined outside of procedures, and which of it has changed. */
#ifndef CGVIEW_COMPARE_DEFINITIONS_H
#define CGVIEW_COMPARE_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/match/match.h"
#include "compare/match/side.h"

enum definition_kind {
	DEFINITION_MACRO, DEFINITION_TYPE, DEFINITION_ENUMERATOR, DEFINITION_VARIABLE
};

/* Where something is defined. */
struct definition_name {
	const char *name;
	enum definition_kind kind;
	model_id file;
	uint32_t line;
};

/* The names of macros, types, enumerators and data whose definition is another one in one profile
 * than in another, or uses one of these. */
struct changed_names;

/* Compares the definitions of profile A with those of profile B, the later one. Heap. Takes of the
 * work that M has left for texts. */
struct changed_names *changed_names_find(struct match *m, size_t a, size_t b);
void changed_names_free(struct changed_names *c);

/* What of it a procedure uses; the names are those of changed_names. */
enum { MOST_CHANGED_USES = 100 };
struct changed_uses {
	size_t nr;                      /* so many definitions, at most */
	struct definition_name first;   /* the first one in its text, in the later profile */
	const char *by;                 /* what it names in place of that: uses it; "" */
	const char *names[MOST_CHANGED_USES];
};
/* Does a procedure of the later profile use one of them? */
bool changed_names_used(struct match *m, const struct changed_names *c, model_id procedure,
			struct changed_uses *uses);

#endif
