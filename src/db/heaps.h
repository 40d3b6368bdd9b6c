/* Live memory over time, as a profile has it: of one process, in bands. */
#ifndef CGVIEW_DB_HEAPS_H
#define CGVIEW_DB_HEAPS_H

#include "db/profile.h"

enum bands_by { BANDS_BY_PRODUCER, BANDS_BY_PROCEDURE, BANDS_BY_FILE, BANDS_BY_MODULE,
		BANDS_BY_TYPE, BANDS_BY_SIZE, NR_BANDS_BY };
extern const char *const bands_by_names[NR_BANDS_BY + 1]; /* one word each; NULL ends them */

enum { HEAP_MOST_BANDS = 8, HEAP_ALL_BANDS = HEAP_MOST_BANDS + 2, HEAPS_MOST = 64 };

struct live_band {
	const char *name;          /* of the producer: its procedure; a path; may be "" */
	struct place place;        /* of one of its producers; file 0: none */
	model_id procedure;        /* likewise; 0: none */
	uint64_t size_class;       /* by size: of allocations; else 0 */
	double area;               /* bytes by ns */
};

struct live_moment {
	uint64_t at_ns, cpu_ns, clock_bytes, resident_bytes;
	uint64_t live_bytes;       /* the sum of all bands */
	uint64_t of[HEAP_ALL_BANDS]; /* by band */
};

/* The memory of one process. The bands with most area come first, then all others together, then
 * what was inherited; the last two are there only if they ever have something. */
struct live_heap {
	model_id run;
	uint32_t pid;
	uint64_t peak_bytes, lo_bytes, hi_bytes;
	struct live_band bands[HEAP_ALL_BANDS];
	unsigned nr_bands;
	struct live_moment *moments; /* in the order of time */
	size_t nr;
	size_t top;                /* the moment with most */
	struct arena arena;        /* has the names */
};

/* Returns how many processes of P have moments, at most HEAPS_MOST. */
size_t heaps_count(struct profile *p);
/* Reads the one with number WHICH, from 0 on, those with the greatest peaks first. Returns false
 * when there is none; H is then as after heap_release(). */
bool heap_read(struct profile *p, size_t which, enum bands_by by, struct live_heap *h);
void heap_release(struct live_heap *h);

#endif
