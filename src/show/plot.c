#include "show/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/value.h"
#include "util/text/name.h"
#include "util/text/safe.h"

enum { LABEL = 8, MOST = 400 };

/* From LO to HI in STEPS cells. */
struct axis {
	double lo, hi;
	int steps;
	bool logarithmic;
};

enum mark { MARK_NONE, MARK_MODEL, MARK_INTERVAL, MARK_FORETOLD, MARK_POINT, NR_MARKS };

static const struct { const char *text, *ascii; } marks[NR_MARKS] = {
	[MARK_NONE] = { " ", " " },
	[MARK_MODEL] = { "·", "." },
	[MARK_INTERVAL] = { "│", "|" },
	[MARK_FORETOLD] = { "○", "o" },
	[MARK_POINT] = { "●", "*" },
};

static void
widen(struct axis *a, double v)
{
	if (!isfinite(v))
		return;
	a->lo = fmin(a->lo, v);
	a->hi = fmax(a->hi, v);
}

static void
finish(struct axis *a, bool from_zero)
{
	if (!(a->hi >= a->lo))
		a->lo = a->hi = 0;
	a->logarithmic = a->lo > 0 && a->hi >= 4 * a->lo;
	if (!a->logarithmic && from_zero)
		a->lo = fmin(a->lo, 0);
	if (a->hi <= a->lo)
		a->hi = a->lo + 1;
}

/* The cell of V, which may be outside. */
static int
cell_of(const struct axis *a, double v)
{
	double share = (v - a->lo) / (a->hi - a->lo);

	if (a->logarithmic)
		share = v > 0 ? log(v / a->lo) / log(a->hi / a->lo) : 0;
	if (!(share > -1))
		return -1;
	return share > 2 ? a->steps : (int)floor(share * (a->steps - 1) + 0.5);
}

static double
value_of(const struct axis *a, double cell)
{
	double share = cell / (a->steps - 1);

	if (a->logarithmic)
		return a->lo * pow(a->hi / a->lo, share);
	return a->lo + share * (a->hi - a->lo);
}

struct picture {
	const struct plot *p;
	struct axis x, y;
	char *cells;             /* enum mark, [row from the foot * steps of x + column] */
};

static void
put(struct picture *f, int x, int y, enum mark mark)
{
	char *cell;

	if (x < 0 || y < 0 || x >= f->x.steps || y >= f->y.steps)
		return;
	cell = &f->cells[y * f->x.steps + x];
	if (*cell < (char)mark)
		*cell = (char)mark;
}

static struct prediction
predict(const struct plot *p, double size)
{
	return fit_predict(p->sizes, p->values, p->fit, size);
}

/* Zeros are left to the foot of the axis. */
static void
set_axes(struct picture *f)
{
	const struct plot *p = f->p;
	struct prediction at = p->at > 0 ? predict(p, p->at) : (struct prediction){ NAN, NAN, NAN };

	f->x = f->y = (struct axis){ .lo = INFINITY, .hi = -INFINITY };
	for (size_t i = 0; i < p->sizes->nr; i++) {
		widen(&f->x, p->sizes->sizes[i]);
		if (isfinite(p->values[i]) && p->values[i] != 0)
			widen(&f->y, p->values[i]);
	}
	if (p->at > 0)
		widen(&f->x, p->at);
	widen(&f->y, at.value);
	widen(&f->y, at.hi);
	finish(&f->x, false);
	finish(&f->y, true);
	f->x.steps = p->width - LABEL - 2;
	f->y.steps = p->height - 2;
}

static void
draw_marks(struct picture *f)
{
	const struct plot *p = f->p;

	for (int x = 0; x < f->x.steps; x++) {
		double size = value_of(&f->x, x);
		double v = size < p->fit->from ? NAN : predict(p, size).value;

		if (isfinite(v))
			put(f, x, cell_of(&f->y, v), MARK_MODEL);
	}
	for (size_t i = 0; i < p->sizes->nr; i++) {
		double v = isfinite(p->values[i]) ? p->values[i] : 0;
		int y = cell_of(&f->y, v);

		put(f, cell_of(&f->x, p->sizes->sizes[i]), y < 0 ? 0 : y, MARK_POINT);
	}
}

