/* What can be short: random procedures, and in each a cycle whose rounds were not counted. All on
 * it must be told; nothing whose counter lacks nothing; and what is told must be on some cycle of
 * arcs that are not known, which a search of all walks finds. */
#include "collect/import/counts/lacking.h"

#include <string.h>

#include "collect/fixture.h"

enum { MAX_BLOCKS = 8, MAX_EDGES = 40, TRIALS = 3000, VERTICES = 1 + 2 * MAX_BLOCKS };
enum { MAX_ARCS = MAX_BLOCKS + MAX_EDGES };

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
	uint64_t lacking[MAX_ARCS];    /* by counter */
	uint32_t nr_arcs;
	bool lost[MAX_ARCS];           /* is on the cycle */
	uint32_t group[VERTICES];
};

static uint32_t
begin_of(const struct trial *t, uint32_t arc)
{
	return arc < t->p.nr_blocks ? 1 + 2 * arc : t->edges[arc - t->p.nr_blocks].from;
}

static uint32_t
end_of(const struct trial *t, uint32_t arc)
{
	return arc < t->p.nr_blocks ? 2 + 2 * arc : t->edges[arc - t->p.nr_blocks].to;
}

static uint32_t *
counter_of(struct trial *t, uint32_t arc)
{
	return arc < t->p.nr_blocks ? &t->blocks[arc].counter
				    : &t->edges[arc - t->p.nr_blocks].counter;
}

static void
add_edge(struct trial *t, uint32_t from, uint32_t to)
{
	if (t->p.nr_edges < MAX_EDGES)
		t->edges[t->p.nr_edges++] = (struct table_edge){ .from = from, .to = to };
}

static uint32_t
group_of(const struct trial *t, uint32_t v)
{
	while (t->group[v] != v)
		v = t->group[v];
	return v;
}

/* Arcs that close a circle with those before have counters; of the others there is a tree. */
static void
make(struct trial *t)
{
	uint32_t i, nr = 1 + random_below(MAX_BLOCKS), a, b;

	*t = (struct trial){ .p.nr_blocks = nr };
	t->p.blocks = t->blocks;
	t->p.edges = t->edges;
	add_edge(t, 0, 1);
	for (i = 0; i < nr; i++) {
		add_edge(t, 2 + 2 * i, 1 + 2 * random_below(nr));
		if (random_below(2))
			add_edge(t, 2 + 2 * i, 1 + 2 * random_below(nr));
		if (!random_below(4) || i == nr - 1)
			add_edge(t, 2 + 2 * i, 0);
	}
	t->nr_arcs = nr + t->p.nr_edges;
	for (i = 0; i < VERTICES; i++)
		t->group[i] = i;
	for (i = t->nr_arcs; i-- > 0;) {
		a = group_of(t, begin_of(t, i));
		b = group_of(t, end_of(t, i));
		t->group[a] = b;
		if (a == b)
			*counter_of(t, i) = ++t->p.nr_counters;
	}
}

/* A walk at random until it comes back to where it was: that cycle is lost. */
static void
lose(struct trial *t)
{
	uint32_t seen[VERTICES], path[VERTICES], v = 1 + 2 * random_below(t->p.nr_blocks), n = 0, i;
	uint32_t ways[MAX_ARCS], nr;

	memset(seen, 0xff, sizeof(seen));
	while (seen[v] == UINT32_MAX) {
		seen[v] = n;
		for (i = nr = 0; i < t->nr_arcs; i++)
			if (begin_of(t, i) == v)
				ways[nr++] = i;
		path[n++] = ways[random_below(nr)];
		v = end_of(t, path[n - 1]);
	}
	for (i = seen[v]; i < n; i++) {
		t->lost[path[i]] = true;
		if (*counter_of(t, path[i]))
			t->lacking[*counter_of(t, path[i]) - 1] = 3;
	}
}

static bool
is_open(struct trial *t, uint32_t arc)
{
	uint32_t counter = *counter_of(t, arc);

	return !counter || t->lacking[counter - 1];
}

/* Can one get from FROM to TO by arcs that are not known? */
static bool
leads(struct trial *t, uint32_t from, uint32_t to)
{
	bool reached[VERTICES] = { [0] = false };
	bool more = true;
	uint32_t i;

	reached[from] = true;
	while (more)
		for (more = false, i = 0; i < t->nr_arcs; i++)
			if (is_open(t, i) && reached[begin_of(t, i)] && !reached[end_of(t, i)])
				more = reached[end_of(t, i)] = true;
	return reached[to];
}

static bool
is_right(struct trial *t, const struct lacking *l)
{
	uint32_t b;
	bool told;

	if (!l->blocks)
		return false;
	for (b = 0; b < t->p.nr_blocks; b++) {
		told = l->blocks[b] != 0;
		if (told != (is_open(t, b) && leads(t, 2 + 2 * b, 1 + 2 * b) &&
			     (l->blocks[b] == 3)))
			return false;
		if (t->lost[b] && !told)
			return false;
	}
	return !t->lost[t->p.nr_blocks] || l->calls == 3; /* the first edge is the entry */
}

int
main(void)
{
	struct lacking_room room = { .blocks = NULL };
	struct lacking l;
	uint32_t good = 0, none = 0, i;
	struct trial t;

	for (i = 0; i < TRIALS; i++) {
		make(&t);
		l = lacking_find(&room, &t.p, t.lacking, 0);
		none += !l.blocks && !l.calls;
		lose(&t);
		l = lacking_find(&room, &t.p, t.lacking, 0);
		good += is_right(&t, &l);
	}
	check("nothing lacks anything where no counter does", none == TRIALS);
	check("what is on a cycle that was lost is told, and nothing else", good == TRIALS);
	lacking_release(&room);
	return 0;
}
