#include "db/tree_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/tree_reader.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/slicesort.h"

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
	struct join_node *roots; /* while they are made, when all trees are */
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
		s->total = sum_capped(s->total, n->total);
		s->self = sum_capped(s->self, n->self);
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
		n->total = sum_capped(n->total, scaled(sides[k].total, j->how.scales[k]));
		n->self = sum_capped(n->self, scaled(sides[k].self, j->how.scales[k]));
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

/* Child I of part P, whose children are known. */
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

/* ---- children ---- */

/* Of one node, while they are looked for: the children of each part, then what becomes one node
 * side by side, then these nodes. */
struct join_node {
	enum { JOIN_OPEN, JOIN_COLLECT, JOIN_SORT, JOIN_GROUPS } stage;
	uint32_t part, end;      /* that is looked at, of the join's */
	struct opening *opening; /* of that part; NULL: not begun */
	uint32_t next;           /* its child */
	struct children all;
	struct slice_sort sort;
	size_t group;            /* child that the next node begins with */
	/* As many there are of the join's own, as long as nobody else adds any. */
	size_t items, parts, items_now;
};

static struct join_node *
begin_node(struct tree *t, uint32_t id)
{
	struct join *j = join_of(t);
	const struct item *item = &j->items[t->nodes[id].at];
	struct join_node *n = xcalloc(1, sizeof(*n));

	n->part = item->first;
	n->end = item->first + item->nr;
	n->items = n->items_now = j->nr_items;
	n->parts = j->nr_parts;
	return n;
}

static void
open_part(struct tree *t, struct join_node *n)
{
	struct join *j = join_of(t);
	struct part p;
	struct tree *tree;

	if (n->part == n->end) {
		slice_sort_begin(&n->sort, n->all.children, n->all.nr, sizeof(*n->all.children),
				 compare_children, NULL);
		n->stage = JOIN_SORT;
		return;
	}
	p = j->parts[n->part];
	tree = j->how.trees[p.tree];
	if (!tree_node(tree, p.node)->known) {
		if (!n->opening)
			n->opening = opening_begin(tree, p.node);
		if (opening_step(tree, n->opening)) {
			t->heavy |= tree->heavy;
			tree->heavy = false;
			return;
		}
		opening_end(tree, n->opening);
		n->opening = NULL;
	}
	n->next = tree_node(tree, p.node)->first;
	n->stage = JOIN_COLLECT;
}

static void
collect_next(struct tree *t, struct join_node *n)
{
	struct join *j = join_of(t);
	struct part p = j->parts[n->part];
	const struct tree_node *of = tree_node(j->how.trees[p.tree], p.node);

	if (n->next < of->first + of->nr) {
		collect(t, &p, n->next++, &n->all);
		return;
	}
	n->part++;
	n->stage = JOIN_OPEN;
}

static bool
at_once(void *context)
{
	(void)context;
	return true;
}

static bool
join_node_step(struct tree *t, void *node)
{
	struct join_node *n = node;

	switch (n->stage) {
	case JOIN_OPEN:
		open_part(t, n);
		return true;
	case JOIN_COLLECT:
		collect_next(t, n);
		return true;
	case JOIN_SORT:
		tree_sorts(t, n->all.nr);
		if (slice_sort_work(&n->sort, at_once, NULL))
			n->stage = JOIN_GROUPS;
		return true;
	case JOIN_GROUPS:
		if (n->group == n->all.nr)
			return false;
		n->group = add_group(t, &n->all, n->group);
		n->items_now++;
		return true;
	}
	return false;
}

static void *
join_open_node(struct tree *t, uint32_t id)
{
	return begin_node(t, id);
}

static void
free_node(struct join *j, struct join_node *n)
{
	if (n->opening)
		opening_end(j->how.trees[j->parts[n->part].tree], n->opening);
	slice_sort_release(&n->sort);
	free(n->all.children);
	free(n);
}

static void
join_close_node(struct tree *t, void *node, bool done)
{
	struct join *j = join_of(t);
	struct join_node *n = node;

	if (!done && j->nr_items == n->items_now) {
		j->nr_items = n->items;
		j->nr_parts = n->parts;
	}
	free_node(j, n);
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

/* The way to it in the last profile that has it. */
struct join_path {
	size_t tree;             /* that is looked at, + 1 */
};

static void
join_path_end(struct tree *t, struct finding *f)
{
	(void)t;
	free(f->data);
	f->data = NULL;
}

/* The nodes of TREE from a root to NODE. */
static void
take_path(const struct tree *tree, uint32_t node, struct finding *f)
{
	uint32_t depth = tree_node(tree, node)->depth, i;

	GROW(f->path, (size_t)depth + 1, f->alloc);
	f->nr = depth;
	for (i = depth; i; i--, node = tree_node(tree, node)->parent)
		f->path[i - 1] = node;
}

/* What was found stays in F->data, for join_is_child(). */
static bool
join_path_step(struct tree *t, struct finding *f)
{
	const struct join *j = join_of(t);
	struct join_path *p = f->data;
	struct tree *tree;
	uint32_t node;
	model_id here;

	if (!p) {
		p = f->data = xcalloc(1, sizeof(*p));
		p->tree = j->how.nr;
	}
	if (!p->tree)
		return false;
	tree = j->how.trees[p->tree - 1];
	here = tree ? j->how.here(j->how.context, p->tree - 1, f->procedure) : 0;
	if (here && tree_find_step(tree, here, &node)) {
		t->heavy |= tree->heavy;
		tree->heavy = false;
		return true;
	}
	if (!here || node == TREE_NONE) {
		p->tree--;
		return true;
	}
	take_path(tree, node, f);
	return false;
}

static bool
join_is_child(const struct tree *t, const struct finding *f, uint32_t id, uint32_t at)
{
	const struct join *j = join_of(t);
	const struct join_path *way = f->data;
	const struct item *item = &j->items[t->nodes[id].at];

	for (uint32_t p = item->first; p < item->first + item->nr; p++)
		if (j->parts[p].tree == way->tree - 1 && j->parts[p].node == at)
			return true;
	return false;
}

/* ---- life ---- */

/* The roots of all trees, when these have been made. */
static struct join_node *
begin_roots(struct tree *t)
{
	struct join *j = join_of(t);

	for (uint32_t k = 0; k < j->how.nr; k++)
		if (j->how.trees[k])
			add_part(j, &(struct part){ k, 0 });
	sum_up(t, &j->items[0], &t->nodes[0]);
	evaluate(t, &j->items[0]);
	return begin_node(t, 0);
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
	if (!j->roots)
		j->roots = begin_roots(t);
	if (join_node_step(t, j->roots))
		return true;
	join_close_node(t, j->roots, true);
	j->roots = NULL;
	return false;
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

	if (j->roots)
		free_node(j, j->roots);
	for (size_t k = 0; k < j->how.nr; k++)
		tree_close(j->how.trees[k]);
	free(j->parts);
	free(j->items);
	free(j);
}

static const struct tree_reader tree_join_reader = {
	.step = join_step, .percent = join_percent, .bytes = join_bytes, .close = join_close,
	.open_node = join_open_node, .node_step = join_node_step, .close_node = join_close_node,
	.path_step = join_path_step, .path_end = join_path_end, .is_child = join_is_child,
	.order = join_order, .anew = join_anew, .same = join_same, .error = join_error,
	.leads = join_leads,
};

struct tree *
tree_join_begin(struct profile *p, const struct tree_want *want, const struct tree_join *how)
{
	struct join *j = xcalloc(1, sizeof(*j));

	j->how = *how;
	new_item(j);
	return tree_with(p, want, &tree_join_reader, j);
}
