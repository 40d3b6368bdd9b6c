/* Colours as a person writes them, and as this terminal has them. */
#ifndef CGVIEW_TUI_COLOUR_H
#define CGVIEW_TUI_COLOUR_H

#include <stdbool.h>

/* A colour: COLOUR_OWN, the number of one of 256 (as in xterm), or COLOUR_RGB + 0xRRGGBB. */
enum { COLOUR_OWN = -1, COLOUR_RGB = 1 << 24 };

/* The colour that TEXT names: "default", "red", "bright-red", "208", "#ff8700". False: none. */
bool colour_parse(const char *text, int *colour);

/* The number that a terminal of NR colours (8, 16, 88, 256; more: direct colour) has for COLOUR, or
 * for the one most like it. -1: its own. With direct colour a number is 0xRRGGBB, but those below
 * INDEXED (8, 16, 256) are those of the basic colours there, too. */
int colour_number(int colour, int nr, int indexed);

#endif
