/* The tree from the sampled stacks. The table of contexts is read once, as numbers only, and its
 * recursion folded in one pass, both in slices; names are nobody's business before they are
 * shown. */
#include <stdlib.h>
#include <string.h>

#include "db/tree_reader.h"
#include "util/index.h"
#include "util/mem.h"

/* A path of procedures on which none stands twice. Number 0 is above the roots. */
struct fold {
	uint32_t parent, first, next, depth;
	model_id procedure, site;
	uint32_t deep;
	uint32_t active;         /* recursion: how often on the stack that is looked at now */
	bool recursion;
	bool seen;               /* it has some time, or what is below goes back to above */
	uint64_t site_weight;    /* of the context that site is of */
	uint64_t self, total;    /* samples, or nanoseconds of waiting */
};

struct context {
	uint32_t parent, first, next; /* contexts, by position + 1 */
	model_id procedure, site;
	uint32_t fold;
	uint32_t outer;          /* the first context on this stack with this procedure */
	uint64_t self, total;
};

/* Bottom-up: a part of a node: what of the root's procedure got there from fold AT upward. */
struct part {
	uint32_t at;
	model_id procedure, site; /* while children are made: what they are grouped by; the call */
	uint64_t self, total;
};
struct parts {
	struct part *parts;
	size_t nr, alloc;
};
enum { MAX_PARTS = 4000000 };

/* What is on the stack that is walked down now. */
struct walk {
	uint32_t at;         /* the context that is entered next; 0: none is left */
	uint32_t *path;      /* by depth: the fold there */
	uint32_t *on_path;   /* by procedure: its fold, if that still is on the path */
	uint32_t *outer;     /* by procedure: the context where it stands first, 0: nowhere */
	uint32_t *deep;      /* by procedure: how often it stands there */
	struct frame {       /* by depth of the context: what to put back */
		uint32_t context, path, on_path, recursion;
	} *frames;
	size_t nr_frames, frames_alloc, path_alloc;
};

/* What is done with all contexts, one after another. */
enum phase {
	PHASE_READ, PHASE_CONNECT, PHASE_FOLD, PHASE_SUM, PHASE_PARTS, PHASE_SORT, PHASE_ROOTS,
	PHASE_READY
};

struct contexts {
	enum phase phase;
	sqlite3_stmt *st;        /* while they are read */
	uint64_t expected;       /* contexts, as the file says */
	size_t left;             /* contexts, folds or parts that are still to be looked at */
	struct walk walk;        /* PHASE_FOLD */
	struct root_parts {      /* bottom-up: of what the roots are made */
		struct part *parts;
		size_t nr;
		struct long_sort sort;
		uint32_t *order;
		struct group *group;
	} roots;
	struct context *contexts;
	size_t nr, alloc;
	model_id greatest;       /* procedure */
	struct fold *folds;
	size_t nr_folds, folds_alloc;
	struct index index;      /* of folds by parent and procedure */
	struct parts parts;
	const struct profile_totals *totals;
	bool wait;
};

/* ---- reading ---- */

/* Parents stand before their children, and ids have no gaps. What does not fit is made a root. */
static bool
read_context(struct tree *t, struct contexts *c)
{
	struct profile *p = t->profile;
	struct context *x;

	if (!profile_step(p, c->st))
		return false;
	GROW(c->contexts, c->nr + 2, c->alloc);
	x = &c->contexts[++c->nr];
	*x = (struct context){ .parent = column_id(p, c->st, 0, ID_OF_CONTEXT),
			       .procedure = column_id(p, c->st, 1, ID_OF_PROCEDURE),
			       .site = column_id(p, c->st, 2, ID_OF_SITE) };
	x->self = column_count(p, c->st, t->want.wait ? 4 : 3);
	if (x->parent >= c->nr)
		x->parent = 0;
	if (x->procedure > c->greatest)
		c->greatest = x->procedure;
	return true;
}

static void
end_reading(struct contexts *c)
{
	sqlite3_finalize(c->st);
	c->st = NULL;
	GROW(c->contexts, c->nr + 1, c->alloc);
	memset(c->contexts, 0, sizeof(*c->contexts));
	c->left = c->nr;
}

