/* What was expanded in a tree, told by names of nodes that mean the same when it is read again. */
#include <stdlib.h>

#include "tui/tree_rows.h"

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

/* By node: 0 for those that get a mark and TREE_NONE for others; heap. */
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

static uint32_t
find_node(struct tree_rows *o, uint32_t parent, const struct tree_mark *mark)
{
	const struct tree_node *above = tree_children(o->tree, parent), *n;

	for (uint32_t i = above->first; i < above->first + above->nr; i++) {
		n = tree_node(o->tree, i);
		if (n->kind == mark->kind && n->procedure == mark->procedure &&
		    n->cycle == mark->cycle)
			return i;
	}
	return TREE_NONE;
}

uint32_t
tree_marks_put(struct tree_rows *o, const struct tree_marks *m)
{
	uint32_t *nodes = xcalloc(m->nr + 1, sizeof(*nodes)), parent, cursor, top;

	for (size_t i = 0; i < m->nr; i++) {
		const struct tree_mark *mark = &m->marks[i];

		parent = mark->above == TREE_NONE ? 0 : nodes[mark->above];
		nodes[i] = parent == TREE_NONE ? TREE_NONE : find_node(o, parent, mark);
		if (nodes[i] != TREE_NONE && mark->expanded)
			tree_rows_mark_expanded(o, nodes[i]);
	}
	cursor = m->cursor == TREE_NONE ? TREE_NONE : nodes[m->cursor];
	top = m->top == TREE_NONE ? TREE_NONE : nodes[m->top];
	free(nodes);
	tree_rows_zoom(o, top == TREE_NONE ? 0 : top);
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
