/* Moving counts about: Dinic's algorithm on the residual network. From a node a count can be moved
 * along any arc that leaves it (an arc holds as much as you like) and back along an arc that enters
 * it, as far as there is something on it. */
#ifndef CGVIEW_FLOW_PUSH_H
#define CGVIEW_FLOW_PUSH_H

#include "flow/net.h"

struct push {
	uint32_t *level;      /* steps to the nearest taker; all FAR between calls */
	uint32_t *cursor;     /* per node: the next place in near to try */
	uint32_t *queue;
	uint32_t *path_arc, *path_node;
	uint64_t *give, *take;  /* per node; UINT64_MAX: without end. All 0 between calls */
	uint64_t *least, *most; /* per arc, or NULL: extremes of each count ever held; the user's */
	uint64_t work;        /* arcs looked at so far: a clock that is the same on every machine */
};

/* Scratch for networks of up to NODES nodes. To be released in any case. */
enum flow_status push_init(struct push *p, uint32_t nodes);
void push_release(struct push *p);

/* Move up to LIMIT from SOURCE to SINK, not over closed arcs; through outside is allowed. Returns
 * the amount moved, which is the most that is possible (or LIMIT). Rests stay as they are. */
uint64_t push_between(struct push *p, struct net *net, uint32_t source, uint32_t sink,
		      uint64_t limit);

/* Puts as much as possible of what the nodes have left on arcs: from sites to procedures first,
 * then to outside, then from outside. The remainder stays in net->rest and its sum is minimal. */
void push_rests(struct push *p, struct net *net);

/* Makes the calls from and to outside as few as the sums allow: what a site sends outside and a
 * procedure has from there is put on arcs between them. NET holds a solution, with nothing left at
 * its nodes, and still does afterwards. */
void push_off_outside(struct push *p, struct net *net);

#endif
