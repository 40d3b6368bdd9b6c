/* Stopping at looks makes no claims: pairs of equal programs are drawn, recorded until a look says
 * that it is enough, and judged by what that look may claim. Who judges each look by 5 % claims
 * more. A difference that is there is found early. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "db/model/looks.h"
#include "db/model/significance.h"

/* The same numbers each time (xorshift64*). */
static uint64_t state = 88172645463325252;

static double
uniform(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return ((double)(state * 2685821657736338717u >> 11) + 0.5) / 9007199254740992.;
}

/* A run of MEAN: SPREAD of it by chance; now and then the machine is busy. */
static double
run(double mean, double spread)
{
	double normal = sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());

	return mean * (1 + spread * normal) * (uniform() < 0.1 ? 1.1 : 1);
}

struct outcome { int claims, looks, naive; };

static struct outcome
record(double change, double spread, int times)
{
	struct outcome o = { 0, 0, 0 };

	for (int i = 0; i < times; i++) {
		double a[20], b[20];
		enum look said = LOOK_GO_ON;
		bool naive = false;
		size_t n = 0, look;

		for (look = 0; look < NR_LOOKS && !said; look++) {
			for (; n < look_after(look); n++) {
				a[n] = run(1, spread);
				b[n] = run(change, spread);
			}
			said = look_at(a, b, n, look_level(look));
			naive |= look_at(a, b, n, FALSE_DISCOVERIES) == LOOK_DIFFERS;
		}
		o.claims += said == LOOK_DIFFERS;
		o.looks += (int)look;
		o.naive += naive;
	}
	return o;
}

static int
verdict(bool good, const char *name)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
	return !good;
}

int
main(void)
{
	enum { TIMES = 20000 };
	static const double spreads[] = { 0.005, 0.02, 0.05, 0.2 };
	struct outcome o;
	double sum = 0, e = exp(1);
	int failed = 0;

	for (size_t i = 0; i < NR_LOOKS; i++)
		sum += look_level(i);
	failed += verdict(fabs(sum - 0.05) < 1e-12, "the looks spend 5 % together");
	failed += verdict(fabs(look_level(0) - 0.05 * log(1 + (e - 1) * 3 / 20)) < 1e-12 &&
			  fabs(look_level(0) + look_level(1) -
			       0.05 * log(1 + (e - 1) * 5 / 20)) < 1e-12,
			  "... as Lan and DeMets have it");
	for (size_t i = 0; i < sizeof(spreads) / sizeof(*spreads); i++) {
		char name[100];

		o = record(1, spreads[i], TIMES);
		printf("# claims %.4f, judged by 5 %% each time %.4f, looks %.2f\n",
		       (double)o.claims / TIMES, (double)o.naive / TIMES,
		       (double)o.looks / TIMES);
		snprintf(name, sizeof(name), "equal programs, %g %%: one in twenty is claimed at "
			 "most", spreads[i] * 100);
		failed += verdict(o.claims <= TIMES / 20, name);
		failed += verdict(i < 2 || o.naive > 1.5 * o.claims,
				  "... which is not so without spending");
	}
	o = record(1.2, 0.02, 1000);
	failed += verdict(o.claims > 990 && o.looks < 2500, "a fifth more is found early");
	o = record(1.02, 0.02, 1000);
	printf("# 2 %% are claimed in %d of 1000, after %.2f looks\n", o.claims, o.looks / 1000.);
	failed += verdict(o.claims > 100, "little is found sometimes");
	return failed > 0;
}
