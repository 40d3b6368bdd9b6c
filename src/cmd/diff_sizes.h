/* Sizes of inputs that profiles tell themselves. */
#ifndef CGVIEW_CMD_DIFF_SIZES
#define CGVIEW_CMD_DIFF_SIZES

#include <stdbool.h>
#include <stddef.h>

#include "db/store/profile.h"

/* Is TEXT a rule of where sizes come from? "calls:PROCEDURE", "work:PROCEDURE", "line:FILE:N"
 * (counts, of one run), "PROCEDURE.n", "PROCEDURE.calls", "PROCEDURE.work" (the first two again),
 * "arg:K" (a number in the recorded command), "bytes:K" (of the file that this argument names),
 * "env:NAME" (a variable that was kept with the command). */
bool diff_sizes_rule(const char *text);

/* Fills SIZES (NR) by the rule; a profile without one ends COMMAND. */
void diff_sizes_read(const char *command, const char *rule, struct profile *const *profiles,
		     size_t nr, double *sizes);

/* Returns what the sizes of a rule are: "bytes of argument 1", heap. */
char *diff_sizes_name(const char *rule);

/* Is the profile PATH a sweep: have all its runs a variable in their commands, the same one, whose
 * values are two sizes or more? Then *NAMES has a name for the runs of each size, the least first
 * (subset_open_named()), *NR of them, MOST at most, and *RULE is that of the sizes; all heap. */
bool diff_sizes_sweep(const char *path, size_t most, char ***names, size_t *nr, char **rule);

#endif
