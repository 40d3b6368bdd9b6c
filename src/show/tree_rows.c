#include "show/tree_rows.h"

#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/metric.h"
#include "util/job.h"
#include "util/text/safe.h"

struct tree_rows *
tree_rows_open(struct profile *p, struct tree *tree)
{
	struct tree_rows *o = xcalloc(1, sizeof(*o));

	o->tree = tree;
	o->profile = p;
	tree_rows_zoom(o, 0);
	return o;
}

void
tree_rows_close(struct tree_rows *o)
{
	if (!o)
		return;
	tree_close(o->tree);
	index_release(&o->names_index);
	arena_release(&o->arena);
	free(o->names);
	free(o->expanded);
	free(o->rows);
	free(o);
}

uint64_t
tree_rows_whole(const struct tree_rows *o)
{
	const struct tree_node *n = tree_node(o->tree, o->top);

	return o->top ? tree_weight(o->tree, n) : (uint64_t)n->total;
}

/* ---- chains ---- */

/* From stacks: is all that was seen below recursion, counted in the node that it goes back to? */
static bool
is_counted_above(const struct tree_rows *o, const struct tree_node *n)
{
	const struct tree_want *want = tree_wanted(o->tree);

	return want->source == TREE_CONTEXTS && !want->bottom_up &&
	       n->kind == TREE_PROCEDURE && !n->total;
}

/* A node without self time says nothing that its only child does not say if that has all of it. */
static bool
is_passed_through(const struct tree_rows *o, const struct tree_node *n)
{
	const struct tree_node *child;

	if (n->nr != 1 || n->self || n->kind != TREE_PROCEDURE)
		return false;
	child = tree_node(o->tree, n->first);
	if (child->kind == TREE_RECURSION)
		return is_counted_above(o, n);
	return child->kind == TREE_PROCEDURE && tree_same(o->tree, child, n);
}

/* Bottom-up the self time is that of the root's procedure, so it is no reason to stop. */
static bool
is_passed_up(const struct tree_rows *o, const struct tree_node *n)
{
	const struct tree_node *child;

	if (n->nr != 1 || n->depth < 2)
		return false;
	child = tree_node(o->tree, n->first);
	return child->kind == TREE_PROCEDURE && child->self == n->self &&
	       tree_same(o->tree, child, n);
}

/* Nodes whose children are not known count as without any. */
static bool
is_passed(const struct tree_rows *o, const struct tree_node *n)
{
	if (o->unfolded || !n->known)
		return false;
	return tree_wanted(o->tree)->bottom_up ? is_passed_up(o, n) : is_passed_through(o, n);
}

/* Returns NODE, with its children if they are known or can be found soon. */
static const struct tree_node *
look_at(struct tree_rows *o, uint32_t node)
{
	const struct tree_node *n = tree_node(o->tree, node);

	if (n->known || n->many)
		return n;
	if (!o->enough)
		return tree_children(o->tree, node);
	/* Each time at least one is looked at. */
	if (o->drawing && o->asked && o->enough(o->context)) {
		o->unready = true;
		return n;
	}
	o->asked = true;
	return tree_few_children(o->tree, node);
}

uint32_t
tree_rows_tail(struct tree_rows *o, uint32_t node)
{
	const struct tree_node *n;

	for (n = look_at(o, node); is_passed(o, n); n = look_at(o, node))
		node = n->first;
	return node;
}

void
tree_rows_open_node(struct tree_rows *o, uint32_t node)
{
	const struct tree_node *n;

	do {
		n = tree_children(o->tree, node);
		node = n->first;
	} while (is_passed(o, n));
}

bool
tree_rows_goes_back(struct tree_rows *o, uint32_t node)
{
	const struct tree_node *n = tree_node(o->tree, tree_rows_tail(o, node));

	return n->kind == TREE_RECURSION || is_counted_above(o, n);
}

bool
tree_rows_has_children(struct tree_rows *o, uint32_t node)
{
	const struct tree_node *n = look_at(o, tree_rows_tail(o, node));

	return n->nr > 0 || (n->many && !n->known);
}

/* ---- rows ---- */

