#include "tui/screen/draw.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "tui/screen/colour.h"
#include "util/mem.h"
#include "util/text/safe.h"

/* <term.h> defines words like `lines` as macros. */
extern int tigetnum(const char *capability);

struct shown {                /* a cell of the frame */
	uint8_t role, overlay;
};

static enum palette palette = PALETTE_MONO;
static bool ascii = true;
static struct shown *cells;   /* rows * columns */
static int rows, columns;

static const struct {
	const char *utf8, *ascii;
} glyphs[GLYPH_NR] = {
	[GLYPH_HLINE] = { "\342\224\200", "-" },
	[GLYPH_VLINE] = { "\342\224\202", "|" },
	[GLYPH_TEE] = { "\342\224\254", "+" },
	[GLYPH_CURSOR] = { "\342\226\214", ">" },
	[GLYPH_UP] = { "\342\226\262", "^" },
	[GLYPH_DOWN] = { "\342\226\274", "v" },
	[GLYPH_APPROX] = { "\342\211\210", "~" },
	[GLYPH_PLUS_MINUS] = { "\302\261", "+-" },
	[GLYPH_NEVER] = { "\303\227", "x" },
	[GLYPH_ONE_WAY] = { "\342\227\220", "%" },
	[GLYPH_DOTS] = { "\342\200\246", "~" },
	[GLYPH_TIMES] = { "\303\227", "x" },
	[GLYPH_BLOCK] = { "\342\226\210", "#" },
	[GLYPH_SPACE] = { " ", " " },
	[GLYPH_PINNED] = { "\342\200\242", "*" },
	[GLYPH_DIFFERS] = { "\342\211\240", "!" },
	[GLYPH_CALLER] = { "\342\206\222", ">" },
	[GLYPH_EDGE] = { "\342\226\217", "|" },
	[GLYPH_FRAME] = { "\342\226\214", "[" },
	[GLYPH_FRAME_END] = { "\342\226\220", "]" },
};

static const char *const column_glyphs[2][9] = {
	{ " ", "\342\226\201", "\342\226\202", "\342\226\203", "\342\226\204", "\342\226\205",
	  "\342\226\206", "\342\226\207", "\342\226\210" },
	{ " ", ".", ":", "-", "=", "+", "*", "%", "@" },
};

void
draw_init(enum palette p, bool utf8)
{
	palette = p;
	ascii = !utf8;
}

void
draw_palette(enum palette p)
{
	palette = p;
}

enum palette
draw_palette_now(void)
{
	return palette;
}

bool
draw_ascii(void)
{
	return ascii;
}

const char *
draw_glyph(enum glyph glyph)
{
	return ascii ? glyphs[glyph].ascii : glyphs[glyph].utf8;
}

const char *
draw_column(int eighths)
{
	return column_glyphs[ascii][eighths < 0 ? 0 : eighths > 8 ? 8 : eighths];
}

/* ---- colours: pairs are made when first asked for ---- */

enum { MAX_PAIRS = 250 };
static struct {
	int fg, bg;
} pairs[MAX_PAIRS];
static int nr_pairs = 1; /* pair 0 is the terminal's own */

/* Returns how many indexed colours a terminal of direct colour has: the extended capability CO. */
static int
nr_indexed(void)
{
	static int nr = -1;

	if (nr < 0) {
		nr = tigetnum("CO");
		nr = nr > 0 ? nr : 8;
	}
	return nr;
}

static short
pair_of(int fg, int bg)
{
	int i;

	fg = colour_number(fg, COLORS, nr_indexed());
	bg = colour_number(bg, COLORS, nr_indexed());
	if ((fg < 0 && bg < 0) || !has_colors())
		return 0;
	for (i = 1; i < nr_pairs; i++)
		if (pairs[i].fg == fg && pairs[i].bg == bg)
			return (short)i;
	if (nr_pairs >= MAX_PAIRS || nr_pairs >= COLOR_PAIRS)
		return 0;
	if (init_extended_pair(nr_pairs, fg, bg) == ERR)
		return 0;
	pairs[nr_pairs].fg = fg;
	pairs[nr_pairs].bg = bg;
	return (short)nr_pairs++;
}

static const struct {
	unsigned look;
	attr_t attr;
} attributes[] = {
	{ LOOK_BOLD, A_BOLD }, { LOOK_DIM, A_DIM }, { LOOK_UNDERLINE, A_UNDERLINE },
	{ LOOK_REVERSE, A_REVERSE }, { LOOK_ITALIC, A_ITALIC },
};

struct ready {
	bool known;
	attr_t attr;
	short pair;
};

