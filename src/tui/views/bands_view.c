/* Live memory over time: bands upon each other; the rows below tell what was live at the moment
 * that the cursor along time is on, or what came in a span. */
#include <stdlib.h>

#include "show/bands.h"
#include "show/human.h"
#include "show/value.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "util/text/safe.h"

enum { LABELS = 10, LEAST_CHART = 4, LINES_BESIDE = 2 /* facts above, time below */,
       EMPTY_LINES = 2 /* in place of rows */ };

struct bands_view {
	struct live_heap heap;
	bool any;                  /* there is one */
	enum bands_by by;
	size_t which;              /* of the processes */
	size_t moment;             /* that the cursor is on */
	/* Rows tell what came between them; SIZE_MAX: the second is where the cursor is, or there
	 * is none. */
	size_t marks[2];
	struct heap_span span;     /* if there is one */
};

/* Returns whether there is a span; sets *FROM and *TO to its moments. */
static bool
span_ends(const struct bands_view *d, size_t *from, size_t *to)
{
	size_t a = d->marks[0], b = d->marks[1] == SIZE_MAX ? d->moment : d->marks[1];

	if (!d->any || a == SIZE_MAX)
		return false;
	*from = a < b ? a : b;
	*to = a < b ? b : a;
	return true;
}

static void
find_span(struct view *v)
{
	struct bands_view *d = v->data;
	size_t from, to;

	heap_span_release(&d->span);
	if (span_ends(d, &from, &to))
		heap_span(&d->heap, from, to, &d->span);
	view_clamp(v);
}

static void
bands_read(struct view *v)
{
	struct bands_view *d = v->data;

	if (d->any)
		heap_release(&d->heap);
	d->any = heap_read(v->browser->profile, d->which, d->by, &d->heap);
	if (d->any && d->moment >= d->heap.nr)
		d->moment = d->heap.top;
	find_span(v);
}

static void
bands_close(struct view *v)
{
	struct bands_view *d = v->data;

	if (d->any)
		heap_release(&d->heap);
	heap_span_release(&d->span);
	free(d);
}

static size_t
bands_rows(struct view *v)
{
	const struct bands_view *d = v->data;
	size_t from, to;

	return span_ends(d, &from, &to) ? d->span.nr : d->any ? d->heap.nr_bands : 0;
}

/* ---- the picture ---- */

static int
chart_width(const struct view *v)
{
	return v->area.w - LABELS - 2;
}

/* Returns how many lines are beside those of bands: the rows of a span have a head. */
static int
lines_beside(const struct bands_view *d)
{
	size_t from, to;

	return LINES_BESIDE + span_ends(d, &from, &to);
}

/* Returns how many lines of bands there are; 0: there is no room for any. */
static int
chart_height(const struct view *v)
{
	const struct bands_view *d = v->data;
	bool span = lines_beside(d) > LINES_BESIDE; /* its rows may be those of all groups */
	int rows = !d->any ? 0 : span ? (int)d->heap.nr_groups + 1 : (int)d->heap.nr_bands;
	int height = v->area.h - 1 - lines_beside(d) - (rows ? rows : EMPTY_LINES);

	if (height < v->area.h / 2)
		height = v->area.h / 2 - lines_beside(d);
	return height < LEAST_CHART || chart_width(v) < LEAST_CHART ? 0 : height;
}

static int
bands_head_lines(struct view *v)
{
	const struct bands_view *d = v->data;
	int height = chart_height(v);

	return !d->any || v->area.h <= 3 ? 0 : height ? height + lines_beside(d) : 1;
}

/* Neighbours are far from each other in the order of heat. */
static enum role
band_role(unsigned band)
{
	static const int levels[HEAP_MOST_BANDS] = { 2, 6, 0, 4, 7, 1, 5, 3 };

	return band < HEAP_MOST_BANDS ? (enum role)(ROLE_HEAT_1 + levels[band]) : ROLE_DIM;
}

/* Where there are enough colours these alone tell bands apart. */
static void
put_band(const struct line *line, int x, unsigned band)
{
	bool plain = draw_palette_now() > PALETTE_FEW && band < HEAP_MOST_BANDS;
	const char *glyph = plain ? " " : bands_glyph(band, draw_ascii());

	line_text(line, x, 1, ALIGN_LEFT, band_role(band), glyph, -1);
}

