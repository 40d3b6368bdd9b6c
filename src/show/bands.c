#include "show/bands.h"

#include <string.h>

#include "show/value.h"
#include "util/text/name.h"
#include "util/text/path.h"
#include "util/text/safe.h"

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

uint64_t
bands_resident(const struct live_heap *h)
{
	uint64_t most = 0;

	for (size_t i = 0; i < h->nr; i++)
		if (h->moments[i].resident_bytes > most)
			most = h->moments[i].resident_bytes;
	return most;
}

bool
bands_has_resident(const struct live_heap *h)
{
	uint64_t most = bands_resident(h), live = h->moments[h->top].live_bytes;

	/* More would leave too little room for the bands. */
	return most && most / 3 <= live / 2;
}

uint64_t
bands_top(const struct live_heap *h)
{
	uint64_t live = h->moments[h->top].live_bytes;
	uint64_t resident = bands_has_resident(h) ? bands_resident(h) : 0;

	return resident > live ? resident : live;
}

int
bands_resident_at(const struct live_heap *h, size_t i, int height)
{
	double resident = (double)h->moments[i].resident_bytes, top = (double)bands_top(h);
	int y;

	if (resident <= 0 || top <= 0 || !bands_has_resident(h))
		return -1;
	y = (int)(resident / top * height);
	return y < height ? y : height - 1;
}

int
bands_at(const struct live_heap *h, size_t i, int y, int height)
{
	const struct live_moment *m = &h->moments[i];
	double most = (double)bands_top(h);
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

/* Appends the place, and what is made there. */
static void
add_place(struct strbuf *out, struct profile *p, const struct live_band *b)
{
	const struct profile_file *f = b->at_place && b->place.file && !b->size_class
					       ? profile_file(p, b->place.file) : NULL;

	if (f) {
		strbuf_char(out, ' ');
		safe_str(out, path_base(f->path));
		strbuf_fmt(out, ":%u:%u", b->place.line, b->place.column);
	}
	if (b->what && !b->size_class) {
		strbuf_char(out, ' ');
		safe_str(out, b->what);
	}
}

static void
add_name(struct strbuf *out, const struct live_band *b)
{
	if (b->size_class) {
		strbuf_str(out, "up to ");
		value_whole(out, UNIT_BYTES, b->size_class, 0, true);
	} else {
		safe_str(out, *b->name ? b->name : "?");
	}
}

void
bands_name(struct strbuf *out, struct profile *p, const struct live_band *b)
{
	add_name(out, b);
	add_place(out, p, b);
}

/* ---- names in little room ---- */

/* Returns the bytes of S (N bytes) that fit into WIDTH columns. */
static size_t
fitting(const char *s, size_t n, int width)
{
	size_t i = 0, step;
	int32_t c;

	for (; i < n; i += step) {
		step = utf8_decode(s + i, n - i, &c);
		width -= safe_width_char(c);
		if (width < 0)
			break;
	}
	return i;
}

/* Appends NAME in at most WIDTH columns: its begin, and what is from byte DIFFERS on. */
static void
cut_before(struct strbuf *out, const struct strbuf *name, size_t differs, int width,
	   const char *dots)
{
	int wide = safe_width(dots, strlen(dots)), room;
	size_t head = fitting(name->buf, name->len, width / 4), rest;

	if (head > differs)
		head = differs;
	while (head && ((unsigned char)name->buf[head] & 0xc0) == 0x80)
		head--;
	strbuf_add(out, name->buf, head);
	room = width - safe_width(name->buf, head);
	if (differs > head) {
		strbuf_str(out, dots);
		room -= wide;
	}
	if (safe_width(name->buf + differs, name->len - differs) <= room) {
		strbuf_add(out, name->buf + differs, name->len - differs);
		return;
	}
	rest = fitting(name->buf + differs, name->len - differs, room - wide);
	strbuf_add(out, name->buf + differs, rest);
	strbuf_str(out, dots);
}

/* Returns where A and B differ, at the begin of a character. */
static size_t
difference(const struct strbuf *a, const struct strbuf *b)
{
	size_t i = 0;

	while (i < a->len && i < b->len && a->buf[i] == b->buf[i])
		i++;
	while (i && ((unsigned char)a->buf[i] & 0xc0) == 0x80)
		i--;
	return i;
}

/* Does another band, whose name is not NAME, look like CUT? *DIFFERS: from there on it does not. */
static bool
looks_like_another(const struct live_band *bands, size_t nr, const struct strbuf *name,
		   const struct strbuf *cut, int width, const char *dots, size_t *differs)
{
	struct strbuf other = STRBUF_INIT, fitted = STRBUF_INIT;
	bool alike = false;

	for (size_t i = 0; i < nr && !alike; i++) {
		strbuf_clear(&other);
		strbuf_clear(&fitted);
		add_name(&other, &bands[i]);
		if (other.len == name->len && !memcmp(other.buf, name->buf, name->len))
			continue;
		name_fit(&fitted, other.buf, other.len, width, dots);
		alike = fitted.len == cut->len && !memcmp(fitted.buf, cut->buf, cut->len);
		*differs = difference(name, &other);
	}
	strbuf_release(&other);
	strbuf_release(&fitted);
	return alike;
}

void
bands_name_fit(struct strbuf *out, struct profile *p, const struct live_band *b,
	       const struct live_band *bands, size_t nr, int width, const char *dots)
{
	struct strbuf name = STRBUF_INIT, place = STRBUF_INIT, cut = STRBUF_INIT;
	size_t differs;
	int room;

	add_name(&name, b);
	add_place(&place, p, b);
	room = width - safe_width(place.buf, place.len);
	if (room < width * 2 / 3)
		room = width * 2 / 3;
	name_fit(&cut, name.buf, name.len, room, dots);
	if (safe_width(name.buf, name.len) > room &&
	    looks_like_another(bands, nr, &name, &cut, room, dots, &differs)) {
		strbuf_clear(&cut);
		cut_before(&cut, &name, differs, room, dots);
	}
	strbuf_add(out, cut.buf, cut.len);
	room = width - safe_width(cut.buf, cut.len);
	if (room > 1)
		name_fit(out, place.buf, place.len, room, dots);
	strbuf_release(&name);
	strbuf_release(&place);
	strbuf_release(&cut);
}

void
bands_span_name(struct strbuf *out, struct profile *p, const struct live_heap *h,
		const struct span_row *row)
{
	if (row->group == HEAP_OTHERS)
		strbuf_str(out, "others");
	else
		bands_name(out, p, &h->groups[row->group]);
}

void
bands_within(struct strbuf *out, const struct bytes_within *w, bool ascii)
{
	if (w->lo == w->hi)
		value_whole(out, UNIT_BYTES, w->lo, 0, ascii);
	else
		value_between(out, UNIT_BYTES, w->lo, w->hi, 0, ascii);
}

void
bands_span_facts(struct strbuf *out, const struct live_heap *h, size_t from, size_t to,
		 const struct heap_span *span, bool ascii)
{
	strbuf_str(out, "from ");
	value_whole(out, UNIT_NS, from == SIZE_MAX ? 0 : h->moments[from].at_ns, 0, ascii);
	strbuf_str(out, " to ");
	value_whole(out, UNIT_NS, h->moments[to].at_ns, 0, ascii);
	strbuf_str(out, ": ");
	value_whole(out, UNIT_BYTES, span->made, 0, ascii);
	strbuf_str(out, " allocated, ");
	bands_within(out, &span->kept, ascii);
	strbuf_str(out, " of it not freed by then");
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
