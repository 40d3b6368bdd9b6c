#include "print/bands.h"

#include "show/value.h"
#include "util/text/safe.h"

/* Pixels of the SVG. */
enum { LEFT = 70, TOP = 40, WIDTH = 720, HEIGHT = 360, LEGEND = LEFT + WIDTH + 24, STEP = 22,
       WHOLE_WIDTH = 1100, WHOLE_HEIGHT = 450, NAME_MOST = 40 };

/* Colours that those who see some colours alike can tell apart (Okabe and Ito); the last two are
 * for what others have and what was inherited. */
static const unsigned char colours[HEAP_ALL_BANDS][3] = {
	{ 0, 114, 178 }, { 230, 159, 0 }, { 0, 158, 115 }, { 204, 121, 167 }, { 86, 180, 233 },
	{ 240, 228, 66 }, { 213, 94, 0 }, { 120, 94, 240 }, { 153, 153, 153 }, { 204, 204, 204 },
};

static double
x_of(const struct bands_picture *b, size_t i)
{
	const struct live_heap *h = b->heap;
	double begin = (double)h->moments[0].at_ns;
	double all = (double)h->moments[h->nr - 1].at_ns - begin;

	return all > 0 ? LEFT + ((double)h->moments[i].at_ns - begin) / all * WIDTH : LEFT;
}

/* How high BYTES are above the axis. */
static double
height_of(const struct bands_picture *b, double bytes)
{
	double most = (double)bands_top(b->heap);

	return most > 0 ? bytes / most * HEIGHT : 0;
}

/* The sum of the first N bands at moment I. */
static double
below(const struct bands_picture *b, size_t i, unsigned n)
{
	double sum = 0;

	for (unsigned k = 0; k < n; k++)
		sum += (double)b->heap->moments[i].of[k];
	return sum;
}

static void
name_of(const struct bands_picture *b, unsigned band, struct strbuf *out)
{
	bands_name(out, b->p, &b->heap->bands[band]);
}

/* Appends the name behind TEXT, so that both fit beside the picture. */
static void
legend_name(const struct bands_picture *b, unsigned band, const char *dots, struct strbuf *text)
{
	bands_name_fit(text, b->p, &b->heap->bands[band], b->heap->bands, b->heap->nr_bands,
		       NAME_MOST - (int)text->len, dots);
}

static void
bytes_text(struct strbuf *out, double bytes)
{
	value_whole(out, UNIT_BYTES, (uint64_t)bytes, 0, true);
}

/* ---- the outline of a band: steps, as what was live at a moment is so until the next ---- */

typedef void point_function(FILE *out, double x, double y, bool first);

/* That of the bands from the first to the last together. */
static void
outline(const struct bands_picture *b, unsigned first_band, unsigned band, FILE *out,
	point_function *point)
{
	const struct live_heap *h = b->heap;
	bool first = true;

	for (size_t i = 0; i < h->nr; i++) {
		double y = height_of(b, below(b, i, band + 1));

		point(out, x_of(b, i), y, first);
		first = false;
		if (i + 1 < h->nr)
			point(out, x_of(b, i + 1), y, false);
	}
	for (size_t i = h->nr; i-- > 0;) {
		double y = height_of(b, below(b, i, first_band));

		if (i + 1 < h->nr)
			point(out, x_of(b, i + 1), y, false);
		point(out, x_of(b, i), y, false);
	}
}

/* Draws the line of what was resident, where that is known. */
static void
resident_line(const struct bands_picture *b, FILE *out, point_function *point)
{
	const struct live_heap *h = b->heap;
	bool first = true;

	for (size_t i = 0; i < h->nr; i++) {
		double y = height_of(b, (double)h->moments[i].resident_bytes);

		if (!h->moments[i].resident_bytes) {
			first = true;
			continue;
		}
		point(out, x_of(b, i), y, first);
		first = false;
		if (i + 1 < h->nr)
			point(out, x_of(b, i + 1), y, false);
	}
}

/* Appends "1.20 MB resident at most", and if it is not in the picture, that. */
static void
resident_text(const struct bands_picture *b, struct strbuf *out)
{
	bytes_text(out, (double)bands_resident(b->heap));
	strbuf_str(out, bands_has_resident(b->heap) ? " resident at most"
						    : " resident at most: far above");
}

/* ---- SVG ---- */

/* Only characters that XML can have; the text is safe already. */
static void
put_xml(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else
			fputc(*text, out);
	}
}

static void
svg_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
	fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">", x, y, anchor);
	put_xml(out, text);
	fputs("</text>\n", out);
}

static void
svg_point(FILE *out, double x, double y, bool first)
{
	fprintf(out, "%s%.1f,%.1f", first ? "M" : " L", x, TOP + HEIGHT - y);
}

static void
svg_band(const struct bands_picture *b, unsigned band, FILE *out)
{
	const unsigned char *c = colours[band];
	struct strbuf name = STRBUF_INIT;

	name_of(b, band, &name);
	fprintf(out, "<path fill=\"#%02x%02x%02x\" d=\"", c[0], c[1], c[2]);
	outline(b, band, band, out, svg_point);
	fputs("Z\"><title>", out);
	put_xml(out, name.buf);
	fputs("</title></path>\n", out);
	strbuf_release(&name);
}

static void
svg_legend(const struct bands_picture *b, unsigned band, FILE *out)
{
	const unsigned char *c = colours[band];
	double y = TOP + STEP * (double)(b->heap->nr_bands - 1 - band);
	struct strbuf text = STRBUF_INIT;

	fprintf(out, "<rect x=\"%d\" y=\"%.0f\" width=\"12\" height=\"12\" "
		"fill=\"#%02x%02x%02x\"/>\n", LEGEND, y, c[0], c[1], c[2]);
	bytes_text(&text, (double)b->heap->moments[b->heap->top].of[band]);
	strbuf_char(&text, ' ');
	legend_name(b, band, "\342\200\246", &text);
	svg_text(out, LEGEND + 18, y + 11, "start", text.buf);
	strbuf_release(&text);
}