static void
add_moment_facts(const struct bands_view *d, struct strbuf *text)
{
	const struct live_moment *m = &d->heap.moments[d->moment];

	strbuf_str(text, "at ");
	value_whole(text, UNIT_NS, m->at_ns, 0, draw_ascii());
	strbuf_str(text, ": ");
	value_whole(text, UNIT_BYTES, m->live_bytes, 0, draw_ascii());
	strbuf_str(text, " live, ");
	value_whole(text, UNIT_BYTES, m->clock_bytes, 0, draw_ascii());
	strbuf_str(text, " allocated until then");
	if (!m->resident_bytes)
		return;
	strbuf_str(text, ", ");
	value_whole(text, UNIT_BYTES, m->resident_bytes, 0, draw_ascii());
	strbuf_str(text, bands_has_resident(&d->heap) ? " resident (line)" : " resident");
}

static void
draw_facts(struct view *v, const struct line *line)
{
	const struct bands_view *d = v->data;
	struct strbuf text = STRBUF_INIT;
	size_t from, to;

	if (span_ends(d, &from, &to))
		bands_span_facts(&text, &d->heap, from, to, &d->span, draw_ascii());
	else
		add_moment_facts(d, &text);
	line_text(line, 1, line->w - 1, ALIGN_LEFT, ROLE_HEAD, text.buf, (ptrdiff_t)text.len);
	strbuf_release(&text);
}

static void
draw_label(const struct view *v, int y, int height, const struct line *line)
{
	const struct bands_view *d = v->data;
	double most = (double)bands_top(&d->heap);
	struct strbuf text = STRBUF_INIT;

	value_whole(&text, UNIT_BYTES, (uint64_t)(most * (y + 1) / height), 0, draw_ascii());
	line_text(line, 0, LABELS - 1, ALIGN_RIGHT, ROLE_HEAD, text.buf, (ptrdiff_t)text.len);
	strbuf_release(&text);
}

/* A moment's column stands out where it has no band; below is its sign. */
static void
draw_moment(const struct view *v, size_t moment, int y, int height, const struct line *line,
	    enum overlay overlay)
{
	const struct bands_view *d = v->data;

	if (bands_at(&d->heap, moment, y, height) < 0)
		line_overlay(line, LABELS + 1 + bands_column(&d->heap, moment, chart_width(v)), 1,
			     overlay);
}

static void
draw_bands(struct view *v, int y, int height, const struct line *line)
{
	const struct bands_view *d = v->data;
	int w = chart_width(v), cursor = bands_column(&d->heap, d->moment, w);

	if (y == height - 1 || y == height / 2 - 1)
		draw_label(v, y, height, line);
	line_fill(line, LABELS, 1, ROLE_RULE, GLYPH_VLINE);
	for (int x = 0; x < w; x++) {
		size_t moment = x == cursor ? d->moment : bands_moment(&d->heap, x, w);
		int band = bands_at(&d->heap, moment, y, height);

		if (bands_resident_at(&d->heap, moment, height) == y)
			line_text(line, LABELS + 1 + x, 1, ALIGN_LEFT, ROLE_STRONG,
				  BANDS_RESIDENT(draw_ascii()), -1);
		else if (band >= 0)
			put_band(line, LABELS + 1 + x, (unsigned)band);
	}
	draw_moment(v, d->moment, y, height, line, OVERLAY_CURSOR_IDLE);
	for (int i = 0; i < 2; i++)
		if (d->marks[i] != SIZE_MAX)
			draw_moment(v, d->marks[i], y, height, line, OVERLAY_MATCH);
}

