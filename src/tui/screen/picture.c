#include "tui/screen/picture.h"

#include <string.h>

#include "tui/screen/colour.h"
#include "tui/screen/draw.h"

static bool
same_look(const struct look *a, const struct look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attributes == b->attributes;
}

/* Takes the text of cells of one look from X on, at most to END. Returns where the next begin. */
static int
take_run(int y, int x, int end, struct strbuf *text, struct look *look)
{
	struct look other;
	size_t before;
	int w;

	strbuf_clear(text);
	for (bool first = true; x < end; first = false, x += w) {
		before = text->len;
		w = draw_cell(y, x, text, &other);
		if (first)
			*look = other;
		if (same_look(look, &other))
			continue;
		text->len = before;
		text->buf[before] = '\0';
		break;
	}
	return x;
}

static const struct {
	unsigned attribute;
	int sgr;
} codes[] = {
	{ LOOK_BOLD, 1 }, { LOOK_DIM, 2 }, { LOOK_ITALIC, 3 }, { LOOK_UNDERLINE, 4 },
	{ LOOK_REVERSE, 7 },
};

/* WHICH: 38 for a foreground, 48 for a background. */
static void
ansi_colour(FILE *out, int which, int colour)
{
	if (colour >= COLOUR_RGB)
		fprintf(out, ";%d;2;%d;%d;%d", which, colour >> 16 & 0xff, colour >> 8 & 0xff,
			colour & 0xff);
	else if (colour >= 0)
		fprintf(out, ";%d;5;%d", which, colour);
}

static void
ansi_look(FILE *out, const struct look *look)
{
	fputs("\033[0", out);
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (look->attributes & codes[i].attribute)
			fprintf(out, ";%d", codes[i].sgr);
	ansi_colour(out, 38, look->fg);
	ansi_colour(out, 48, look->bg);
	fputc('m', out);
}

void
picture_ansi(FILE *out)
{
	static const struct look plain = { COLOUR_OWN, COLOUR_OWN, 0 };
	struct strbuf text = STRBUF_INIT;
	struct look look;

	for (int y = 0; y < draw_rows(); y++) {
		for (int x = 0; x < draw_columns();) {
			x = take_run(y, x, draw_columns(), &text, &look);
			if (!same_look(&look, &plain))
				ansi_look(out, &look);
			fputs(text.buf, out);
			if (!same_look(&look, &plain))
				fputs("\033[0m", out);
		}
		fputc('\n', out);
	}
	strbuf_release(&text);
}

/* ---- SVG: each cell has CELL_W times CELL_H pixels ---- */

enum { CELL_W = 9, CELL_H = 19, BASE = 14, SIZE = 15 };

static int
rgb_of(int colour, int own)
{
	return colour < 0 ? own : colour >= COLOUR_RGB ? colour & 0xffffff
							: colour_number(colour, 1 << 24, 0);
}

static void
svg_text(FILE *out, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case ' ':
			fputs("\302\240", out); /* blanks at an edge would be dropped */
			break;
		default:
			fputc(*s, out);
		}
}

static void
svg_run(FILE *out, int y, int x, int end, const struct look *look, const char *text, int fg_own,
	int bg_own)
{
	bool reverse = look->attributes & LOOK_REVERSE;
	int fg = rgb_of(look->fg, fg_own), bg = rgb_of(look->bg, bg_own);
	int front = reverse ? bg : fg, back = reverse ? fg : bg;

	if (back != bg_own)
		fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
			"fill=\"#%06x\"/>\n", x * CELL_W, y * CELL_H, (end - x) * CELL_W, CELL_H,
			(unsigned)back);
	if (!text[strspn(text, " ")])
		return;
	fprintf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" "
		"lengthAdjust=\"spacingAndGlyphs\" fill=\"#%06x\"%s%s%s%s>",
		x * CELL_W, y * CELL_H + BASE, (end - x) * CELL_W, (unsigned)front,
		look->attributes & LOOK_BOLD ? " font-weight=\"bold\"" : "",
		look->attributes & LOOK_ITALIC ? " font-style=\"italic\"" : "",
		look->attributes & LOOK_UNDERLINE ? " text-decoration=\"underline\"" : "",
		look->attributes & LOOK_DIM ? " opacity=\"0.6\"" : "");
	svg_text(out, text);
	fputs("</text>\n", out);
}

void
picture_svg(FILE *out, bool light)
{
	int fg = light ? 0x1b1f24 : 0xd8dee4, bg = light ? 0xffffff : 0x101418, end;
	int w = draw_columns() * CELL_W, h = draw_rows() * CELL_H;
	struct strbuf text = STRBUF_INIT;
	struct look look;

	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans Mono, monospace\" "
		"font-size=\"%d\">\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
		w, h, w, h, SIZE, w, h, (unsigned)bg);
	for (int y = 0; y < draw_rows(); y++)
		for (int x = 0; x < draw_columns(); x = end) {
			end = take_run(y, x, draw_columns(), &text, &look);
			svg_run(out, y, x, end, &look, text.buf, fg, bg);
		}
	fputs("</svg>\n", out);
	strbuf_release(&text);
}
