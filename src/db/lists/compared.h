/* Rows of a comparison as a listing (LIST_COMPARISON). They are read where they are: from the
 * memory of the comparison that runs, or from the tables that an earlier one left in the profile.
 * SQL sees them as a virtual table; nothing is copied. */
#ifndef CGVIEW_DB_COMPARED_H
#define CGVIEW_DB_COMPARED_H

#include "db/model/significance.h"
#include "db/store/profile.h"
#include "util/mem.h"

/* Kinds of rows are told apart by a number that the caller chooses, from 1 to
 * MAX_COMPARED_THINGS. */
enum { MAX_COMPARED_THINGS = 15 };

/* At most this many profiles between the first and the last get columns. */
enum { MAX_COMPARED_MIDDLE = 8 };

struct compared_record {
	struct model_comparison row; /* metric is not looked at */
	struct place first;          /* in the first profile; file 0: not there, or nowhere */
	const char *first_path;      /* of its file */
	uint32_t owner;              /* its owner, numbered over all profiles; 0: none */
	uint32_t caller, callee;     /* arcs: their ends, numbered as the owner is */
	uint32_t arcs;               /* of a pair of procedures */
	uint32_t pair;               /* stored pairs, and their arcs: the pair's number; 0: none */
	const char *spark;           /* of a series, or NULL */
	const char *model;           /* of a series, how it grows, or NULL */
	const char *verdict;         /* of the difference, or NULL */
	double least;                /* of times: what would have been seen; NAN: not known */
	bool estimated;
	/* The profile that has its source text, in this file at the row's place; NULL: none has. */
	struct profile *holder;
	model_id held_file;
	struct scalar_value middle[MAX_COMPARED_MIDDLE]; /* like row.a, of the profiles b, c, ... */
};

/* Where rows come from. They are in the order of the column "value", the first rank first. */
struct compared_source {
	uint64_t rows;
	/* Reads row I into *R. Texts may be put in ARENA; they are used before the next call. */
	void (*read)(void *context, uint64_t i, struct arena *arena, struct compared_record *r);
	/* Arcs: returns the rows that ENTITY calls (CALLEE: that call it), ascending, *NR of them,
	 * valid as long as the source. NULL function: the rows have no ends. */
	const uint32_t *(*calls)(void *context, bool callee, uint32_t entity, size_t *nr);
	void *context;
};

/* Makes the rows of THINGS come from SOURCE (copied); NULL: there are none. Listings of THINGS that
 * are open then give no rows, or others. */
void profile_compared_set(struct profile *p, int things, const struct compared_source *source);

/* Returns how many rows of THINGS there are. */
uint64_t profile_compared_rows(const struct profile *p, int things);

/* Reads row I of THINGS into *R; false: there is none. Texts may be in ARENA. */
bool profile_compared_read(const struct profile *p, int things, uint64_t i, struct arena *arena,
			   struct compared_record *r);
/* Returns the id that row I of THINGS has in listings. */
int64_t profile_compared_id(int things, uint64_t i);

/* Returns the share of what is told of P that may be false: FALSE_DISCOVERIES, or less if its
 * recording stopped at a look (db/model/looks.h), which its notes tell. */
double profile_level(struct profile *p);

/* ---- what an earlier comparison left: `cgview diff -o` ---- */

struct stored_side {            /* a profile that took part; texts are the profile's */
	const char *path, *build_id;
	double size;                /* of its input; 0: not known */
	double count_scale, time_scale;
	int64_t started_ns;         /* its first run; with its totals */
	uint64_t blocks_executed, self_ns;
};
/* Reads at most MAX profiles that took part. Returns how many did; 0: no comparison is stored. */
size_t profile_stored_sides(struct profile *p, struct stored_side *sides, size_t max);

/* Returns the expression over the kind of rows called NAME ("procedure"), heap, the caller's; NULL:
 * none is stored. */
char *profile_stored_expression(struct profile *p, const char *name);

/* Makes the stored rows of NAME, the greatest |value| first, those of THINGS. Their ids are read at
 * once; there are none when profile_error() is set. */
void profile_stored_rows(struct profile *p, const char *name, int things);
/* Releases the stored rows of all things. */
void profile_stored_forget(struct profile *p);

/* Reads the stored rows of NAME that touch lines FIRST..LAST of FILE (in this profile), outer
 * before inner. Heap array, the caller's. */
struct stored_value {
	struct place place;
	struct scalar_value a, b, value;
	double significance;        /* NAN: exact */
	int kind;                   /* of ranges: enum range_kind */
};
size_t profile_stored_at(struct profile *p, const char *name, model_id file, uint32_t first,
			 uint32_t last, struct stored_value **values);
/* Facts about all rows of NAME. */
struct stored_facts {
	double greatest;            /* finite |value| */
	bool sampled;               /* some have a significance */
	bool apart;                 /* some are not on all sides, or have changed */
	bool alike;                 /* some were found by a similar text */
	bool affected;              /* some use what has changed */
};
void profile_stored_facts(struct profile *p, const char *name, struct stored_facts *facts);
/* Tells which rows of NAME differ beyond chance, as compared_discoveries() does. A job pauses. */
struct discoveries profile_stored_discoveries(struct profile *p, const char *name);

#endif