static void
draw_time(struct view *v, const struct line *line)
{
	const struct bands_view *d = v->data;
	int w = chart_width(v), last = bands_column(&d->heap, d->moment, w), at, length;
	struct strbuf first = STRBUF_INIT, end = STRBUF_INIT;
	size_t ends[2];

	value_whole(&first, UNIT_NS, d->heap.moments[0].at_ns, 0, draw_ascii());
	value_whole(&end, UNIT_NS, d->heap.moments[d->heap.nr - 1].at_ns, 0, draw_ascii());
	line_text(line, 0, LABELS, ALIGN_RIGHT, ROLE_HEAD, first.buf, (ptrdiff_t)first.len);
	line_fill(line, LABELS, w + 1, ROLE_RULE, GLYPH_HLINE);
	for (int i = 0; i < 2 && span_ends(d, &ends[0], &ends[1]); i++) {
		at = bands_column(&d->heap, ends[i], w);
		last = at > last ? at : last;
		line_text(line, LABELS + 1 + at, 1, ALIGN_LEFT, ROLE_STRONG, i ? "]" : "[", -1);
	}
	at = bands_column(&d->heap, d->moment, w);
	line_text(line, LABELS + 1 + at, 1, ALIGN_LEFT, ROLE_STRONG, "^", -1);
	/* A sign there says more. */
	length = safe_width(end.buf, end.len);
	if (last + 1 < w - length)
		line_text(line, LABELS + 1 + w - length, length, ALIGN_LEFT, ROLE_HEAD, end.buf,
			  (ptrdiff_t)end.len);
	strbuf_release(&first);
	strbuf_release(&end);
}

/* Columns of a span's rows. */
enum { KEPT_AT = 3, KEPT_WIDTH = 19, MADE_WIDTH = 10, SPAN_NAME_AT = KEPT_AT + KEPT_WIDTH + 1,
       WIDE = 64 /* from here on there is room for all of them */ };

/* In a span's row, or above: kept, made, what is live now and was not. Returns where the name
 * begins. */
static int
draw_span_columns(const struct line *line, enum role role, const char *kept, const char *made,
		  const char *more)
{
	int x = SPAN_NAME_AT;

	line_text(line, KEPT_AT, KEPT_WIDTH, ALIGN_RIGHT, role, kept, -1);
	if (line->w < WIDE)
		return x;
	line_text(line, x, MADE_WIDTH, ALIGN_RIGHT, role, made, -1);
	line_text(line, x + MADE_WIDTH + 1, MADE_WIDTH, ALIGN_RIGHT, role, more, -1);
	return x + 2 * (MADE_WIDTH + 1) + 1;
}

static void
draw_span_head(const struct view *v, const struct line *line)
{
	const struct bands_view *d = v->data;
	int x = draw_span_columns(line, ROLE_HEAD, "not freed", "allocated", "more live");

	line_text(line, x, line->w - x, ALIGN_LEFT, ROLE_HEAD, bands_by_names[d->by], -1);
}

static void
bands_draw_head(struct view *v, int i, const struct line *line)
{
	int height = chart_height(v);

	if (!i)
		draw_facts(v, line);
	else if (i <= height)
		draw_bands(v, height - i, height, line);
	else if (i == height + 1)
		draw_time(v, line);
	else
		draw_span_head(v, line);
}

/* ---- what was live then ---- */

/* Rows are from the highest band to the lowest, as in the picture. */
static unsigned
band_of(const struct bands_view *d, size_t row)
{
	return d->heap.nr_bands - 1 - (unsigned)row;
}

/* Returns the row of the lowest band, or 0. */
static size_t
lowest_band(const struct bands_view *d)
{
	return d->any && d->heap.nr_bands ? d->heap.nr_bands - 1 : 0;
}

static void
add_row(struct view *v, size_t row, struct strbuf *bytes, struct strbuf *share, struct strbuf *name)
{
	const struct bands_view *d = v->data;
	const struct live_moment *m = &d->heap.moments[d->moment];
	unsigned band = band_of(d, row);

	value_whole(bytes, UNIT_BYTES, m->of[band], 0, draw_ascii());
	human_percent(share, m->of[band], m->live_bytes);
	bands_name(name, v->browser->profile, &d->heap.bands[band]);
}

/* A row of a span, as text. */
struct span_text {
	struct strbuf kept, made, more, name;
};

static void
span_text_release(struct span_text *t)
{
	strbuf_release(&t->kept);
	strbuf_release(&t->made);
	strbuf_release(&t->more);
	strbuf_release(&t->name);
}

static bool
is_exact(const struct bytes_within *w)
{
	return w->lo == w->hi;
}

