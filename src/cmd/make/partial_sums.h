/* Sums that record makes while its program runs: DIRECTORY/runN.sum.raw has what the processes of
 * run N have left that ended meanwhile. Their raw files are removed when the sum is on the disk.
 * When record is killed in between, some of them are still there. */
#ifndef CGVIEW_CMD_PARTIAL_SUMS
#define CGVIEW_CMD_PARTIAL_SUMS

#include <stdbool.h>
#include <stddef.h>

/* Returns the path of the sum of run NUMBER; heap. It ends as raw files do: what is told of these
 * ('import DIRECTORY/X.raw') is true of it. */
char *partial_sum_path(const char *directory, size_t number);
/* Is it the path of such a sum? */
bool partial_sum_is(const char *path);

/* Leaves out of the NR PATHS those raw files that such a sum in the same directory, which is one of
 * them, has. Returns how many remain; they keep their order. */
size_t partial_sums_leave_out(const char **paths, size_t nr);

#endif
