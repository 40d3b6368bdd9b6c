/* A network of sites, procedures and copies of outside with a count on every arc: what the later
 * steps work on. Used for what peeling left over, for its twins merged, and for single blocks of
 * these. */
#ifndef CGVIEW_FLOW_NET_H
#define CGVIEW_FLOW_NET_H

#include <stdbool.h>

#include "flow/flow.h"
#include "flow/graph.h"

struct net_near { uint32_t arc, node; };

/* Nodes: sites, then procedures, then copies of outside. Arcs lead from a site or outside to a
 * procedure or outside; they are sorted by (from, to), except that those from outside come last. */
struct net {
	uint32_t nr_nodes, nr_arcs;
	uint32_t first_procedure, first_outside;
	uint32_t *from, *to;
	uint32_t *start;        /* per node + 1: its places in near */
	struct net_near *near;  /* per node its arcs in arc order, with the node at the other end */
	uint64_t *x;            /* count per arc */
	uint64_t *rest;         /* per node: what is on no arc; 0 for outside */
	uint8_t *closed;        /* per arc: its count stays as it is */
};

static inline bool
net_is_outside(const struct net *net, uint32_t v)
{
	return v >= net->first_outside;
}

/* Does the arc between V and its neighbour NEAR lead from V? The numbers of the nodes tell. */
static inline bool
net_leaves(const struct net *net, uint32_t v, struct net_near near)
{
	return v < net->first_procedure ||
	       (v >= net->first_outside && near.node >= net->first_procedure);
}

static inline uint32_t
net_degree(const struct net *net, uint32_t v)
{
	return net->start[v + 1] - net->start[v];
}

/* Room for NODES and ARCS; the numbers are set, the arrays zero. NET is to be released in any
 * case. */
enum flow_status net_init(struct net *net, uint32_t nodes, uint32_t arcs);
void net_release(struct net *net);

/* Fill start and near from from and to. */
void net_link(struct net *net);

/* Put N more on ARC; both ends must have it left (outside always has). */
void net_add(struct net *net, uint32_t arc, uint64_t n);

/* Returns what both ends of ARC have left: the lesser of the two rests. */
uint64_t net_least_rest(const struct net *net, uint32_t arc);

/* Returns the sum of the counts at V. */
uint64_t net_total(const struct net *net, uint32_t v);

/* Makes the open arcs of G a network; components that only outside would join get their own copy of
 * it. IDS (heap, the caller's): the problem's arc of each of the net's. */
enum flow_status net_from_graph(struct net *net, const struct graph *g, uint32_t **ids);

/* Makes the ARCS (NR of them, ascending) of OUTER a network of their own, counts included, nothing
 * left over at its nodes. NUMBER: scratch, one per node of OUTER. Net arc k is ARCS[k]. */
enum flow_status net_part(struct net *net, const struct net *outer, const uint32_t *arcs,
			  uint32_t nr, uint32_t *number);

/* Splits the copy of outside in NET, which has one at most, into two ordinary nodes: a last site
 * for the arcs from it, and a last procedure for the arcs to it. So the sum of each direction is
 * kept as those of other nodes are. Arcs keep their numbers, counts and order. NET stays as it is
 * if there is no outside, or if one of these sums does not fit into 64 bits. */
enum flow_status net_split_outside(struct net *net);

#endif
