/* Finds what calls through pointers reached, where the program noted it: from the addresses in the
 * raw file to measured arcs of the model. */
#ifndef CGVIEW_COLLECT_TARGETS_H
#define CGVIEW_COLLECT_TARGETS_H

#include "collect/import/counts/areas.h"
#include "collect/import/counts/candidates.h"
#include "collect/import/counts/names.h"
#include "collect/import/rawfile.h"

struct targets {
	struct builder *b;
	struct module *modules;
	size_t nr_modules;
	struct target_call *calls;     /* one per site and address */
	size_t nr_calls, calls_alloc;
	struct index call_index;
	uint64_t nr_unclear;           /* calls at addresses where several modules have been */
	struct error unread;           /* debug information that was there and was not read */
	uint64_t nr_unknown;           /* calls of code that belongs to nothing known */
	bool lost_handed;              /* of some procedure that a call handed out it is not known
					* which one it was */
};

/* B must have all modules (its notes are sorted here). */
void targets_init(struct targets *t, struct builder *b, struct module *modules,
		  size_t nr);
void targets_release(struct targets *t);

/* All is read once more, as it is by then: what was resolved stays so. Modules may have come. */
void targets_again(struct targets *t, size_t nr_modules);

/* Reads the noted calls that R has, the raw file whose AREAS were read last. MODULE_OF: per module
 * of R its number in the modules, -1 unusable. */
void targets_read(struct targets *t, const struct rawfile *r, const int *module_of,
		  const struct areas *areas);

/* Tells the calls of each site and procedure (0: outside), in several parts perhaps. */
void targets_tell(struct targets *t, const struct names *n,
		  void (*tell)(void *context, model_id site, model_id callee, uint64_t count),
		  void *context);

/* Add an ARC_MEASURED to the model for each site and procedure, or outside; what direct calls of
 * code outside were given becomes a candidate that leads through them. Notes tell what could not be
 * noted, and what could not be resolved. PARTS as for samples_attribute(). */
void targets_attribute(struct targets *t, const struct names *n, struct candidates *candidates,
		       struct part_entries *parts);

/* Sorts the model's arcs by site and callee, and makes those of one site and callee one, with what
 * was measured of all. */
void targets_unite_arcs(struct model *m);

#endif
