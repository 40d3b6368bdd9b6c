/* Live memory over time as stacked bands, in cells. */
#ifndef CGVIEW_SHOW_BANDS_H
#define CGVIEW_SHOW_BANDS_H

#include "db/lists/heaps.h"
#include "util/mem.h"

/* Returns the moment that column X of W shows: of those in its span the one with most, so that a
 * peak never vanishes. */
size_t bands_moment(const struct live_heap *h, int x, int w);
/* Returns the column of W that moment I is in. */
int bands_column(const struct live_heap *h, size_t i, int w);
/* Returns how many bytes the whole height of a picture stands for: the most that was live, or
 * resident, if that is at most half as much again; else bands would be too low. */
uint64_t bands_top(const struct live_heap *h);
/* Is what was resident in a picture, and known at all? */
bool bands_has_resident(const struct live_heap *h);
/* Returns the most that was resident; 0: not known. */
uint64_t bands_resident(const struct live_heap *h);
/* Returns the height Y of HEIGHT rows at which the resident size of moment I is; -1: nowhere. */
int bands_resident_at(const struct live_heap *h, size_t i, int height);
/* Returns the band at height Y (from 0, the lowest) of a picture of HEIGHT rows in a column that
 * shows moment I; -1: none. */
int bands_at(const struct live_heap *h, size_t i, int y, int height);

/* The line of what was resident. */
#define BANDS_RESIDENT(ascii) ((ascii) ? "-" : "\342\224\200")

/* One character for each band. */
const char *bands_glyph(unsigned band, bool ascii);

/* Appends what a band is: procedure and line, or whatever it was grouped by; safe to show. */
void bands_name(struct strbuf *out, struct profile *p, const struct live_band *band);
/* Appends it in WIDTH columns, with DOTS where something is left out, so that it differs from each
 * of the NR BANDS that has another name. */
void bands_name_fit(struct strbuf *out, struct profile *p, const struct live_band *band,
		    const struct live_band *bands, size_t nr, int width, const char *dots);
/* Appends the name of a span's row: that of its band, or "others". */
void bands_span_name(struct strbuf *out, struct profile *p, const struct live_heap *h,
		     const struct span_row *row);
/* Appends what lies within W: "1.20 MB", or "900 kB..1.20 MB". */
void bands_within(struct strbuf *out, const struct bytes_within *w, bool ascii);
/* Appends the facts of a span: its ends, what was made, and how much of that was kept. FROM as of
 * heap_span(). */
void bands_span_facts(struct strbuf *out, const struct live_heap *h, size_t from, size_t to,
		      const struct heap_span *span, bool ascii);
/* Appends the facts: the peak, within what it lies, and how long it took. */
void bands_facts(struct strbuf *out, const struct live_heap *h, bool ascii);

#endif
