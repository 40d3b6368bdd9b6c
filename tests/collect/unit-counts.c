/* Kirchhoff on random procedures: walk at random, count every arc; give the solver only the
 * counters outside of a random spanning tree; it must find all the others. The same with procedures
 * that call each other, where entries follow from the calls and one counter less is given. */
#include "collect/import/counts/entries.h"

#include "collect/fixture.h"

enum { MAX_BLOCKS = 40, MAX_EDGES = 200, WALKS = 30, TRIALS = 2000, PROCEDURES = 6, UNITS = 300 };

static uint32_t
random_below(uint32_t n)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 20) % n;
}

struct trial {
	struct table_procedure p;
	struct table_block blocks[MAX_BLOCKS];
	struct table_edge edges[MAX_EDGES];
	uint64_t block_count[MAX_BLOCKS], edge_count[MAX_EDGES], counters[MAX_BLOCKS + MAX_EDGES];
	uint64_t entries;
	struct table_site sites[MAX_BLOCKS];
	struct trial *called[MAX_BLOCKS]; /* by the block, NULL none */
};

static void
add_edge(struct trial *t, uint32_t from, uint32_t to)
{
	uint32_t e;

	for (e = 0; e < t->p.nr_edges; e++)
		if (t->edges[e].from == from && t->edges[e].to == to)
			return;
	if (t->p.nr_edges < MAX_EDGES)
		t->edges[t->p.nr_edges++] = (struct table_edge){ .from = from, .to = to };
}

/* Every block has a way in and a way out; some are left and entered from outside in the middle. */
static void
make_graph(struct trial *t)
{
	uint32_t n = 1 + random_below(MAX_BLOCKS), b;

	memset(t, 0, sizeof(*t));
	t->p.nr_blocks = n;
	t->p.blocks = t->blocks;
	t->p.edges = t->edges;
	add_edge(t, 0, 1);
	for (b = 0; b < n; b++) {
		if (b + 1 < n)
			add_edge(t, 2 + 2 * b, 1 + 2 * (b + 1));
		else
			add_edge(t, 2 + 2 * b, 0);
		if (random_below(2))
			add_edge(t, 2 + 2 * b, 1 + 2 * random_below(n));
		if (!random_below(6))
			add_edge(t, 2 + 2 * b, 0);
		if (b && !random_below(8))
			add_edge(t, 0, 1 + 2 * b);
	}
}

/* Go from the root back to the root. CALLED: through the entry, edge 0, not by a jump into it. */
static void
walk(struct trial *t, bool called)
{
	uint32_t at = 0, e, steps = 0, out[MAX_EDGES], nr;

	do {
		for (e = nr = 0; e < t->p.nr_edges; e++)
			if (t->edges[e].from == at)
				out[nr++] = e;
		/* Get out of loops in the end: the first way out leads towards the last block. */
		e = out[(called && !at) || steps++ > 500 ? 0 : random_below(nr)];
		t->edge_count[e]++;
		if (t->edges[e].from == 0 && t->edges[e].to == 1)
			t->entries++;
		at = t->edges[e].to;
		if (at) {
			t->block_count[(at - 1) / 2]++;
			if (t->called[(at - 1) / 2])
				walk(t->called[(at - 1) / 2], true);
			at++;
		}
	} while (at);
}

static uint32_t
find(uint32_t *parent, uint32_t v)
{
	while (parent[v] != v)
		v = parent[v] = parent[parent[v]];
	return v;
}

static bool
unite(uint32_t *parent, uint32_t x, uint32_t y)
{
	x = find(parent, x);
	y = find(parent, y);
	parent[x] = y;
	return x != y;
}

static void
shuffle(uint32_t *order, uint32_t n)
{
	uint32_t i, j, a;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i-- > 1;) {
		j = random_below(i + 1);
		a = order[i];
		order[i] = order[j];
		order[j] = a;
	}
}

