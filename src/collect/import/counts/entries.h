/* Finds how often procedures without a counter for it were called: from the counts of the call
 * sites of their unit, callers first. */
#ifndef CGVIEW_COLLECT_ENTRIES_H
#define CGVIEW_COLLECT_ENTRIES_H

#include "collect/import/counts/counts.h"
#include "collect/import/counts/lacking.h"
#include "collect/import/elf/tables.h"

/* COUNTERS are the unit's. CALLS has room for each procedure of U: those that follow get the number
 * of calls by others than themselves, to be given to counts_solve(); the rest is 0. Returns how
 * many are left open, since they call each other in a circle: 0 unless the tables are damaged.
 * ROOM: as for counts_solve(). LACKING: what the counters, and then the calls, lack, as in
 * collect/import/counts/lacking.h; its CALLS, of each procedure, 0 before, are filled in. NULL:
 * nobody asks. */
struct entries_lacking {
	const uint64_t *counters;
	uint64_t *calls;
	struct lacking_room *room;
};
uint32_t entries_find(struct counts_room *room, const struct unit *u, const uint64_t *counters,
		      uint64_t *calls, const struct entries_lacking *lacking);

/* A call whose count tells how often a procedure is called that follows; procedures are numbers of
 * the unit's. */
struct entries_call { uint32_t from, to, block; };

/* Sets ORDER, of as many as U has, to its procedures, callers before what follows from them, and
 * *CALLS (heap) to those calls, in the order of FROM. Returns how many calls; those that call each
 * other in a circle are last. */
size_t entries_order(const struct unit *u, uint32_t *order, struct entries_call **calls);

#endif
