/* cgview diff --by cause. */
#ifndef CGVIEW_CMD_DIFF_CAUSE
#define CGVIEW_CMD_DIFF_CAUSE

#include "compare/match/match.h"
#include "print/ledger.h"

enum diff_cause_format { CAUSE_TEXT, CAUSE_MARKDOWN, CAUSE_CSV, CAUSE_JSON };

/* Prints where the difference of A and B comes from, at most LIMIT rows of it (SIZE_MAX: those
 * beyond chance). Ends the program if a profile is damaged. */
void diff_cause(struct profile *a, struct profile *b, const struct match_options *options,
		enum diff_cause_format format, size_t limit);

/* Makes the ledgers of A and B, which stay open as long: of CPU time, and of waiting if both have
 * it; without a limit. Ends the program as diff_cause() does. */
void diff_cause_make(struct ledger_print *l, struct profile *a, struct profile *b,
		     const struct match_options *options);
void diff_cause_release(struct ledger_print *l);

#endif
