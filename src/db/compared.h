/* Rows of a comparison as a listing (LIST_COMPARISON): read where they are, in the memory of
 * whoever compares or in what an earlier comparison left in the profile. Nothing is copied: to SQL
 * they are a virtual table. */
#ifndef CGVIEW_DB_COMPARED_H
#define CGVIEW_DB_COMPARED_H

#include "db/profile.h"
#include "util/mem.h"

/* Kinds of rows are kept apart by a number, the caller's, from 1 to MAX_COMPARED_THINGS. */
enum { MAX_COMPARED_THINGS = 15 };

/* Of more than two profiles these many between the first and the last have their columns. */
enum { MAX_COMPARED_MIDDLE = 8 };

struct compared_record {
	struct model_comparison row; /* metric is not looked at */
	struct place first;          /* in the first profile; file 0: not there, or nowhere */
	const char *first_path;      /* of its file */
	uint32_t owner;              /* what it is in, numbered over all profiles; 0: nothing */
	uint32_t caller, callee;     /* arcs: the same of their ends */
	const char *spark;           /* of a series, or NULL */
	bool estimated;
	/* Who has its source text, NULL: nobody; in this file there, at the place of the row. */
	struct profile *holder;
	model_id held_file;
	struct scalar_value middle[MAX_COMPARED_MIDDLE]; /* the same as row.a, of profiles b.. */
};

/* Where rows come from. They are in the order of their rank, the first one first, which is that of
 * the column "value". */
struct compared_source {
	uint64_t rows;
	/* Row I; texts may be put in ARENA and are read before anything else is asked. */
	void (*read)(void *context, uint64_t i, struct arena *arena, struct compared_record *r);
	/* Arcs: the rows that this entity calls (CALLEE: that call it), ascending, *NR of them;
	 * valid as long as the source. NULL function: they have no ends. */
	const uint32_t *(*calls)(void *context, bool callee, uint32_t entity, size_t *nr);
	void *context;
};

/* The rows of THINGS come from SOURCE (copied) from now on; NULL: there are none. Listings of
 * THINGS that are open then give no rows, or others. */
void profile_compared_set(struct profile *p, int things, const struct compared_source *source);

/* How many there are. */
uint64_t profile_compared_rows(const struct profile *p, int things);

/* Row I, of those of THINGS; false: there is none. Texts may be in ARENA. */
bool profile_compared_read(const struct profile *p, int things, uint64_t i, struct arena *arena,
			   struct compared_record *r);
/* The id of its row in listings. */
int64_t profile_compared_id(int things, uint64_t i);

/* ---- what an earlier comparison left: `cgview diff -o` ---- */

struct stored_side {            /* texts as long as the profile is open */
	const char *path, *build_id;
	double size;                /* 0: not told */
	double count_scale, time_scale;
	int64_t started_ns;         /* its first run; its totals */
	uint64_t blocks_executed, self_ns;
};
/* The profiles that took part; 0: no comparison is stored. */
size_t profile_stored_sides(struct profile *p, struct stored_side *sides, size_t max);

/* The expression over the kind of rows called NAME ("procedure"), heap, the caller's; NULL: none is
 * stored. */
char *profile_stored_expression(struct profile *p, const char *name);

/* The stored rows of NAME, those of the greatest |value| first, become those of THINGS, whose ids
 * are read at once; none when profile_error() is set. */
void profile_stored_rows(struct profile *p, const char *name, int things);
/* All of these, of all things. */
void profile_stored_forget(struct profile *p);

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
/* Of all rows of NAME. */
struct stored_facts {
	double greatest;            /* finite |value| */
	bool sampled;               /* some have a significance */
	bool apart;                 /* some are only on some sides, or have changed */
};
void profile_stored_facts(struct profile *p, const char *name, struct stored_facts *facts);

#endif