static void
draw_foretold(struct picture *f)
{
	struct prediction at = predict(f->p, f->p->at);
	int x = cell_of(&f->x, f->p->at), lo;

	if (!isfinite(at.value) || !isfinite(at.hi))
		return;
	lo = cell_of(&f->y, at.lo);
	for (int y = lo < 0 ? 0 : lo; y <= cell_of(&f->y, at.hi); y++)
		put(f, x, y, MARK_INTERVAL);
	put(f, x, cell_of(&f->y, at.value), MARK_FORETOLD);
}

static void
add_label(struct strbuf *out, const struct picture *f, int y)
{
	struct strbuf label = STRBUF_INIT;

	if (y == 0 || y == f->y.steps - 1 || y == f->y.steps / 2)
		value_real(&label, f->p->unit, value_of(&f->y, y), LABEL, VALUE_PLAIN, f->p->ascii);
	for (int n = label.len ? safe_width(label.buf, label.len) : 0; n < LABEL; n++)
		strbuf_char(out, ' ');
	strbuf_str(out, label.len ? label.buf : "");
	strbuf_str(out, f->p->ascii ? " |" : label.len ? " ┤" : " │");
	strbuf_release(&label);
}

/* The sizes below: the least at the left, the greatest at the right. */
static void
add_foot(struct strbuf *out, const struct picture *f)
{
	struct strbuf name = STRBUF_INIT;
	char left[40], right[200];
	int space;

	for (int i = 0; i < LABEL + 1; i++)
		strbuf_char(out, ' ');
	strbuf_str(out, f->p->ascii ? "+" : "└");
	for (int i = 0; i < f->x.steps; i++)
		strbuf_str(out, f->p->ascii ? "-" : "─");
	snprintf(left, sizeof(left), "%.6g", f->x.lo);
	/* A name from outside has a third of the line. */
	name_fit(&name, f->p->sizes->name ? f->p->sizes->name : "n",
		 f->p->sizes->name ? strlen(f->p->sizes->name) : 1,
		 f->x.steps / 3 < 40 ? f->x.steps / 3 : 40, f->p->ascii ? "~" : "\342\200\246");
	snprintf(right, sizeof(right), "%s = %.6g", name.buf, f->x.hi);
	space = f->x.steps - (int)strlen(left) - safe_width(right, strlen(right));
	strbuf_fmt(out, "\n%*s%s%*s%s\n", LABEL + 2, "", left, space > 1 ? space : 1, "", right);
	strbuf_release(&name);
}

static void
add_rows(struct strbuf *out, const struct picture *f)
{
	for (int y = f->y.steps; y-- > 0;) {
		const char *row = &f->cells[y * f->x.steps];
		int last = f->x.steps;

		add_label(out, f, y);
		while (last && !row[last - 1])
			last--;
		for (int x = 0; x < last; x++)
			strbuf_str(out, f->p->ascii ? marks[(int)row[x]].ascii
						    : marks[(int)row[x]].text);
		strbuf_char(out, '\n');
	}
}

void
plot_draw(struct strbuf *out, const struct plot *p)
{
	struct plot within = *p;
	struct picture f = { .p = &within };

	within.width = p->width > MOST ? MOST : p->width;
	within.height = p->height > MOST ? MOST : p->height;
	set_axes(&f);
	f.cells = xcalloc((size_t)f.x.steps * (size_t)f.y.steps, 1);
	draw_marks(&f);
	if (p->at > 0)
		draw_foretold(&f);
	add_rows(out, &f);
	add_foot(out, &f);
	free(f.cells);
}
