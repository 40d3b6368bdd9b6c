/* How far aggregate times can move: an example worked by hand; and random programs in which calls
 * are redistributed at random within their intervals: no time may leave its bounds. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "random.h"

enum { MAX = 9, GRAPHS = 2000, TRIES = 25 };

static bool
report(bool good, const char *name)
{
	printf("%s - bounds of aggregate time: %s\n", good ? "ok" : "not ok", name);
	return good;
}

/* main calls f 1 time and g 1 time; each calls x or y through a pointer, 10 times in all each;
 * x is entered 12 times (60 ns), y 8 times (80 ns). f calls x 4 to 10 times. */
static bool
check_by_hand(void)
{
	enum { MAIN, F, G, X, Y, NR };
	static const uint64_t self[NR] = { 5, 0, 0, 60, 80 }, entries[NR] = { 1, 1, 1, 12, 8 };
	static const struct flow_call_range calls[] = {
		{ MAIN, F, 1, 1, 1 }, { MAIN, G, 1, 1, 1 }, { F, X, 4, 10, 0 },
		{ F, Y, 0, 6, 0 }, { G, X, 2, 8, 0 }, { G, Y, 2, 8, 0 },
	};
	/* f: 60 * 4/12 to 60 * 10/12 + 80 * 6/8; g: 60 * 2/12 + 80 * 2/8 to 60 * 8/12 + 80 * 8/8;
	 * main: 5 and both, and not more than there is */
	static const uint64_t least[NR] = { 55, 20, 30, 60, 80 };
	static const uint64_t most[NR] = { 145, 110, 120, 60, 80 };
	uint64_t lo[NR], hi[NR];
	bool good = true;

	if (flow_time_bounds(NR, self, entries, calls, 6, lo, hi))
		return false;
	for (int p = 0; p < NR; p++) /* shares are rounded, by 1 ns each */
		good = good && lo[p] <= least[p] && lo[p] + 6 >= least[p] && hi[p] >= most[p] &&
		       hi[p] <= most[p] + 2;
	return good && lo[X] == hi[X] && lo[Y] == hi[Y] && hi[MAIN] == 145;
}

/* All counts known: nothing to move, and main's time is exact. */
static bool
check_certain(void)
{
	static const uint64_t self[] = { 1, 10, 100 }, entries[] = { 1, 7, 9 };
	static const struct flow_call_range calls[] = {
		{ 0, 1, 3, 3, 1 }, { 1, 2, 5, 5, 1 }, { 2, 1, 4, 4, 1 }, { 0, 2, 4, 4, 1 },
	};
	uint64_t lo[3], hi[3];

	return !flow_time_bounds(3, self, entries, calls, 4, lo, hi) && lo[0] == hi[0] &&
	       lo[0] == 111 && lo[1] == 10 && hi[1] == 10 && lo[2] == 100 && hi[2] == 100;
}

struct graph {
	uint32_t nr;
	uint64_t self[MAX], entries[MAX];
	struct flow_call_range calls[MAX * MAX];
	uint64_t count[MAX * MAX];
	size_t nr_calls;
};

static uint64_t
within(uint64_t *state, uint64_t lo, uint64_t hi)
{
	return random_chance(state, 30) ? lo : random_chance(state, 30) ? hi :
	       lo + random_below(state, hi - lo + 1);
}

static void
make_graph(struct graph *g, uint64_t *state)
{
	memset(g, 0, sizeof(*g));
	g->nr = 2 + (uint32_t)random_below(state, MAX - 2);
	for (uint32_t i = 0; i < g->nr; i++) {
		g->self[i] = random_count(state, 40);
		g->entries[i] = random_chance(state, 30) ? random_below(state, 50) : 0;
	}
	for (uint32_t i = 0; i < g->nr; i++) {
		for (uint32_t j = 0; j < g->nr; j++) {
			struct flow_call_range *r = &g->calls[g->nr_calls];
			uint64_t n = random_below(state, 100);

			if (!random_chance(state, i < j ? 35 : 9))
				continue;
			*r = (struct flow_call_range){ i, j, n, n, random_chance(state, 50) };
			if (random_chance(state, 40)) {
				r->lo = random_chance(state, 40) ? 0 : random_below(state, n + 1);
				r->hi = n + random_below(state, 30);
			}
			if (!r->hi && !r->always)
				continue;
			g->entries[j] += r->hi; /* so that all counts within the ranges fit */
			g->nr_calls++;
		}
	}
}

static bool
check_one(const struct graph *g, const struct flow_time *t, const uint64_t *lo, const uint64_t *hi)
{
	for (uint32_t p = 0; p < g->nr; p++) {
		/* certain times may differ by how shares are rounded, 1 ns for each call */
		uint64_t slack = lo[p] == hi[p] ? MAX * MAX : 0;

		if (t->total_ns[p] + slack < lo[p] || t->total_ns[p] > hi[p] + slack) {
			printf("# procedure %u: %" PRIu64 " is not in %" PRIu64 "..%" PRIu64 "\n",
			       p, t->total_ns[p], lo[p], hi[p]);
			return false;
		}
	}
	return true;
}

static bool
check_random(uint64_t *nr_exact, uint64_t *nr_moved)
{
	bool good = true;

	for (uint64_t seed = 0; seed < GRAPHS; seed++) {
		uint64_t state = seed, lo[MAX], hi[MAX], first[MAX];
		struct graph g;

		make_graph(&g, &state);
		if (flow_time_bounds(g.nr, g.self, g.entries, g.calls, g.nr_calls, lo, hi))
			return false;
		for (int try = 0; try < TRIES; try++) {
			struct flow_call calls[MAX * MAX];
			struct flow_time t;
			size_t n = 0;

			for (size_t i = 0; i < g.nr_calls; i++) {
				const struct flow_call_range *r = &g.calls[i];
				uint64_t count = within(&state, r->lo, r->hi);

				if (!count && !r->always)
					continue;
				calls[n++] = (struct flow_call){ r->caller, r->callee,
								 count };
			}
			if (flow_time(g.nr, g.self, g.entries, calls, n, &t))
				return false;
			if (!check_one(&g, &t, lo, hi)) {
				printf("# graph %" PRIu64 "\n", seed);
				good = false;
			}
			for (uint32_t p = 0; p < g.nr; p++) {
				if (!try)
					first[p] = t.total_ns[p];
				*nr_moved += t.total_ns[p] != first[p];
				*nr_exact += !try && lo[p] == hi[p];
			}
			flow_time_release(&t);
		}
	}
	return good;
}

int
main(void)
{
	uint64_t nr_exact = 0, nr_moved = 0;
	bool good = report(check_by_hand(), "an example by hand");

	good = report(check_certain(), "nothing uncertain, nothing moves") && good;
	good = report(check_random(&nr_exact, &nr_moved), "2000 random programs") && good;
	good = report(nr_exact > 1000 && nr_moved > 1000, "both kinds were among them") && good;
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
