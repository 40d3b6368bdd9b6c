/* What is around procedures, as far as it is matched. */
#include "compare/match/vicinity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/match/tally.h"
#include "util/order.h"

enum {
	MOST_KNOWN = 64,         /* around one procedure */
	MOST_LEADS = 8,          /* procedures that one entity leads to: it tells them apart */
};

/* What one is to another; the lowest bits of a key. */
enum kind { CALLER, CALLEE, ABOVE, BELOW, KIND_BITS = 2 };

/* The calls between procedures of a profile, copies as one. */
struct graph {
	struct side *side;       /* NULL: not read */
	uint32_t *first;         /* [procedure - 1]: of those it calls, or that call it, .. */
	uint32_t *ends;          /* .. procedure << KIND_BITS, and its kind */
	model_id *in_file;       /* procedures in the order of their places */
	size_t nr_in_file;
	/* [procedure - 1]: the nearest in the file that is known, and how many stand between. */
	struct neighbour { entity_id entity; uint32_t between; } *above, *below;
};

struct lead { uint32_t key, item; };

struct vicinity {
	struct match *m;
	size_t k;
	struct graph *graphs;    /* by profile */
	struct around *a, *b;
	size_t nr_a, nr_b;
	uint32_t *known;         /* of all */
	size_t nr_known, known_alloc;
	size_t nr_looked;        /* at, for that */
	size_t grams;            /* of each text that is looked at */
	float *weight;           /* [entity]: of it as caller or callee */
	float *trust;            /* [entity]: how alike its own texts are; below 0: not known yet */
	struct lead *leads;      /* to those of B, ascending */
	size_t nr_leads, leads_alloc;
	bool led_there;          /* they are made for what is known now */
	struct tally led;        /* those of B that anything leads to */
};

/* ---- graphs ---- */

struct edge { model_id caller, callee; };
struct edges { struct side *side; struct edge *items; size_t nr, alloc; };

static void
add_edge(void *context, const struct bulk_row *row)
{
	struct edges *e = context;
	const struct side_procedure *caller = side_procedure(e->side, row->procedure);
	const struct side_procedure *callee = side_procedure(e->side, row->callee);

	if (!caller || !callee || caller->copy_of == callee->copy_of)
		return;
	GROW(e->items, e->nr + 1, e->alloc);
	e->items[e->nr++] = (struct edge){ caller->copy_of, callee->copy_of };
}

static void
sort_edges(struct graph *g, const struct edges *e)
{
	size_t nr = g->side->nr_procedures;
	uint32_t *at = xcalloc(nr + 2, sizeof(*at));

	g->ends = xcalloc(2 * e->nr, sizeof(*g->ends));
	for (size_t i = 0; i < e->nr; i++) {
		at[e->items[i].caller + 1]++;
		at[e->items[i].callee + 1]++;
	}
	for (size_t i = 1; i < nr + 2; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < e->nr; i++) {
		struct edge edge = e->items[i];

		g->ends[at[edge.caller]++] = edge.callee << KIND_BITS | CALLEE;
		g->ends[at[edge.callee]++] = edge.caller << KIND_BITS | CALLER;
	}
	g->first = at; /* each has become the end, which is the begin of the next one */
}

static int
read_graph(struct graph *g, struct side *s)
{
	struct edges edges = { .side = s };
	int status;

	g->side = s;
	status = profile_bulk(s->p, BULK_ENDS, 0, add_edge, &edges);
	sort_edges(g, &edges);
	free(edges.items);
	g->in_file = xcalloc(s->nr_spans, sizeof(*g->in_file));
	for (size_t i = 0; i < s->nr_spans; i++)
		if (s->procedures[s->spans[i].procedure - 1].copy_of == s->spans[i].procedure)
			g->in_file[g->nr_in_file++] = s->spans[i].procedure;
	g->above = xcalloc(s->nr_procedures, sizeof(*g->above));
	g->below = xcalloc(s->nr_procedures, sizeof(*g->below));
	return status;
}

/* ---- what is known ---- */

/* The entity of a procedure that is in the last profile and in one before; 0: none. */
static entity_id
known_entity(const struct vicinity *v, size_t profile, model_id procedure)
{
	const struct match *m = v->m;
	const struct side_procedure *procedures = m->sides[profile].procedures;
	entity_id e = procedures[procedures[procedure - 1].copy_of - 1].entity;

	return e && m->procedure[e * m->nr_sides + v->k] ? e : 0;
}

