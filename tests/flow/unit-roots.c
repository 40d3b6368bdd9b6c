/* Aggregate time by the paper's rule: examples worked by hand; random call graphs against the rule
 * followed literally from each root, in long double, one walk a root and no sharing of work; and
 * conservation. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "random.h"

enum { MAX = 10, GRAPHS = 4000 };

static bool
report(bool good, const char *name)
{
	printf("%s - time by root: %s\n", good ? "ok" : "not ok", name);
	return good;
}

/* main calls a once; a calls b 5 times, b calls a 4 times; b calls c 10 times. Self: main 1, a 10,
 * b 20, c 30. From main: b -> a leads back and is struck out, a has one entry, from main: all comes
 * together in a: 60. From b: a -> b is struck; a was entered 5 times, 4 of them from b, which gets
 * 8 of a's 10; b = 20 + 30 + 8. */
static bool
check_by_hand(void)
{
	enum { MAIN, A, B, C, NR };
	static const uint64_t self[NR] = { 1, 10, 20, 30 }, entries[NR] = { 1, 5, 5, 10 };
	static const struct flow_call calls[] = {
		{ MAIN, A, 1 }, { A, B, 5 }, { B, A, 4 }, { B, C, 10 },
	};
	static const uint64_t total[NR] = { 61, 60, 58, 30 };
	struct flow_roots *r;
	bool good = true;

	if (flow_roots_open(NR, self, entries, calls, 4, &r))
		return false;
	for (uint32_t p = 0; p < NR; p++)
		good = good && flow_roots_total(r, p) == total[p];
	flow_roots_close(r);
	return good;
}

/* A procedure that calls itself keeps its time: 3 calls from f, 97 from itself, 2 from g. */
static bool
check_recursion(void)
{
	static const uint64_t self[] = { 0, 0, 1000 }, entries[] = { 1, 1, 102 };
	static const struct flow_call calls[] = { { 0, 2, 3 }, { 1, 2, 2 }, { 2, 2, 97 } };
	struct flow_roots *r;
	bool good;

	if (flow_roots_open(3, self, entries, calls, 3, &r))
		return false;
	good = flow_roots_total(r, 2) == 1000 && flow_roots_total(r, 0) == 600 &&
	       flow_roots_total(r, 1) == 400;
	flow_roots_close(r);
	return good;
}

/* ---- the rule, literally ---- */

struct graph {
	uint32_t nr;
	uint64_t self[MAX], entries[MAX];
	uint64_t n[MAX][MAX];        /* calls; [caller][callee] */
	bool has[MAX][MAX], reach[MAX][MAX];
	uint32_t order[MAX][MAX], nr_order[MAX]; /* callees in the order of the calls */
	struct flow_call calls[MAX * MAX];
	size_t nr_calls;
};

static void
make_graph(struct graph *g, uint64_t *state, bool one_root)
{
	memset(g, 0, sizeof(*g));
	g->nr = 2 + (uint32_t)random_below(state, MAX - 2);
	for (uint32_t i = 0; i < g->nr; i++) {
		g->self[i] = random_count(state, 40);
		g->entries[i] = one_root;
		if (one_root ? i : !random_chance(state, 40))
			g->entries[i] = 0;
		else if (!one_root)
			g->entries[i] = random_count(state, 9);
		g->reach[i][i] = true;
	}
	for (uint32_t i = 0; i < g->nr; i++) {
		for (uint32_t k = 0; k < g->nr; k++) {
			uint32_t j = (k * 7 + i) % g->nr; /* any order will do */

			if (g->has[i][j] || (one_root && !j) ||
			    !random_chance(state, i < j ? 35 : 12))
				continue;
			g->n[i][j] = random_chance(state, 15) ? 0 : 1 + random_count(state, 12);
			g->calls[g->nr_calls++] = (struct flow_call){ i, j, g->n[i][j] };
			if (!g->n[i][j])
				continue;
			g->has[i][j] = g->reach[i][j] = true;
			g->entries[j] += g->n[i][j];
			g->order[i][g->nr_order[i]++] = j;
		}
	}
	for (uint32_t k = 0; k < g->nr; k++)
		for (uint32_t i = 0; i < g->nr; i++)
			for (uint32_t j = 0; j < g->nr; j++)
				g->reach[i][j] |= g->reach[i][k] && g->reach[k][j];
}

struct walk {
	const struct graph *g;
	bool path[MAX], done[MAX], struck[MAX][MAX];
	uint32_t finished[MAX], nr_finished;
};

static void
walk(struct walk *w, uint32_t p)
{
	w->path[p] = true;
	for (uint32_t k = 0; k < w->g->nr_order[p]; k++) {
		uint32_t q = w->g->order[p][k];

		if (w->path[q])
			w->struck[p][q] = true;
		else if (!w->done[q])
			walk(w, q);
	}
	w->path[p] = false;
	w->done[p] = true;
	w->finished[w->nr_finished++] = p;
}

static uint32_t
usual_entry(const struct graph *g, uint32_t member)
{
	uint64_t most = 0;
	uint32_t best = MAX;

	for (uint32_t p = 0; p < g->nr; p++) {
		uint64_t from_without = g->entries[p];

		if (!g->reach[p][member] || !g->reach[member][p])
			continue;
		for (uint32_t c = 0; c < g->nr; c++)
			if (g->reach[c][p] && g->reach[p][c])
				from_without -= g->n[c][p];
		if (best == MAX || from_without > most) {
			most = from_without;
			best = p;
		}
	}
	return best;
}

