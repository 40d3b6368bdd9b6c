/* Sizes of inputs that profiles tell themselves. */
#ifndef CGVIEW_CMD_DIFF_SIZES
#define CGVIEW_CMD_DIFF_SIZES

#include <stdbool.h>
#include <stddef.h>

#include "db/profile.h"

/* Is TEXT a rule of where sizes come from? "calls:PROCEDURE", "work:PROCEDURE", "line:FILE:N"
 * (counts, of one run), "PROCEDURE.n", "PROCEDURE.calls", "PROCEDURE.work" (the first two again),
 * "arg:K" (a number in the recorded command), "bytes:K" (of the file that this argument names),
 * "env:NAME" (a variable that was kept with the command). */
bool diff_sizes_rule(const char *text);

/* Fills SIZES (NR) by the rule; a profile without one ends COMMAND. */
void diff_sizes_read(const char *command, const char *rule, struct profile *const *profiles,
		     size_t nr, double *sizes);

#endif
