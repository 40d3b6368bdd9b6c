/* Keeps what was expanded in a tree, by names of nodes that mean the same when it is read again. */
#include <stdlib.h>

#include "show/tree_rows.h"
#include "util/job.h"

struct tree_mark {
	uint32_t above;          /* the mark of its parent, TREE_NONE: it is a root */
	enum tree_kind kind;
	model_id procedure;
	uint32_t cycle;
	bool expanded;
};

struct tree_marks {
	struct tree_mark *marks;
	size_t nr, alloc;
	uint32_t cursor, top;    /* marks */
};

/* The state while marks are put on rows. */
struct putting {
	uint32_t *nodes;         /* by mark: its node, TREE_NONE: there is none */
	uint32_t last_parent, last; /* node, and the position behind its last child found */
};

/* Returns by node 0 for those that get a mark, TREE_NONE for others; heap. */
static uint32_t *
needed_nodes(const struct tree_rows *o, uint32_t cursor)
{
	uint32_t nr = tree_nr_nodes(o->tree), id, *numbers = xcalloc(nr, sizeof(*numbers));

	for (uint32_t i = 1; i < nr; i++) {
		numbers[i] = TREE_NONE;
		if (i != cursor && i != o->top && !tree_rows_is_expanded(o, i))
			continue;
		for (id = i; id && numbers[id]; id = tree_node(o->tree, id)->parent)
			numbers[id] = 0;
	}
	return numbers;
}

struct tree_marks *
tree_marks_take(const struct tree_rows *o, uint32_t node)
{
	struct tree_marks *m = xcalloc(1, sizeof(*m));
	uint32_t *numbers = needed_nodes(o, node), nr = tree_nr_nodes(o->tree);

	m->cursor = m->top = TREE_NONE;
	/* Parents stand before their children. */
	for (uint32_t i = 1; i < nr; i++) {
		const struct tree_node *n = tree_node(o->tree, i);

		if (numbers[i])
			continue;
		numbers[i] = (uint32_t)m->nr;
		if (i == node)
			m->cursor = numbers[i];
		if (i == o->top)
			m->top = numbers[i];
		GROW(m->marks, m->nr + 1, m->alloc);
		m->marks[m->nr++] = (struct tree_mark){
			.above = n->parent ? numbers[n->parent] : TREE_NONE, .kind = n->kind,
			.procedure = n->procedure, .cycle = n->cycle,
			.expanded = tree_rows_is_expanded(o, i),
		};
	}
	free(numbers);
	return m;
}

/* Marks of siblings are mostly in the order of their nodes: the search begins behind the last one
 * found, and goes around the end. */
static uint32_t
find_node(const struct putting *p, struct tree_rows *o, uint32_t parent,
	  const struct tree_mark *mark)
{
	const struct tree_node *above = tree_children(o->tree, parent), *n;
	uint32_t last = p->last_parent == parent ? p->last : 0, i, k;

	for (i = 0; i < above->nr; i++) {
		k = above->first + (last + i) % above->nr;
		n = tree_node(o->tree, k);
		if (n->kind == mark->kind && n->procedure == mark->procedure &&
		    n->cycle == mark->cycle)
			return k;
	}
	return TREE_NONE;
}

static uint32_t
put_mark(struct tree_rows *o, struct putting *p, const struct tree_mark *mark)
{
	uint32_t parent = mark->above == TREE_NONE ? 0 : p->nodes[mark->above];
	uint32_t node = parent == TREE_NONE ? TREE_NONE : find_node(p, o, parent, mark);

	if (node == TREE_NONE)
		return TREE_NONE;
	if (mark->expanded) {
		tree_rows_open_node(o, node);
		tree_rows_mark_expanded(o, node);
	}
	p->last_parent = parent;
	p->last = node + 1 - tree_node(o->tree, parent)->first;
	return node;
}

uint32_t
tree_marks_put(struct tree_rows *o, const struct tree_marks *m)
{
	struct putting p = { .nodes = xcalloc(m->nr + 1, sizeof(*p.nodes)) };
	uint32_t top = TREE_NONE, cursor = TREE_NONE;
	struct job_hold hold;

	job_hold(&hold, free, p.nodes);
	for (size_t i = 0; i < m->nr; i++, job_pause(4))
		p.nodes[i] = put_mark(o, &p, &m->marks[i]);
	if (m->cursor != TREE_NONE)
		cursor = p.nodes[m->cursor];
	if (m->top != TREE_NONE)
		top = p.nodes[m->top];
	tree_rows_zoom(o, top == TREE_NONE ? 0 : top);
	job_let_go(&hold);
	return cursor;
}

void
tree_marks_free(struct tree_marks *m)
{
	if (!m)
		return;
	free(m->marks);
	free(m);
}
