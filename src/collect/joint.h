/* Joint counters (docs/formats.md): the optimising stages of the plugin let one count for
 * several. */
#ifndef CGVIEW_COLLECT_JOINT_H
#define CGVIEW_COLLECT_JOINT_H

#include <stddef.h>
#include <stdint.h>

#include "collect/tables.h"
#include "util/error.h"

/* Add the values of all joint counters of T to their parts. COUNTERS: those of the module, NR of
 * them from link-time ADDRESS on; once only, when all copies are added up. PATH is for messages.
 * -1 and ERR: the tables are damaged. */
int joint_apply(const struct tables *t, uint64_t *counters, size_t nr, uint64_t address,
		const char *path, struct error *err);

#endif