/* Goes through files from the begin to the end, or from the end to the begin. */
static void
find_neighbours(const struct vicinity *v, struct graph *g, size_t profile, bool upwards)
{
	struct neighbour *out = upwards ? g->below : g->above, last = { 0, 0 };
	size_t nr = g->nr_in_file;
	model_id file = 0;

	for (size_t i = 0; i < nr; i++) {
		model_id id = g->in_file[upwards ? nr - 1 - i : i];
		const struct side_procedure *p = &g->side->procedures[id - 1];
		entity_id e = known_entity(v, profile, id);

		if (p->place.file != file)
			last = (struct neighbour){ 0, 0 };
		file = p->place.file;
		out[id - 1] = last;
		last.between++;
		if (e)
			last = (struct neighbour){ e, 0 };
	}
}

/* A neighbour that was rewritten under its name is weak evidence. */
static float
find_trust(const struct vicinity *v, entity_id e)
{
	struct match *m = v->m;
	size_t home = m->home[e];
	struct found *found = &m->found[e * m->nr_sides + v->k];
	struct digest *a, *b;
	uint64_t common;
	double alike;

	if (found->how == MATCH_LIKE)
		return (float)found->percent / 100;
	a = side_digest(&m->sides[home], m->procedure[e * m->nr_sides + home], v->grams, &m->work);
	b = side_digest(&m->sides[v->k], m->procedure[e * m->nr_sides + v->k], v->grams, &m->work);
	if (a->tokens && b->tokens && a->hash != b->hash)
		match_text_changed(m, e, v->k);
	alike = a->tokens && a->hash == b->hash ? 1 : grams_alike(&a->grams, &b->grams, &common);
	/* Nobody else asks for what is matched. */
	digest_release(a);
	digest_release(b);
	return (float)alike;
}

static void
add_known(struct vicinity *v, entity_id e, uint32_t kind)
{
	if (!e)
		return;
	GROW(v->known, v->nr_known + 1, v->known_alloc);
	v->known[v->nr_known++] = e << KIND_BITS | kind;
}

static int
compare_known(const void *pa, const void *pb)
{
	const uint32_t *a = pa, *b = pb;

	COMPARE(*a, *b);
	return 0;
}

/* Puts what is known around one to the end of the list of all. */
static void
look_around(struct vicinity *v, struct around *x)
{
	const struct graph *g = &v->graphs[x->profile];
	const struct neighbour *above = &g->above[x->procedure - 1];
	const struct neighbour *below = &g->below[x->procedure - 1];
	size_t begin = v->nr_known, kept = begin;

	x->nr = 0;
	if (known_entity(v, x->profile, x->procedure))
		return;
	v->nr_looked += g->first[x->procedure] - g->first[x->procedure - 1] + 1;
	for (uint32_t i = g->first[x->procedure - 1]; i < g->first[x->procedure]; i++)
		add_known(v, known_entity(v, x->profile, g->ends[i] >> KIND_BITS),
			  g->ends[i] & ((1 << KIND_BITS) - 1));
	add_known(v, above->entity, ABOVE);
	add_known(v, below->entity, BELOW);
	if (v->nr_known > begin)
		qsort(v->known + begin, v->nr_known - begin, sizeof(*v->known), compare_known);
	for (size_t i = begin; i < v->nr_known && kept < begin + MOST_KNOWN; i++)
		if (kept == begin || v->known[kept - 1] != v->known[i])
			v->known[kept++] = v->known[i];
	v->nr_known = kept;
	for (size_t i = begin; i < kept; i++) {
		entity_id e = v->known[i] >> KIND_BITS;

		if (v->trust[e] < 0)
			v->trust[e] = find_trust(v, e);
	}
	x->nr = (uint32_t)(kept - begin);
	x->above = above->between;
	x->below = below->between;
}

/* The list has grown; only now each part of it stays where it is. */
static size_t
point_to_known(const struct vicinity *v, struct around *x, size_t nr, size_t at)
{
	for (size_t i = 0; i < nr; i++) {
		x[i].known = v->known + at;
		at += x[i].nr;
	}
	return at;
}

/* ---- leads ---- */

static int
compare_leads(const void *pa, const void *pb)
{
	const struct lead *a = pa, *b = pb;

	COMPARE(a->key, b->key);
	COMPARE(a->item, b->item);
	return 0;
}

static void
make_leads(struct vicinity *v)
{
	v->nr_leads = 0;
	v->led_there = true;
	for (size_t i = 0; i < v->nr_b; i++)
		for (uint32_t n = 0; n < v->b[i].nr; n++) {
			GROW(v->leads, v->nr_leads + 1, v->leads_alloc);
			v->leads[v->nr_leads++] = (struct lead){ v->b[i].known[n], (uint32_t)i };
		}
	if (v->nr_leads)
		qsort(v->leads, v->nr_leads, sizeof(*v->leads), compare_leads);
}

