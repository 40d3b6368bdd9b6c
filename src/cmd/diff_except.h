/* cgview diff --except FILE: procedures that do not fail a build. */
#ifndef CGVIEW_CMD_DIFF_EXCEPT
#define CGVIEW_CMD_DIFF_EXCEPT

#include "compare/match/match.h"

/* Reads FILE, a list (util/text/list.h) of shell patterns of procedures. Returns by entity which
 * procedures of M are meant; heap, the caller's. Tells patterns that none is found by; a file that
 * cannot be read ends the program. */
bool *diff_except_read(const char *file, const struct match *m);

#endif