static void
svg_resident(const struct bands_picture *b, FILE *out)
{
	double y = TOP + STEP * (double)b->heap->nr_bands;
	struct strbuf text = STRBUF_INIT;

	if (!bands_resident(b->heap))
		return;
	if (bands_has_resident(b->heap)) {
		fputs("<path class=\"resident\" fill=\"none\" stroke=\"black\" d=\"", out);
		resident_line(b, out, svg_point);
		fprintf(out, "\"/>\n<path stroke=\"black\" d=\"M%d,%.0f L%d,%.0f\"/>\n", LEGEND,
			y + 6, LEGEND + 12, y + 6);
	}
	resident_text(b, &text);
	svg_text(out, LEGEND + 18, y + 11, "start", text.buf);
	strbuf_release(&text);
}

static void
svg_axes(const struct bands_picture *b, FILE *out)
{
	const struct live_heap *h = b->heap;
	struct strbuf text = STRBUF_INIT;

	for (int i = 0; i <= 4; i++) {
		double y = TOP + HEIGHT - HEIGHT * i / 4.0;

		strbuf_clear(&text);
		bytes_text(&text, (double)bands_top(h) * i / 4);
		fprintf(out, "<path stroke=\"#888\" d=\"M%d,%.1f L%d,%.1f\"/>\n", LEFT - 4, y,
			LEFT, y);
		svg_text(out, LEFT - 8, y + 4, "end", text.buf);
	}
	fprintf(out, "<path stroke=\"#888\" fill=\"none\" d=\"M%d,%d L%d,%d L%d,%d\"/>\n", LEFT,
		TOP, LEFT, TOP + HEIGHT, LEFT + WIDTH, TOP + HEIGHT);
	strbuf_clear(&text);
	value_whole(&text, UNIT_NS, h->moments[0].at_ns, 0, true);
	svg_text(out, LEFT, TOP + HEIGHT + 18, "middle", text.buf);
	strbuf_clear(&text);
	value_whole(&text, UNIT_NS, h->moments[h->nr - 1].at_ns, 0, true);
	svg_text(out, LEFT + WIDTH, TOP + HEIGHT + 18, "end", text.buf);
	strbuf_release(&text);
}

static void
add_title(const struct bands_picture *b, struct strbuf *out)
{
	safe_str(out, b->command);
	strbuf_str(out, ": ");
	bands_facts(out, b->heap, true);
}

static void
svg_element(const struct bands_picture *b, const char *name_space, FILE *out)
{
	struct strbuf title = STRBUF_INIT;

	add_title(b, &title);
	fprintf(out, "<svg%s viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
		"<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", name_space, WHOLE_WIDTH,
		WHOLE_HEIGHT, WHOLE_WIDTH, WHOLE_HEIGHT);
	svg_text(out, LEFT, 24, "start", title.buf);
	for (unsigned k = 0; k < b->heap->nr_bands; k++)
		svg_band(b, k, out);
	svg_axes(b, out);
	for (unsigned k = b->heap->nr_bands; k-- > 0;)
		svg_legend(b, k, out);
	svg_resident(b, out);
	fputs("</svg>\n", out);
	strbuf_release(&title);
}

void
bands_svg(const struct bands_picture *b, FILE *out)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	svg_element(b, " xmlns=\"http://www.w3.org/2000/svg\"", out);
}

void
bands_svg_element(const struct bands_picture *b, FILE *out)
{
	svg_element(b, "", out);
}

/* ---- text ---- */

enum { COLUMNS = 68, ROWS = 16 };

static void
text_row(const struct bands_picture *b, int y, FILE *out)
{
	const struct live_heap *h = b->heap;
	struct strbuf label = STRBUF_INIT;

	if (y == ROWS - 1 || y == ROWS / 2 - 1)
		bytes_text(&label, (double)bands_top(h) * (y + 1) / ROWS);
	fprintf(out, "%9s %s", label.buf ? label.buf : "", b->ascii ? "|" : "\342\224\202");
	for (int x = 0; x < COLUMNS; x++) {
		size_t moment = bands_moment(h, x, COLUMNS);
		int band = bands_at(h, moment, y, ROWS);

		if (bands_resident_at(h, moment, ROWS) == y)
			fputs(BANDS_RESIDENT(b->ascii), out);
		else
			fputs(band < 0 ? " " : bands_glyph((unsigned)band, b->ascii), out);
	}
	fputc('\n', out);
	strbuf_release(&label);
}

void
bands_text(const struct bands_picture *b, FILE *out)
{
	const struct live_heap *h = b->heap;
	struct strbuf text = STRBUF_INIT;

	add_title(b, &text);
	fprintf(out, "%s\n\n", text.buf);
	for (int y = ROWS; y-- > 0;)
		text_row(b, y, out);
	fputc('\n', out);
	for (unsigned k = h->nr_bands; k-- > 0;) {
		strbuf_clear(&text);
		bytes_text(&text, (double)h->moments[h->top].of[k]);
		fprintf(out, " %s %9s  ", bands_glyph(k, b->ascii), text.buf);
		strbuf_clear(&text);
		name_of(b, k, &text);
		fprintf(out, "%s\n", text.buf);
	}
	if (bands_resident(h)) {
		strbuf_clear(&text);
		resident_text(b, &text);
		fprintf(out, " %s %s\n", bands_has_resident(h) ? BANDS_RESIDENT(b->ascii) : " ",
			text.buf);
	}
	strbuf_release(&text);
}
