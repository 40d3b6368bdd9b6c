/* Finds the procedures that a program kept as its current cost centres. */
#ifndef CGVIEW_COLLECT_CENTRES_H
#define CGVIEW_COLLECT_CENTRES_H

#include "collect/import/counts/build.h"

struct centre {
	uint64_t address;          /* link-time, of the procedure's first counter */
	model_id procedure;
};

struct centres {
	struct centre_list {       /* of one module, by address */
		struct centre *items;
		size_t nr;
		bool kept;         /* some unit of it keeps cost centres */
		bool partly;       /* but not all do */
	} *modules;
	size_t nr_modules;
};

/* Notes the first counters of all procedures of the usable modules, which have been built. */
void centres_init(struct centres *c, const struct module *modules, size_t nr);
void centres_release(struct centres *c);

/* Returns the procedure whose first counter is at ADDRESS (link-time) of MODULE; 0: none. */
model_id centres_find(const struct centres *c, size_t module, uint64_t address);

/* ---- how the two ways to count time agree ---- */

struct disagreement {              /* samples of one procedure by pc, of another by centre */
	struct disagreement_pair {
		model_id pc, centre; /* 0: to none */
		uint64_t samples;
	} *pairs;
	size_t nr, alloc;
};

void disagreement_add(struct disagreement *d, model_id pc, model_id centre, uint64_t samples);
/* Adds a note about the disagreement, if there is any: how many samples, and the most frequent
 * pairs. */
void disagreement_tell(struct disagreement *d, struct model *m);
void disagreement_release(struct disagreement *d);

#endif
