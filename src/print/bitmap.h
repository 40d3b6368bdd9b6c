/* A picture of pixels, each with the number of a colour, and how it becomes a PNG. */
#ifndef CGVIEW_PRINT_BITMAP_H
#define CGVIEW_PRINT_BITMAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct bitmap {
	unsigned width, height;
	uint8_t *pixels;           /* row by row, the top one first; owned */
};

/* All pixels have colour 0. */
void bitmap_init(struct bitmap *b, unsigned width, unsigned height);
void bitmap_release(struct bitmap *b);

/* Fills what is between LEFT and RIGHT, TOP and BOTTOM (these two not included); what lies outside
 * is left out. */
void bitmap_fill(struct bitmap *b, int left, int top, int right, int bottom, uint8_t colour);

/* Writes TEXT with its foot at Y, in letters of 5 by 7 times SCALE pixels; what is not ASCII
 * becomes '?'. */
void bitmap_text(struct bitmap *b, int x, int y, int scale, const char *text, uint8_t colour);
int bitmap_text_width(const char *text, int scale);

/* Writes it to OUT, with NR COLOURS: red, green, blue. Errors are OUT's. */
void bitmap_png(const struct bitmap *b, const uint8_t (*colours)[3], size_t nr, FILE *out);

#endif