bool
tree_rows_is_expanded(const struct tree_rows *o, uint32_t node)
{
	return node < o->expanded_alloc && o->expanded[node];
}

static void
set_expanded(struct tree_rows *o, uint32_t node, bool expand)
{
	size_t old = o->expanded_alloc;

	if (node >= old) {
		GROW(o->expanded, (size_t)node + 1, o->expanded_alloc);
		memset(o->expanded + old, 0, o->expanded_alloc - old);
	}
	o->expanded[node] = expand;
}

static void
add_row(struct tree_rows *o, uint32_t node, uint32_t level, uint32_t parent, bool last)
{
	GROW(o->rows, o->nr + 1, o->alloc);
	o->rows[o->nr++] = (struct tree_row){ node, level, parent, last };
}

/* Nodes that are still to become rows: the rest of a node's children. */
struct pending {
	uint32_t next, end, level, parent;
};

struct pendings {
	struct pending *items;
	size_t nr, alloc;
};

static void
push_children(struct tree_rows *o, struct pendings *p, uint32_t node, uint32_t level,
	      uint32_t parent)
{
	const struct tree_node *n = tree_node(o->tree, node);

	GROW(p->items, p->nr + 1, p->alloc);
	p->items[p->nr++] = (struct pending){ n->first, n->first + n->nr, level, parent };
}

/* Pushes the rows below row NR - 1, which is that of NODE, if it is expanded. */
static void
push_below(struct tree_rows *o, struct pendings *p, uint32_t node, uint32_t level)
{
	uint32_t tail;

	if (!tree_rows_is_expanded(o, node))
		return;
	tail = tree_rows_tail(o, node);
	/* Folded otherwise, the chain may end where nobody has looked. */
	if (tree_node(o->tree, tail)->known)
		push_children(o, p, tail, level, (uint32_t)o->nr - 1);
	else
		set_expanded(o, node, false);
}

static void
rebuild(struct tree_rows *o)
{
	struct pendings p = { .items = NULL };
	struct pending *now;
	uint32_t node;

	o->nr = 0;
	if (o->top) {
		add_row(o, o->top, 0, TREE_NONE, true);
		push_below(o, &p, o->top, 1);
	} else {
		push_children(o, &p, 0, 0, TREE_NONE);
	}
	while (p.nr) {
		now = &p.items[p.nr - 1];
		if (now->next >= now->end) {
			p.nr--;
			continue;
		}
		node = now->next++;
		add_row(o, node, now->level, now->parent, now->next == now->end);
		push_below(o, &p, node, now->level + 1);
	}
	free(p.items);
}

void
tree_rows_mark_expanded(struct tree_rows *o, uint32_t node)
{
	set_expanded(o, node, tree_rows_has_children(o, node));
}

void
tree_rows_expand(struct tree_rows *o, uint32_t node, bool expand)
{
	set_expanded(o, node, expand && tree_rows_has_children(o, node));
	rebuild(o);
}

/* Nodes to be expanded, level by level. */
struct spread {
	struct tree_rows *rows;
	uint32_t node;
	uint64_t min;
	size_t most, levels;
	struct queued {
		uint32_t node;
		size_t level;
	} *queue;
	size_t nr, alloc;
};

static void
end_spread(void *spread)
{
	struct spread *s = spread;

	if (tree_full(s->rows->tree))
		s->rows->cut |= TREE_CUT_ROWS;
	s->rows->spread = 0;
	free(s->queue);
	rebuild(s->rows);
}

/* Light nodes are not opened, except the first, which tells whether any has something below. */
static bool
is_too_light(struct tree_rows *o, const struct spread *s, uint32_t node)
{
	if (node == s->node || tree_weight(o->tree, tree_node(o->tree, node)) >= s->min)
		return false;
	if (!(o->cut & TREE_CUT_MIN) && tree_rows_has_children(o, node))
		o->cut |= TREE_CUT_MIN;
	return true;
}

static void
queue_node(struct spread *s, uint32_t node, size_t level)
{
	GROW(s->queue, s->nr + 1, s->alloc);
	s->queue[s->nr++] = (struct queued){ node, level };
}

