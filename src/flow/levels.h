/* Calls on unlikely arcs: as few as there can be, and which arcs may have them. */
#ifndef CGVIEW_FLOW_LEVELS_H
#define CGVIEW_FLOW_LEVELS_H

#include "flow/net.h"

/* NET has a solution. LEVELS: per arc of its origin how unlikely it is, ARCS: per arc of NET its
 * arc there. Makes the sum of all counts, each times its arc's level, minimal by moving counts
 * along cycles, and closes the arcs that have no count in any solution of that sum; the others are
 * open. Where that takes too long, or there is no memory, all that are not of level 0 are closed,
 * and the counts may be changed or not. */
void levels_settle(struct net *net, const uint8_t *levels, const uint32_t *arcs);

#endif
