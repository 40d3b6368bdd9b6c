/* What is below a procedure for certain: random call graphs against the definition (a procedure or
 * a call is taken away: what makes something and can still be reached?). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "random.h"

enum { MAX = 9, GRAPHS = 20000 };

struct graph {
	uint32_t nr;
	struct flow_call_range calls[MAX * MAX];
	size_t nr_calls;
	bool entered[MAX], makes[MAX];
	uint64_t self[MAX];
};

static bool
report(bool good, const char *name)
{
	printf("%s - what is below for certain: %s\n", good ? "ok" : "not ok", name);
	return good;
}

/* ACYCLIC: callers have lower numbers. */
static void
make_graph(struct graph *g, uint64_t *state, bool acyclic)
{
	memset(g, 0, sizeof(*g));
	g->nr = 2 + random_below(state, MAX - 2);
	for (unsigned i = 0, n = random_below(state, 3 * g->nr); i < n; i++) {
		uint32_t a = random_below(state, g->nr), b = random_below(state, g->nr);

		if (acyclic && a >= b)
			continue;
		g->calls[g->nr_calls++] = (struct flow_call_range){
			a, b, 0, !random_chance(state, 10), true };
	}
	for (uint32_t p = 0; p < g->nr; p++) {
		g->entered[p] = !p || random_chance(state, 10);
		g->makes[p] = random_chance(state, 40);
		g->self[p] = g->makes[p] ? 1 + random_below(state, 100) : 0;
	}
}

/* What is reached from P, without procedure NOT and call WITHOUT. */
static void
reach(const struct graph *g, uint32_t p, uint32_t not, size_t without, bool *seen)
{
	if (p == not || seen[p])
		return;
	seen[p] = true;
	for (size_t i = 0; i < g->nr_calls; i++)
		if (i != without && g->calls[i].hi && g->calls[i].caller == p)
			reach(g, g->calls[i].callee, not, without, seen);
}

/* Is all that P leads to and that makes something out of reach from outside then? */
static bool
is_whole(const struct graph *g, uint32_t p, uint32_t not, size_t without)
{
	bool below[MAX] = { false }, others[MAX] = { false };

	reach(g, p, MAX, SIZE_MAX, below);
	for (uint32_t q = 0; q < g->nr; q++)
		if (g->entered[q])
			reach(g, q, not, without, others);
	for (uint32_t q = 0; q < g->nr; q++)
		if (below[q] && others[q] && g->makes[q])
			return false;
	return true;
}

static uint64_t
sum_below(const struct graph *g, uint32_t p)
{
	bool below[MAX] = { false };
	uint64_t sum = 0;

	reach(g, p, MAX, SIZE_MAX, below);
	for (uint32_t q = 0; q < g->nr; q++)
		sum += below[q] ? g->self[q] : 0;
	return sum;
}

/* Sound always; without cycles complete, but for calls that lead to nothing. */
static bool
check(struct graph *g, bool acyclic, uint64_t *whole)
{
	struct flow_certain c;
	uint64_t below[MAX];
	bool good = !flow_certain(g->nr, g->calls, g->nr_calls, g->entered, g->makes, &c);

	if (!good)
		return false;
	memcpy(below, g->self, sizeof(below));
	flow_certain_sum(&c, g->nr, below);
	for (uint32_t p = 0; p < g->nr; p++) {
		bool is = is_whole(g, p, p, SIZE_MAX);

		good &= (!c.whole[p] || is) && (!acyclic || c.whole[p] == is);
		good &= !c.whole[p] || below[p] == sum_below(g, p);
		whole[c.whole[p]]++;
	}
	for (size_t i = 0; i < g->nr_calls; i++) {
		uint32_t to = g->calls[i].callee;
		bool is = g->calls[i].hi && is_whole(g, to, MAX, i);

		good &= (!c.whole_call[i] || is) &&
			(!acyclic || c.whole_call[i] == is || !sum_below(g, to));
		whole[c.whole_call[i]]++;
	}
	flow_certain_release(&c);
	return good;
}

/* main calls a and b, both call x: what x makes is main's for certain, and neither a's nor b's; y,
 * which only b calls, is b's, and so is what y's recursion brings. */
static bool
check_by_hand(void)
{
	enum { MAIN, A, B, X, Y, NR };
	static const struct flow_call_range calls[] = {
		{ MAIN, A, 1, 1, 1 }, { MAIN, B, 1, 1, 1 }, { A, X, 2, 2, 1 }, { B, X, 3, 3, 1 },
		{ A, Y, 0, 0, 1 }, { B, Y, 1, 1, 1 }, { Y, Y, 5, 5, 1 },
	};
	static const bool makes[NR] = { [X] = true, [Y] = true };
	uint64_t below[NR] = { [X] = 100, [Y] = 10 };
	bool entered[NR] = { [MAIN] = true }, good;
	struct flow_certain c;

	if (flow_certain(NR, calls, sizeof(calls) / sizeof(*calls), entered, makes, &c))
		return false;
	flow_certain_sum(&c, NR, below);
	good = c.whole[MAIN] && !c.whole[A] && !c.whole[B] && c.whole[X] && c.whole[Y] &&
	       below[MAIN] == 110 && below[X] == 100 && below[Y] == 10 &&
	       !c.whole_call[0] && !c.whole_call[2] && !c.whole_call[3] && c.whole_call[5];
	flow_certain_release(&c);
	return good;
}

int
main(void)
{
	uint64_t whole[2] = { 0, 0 };
	bool good = report(check_by_hand(), "an example by hand"), all = true;

	for (uint64_t seed = 0; seed < GRAPHS; seed++) {
		uint64_t state = seed;
		struct graph g;

		make_graph(&g, &state, seed % 2);
		if (check(&g, seed % 2, whole))
			continue;
		printf("# graph %d\n", (int)seed);
		all = false;
		break;
	}
	good = report(all, "20000 random graphs") && good;
	good = report(whole[0] > GRAPHS && whole[1] > GRAPHS, "both kinds were among them") && good;
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