/* Totals follow from the selfs, whatever the file says they are. */
static bool
connect_context(struct contexts *c)
{
	struct context *x, *up;

	if (!c->left)
		return false;
	x = &c->contexts[c->left];
	up = &c->contexts[x->parent];
	x->total = sum_capped(x->total, x->self);
	up->total = sum_capped(up->total, x->total);
	x->next = up->first;
	up->first = (uint32_t)c->left--;
	return true;
}

/* ---- folding ---- */

struct key { uint32_t parent; model_id procedure; bool recursion; };

static bool
same_fold(const void *ctx, uint32_t item, const void *key)
{
	const struct fold *f = &((const struct contexts *)ctx)->folds[item];
	const struct key *k = key;

	return f->parent == k->parent && f->procedure == k->procedure &&
	       f->recursion == k->recursion;
}

static uint32_t
new_fold(struct contexts *c, const struct key *k)
{
	struct fold *f;

	GROW(c->folds, c->nr_folds + 1, c->folds_alloc);
	f = &c->folds[c->nr_folds];
	*f = (struct fold){ .parent = k->parent, .procedure = k->procedure,
			    .recursion = k->recursion };
	if (c->nr_folds) {
		f->depth = c->folds[k->parent].depth + 1;
		f->next = c->folds[k->parent].first;
		c->folds[k->parent].first = (uint32_t)c->nr_folds;
	}
	return (uint32_t)c->nr_folds++;
}

static uint32_t
find_fold(struct contexts *c, const struct key *k)
{
	uint64_t h = hash_number(hash_number(HASH_START, k->parent),
				 (uint64_t)k->procedure << 1 | k->recursion);
	uint32_t i = index_find(&c->index, h, same_fold, c, k);

	if (i == INDEX_NONE) {
		i = new_fold(c, k);
		index_add(&c->index, h, i);
	}
	return i;
}

static void
note_site(struct fold *f, const struct context *x)
{
	if (x->total <= f->site_weight && f->site_weight)
		return;
	f->site = x->site;
	f->site_weight = x->total;
}

static bool
is_on_path(const struct contexts *c, const struct walk *w, uint32_t fold, uint32_t current)
{
	const struct fold *f = &c->folds[fold];

	return fold && f->depth <= c->folds[current].depth && w->path[f->depth] == fold;
}

/* Returns the fold. */
static uint32_t
enter_fold(struct contexts *c, struct walk *w, const struct context *x, struct frame *frame)
{
	uint32_t current = c->contexts[x->parent].fold, depth;
	uint32_t back = x->procedure ? w->on_path[x->procedure] : 0, fold;
	struct key key = { current, x->procedure, false };

	if (is_on_path(c, w, back, current)) {
		key.recursion = true;
		frame->recursion = find_fold(c, &key);
		if (!c->folds[frame->recursion].active++)
			c->folds[frame->recursion].total += x->total;
		note_site(&c->folds[frame->recursion], x);
		return back;
	}
	fold = find_fold(c, &key);
	depth = c->folds[fold].depth;
	GROW(w->path, depth + 1, w->path_alloc);
	frame->path = w->path[depth];
	w->path[depth] = fold;
	frame->on_path = w->on_path[x->procedure];
	w->on_path[x->procedure] = fold;
	note_site(&c->folds[fold], x);
	return fold;
}

static void
enter(struct contexts *c, struct walk *w, uint32_t i)
{
	struct context *x = &c->contexts[i];
	struct frame *frame;
	struct fold *f;

	GROW(w->frames, w->nr_frames + 1, w->frames_alloc);
	frame = &w->frames[w->nr_frames++];
	*frame = (struct frame){ .context = i };
	x->fold = enter_fold(c, w, x, frame);
	f = &c->folds[x->fold];
	f->self = sum_capped(f->self, x->self);
	if (!x->procedure) {
		x->outer = i;
		return;
	}
	if (++w->deep[x->procedure] > f->deep)
		f->deep = w->deep[x->procedure];
	if (!w->outer[x->procedure])
		w->outer[x->procedure] = i;
	x->outer = w->outer[x->procedure];
}

