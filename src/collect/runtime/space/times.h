/* Lifetimes in time (--space=times). A block's record tells its birth on the heap clock only; so a
 * table tells when that stood where: for each 4 kB of it the time of the first birth there, and of
 * the last. A birth lies between these two, so of each lifetime a least and a most is known. With
 * it there is no short way (blocks.h). */
#ifndef CGVIEW_SPACE_TIMES_H
#define CGVIEW_SPACE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#define TIMES_OUT_OF_THE_WAY __attribute__((visibility("hidden"), noinline, cold))

struct raw_space_pair;

/* There is such a table. */
extern bool times_on __attribute__((visibility("hidden")));

/* Makes the table; without memory there is none. */
TIMES_OUT_OF_THE_WAY void times_start(void);
/* A block is born at CLOCK, in units of the record. */
TIMES_OUT_OF_THE_WAY void times_born(uint64_t clock);
/* One that was born at that place comes to its end by this thread, */
TIMES_OUT_OF_THE_WAY void times_end(uint64_t born);
/* and counts for PAIR. (Two steps, so that who is not asked for times has nothing to hand on.) */
TIMES_OUT_OF_THE_WAY void times_count(struct raw_space_pair *pair);

#endif
