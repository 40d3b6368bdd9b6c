/* Inside src/compare: which names in a procedure's text are its own: parameters and variables that
 * it declares itself. No parser of C: a declaration is what begins like one. */
#ifndef CGVIEW_COMPARE_LOCALS_H
#define CGVIEW_COMPARE_LOCALS_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/match/token.h"

struct locals {
	struct { uint64_t name; unsigned depth; } own[64]; /* that are in force; of more, some */
	unsigned nr;
	enum {
		PARAMETERS,
		STATEMENT,       /* words and stars so far, as in a declaration */
		DECLARATOR,      /* behind a comma of a declaration */
		INITIALISER,     /* behind a name that is declared */
		LABEL, OTHER
	} state;
	unsigned words;          /* of a STATEMENT, so far */
	unsigned depth;          /* of { */
	unsigned brackets;       /* of ( and [ */
	unsigned base;           /* of these, where the statement began */
	unsigned braces;         /* of { in an initialiser */
	struct slice last, before; /* tokens */
	bool asked;              /* for LAST */
};

/* Goes on with the next token, zeroed before the procedure's name, the first one. ASKED: the caller
 * wants to know of this name. Returns whether the name before it, if it was asked for, is not the
 * procedure's own. */
bool locals_next(struct locals *l, struct slice token, bool asked);

#endif
