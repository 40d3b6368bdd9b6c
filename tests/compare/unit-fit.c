/* Models of growth against values that are known: over a grid of laws, sizes and noise, which model
 * is found, and how often the interval of a larger size holds the truth. */
#include "compare/fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 8 };

/* a n^x (log n)^y + b n^z + c */
struct law { double a, x, y, b, z, c; };

static double
law_at(const struct law *l, double n)
{
	return l->a * pow(n, l->x) * pow(log2(n), l->y) + l->b * pow(n, l->z) + l->c;
}

static double
normal(unsigned *seed)
{
	double u = (rand_r(seed) + 1.0) / (RAND_MAX + 2.0), v = rand_r(seed) / (RAND_MAX + 1.0);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* One series of a law: what is found at TIMES the largest size. */
struct outcome { struct fit fit; bool held; double width; char name[40]; };

static struct outcome
look(const struct law *l, double from, double step, size_t nr, double times, double noise,
     unsigned *seed)
{
	struct outcome o = { .held = false };
	double sizes[SIZES], values[SIZES], at, truth;
	struct strbuf name = STRBUF_INIT;
	struct prediction p;
	struct fit_sizes s;

	for (size_t i = 0; i < nr; i++) {
		sizes[i] = round(from * pow(step, (double)i));
		values[i] = law_at(l, sizes[i]) * (1 + noise * normal(seed));
	}
	at = sizes[nr - 1] * times;
	truth = law_at(l, at) * (1 + noise * normal(seed));
	fit_sizes_init(&s, sizes, nr);
	fit_values(&s, values, &o.fit);
	p = fit_predict(&s, values, &o.fit, at);
	/* Digits beyond the twelfth are rounding. */
	o.held = p.lo <= truth * (1 + 1e-12) && truth * (1 - 1e-12) <= p.hi;
	o.width = (p.hi - p.lo) / 2 / truth;
	fit_name(&o.fit, &name);
	snprintf(o.name, sizeof(o.name), "%s", name.buf);
	strbuf_release(&name);
	fit_sizes_release(&s);
	return o;
}

/* Laws of one power, also far from whole ones, with smaller terms beside it: of counts, and of what
 * varies by NOISE. */
static void
check_intervals(double noise, double step, double least)
{
	static const double small[] = { 0, 0.5, 1, 5 };
	enum { AGAIN = 5 };
	unsigned seed = 1;
	int held = 0, all = 0;

	for (double x = 0.3; x < 3.01; x += 0.045) {
		for (int k = 0; k < 4 * 3 * AGAIN; k++) {
			double z = k % 3 == 0 ? 0 : k % 3 == 1 ? x - 1 : x - 0.5;
			struct law l = { 1.5, x, 0, small[k / 3 % 4], fmax(z, 0), 0 };
			struct outcome o = look(&l, 16, step, SIZES, 8, noise, &seed);

			held += o.held;
			all++;
		}
	}
	printf("# noise %g, sizes by %g: %d of %d\n", noise, step, held, all);
	printf("%sok - intervals hold the truth: noise %g, sizes by %g\n",
	       held >= least * all ? "" : "not ", noise, step);
}

/* Smaller terms beside a law that has a model make no power of it, and a power is one. */
static void
check_names(void)
{
	static const struct { struct law l; const char *name; } cases[] = {
		{ { 1.5, 1.584963, 0, -0.5, 0, 0 }, "n^1.59" }, /* Karatsuba: (3^k 3 - 1) / 2 */
		{ { 1, 1.404, 0, 0, 0, 0 }, "n^1.40" },
		{ { 3, 1.55, 0, 2, 0, 0 }, "n^1.55" },
		{ { 1, 0.9, 0, 0, 0, 0 }, "n^0.90" },
		{ { 1, 2.1, 0, 0, 0, 7 }, "n^2.10" },
		{ { 7, 2.807, 0, -6, 2, 0 }, "n^2.82" },        /* Strassen's additions */
		{ { 1, 1.5, 0, 0, 0, 0 }, "n^1.5" }, { { 1, 1.5, 0, 1, 1, 0 }, "n^1.5" },
		{ { 1, 2, 0, 1, 1, 0 }, "n^2" }, { { 0.5, 2, 0, -0.5, 1, 0 }, "n^2" },
		{ { 1, 2, 0, 10, 1, 3 }, "n^2" }, { { 1, 3, 0, 1, 2, 0 }, "n^3" },
		{ { 1, 3, 0, 1, 1, 50 }, "n^3" }, { { 2, 1, 0, 1, 0.5, 0 }, "n" },
		{ { 1, 1, 1, 0, 0, 9 }, "n log n" }, { { 1, 1, 1, -1.2, 1, 0 }, "n log n" },
		{ { 1, 2, 1, 1, 1, 0 }, "n^2 log n" }, { { 1, 0.5, 0, 0, 0, 4 }, "sqrt n" },
		{ { 1, 0, 1, 0, 0, 2 }, "log n" }, { { 0, 0, 0, 0, 0, 9 }, "1" },
	};
	unsigned seed = 1;
	bool good = true;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct outcome o = look(&cases[i].l, 16, 2, SIZES, 8, 0, &seed);

		if (strcmp(o.name, cases[i].name) || !o.held) {
			printf("# %zu: %s%s instead of %s\n", i, o.name,
			       o.held ? "" : " without the truth", cases[i].name);
			good = false;
		}
	}
	printf("%sok - powers of their own, and others with smaller terms\n", good ? "" : "not ");
}

/* A base near 1 has the digits that tell it from 1. */
static void
check_bases(void)
{
	static const struct { double base; const char *name; } cases[] = {
		{ 1.0030, "1.0030^n" }, { 1.25, "1.25^n" }, { 1.05, "1.050^n" }, { 3, "3.00^n" },
	};
	double sizes[4], values[4];
	struct strbuf name = STRBUF_INIT;
	struct fit_sizes s;
	struct fit fit;
	bool good = true;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int k = 0; k < 4; k++) {
			sizes[k] = (1 << k) * (cases[i].base < 1.01 ? 200 : 4);
			values[k] = 1000 * pow(cases[i].base, sizes[k]);
		}
		fit_sizes_init(&s, sizes, 4);
		fit_values(&s, values, &fit);
		strbuf_clear(&name);
		fit_name(&fit, &name);
		if (strcmp(name.buf, cases[i].name)) {
			printf("# %s instead of %s\n", name.buf, cases[i].name);
			good = false;
		}
		fit_sizes_release(&s);
	}
	strbuf_release(&name);
	printf("%sok - bases of exponential growth\n", good ? "" : "not ");
}

int
main(void)
{
	check_names();
	check_bases();
	check_intervals(0, 2, 0.95);
	check_intervals(0, M_SQRT2, 0.95);
	check_intervals(0.02, 2, 0.95);
	check_intervals(0.02, M_SQRT2, 0.95);
	check_intervals(0.1, 2, 0.95);
	check_intervals(0.1, M_SQRT2, 0.95);
	return 0;
}
