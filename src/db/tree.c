#include "db/tree.h"

#include <stdlib.h>
#include <string.h>

#include "db/tree_join.h"
#include "db/tree_reader.h"
#include "util/mem.h"
#include "util/order.h"

/* With more nodes a tree is no help to anybody; a hostile profile could make it grow for ever. */
enum { MAX_NODES = 400000 };

bool
tree_is_possible(struct profile *p, enum tree_source source)
{
	sqlite3_stmt *st;
	bool some;

	if (source == TREE_ARCS)
		return profile_totals(p)->nr_arcs > 0;
	st = profile_query(p, QUERY_CONTEXTS);
	some = profile_step(p, st);
	if (some)
		sqlite3_reset(st);
	return some;
}

struct tree *
tree_with(struct profile *p, const struct tree_want *want, const struct tree_reader *reader,
	  void *data)
{
	struct tree *t = xcalloc(1, sizeof(*t));

	t->profile = p;
	t->want = *want;
	t->reader = reader;
	t->data = data;
	GROW(t->nodes, 1, t->alloc);
	t->nodes[0] = (struct tree_node){ .parent = TREE_NONE, .exact = true };
	t->nr = 1;
	return t;
}

struct tree *
tree_begin(struct profile *p, const struct tree_want *want)
{
	struct tree *t = tree_with(p, want, want->source == TREE_CONTEXTS ? &tree_context_reader
									 : &tree_arc_reader, NULL);

	t->data = t->reader->open(t);
	if (t->data && !profile_error(p))
		return t;
	tree_close(t);
	return NULL;
}

const char *
tree_error(const struct tree *t)
{
	return t->reader->error ? t->reader->error(t) : profile_error(t->profile);
}

void
tree_close(struct tree *t)
{
	if (!t)
		return;
	if (t->data)
		t->reader->close(t->data);
	long_sort_release(&t->sort);
	free(t->nodes);
	free(t);
}

const struct tree_want *
tree_wanted(const struct tree *t)
{
	return &t->want;
}

const struct tree_node *
tree_node(const struct tree *t, uint32_t id)
{
	return &t->nodes[id];
}

uint32_t
tree_nr_nodes(const struct tree *t)
{
	return (uint32_t)t->nr;
}

bool
tree_full(const struct tree *t)
{
	return t->full;
}

size_t
tree_bytes(const struct tree *t)
{
	return t->nr * sizeof(*t->nodes) + t->reader->bytes(t);
}

bool
tree_has_time(const struct tree *t)
{
	return t->nodes[0].total > 0;
}

uint64_t
tree_samples(const struct tree *t)
{
	return t->want.source == TREE_CONTEXTS ? t->nodes[0].number : 0;
}

uint64_t
tree_weight(const struct tree *t, const struct tree_node *n)
{
	if (!tree_has_time(t))
		return n->number;
	return t->want.bottom_up && !t->want.procedure ? n->self : n->total;
}

uint64_t
tree_share(uint64_t whole, uint64_t part, uint64_t of)
{
	if (!of)
		return 0;
	return part >= of ? whole : (uint64_t)((unsigned __int128)whole * part / of);
}

bool
tree_same(const struct tree *t, const struct tree_node *a, const struct tree_node *b)
{
	return a->total == b->total && a->number == b->number &&
	       (!t->reader->same || t->reader->same(t, a, b));
}

bool
tree_leads(const struct tree *t, uint32_t id)
{
	const struct tree_node *n = &t->nodes[id];

	if (t->reader->leads)
		return t->reader->leads(t, id);
	return tree_weight(t, &t->nodes[n->first]) >= n->self;
}

/* ---- children ---- */

void
tree_add(struct tree *t, const struct tree_node *child)
{
	struct tree_node *n;

	GROW(t->nodes, t->nr + 1, t->alloc);
	n = &t->nodes[t->nr++];
	*n = *child;
	n->known = child->kind == TREE_RECURSION || child->kind == TREE_OUTSIDE;
	n->first = n->nr = 0;
}

static int
compare_nodes(const void *pa, const void *pb, void *context)
{
	const struct tree_node *a = pa, *b = pb;
	const struct tree *t = context;

	COMPARE(a->kind >= TREE_RECURSION, b->kind >= TREE_RECURSION);
	if (t->reader->order)
		COMPARE(t->reader->order(t, a, b), 0);
	COMPARE(tree_weight(t, b), tree_weight(t, a));
	COMPARE(b->total, a->total);
	COMPARE(b->number, a->number);
	COMPARE(a->kind, b->kind);
	COMPARE(a->procedure, b->procedure);
	COMPARE(a->at, b->at);
	return 0;
}

/* Nodes from FIRST on are the children of node ID, in order. */
static void
adopt(struct tree *t, uint32_t id, size_t first)
{
	for (size_t i = first; i < t->nr; i++) {
		t->nodes[i].parent = id;
		t->nodes[i].depth = t->nodes[id].depth + 1;
	}
	t->nodes[id].first = (uint32_t)first;
	t->nodes[id].nr = (uint32_t)(t->nr - first);
	t->nodes[id].known = true;
}

