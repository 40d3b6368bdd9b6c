/* The frame that was drawn last as a picture, for files: no terminal is asked. */
#ifndef CGVIEW_TUI_PICTURE_H
#define CGVIEW_TUI_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

/* Writes it as text with the colours of the terminal, as ANSI (ECMA-48) and xterm have them. */
void picture_ansi(FILE *out);

/* Writes it as SVG, on a background that is LIGHT or dark. */
void picture_svg(FILE *out, bool light);

#endif
