/* Likeness of texts, by 3-grams of tokens, and who is most like whom.
 *
 * Candidates come from an index of the 3-grams of B. Of a text those with the smallest hashes are
 * in it: of two texts that have a third of all their 3-grams in common, a third of these are in
 * both, too (Broder 1997). */
#include "compare/likeness.h"

#include <stdlib.h>
#include <string.h>

#include "compare/token.h"
#include "util/mem.h"

/* ---- reading ---- */

/* In ascending order. They are hashes, so each has its place, about, and few are before it. */
static void
sort_hashes(struct grams *g)
{
	uint32_t *first = xcalloc((size_t)g->nr + 1, sizeof(*first));
	uint32_t *sorted = xcalloc(g->nr, sizeof(*sorted));
	uint64_t end = UINT64_C(1) << (32 - g->step);

	for (uint32_t i = 0; i < g->nr; i++)
		first[g->hashes[i] * (uint64_t)g->nr / end + 1]++;
	for (uint32_t i = 0; i < g->nr; i++)
		first[i + 1] += first[i];
	for (uint32_t i = 0; i < g->nr; i++)
		sorted[first[g->hashes[i] * (uint64_t)g->nr / end]++] = g->hashes[i];
	for (uint32_t i = 1; i < g->nr; i++) {
		uint32_t hash = sorted[i], at = i;

		for (; at && sorted[at - 1] > hash; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = hash;
	}
	free(first);
	free(g->hashes);
	g->hashes = sorted;
}

/* Keeps only the smaller half of the hashes. */
static void
thin_out(struct grams *g)
{
	uint32_t kept = 0;

	g->step++;
	for (uint32_t i = 0; i < g->nr; i++)
		if (!(g->hashes[i] >> (32 - g->step)))
			g->hashes[kept++] = g->hashes[i];
	g->nr = kept;
}

static void
add_gram(struct grams *g, size_t *alloc, uint32_t hash, size_t most)
{
	enum { MOST_STEPS = 16 };

	if (g->step && hash >> (32 - g->step))
		return;
	GROW(g->hashes, (size_t)g->nr + 1, *alloc);
	g->hashes[g->nr++] = hash;
	if (g->nr > most && g->step < MOST_STEPS)
		thin_out(g);
}

static bool
same_text(struct slice a, struct slice b)
{
	return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

void
digest_read(struct digest *d, const struct span *s, uint32_t column, size_t most)
{
	struct token_reader r = { s->text, s->first, s->last, column ? column - 1 : 0, false };
	struct token_text t, name = { .text = { "", 0 } };
	uint64_t last[3] = { 0 };
	size_t alloc = 0;

	*d = (struct digest){ .hash = HASH_START, .read = true };
	for (; token_next(&r, &t); d->tokens++) {
		if (!d->tokens)
			name = t;
		last[0] = last[1];
		last[1] = last[2];
		last[2] = same_text(t.text, name.text) ? 1 : slice_hash(t.text);
		d->hash = hash_number(d->hash, last[2]);
		if (d->tokens < 2)
			continue;
		add_gram(&d->grams, &alloc, (uint32_t)(hash_number(hash_number(
			 hash_number(HASH_START, last[0]), last[1]), last[2]) >> 16), most);
	}
	if (d->grams.nr)
		sort_hashes(&d->grams);
}

void
digest_release(struct digest *d)
{
	free(d->grams.hashes);
	*d = (struct digest){ .tokens = 0 };
}

/* ---- comparing ---- */

/* How many were kept of what would be kept at STEP. */
static uint32_t
kept_at(const struct grams *g, unsigned step)
{
	uint32_t nr = g->nr;

	while (nr && step && g->hashes[nr - 1] >> (32 - step))
		nr--;
	return nr;
}

double
grams_alike(const struct grams *a, const struct grams *b, uint64_t *common)
{
	unsigned step = a->step > b->step ? a->step : b->step;
	uint32_t nr_a = kept_at(a, step), nr_b = kept_at(b, step), both = 0;

	for (uint32_t i = 0, k = 0; i < nr_a && k < nr_b;) {
		uint32_t ha = a->hashes[i], hb = b->hashes[k];

		both += ha == hb;
		i += ha <= hb;
		k += hb <= ha;
	}
	*common = (uint64_t)both << step;
	return nr_a + nr_b ? 2.0 * both / ((double)nr_a + nr_b) : 0;
}

/* ---- candidates ---- */

enum {
	MOST_POSTINGS = 1 << 20, /* of all texts */
	LEAST_INDEXED = 48,      /* of a text */
	MOST_SHARED = 32,        /* texts that may have a 3-gram: it tells them apart */
	MOST_CANDIDATES = 6,
};

struct posting { uint32_t hash, item; };

/* The texts of B by their 3-grams. */
struct gram_index {
	struct posting *postings;
	uint32_t *first;         /* [bucket]: its first posting; [buckets]: the end */
	unsigned shift;          /* from a hash to its bucket */
	uint32_t each;           /* different 3-grams of a text that are in it, at most */
};

/* The next different hash behind *AT; false: there is none. */
static bool
next_hash(const struct grams *g, uint32_t *at)
{
	do
		++*at;
	while (*at < g->nr && g->hashes[*at] == g->hashes[*at - 1]);
	return *at < g->nr;
}

static void
index_grams(struct gram_index *x, const struct lonely *b, size_t nr)
{
	unsigned bits = 8;
	size_t buckets;

	x->each = (uint32_t)(MOST_POSTINGS / (nr + 1));
	if (x->each < LEAST_INDEXED)
		x->each = LEAST_INDEXED;
	while (bits < 20 && UINT64_C(1) << bits < nr * LEAST_INDEXED)
		bits++;
	x->shift = 32 - bits;
	buckets = (size_t)1 << bits;
	x->first = xcalloc(buckets + 2, sizeof(*x->first));
	for (size_t i = 0; i < nr; i++)
		for (uint32_t n = 0, at = 0; at < b[i].grams->nr && n < x->each; n++) {
			x->first[(b[i].grams->hashes[at] >> x->shift) + 2]++;
			next_hash(b[i].grams, &at);
		}
	for (size_t i = 1; i <= buckets; i++)
		x->first[i + 1] += x->first[i];
	x->postings = xcalloc(x->first[buckets + 1], sizeof(*x->postings));
	for (size_t i = 0; i < nr; i++)
		for (uint32_t n = 0, at = 0; at < b[i].grams->nr && n < x->each; n++) {
			uint32_t hash = b[i].grams->hashes[at];

			x->postings[x->first[(hash >> x->shift) + 1]++] =
				(struct posting){ hash, (uint32_t)i };
			next_hash(b[i].grams, &at);
		}
}

/* Texts of B that have 3-grams of one of A, and how many. */
struct shared {
	uint32_t *nr;            /* [item of B] */
	uint32_t *items;         /* those that have any */
	size_t nr_items, alloc;
};

static void
count_shared(const struct gram_index *x, uint32_t hash, struct shared *s)
{
	uint32_t begin = x->first[hash >> x->shift], end = x->first[(hash >> x->shift) + 1];
	uint32_t found[MOST_SHARED], nr = 0;

	for (uint32_t i = begin; i < end; i++) {
		if (x->postings[i].hash != hash)
			continue;
		if (nr == MOST_SHARED)
			return;
		found[nr++] = x->postings[i].item;
	}
	for (uint32_t i = 0; i < nr; i++) {
		if (!s->nr[found[i]]++) {
			GROW(s->items, s->nr_items + 1, s->alloc);
			s->items[s->nr_items++] = found[i];
		}
	}
}

struct likely { uint32_t a, b; double alike; uint64_t common; bool gone; };

struct likely_list { struct likely *pairs; size_t nr, alloc; };

/* Takes the items with the most, and empties the list. */
static size_t
take_best(struct shared *s, uint32_t best[MOST_CANDIDATES])
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr_items; i++) {
		uint32_t item = s->items[i];
		size_t at = nr < MOST_CANDIDATES ? nr++ : nr;

		for (; at && s->nr[best[at - 1]] < s->nr[item]; at--)
			if (at < MOST_CANDIDATES)
				best[at] = best[at - 1];
		if (at < MOST_CANDIDATES)
			best[at] = item;
	}
	for (size_t i = 0; i < s->nr_items; i++)
		s->nr[s->items[i]] = 0;
	s->nr_items = 0;
	return nr;
}

