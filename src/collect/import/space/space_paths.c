#include "collect/import/space/space_paths.h"

#include <math.h>
#include <stdlib.h>

#include "collect/import/space/space.h"
#include "util/order.h"

enum { ALL_CELLS = UINT32_MAX, NOBODY = UINT32_MAX };
/* Of a thread without paths of its own: what is left has no weight to speak of. */
enum { MOST_SHARES = 1024 };

void
space_paths_release(struct space_paths *p)
{
	free(p->items);
	free(p->producers);
	*p = (struct space_paths){ .nr = 0 };
}

/* ---- reading ---- */

#define MOST_BYTES ((uint64_t)1 << 53)

/* A block that was drawn stands for all that had the same chance; the first of a producer, which
 * had to come, for itself. */
void
space_paths_take(struct space_paths *p, uint32_t input, uint32_t stack,
		 const struct raw_sample_reader *from)
{
	const struct raw_sample *sample = &from->sample;
	double bytes = (double)sample->amount, mean = (double)sample->cpu_ns;
	bool first = sample->flags & RAW_ALLOCATED_FIRST;

	if (!sample->cpu_ns || sample->cpu_ns > MOST_BYTES || sample->amount > MOST_BYTES ||
	    !sample->amount)
		return;
	if (!first)
		bytes /= -expm1(-bytes / mean);
	p->period = sample->cpu_ns > p->period ? sample->cpu_ns : p->period;
	GROW(p->items, p->nr + 1, p->alloc);
	p->items[p->nr++] = (struct space_path){
		.stack = stack, .input = input, .where = from->centre, .drawn = !first,
		.weights = { [PATH_BYTES] = bytes,
			     [PATH_LIVE] = sample->flags & RAW_ALLOCATED_FREED ? 0 : bytes },
	};
}

/* ---- whose they are ---- */

struct cell_place { uint64_t where; uint32_t input, cell; };

static int
compare_places(const void *a, const void *b)
{
	const struct cell_place *x = a, *y = b;

	COMPARE(x->input, y->input);
	return x->where < y->where ? -1 : x->where > y->where;
}

/* A child of fork has its parent's paths, too: there is one of each producer in all of them. */
static int
compare_owners(const void *a, const void *b, void *context)
{
	const struct space_cell *cells = context;
	const struct space_cell *x = &cells[*(const uint32_t *)a];
	const struct space_cell *y = &cells[*(const uint32_t *)b];

	COMPARE(x->input, y->input);
	COMPARE(x->address, y->address);
	COMPARE(x->maker, y->maker);
	return x->through < y->through ? -1 : x->through > y->through;
}

static void
number_producers(struct space_paths *p, const struct space_cell *cells, size_t nr)
{
	uint32_t *order = xcalloc(nr, sizeof(*order)), number = 0;
	void *context = (void *)(uintptr_t)cells;

	p->producers = xcalloc(nr, sizeof(*p->producers));
	for (size_t i = 0; i < nr; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, nr, sizeof(*order), compare_owners, context);
	for (size_t i = 0; i < nr; i++) {
		number += i && compare_owners(&order[i - 1], &order[i], context);
		p->producers[order[i]] = number;
	}
	free(order);
}

static void
find_cells(struct space_paths *p, const struct space_cell *cells, size_t nr)
{
	struct cell_place *places = xcalloc(nr, sizeof(*places));

	for (size_t i = 0; i < nr; i++)
		places[i] = (struct cell_place){ cells[i].where, cells[i].input, (uint32_t)i };
	qsort(places, nr, sizeof(*places), compare_places);
	for (size_t i = 0; i < p->nr; i++) {
		struct space_path *x = &p->items[i];
		const struct cell_place key = { x->where, x->input, 0 };
		const struct cell_place *at = bsearch(&key, places, nr, sizeof(*places),
						      compare_places);

		x->cell = at ? at->cell : ALL_CELLS;
		x->producer = at ? p->producers[at->cell] : NOBODY;
	}
	free(places);
}