static void
spread_node(struct tree_rows *o, struct spread *s, struct queued at)
{
	const struct tree_node *n;

	tree_rows_open_node(o, at.node);
	n = tree_node(o->tree, tree_rows_tail(o, at.node));
	if (!n->nr)
		return;
	if (at.node != s->node && (at.level >= s->levels || o->spread + n->nr > s->most)) {
		o->cut |= TREE_CUT_ROWS;
		return;
	}
	set_expanded(o, at.node, true);
	o->spread += n->nr;
	for (uint32_t i = n->first; i < n->first + n->nr; i++)
		queue_node(s, i, at.level + 1);
}

void
tree_rows_expand_all(struct tree_rows *o, uint32_t node, uint64_t min, size_t most, size_t levels)
{
	struct spread s = { .rows = o, .node = node, .min = min, .most = most, .levels = levels };
	struct job_hold hold;

	o->cut = 0;
	o->spread = 0;
	job_hold(&hold, end_spread, &s);
	queue_node(&s, node, 0);
	for (size_t i = 0; i < s.nr; i++, job_pause(4))
		if (!is_too_light(o, &s, s.queue[i].node))
			spread_node(o, &s, s.queue[i]);
	job_let_go(&hold);
}

void
tree_rows_collapse_all(struct tree_rows *o, uint32_t node)
{
	uint32_t i, nr = tree_nr_nodes(o->tree), up;

	/* A node is behind its parent: what is below NODE has it among its ancestors. */
	for (i = node ? node : 1; i < nr; i++) {
		if (!tree_rows_is_expanded(o, i))
			continue;
		for (up = i; up != TREE_NONE && up > node; up = tree_node(o->tree, up)->parent)
			;
		if (up == node)
			set_expanded(o, i, false);
	}
	rebuild(o);
}

void
tree_rows_hottest(struct tree_rows *o, uint32_t *node)
{
	const struct tree_node *n;
	uint32_t tail;

	for (;; *node = n->first) {
		tree_rows_open_node(o, *node);
		tail = tree_rows_tail(o, *node);
		n = tree_node(o->tree, tail);
		if (!n->nr || tree_node(o->tree, n->first)->kind >= TREE_RECURSION ||
		    !tree_leads(o->tree, tail))
			break;
		set_expanded(o, *node, true);
	}
	rebuild(o);
}

/* Returns the heaviest collapsed row that comes behind LAST (TREE_NONE: any) by weight and, where
 * that is the same, by number, in which order no child is before its parent; TREE_NONE: there is
 * none that has MIN. */
static uint32_t
next_by_weight(struct tree_rows *o, uint64_t min, uint32_t last)
{
	uint64_t w, best_w = 0, last_w = 0;
	uint32_t best = TREE_NONE, node;

	if (last != TREE_NONE)
		last_w = tree_weight(o->tree, tree_node(o->tree, last));
	for (size_t i = 0; i < o->nr; i++) {
		node = o->rows[i].node;
		w = tree_weight(o->tree, tree_node(o->tree, node));
		if (w < min || tree_rows_is_expanded(o, node) ||
		    (last != TREE_NONE && (w > last_w || (w == last_w && node <= last))))
			continue;
		if (best == TREE_NONE || w > best_w || (w == best_w && node < best)) {
			best = node;
			best_w = w;
		}
	}
	return best;
}

void
tree_rows_fill(struct tree_rows *o, uint64_t min, size_t most)
{
	uint32_t node = TREE_NONE;
	const struct tree_node *n;

	for (; (node = next_by_weight(o, min, node)) != TREE_NONE; job_pause(4)) {
		/* Of many children, which are not known yet, there is no room for all. */
		n = tree_node(o->tree, tree_rows_tail(o, node));
		if (n->known && n->nr && o->nr + n->nr <= most &&
		    tree_node(o->tree, n->first)->kind < TREE_RECURSION)
			tree_rows_expand(o, node, true);
	}
}

