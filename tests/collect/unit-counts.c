/* Kirchhoff on random procedures: walk at random, count every arc; give the solver only the
 * counters outside of a random spanning tree; it must find all the others. */
#include "collect/counts.h"

#include "collect/fixture.h"

enum { MAX_BLOCKS = 40, MAX_EDGES = 200, WALKS = 30, TRIALS = 2000 };

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

/* Go from the root back to the root. */
static void
walk(struct trial *t)
{
	uint32_t at = 0, e, steps = 0, out[MAX_EDGES], nr;

	do {
		for (e = nr = 0; e < t->p.nr_edges; e++)
			if (t->edges[e].from == at)
				out[nr++] = e;
		/* Get out of loops in the end: the first way out leads towards the last block. */
		e = out[steps++ > 500 ? 0 : random_below(nr)];
		t->edge_count[e]++;
		if (t->edges[e].from == 0 && t->edges[e].to == 1)
			t->entries++;
		at = t->edges[e].to;
		if (at) {
			t->block_count[(at - 1) / 2]++;
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

/* A random spanning tree; what is not in it gets a counter. */
static void
place_counters(struct trial *t)
{
	uint32_t parent[1 + 2 * MAX_BLOCKS], order[MAX_BLOCKS + MAX_EDGES], n, i, j, a, x, y;
	uint32_t nr = 0;

	n = t->p.nr_blocks + t->p.nr_edges;
	for (i = 0; i < 1 + 2 * t->p.nr_blocks; i++)
		parent[i] = i;
	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i-- > 1;) {
		j = random_below(i + 1);
		a = order[i];
		order[i] = order[j];
		order[j] = a;
	}
	for (i = 0; i < n; i++) {
		a = order[i];
		x = a < t->p.nr_blocks ? 1 + 2 * a : t->edges[a - t->p.nr_blocks].from;
		y = a < t->p.nr_blocks ? 2 + 2 * a : t->edges[a - t->p.nr_blocks].to;
		if (find(parent, x) != find(parent, y)) {
			parent[find(parent, x)] = find(parent, y);
			continue;
		}
		t->counters[nr++] = a < t->p.nr_blocks ? t->block_count[a]
						       : t->edge_count[a - t->p.nr_blocks];
		if (a < t->p.nr_blocks)
			t->blocks[a].counter = nr;
		else
			t->edges[a - t->p.nr_blocks].counter = nr;
	}
	t->p.nr_counters = nr;
}

static bool
equal(const struct trial *t, const struct counts *c)
{
	return c->calls == t->entries && !c->nr_negative && !c->unsolved &&
	       !memcmp(c->blocks, t->block_count, t->p.nr_blocks * sizeof(uint64_t)) &&
	       !memcmp(c->edges, t->edge_count, t->p.nr_edges * sizeof(uint64_t));
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
			walk(&t);
		place_counters(&t);
		good += equal(&t, counts_solve(&room, &t.p, t.counters));
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
	const struct counts *c = counts_solve(&room, &p, counters);

	check("arcs that are no spanning tree are told, not invented", c->unsolved);
	edges[2] = (struct table_edge){ 0, 1, 0 };
	edges[1].counter = 2;
	block.counter = 0;
	counters[0] = 5;
	counters[1] = 3;
	c = counts_solve(&room, &p, counters);
	check("a count below 0 is set to 0 and told with its amount",
	      c->nr_negative == 1 && c->most_negative == 2 && c->edges[2] == 0 &&
	      c->blocks[0] == 3);
	/* Entered once, left twice through its end: the call that it makes is fork(). */
	edges[0] = (struct table_edge){ 0, 1, 1 };
	edges[1] = (struct table_edge){ 2, 0, 2 };
	edges[2] = (struct table_edge){ 2, 0, 0 };
	counters[0] = 1;
	counters[1] = 2;
	c = counts_solve(&room, &p, counters);
	check("a call that returned more often than it was made is told apart",
	      c->extra_returns == 1 && !c->nr_negative && c->blocks[0] == 1 && c->calls == 1);
	counts_release(&room);
}

int
main(void)
{
	test_random();
	test_inconsistent();
	return 0;
}
