#include "db/tree_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/tree_reader.h"
#include "util/mem.h"
#include "util/order.h"

/* A node of one of the trees. */
struct part { uint32_t tree, node; };

/* What a joined node is made of; tree_node.at is its number. */
struct item {
	uint32_t first, nr;      /* parts, in the order of their trees */
	double value;
};

/* A node that becomes, or becomes a part of, a child. */
struct child {
	enum tree_kind kind;
	model_id name;
	struct part part;
};

struct children {
	struct child *children;
	size_t nr, alloc;
};

struct join {
	struct tree_join how;
	size_t made;             /* trees that are complete */
	bool collected;          /* roots is */
	struct children roots;
	size_t next_root;
	struct part *parts;
	size_t nr_parts, parts_alloc;
	struct item *items;
	size_t nr_items, items_alloc;
};

static const struct tree_reader tree_join_reader;

static struct join *
join_of(const struct tree *t)
{
	return t->data;
}

bool
tree_is_joined(const struct tree *t)
{
	return t->reader == &tree_join_reader;
}

size_t
tree_joined(const struct tree *t)
{
	return join_of(t)->how.nr;
}

/* ---- figures ---- */

static void
item_sides(const struct join *j, const struct item *item, struct tree_side *sides)
{
	memset(sides, 0, j->how.nr * sizeof(*sides));
	for (uint32_t i = item->first; i < item->first + item->nr; i++) {
		const struct part *p = &j->parts[i];
		const struct tree_node *n = tree_node(j->how.trees[p->tree], p->node);
		struct tree_side *s = &sides[p->tree];

		s->exact = n->exact && (s->exact || !s->there);
		s->there = true;
		s->total = tree_sum(s->total, n->total);
		s->self = tree_sum(s->self, n->self);
		s->number = tree_sum(s->number, n->number);
	}
}

void
tree_sides(const struct tree *t, uint32_t id, struct tree_side *sides)
{
	const struct join *j = join_of(t);

	item_sides(j, &j->items[t->nodes[id].at], sides);
}

static const struct part *
last_part(const struct join *j, const struct item *item)
{
	return item->nr ? &j->parts[item->first + item->nr - 1] : NULL;
}

size_t
tree_last_side(const struct tree *t, uint32_t id)
{
	const struct join *j = join_of(t);
	const struct part *p = last_part(j, &j->items[t->nodes[id].at]);

	return p ? p->tree : j->how.nr - 1;
}

double
tree_value(const struct tree *t, uint32_t id)
{
	const struct join *j = join_of(t);

	return j->items[t->nodes[id].at].value;
}

static uint64_t
scaled(uint64_t ns, double scale)
{
	double v = (double)ns * scale;

	return scale == 1 ? ns : v >= 18446744073709549568.0 ? UINT64_MAX : (uint64_t)(v + 0.5);
}

static void
sum_up(const struct tree *t, const struct item *item, struct tree_node *n)
{
	const struct join *j = join_of(t);
	struct tree_side sides[MOST_JOINED];

	item_sides(j, item, sides);
	n->total = n->self = n->number = 0;
	n->exact = true;
	for (size_t k = 0; k < j->how.nr; k++) {
		n->total = tree_sum(n->total, scaled(sides[k].total, j->how.scales[k]));
		n->self = tree_sum(n->self, scaled(sides[k].self, j->how.scales[k]));
		n->number = tree_sum(n->number, sides[k].number);
		n->exact &= sides[k].exact || !sides[k].there;
	}
}

static void
evaluate(const struct tree *t, struct item *item)
{
	const struct join *j = join_of(t);
	struct tree_side sides[MOST_JOINED];

	item_sides(j, item, sides);
	item->value = j->how.value(j->how.context, t, sides);
}

/* Has side by side the one what the other has? */
static bool
join_same(const struct tree *t, const struct tree_node *a, const struct tree_node *b)
{
	const struct join *j = join_of(t);
	struct tree_side sa[MOST_JOINED], sb[MOST_JOINED];

	item_sides(j, &j->items[a->at], sa);
	item_sides(j, &j->items[b->at], sb);
	for (size_t k = 0; k < j->how.nr; k++) {
		if (sa[k].there != sb[k].there || sa[k].total != sb[k].total ||
		    sa[k].number != sb[k].number)
			return false;
	}
	return true;
}

/* ---- nodes ---- */

