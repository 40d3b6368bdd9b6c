/* Aggregate time: an example worked by hand; and random call graphs against the definition,
 * evaluated with another method (components by reachability, times by recursion), with times and
 * counts chosen so that nothing can be lost by rounding unnoticed. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "random.h"

enum { MAX = 12, GRAPHS = 3000 };

static bool
report(bool good, const char *name)
{
	printf("%s - aggregate time: %s\n", good ? "ok" : "not ok", name);
	return good;
}

/* main calls a 1 time and b 3 times; a and b call each other (a cycle); b calls c 4 times, d calls
 * c 1 time and was itself entered from outside, twice; c calls itself. Self: main 5, a 10, b 20, c
 * 100, d 7. c is entered 5 times from others: 80 ns for b, 20 for d. */
static bool
check_by_hand(void)
{
	enum { MAIN, A, B, C, D, NR };
	static const uint64_t self[NR] = { 5, 10, 20, 100, 7 };
	static const uint64_t entries[NR] = { 1, 3, 5, 9, 2 };
	static const struct flow_call calls[] = {
		{ MAIN, A, 1 }, { MAIN, B, 3 }, { A, B, 2 }, { B, A, 2 }, { B, C, 1 }, { B, C, 3 },
		{ D, C, 1 }, { C, C, 4 },
	};
	static const uint64_t total[NR] = { 115, 10, 100, 100, 27 };
	struct flow_time t;
	bool good;

	if (flow_time(NR, self, entries, calls, 8, &t))
		return false;
	good = t.nr_cycles == 1 && t.cycle[A] == 1 && t.cycle[B] == 1 && !t.cycle[MAIN] &&
	       !t.cycle[C] && !t.cycle[D] && t.cycles[0].total_ns == 110 && t.outside_ns == 142;
	for (int i = 0; i < NR; i++)
		good = good && t.total_ns[i] == total[i];
	flow_time_release(&t);
	return good;
}

/* c and d alone, and now c contains a call of d that was never made: they are a cycle, entered 4
 * times by b and 2 times from outside. 107 ns, of which b gets 4/6, rounded down. */
static bool
check_call_never_made(void)
{
	static const uint64_t self[] = { 5, 100, 7 }, entries[] = { 1, 9, 2 };
	static const struct flow_call calls[] = { { 0, 1, 4 },
						  { 2, 1, 1 }, { 1, 1, 4 }, { 1, 2, 0 } };
	struct flow_time t;
	bool good;

	if (flow_time(3, self, entries, calls, 4, &t))
		return false;
	good = t.nr_cycles == 1 && !t.cycle[0] && t.cycle[1] == 1 && t.cycle[2] == 1 &&
	       t.cycles[0].total_ns == 107 && t.total_ns[0] == 5 + 107 * 4 / 6;
	flow_time_release(&t);
	return good;
}

struct graph {
	size_t nr, nr_calls;
	uint64_t self[MAX], entries[MAX], from_outside[MAX];
	struct flow_call calls[MAX * MAX];
	bool reach[MAX][MAX];
};

static void
make_graph(struct graph *g, uint64_t *state)
{
	memset(g, 0, sizeof(*g));
	g->nr = 2 + random_below(state, MAX - 2);
	for (size_t i = 0; i < g->nr; i++) {
		g->self[i] = random_count(state, 40);
		g->reach[i][i] = true;
	}
	for (uint32_t i = 0; i < g->nr; i++) {
		for (uint32_t j = 0; j < g->nr; j++) {
			uint64_t n = random_chance(state, 20) ? 0 : random_count(state, 30);

			if (!random_chance(state, i < j ? 30 : 8))
				continue;
			g->calls[g->nr_calls++] = (struct flow_call){ i, j, n };
			g->entries[j] += n;
			g->reach[i][j] = true;
		}
	}
	for (size_t k = 0; k < g->nr; k++)
		for (size_t i = 0; i < g->nr; i++)
			for (size_t j = 0; j < g->nr; j++)
				g->reach[i][j] |= g->reach[i][k] && g->reach[k][j];
}

static bool
together(const struct graph *g, size_t i, size_t j)
{
	return g->reach[i][j] && g->reach[j][i];
}

/* Entries of the component of P from outside of it. */
static uint64_t
entries_into(const struct graph *g, size_t p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < g->nr; i++)
		n += together(g, i, p) ? g->from_outside[i] : 0;
	for (size_t k = 0; k < g->nr_calls; k++)
		if (together(g, g->calls[k].callee, p) && !together(g, g->calls[k].caller, p))
			n += g->calls[k].count;
	return n;
}

