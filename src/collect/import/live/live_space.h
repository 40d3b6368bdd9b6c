/* Inside live*.c only: memory in looks, where record --space counts it in the raw files. */
#ifndef CGVIEW_COLLECT_LIVE_SPACE_H
#define CGVIEW_COLLECT_LIVE_SPACE_H

#include "collect/import/live/live_state.h"

/* Begins a look: nothing is known of any procedure. */
void live_space_begin(struct live *l);
/* Adds what part P of R tells, if it is of allocations. MODULE_OF as for space_read(). */
void live_space_read(struct live *l, const struct rawfile *r, const int *module_of,
		     const struct raw_part *p);
/* Returns what PROCEDURE has by this look, and had allocated BEFORE at least; 0: code without a
 * procedure. */
struct live_memory live_space_of(const struct live *l, model_id procedure,
				 const struct live_memory *before);

#endif
