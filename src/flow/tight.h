/* Which arcs can change at all. In a solution, counts can be moved along a directed cycle of the
 * residual network and in no other way: an arc is tight if its ends lie in different strongly
 * connected components, or if it is a bridge of its component seen without directions (Gusfield
 * 1988). The other arcs fall into blocks (no node is on all ways through one); what is moved in one
 * block does not touch the others. */
#ifndef CGVIEW_FLOW_TIGHT_H
#define CGVIEW_FLOW_TIGHT_H

#include "flow/net.h"

/* The free arcs, block by block, ascending within a block. */
struct blocks {
	uint32_t nr;
	uint32_t *start;  /* per block + 1: its places in arcs */
	uint32_t *arcs;
	uint32_t *block;  /* per arc of the network: its block; BLOCK_NONE: tight or closed */
};
#define BLOCK_NONE UINT32_MAX

/* NET's counts must be a solution. B is to be released in any case. O(arcs). */
enum flow_status blocks_find(struct blocks *b, const struct net *net);
void blocks_release(struct blocks *b);

#endif
