/* Modules of raw profiles, programs and libraries that count: their files, and what they have
 * counted. */
#ifndef CGVIEW_COLLECT_MODULES_H
#define CGVIEW_COLLECT_MODULES_H

#include "collect/import/counts/build.h"
#include "collect/import/owners.h"
#include "collect/import/rawfile.h"

/* Returns which of MODULES, NR of them, is RAW; -1: none. */
int module_find(const struct module *modules, size_t nr, const struct raw_module *raw);

/* Fills MOD with what the file of RAW says, opened as OWNERS may; its path is ARENA's. All counters
 * are 0. -1 and ERR: it is not usable (pointless: nor will it be). To be released in any case. */
int module_load(struct module *mod, const struct raw_module *raw, struct owners *owners,
		struct arena *arena, struct error *err);
void module_release(struct module *mod);

/* Adds what part P of R, of MOD's counters, has by now to COUNTERS. */
void module_add_counters(const struct module *mod, const struct rawfile *r,
			 const struct raw_part *p, uint64_t *counters);

/* Does joint_apply() with COUNTERS, the module's: of all copies, or of some. LACKING: as in struct
 * joint_counters. */
int module_add_joint(const struct module *mod, uint64_t *counters, uint64_t *lacking,
		     struct error *err);

#endif