/* Returns the nodes from the top down to NODE inclusive; heap. */
static uint32_t *
path_to(const struct tree_rows *o, uint32_t node, size_t *nr)
{
	uint32_t depth = tree_node(o->tree, node)->depth, *path;

	path = xcalloc((size_t)depth + 1, sizeof(*path));
	*nr = 0;
	for (; node != TREE_NONE && node; node = tree_node(o->tree, node)->parent) {
		path[(*nr)++] = node;
		if (node == o->top)
			break;
	}
	for (size_t i = 0; i < *nr / 2; i++) {
		uint32_t tmp = path[i];

		path[i] = path[*nr - 1 - i];
		path[*nr - 1 - i] = tmp;
	}
	return path;
}

static bool
is_below(const struct tree_rows *o, uint32_t node, uint32_t top)
{
	while (node != TREE_NONE && node > top)
		node = tree_node(o->tree, node)->parent;
	return node == top;
}

void
tree_rows_reveal(struct tree_rows *o, uint32_t node)
{
	uint32_t *path, tail;
	size_t nr, i;

	if (!is_below(o, node, o->top))
		o->top = 0;
	path = path_to(o, node, &nr);
	for (i = 0; i + 1 < nr; i++) {
		tail = tree_rows_tail(o, path[i]);
		if (is_below(o, tail, node))
			break; /* the node is in this chain */
		set_expanded(o, path[i], true);
		/* The next row begins behind the chain. */
		while (i + 1 < nr && path[i] != tail)
			i++;
	}
	free(path);
	rebuild(o);
}

void
tree_rows_zoom(struct tree_rows *o, uint32_t node)
{
	o->top = node;
	if (node)
		set_expanded(o, node, tree_rows_has_children(o, node));
	rebuild(o);
}

void
tree_rows_fold(struct tree_rows *o, bool unfolded)
{
	o->unfolded = unfolded;
	rebuild(o);
}

uint32_t
tree_rows_reorder(struct tree_rows *o, uint32_t node)
{
	uint32_t *to = tree_reorder(o->tree), nr = tree_nr_nodes(o->tree), i;
	unsigned char *expanded = xcalloc(nr, 1);

	for (i = 0; i < nr; i++)
		expanded[to[i]] = tree_rows_is_expanded(o, i);
	free(o->expanded);
	o->expanded = expanded;
	o->expanded_alloc = nr;
	o->top = to[o->top];
	node = to[node];
	free(to);
	rebuild(o);
	return node;
}

size_t
tree_rows_row_of(struct tree_rows *o, uint32_t node)
{
	uint32_t depth = node == TREE_NONE ? 0 : tree_node(o->tree, node)->depth, best = 0, d;
	uint32_t *path = xcalloc((size_t)depth + 1, sizeof(*path));
	size_t found = 0;

	for (; node != TREE_NONE && node; node = tree_node(o->tree, node)->parent)
		path[tree_node(o->tree, node)->depth] = node;
	for (size_t i = 0; i < o->nr; i++) {
		d = tree_node(o->tree, o->rows[i].node)->depth;
		if (d <= best || d > depth || path[d] != o->rows[i].node)
			continue;
		best = d;
		found = i;
	}
	free(path);
	return found;
}

int64_t
tree_rows_own(struct tree_rows *o, uint32_t node, int64_t *below)
{
	const struct tree_node *n = tree_node(o->tree, tree_rows_tail(o, node));
	bool up = tree_wanted(o->tree)->bottom_up;

	*below = 0;
	if (n->kind == TREE_RECURSION)
		return 0;
	if (!up && !tree_rows_is_expanded(o, node))
		*below = n->total - n->self;
	return n->self;
}

/* ---- text ---- */

static const struct { const char *utf8, *ascii; } line_marks[] = {
	{ "  ", "  " }, { "│ ", "| " }, { "├ ", "|-" }, { "└ ", "`-" },
};
enum { LINES_NONE, LINES_BY, LINES_BRANCH, LINES_LAST };

/* Deeper levels are shown as a number. */
enum { MOST_LEVELS = 40 };