const struct tree_node *
tree_children(struct tree *t, uint32_t id)
{
	size_t first = t->nr;

	if (t->nodes[id].known)
		return &t->nodes[id];
	if (t->nr >= MAX_NODES) {
		t->full = true;
		return &t->nodes[id];
	}
	t->reader->children(t, id);
	qsort_r(t->nodes + first, t->nr - first, sizeof(*t->nodes), compare_nodes, t);
	adopt(t, id, first);
	return &t->nodes[id];
}

/* ---- the roots ---- */

static int
compare_roots(const void *context, uint32_t a, uint32_t b)
{
	const struct tree *t = context;

	return compare_nodes(&t->nodes[a + 1], &t->nodes[b + 1], (void *)t);
}

/* Where they are: there may be many. */
static void
put_in_order(struct tree *t)
{
	uint32_t *order = long_sort_take(&t->sort), to, from;
	struct tree_node *roots = t->nodes + 1, kept;

	for (uint32_t i = 0; i < t->nr - 1; i++) {
		if (order[i] == i)
			continue;
		kept = roots[i];
		for (to = i; order[to] != i; to = from) {
			from = order[to];
			roots[to] = roots[from];
			order[to] = to;
		}
		roots[to] = kept;
		order[to] = to;
	}
	free(order);
	adopt(t, 0, 1);
}

bool
tree_step(struct tree *t)
{
	if (t->stage == TREE_READY)
		return false;
	if (t->stage == TREE_READING) {
		if (t->reader->step(t))
			return true;
		long_sort_begin(&t->sort, t->nr - 1);
	} else if (!long_sort_work(&t->sort, compare_roots, t)) {
		return true;
	} else {
		put_in_order(t);
	}
	t->stage++;
	return true;
}

/* Steps between two looks whether it is enough; one of sorting is some hundred comparisons. */
enum { STEPS = 256, STEPS_SORTING = 4 };

bool
tree_work(struct tree *t, bool (*enough)(void *context), void *context)
{
	for (unsigned i = 1; tree_step(t); i++) {
		if (tree_error(t))
			return true;
		if (enough && i % (t->stage == TREE_SORTING ? STEPS_SORTING : STEPS) == 0 &&
		    enough(context))
			return t->stage == TREE_READY;
	}
	return true;
}

unsigned
tree_percent(const struct tree *t)
{
	if (t->stage == TREE_READING)
		return t->reader->percent(t) * 9 / 10;
	return 90 + long_sort_percent(&t->sort) / 10;
}

struct tree *
tree_open(struct profile *p, const struct tree_want *want)
{
	struct tree *t = tree_begin(p, want);

	if (!t)
		return NULL;
	tree_work(t, NULL, NULL);
	if (!profile_error(p))
		return t;
	tree_close(t);
	return NULL;
}

/* ---- another order ---- */

static int
compare_ids(const void *pa, const void *pb, void *context)
{
	const struct tree *t = context;

	return compare_nodes(&t->nodes[*(const uint32_t *)pa], &t->nodes[*(const uint32_t *)pb],
			     context);
}

uint32_t *
tree_reorder(struct tree *t)
{
	uint32_t *order = xcalloc(t->nr, sizeof(*order)), *to = xcalloc(t->nr, sizeof(*to));
	struct tree_node *nodes = xcalloc(t->nr, sizeof(*nodes));
	size_t i;

	t->reader->anew(t);
	for (i = 0; i < t->nr; i++)
		order[i] = (uint32_t)i;
	/* Siblings lie together, and where they lie stays as it is. */
	for (i = 0; i < t->nr; i++)
		if (t->nodes[i].nr > 1)
			qsort_r(order + t->nodes[i].first, t->nodes[i].nr, sizeof(*order),
				compare_ids, t);
	for (i = 0; i < t->nr; i++) {
		to[order[i]] = (uint32_t)i;
		nodes[i] = t->nodes[order[i]];
	}
	for (i = 1; i < t->nr; i++)
		nodes[i].parent = to[nodes[i].parent];
	memcpy(t->nodes, nodes, t->nr * sizeof(*nodes));
	free(nodes);
	free(order);
	return to;
}

/* ---- finding ---- */

static uint32_t
child_at(struct tree *t, uint32_t id, uint32_t at)
{
	const struct tree_node *n = tree_children(t, id);
	uint32_t i;

	for (i = n->first; i < n->first + n->nr; i++)
		if (t->nodes[i].at == at && t->nodes[i].kind < TREE_RECURSION)
			return i;
	return TREE_NONE;
}

static uint32_t
find_root(struct tree *t, model_id procedure)
{
	const struct tree_node *n = tree_children(t, 0);
	uint32_t i;

	for (i = n->first; i < n->first + n->nr; i++)
		if (t->nodes[i].procedure == procedure)
			return i;
	return TREE_NONE;
}

uint32_t
tree_find(struct tree *t, model_id procedure)
{
	uint32_t *path, id = 0;
	size_t nr, i;

	if (!procedure)
		return TREE_NONE;
	if (t->want.bottom_up)
		return find_root(t, procedure);
	if (t->reader->find)
		return t->reader->find(t, procedure);
	path = t->reader->path(t, procedure, &nr);
	for (i = 0; i < nr && id != TREE_NONE; i++)
		id = child_at(t, id, path[i]);
	free(path);
	return id ? id : TREE_NONE;
}