static void
ends(const struct trial *t, uint32_t arc, uint32_t *from, uint32_t *to)
{
	const struct table_edge *e = arc < t->p.nr_blocks ? NULL : &t->edges[arc - t->p.nr_blocks];

	*from = e ? e->from : 1 + 2 * arc;
	*to = e ? e->to : 2 + 2 * arc;
}

static uint32_t *
counter(struct trial *t, uint32_t arc)
{
	return arc < t->p.nr_blocks ? &t->blocks[arc].counter
				    : &t->edges[arc - t->p.nr_blocks].counter;
}

/* A spanning tree by ORDER, with ENTRY_KNOWN without the entry, edge 0. Others are OUTSIDE. */
static void
span(const struct trial *t, const uint32_t *order, bool entry_known, bool *outside)
{
	uint32_t parent[1 + 2 * MAX_BLOCKS], n = t->p.nr_blocks + t->p.nr_edges, i, x, y;

	for (i = 0; i < 1 + 2 * t->p.nr_blocks; i++)
		parent[i] = i;
	if (!entry_known)
		unite(parent, 0, 1);
	for (i = 0; i < n; i++) {
		ends(t, order[i], &x, &y);
		outside[order[i]] = order[i] != t->p.nr_blocks && !unite(parent, x, y);
	}
}

/* What is outside of a random tree gets a counter; with FOLLOWS but for that which is in the tree
 * of the same order when the entry is known. */
static void
place_counters(struct trial *t, bool follows)
{
	uint32_t order[MAX_BLOCKS + MAX_EDGES] = { 0 };
	uint32_t n = t->p.nr_blocks + t->p.nr_edges, a, nr = 0;
	bool outside[2][MAX_BLOCKS + MAX_EDGES];
	uint32_t left_out = n;

	shuffle(order, n);
	span(t, order, false, outside[0]);
	span(t, order, true, outside[1]);
	for (a = 0; a < n; a++) {
		if (outside[0][a] && !outside[1][a] && follows) {
			left_out = a;
		} else if (outside[0][a]) {
			t->counters[nr++] = a < t->p.nr_blocks
						    ? t->block_count[a]
						    : t->edge_count[a - t->p.nr_blocks];
			*counter(t, a) = nr;
		}
	}
	if (left_out < n)
		*counter(t, left_out) = nr + 1;
	t->p.follows = left_out < n;
	t->p.nr_counters = nr;
}

static bool
equal(const struct trial *t, const struct counts *c)
{
	return c->calls == t->entries && !c->nr_negative && !c->unsolved &&
	       !memcmp(c->blocks, t->block_count, t->p.nr_blocks * sizeof(uint64_t)) &&
	       !memcmp(c->edges, t->edge_count, t->p.nr_edges * sizeof(uint64_t));
}

/* Any sum of counts, by the counters alone. */
static void
test_factors(void)
{
	static struct trial t;
	struct counts_room room = { 0 };
	int64_t weights[MAX_BLOCKS + MAX_EDGES], factors[MAX_BLOCKS + MAX_EDGES + 1];
	int i, k, good = 0;

	for (i = 0; i < TRIALS; i++) {
		uint64_t expected = 0, got = 0;

		make_graph(&t);
		for (k = 0; k < WALKS; k++)
			walk(&t, false);
		place_counters(&t, false);
		for (uint32_t arc = 0; arc < t.p.nr_blocks + t.p.nr_edges; arc++) {
			weights[arc] = (int64_t)random_below(7) - 3;
			expected += (uint64_t)weights[arc] *
				    (arc < t.p.nr_blocks ? t.block_count[arc]
							 : t.edge_count[arc - t.p.nr_blocks]);
		}
		good += counts_factors(&room, &t.p, weights, factors) && !factors[t.p.nr_counters];
		for (uint32_t c = 0; c < t.p.nr_counters; c++)
			got += (uint64_t)factors[c] * t.counters[c];
		good -= got != expected;
	}
	check("sums of counts are sums of counters", good == TRIALS);
	make_graph(&t);
	check("without counters they are not", !counts_factors(&room, &t.p, weights, factors));
	counts_release(&room);
}