void
tree_rows_lines(const struct tree_rows *o, size_t row, int width, bool ascii, struct strbuf *out)
{
	const struct tree_row *r = &o->rows[row];
	int room = width / 2 < MOST_LEVELS ? width / 2 : MOST_LEVELS, shown, i;
	unsigned char marks[MOST_LEVELS];

	if (room < 3)
		room = 3;
	shown = r->level <= (uint32_t)room ? (int)r->level : room - 3;
	for (i = shown; i > 0; i--) {
		marks[i - 1] = i == shown ? (r->last ? LINES_LAST : LINES_BRANCH)
					  : (r->last ? LINES_NONE : LINES_BY);
		r = &o->rows[r->parent];
	}
	if (o->rows[row].level > (uint32_t)shown)
		strbuf_fmt(out, "%-6u", o->rows[row].level - (uint32_t)shown);
	for (i = 0; i < shown; i++)
		strbuf_str(out, ascii ? line_marks[marks[i]].ascii : line_marks[marks[i]].utf8);
}

struct tree_name {
	model_id procedure;
	const char *name;
};

static bool
same_name(const void *context, uint32_t item, const void *key)
{
	return ((const struct tree_rows *)context)->names[item].procedure == *(const model_id *)key;
}

/* A search asks for the same names again and again. */
static const char *
procedure_name(struct tree_rows *o, model_id procedure)
{
	uint64_t hash = hash_number(HASH_START, procedure);
	uint32_t i = index_find(&o->names_index, hash, same_name, o, &procedure);
	struct procedure_row row;
	const char *name = NULL;

	if (i != INDEX_NONE)
		return o->names[i].name;
	if (procedure && o->name)
		name = o->name(o->context, procedure);
	else if (procedure && profile_procedure(o->profile, procedure, &row))
		name = row.name;
	name = name ? arena_strdup(&o->arena, name) : "(not profiled)";
	index_add(&o->names_index, hash, (uint32_t)o->nr_names);
	GROW(o->names, o->nr_names + 1, o->names_alloc);
	o->names[o->nr_names++] = (struct tree_name){ procedure, name };
	return name;
}

void
tree_rows_name(struct tree_rows *o, uint32_t node, bool ascii, struct strbuf *out)
{
	const struct tree_node *n = tree_node(o->tree, node);

	if (n->kind == TREE_RECURSION)
		strbuf_str(out, ascii ? "^ " : "↻ ");
	if (n->kind == TREE_OUTSIDE) {
		strbuf_str(out, "(no caller)");
		return;
	}
	if (n->cycle)
		strbuf_fmt(out, "cycle %u", n->cycle);
	if (n->cycle && n->procedure)
		strbuf_str(out, " at ");
	if (n->procedure || !n->cycle)
		strbuf_str(out, procedure_name(o, n->procedure));
}

/* Returns how often the procedure that recursion goes back to stands on a stack. */
static uint32_t
recursion_depth(const struct tree_rows *o, const struct tree_node *n)
{
	const struct tree_node *up;
	uint32_t id;

	for (id = n->parent; id != TREE_NONE && id; id = up->parent) {
		up = tree_node(o->tree, id);
		if (up->procedure == n->procedure)
			return up->deep;
	}
	return 0;
}

static void
recursion_note(struct tree_rows *o, const struct tree_node *n, struct strbuf *out)
{
	uint32_t deep = recursion_depth(o, n);

	if (tree_wanted(o->tree)->source == TREE_ARCS)
		strbuf_str(out, n->cycle ? " (calls within the cycle)" : " (calls itself)");
	else if (deep)
		strbuf_fmt(out, " (%u deep, counted above)", deep);
}

/* Appends all names of a chain. */
static void
chain_names(struct tree_rows *o, uint32_t node, uint32_t tail, const char *arrow, bool ascii,
	    struct strbuf *out)
{
	tree_rows_name(o, node, ascii, out);
	while (node != tail) {
		node = tree_node(o->tree, node)->first;
		strbuf_str(out, arrow);
		tree_rows_name(o, node, ascii, out);
	}
}

