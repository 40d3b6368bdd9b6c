/* Makes the tree from the sampled stacks. The table of contexts is read once, as numbers only, and
 * its recursion folded in one pass; names are read when they are shown. */
#include <stdlib.h>
#include <string.h>

#include "db/lists/imbalance.h"
#include "db/trees/tree_reader.h"
#include "util/index.h"
#include "util/job_sort.h"
#include "util/mem.h"
#include "util/order.h"

/* A path of procedures on which none stands twice. Number 0 is above the roots. */
struct fold {
	uint32_t parent, first, next, depth;
	model_id procedure, site;
	uint32_t deep : 30;
	bool recursion : 1;
	bool seen : 1;           /* it has time, or a path below goes back to above it */
	uint32_t active;         /* recursion: how often it is on the current stack */
	uint64_t site_weight;    /* weight of the context that has site */
	int64_t self, total;     /* time, or of the measure */
	uint64_t samples;        /* that total is made of */
};

struct context {
	uint32_t parent, first, next; /* contexts, by position + 1 */
	model_id procedure, site;
	uint32_t fold;
	uint32_t outer;          /* the first context on this stack with this procedure */
	int64_t self, total;
	uint64_t self_samples, samples; /* its own, and with all below it */
};

/* Bottom-up: a part of a node: how much of the root's procedure comes there from fold AT upward. */
struct part {
	uint32_t at;
	model_id procedure, site; /* while children are made: what groups them; the call */
	int64_t self, total;
	uint64_t samples;
};
struct parts {
	struct part *parts;
	size_t nr, alloc;
};
enum { MAX_PARTS = 4000000 };

/* The stack during the walk down the contexts. */
struct walk {
	uint32_t *path;      /* by depth: the fold there */
	uint32_t *on_path;   /* by procedure: its fold, if it still is on the path */
	uint32_t *outer;     /* by procedure: the context where it stands first, 0: nowhere */
	uint32_t *deep;      /* by procedure: how often it stands there */
	struct frame {       /* by depth of the context: what to put back */
		uint32_t context, path, on_path, recursion;
	} *frames;
	size_t nr_frames, frames_alloc, path_alloc;
};

struct contexts {
	struct context *contexts;
	size_t nr, alloc;
	model_id greatest;       /* procedure */
	struct fold *folds;
	size_t nr_folds, folds_alloc;
	struct index index;      /* of folds by parent and procedure */
	struct parts parts;
	uint64_t sizes;          /* the sum of what the stacks have, whatever its sign */
	bool negative;           /* some have less than 0 */
	bool timed;              /* figures are time, which samples stand for */
	struct evenness *selves, *totals; /* by fold; NULL: nobody asked for them, or none are */
};

/* A step for all contexts and folds, one after another, costs little each time. */
enum { SMALL = 16 };

static void
advance(size_t done, size_t all)
{
	if (done % SMALL)
		return;
	job_progress((double)done, (double)all);
	job_pause(1);
}

static int64_t
plus(int64_t a, int64_t b)
{
	return measure_combine(COMBINE_SUM, a, b);
}

/* ---- reading ---- */

/* Parents stand before their children, without gaps in the ids. Other contexts become roots. */
static void
read_context(struct tree *t, struct contexts *c, sqlite3_stmt *st)
{
	struct profile *p = t->profile;
	struct context *x;

	GROW(c->contexts, c->nr + 2, c->alloc);
	x = &c->contexts[++c->nr];
	*x = (struct context){ .parent = column_id(p, st, 0, TABLE_CONTEXT),
			       .procedure = column_id(p, st, 1, TABLE_PROCEDURE),
			       .site = column_id(p, st, 2, TABLE_SITE) };
	x->self = t->want.measure > NR_BUILTIN_MEASURES ? column_figure(p, st, 3)
							: (int64_t)column_count(p, st, 3);
	c->negative |= x->self < 0;
	c->sizes = sum_capped(c->sizes, figure_size(x->self));
	x->self_samples = c->timed ? column_count(p, st, 4) : 0;
	if (x->parent >= c->nr)
		x->parent = 0;
	if (x->procedure > c->greatest)
		c->greatest = x->procedure;
}

static void
finalize(void *st)
{
	sqlite3_finalize(st);
}