static int
compare_keys(const struct space_path *x, const struct space_path *y)
{
	COMPARE(x->producer, y->producer);
	return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static int
compare_paths(const void *a, const void *b)
{
	const struct space_path *x = a, *y = b;
	int keys = compare_keys(x, y);

	return keys ? keys : x->stack < y->stack ? -1 : x->stack > y->stack;
}

static int
compare_weights(const void *a, const void *b)
{
	const struct space_path *x = a, *y = b;
	int keys = compare_keys(x, y);

	if (keys || x->weights[PATH_BYTES] == y->weights[PATH_BYTES])
		return keys ? keys : x->stack < y->stack ? -1 : x->stack > y->stack;
	return x->weights[PATH_BYTES] > y->weights[PATH_BYTES] ? -1 : 1;
}

/* Makes one of those with the same key and stack. */
static void
unite(struct space_paths *p)
{
	size_t nr = 0;

	qsort(p->items, p->nr, sizeof(*p->items), compare_paths);
	for (size_t i = 0; i < p->nr; i++) {
		struct space_path *last = nr ? &p->items[nr - 1] : NULL;

		if (last && !compare_paths(last, &p->items[i])) {
			for (int k = 0; k < NR_PATH_WEIGHTS; k++)
				last->weights[k] += p->items[i].weights[k];
			last->drawn |= p->items[i].drawn;
		} else {
			p->items[nr++] = p->items[i];
		}
	}
	p->nr = nr;
}

void
space_paths_settle(struct space_paths *p, const struct space_cell *cells, size_t nr)
{
	size_t nr_known = 0;

	if (!p->nr || !nr) {
		p->period = 0;
		return;
	}
	number_producers(p, cells, nr);
	find_cells(p, cells, nr);
	for (size_t i = 0; i < p->nr; i++)
		if (p->items[i].producer != NOBODY)
			p->items[nr_known++] = p->items[i];
	p->nr = nr_known;
	unite(p);
	GROW(p->items, 2 * p->nr, p->alloc);
	for (size_t i = p->nr; i-- > 0;) {
		p->items[p->nr + i] = p->items[i];
		p->items[p->nr + i].cell = ALL_CELLS;
	}
	p->nr *= 2;
	unite(p);
	qsort(p->items, p->nr, sizeof(*p->items), compare_weights);
}

/* ---- sharing out ---- */

/* Returns the first that does not come before KEY. */
static size_t
first_of(const struct space_paths *p, const struct space_path *key)
{
	size_t lo = 0, hi = p->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare_keys(&p->items[mid], key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Paths with one key. */
struct group {
	const struct space_path *paths;
	size_t nr;
	bool drawn;
	double sums[NR_PATH_WEIGHTS];
};

static struct group
group_of(const struct space_paths *p, uint32_t producer, uint32_t cell)
{
	const struct space_path key = { .producer = producer, .cell = cell };
	struct group g = { .paths = p->items + first_of(p, &key) };

	for (; g.paths + g.nr < p->items + p->nr && !compare_keys(&g.paths[g.nr], &key); g.nr++) {
		g.drawn |= g.paths[g.nr].drawn;
		for (int k = 0; k < NR_PATH_WEIGHTS; k++)
			g.sums[k] += g.paths[g.nr].weights[k];
	}
	return g;
}

/* Shares by BY, each rounded such that those before it add up to what they should. */
static size_t
share(const struct group *g, enum path_weight by, uint64_t value, struct space_share **shares)
{
	bool many = g->nr > MOST_SHARES && g->paths->cell == ALL_CELLS;
	size_t nr = many ? MOST_SHARES : g->nr;
	long double all = 0, sum = 0;
	uint64_t before = 0;

	*shares = xcalloc(nr, sizeof(**shares));
	for (size_t i = 0; i < nr; i++)
		all += g->paths[i].weights[by];
	for (size_t i = 0; i < nr; i++) {
		uint64_t after = value;

		sum += g->paths[i].weights[by];
		if (i + 1 < nr && sum < all)
			after = (uint64_t)((long double)value * (sum / all));
		(*shares)[i] = (struct space_share){ g->paths[i].stack, after - before };
		before = after;
	}
	return nr;
}

size_t
space_paths_share(const struct space_paths *p, size_t number, enum path_weight by, uint64_t value,
		  struct space_share **shares)
{
	struct group own, all;

	*shares = NULL;
	if (!p->period)
		return 0;
	own = group_of(p, p->producers[number], (uint32_t)number);
	if (own.drawn && own.sums[by] > 0)
		return share(&own, by, value, shares);
	all = group_of(p, p->producers[number], ALL_CELLS);
	/* No sampled block is live: all paths share what is. */
	return share(&all, all.sums[by] > 0 ? by : PATH_BYTES, value, shares);
}