static long double component_time(const struct graph *g, size_t p);

/* By the definition: own time and the shares of what it calls in other components. */
static long double
own_time(const struct graph *g, size_t p)
{
	long double t = g->self[p];

	for (size_t k = 0; k < g->nr_calls; k++) {
		const struct flow_call *c = &g->calls[k];

		if (c->caller == p && c->count && !together(g, p, c->callee))
			t += component_time(g, c->callee) * c->count / entries_into(g, c->callee);
	}
	return t;
}

static long double
component_time(const struct graph *g, size_t p)
{
	long double t = 0;

	for (size_t i = 0; i < g->nr; i++)
		if (together(g, i, p))
			t += own_time(g, i);
	return t;
}

static bool
is_first_of_component(const struct graph *g, size_t p)
{
	for (size_t i = 0; i < p; i++)
		if (together(g, i, p))
			return false;
	return true;
}

/* Entered from outside: the components that nobody calls, and half of the others. */
static void
enter_from_outside(struct graph *g, uint64_t *state, bool roots_only)
{
	for (size_t i = 0; i < g->nr; i++) {
		if (!is_first_of_component(g, i) ||
		    (entries_into(g, i) && (roots_only || random_chance(state, 50))))
			continue;
		g->from_outside[i] = 1 + random_count(state, 20);
		g->entries[i] += g->from_outside[i];
	}
}

static bool
check_times(const struct graph *g, const struct flow_time *t)
{
	/* Every share is rounded by less than 1 ns; the errors add up along the calls. */
	long double error = MAX * MAX;
	bool good = true;

	for (size_t i = 0; i < g->nr; i++) {
		good = good && fabsl(own_time(g, i) - t->total_ns[i]) <= error;
		for (size_t j = 0; j < g->nr; j++)
			good = good && (together(g, i, j) && i != j) ==
				       (i != j && t->cycle[i] && t->cycle[i] == t->cycle[j]);
	}
	return good;
}

/* When outside calls only what nobody else calls, all time arrives there, to the last ns. */
static bool
check_roots(const struct graph *g, const struct flow_time *t)
{
	uint64_t self = 0, roots = 0;

	for (size_t i = 0; i < g->nr; i++) {
		bool root = true;

		self += g->self[i];
		for (size_t k = 0; k < g->nr_calls; k++)
			root = root && (!g->calls[k].count || !together(g, g->calls[k].callee, i) ||
					together(g, g->calls[k].caller, i));
		roots += root ? t->total_ns[i] : 0;
	}
	return self == roots && t->outside_ns == self;
}

static bool
check_random(bool roots_only)
{
	bool good = true;

	for (uint64_t seed = 0; seed < GRAPHS; seed++) {
		uint64_t state = seed;
		struct graph g;
		struct flow_time t;

		make_graph(&g, &state);
		enter_from_outside(&g, &state, roots_only);
		if (flow_time(g.nr, g.self, g.entries, g.calls, g.nr_calls, &t))
			return false;
		if (!check_times(&g, &t) || (roots_only && !check_roots(&g, &t))) {
			printf("# graph %" PRIu64 " is wrong\n", seed);
			good = false;
		}
		flow_time_release(&t);
	}
	return good;
}

/* Counts and times at the limits, and counts that do not fit: no time appears from nowhere. */
static bool
check_limits(void)
{
	static const uint64_t self[] = { UINT64_MAX / 2, UINT64_MAX / 2, 0 };
	static const uint64_t entries[] = { 1, 5, 0 };
	static const struct flow_call calls[] = {
		{ 0, 1, UINT64_MAX }, { 0, 1, UINT64_MAX }, { 2, 1, UINT64_MAX },
	};
	static const struct flow_call bad[] = { { 0, 3, 1 } };
	struct flow_time t;
	bool good;

	if (flow_time(3, self, entries, calls, 3, &t))
		return false;
	good = t.total_ns[0] >= self[0] && t.total_ns[0] - self[0] + t.total_ns[2] == self[1];
	flow_time_release(&t);
	return good && flow_time(3, self, entries, bad, 1, &t) == FLOW_BAD_INPUT &&
	       !flow_time(0, NULL, NULL, NULL, 0, &t) && (flow_time_release(&t), true);
}

int
main(void)
{
	bool good = report(check_by_hand(), "an example by hand");

	good = report(check_call_never_made(), "a call that was never made closes a cycle") && good;
	good = report(check_random(false), "3000 random graphs, by the definition") && good;
	good = report(check_random(true), "3000 random graphs, the roots have it all") && good;
	good = report(check_limits(), "limits") && good;
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
