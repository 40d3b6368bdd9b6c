/* Whole tables of a profile, row by row in the order of their ids, as fast as can be: for code that
 * needs all rows, as a comparison does. */
#ifndef CGVIEW_DB_BULK_H
#define CGVIEW_DB_BULK_H

#include "db/store/figure.h"
#include "db/store/profile.h"

enum bulk_table {
	BULK_FILE, BULK_PROCEDURE, BULK_BLOCK, BULK_RANGE, BULK_SITE, BULK_ARC, BULK_LINE,
	BULK_COUNT, /* blocks: procedure and count, without a place */
	BULK_PAIR, /* arcs, with the part of their time that is theirs among those of their ends */
	BULK_ENDS, /* arcs, with nothing but their ends */
	/* What was got, and given back; of profiles of runs with --space. */
	BULK_PRODUCER, BULK_TYPE, BULK_SIZE, BULK_DISPOSER, BULK_POOL,
	NR_BULK_TABLES
};

struct bulk_row {
	model_id id;             /* 1, 2, 3 ... */
	struct place place;      /* 0: the table has none (arcs: that of their site) */
	model_id procedure;      /* procedure: itself; arc: the caller; range: see its block */
	model_id block;          /* range, site: its block */
	model_id callee;         /* arc: 0 outside */
	bool through;            /* arc: by way of code outside */
	bool is_static;          /* procedure: of one file alone */
	bool uncounted;          /* file, procedure, line: the counts say nothing */
	int kind;                /* enum range_kind, site_kind, arc_how, disposal_how */
	const char *name;        /* procedure: as shown; file: path; site: target; arc: what is
	                          * called directly outside of the profile. For one row */
	const char *linkage_name;/* procedure */
	const char *type;        /* of blocks that were got; "" when it is not known */
	uint64_t size_class;     /* of such blocks; 0: not known */
	uint64_t hash, size;     /* file: of its text; 0 when it has none */
	uint64_t figures[FIGURES_MAX]; /* those of bulk_figures(), and measures asked for */
};

/* Returns the figures that TABLE has, as a mask: those of every profile, and of MEASURES (a
 * mask). */
uint64_t bulk_figures(enum bulk_table table, uint64_t measures);

/* Opens TABLE for reading row by row. FIGURES: a mask; only these are read, 0 where P has none.
 * bulk_next() returns a row, valid until the next one; NULL at the end, or when the
 * profile is damaged, with profile_error(). */
struct bulk *bulk_open(struct profile *p, enum bulk_table table, uint64_t figures);
const struct bulk_row *bulk_next(struct bulk *b);
void bulk_close(struct bulk *b);

/* Calls ADD for each row of TABLE, with FIGURES. Returns -1 when the profile is damaged, with
 * profile_error(). */
int profile_bulk(struct profile *p, enum bulk_table table, uint64_t figures,
		 void (*add)(void *context, const struct bulk_row *row), void *context);

#endif
