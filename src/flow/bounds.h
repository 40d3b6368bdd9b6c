/* Intervals of the arcs of one block: between which counts an arc can be turned. */
#ifndef CGVIEW_FLOW_BOUNDS_H
#define CGVIEW_FLOW_BOUNDS_H

#include "flow/push.h"

struct bounds { uint64_t *lo, *hi; };  /* per arc of the block's network */

/* Finds bounds that are cheap and sound, not always tight: what the sums at the nodes leave for an
 * arc when the node's other arcs are at their own bounds; a few rounds of that. BLOCK holds a
 * solution. O(arcs). */
void bounds_outer(const struct net *block, struct bounds *b);

/* Makes the outer bounds in B exact: moves counts around each arc until no more can be moved.
 * BLOCK's counts change, to another solution. LEAST, MOST: scratch, one per arc. */
void bounds_exact(struct net *block, struct push *p, struct bounds *b, uint64_t *least,
		  uint64_t *most);

/* Finds the exact bounds of one arc. BLOCK's counts change, to another solution. */
void bounds_of_arc(struct net *block, struct push *p, uint32_t arc, uint64_t *lo, uint64_t *hi);

#endif
