/* Procedures that are on no stack, as their last act was a jump to another one: what stands between
 * a call and what the stack has below it. Told only where nothing else can be. */
#ifndef CGVIEW_COLLECT_JUMPED_H
#define CGVIEW_COLLECT_JUMPED_H

#include "collect/import/samples/seen_calls.h"

struct jumped {
	const struct seen_calls *seen;
	/* Arcs by site, sites by procedure: the first of each in items, and one more. */
	struct by_number { uint32_t *first, *items; } noted, sites;
};

/* SEEN has the jumps, and its model the calls that were noted. */
void jumped_init(struct jumped *j, const struct seen_calls *seen);
void jumped_release(struct jumped *j);

/* FROM was called, and jumped; CALLEE stands in its place. Returns what FROM, or what was inlined
 * there, jumped to; 0: CALLEE itself, or there are several ways. */
model_id jumped_next(const struct jumped *j, model_id from, model_id callee);

/* SITE, a call through a pointer, called someone in whose place the stack has CALLEE. Returns who
 * it was; 0: CALLEE itself, or it is not known. */
model_id jumped_called(const struct jumped *j, model_id site, model_id callee);

/* Returns the only call in PROCEDURE that reached CALLEE through a pointer, or that calls it and
 * may have become a jump; 0: none, or several. */
model_id jumped_site(const struct jumped *j, model_id procedure, model_id callee);

#endif