/* Finding a look costs more than drawing it, so each is kept. */
static struct ready
ready_look(enum role role, enum overlay overlay)
{
	static struct ready kept[PALETTE_NR][ROLE_NR][OVERLAY_NR];
	struct ready *r = &kept[palette][role][overlay];
	struct look look;
	size_t i;

	if (r->known)
		return *r;
	look = role_look(palette, role, overlay);
	for (i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (look.attributes & attributes[i].look)
			r->attr |= attributes[i].attr;
	r->pair = pair_of(look.fg, look.bg);
	r->known = true;
	return *r;
}

/* ---- frames ---- */

void
draw_begin(void)
{
	int h, w;

	getmaxyx(stdscr, h, w);
	if (h != rows || w != columns || !cells) {
		free(cells);
		cells = xcalloc((size_t)h * (size_t)w + 1, sizeof(*cells));
		rows = h;
		columns = w;
	}
	memset(cells, 0, ((size_t)h * (size_t)w + 1) * sizeof(*cells));
	attr_set(A_NORMAL, 0, NULL);
	erase();
}

void
draw_flush(bool repaint)
{
	if (repaint)
		clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
}

int
draw_rows(void)
{
	return rows;
}

int
draw_columns(void)
{
	return columns;
}

static void
mean(int y, int x, int w, enum role role, enum overlay overlay)
{
	struct shown *s = &cells[y * columns + x];
	struct shown now = { (uint8_t)role, (uint8_t)overlay };

	while (w-- > 0)
		*s++ = now;
}

/* Writes safe UTF-8 of known width that lies within the screen. */
static void
put(int y, int x, int w, enum role role, enum overlay overlay, const char *s, size_t n)
{
	struct ready look = ready_look(role, overlay);
	wchar_t wide[256];
	int32_t c;
	size_t i;
	int nr = 0;

	mean(y, x, w, role, overlay);
	attr_set(look.attr, look.pair, NULL);
	move(y, x);
	for (i = 0; i < n;) {
		i += utf8_decode(s + i, n - i, &c);
		if (ascii && c == 0x2026)
			c = '~';
		wide[nr++] = c < 0 ? L'?' : (wchar_t)c;
		if (nr == 250 || i >= n) {
			addnwstr(wide, nr);
			nr = 0;
		}
	}
}

/* Cuts columns X.. of LINE, W wide, to the part on the screen; false: there is none. */
static bool
clip(const struct line *line, int *x, int *w)
{
	if (*x < 0 || line->y < 0 || line->y >= rows)
		return false;
	if (*w > line->w - *x)
		*w = line->w - *x;
	if (*w > columns - line->x - *x)
		*w = columns - line->x - *x;
	return *w > 0;
}

struct line
draw_line(const struct area *area, int y, enum overlay overlay)
{
	struct line line = { -1, area->x, area->w, overlay };
	int x = 0, w = area->w;

	if (y < 0 || y >= area->h)
		return line;
	line.y = area->y + y;
	if (overlay != OVERLAY_NONE && clip(&line, &x, &w))
		for (; x < w; x++)
			put(line.y, line.x + x, 1, ROLE_TEXT, overlay, " ", 1);
	return line;
}

int
line_text(const struct line *line, int x, int w, enum align align, enum role role, const char *s,
	  ptrdiff_t n)
{
	static struct strbuf safe = STRBUF_INIT;
	int used, at = x;

	if (!clip(line, &x, &w))
		return 0;
	strbuf_clear(&safe);
	used = safe_fit(&safe, s, n < 0 ? strlen(s) : (size_t)n, w);
	if (align == ALIGN_RIGHT)
		at += w - used;
	else if (align == ALIGN_CENTRE)
		at += (w - used) / 2;
	put(line->y, line->x + at, used, role, line->overlay, safe.buf, safe.len);
	return used;
}

void
line_overlay(const struct line *line, int x, int w, enum overlay overlay)
{
	struct shown *s;
	struct ready look;

	if (!clip(line, &x, &w))
		return;
	s = &cells[line->y * columns + line->x + x];
	for (; w > 0; w--, x++, s++) {
		look = ready_look(s->role, overlay);
		mvchgat(line->y, line->x + x, 1, look.attr, look.pair, NULL);
		s->overlay = (uint8_t)overlay;
	}
}

void
line_cell(const struct line *line, int x, int width, enum role role, enum overlay overlay,
	  const char *utf8, size_t n)
{
	int w = width;

	if (clip(line, &x, &w) && w == width)
		put(line->y, line->x + x, width, role, overlay, utf8, n);
}

void
line_fill(const struct line *line, int x, int w, enum role role, enum glyph glyph)
{
	const char *g = draw_glyph(glyph);

	if (!clip(line, &x, &w))
		return;
	for (; w > 0; w--, x++)
		put(line->y, line->x + x, 1, role, line->overlay, g, strlen(g));
}

int
draw_cell(int y, int x, struct strbuf *text, struct look *look)
{
	const struct shown *s = &cells[y * columns + x];
	wchar_t wide[CCHARW_MAX + 1] = L"";
	attr_t attr;
	short pair;
	cchar_t c;
	int i, w;

	*look = role_look(palette, (enum role)s->role, (enum overlay)s->overlay);
	if (mvin_wch(y, x, &c) == ERR || getcchar(&c, wide, &attr, &pair, NULL) == ERR || !*wide)
		wide[0] = L' ';
	for (i = 0; i < CCHARW_MAX && wide[i]; i++)
		utf8_encode(text, (int32_t)wide[i]);
	w = safe_width_char((int32_t)wide[0]);
	return w == 2 && x + 1 < columns ? 2 : 1;
}

void
draw_save_text(FILE *out)
{
	wchar_t *text = xcalloc((size_t)columns + 1, 8 * sizeof(*text));
	struct strbuf line = STRBUF_INIT;
	int y, n, i;

	for (y = 0; y < rows; y++) {
		n = mvinnwstr(y, 0, text, columns * 8);
		strbuf_clear(&line);
		for (i = 0; i < n; i++)
			utf8_encode(&line, (int32_t)text[i]);
		while (line.len && line.buf[line.len - 1] == ' ')
			line.buf[--line.len] = '\0';
		fprintf(out, "%s\n", line.buf);
	}
	strbuf_release(&line);
	free(text);
}

void
draw_save_roles(FILE *out)
{
	const struct shown *s = cells;
	int y, x, last, end;

	for (y = 0; y < rows; y++, s += columns) {
		for (last = -1, x = 0; x < columns; x++)
			if (role_letter(s[x].role, s[x].overlay) != ' ')
				last = x;
		end = last + 1;
		for (x = 0; x < end; x++)
			fputc(role_letter(s[x].role, s[x].overlay), out);
		fputc('\n', out);
	}
}
