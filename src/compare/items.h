/* Inside src/compare: the things of one kind in all profiles, joined. */
#ifndef CGVIEW_COMPARE_ITEMS_H
#define CGVIEW_COMPARE_ITEMS_H

#include "compare/comparison.h"
#include "util/index.h"
#include "util/mem.h"
#include "util/packed_counts.h"

/* One thing in one profile; there are very many. Its id is its number, from 1 on. */
struct item {
	uint32_t line;           /* WIDE: where its place is in x->wide */
	uint32_t what;           /* ranges: their block; calls: the callee, see below; types:
	                          * their number; sizes: their bits, in producers the last ones */
	uint16_t file, column, end_column;
	uint16_t lines : 11;     /* from the first to the last one */
	uint16_t uncounted : 1;  /* its counts say nothing */
	uint16_t kind : 4;       /* enum range_kind, arc_how, disposal_how; else 0 */
};
enum { WIDE = 0x7ff /* in `lines`: the place does not fit */ };

/* The flags of a row: its enum scalar_type and these. */
enum { ROW_TYPE = 7, ROW_CHANGED = 8, ROW_ESTIMATED = 16 };

struct side_items {
	struct item *items;      /* those of the first profile where all are the same */
	size_t nr, alloc;
	uint32_t *procedure;     /* calls, blocks: who calls; else NULL */
	size_t procedure_alloc;
	uint32_t *type;          /* producers: the number of their type; else NULL */
	size_t type_alloc;
	struct place *wide;      /* places that do not fit into an item */
	size_t nr_wide, wide_alloc;
	struct narrow figures;   /* stride for each item */
	bool points;             /* ranges: some are a RANGE_POINT */
};

/* Names of types: the same number, from 1 on, in all profiles; 0: not known. */
struct type_names {
	struct arena texts;
	const char **names;
	size_t nr, alloc;
	struct index by_name;
};

struct items {
	enum compare_by by;
	const struct match *m;
	size_t nr_profiles;
	uint64_t figures;                /* a mask: what is loaded */
	signed char slot[FIGURES_MAX];   /* where a figure is; -1: it was not loaded */
	int slots;                       /* in use: figures behind have none */
	size_t stride;                   /* figures of an item */
	struct side_items *sides;        /* by profile */
	int32_t *values;                 /* of the rows: bits of the scalar value; NULL: */
	int64_t *wide;                   /* there are some that do not fit */
	unsigned char *flags;            /* of the rows */
	uint32_t *index;                 /* nr_profiles for each row: item + 1, 0: none */
	uint32_t *arcs;                  /* of the rows, if they are pairs; else NULL */
	size_t nr_rows, flags_alloc, index_alloc, arcs_alloc;
	struct type_names types;
};

/* No items of BY yet, which will have the figures of the mask FIGURES. */
void items_init(struct items *x, struct match *m, enum compare_by by, uint64_t figures);
/* Loads them, once, and joins them in order of their owners; a job pauses (util/job.h). Returns the
 * profile_error() of one of PROFILES, or NULL. */
const char *items_load(struct items *x, struct match *m, struct profile *const *profiles);
void items_release(struct items *x);
/* Are the items of PROFILE those of the first one? They are freed with these. */
bool items_shared(const struct items *x, size_t profile);

/* These tell about item I of PROFILE: its place; the entity that it is in (lines, files: number of
 * the file); the id in its table (ranges: of their block). */
struct place item_place(const struct items *x, size_t profile, size_t i);
uint32_t item_owner(const struct items *x, size_t profile, size_t i);
model_id item_id(const struct items *x, size_t profile, size_t i);
/* The type of blocks, "" when it is not known or not told; their size class, 0 in these cases. */
const char *item_type(const struct items *x, size_t profile, size_t i);
uint64_t item_size_class(const struct items *x, size_t profile, size_t i);
/* A figure of it; 0 when it was not loaded. */
int64_t item_figure(const struct items *x, size_t profile, size_t i, enum figure f);

/* The procedure that an arc leads to, or comes from. */
enum { CALL_OUTSIDE = 0x80000000u, CALL_THROUGH = 0x40000000u, CALL_MASK = 0x3fffffffu };
/* The bits of a size class: 0 is not known, n stands for 2^n. */
enum { SIZE_BITS = 6, SIZE_MASK = (1 << SIZE_BITS) - 1 };

#endif