static void
add_span_row(struct view *v, size_t row, struct span_text *t)
{
	const struct bands_view *d = v->data;
	const struct span_row *s = &d->span.rows[row];

	bands_within(&t->kept, &s->kept, draw_ascii());
	if (is_exact(&s->made))
		bands_within(&t->made, &s->made, draw_ascii());
	if (is_exact(&s->before) && is_exact(&s->after))
		value_real(&t->more, UNIT_BYTES, (double)s->after.lo - (double)s->before.lo, 0,
			   VALUE_SIGNED, draw_ascii());
	bands_span_name(&t->name, v->browser->profile, &d->heap, s);
}

static void
draw_span_row(struct view *v, size_t row, const struct line *line)
{
	const struct bands_view *d = v->data;
	uint32_t group = d->span.rows[row].group;
	struct span_text t = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	int x;

	add_span_row(v, row, &t);
	if (group != HEAP_OTHERS && d->heap.groups[group].number >= 0)
		put_band(line, 1, (unsigned)d->heap.groups[group].number);
	x = draw_span_columns(line, ROLE_TEXT, t.kept.buf, t.made.buf,
			      t.more.buf);
	if (group != HEAP_OTHERS) {
		strbuf_clear(&t.name);
		bands_name_fit(&t.name, v->browser->profile, &d->heap.groups[group], d->heap.groups,
			       d->heap.nr_groups, line->w - x, draw_glyph(GLYPH_DOTS));
	}
	line_text(line, x, line->w - x, ALIGN_LEFT, ROLE_NAME, t.name.buf, (ptrdiff_t)t.name.len);
	span_text_release(&t);
}

static void
bands_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct bands_view *d = v->data;
	struct strbuf bytes = STRBUF_INIT, share = STRBUF_INIT, name = STRBUF_INIT;
	size_t from, to;

	if (span_ends(d, &from, &to)) {
		draw_span_row(v, row, line);
		return;
	}
	add_row(v, row, &bytes, &share, &name);
	put_band(line, 1, band_of(d, row));
	line_text(line, 3, 10, ALIGN_RIGHT, ROLE_TEXT, bytes.buf, (ptrdiff_t)bytes.len);
	line_text(line, 14, 7, ALIGN_RIGHT, ROLE_DIM, share.buf, (ptrdiff_t)share.len);
	strbuf_clear(&name);
	bands_name_fit(&name, v->browser->profile, &d->heap.bands[band_of(d, row)], d->heap.bands,
		       d->heap.nr_bands, line->w - 23, draw_glyph(GLYPH_DOTS));
	line_text(line, 23, line->w - 23, ALIGN_LEFT, ROLE_NAME, name.buf, (ptrdiff_t)name.len);
	strbuf_release(&bytes);
	strbuf_release(&share);
	strbuf_release(&name);
}

static void
bands_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct bands_view *d = v->data;
	size_t from, to;

	if (span_ends(d, &from, &to))
		bands_span_name(out, v->browser->profile, &d->heap, &d->span.rows[row]);
	else
		bands_name(out, v->browser->profile, &d->heap.bands[band_of(d, row)]);
}

static void
bands_title(struct view *v, struct title *title)
{
	const struct bands_view *d = v->data;
	size_t processes = heaps_count(v->browser->profile);

	strbuf_fmt(&title->left, "memory by %s", bands_by_names[d->by]);
	if (d->any)
		bands_facts(&title->middle, &d->heap, draw_ascii());
	if (processes > 1)
		strbuf_fmt(&title->right, "process %zu of %zu", d->which + 1, processes);
}

static void
bands_empty(struct view *v, struct strbuf *out)
{
	const struct bands_view *d = v->data;
	size_t from, to;

	strbuf_str(out, span_ends(d, &from, &to)
				? "Nothing was allocated from the one moment to the other.\n"
				: "Nothing was live at any moment.\n");
}

static void
write_span(struct view *v, FILE *out)
{
	for (size_t i = 0; i < bands_rows(v); i++) {
		struct span_text t = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };

		add_span_row(v, i, &t);
		fprintf(out, "%*s %*s %*s  %s\n", KEPT_WIDTH, t.kept.buf, MADE_WIDTH,
			t.made.buf, MADE_WIDTH, t.more.buf, t.name.buf);
		span_text_release(&t);
	}
}