static void
find_candidates(const struct lonely *a, size_t nr_a, const struct lonely *b, size_t nr_b,
		struct likely_list *list)
{
	struct gram_index x;
	struct shared s = { .nr = xcalloc(nr_b, sizeof(*s.nr)) };
	uint32_t best[MOST_CANDIDATES];

	index_grams(&x, b, nr_b);
	for (uint32_t i = 0; i < nr_a; i++) {
		const struct grams *g = a[i].grams;
		size_t nr;

		for (uint32_t n = 0, at = 0; at < g->nr && n < x.each; n++) {
			count_shared(&x, g->hashes[at], &s);
			next_hash(g, &at);
		}
		nr = take_best(&s, best);
		for (size_t k = 0; k < nr; k++) {
			struct likely l = { .a = i, .b = best[k] };

			l.alike = grams_alike(g, b[l.b].grams, &l.common);
			GROW(list->pairs, list->nr + 1, list->alloc);
			list->pairs[list->nr++] = l;
		}
	}
	free(x.first);
	free(x.postings);
	free(s.nr);
	free(s.items);
}

/* ---- who belongs to whom ---- */

/* Found by trial with pairs of versions of programs. What two short texts
 * have in common, many have. A text whose procedure got another linkage is most often that of a new
 * helper, which took it over. */
