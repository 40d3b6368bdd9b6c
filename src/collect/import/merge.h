/* Adding one profile to another of the same program. */
#ifndef CGVIEW_COLLECT_MERGE_H
#define CGVIEW_COLLECT_MERGE_H

#include "collect/import/counts/candidates.h"
#include "db/model/model.h"

/* Finds the things of a profile of another build (FROM) in this one (INTO), by its source. Each
 * function gets a number of FROM and returns that of INTO. */
struct merge_source {
	void *context;
	/* 0: not there. */
	model_id (*file)(void *context, model_id file);
	model_id (*procedure)(void *context, model_id procedure);
	model_id (*target)(void *context, const char *linkage_name); /* of a direct call */
	bool (*changed)(void *context, model_id procedure); /* its text is another one */
	/* They return false for what is not there. */
	bool (*place)(void *context, struct place *place);
	bool (*line)(void *context, model_id *file, uint32_t *line);
};

/* Add all of FROM to INTO: counts, samples and times of what both have, and what only FROM has; its
 * runs, parts and threads come first. FROM's arcs become candidates; INTO's own are not solved yet.
 * INTO keeps nothing of FROM's. The content of INTO does not depend on what is added to what, or in
 * which order; the order of its rows does. -1 and ERR: FROM's parts are damaged, see parts_check(),
 * or INTO's spill is full; INTO is to be given up. */
int model_merge(struct model *into, const struct model *from, struct candidates *c,
		struct error *err);

/* Like model_merge(), but INTO's rows get the ids that they have in FROM, if they are there, also
 * in C; others stand behind those. So parts of FROM are copied as they are: it takes much less time
 * where these are more than INTO's. */
int model_merge_onto(struct model *into, const struct model *from, struct candidates *c,
		     struct error *err);

/* Like model_merge(), for a FROM of another build: only what is in INTO already is added to; SOURCE
 * tells where. A complaint and a note in INTO say how much of FROM, the profile NAME, was found. */
int model_merge_by_source(struct model *into, const struct model *from,
			  const struct merge_source *source, const char *name,
			  struct candidates *c, struct error *err);

#endif
