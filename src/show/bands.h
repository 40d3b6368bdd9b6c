/* Live memory over time as stacked bands, in cells. */
#ifndef CGVIEW_SHOW_BANDS_H
#define CGVIEW_SHOW_BANDS_H

#include "db/heaps.h"
#include "util/mem.h"

/* Returns the moment that column X of W shows: of those in its span the one with most, so that a
 * peak never vanishes. */
size_t bands_moment(const struct live_heap *h, int x, int w);
/* Returns the column of W that moment I is in. */
int bands_column(const struct live_heap *h, size_t i, int w);
/* Returns the band at height Y (from 0, the lowest) of a picture of HEIGHT rows in a column that
 * shows moment I; -1: none. */
int bands_at(const struct live_heap *h, size_t i, int y, int height);

/* One character for each band. */
const char *bands_glyph(unsigned band, bool ascii);

/* Appends what a band is: procedure and line, or whatever it was grouped by; safe to show. */
void bands_name(struct strbuf *out, struct profile *p, const struct live_heap *h, unsigned band,
		enum bands_by by);
/* Appends the facts: the peak, within what it lies, and how long it took. */
void bands_facts(struct strbuf *out, const struct live_heap *h, bool ascii);

#endif