void
tree_rows_names(struct tree_rows *o, uint32_t node, bool ascii, int width, struct strbuf *out)
{
	static const char *const arrows[2][2] = { { " → ", " ← " }, { " -> ", " <- " } };
	const char *arrow = arrows[ascii][tree_wanted(o->tree)->bottom_up];
	uint32_t tail = tree_rows_tail(o, node);
	size_t start = out->len;
	uint32_t between;

	chain_names(o, node, tail, arrow, ascii, out);
	between = tree_node(o->tree, tail)->depth - tree_node(o->tree, node)->depth;
	/* The begin and the end of a chain matter most. */
	if (width && between > 1 && safe_width(out->buf + start, out->len - start) > width) {
		out->len = start;
		tree_rows_name(o, node, ascii, out);
		strbuf_fmt(out, "%s%u more%s", arrow, between - 1, arrow);
		tree_rows_name(o, tail, ascii, out);
	}
	if (tree_node(o->tree, tail)->kind == TREE_RECURSION)
		recursion_note(o, tree_node(o->tree, tail), out);
	else if (is_counted_above(o, tree_node(o->tree, tail)))
		strbuf_str(out, " (recursion, counted above)");
}

uint32_t
tree_rows_place(struct tree_rows *o, uint32_t node)
{
	return tree_wanted(o->tree)->bottom_up ? node : tree_rows_tail(o, node);
}

void
tree_rows_origin(const struct tree_rows *o, struct strbuf *out)
{
	const struct tree_want *want = tree_wanted(o->tree);
	const char *title = want->measure ? tree_measure(o->tree)->title : "";

	if (want->source == TREE_ARCS && want->measure) {
		strbuf_str(out, "from arcs: ");
		safe_fit(out, title, strlen(title), METRIC_TITLE_WIDTH);
		strbuf_str(out, " shared out by what calls have, an estimate");
		return;
	}
	if (want->source == TREE_ARCS) {
		strbuf_fmt(out, "from arcs%s: %s", want->changed ? " as changed" : "",
			   tree_has_time(o->tree) ? "time shared out by calls, an estimate"
						  : "calls shared out, no time in this profile");
		return;
	}
	if (want->measure == MEASURE_WAIT) {
		strbuf_str(out, "waiting, from the stacks of those that waited");
		return;
	}
	if (want->measure) {
		safe_fit(out, title, strlen(title), METRIC_TITLE_WIDTH);
		strbuf_str(out, ", from the stacks");
		return;
	}
	strbuf_str(out, "from ");
	human_count(out, tree_samples(o->tree));
	strbuf_str(out, tree_samples(o->tree) == 1 ? " sampled stack" : " sampled stacks");
}

/* ---- searching ---- */

enum { MOST_SEARCHED = 50000 };

/* Returns the next node in the order of all rows, 0 behind the last, if NODE's are known. */
static uint32_t
next_node(struct tree_rows *o, uint32_t node)
{
	const struct tree_node *n = tree_node(o->tree, node), *up;

	if (n->nr)
		return n->first;
	while (node && node != o->top) {
		up = tree_node(o->tree, tree_node(o->tree, node)->parent);
		if (node + 1 < up->first + up->nr)
			return node + 1;
		node = tree_node(o->tree, node)->parent;
	}
	return 0;
}

static bool
node_matches(struct tree_rows *o, uint32_t node,
	     bool (*matches)(void *context, const char *name, size_t n), void *context)
{
	struct strbuf name = STRBUF_INIT;
	bool hit;

	tree_rows_name(o, node, false, &name);
	hit = matches(context, name.buf, name.len);
	strbuf_release(&name);
	return hit;
}

static uint32_t
first_node(struct tree_rows *o)
{
	return o->top ? o->top : tree_children(o->tree, 0)->first;
}

void
tree_rows_look(struct tree_rows *o, struct tree_look *l,
	       bool (*matches)(void *context, const char *name, size_t n), void *pattern)
{
	uint32_t at = l->from;

	l->found = TREE_NONE;
	if (!o->nr)
		return;
	for (bool look = l->here;; look = true) {
		if (look && node_matches(o, at, matches, pattern)) {
			/* Backward, the last hit on the way around is the one. */
			l->found = at;
			if (!l->backward || (l->here && at == l->from))
				return;
		}
		tree_children(o->tree, at);
		at = next_node(o, at);
		if (!at)
			at = first_node(o);
		if (at == l->from)
			break;
		if (l->nr++ >= MOST_SEARCHED || tree_full(o->tree)) {
			l->part = true;
			break;
		}
		job_pause(1);
	}
	if (l->found == TREE_NONE && node_matches(o, l->from, matches, pattern))
		l->found = l->from;
}