static void
bands_write(struct view *v, FILE *out)
{
	struct strbuf bytes = STRBUF_INIT, share = STRBUF_INIT, name = STRBUF_INIT;
	size_t from, to;

	if (span_ends(v->data, &from, &to)) {
		write_span(v, out);
		return;
	}
	for (size_t i = 0; i < bands_rows(v); i++) {
		strbuf_clear(&bytes);
		strbuf_clear(&share);
		strbuf_clear(&name);
		add_row(v, i, &bytes, &share, &name);
		fprintf(out, "%10s %7s  %s\n", bytes.buf, share.buf, name.buf);
	}
	strbuf_release(&bytes);
	strbuf_release(&share);
	strbuf_release(&name);
}

/* ---- keys ---- */

/* To the next column that shows another moment; with a count so many. */
static void
move_in_time(struct view *v, bool back, size_t count)
{
	struct bands_view *d = v->data;
	int w = chart_height(v) ? chart_width(v) : (int)d->heap.nr;

	for (size_t n = count ? count : 1; n--;) {
		int x = bands_column(&d->heap, d->moment, w);

		while (back ? d->moment > 0 : d->moment + 1 < d->heap.nr) {
			d->moment += back ? -(size_t)1 : 1;
			if (bands_column(&d->heap, d->moment, w) != x)
				break;
		}
	}
}

static unsigned
open_band(struct view *v)
{
	const struct bands_view *d = v->data;
	const struct live_band *band = NULL;
	struct target target = { .procedure = { .id = 0 } };
	struct browser *b = v->browser;
	size_t from, to;

	if (!span_ends(d, &from, &to))
		band = &d->heap.bands[band_of(d, v->cursor)];
	else if (v->cursor < d->span.nr && d->span.rows[v->cursor].group != HEAP_OTHERS)
		band = &d->heap.groups[d->span.rows[v->cursor].group];
	if (!band || !band->place.file)
		return EFFECT_DONE;
	target.place = band->place;
	target.procedure.id = band->procedure;
	browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

/* Marks the beginning, then the end, then nothing; the end at the beginning is none. */
static void
mark_moment(struct view *v)
{
	struct bands_view *d = v->data;

	if (d->marks[0] == SIZE_MAX)
		d->marks[0] = d->moment;
	else if (d->marks[1] == SIZE_MAX && d->marks[0] != d->moment)
		d->marks[1] = d->moment;
	else
		d->marks[0] = d->marks[1] = SIZE_MAX;
	find_span(v);
	view_move_to(v, d->marks[0] == SIZE_MAX ? lowest_band(d) : 0);
}

static unsigned
bands_act(struct view *v, enum action action, size_t count)
{
	struct bands_view *d = v->data;
	size_t processes;

	if (!d->any)
		return EFFECT_REFUSED;
	if (action == ACTION_OPEN)
		return open_band(v);
	if (action == ACTION_SCROLL_LEFT || action == ACTION_SCROLL_RIGHT) {
		move_in_time(v, action == ACTION_SCROLL_LEFT, count);
	} else if (action == ACTION_BANDS_PEAK) {
		d->moment = d->heap.top;
	} else if (action == ACTION_BANDS_MARK) {
		mark_moment(v);
	} else if (action == ACTION_BANDS_BY) {
		d->by = (d->by + (count ? count : 1)) % NR_BANDS_BY;
		bands_read(v);
	} else if (action == ACTION_BANDS_PROCESS) {
		processes = heaps_count(v->browser->profile);
		d->which = processes ? (d->which + 1) % processes : 0;
		d->moment = d->marks[0] = d->marks[1] = SIZE_MAX;
		bands_read(v);
	} else {
		return EFFECT_REFUSED;
	}
	find_span(v);
	return EFFECT_DONE;
}

static const struct view_ops bands_ops = {
	.name = "bands",
	.keymap = KEYMAP_BANDS,
	.close = bands_close,
	.rows = bands_rows,
	.head_lines = bands_head_lines,
	.draw_head = bands_draw_head,
	.draw_row = bands_draw_row,
	.title = bands_title,
	.row_text = bands_row_text,
	.empty = bands_empty,
	.act = bands_act,
	.write = bands_write,
};

struct view *
bands_new(struct browser *b)
{
	struct bands_view *d = xcalloc(1, sizeof(*d));
	struct view *v = view_new(&bands_ops, b, d);

	d->moment = d->marks[0] = d->marks[1] = SIZE_MAX;
	bands_read(v);
	v->cursor = lowest_band(d);
	return v;
}
