/* What each procedure of a program did in one process: worked out of what a share has of it,
 * without an import. The least and the most of several processes cannot be had from their sum. */
#ifndef CGVIEW_COLLECT_DERIVE_H
#define CGVIEW_COLLECT_DERIVE_H

#include "collect/import/counts/build.h"
#include "collect/import/sums/share.h"

/* Opens PROGRAM, or a library, and reads its tables. NULL and ERR: it cannot be read, is damaged or
 * cut off, or was not built with cgcc, or without a build ID. To be closed. */
struct derive *derive_open(const char *program, struct error *err);
void derive_close(struct derive *d);

const char *derive_path(const struct derive *d);
/* Is PLACE the build that was opened? */
bool derive_is(const struct derive *d, const struct sum_place *place);

/* Which of the model's procedures MOD has, which was added to M: NR from FIRST on. HASH tells the
 * same procedures in the same order from others. */
struct module_procedures { model_id first; uint32_t nr; uint64_t hash; };
struct module_procedures module_procedures(const struct module *mod, const struct model *m);
/* The same of what was opened, as struct sum_spread has it. */
struct module_procedures derive_procedures(const struct derive *d);

/* Looks where the samples of S fell. To be done for all shares before derive_values(), which may
 * then be asked of each. */
void derive_note(struct derive *d, const struct places *p, struct share *s, int place);

/* Sets VALUES by procedure, from 0 on: what S, which is of one process, did in those of PLACE. -1
 * and ERR: debug information was there and could not be read, or the tables are damaged. */
int derive_values(struct derive *d, const struct places *p, struct share *s, int place,
		  uint64_t (*values)[SUM_SPREAD_FIGURES], struct error *err);

#endif