static float
weight_of(const struct vicinity *v, uint32_t key)
{
	entity_id e = key >> KIND_BITS;

	return v->trust[e] * ((key & ((1 << KIND_BITS) - 1)) >= ABOVE ? 1 : v->weight[e]);
}

static void
follow(struct vicinity *v, uint32_t key)
{
	size_t low = 0, high = v->nr_leads, end;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (v->leads[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < v->nr_leads && v->leads[end].key == key; end++)
		if (end - low == MOST_LEADS)
			return;
	for (; low < end; low++)
		tally_add(&v->led, v->leads[low].item, weight_of(v, key));
}

size_t
vicinity_leads(struct vicinity *v, const struct around *a, uint32_t *best, size_t most)
{
	if (!v->led_there)
		make_leads(v);
	for (uint32_t i = 0; i < a->nr; i++)
		follow(v, a->known[i]);
	return tally_take(&v->led, best, most);
}

/* ---- all of it ---- */

static void
weigh(struct vicinity *v)
{
	const struct match *m = v->m;

	v->weight = xcalloc(m->nr_entities + 1, sizeof(*v->weight));
	v->trust = xcalloc(m->nr_entities + 1, sizeof(*v->trust));
	for (entity_id e = 1; e <= m->nr_entities; e++) {
		size_t home = m->home[e];
		model_id id = m->procedure[e * m->nr_sides + home];
		const uint32_t *first = v->graphs[home].first;

		v->trust[e] = -1;
		v->weight[e] = 2 / log2f(2 + (float)(first[id] - first[id - 1]));
	}
}

size_t
vicinity_update(struct vicinity *v)
{
	for (size_t i = 0; i <= v->k; i++) {
		find_neighbours(v, &v->graphs[i], i, false);
		find_neighbours(v, &v->graphs[i], i, true);
	}
	v->nr_known = v->nr_looked = 0;
	for (size_t i = 0; i < v->nr_a; i++)
		look_around(v, &v->a[i]);
	for (size_t i = 0; i < v->nr_b; i++)
		look_around(v, &v->b[i]);
	point_to_known(v, v->b, v->nr_b, point_to_known(v, v->a, v->nr_a, 0));
	v->led_there = false;
	return v->nr_looked;
}

struct vicinity *
vicinity_new(struct match *m, size_t k, size_t grams, struct around *a, size_t nr_a,
	     struct around *b, size_t nr_b)
{
	struct vicinity *v = xcalloc(1, sizeof(*v));

	*v = (struct vicinity){ .m = m, .k = k, .grams = grams, .a = a, .b = b, .nr_a = nr_a,
				.nr_b = nr_b };
	v->graphs = xcalloc(k + 1, sizeof(*v->graphs));
	tally_init(&v->led, nr_b);
	for (size_t i = 0; i <= k; i++)
		if (read_graph(&v->graphs[i], &m->sides[i])) {
			vicinity_free(v);
			return NULL;
		}
	weigh(v);
	return v;
}

void
vicinity_free(struct vicinity *v)
{
	if (!v)
		return;
	for (size_t i = 0; i <= v->k; i++) {
		free(v->graphs[i].first);
		free(v->graphs[i].ends);
		free(v->graphs[i].in_file);
		free(v->graphs[i].above);
		free(v->graphs[i].below);
	}
	free(v->graphs);
	free(v->known);
	free(v->weight);
	free(v->trust);
	free(v->leads);
	tally_release(&v->led);
	free(v);
}

/* ---- comparing ---- */

/* How much of 1 is left of a neighbour in the file when others stand between. */
static double
closeness(const struct around *a, const struct around *b, uint32_t key)
{
	uint32_t kind = key & ((1 << KIND_BITS) - 1);
	double between;

	if (kind < ABOVE)
		return 1;
	between = kind == ABOVE ? (double)a->above - b->above : (double)a->below - b->below;
	return 1 / (1 + fabs(between));
}

double
vicinity_agrees(const struct vicinity *v, const struct around *a, const struct around *b,
		double *evidence)
{
	double both = 0, all = 0;
	uint32_t i = 0, k = 0;

	while (i < a->nr || k < b->nr) {
		uint32_t ka = i < a->nr ? a->known[i] : UINT32_MAX;
		uint32_t kb = k < b->nr ? b->known[k] : UINT32_MAX;
		double weight = weight_of(v, ka < kb ? ka : kb);

		if (ka == kb)
			both += weight * closeness(a, b, ka);
		all += ka == kb ? 2 * weight : weight;
		i += ka <= kb;
		k += kb <= ka;
	}
	*evidence = both;
	return all > 0 ? 2 * both / all : 0;
}
