/* Values over sizes, and the model that describes them, drawn with characters. */
#ifndef CGVIEW_SHOW_PLOT
#define CGVIEW_SHOW_PLOT

#include <stdbool.h>

#include "compare/fit.h"
#include "db/store/profile.h"
#include "util/mem.h"

enum { PLOT_LEAST_WIDTH = 30, PLOT_LEAST_HEIGHT = 5 };

struct plot {
	const struct fit_sizes *sizes;
	const double *values;    /* one for each size; NAN: none, as 0 */
	const struct fit *fit;
	double at;               /* a size whose foretold value is drawn, too; 0: none */
	enum column_unit unit;   /* of the values */
	int width, height;       /* in columns and rows, with both axes; at least those above */
	bool ascii;
};

/* Appends HEIGHT lines. Axes are logarithmic where what they show goes over a factor of four or
 * more; 0 then stands at their foot. */
void plot_draw(struct strbuf *out, const struct plot *p);

#endif
