/* Inside src/compare: lines of a text that were not compiled, as far as the text itself tells. */
#ifndef CGVIEW_COMPARE_INACTIVE_H
#define CGVIEW_COMPARE_INACTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/match/align.h"

struct inactive_lines {
	struct conditional_arm {
		uint32_t first, last;   /* its lines, without the directives */
		size_t group;           /* that of all arms of one #if */
		size_t around;          /* index + 1 of the arm that it stands in; 0: none */
		bool compiled, left_out; /* known to be; neither: unknown */
	} *arms;                        /* by first line */
	size_t nr, alloc;
};

/* Finds the arms of all #if. What stands under #if 0 is left out, and beside #if 1. */
void inactive_read(struct inactive_lines *x, const struct text *text);
/* A procedure of the profile begins on LINE: this arm was compiled. So the others of its #if were
 * not, see inactive_settle(). */
void inactive_has_code(struct inactive_lines *x, uint32_t line);
void inactive_settle(struct inactive_lines *x);
/* Returns the last line of what was left out around LINE; 0: LINE was not, as far as is known. */
uint32_t inactive_end(const struct inactive_lines *x, uint32_t line);
void inactive_release(struct inactive_lines *x);

#endif
