#include "flow/estimate.h"

#include "flow/array.h"

/* A heap of arcs by what they could take when they were put in; that only gets less. */
struct choice { uint64_t most; uint32_t arc; bool fits; };

struct heap {
	struct choice *items;
	uint32_t nr;
};

/* An arc whose ends have just the same left is the more likely to be the one between them. */
static bool
better(const struct choice *a, const struct choice *b)
{
	if (a->most != b->most)
		return a->most > b->most;
	if (a->fits != b->fits)
		return a->fits;
	return a->arc < b->arc;
}

static void
swap(struct choice *a, struct choice *b)
{
	struct choice c = *a;

	*a = *b;
	*b = c;
}

static void
sift_down(struct heap *h, uint32_t i)
{
	for (uint32_t child; (child = 2 * i + 1) < h->nr; i = child) {
		if (child + 1 < h->nr && better(&h->items[child + 1], &h->items[child]))
			child++;
		if (!better(&h->items[child], &h->items[i]))
			return;
		swap(&h->items[child], &h->items[i]);
	}
}

static struct choice
choice_now(const struct net *net, uint32_t arc)
{
	uint32_t from = net->from[arc], to = net->to[arc];
	struct choice c = { .arc = arc, .most = net_least_rest(net, arc) };

	c.fits = net->rest[from] == net->rest[to];
	return c;
}

enum flow_status
estimate_sparse(struct net *net, struct push *p)
{
	struct heap h = { .items = array_raw(net->nr_arcs, sizeof(*h.items)), .nr = net->nr_arcs };
	struct choice now;

	if (!h.items)
		return FLOW_NO_MEMORY;
	estimate_clear(net);
	for (uint32_t e = 0; e < net->nr_arcs; e++)
		h.items[e] = choice_now(net, e);
	for (uint32_t i = h.nr / 2; i-- > 0; )
		sift_down(&h, i);
	while (h.nr) {
		now = choice_now(net, h.items[0].arc);
		if (now.most == h.items[0].most && now.fits == h.items[0].fits) {
			net_add(net, now.arc, now.most);
			h.items[0] = h.items[--h.nr];
		} else {
			h.items[0] = now;
		}
		sift_down(&h, 0);
	}
	free(h.items);
	push_rests(p, net);
	return FLOW_OK;
}