static void
test_random(void)
{
	static struct trial t;
	struct counts_room room = { 0 };
	int i, k, good = 0, executed = 0;

	for (i = 0; i < TRIALS; i++) {
		make_graph(&t);
		for (k = random_below(WALKS); k > 0; k--)
			walk(&t, false);
		place_counters(&t, false);
		good += equal(&t, counts_solve(&room, &t.p, t.counters, 0));
		executed += t.entries > 0;
	}
	counts_release(&room);
	printf("# %d of %d procedures were entered\n", executed, TRIALS);
	check("random procedures: all counts as walked", good == TRIALS && executed > TRIALS / 2);
}

/* One block; the way in is counted 3 times, the way out 5 times: as after a kill, or damage. */
static void
test_inconsistent(void)
{
	struct table_block block = { .counter = 0 };
	struct table_edge edges[3] = { { 0, 1, 1 }, { 2, 0, 2 }, { 2, 1, 0 } };
	struct table_procedure p = {
		.nr_blocks = 1, .nr_edges = 3, .blocks = &block, .edges = edges, .nr_counters = 2,
	};
	uint64_t counters[2] = { 3, 5 };
	struct counts_room room = { 0 };
	const struct counts *c = counts_solve(&room, &p, counters, 0);

	check("arcs that are no spanning tree are told, not invented", c->unsolved);
	edges[2] = (struct table_edge){ 0, 1, 0 };
	edges[1].counter = 2;
	block.counter = 0;
	counters[0] = 5;
	counters[1] = 3;
	c = counts_solve(&room, &p, counters, 0);
	check("a count below 0 is set to 0 and told with its amount",
	      c->nr_negative == 1 && c->most_negative == 2 && c->edges[2] == 0 &&
	      c->blocks[0] == 3);
	/* Entered once, left twice through its end: the call that it makes is fork(). */
	edges[0] = (struct table_edge){ 0, 1, 1 };
	edges[1] = (struct table_edge){ 2, 0, 2 };
	edges[2] = (struct table_edge){ 2, 0, 0 };
	counters[0] = 1;
	counters[1] = 2;
	c = counts_solve(&room, &p, counters, 0);
	check("a call that returned more often than it was made is told apart",
	      c->extra_returns == 1 && !c->nr_negative && c->blocks[0] == 1 && c->calls == 1);
	counts_release(&room);
}

/* Each procedure may call those behind it; the first one is called from outside. */
static void
make_calls(struct trial *all, const char *const *names)
{
	uint32_t i, b;

	for (i = 0; i < PROCEDURES; i++) {
		make_graph(&all[i]);
		all[i].p.linkage_name = names[i];
		all[i].p.sites = all[i].sites;
		for (b = 0; i + 1 < PROCEDURES && b < all[i].p.nr_blocks; b++) {
			if (random_below(8))
				continue;
			all[i].called[b] = &all[i + 1 + random_below(PROCEDURES - i - 1)];
			all[i].sites[all[i].p.nr_sites++] = (struct table_site){
				.block = b, .target = names[all[i].called[b] - all],
			};
		}
	}
}

/* The procedures in another order, with all their counters behind each other. */
static void
make_unit(struct unit *u, struct trial *all, const uint32_t *order, uint64_t *counters)
{
	uint32_t i, nr = 0;

	for (i = 0; i < PROCEDURES; i++) {
		struct trial *t = &all[order[i]];

		place_counters(t, order[i] > 0);
		t->p.first_counter = nr;
		memcpy(counters + nr, t->counters, t->p.nr_counters * sizeof(*counters));
		nr += t->p.nr_counters;
		u->procedures[i] = t->p;
	}
	u->nr_counters = nr;
}

