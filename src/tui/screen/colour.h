/* Colours as users write them, and their numbers on this terminal. */
#ifndef CGVIEW_TUI_COLOUR_H
#define CGVIEW_TUI_COLOUR_H

#include <stdbool.h>

/* A colour is COLOUR_OWN, one of 256 (as in xterm), or COLOUR_RGB + 0xRRGGBB. */
enum { COLOUR_OWN = -1, COLOUR_RGB = 1 << 24 };

/* Reads a colour's name: "default", "red", "bright-red", "208", "#ff8700". False: it is none. */
bool colour_parse(const char *text, int *colour);

/* Returns the number that a terminal of NR colours (8, 16, 88, 256; more: direct colour) has for
 * COLOUR, or for the one most like it; -1: its own. With direct colour a number is 0xRRGGBB, but
 * those below INDEXED (8, 16, 256) mean the basic colours there, too. */
int colour_number(int colour, int nr, int indexed);

#endif
