/* Live memory over time, as a profile has it: of one process, in bands. */
#ifndef CGVIEW_DB_HEAPS_H
#define CGVIEW_DB_HEAPS_H

#include "db/store/profile.h"

enum bands_by { BANDS_BY_PRODUCER, BANDS_BY_PROCEDURE, BANDS_BY_FILE, BANDS_BY_MODULE,
		BANDS_BY_TYPE, BANDS_BY_SIZE, BANDS_BY_SITE, BANDS_BY_DISPOSER, NR_BANDS_BY };
extern const char *const bands_by_names[NR_BANDS_BY + 1]; /* one word each; NULL ends them */

enum { HEAP_MOST_BANDS = 8, HEAP_ALL_BANDS = HEAP_MOST_BANDS + 2, HEAPS_MOST = 64 };

struct live_band {
	const char *name;          /* of the producer: its procedure; a path; may be "" */
	const char *what;          /* behind name and place; NULL: nothing */
	struct place place;        /* of one of its producers; file 0: none */
	bool at_place;             /* that is part of what it is */
	model_id procedure;        /* of one of its producers; 0: none */
	uint64_t size_class;       /* by size: of allocations; else 0 */
	double area;               /* bytes by ns */
	int number;                /* of a group: its band; -1: it is among the others */
};

struct live_moment {
	model_id id;
	uint64_t at_ns, cpu_ns, clock_bytes, resident_bytes;
	uint64_t live_bytes;       /* the sum of all bands */
	uint64_t of[HEAP_ALL_BANDS]; /* by band */
};

/* By disposer the live bytes of a producer fall into shares: one for each disposer, and one for
 * what is never freed. A disposer certainly owns what exceeds the totals of all others. What
 * exceeds all that was ever given back is certainly never freed. The rest is a band of its own:
 * blocks that one of several disposers will give back. */
struct live_share {
	uint32_t group;
	bool never;                /* given back */
	uint64_t bytes;
};

/* Whose bytes are told apart in moments: a producer or a size class. */
struct live_source {
	uint32_t group;            /* has what is in no share; HEAP_OTHERS: it is not known whose */
	uint64_t total;            /* bytes that it ever got; known if it has shares */
	size_t share, nr_shares;   /* the first one, how many there are */
};
#define HEAP_OTHERS UINT32_MAX

/* What a source has from a moment on: of a moment that has none nothing is live, and nothing was
 * made since the one before. */
struct live_level {
	uint32_t moment, source;
	uint64_t live, made;       /* MADE: all that it has been handed out until then */
};

/* The memory of one process. The bands with most area come first, then all others together, then
 * what was inherited; the last two are there only if they ever have something. */
struct live_heap {
	model_id run;
	uint32_t pid;
	uint64_t peak_bytes, lo_bytes, hi_bytes;
	enum bands_by by;
	struct live_band bands[HEAP_ALL_BANDS];
	unsigned nr_bands;
	struct live_moment *moments; /* in the order of time */
	size_t nr;
	size_t top;                /* the moment with most */
	struct live_band *groups;  /* all of them; some are bands */
	struct live_source *sources;
	struct live_share *shares;
	struct live_level *levels; /* in the order of their moments */
	size_t nr_groups, nr_sources, nr_shares, nr_levels;
	struct arena arena;        /* has the names */
};

/* Returns how many processes of P have moments, at most HEAPS_MOST. */
size_t heaps_count(struct profile *p);
/* Reads the one with number WHICH, from 0 on, those with the greatest peaks first. Returns false
 * when there is none; H is then as after heap_release(). */
bool heap_read(struct profile *p, size_t which, enum bands_by by, struct live_heap *h);
void heap_release(struct live_heap *h);

/* ---- from one moment to another ---- */

/* Between these it lies. */
struct bytes_within {
	uint64_t lo, hi;
};

/* What a group got from one moment to another. KEPT: of what was made the part that is live in the
 * end. It is at least what there is more, and at most all that is live, or was made: exact where
 * nothing was live in the beginning, or nothing was given back meanwhile. By disposer all of them
 * are as uncertain as bands are. */
struct span_row {
	uint32_t group;            /* HEAP_OTHERS: all that are not told apart */
	struct bytes_within made, kept;
	struct bytes_within before, after; /* live */
};

struct heap_span {
	struct span_row *rows;     /* those that got something, the greatest first */
	size_t nr;
	uint64_t made;             /* in all */
	struct bytes_within kept;
};

/* Works out what was made behind moment FROM (SIZE_MAX: since the program began) and not later than
 * moment TO. */
void heap_span(const struct live_heap *h, size_t from, size_t to, struct heap_span *span);
void heap_span_release(struct heap_span *span);
/* Puts its rows into the listing LIST_SPAN of P, once. */
void profile_put_span(struct profile *p, const struct live_heap *h, const struct heap_span *span,
		      size_t from, size_t to);
/* Sets *AT to the moment that NAME tells: "begin" (SIZE_MAX), "peak", "end", its number, or a time
 * since the program began ("1.5s", "20ms", "3us", "70ns"): the last one until then, SIZE_MAX if
 * there is none yet. Returns false if it is none of these. */
bool heap_find_moment(const struct live_heap *h, const char *name, size_t *at);

#endif