static void
test_following(void)
{
	static const char *const names[PROCEDURES] = { "f", "g", "h", "i", "j", "k" };
	static struct trial all[PROCEDURES];
	static uint64_t counters[PROCEDURES * (MAX_BLOCKS + MAX_EDGES)];
	struct table_procedure procedures[PROCEDURES], *p;
	struct unit u = { .procedures = procedures, .nr_procedures = PROCEDURES };
	struct counts_room room = { 0 };
	const struct counts *c;
	uint64_t calls[PROCEDURES];
	uint32_t order[PROCEDURES], left = 0;
	int i, k, good = 0, following = 0;

	for (k = 0; k < UNITS; k++) {
		make_calls(all, names);
		walk(&all[0], true);
		walk(&all[0], false);
		shuffle(order, PROCEDURES);
		make_unit(&u, all, order, counters);
		left += entries_find(&room, &u, counters, calls, NULL);
		for (i = 0; i < PROCEDURES; i++) {
			p = &procedures[i];
			following += p->follows && calls[i];
			c = counts_solve(&room, p, counters + p->first_counter, calls[i]);
			good += equal(&all[order[i]], c);
		}
	}
	counts_release(&room);
	printf("# %d procedures followed and were called\n", following);
	check("random calls: entries follow, and all counts are as walked",
	      good == UNITS * PROCEDURES && following > UNITS && !left);
}

/* fib(): the test, the first call, the second one, the sum. fib(5) is 15 calls, 7 of them of inner
 * nodes. The ways on from the test and the calls are given, the return from the test is not. */
static void
test_own_calls(void)
{
	struct table_block blocks[4] = { { .counter = 0 } };
	struct table_edge edges[8] = { { 0, 1, 0 }, { 2, 3, 1 }, { 2, 0, 4 }, { 4, 5, 2 },
				       { 4, 0, 0 }, { 6, 7, 3 }, { 6, 0, 0 }, { 8, 0, 0 } };
	struct table_site sites[2] = { { .block = 1, .target = "fib" },
				       { .block = 2, .target = "fib" } };
	struct table_procedure p = {
		.linkage_name = "fib", .follows = true, .blocks = blocks, .edges = edges,
		.sites = sites, .nr_blocks = 4, .nr_edges = 8, .nr_sites = 2, .nr_counters = 3,
	};
	uint64_t counters[3] = { 7, 7, 7 };
	struct counts_room room = { 0 };
	const struct counts *c;

	c = counts_solve(&room, &p, counters, 1);
	check("own calls: from one call of others follow all entries",
	      c->calls == 15 && c->blocks[1] == 7 && c->blocks[2] == 7 && c->blocks[3] == 7 &&
	      c->edges[2] == 8 && !c->unsolved && !c->nr_negative);
	sites[0].target = sites[1].target = "other";
	c = counts_solve(&room, &p, counters, 15);
	check("without own calls the same entries are all from others",
	      c->calls == 15 && c->blocks[1] == 7 && c->edges[2] == 8 && !c->unsolved);
	counts_release(&room);
}

/* Damaged tables: two procedures wait for each other. */
static void
test_circle(void)
{
	struct table_block blocks[2] = { { .counter = 0 } };
	struct table_edge edges[2] = { { 0, 1, 1 }, { 2, 0, 0 } };
	struct table_site sites[2] = { { .target = "b" }, { .target = "a" } };
	struct table_procedure p[2] = {
		{ .linkage_name = "a", .follows = true, .nr_blocks = 1, .nr_edges = 2,
		  .nr_sites = 1, .blocks = &blocks[0], .edges = edges, .sites = &sites[0] },
		{ .linkage_name = "b", .follows = true, .nr_blocks = 1, .nr_edges = 2,
		  .nr_sites = 1, .blocks = &blocks[1], .edges = edges, .sites = &sites[1] },
	};
	struct unit u = { .procedures = p, .nr_procedures = 2 };
	struct counts_room room = { 0 };
	uint64_t calls[2] = { 9, 9 }, counter = 0;

	check("a circle of entries that follow is told",
	      entries_find(&room, &u, &counter, calls, NULL) == 2 && !calls[0] && !calls[1]);
	counts_release(&room);
}

int
main(void)
{
	test_random();
	test_factors();
	test_following();
	test_own_calls();
	test_circle();
	test_inconsistent();
	return 0;
}
