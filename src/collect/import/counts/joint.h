/* Joint counters (docs/formats.md): the optimising stages of the plugin let one count for
 * several. */
#ifndef CGVIEW_COLLECT_JOINT_H
#define CGVIEW_COLLECT_JOINT_H

#include <stddef.h>
#include <stdint.h>

#include "collect/import/elf/tables.h"
#include "util/error.h"

struct joint_counters {
	uint64_t *values;  /* of the module's counters */
	uint64_t *lacking; /* per counter, 0 before: what some runs of a loop counted is not in it,
			    * and how many these are; NULL: nobody asks */
	size_t nr;
	uint64_t address;  /* link-time, of the first */
};

/* Add the values of all joint counters of T to their parts in C; once only, when all copies are
 * added up. PATH is for messages. -1 and ERR: the tables are damaged. */
int joint_apply(const struct tables *t, const struct joint_counters *c, const char *path,
		struct error *err);

#endif