static void
leave(struct contexts *c, struct walk *w)
{
	const struct frame *frame = &w->frames[--w->nr_frames];
	const struct context *x = &c->contexts[frame->context];

	if (frame->recursion) {
		c->folds[frame->recursion].active--;
	} else {
		w->path[c->folds[x->fold].depth] = frame->path;
		w->on_path[x->procedure] = frame->on_path;
	}
	if (!x->procedure)
		return;
	w->deep[x->procedure]--;
	if (w->outer[x->procedure] == frame->context)
		w->outer[x->procedure] = 0;
}

/* Down the stored tree and up again, without a stack of C: it may be deep. */
static bool
walk_on(struct contexts *c)
{
	struct walk *w = &c->walk;
	uint32_t i = w->at;

	if (!i)
		return false;
	enter(c, w, i);
	c->left--;
	w->at = c->contexts[i].first;
	while (w->nr_frames && !w->at) {
		w->at = c->contexts[w->frames[w->nr_frames - 1].context].next;
		leave(c, w);
	}
	return true;
}

static void
begin_walk(struct contexts *c)
{
	struct walk *w = &c->walk;
	size_t nr = (size_t)c->greatest + 1;

	new_fold(c, &(struct key){ 0, 0, false });
	GROW(w->path, 1, w->path_alloc);
	w->path[0] = 0;
	w->on_path = xcalloc(nr, sizeof(*w->on_path));
	w->outer = xcalloc(nr, sizeof(*w->outer));
	w->deep = xcalloc(nr, sizeof(*w->deep));
	w->at = c->contexts[0].first;
	c->left = c->nr;
}

static void
end_walk(struct contexts *c)
{
	struct walk *w = &c->walk;

	free(w->path);
	free(w->on_path);
	free(w->outer);
	free(w->deep);
	free(w->frames);
	*w = (struct walk){ .frames = NULL };
	index_release(&c->index);
	c->left = c->nr_folds ? c->nr_folds - 1 : 0;
}

/* Children stand behind their parents. */
static bool
sum_fold(struct contexts *c)
{
	struct fold *f;

	if (!c->left)
		return false;
	f = &c->folds[c->left--];
	f->seen |= f->total || f->self;
	c->folds[f->parent].seen |= f->seen;
	if (f->recursion)
		return true;
	f->total = sum_capped(f->total, f->self);
	c->folds[f->parent].total = sum_capped(c->folds[f->parent].total, f->total);
	return true;
}

/* ---- nodes ---- */

static uint64_t
figure_ns(const struct contexts *c, uint64_t figure)
{
	uint64_t of = c->totals->self_samples;

	return c->wait ? figure :
	       of ? (uint64_t)((unsigned __int128)figure * c->totals->self_ns / of) : 0;
}

static void
set_figures(const struct contexts *c, struct tree_node *n, uint64_t total, uint64_t self)
{
	n->total = figure_ns(c, total);
	n->self = figure_ns(c, self);
	n->number = c->wait ? 0 : total;
}

/* Fold I as a child of the node whose children are asked for. */
static void
add_fold(struct tree *t, const struct contexts *c, uint32_t i)
{
	struct tree_node n = { .at = i, .exact = true };
	const struct fold *f = &c->folds[i];

	if (!f->seen)
		return;
	n.kind = f->recursion ? TREE_RECURSION : TREE_PROCEDURE;
	n.procedure = f->procedure;
	n.site = f->site;
	n.deep = f->deep;
	set_figures(c, &n, f->total, f->self);
	tree_add(t, &n);
}