static sqlite3_stmt *
ask(const struct tree *t)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, "SELECT parent, procedure, site, self_");
	strbuf_str(&sql, !t->want.measure ? "ns, self_samples" : tree_measure(t)->name);
	strbuf_str(&sql, t->want.measure == MEASURE_WAIT ? "_ns FROM context ORDER BY id"
							 : " FROM context ORDER BY id");
	st = profile_prepare(t->profile, sql.buf);
	strbuf_release(&sql);
	return st;
}

static void
read_contexts(struct tree *t, struct contexts *c)
{
	double expected = (double)column_last_id(t->profile, TABLE_CONTEXT);
	/* The statement is its own: others may read contexts while it pauses. */
	sqlite3_stmt *st = ask(t);
	struct job_hold hold;

	job_hold(&hold, finalize, st);
	for (; profile_step(t->profile, st); job_pause(1)) {
		read_context(t, c, st);
		job_progress((double)c->nr, expected);
	}
	job_let_go(&hold);
	GROW(c->contexts, c->nr + 1, c->alloc);
	memset(c->contexts, 0, sizeof(*c->contexts));
}

/* Totals follow from the selfs, whatever the file says they are. */
static void
connect_contexts(struct contexts *c)
{
	struct context *x, *up;

	for (size_t i = c->nr; i; i--) {
		x = &c->contexts[i];
		up = &c->contexts[x->parent];
		x->total = plus(x->total, x->self);
		x->samples = sum_capped(x->samples, x->self_samples);
		up->total = plus(up->total, x->total);
		up->samples = sum_capped(up->samples, x->samples);
		x->next = up->first;
		up->first = (uint32_t)i;
		advance(c->nr - i, c->nr);
	}
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
	if (figure_size(x->total) <= f->site_weight && f->site_weight)
		return;
	f->site = x->site;
	f->site_weight = figure_size(x->total);
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
		if (!c->folds[frame->recursion].active++) {
			c->folds[frame->recursion].total += x->total;
			c->folds[frame->recursion].samples += x->samples;
		}
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
	f->self = plus(f->self, x->self);
	f->samples = sum_capped(f->samples, x->self_samples);
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

static void
release_walk(void *walk)
{
	struct walk *w = walk;

	free(w->path);
	free(w->on_path);
	free(w->outer);
	free(w->deep);
	free(w->frames);
}

/* Walks down the stored tree and up again, without recursion in C: it may be deep. */
static void
fold_contexts(struct contexts *c)
{
	size_t nr = (size_t)c->greatest + 1, done = 0;
	struct walk w = { .on_path = xcalloc(nr, sizeof(*w.on_path)),
			  .outer = xcalloc(nr, sizeof(*w.outer)),
			  .deep = xcalloc(nr, sizeof(*w.deep)) };
	struct job_hold hold;
	uint32_t i, at;

	job_hold(&hold, release_walk, &w);
	new_fold(c, &(struct key){ 0, 0, false });
	GROW(w.path, 1, w.path_alloc);
	w.path[0] = 0;
	for (at = c->contexts[0].first; at; advance(++done, c->nr)) {
		i = at;
		enter(c, &w, i);
		at = c->contexts[i].first;
		while (w.nr_frames && !at) {
			at = c->contexts[w.frames[w.nr_frames - 1].context].next;
			leave(c, &w);
		}
	}
	job_let_go(&hold);
	index_release(&c->index);
}

/* Children stand behind their parents. */
static void
sum_folds(struct contexts *c)
{
	struct fold *f, *up;

	for (size_t i = c->nr_folds - 1; i; i--, advance(c->nr_folds - i, c->nr_folds)) {
		f = &c->folds[i];
		up = &c->folds[f->parent];
		f->seen |= f->total || f->self;
		up->seen |= f->seen;
		if (f->recursion)
			continue;
		f->total = plus(f->total, f->self);
		up->total = plus(up->total, f->total);
		up->samples = sum_capped(up->samples, f->samples);
	}
}

/* ---- nodes ---- */

static void
set_figures(struct tree_node *n, int64_t total, int64_t self, uint64_t samples)
{
	n->total = total;
	n->self = self;
	n->number = samples;
}

/* Adds fold I as a child of the node whose children are asked for. */
static void
add_fold(struct opening *to, const struct contexts *c, uint32_t i)
{
	struct tree_node n = { .at = i, .exact = true };
	const struct fold *f = &c->folds[i];

	if (!f->seen)
		return;
	n.kind = f->recursion ? TREE_RECURSION : TREE_PROCEDURE;
	n.procedure = f->procedure;
	n.site = f->site;
	n.deep = f->deep;
	set_figures(&n, f->total, f->self, f->samples);
	tree_add(to, &n);
}

static void
keep_part(struct parts *to, const struct part *p, size_t from)
{
	struct part *last;

	if (to->nr > from && to->parts[to->nr - 1].at == p->at) {
		last = &to->parts[to->nr - 1];
		last->self = plus(last->self, p->self);
		last->total = plus(last->total, p->total);
		last->samples = sum_capped(last->samples, p->samples);
		return;
	}
	GROW(to->parts, to->nr + 1, to->alloc);
	to->parts[to->nr++] = *p;
}

/* The child that parts are collected in, as long as they are of one procedure. */
struct group {
	bool open;               /* there is one */
	struct tree_node n;
	int64_t self, total;
	uint64_t samples, most;
	struct parts kept;       /* of all of them; at counts in these until they are taken */
};

static void
end_group(struct opening *to, struct group *g)
{
	if (!g->open)
		return;
	g->n.at_nr = (uint32_t)g->kept.nr - g->n.at;
	set_figures(&g->n, g->total, g->self, g->samples);
	if (g->total)
		tree_add(to, &g->n);
	g->open = false;
	g->self = g->total = g->samples = g->most = 0;
}

/* Parts come sorted. */
static void
add_part(struct opening *to, struct group *g, const struct part *p)
{
	if (g->open && g->n.procedure != p->procedure)
		end_group(to, g);
	if (!g->open) {
		g->open = true;
		g->n = (struct tree_node){ .kind = TREE_PROCEDURE, .exact = true,
					   .procedure = p->procedure,
					   .at = (uint32_t)g->kept.nr };
	}
	g->self = plus(g->self, p->self);
	g->total = plus(g->total, p->total);
	g->samples = sum_capped(g->samples, p->samples);
	if (figure_size(p->total) >= g->most) {
		g->most = figure_size(p->total);
		g->n.site = p->site;
	}
	keep_part(&g->kept, p, g->n.at);
}

/* All groups are there: moves their parts to those of all nodes. */
static void
take_parts(struct contexts *c, const struct group *g, struct opening *to)
{
	for (size_t i = 0; i < to->nr; i++)
		if (to->nodes[i].kind == TREE_PROCEDURE)
			to->nodes[i].at += (uint32_t)c->parts.nr;
	GROW(c->parts.parts, c->parts.nr + g->kept.nr, c->parts.alloc);
	if (g->kept.nr)
		memcpy(c->parts.parts + c->parts.nr, g->kept.parts,
		       g->kept.nr * sizeof(*g->kept.parts));
	c->parts.nr += g->kept.nr;
}

/* ---- children ---- */

/* The state while parts become children: the parts in order of their procedures, and the child that
 * collects them. */
struct part_work {
	struct parts parts;
	uint32_t *order;
	struct group group;
};

static void
release_parts(void *work)
{
	struct part_work *w = work;

	free(w->parts.parts);
	free(w->order);
	free(w->group.kept.parts);
}

static int
compare_parts(const void *context, uint32_t ia, uint32_t ib)
{
	const struct part_work *w = context;
	const struct part *a = &w->parts.parts[ia], *b = &w->parts.parts[ib];

	COMPARE(a->procedure, b->procedure);
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Makes a child for each procedure. */
static void
group_parts(struct contexts *c, struct part_work *w, struct opening *to)
{
	job_sort_order(&w->order, w->parts.nr, compare_parts, w);
	for (size_t i = 0; i < w->parts.nr; i++, advance(i, w->parts.nr))
		add_part(to, &w->group, &w->parts.parts[w->order[i]]);
	end_group(to, &w->group);
	take_parts(c, &w->group, to);
}

/* Notes the parents of all parts of a node; parts without a parent are the rest. */
static void
note_parents(struct contexts *c, const struct tree_node *n, struct part_work *w,
	     struct part *rest)
{
	for (uint32_t i = n->at; i < n->at + n->at_nr; i++, job_pause(1)) {
		const struct part *p = &c->parts.parts[i];
		const struct fold *f = &c->folds[p->at];

		if (!f->parent) {
			rest->self = plus(rest->self, p->self);
			rest->total = plus(rest->total, p->total);
			rest->samples = sum_capped(rest->samples, p->samples);
			continue;
		}
		GROW(w->parts.parts, w->parts.nr + 1, w->parts.alloc);
		w->parts.parts[w->parts.nr++] = (struct part){
			.at = f->parent, .site = f->site, .self = p->self, .total = p->total,
			.samples = p->samples,
			.procedure = c->folds[f->parent].procedure,
		};
	}
}

static void
add_parents(struct tree *t, struct opening *to)
{
	struct contexts *c = t->data;
	struct tree_node n = t->nodes[to->id], outside = { .kind = TREE_OUTSIDE, .exact = true };
	struct part_work work = { .order = NULL };
	struct part rest = { .self = 0 };
	struct job_hold hold;

	t->full |= c->parts.nr >= MAX_PARTS;
	if (c->parts.nr >= MAX_PARTS)
		return;
	job_hold(&hold, release_parts, &work);
	note_parents(c, &n, &work, &rest);
	group_parts(c, &work, to);
	job_let_go(&hold);
	if (!to->nr || (!rest.self && !rest.total))
		return;
	set_figures(&outside, rest.total, rest.self, rest.samples);
	tree_add(to, &outside);
}

static void
add_folds(struct contexts *c, struct opening *to, uint32_t first)
{
	for (uint32_t i = first; i; i = c->folds[i].next, job_pause(1))
		add_fold(to, c, i);
}

static void
context_children(struct tree *t, struct opening *to)
{
	struct contexts *c = t->data;

	if (t->want.bottom_up)
		add_parents(t, to);
	else
		add_folds(c, to, c->folds[t->nodes[to->id].at].first);
}

static void
context_path(struct tree *t, struct tree_path *path)
{
	const struct contexts *c = t->data;
	const struct fold *f;
	uint32_t best = 0, i;

	for (i = 1; i < c->nr_folds; advance(i++, c->nr_folds)) {
		f = &c->folds[i];
		if (f->procedure == path->procedure && !f->recursion &&
		    (!best || figure_size(f->total) > figure_size(c->folds[best].total)))
			best = i;
	}
	path->nr = c->folds[best].depth;
	GROW(path->at, path->nr + 1, path->alloc);
	for (i = best; i; i = c->folds[i].parent)
		path->at[c->folds[i].depth - 1] = i;
}

/* ---- roots ---- */

/* Notes which part of each stack belongs to the root of its last procedure. */
static void
note_parts(struct tree *t, struct contexts *c, struct part_work *w)
{
	const struct context *x;

	w->parts.parts = xcalloc(c->nr + 1, sizeof(*w->parts.parts));
	for (size_t i = 1; i <= c->nr; advance(i++, c->nr)) {
		x = &c->contexts[i];
		/* A sample that came too soon behind another one stands for no time. */
		if ((!x->total && !x->samples) ||
		    (t->want.procedure && x->procedure != t->want.procedure))
			continue;
		/* All of a stack goes by the path to where the procedure stands first. */
		w->parts.parts[w->parts.nr++] = (struct part){
			.at = c->contexts[x->outer].fold, .procedure = x->procedure,
			.self = x->self, .total = x->outer == i ? x->total : 0,
			.samples = x->outer == i ? x->samples : 0,
		};
	}
}

/* When the roots are known only folds and parts are needed. */
static void
forget_contexts(struct contexts *c)
{
	free(c->contexts);
	c->contexts = NULL;
}

static void
add_roots_up(struct tree *t, struct contexts *c, struct opening *to)
{
	struct part_work work = { .order = NULL };
	struct job_hold hold;

	job_hold(&hold, release_parts, &work);
	note_parts(t, c, &work);
	forget_contexts(c);
	group_parts(c, &work, to);
	job_let_go(&hold);
}

/* ---- ranks and runs ---- */

/* What is to be given back when they are compared, or nobody wants it any more. */
struct comparing {
	struct model m;
	uint32_t *fold, *up;     /* of a context, by id - 1; above a fold */
};

static void
release_comparing(void *comparing)
{
	struct comparing *w = comparing;

	free(w->fold);
	free(w->up);
	model_release(&w->m);
}

static void
forget_evenness(struct contexts *c)
{
	free(c->selves);
	free(c->totals);
	c->selves = c->totals = NULL;
}

/* Works out how evenly ranks, or runs, have what is in each fold. */
static void
compare_ranks(struct tree *t, struct contexts *c)
{
	struct comparing w = { .fold = NULL };
	struct spread_of of[2] = {
		{ .column = PART_CONTEXT_NS, .nr = c->nr_folds },
		{ .column = PART_CONTEXT_NS, .nr = c->nr_folds },
	};
	struct job_hold hold;

	model_init(&w.m);
	job_hold(&hold, release_comparing, &w);
	if (imbalance_is_there(t->profile) && imbalance_load(t->profile, &w.m) &&
	    w.m.nr_contexts == c->nr) {
		of[0].group = of[1].group = w.fold = xcalloc(c->nr + 1, sizeof(*w.fold));
		of[1].up = w.up = xcalloc(c->nr_folds, sizeof(*w.up));
		for (size_t i = 0; i < c->nr; i++)
			w.fold[i] = c->contexts[i + 1].fold;
		for (size_t i = 0; i < c->nr_folds; i++)
			w.up[i] = c->folds[i].parent;
		c->selves = xcalloc(c->nr_folds, sizeof(*c->selves));
		c->totals = xcalloc(c->nr_folds, sizeof(*c->totals));
		if (evenness_of(&w.m, of, 2, (struct evenness *[]){ c->selves, c->totals }) < 2)
			forget_evenness(c);
	}
	job_let_go(&hold);
}

static struct tree_evenness
context_evenness(const struct tree *t, const struct tree_node *n)
{
	const struct contexts *c = t->data;
	bool there = c->totals && n->kind == TREE_PROCEDURE && c->totals[n->at].most;

	return (struct tree_evenness){
		there && c->selves[n->at].most ? &c->selves[n->at] : NULL,
		there ? &c->totals[n->at] : NULL,
	};
}

/* Reads the contexts in four steps, with about the parts of the time that each of them takes. */
static void
context_read(struct tree *t, struct opening *to)
{
	const bool uneven = t->want.uneven && !t->want.bottom_up && !t->want.measure;
	const double reading = uneven ? 0.3 : 1;
	struct contexts *c = t->data;
	struct job_part whole = job_part(0, reading), all = job_part(0, 0.5);

	read_contexts(t, c);
	job_part_end(all);
	all = job_part(0.5, 0.6);
	connect_contexts(c);
	job_part_end(all);
	all = job_part(0.6, 0.8);
	fold_contexts(c);
	job_part_end(all);
	all = job_part(0.8, 0.85);
	sum_folds(c);
	job_part_end(all);
	/* Shares are of the sizes, as the net sum says nothing. */
	set_figures(&t->nodes[0], c->negative ? count_figure(c->sizes) : c->folds[0].total, 0,
		    c->folds[0].samples);
	all = job_part(0.85, 1);
	if (t->want.bottom_up)
		add_roots_up(t, c, to);
	else
		add_folds(c, to, c->folds[0].first);
	job_part_end(all);
	job_part_end(whole);
	whole = job_part(reading, 1);
	if (uneven)
		compare_ranks(t, c);
	job_part_end(whole);
	forget_contexts(c);
}

/* ---- life ---- */

void *
tree_context_open(struct tree *t)
{
	struct contexts *c = xcalloc(1, sizeof(*c));

	c->timed = !t->want.measure;
	return c;
}

static void
context_close(void *data)
{
	struct contexts *c = data;

	index_release(&c->index);
	free(c->contexts);
	free(c->folds);
	free(c->parts.parts);
	forget_evenness(c);
	free(c);
}

static size_t
context_bytes(const struct tree *t)
{
	const struct contexts *c = t->data;

	return c->nr_folds * (sizeof(*c->folds) + (c->totals ? 2 * sizeof(*c->totals) : 0)) +
	       c->parts.nr * sizeof(*c->parts.parts);
}

const struct tree_reader tree_context_reader = {
	.read = context_read, .children = context_children, .path = context_path,
	.bytes = context_bytes, .close = context_close, .evenness = context_evenness,
};
