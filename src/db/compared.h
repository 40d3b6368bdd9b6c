/* Rows of a comparison as a listing (LIST_COMPARISON): a temporary table in memory, filled by
 * whoever compares, or from what an earlier comparison left in the profile. */
#ifndef CGVIEW_DB_COMPARED_H
#define CGVIEW_DB_COMPARED_H

#include "db/profile.h"

/* Kinds of rows are kept apart by a number, the caller's, from 1 to MAX_COMPARED_THINGS. */
enum { MAX_COMPARED_THINGS = 15 };

struct compared_record {
	struct model_comparison row; /* metric is not looked at */
	struct place first;          /* in the first profile; file 0: not there, or nowhere */
	const char *first_path;      /* of its file */
	uint32_t owner;              /* what it is in, numbered over all profiles; 0: nothing */
	uint32_t caller, callee;     /* arcs: the same of their ends */
	const char *spark;           /* of a series, or NULL */
	bool estimated;
	bool ranked;                 /* "value" sorts by RANK, not by |value| */
	double rank;
};

/* The rows of THINGS, the first one first; what there was of them is forgotten. False:
 * profile_error(). */
bool profile_compared_begin(struct profile *p, int things);
void profile_compared_add(struct profile *p, const struct compared_record *r);
void profile_compared_end(struct profile *p);

/* How many there are. */
uint64_t profile_compared_rows(const struct profile *p, int things);

/* ---- what an earlier comparison left: `cgview diff -o` ---- */

struct stored_side {            /* texts as long as the profile is open */
	const char *path, *build_id;
	double size;                /* 0: not told */
	double count_scale, time_scale;
};
/* The profiles that took part; 0: no comparison is stored. */
size_t profile_stored_sides(struct profile *p, struct stored_side *sides, size_t max);

/* The expression over the kind of rows called NAME ("procedure"), heap, the caller's; NULL: none is
 * stored. */
char *profile_stored_expression(struct profile *p, const char *name);

/* Its rows become those of THINGS. */
void profile_stored_rows(struct profile *p, const char *name, int things);

/* Of a window of the source (in this profile): the stored rows of NAME that touch lines FIRST..LAST
 * of FILE, outer before inner. Heap array, the caller's. */
struct stored_value {
	struct place place;
	struct scalar_value a, b, value;
	double significance;        /* NAN: exact */
	int kind;                   /* of ranges: enum range_kind */
};
size_t profile_stored_at(struct profile *p, const char *name, model_id file, uint32_t first,
			 uint32_t last, struct stored_value **values);
/* The greatest finite |value|. */
double profile_stored_greatest(struct profile *p, const char *name);

#endif
