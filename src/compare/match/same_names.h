/* Inside src/compare: procedures that are called otherwise in another profile. */
#ifndef CGVIEW_COMPARE_SAME_NAMES_H
#define CGVIEW_COMPARE_SAME_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "compare/match/side.h"
#include "compare/match/token.h"

struct same_names;

/* The procedures of PROFILE that have another name in OTHER. Heap. */
struct same_names *same_names_new(const struct match *m, size_t profile, size_t other);
void same_names_free(struct same_names *x);
/* Returns a number, the same for both of its names, of the one that NAME stands for in a file
 * (number over all profiles); 0: it is none of them, or several. */
uint64_t same_names_find(const struct same_names *x, struct slice name, uint32_t file);

#endif
