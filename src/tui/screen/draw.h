/* Drawing: rectangles and lines of cells, clipped, through util/text/safe.h. Only this writes to
 * the curses screen. Nothing reaches the terminal before draw_flush(). */
#ifndef CGVIEW_TUI_DRAW_H
#define CGVIEW_TUI_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "show/role.h"
#include "util/mem.h"

struct area {
	int y, x, h, w;
};

/* One row of a pane. */
struct line {
	int y, x, w;
	enum overlay overlay;
};

enum align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_CENTRE };

enum glyph {
	GLYPH_HLINE, GLYPH_VLINE, GLYPH_TEE, GLYPH_CURSOR, GLYPH_UP, GLYPH_DOWN, GLYPH_APPROX,
	GLYPH_PLUS_MINUS, GLYPH_NEVER, GLYPH_ONE_WAY, GLYPH_DOTS, GLYPH_TIMES, GLYPH_BLOCK,
	GLYPH_SPACE, GLYPH_PINNED, GLYPH_DIFFERS, GLYPH_CALLER, GLYPH_EDGE, GLYPH_FRAME,
	GLYPH_FRAME_END,
	GLYPH_NR,
};

/* Begins, with the terminal set up: the palette in use, UTF-8 or not. */
void draw_init(enum palette palette, bool utf8);
void draw_palette(enum palette palette);
enum palette draw_palette_now(void);
bool draw_ascii(void);            /* the terminal's character set is not UTF-8 */
const char *draw_glyph(enum glyph glyph);
/* Returns a column of N eighths (0..8), one character wide. */
const char *draw_column(int eighths);

/* Starts a frame, all blank. Called again after the screen changed size. */
void draw_begin(void);
/* Brings the frame to the terminal, sending only what differs. REPAINT: sends all. */
void draw_flush(bool repaint);
int draw_rows(void);
int draw_columns(void);

/* Returns row Y of AREA, blanked under OVERLAY. Rows outside of it give an empty line. */
struct line draw_line(const struct area *area, int y, enum overlay overlay);

/* Writes S (N bytes from outside, or -1 for a C string) at column X of LINE into at most W columns,
 * cut with an ellipsis. Returns the columns used. */
int line_text(const struct line *line, int x, int w, enum align align, enum role role,
	      const char *s, ptrdiff_t n);

/* Lays OVERLAY over W columns from column X on; the text stays. */
void line_overlay(const struct line *line, int x, int w, enum overlay overlay);

/* Writes one character (already safe, with its combining ones) of known width. */
void line_cell(const struct line *line, int x, int width, enum role role, enum overlay overlay,
	       const char *utf8, size_t n);

/* Repeats GLYPH over W columns. */
void line_fill(const struct line *line, int x, int w, enum role role, enum glyph glyph);

/* Appends what the cell at Y, X of the frame shows, which is safe, and sets *LOOK. Returns its
 * columns, 1 or 2. */
int draw_cell(int y, int x, struct strbuf *text, struct look *look);

/* Write the screen as text, without spaces at line ends; and its roles, one letter a cell. */
void draw_save_text(FILE *out);
void draw_save_roles(FILE *out);

#endif
