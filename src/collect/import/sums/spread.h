/* Inside sums only: the spreads of a fold. */
#ifndef CGVIEW_COLLECT_SPREAD_H
#define CGVIEW_COLLECT_SPREAD_H

#include "collect/import/sums/fold.h"

void spreads_release(struct fold *f);

/* Notes where the samples of S, of one process, fell. */
void spreads_note(struct fold *f, struct share *s);

/* Can those of FROM, whose members were read, be added? Else -1 and ERR. */
int spreads_check(const struct fold *f, const struct sumfile *from, struct error *err);
/* Adds them, which were checked. FROM's processes are those of the fold from FIRST on. */
void spreads_add(struct fold *f, const struct sumfile *from, uint32_t first);

/* Appends all to OUT, as they stand in a sum. TEXT_AT tells where a text is there; NUMBERS: per
 * process its number there. */
void spreads_put(const struct fold *f, struct strbuf *out, const uint32_t *numbers,
		 uint32_t (*text_at)(void *ctx, const char *text), void *ctx);

#endif
