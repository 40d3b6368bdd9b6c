/* Conditions that a comparison can be failed by (`cgview diff --fail-if`): an expression over the
 * figures of a row, its value, its significance, and thresholds (threshold.h), which are of
 * procedures.
 *
 * A threshold is met where the last profile has more than the first, a run: by more than the share
 * and by more than the amount. A time must have the verdict slower, which of fewer than FEWEST_RUNS
 * on either side nobody knows: then slower() is NULL; of the same work it is false. dearer() is
 * what the ledger claims of a procedure's own code and of the calls of libraries in it.
 * unresolved() is true where a difference above the thresholds would not have been seen. All but
 * dearer() are of procedures with all that they call. So that code which moves is no regression,
 * procedures that only the last one has meet none, as they are in the figures of their callers; and
 * what the callers of a procedure did less outside of it, as far as that is beyond chance, is no
 * gain of it. */
#ifndef CGVIEW_COMPARE_JUDGE_H
#define CGVIEW_COMPARE_JUDGE_H

#include "compare/comparison.h"
#include "db/model/significance.h"

struct judge;

/* Compiles TEXT, and loads what it needs of the rows of BY: before comparison_table(). C stays open
 * as long. NULL: ERR. */
struct judge *judge_open(struct comparison *c, enum compare_by by, const char *text,
			 struct expression_error *err);
void judge_close(struct judge *j);
const struct expression *judge_expression(const struct judge *j);

/* Excepts procedures: ENTITIES (heap, the judge's from now on) says by entity which. Their rows
 * meet nothing; and what they have more is no gain of what calls them, nor of the whole program. To
 * be called before judge_begin(). */
void judge_except(struct judge *j, bool *entities);
/* Looks at T, the table of BY: before the first row. -1: ERR, as when slower() has no times, or
 * more_work() no counts. */
int judge_begin(struct judge *j, struct compared *t, struct error *err);
/* Is it true for row I of that? -1: ERR. */
int judge_row(struct judge *j, size_t i, struct error *err);
/* After the last row and judge_all(), when nothing was met: could it be judged at all? -1 and ERR:
 * it is NULL in every row, or asks for a significance where none has one, and so would never fail
 * anything; or it is up to slower(), and there are too few runs to tell that. */
int judge_end(struct judge *j, struct error *err);
/* Is it true for the whole program? Only conditions of nothing but thresholds can be. -1: ERR. */
int judge_all(struct judge *j, struct error *err);

/* How many rows were told to be slower or faster beyond chance; false: it does not ask for that. */
bool judge_discoveries(const struct judge *j, struct discoveries *d);

#endif
