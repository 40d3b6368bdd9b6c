#include "show/bands.h"

#include <string.h>

#include "show/value.h"
#include "util/path.h"
#include "util/safe.h"

static double
at(const struct live_heap *h, size_t i)
{
	return (double)(h->moments[i].at_ns - h->moments[0].at_ns);
}

int
bands_column(const struct live_heap *h, size_t i, int w)
{
	double all = at(h, h->nr - 1);
	double x = all > 0 ? at(h, i) / all * w : 0;

	return x < w - 1 ? (int)x : w - 1;
}

/* What was live at a moment stays so until the next one. */
size_t
bands_moment(const struct live_heap *h, int x, int w)
{
	size_t before = 0, first, most;

	while (before + 1 < h->nr && bands_column(h, before + 1, w) < x)
		before++;
	first = before;
	if (bands_column(h, first, w) < x && first + 1 < h->nr &&
	    bands_column(h, first + 1, w) == x)
		first++;
	most = first;
	for (size_t i = first + 1; i < h->nr && bands_column(h, i, w) <= x; i++)
		if (h->moments[i].live_bytes > h->moments[most].live_bytes)
			most = i;
	return most;
}

int
bands_at(const struct live_heap *h, size_t i, int y, int height)
{
	const struct live_moment *m = &h->moments[i];
	double most = (double)h->moments[h->top].live_bytes;
	double wanted = (y + 0.5) * most / height, sum = 0;

	if (y < 0 || most <= 0)
		return -1;
	for (unsigned k = 0; k < h->nr_bands; k++) {
		sum += (double)m->of[k];
		if (wanted < sum)
			return (int)k;
	}
	return -1;
}

const char *
bands_glyph(unsigned band, bool ascii)
{
	static const char *const glyphs[HEAP_ALL_BANDS] = {
		"\342\226\210", "\342\226\223", "\342\226\222", "\342\226\221", "\342\226\232",
		"\342\225\261", "\342\225\263", "\342\225\262", "\302\267", "\342\210\231",
	};
	static const char *const plain[HEAP_ALL_BANDS] = {
		"#", "%", "x", "o", "=", "/", "+", "\\", ".", ":",
	};

	return band >= HEAP_ALL_BANDS ? "" : ascii ? plain[band] : glyphs[band];
}

void
bands_name(struct strbuf *out, struct profile *p, const struct live_heap *h, unsigned band,
	   enum bands_by by)
{
	const struct live_band *b = &h->bands[band];
	const struct profile_file *f = b->place.file ? profile_file(p, b->place.file) : NULL;

	safe_str(out, *b->name ? b->name : "?");
	if (by == BANDS_BY_PRODUCER && f) {
		strbuf_char(out, ' ');
		safe_str(out, path_base(f->path));
		strbuf_fmt(out, ":%u:%u", b->place.line, b->place.column);
	}
}

void
bands_facts(struct strbuf *out, const struct live_heap *h, bool ascii)
{
	value_whole(out, UNIT_BYTES, h->peak_bytes, 0, ascii);
	strbuf_str(out, " at most");
	if (h->lo_bytes != h->hi_bytes) {
		strbuf_str(out, " (");
		value_between(out, UNIT_BYTES, h->lo_bytes, h->hi_bytes, 0, ascii);
		strbuf_char(out, ')');
	}
	strbuf_str(out, ", at ");
	value_whole(out, UNIT_NS, h->moments[h->top].at_ns, 0, ascii);
	strbuf_str(out, " of ");
	value_whole(out, UNIT_NS, h->moments[h->nr - 1].at_ns, 0, ascii);
}
