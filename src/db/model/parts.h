/* Parts tell which counts and samples of a profile belong to which thread and run. A part is one
 * copy of a process's counters: that of a thread, or of threads that used it one after the other.
 * Everything counted adds up over the parts; what is computed from it (arcs, aggregate times) does
 * not, and is solved anew for the parts that are chosen. */
#ifndef CGVIEW_DB_PARTS_H
#define CGVIEW_DB_PARTS_H

#include "db/model/packed.h"
#include "db/model/rows.h"
#include "util/error.h"

/* What an entry counts: a member of a table's rows. The numbers are those in stored profiles, see
 * docs/formats.md. */
enum part_column {
	PART_CALLS = 1,            /* of a procedure */
	PART_COUNT,                /* of a block */
	PART_LINE_COUNT,
	PART_SITE_COUNT,           /* of call sites without a block; others have the block's */
	PART_MEASURED,             /* of the arc from site ID to procedure OTHER (0: outside) */
	PART_SELF_SAMPLES, PART_TOTAL_SAMPLES, PART_CENTRE_SAMPLES, /* of a procedure */
	PART_SELF_WAIT, PART_TOTAL_WAIT,
	PART_RANGE_SAMPLES, PART_RANGE_WAIT, /* self; those of a block are of its ranges */
	PART_LINE_SAMPLES, PART_LINE_WAIT,
	PART_SITE_SAMPLES, PART_SITE_WAIT,       /* below it */
	PART_CONTEXT_SAMPLES, PART_CONTEXT_WAIT, /* self; the totals follow */
	PART_LINE_TOTAL_SAMPLES,
	/* The time of these. Profiles of before have none: it was the same for each sample. */
	PART_SELF_NS, PART_TOTAL_NS, PART_CENTRE_NS, PART_RANGE_NS, PART_LINE_NS,
	PART_LINE_TOTAL_NS, PART_SITE_NS, PART_CONTEXT_NS,
	PART_BRANCH_COUNT,
	PART_NR,
	/* Figures of other measures: PART_FIGURE + slot * NR_PART_FIGURES + enum part_figure. */
	PART_FIGURE = 32,
	/* Counts of a disposal: PART_DISPOSAL + the how-manieth of its table's counts. */
	PART_DISPOSAL = 1024,
	/* Counts of an allocation: PART_ALLOCATION + the how-manieth of its table's counts. */
	PART_ALLOCATION = 1088,
};

/* BELOW_SITE: of measures whose totals follow from the arcs it is what the site has itself. */
enum part_figure {
	FIGURE_OF_PROCEDURE, FIGURE_BELOW_PROCEDURE, FIGURE_OF_RANGE, FIGURE_OF_LINE,
	FIGURE_BELOW_SITE, FIGURE_OF_CONTEXT, NR_PART_FIGURES
};

static inline enum part_column
part_figure(unsigned slot, enum part_figure figure)
{
	return (enum part_column)(PART_FIGURE + slot * NR_PART_FIGURES + figure);
}

/* Is it a column of these? Their values are those of int64_t. */
static inline bool
part_is_figure(uint64_t column)
{
	return column >= PART_FIGURE && column < PART_DISPOSAL;
}

/* Adds all counts of the disposal or allocation ID, which are those of D, or of A. */
struct part_entries;
void part_add_disposal(struct part_entries *e, model_id id, const struct model_disposal *d);
void part_add_allocation(struct part_entries *e, model_id id, const struct model_allocation *a);
/* Returns the offset in such a row of what entries of COLUMN, from PART_DISPOSAL on, count;
 * SIZE_MAX: there is no such column. */
size_t part_count_member(uint64_t column);

/* What the entries of a column below PART_NR count: a member of their table's rows; 0: it is in
 * another one's. Those of ranges also count for a member of their block. */
struct part_member {
	enum table_id table;
	size_t at, of_block;       /* 0: none */
	enum part_column ns, wait; /* of samples: the columns of their time, and of waiting */
};
extern const struct part_member part_members[PART_NR];

/* Returns the table whose rows the entries of a column belong to. */
enum table_id part_table(enum part_column column);

struct part_entry {
	enum part_column column;
	model_id id, other;
	uint64_t value;
};

struct part_entries {
	struct part_entry *items;
	size_t nr, alloc;
};

/* Appends an entry; a VALUE of 0 says nothing and is left out. */
void part_add(struct part_entries *e, enum part_column column, model_id id, uint64_t value);
/* Appends what stacks say of the row ID: SAMPLES is the column of their samples. */
void part_add_sampled(struct part_entries *e, enum part_column samples, model_id id,
		      const struct sampled *of);
void part_add_arc(struct part_entries *e, model_id site, model_id callee, uint64_t value);
/* Sorts the entries, and combines those of one row as the measures of M say. */
void part_sum(struct part_entries *e, const struct model *m);
void part_entries_release(struct part_entries *e);

/* Gives the rows their ids elsewhere, where 0 says that a row is not there; and measures their
 * slots there (SLOTS NULL: unchanged). Entries of rows that are not there, and arcs to such
 * procedures, are dropped. */
void part_entries_map(struct part_entries *e, const struct row_ids *ids, const unsigned *slots);

/* Sorts E, entries of M, and packs them into P: data, in the arena, and the figures that follow. */
void part_pack(struct model_part *p, struct part_entries *e, const struct model *m,
	       struct arena *a);

/* The same with the data in M's spill, if it has one. Returns -1 and ERR on failure. */
int part_store(struct model *m, struct model_part *p, struct part_entries *e, struct error *err);

/* Appends the entries of P, whose ids all fit M. Returns -1 and ERR when its data are damaged. */
int part_unpack(const struct model_part *p, const struct model *m, struct part_entries *e,
		struct error *err);

/* Returns -1 and ERR when the data of some part cannot be unpacked. */
int parts_check(const struct model *m, struct error *err);

/* Drops the data of an only part: what it has is what all is. */
void parts_settle(struct model *m);

/* Appends what the model holds as a whole, as if it were one part. */
void part_of_model(const struct model *m, struct part_entries *e);

/* Makes a model with one run and no parts told apart the one part that it is. The part has no data,
 * as all counts belong to it. */
void parts_of_whole(struct model *m);

/* Keeps only the parts of M with KEEP[number - 1]: their counts, samples, times, runs and threads.
 * Computed figures are gone; the arcs stay, to be solved again from what they `measured` in these
 * parts. Returns -1 and ERR when data are damaged. */
int parts_keep(struct model *m, const bool *keep, struct error *err);

/* Is it a column of what stacks say: samples, their time, or waiting? */
bool part_is_sampled(uint64_t column);
/* Clears what stacks say, in all rows and runs; adds entries of it to the rows, and to RUN; and
 * makes the totals of contexts of what they have themselves. */
void parts_clear_sampled(struct model *m);
void parts_add_sampled(struct model *m, struct model_run *run, struct part_entries *e);
void parts_complete_sampled(struct model *m);

#endif