/* The walk from ROOT; cycles that it does not lie in are entered at their usual entries: so one
 * walk for each component, those that it leads to first. */
static long double
total_of(const struct graph *g, uint32_t root)
{
	struct walk w = { .g = g };
	long double total[MAX];
	bool together;

	for (uint32_t round = 0; round < g->nr; round++) {
		for (uint32_t p = 0; p < g->nr; p++) {
			bool ready = true;

			together = g->reach[p][root] && g->reach[root][p];
			if (w.done[p] || (together ? p != root : usual_entry(g, p) != p))
				continue;
			for (uint32_t q = 0; q < g->nr; q++)
				if (g->reach[p][q] && !g->reach[q][p] && !w.done[q])
					ready = false;
			if (ready)
				walk(&w, p);
		}
	}
	for (uint32_t p = 0; p < g->nr; p++)
		total[p] = g->self[p];
	for (uint32_t i = 0; i < w.nr_finished; i++) { /* callees first */
		uint32_t q = w.finished[i];
		uint64_t entries = g->entries[q];

		for (uint32_t p = 0; p < g->nr; p++)
			entries -= w.struck[p][q] ? g->n[p][q] : 0;
		for (uint32_t p = 0; p < g->nr; p++)
			if (g->n[p][q] && !w.struck[p][q])
				total[p] += total[q] * g->n[p][q] / entries;
	}
	return total[root];
}

static bool
check_random(void)
{
	bool good = true;

	for (uint64_t seed = 0; seed < GRAPHS; seed++) {
		uint64_t state = seed;
		struct flow_roots *r;
		struct graph g;

		make_graph(&g, &state, false);
		if (flow_roots_open(g.nr, g.self, g.entries, g.calls, g.nr_calls, &r))
			return false;
		for (uint32_t p = g.nr; p--;) { /* not in the order of the walk */
			long double want = total_of(&g, p);

			if (fabsl(want - flow_roots_total(r, p)) <= MAX * MAX)
				continue;
			printf("# graph %" PRIu64 ", root %u: %" PRIu64 ", not %.0Lf\n", seed, p,
			       flow_roots_total(r, p), want);
			good = false;
		}
		flow_roots_close(r);
	}
	return good;
}

/* A program is entered once, in main, which nobody calls: main's time is the sum of all it leads
 * to, to the last nanosecond. */
static bool
check_conservation(void)
{
	bool good = true;

	for (uint64_t seed = 0; seed < GRAPHS; seed++) {
		uint64_t state = seed + 1000000, sum = 0;
		struct flow_roots *r;
		struct graph g;
		bool entered[MAX] = { true };

		make_graph(&g, &state, true);
		for (uint32_t round = 0; round < g.nr; round++)
			for (size_t i = 0; i < g.nr_calls; i++)
				if (g.calls[i].count && entered[g.calls[i].caller])
					entered[g.calls[i].callee] = true;
		for (uint32_t p = 0; p < g.nr; p++) {
			sum += entered[p] ? g.self[p] : 0;
			if (entered[p])
				continue;
			/* what main does not lead to was not executed */
			for (size_t i = 0; i < g.nr_calls; i++) {
				if (g.calls[i].caller != p)
					continue;
				g.entries[g.calls[i].callee] -= g.calls[i].count;
				g.calls[i].count = 0;
			}
			g.self[p] = 0;
		}
		if (flow_roots_open(g.nr, g.self, g.entries, g.calls, g.nr_calls, &r))
			return false;
		if (flow_roots_total(r, 0) != sum) {
			printf("# graph %" PRIu64 ": %" PRIu64 ", not %" PRIu64 "\n", seed,
			       flow_roots_total(r, 0), sum);
			good = false;
		}
		flow_roots_close(r);
	}
	return good;
}

static bool
check_limits(void)
{
	static const uint64_t self[] = { UINT64_MAX / 2, UINT64_MAX / 2, 0 };
	static const uint64_t entries[] = { 1, 5, 0 };
	static const struct flow_call calls[] = {
		{ 0, 1, UINT64_MAX }, { 0, 1, UINT64_MAX }, { 2, 1, UINT64_MAX },
	};
	static const struct flow_call bad[] = { { 3, 0, 1 } };
	struct flow_roots *r;
	bool good;

	if (flow_roots_open(3, self, entries, calls, 3, &r))
		return false;
	good = flow_roots_total(r, 0) - self[0] + flow_roots_total(r, 2) == self[1];
	flow_roots_close(r);
	good = good && flow_roots_open(3, self, entries, bad, 1, &r) == FLOW_BAD_INPUT && !r;
	good = good && !flow_roots_open(0, NULL, NULL, NULL, 0, &r);
	flow_roots_close(r);
	return good;
}

int
main(void)
{
	bool good = report(check_by_hand(), "a cycle by hand");

	good = report(check_recursion(), "a procedure that calls itself") && good;
	good = report(check_random(), "4000 random graphs, the rule taken literally") && good;
	good = report(check_conservation(), "4000 programs, main has it all") && good;
	good = report(check_limits(), "limits") && good;
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
