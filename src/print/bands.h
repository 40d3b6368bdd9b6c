/* Pictures of live memory over time: SVG, text. */
#ifndef CGVIEW_PRINT_BANDS_H
#define CGVIEW_PRINT_BANDS_H

#include <stdio.h>

#include "show/bands.h"

struct bands_picture {
	struct profile *p;
	const struct live_heap *heap;
	const char *command;       /* that was run */
	bool ascii;                /* of text */
};

void bands_svg(const struct bands_picture *b, FILE *out);
/* The same as an element of a page. */
void bands_svg_element(const struct bands_picture *b, FILE *out);
void bands_text(const struct bands_picture *b, FILE *out);

#endif
