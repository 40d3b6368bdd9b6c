/* Inside src/compare: the things of one kind in all profiles, joined. */
#ifndef CGVIEW_COMPARE_ITEMS_H
#define CGVIEW_COMPARE_ITEMS_H

#include "compare/comparison.h"

/* One thing in one profile. */
struct item {
	uint32_t owner;          /* entity that it is in; lines, files: number of the file */
	struct place place;
	uint32_t other;          /* kind of a range; of calls whom they call, see call_key() */
	model_id id;             /* in its table; ranges: of the block */
};

enum { ROW_CHANGED = 1, ROW_ESTIMATED = 2 };

struct joined_row {
	int64_t value;           /* bits of the scalar value */
	uint32_t owner;
	unsigned char type;      /* enum scalar_type */
	unsigned char kind, flags;
};

struct items {
	enum compare_by by;
	size_t nr_profiles;
	signed char slot[NR_FIGURES];    /* where a figure is; -1: it was not loaded */
	int stride;                      /* figures of an item */
	struct item *items[MAX_PROFILES]; /* those of the first profile where all are the same */
	uint64_t *figures[MAX_PROFILES]; /* stride for each item */
	size_t nr[MAX_PROFILES], alloc[MAX_PROFILES], figures_alloc[MAX_PROFILES];
	struct joined_row *rows;
	uint32_t *index;                 /* nr_profiles for each row: item + 1, 0: none */
	size_t nr_rows, rows_alloc, index_alloc;
	struct joining *joining;         /* what goes on; NULL: all is there */
};

/* The items of BY with the figures of the mask FIGURES, joined in order of their owners: to be done
 * by items_work(), which goes on until ENOUGH(CONTEXT) (NULL: to the end). */
void items_begin(struct items *x, struct match *m, struct profile *const *profiles,
		 enum compare_by by, unsigned figures);
enum items_state { ITEMS_MORE, ITEMS_READY, ITEMS_BAD };
/* ITEMS_BAD: the profile_error() of PROFILES[*BAD]. */
enum items_state items_work(struct items *x, bool (*enough)(void *context), void *context,
			    size_t *bad);
/* How much of it is done, about: 0 to 1. */
double items_done(const struct items *x);
void items_release(struct items *x);
/* Are the items of PROFILE those of the first one? They are freed with these. */
bool items_shared(const struct items *x, size_t profile);

/* Whom an arc leads to, or where it comes from. */
enum { CALL_OUTSIDE = 0x80000000u, CALL_THROUGH = 0x40000000u, CALL_MASK = 0x3fffffffu };

#endif
