/* The rows of foreign code: one for each function that profiled code called, and for what the
 * kernel did under a name. Filled in two passes over all stacks: the first finds which there are
 * and what they are called, the second counts for them. */
#ifndef CGVIEW_COLLECT_FOREIGN_ROWS_H
#define CGVIEW_COLLECT_FOREIGN_ROWS_H

#include "collect/import/samples/foreign.h"
#include "db/model/model.h"

struct foreign_row {
	const char *name;          /* for the linker; NULL: unknown */
	const char *module;        /* that most of its samples tell; NULL: none did */
	bool kernel;
	bool enters;               /* its own code enters the kernel: nothing else is worth a row */
	struct foreign_vote *votes;
	size_t nr_votes, votes_alloc;
	model_id procedure;        /* when settled */
};

struct foreign_rows {
	struct foreign_row *rows;
	size_t nr, alloc;
	struct index ix;
};

/* One segment of foreign code in a stack. */
struct foreign_segment {
	const struct foreign_code *kernel; /* NULL: the sample was not taken in the kernel */
	const struct foreign_code *called; /* by profiled code */
	const char *target;        /* the callee that the call site names; NULL: not known */
};

void foreign_rows_release(struct foreign_rows *f);

/* First pass: a segment with so many samples. */
void foreign_rows_note(struct foreign_rows *f, const struct foreign_segment *s, uint64_t samples);

/* Between the passes: adds a procedure to M for each row. */
void foreign_rows_settle(struct foreign_rows *f, struct model *m);

/* Second pass: returns the procedure of the row that the segment's time is in; 0: there is nothing
 * to call it. */
model_id foreign_rows_find(const struct foreign_rows *f, const struct foreign_segment *s);

/* Returns the procedure of what was called, where the time is in another row: it had the kernel
 * work for it. 0: there is none. */
model_id foreign_rows_called(const struct foreign_rows *f, const struct foreign_segment *s);

#endif