static int
compare_children(const void *pa, const void *pb)
{
	const struct child *a = pa, *b = pb;

	COMPARE(a->kind, b->kind);
	COMPARE(a->name, b->name);
	COMPARE(a->part.tree, b->part.tree);
	COMPARE(a->part.node, b->part.node);
	return 0;
}

static void
collect(struct tree *t, const struct part *p, struct children *to)
{
	struct join *j = join_of(t);
	struct tree *tree = j->how.trees[p->tree];
	const struct tree_node *n = tree_children(tree, p->node);

	t->full |= tree_full(tree);
	for (uint32_t i = n->first; i < n->first + n->nr; i++) {
		const struct tree_node *c = tree_node(tree, i);

		GROW(to->children, to->nr + 1, to->alloc);
		to->children[to->nr++] = (struct child){
			.kind = c->kind, .part = { p->tree, i },
			.name = c->procedure ? j->how.name(j->how.context, p->tree, c->procedure)
					     : 0,
		};
	}
}

static uint32_t
new_item(struct join *j)
{
	GROW(j->items, j->nr_items + 1, j->items_alloc);
	j->items[j->nr_items] = (struct item){ .first = (uint32_t)j->nr_parts };
	return (uint32_t)j->nr_items++;
}

static void
add_part(struct join *j, const struct part *p)
{
	GROW(j->parts, j->nr_parts + 1, j->parts_alloc);
	j->parts[j->nr_parts++] = *p;
	j->items[j->nr_items - 1].nr++;
}

static void
add_node(struct tree *t, const struct child *first, size_t nr)
{
	struct join *j = join_of(t);
	uint32_t at = new_item(j), deep = 0;
	struct tree_node n;

	for (size_t i = 0; i < nr; i++) {
		const struct part *p = &first[i].part;

		add_part(j, p);
		n = *tree_node(j->how.trees[p->tree], p->node);
		deep = n.deep > deep ? n.deep : deep;
	}
	n.procedure = first->name;
	n.deep = deep;
	n.at = at;
	sum_up(t, &j->items[at], &n);
	evaluate(t, &j->items[at]);
	tree_add(t, &n);
}

/* All that becomes children of node ID, what becomes one node side by side. */
static void
collect_all(struct tree *t, uint32_t id, struct children *all)
{
	struct join *j = join_of(t);
	const struct item *item = &j->items[t->nodes[id].at];

	for (uint32_t i = item->first; i < item->first + item->nr; i++)
		collect(t, &j->parts[i], all);
	if (all->nr)
		qsort(all->children, all->nr, sizeof(*all->children), compare_children);
}

/* The node that begins with child FIRST. Returns the child behind it. */
static size_t
add_group(struct tree *t, const struct children *all, size_t first)
{
	const struct child *c = &all->children[first];
	size_t nr = 1;

	while (first + nr < all->nr && c[nr].kind == c->kind && c[nr].name == c->name)
		nr++;
	add_node(t, c, nr);
	return first + nr;
}

static void
join_children(struct tree *t, uint32_t id)
{
	struct children all = { .children = NULL };

	collect_all(t, id, &all);
	for (size_t i = 0; i < all.nr;)
		i = add_group(t, &all, i);
	free(all.children);
}

/* ---- order ---- */

static double
amount(const struct tree *t, const struct tree_node *n)
{
	double value = fabs(join_of(t)->items[n->at].value);

	return isnan(value) ? -1 : value;
}

static int
join_order(const struct tree *t, const struct tree_node *a, const struct tree_node *b)
{
	double va = amount(t, a), vb = amount(t, b);

	return va > vb ? -1 : va < vb;
}

/* Where values are differences of totals, what the children leave is the node's own. */
static bool
join_leads(const struct tree *t, uint32_t id)
{
	const struct tree_node *n = &t->nodes[id];
	double own = tree_value(t, id);

	for (uint32_t i = n->first; i < n->first + n->nr; i++)
		if (t->nodes[i].kind < TREE_RECURSION && !isnan(tree_value(t, i)))
			own -= tree_value(t, i);
	return !id || amount(t, &t->nodes[n->first]) >= fabs(own);
}

static void
join_anew(struct tree *t)
{
	struct join *j = join_of(t);

	for (size_t i = 0; i < t->nr; i++) {
		struct item *item = &j->items[t->nodes[i].at];

		sum_up(t, item, &t->nodes[i]);
		evaluate(t, item);
	}
}

/* ---- finding ---- */