static int
compare_parts(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;

	if (a->procedure != b->procedure)
		return a->procedure < b->procedure ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void
keep_part(struct parts *to, const struct part *p, size_t from)
{
	struct part *last;

	if (to->nr > from && to->parts[to->nr - 1].at == p->at) {
		last = &to->parts[to->nr - 1];
		last->self = sum_capped(last->self, p->self);
		last->total = sum_capped(last->total, p->total);
		return;
	}
	GROW(to->parts, to->nr + 1, to->alloc);
	to->parts[to->nr++] = *p;
}

/* The child that parts are put together to, as long as they are of one procedure. */
struct group {
	bool open;               /* there is one */
	struct tree_node n;
	uint64_t self, total, most;
	struct parts kept;       /* of all of them; at counts in these until they are taken */
};

static void
end_group(struct tree *t, const struct contexts *c, struct group *g)
{
	if (!g->open)
		return;
	g->n.at_nr = (uint32_t)g->kept.nr - g->n.at;
	set_figures(c, &g->n, g->total, g->self);
	tree_add(t, &g->n);
	g->open = false;
	g->self = g->total = g->most = 0;
}

/* They come sorted. */
static void
add_part(struct tree *t, struct contexts *c, struct group *g, const struct part *p)
{
	if (g->open && g->n.procedure != p->procedure)
		end_group(t, c, g);
	if (!g->open) {
		g->open = true;
		g->n = (struct tree_node){ .kind = TREE_PROCEDURE, .exact = true,
					   .procedure = p->procedure,
					   .at = (uint32_t)g->kept.nr };
	}
	g->self = sum_capped(g->self, p->self);
	g->total = sum_capped(g->total, p->total);
	if (p->total >= g->most) {
		g->most = p->total;
		g->n.site = p->site;
	}
	keep_part(&g->kept, p, g->n.at);
}

/* All groups are there: their parts go where those of all nodes are. */
static void
take_parts(struct contexts *c, struct group *g, struct tree_node *nodes, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (nodes[i].kind == TREE_PROCEDURE)
			nodes[i].at += (uint32_t)c->parts.nr;
	GROW(c->parts.parts, c->parts.nr + g->kept.nr, c->parts.alloc);
	if (g->kept.nr)
		memcpy(c->parts.parts + c->parts.nr, g->kept.parts,
		       g->kept.nr * sizeof(*g->kept.parts));
	c->parts.nr += g->kept.nr;
}

/* ---- children ---- */

/* Of one node, while they are looked for. */
struct context_node {
	enum { UP_PARENTS, UP_SORT, UP_GROUPS } stage; /* bottom-up */
	uint32_t next;           /* top-down: the fold that is next; bottom-up: the part */
	uint32_t end;            /* of its parts */
	struct parts parts;      /* of its parents */
	struct long_sort sort;
	uint32_t *order;         /* of the parts */
	struct group group;
	uint64_t self, total;    /* that has no parent */
};

static void *
context_open_node(struct tree *t, uint32_t id)
{
	struct contexts *c = t->data;
	struct context_node *n = xcalloc(1, sizeof(*n));

	if (!t->want.bottom_up) {
		n->next = c->folds[t->nodes[id].at].first;
	} else if (c->parts.nr < MAX_PARTS) {
		n->next = t->nodes[id].at;
		n->end = n->next + t->nodes[id].at_nr;
	} else {
		t->full = true;
	}
	return n;
}

static void
note_parent(struct contexts *c, struct context_node *n, const struct part *p)
{
	const struct fold *f = &c->folds[p->at];

	if (!f->parent) {
		n->self = sum_capped(n->self, p->self);
		n->total = sum_capped(n->total, p->total);
		return;
	}
	GROW(n->parts.parts, n->parts.nr + 1, n->parts.alloc);
	n->parts.parts[n->parts.nr++] = (struct part){
		.at = f->parent, .site = f->site, .self = p->self, .total = p->total,
		.procedure = c->folds[f->parent].procedure,
	};
}

static int
compare_parents(const void *context, uint32_t a, uint32_t b)
{
	const struct context_node *n = context;

	return compare_parts(&n->parts.parts[a], &n->parts.parts[b]);
}

static void
add_rest(struct tree *t, struct contexts *c, struct context_node *n)
{
	struct tree_node outside = { .kind = TREE_OUTSIDE, .exact = true };

	end_group(t, c, &n->group);
	if (!n->parts.nr || (!n->self && !n->total))
		return;
	set_figures(c, &outside, n->total, n->self);
	tree_add(t, &outside);
}

/* Bottom-up: parents of all parts, in order of their procedures, a child for each of these. */
static bool
step_up(struct tree *t, struct contexts *c, struct context_node *n)
{
	switch (n->stage) {
	case UP_PARENTS:
		if (n->next < n->end) {
			note_parent(c, n, &c->parts.parts[n->next++]);
			return true;
		}
		long_sort_begin(&n->sort, n->parts.nr);
		n->stage = UP_SORT;
		return true;
	case UP_SORT:
		tree_sorts(t, n->parts.nr);
		if (!long_sort_work(&n->sort, compare_parents, n))
			return true;
		n->order = long_sort_take(&n->sort);
		n->next = 0;
		n->stage = UP_GROUPS;
		return true;
	case UP_GROUPS:
		if (n->next < n->parts.nr) {
			add_part(t, c, &n->group, &n->parts.parts[n->order[n->next++]]);
			return true;
		}
		add_rest(t, c, n);
		return false;
	}
	return false;
}

static bool
context_node_step(struct tree *t, void *node)
{
	struct contexts *c = t->data;
	struct context_node *n = node;

	if (t->want.bottom_up)
		return step_up(t, c, n);
	if (!n->next)
		return false;
	add_fold(t, c, n->next);
	n->next = c->folds[n->next].next;
	return true;
}

static void
context_close_node(struct tree *t, void *node, bool done)
{
	struct contexts *c = t->data;
	struct context_node *n = node;

	if (done && t->want.bottom_up)
		take_parts(c, &n->group, t->to->nodes, t->to->nr);
	long_sort_release(&n->sort);
	free(n->order);
	free(n->parts.parts);
	free(n->group.kept.parts);
	free(n);
}

static bool
context_path(struct tree *t, struct finding *found)
{
	const struct contexts *c = t->data;
	const struct fold *f;
	uint32_t best = 0, i;

	for (i = 1; i < c->nr_folds; i++) {
		f = &c->folds[i];
		if (f->procedure == found->procedure && !f->recursion &&
		    (!best || f->total > c->folds[best].total))
			best = i;
	}
	found->nr = c->folds[best].depth;
	GROW(found->path, found->nr + 1, found->alloc);
	for (i = best; i; i = c->folds[i].parent)
		found->path[c->folds[i].depth - 1] = i;
	return false;
}

/* ---- roots ---- */

static void
begin_parts(struct tree *t, struct contexts *c)
{
	set_figures(c, &t->nodes[0], c->folds[0].total, 0);
	/* Numbers of contexts end where those of parts do. */
	c->left = t->want.bottom_up ? c->nr : 0;
	if (t->want.bottom_up)
		c->roots.parts = xcalloc(c->nr + 1, sizeof(*c->roots.parts));
}

/* What of a stack is of the root that its last procedure is. */
static bool
note_part(struct tree *t, struct contexts *c)
{
	const struct context *x;
	size_t i;

	if (!c->left)
		return false;
	i = c->nr - --c->left;
	x = &c->contexts[i];
	if (!x->total || (t->want.procedure && x->procedure != t->want.procedure))
		return true;
	/* All of a stack goes by the path to where the procedure stands first. */
	c->roots.parts[c->roots.nr++] = (struct part){
		.at = c->contexts[x->outer].fold, .procedure = x->procedure,
		.self = x->self, .total = x->outer == i ? x->total : 0,
	};
	return true;
}

static int
compare_root_parts(const void *context, uint32_t a, uint32_t b)
{
	const struct root_parts *r = context;

	return compare_parts(&r->parts[a], &r->parts[b]);
}

/* Only folds and parts are needed from now on. */
static void
begin_sort(struct contexts *c)
{
	free(c->contexts);
	c->contexts = NULL;
	long_sort_begin(&c->roots.sort, c->roots.nr);
}

static void
begin_roots(struct tree *t, struct contexts *c)
{
	c->roots.order = long_sort_take(&c->roots.sort);
	c->roots.group = xcalloc(1, sizeof(*c->roots.group));
	c->left = t->want.bottom_up ? c->roots.nr : c->folds[0].first;
}

static bool
add_root(struct tree *t, struct contexts *c)
{
	struct root_parts *r = &c->roots;

	if (!c->left)
		return false;
	if (t->want.bottom_up) {
		add_part(t, c, r->group, &r->parts[r->order[r->nr - c->left--]]);
	} else {
		add_fold(t, c, (uint32_t)c->left);
		c->left = c->folds[c->left].next;
	}
	return true;
}

static void
release_roots(struct root_parts *r)
{
	long_sort_release(&r->sort);
	free(r->parts);
	free(r->order);
	if (r->group)
		free(r->group->kept.parts);
	free(r->group);
	*r = (struct root_parts){ .parts = NULL };
}

/* ---- reading, step by step ---- */

static void
context_close(void *data)
{
	struct contexts *c = data;

	sqlite3_finalize(c->st);
	end_walk(c);
	release_roots(&c->roots);
	free(c->contexts);
	free(c->folds);
	free(c->parts.parts);
	free(c);
}

static void *
context_open(struct tree *t)
{
	struct contexts *c = xcalloc(1, sizeof(*c));

	c->totals = profile_totals(t->profile);
	c->wait = t->want.wait;
	c->expected = column_last_id(t->profile, ID_OF_CONTEXT);
	/* Its own statement: others may look for contexts between two slices. */
	c->st = profile_prepare(t->profile, profile_queries[QUERY_CONTEXTS]);
	return c;
}

/* One step of the phase; false: the phase is over. */
static bool
phase_step(struct tree *t, struct contexts *c)
{
	switch (c->phase) {
	case PHASE_READ:
		return read_context(t, c);
	case PHASE_CONNECT:
		return connect_context(c);
	case PHASE_FOLD:
		return walk_on(c);
	case PHASE_SUM:
		return sum_fold(c);
	case PHASE_PARTS:
		return note_part(t, c);
	case PHASE_SORT:
		tree_sorts(t, c->roots.nr);
		return !long_sort_work(&c->roots.sort, compare_root_parts, &c->roots);
	default:
		return add_root(t, c);
	}
}

static void
end_phase(struct tree *t, struct contexts *c)
{
	switch (c->phase++) {
	case PHASE_READ:
		end_reading(c);
		break;
	case PHASE_CONNECT:
		begin_walk(c);
		break;
	case PHASE_FOLD:
		end_walk(c);
		break;
	case PHASE_SUM:
		begin_parts(t, c);
		break;
	case PHASE_PARTS:
		begin_sort(c);
		break;
	case PHASE_SORT:
		begin_roots(t, c);
		break;
	default:
		end_group(t, c, c->roots.group);
		take_parts(c, c->roots.group, NULL, 0);
		release_roots(&c->roots);
	}
}

static bool
context_step(struct tree *t)
{
	struct contexts *c = t->data;

	if (c->phase == PHASE_READY)
		return false;
	if (!phase_step(t, c) && !profile_error(t->profile))
		end_phase(t, c);
	return true;
}

/* Reading takes about as long as all that follows. */
static unsigned
context_percent(const struct tree *t)
{
	const struct contexts *c = t->data;
	uint64_t read = c->expected > c->nr ? c->nr * 50 / c->expected : 50;
	uint64_t left = c->nr ? c->left : 0, nr = c->nr ? c->nr : 1;

	switch (c->phase) {
	case PHASE_READ:
		return (unsigned)read;
	case PHASE_CONNECT:
		return (unsigned)(60 - left * 10 / nr);
	case PHASE_FOLD:
		return (unsigned)(80 - left * 20 / nr);
	case PHASE_SORT:
		return 85 + long_sort_percent(&c->roots.sort) / 10;
	default:
		return c->phase < PHASE_SORT ? 85 : 95;
	}
}

static size_t
context_bytes(const struct tree *t)
{
	const struct contexts *c = t->data;

	return c->nr_folds * sizeof(*c->folds) + c->parts.nr * sizeof(*c->parts.parts);
}

const struct tree_reader tree_context_reader = {
	.open = context_open, .step = context_step, .percent = context_percent,
	.bytes = context_bytes,
	.close = context_close, .open_node = context_open_node, .node_step = context_node_step,
	.close_node = context_close_node, .path_step = context_path,
};
