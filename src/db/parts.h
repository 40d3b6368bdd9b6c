/* Parts: what of a profile's counts and samples belongs to which thread and run. A part is one copy
 * of the counters of one process: that of a thread, or of threads that used it one after the other.
 * All that is counted adds up over the parts; what is computed from it (arcs, aggregate times) does
 * not, and is solved anew for those that are chosen. */
#ifndef CGVIEW_DB_PARTS_H
#define CGVIEW_DB_PARTS_H

#include "db/model.h"
#include "util/error.h"

/* What an entry counts: a member of a table's rows. The numbers are those in stored profiles, see
 * docs/formats.md. */
enum part_column {
	PART_CALLS = 1,            /* of a procedure */
	PART_COUNT,                /* of a block */
	PART_LINE_COUNT,
	PART_SITE_COUNT,           /* of call sites without a block; else it is the block's */
	PART_MEASURED,             /* of the arc from site ID to procedure OTHER (0: outside) */
	PART_SELF_SAMPLES, PART_TOTAL_SAMPLES, PART_CENTRE_SAMPLES, /* of a procedure */
	PART_SELF_WAIT, PART_TOTAL_WAIT,
	PART_RANGE_SAMPLES, PART_RANGE_WAIT, /* self; a block's are those of its ranges */
	PART_LINE_SAMPLES, PART_LINE_WAIT,
	PART_SITE_SAMPLES, PART_SITE_WAIT,       /* below it */
	PART_CONTEXT_SAMPLES, PART_CONTEXT_WAIT, /* self; the totals follow */
	PART_LINE_TOTAL_SAMPLES,
	PART_NR,
	/* Figures of other measures: PART_FIGURE + slot * NR_PART_FIGURES + enum part_figure. */
	PART_FIGURE = 32
};

enum part_figure {
	FIGURE_OF_PROCEDURE, FIGURE_BELOW_PROCEDURE, FIGURE_OF_RANGE, FIGURE_OF_LINE,
	FIGURE_BELOW_SITE, FIGURE_OF_CONTEXT, NR_PART_FIGURES
};

static inline enum part_column
part_figure(unsigned slot, enum part_figure figure)
{
	return (enum part_column)(PART_FIGURE + slot * NR_PART_FIGURES + figure);
}

/* The rows that entries of a column are about. */
enum part_rows {
	PART_PROCEDURES, PART_BLOCKS, PART_RANGES, PART_LINES, PART_SITES, PART_CONTEXTS,
	NR_PART_ROWS
};
enum part_rows part_rows(enum part_column column);

struct part_entry {
	enum part_column column;
	model_id id, other;
	uint64_t value;
};

struct part_entries {
	struct part_entry *items;
	size_t nr, alloc;
};

/* Append; a VALUE of 0 says nothing and is left out. */
void part_add(struct part_entries *e, enum part_column column, model_id id, uint64_t value);
void part_add_arc(struct part_entries *e, model_id site, model_id callee, uint64_t value);
/* Sort, and combine what is of one row, as the measures of M say. */
void part_sum(struct part_entries *e, const struct model *m);
void part_entries_release(struct part_entries *e);

/* What the rows have for ids elsewhere, by enum part_rows: [id], [0] is 0; 0: nothing. And what the
 * measures have for slots; NULL: the same. */
struct part_ids {
	const model_id *of[NR_PART_ROWS];
	const unsigned *slots;
};
/* Entries of rows that have no other id are gone, also arcs to a procedure that has none. */
void part_entries_map(struct part_entries *e, const struct part_ids *ids);

/* Pack E of M (which is sorted by it) into P: data, and the figures that follow from it. The data
 * are the arena's. */
void part_pack(struct model_part *p, struct part_entries *e, const struct model *m,
	       struct arena *a);

/* The same, where M keeps such data: in its spill, if it has one. -1 and ERR: that failed. */
int part_store(struct model *m, struct model_part *p, struct part_entries *e, struct error *err);

static inline bool
part_has_data(const struct model_part *p)
{
	return p->packed.data || p->spilled;
}

/* The packed data of P, one of M's, or read into ROOM. NULL: there are none, or they cannot be
 * read. */
const void *part_data(const struct model *m, const struct model_part *p, struct strbuf *room);

/* Append what P holds; all ids fit M. -1 and ERR: its data are damaged. */
int part_unpack(const struct model_part *p, const struct model *m, struct part_entries *e,
		struct error *err);

/* -1 and ERR: the data of some part cannot be unpacked. */
int parts_check(const struct model *m, struct error *err);

/* What one part has is what all is: it needs no data of its own. */
void parts_settle(struct model *m);

/* Append what the model holds as a whole, as if it were of one part. */
void part_of_model(const struct model *m, struct part_entries *e);

/* Of a model with one run, and no parts that are told apart: the one part that it is. It has no
 * data, as all counts are its. */
void parts_of_whole(struct model *m);

/* Keep of M only the parts with KEEP[number - 1]: counts, samples and times are theirs, runs and
 * threads only those that take part. What was computed is gone but for the arcs, which are to be
 * solved again (with what they `measured` there). -1 and ERR: damaged. */
int parts_keep(struct model *m, const bool *keep, struct error *err);

#endif