/* The child of node ID that node NODE of tree K is a part of. */
static uint32_t
child_with(struct tree *t, uint32_t id, uint32_t k, uint32_t node)
{
	const struct tree_node *n = tree_children(t, id);
	const struct join *j = join_of(t);

	for (uint32_t i = n->first; i < n->first + n->nr; i++) {
		const struct item *item = &j->items[t->nodes[i].at];

		for (uint32_t p = item->first; p < item->first + item->nr; p++)
			if (j->parts[p].tree == k && j->parts[p].node == node)
				return i;
	}
	return TREE_NONE;
}

/* The same node as NODE of tree K. */
static uint32_t
find_same(struct tree *t, uint32_t k, uint32_t node)
{
	const struct tree *tree = join_of(t)->how.trees[k];
	uint32_t depth = tree_node(tree, node)->depth, id = 0, *path, i;

	path = xcalloc((size_t)depth + 1, sizeof(*path));
	for (i = depth; i; i--, node = tree_node(tree, node)->parent)
		path[i - 1] = node;
	for (i = 0; i < depth && id != TREE_NONE; i++)
		id = child_with(t, id, k, path[i]);
	free(path);
	return id ? id : TREE_NONE;
}

/* Where the last profile that has the procedure has it. */
static uint32_t
join_find(struct tree *t, model_id procedure)
{
	const struct join *j = join_of(t);

	for (size_t k = j->how.nr; k-- > 0;) {
		model_id here = j->how.here(j->how.context, k, procedure);
		uint32_t node = here && j->how.trees[k] ? tree_find(j->how.trees[k], here)
							: TREE_NONE;

		if (node != TREE_NONE)
			return find_same(t, (uint32_t)k, node);
	}
	return TREE_NONE;
}

/* ---- life ---- */

/* The roots of all trees, when these have been made. */
static void
begin_roots(struct tree *t)
{
	struct join *j = join_of(t);

	for (uint32_t k = 0; k < j->how.nr; k++)
		if (j->how.trees[k])
			add_part(j, &(struct part){ k, 0 });
	sum_up(t, &j->items[0], &t->nodes[0]);
	evaluate(t, &j->items[0]);
	collect_all(t, 0, &j->roots);
	j->collected = true;
}

static bool
join_step(struct tree *t)
{
	struct join *j = join_of(t);
	struct tree *tree = j->made < j->how.nr ? j->how.trees[j->made] : NULL;

	if (j->made < j->how.nr) {
		if (!tree || !tree_step(tree))
			j->made++;
		return true;
	}
	if (!j->collected)
		begin_roots(t);
	else if (j->next_root < j->roots.nr)
		j->next_root = add_group(t, &j->roots, j->next_root);
	return j->next_root < j->roots.nr;
}

static unsigned
join_percent(const struct tree *t)
{
	const struct join *j = join_of(t);
	const struct tree *now = j->made < j->how.nr ? j->how.trees[j->made] : NULL;

	return (unsigned)((j->made * 100 + (now ? tree_percent(now) : 0)) / j->how.nr);
}

static size_t
join_bytes(const struct tree *t)
{
	const struct join *j = join_of(t);
	size_t bytes = j->parts_alloc * sizeof(*j->parts) + j->items_alloc * sizeof(*j->items) +
		       j->roots.alloc * sizeof(*j->roots.children);

	for (size_t k = 0; k < j->how.nr; k++)
		bytes += j->how.trees[k] ? tree_bytes(j->how.trees[k]) : 0;
	return bytes;
}

static const char *
join_error(const struct tree *t)
{
	const struct join *j = join_of(t);
	const char *error = NULL;

	for (size_t k = 0; k < j->how.nr && !error; k++)
		error = j->how.trees[k] ? tree_error(j->how.trees[k]) : NULL;
	return error;
}

static void
join_close(void *data)
{
	struct join *j = data;

	for (size_t k = 0; k < j->how.nr; k++)
		tree_close(j->how.trees[k]);
	free(j->roots.children);
	free(j->parts);
	free(j->items);
	free(j);
}

static const struct tree_reader tree_join_reader = {
	.step = join_step, .percent = join_percent, .bytes = join_bytes, .close = join_close,
	.children = join_children, .find = join_find, .order = join_order, .anew = join_anew,
	.same = join_same, .error = join_error, .leads = join_leads,
};

struct tree *
tree_join_begin(struct profile *p, const struct tree_want *want, const struct tree_join *how)
{
	struct join *j = xcalloc(1, sizeof(*j));

	j->how = *how;
	new_item(j);
	return tree_with(p, want, &tree_join_reader, j);
}
