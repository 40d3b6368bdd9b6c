#include "db/trees/tree_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/trees/tree_reader.h"
#include "util/job_sort.h"
#include "util/mem.h"
#include "util/order.h"

/* A node of one of the trees. */
struct part { uint32_t tree, node; };

/* The parts of a joined node; tree_node.at is its number. */
struct item {
	uint32_t first, nr;      /* parts, in the order of their trees */
	double value;
};

/* A node that becomes a child, or a part of one. */
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
		s->total = measure_combine(COMBINE_SUM, s->total, n->total);
		s->self = measure_combine(COMBINE_SUM, s->self, n->self);
		s->number = sum_capped(s->number, n->number);
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

static int64_t
scaled(int64_t n, double scale)
{
	double v = round((double)n * scale);

	return scale == 1 ? n : v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? -INT64_MAX : (int64_t)v;
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
		n->total = measure_combine(COMBINE_SUM, n->total,
					   scaled(sides[k].total, j->how.scales[k]));
		n->self = measure_combine(COMBINE_SUM, n->self,
					  scaled(sides[k].self, j->how.scales[k]));
		n->number = sum_capped(n->number, sides[k].number);
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

/* Do both have the same figures, side by side? */
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
compare_children(const void *pa, const void *pb, void *context)
{
	const struct child *a = pa, *b = pb;

	(void)context;
	COMPARE(a->kind, b->kind);
	COMPARE(a->name, b->name);
	COMPARE(a->part.tree, b->part.tree);
	COMPARE(a->part.node, b->part.node);
	return 0;
}

/* Appends child I of part P, whose children are known. */
static void
collect(struct tree *t, const struct part *p, uint32_t i, struct children *to)
{
	struct join *j = join_of(t);
	const struct tree_node *c = tree_node(j->how.trees[p->tree], i);

	GROW(to->children, to->nr + 1, to->alloc);
	to->children[to->nr++] = (struct child){
		.kind = c->kind, .part = { p->tree, i },
		.name = c->procedure ? j->how.name(j->how.context, p->tree, c->procedure) : 0,
	};
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
add_node(struct tree *t, struct opening *to, const struct child *first, size_t nr)
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
	tree_add(to, &n);
}

/* ---- children ---- */

/* The state while the children of a node are looked for. */
struct join_work {
	struct join *join;
	struct children all;     /* of each part; then those that become one node side by side */
	/* The join has this many of its own, as long as nobody else adds any. */
	size_t items, parts, items_now;
	bool done;
};

static void
release_work(void *work)
{
	struct join_work *w = work;
	struct join *j = w->join;

	free(w->all.children);
	if (w->done || j->nr_items != w->items_now)
		return;
	j->nr_items = w->items;
	j->nr_parts = w->parts;
}

/* Adds a node for each group of children that have the same name. */
static void
add_groups(struct tree *t, struct opening *to, struct join_work *w)
{
	const struct child *c;
	size_t nr;

	for (size_t first = 0; first < w->all.nr; first += nr, job_pause(1)) {
		c = &w->all.children[first];
		for (nr = 1; first + nr < w->all.nr; nr++)
			if (c[nr].kind != c->kind || c[nr].name != c->name)
				break;
		add_node(t, to, c, nr);
		w->items_now++;
	}
}

/* Also for the children of node 0. */
static void
join_children(struct tree *t, struct opening *to)
{
	struct join *j = join_of(t);
	struct item item = j->items[t->nodes[to->id].at];
	struct join_work w = { .join = j, .items = j->nr_items, .parts = j->nr_parts,
			       .items_now = j->nr_items };
	struct job_hold hold;

	job_hold(&hold, release_work, &w);
	for (uint32_t i = item.first; i < item.first + item.nr; i++) {
		struct part p = j->parts[i];
		struct tree *tree = j->how.trees[p.tree];
		struct tree_node of = *tree_children(tree, p.node);

		for (uint32_t k = of.first; k < of.first + of.nr; k++, job_pause(1))
			collect(t, &p, k, &w.all);
	}
	job_sort(w.all.children, w.all.nr, sizeof(*w.all.children), compare_children, NULL);
	add_groups(t, to, &w);
	w.done = true;
	job_let_go(&hold);
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

/* When values are differences of totals, what the children leave belongs to the node itself. */
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

/* Finds the nodes of TREE from a root to NODE. */
static void
take_path(const struct tree *tree, uint32_t node, struct tree_path *path)
{
	path->nr = tree_node(tree, node)->depth;
	GROW(path->at, path->nr + 1, path->alloc);
	for (size_t i = path->nr; i; i--, node = tree_node(tree, node)->parent)
		path->at[i - 1] = node;
}

/* Finds the way to it in the last profile that has it. */
static void
join_path(struct tree *t, struct tree_path *path)
{
	const struct join *j = join_of(t);

	for (size_t k = j->how.nr; k-- > 0;) {
		struct tree *tree = j->how.trees[k];
		model_id here = tree ? j->how.here(j->how.context, k, path->procedure) : 0;
		uint32_t node = here ? tree_find(tree, here) : TREE_NONE;

		if (node == TREE_NONE)
			continue;
		path->tree = k;
		take_path(tree, node, path);
		return;
	}
}

static bool
join_is_child(const struct tree *t, const struct tree_path *path, uint32_t id, uint32_t at)
{
	const struct join *j = join_of(t);
	const struct item *item = &j->items[t->nodes[id].at];

	for (uint32_t p = item->first; p < item->first + item->nr; p++)
		if (j->parts[p].tree == path->tree && j->parts[p].node == at)
			return true;
	return false;
}

/* ---- life ---- */

/* Reads all trees, then what is above their roots. */
static void
join_read(struct tree *t, struct opening *to)
{
	struct join *j = join_of(t);
	struct job_part all;

	for (uint32_t k = 0; k < j->how.nr; k++) {
		all = job_part((double)k / (double)j->how.nr, (k + 1.0) / (double)j->how.nr);
		if (j->how.trees[k])
			tree_read(j->how.trees[k]);
		job_part_end(all);
	}
	for (uint32_t k = 0; k < j->how.nr; k++)
		if (j->how.trees[k])
			add_part(j, &(struct part){ k, 0 });
	sum_up(t, &j->items[0], &t->nodes[0]);
	evaluate(t, &j->items[0]);
	join_children(t, to);
}

static size_t
join_bytes(const struct tree *t)
{
	const struct join *j = join_of(t);
	size_t bytes = j->parts_alloc * sizeof(*j->parts) + j->items_alloc * sizeof(*j->items);

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
	free(j->parts);
	free(j->items);
	free(j);
}

static const struct tree_reader tree_join_reader = {
	.read = join_read, .children = join_children, .path = join_path, .bytes = join_bytes,
	.close = join_close, .is_child = join_is_child, .order = join_order, .anew = join_anew,
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