enum { LEAST_COMMON = 16 };
#define LEAST_ALIKE 0.5
#define LEAST_OTHER_LINKAGE 0.9
#define LEAST_MARGIN 0.15
enum { MOST_ROUNDS = 8 };

/* The most similar two of a text. */
struct two_best { double first, second; };

static void
note_alike(struct two_best *t, double alike)
{
	if (alike > t->first) {
		t->second = t->first;
		t->first = alike;
	} else if (alike > t->second) {
		t->second = alike;
	}
}

static bool
belong_together(const struct likely *l, const struct lonely *a, const struct lonely *b,
		const struct two_best *best_a, const struct two_best *best_b)
{
	bool other_linkage = a[l->a].is_static != b[l->b].is_static;
	double least = other_linkage ? LEAST_OTHER_LINKAGE : LEAST_ALIKE;

	return l->alike >= least && l->common >= LEAST_COMMON &&
	       l->alike >= best_a[l->a].first && l->alike >= best_b[l->b].first &&
	       l->alike - best_a[l->a].second >= LEAST_MARGIN &&
	       l->alike - best_b[l->b].second >= LEAST_MARGIN;
}

struct choosing {
	const struct lonely *a, *b;
	size_t nr_a, nr_b;
	struct likely_list list;
	struct two_best *best_a, *best_b;
	bool *gone_a, *gone_b;
};

/* Returns whether there was any pair. */
static bool
choose(struct choosing *c, void (*pair)(void *context, uint32_t a, uint32_t b, double alike),
       void *context)
{
	bool any = false;

	memset(c->best_a, 0, c->nr_a * sizeof(*c->best_a));
	memset(c->best_b, 0, c->nr_b * sizeof(*c->best_b));
	for (size_t i = 0; i < c->list.nr; i++) {
		struct likely *l = &c->list.pairs[i];

		l->gone = c->gone_a[l->a] || c->gone_b[l->b];
		if (l->gone)
			continue;
		note_alike(&c->best_a[l->a], l->alike);
		note_alike(&c->best_b[l->b], l->alike);
	}
	for (size_t i = 0; i < c->list.nr; i++) {
		const struct likely *l = &c->list.pairs[i];

		if (l->gone || !belong_together(l, c->a, c->b, c->best_a, c->best_b))
			continue;
		c->gone_a[l->a] = c->gone_b[l->b] = any = true;
		pair(context, c->a[l->a].index, c->b[l->b].index, l->alike);
	}
	return any;
}

void
lonely_match(const struct lonely *a, size_t nr_a, const struct lonely *b, size_t nr_b,
	     void (*pair)(void *context, uint32_t a, uint32_t b, double alike), void *context)
{
	struct choosing c = { .a = a, .b = b, .nr_a = nr_a, .nr_b = nr_b };

	if (!nr_a || !nr_b)
		return;
	c.best_a = xcalloc(nr_a, sizeof(*c.best_a));
	c.best_b = xcalloc(nr_b, sizeof(*c.best_b));
	c.gone_a = xcalloc(nr_a, sizeof(*c.gone_a));
	c.gone_b = xcalloc(nr_b, sizeof(*c.gone_b));
	find_candidates(a, nr_a, b, nr_b, &c.list);
	for (int round = 0; round < MOST_ROUNDS && choose(&c, pair, context); round++)
		;
	free(c.best_a);
	free(c.best_b);
	free(c.gone_a);
	free(c.gone_b);
	free(c.list.pairs);
}
