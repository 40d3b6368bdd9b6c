/* Likeness of texts, by 3-grams of tokens.
 *
 * Of a text those 3-grams with the smallest hashes are in the index: of two texts that have a third
 * of all their 3-grams in common, a third of these are in both, too (Broder 1997). */
#include "compare/match/likeness.h"

#include <stdlib.h>
#include <string.h>

#include "compare/match/tally.h"
#include "compare/match/token.h"
#include "util/mem.h"

/* ---- reading ---- */

/* In ascending order. They are hashes, so each has its place, about, and few are before it. */
static void
sort_hashes(struct grams *g)
{
	enum { FEW = 256 };
	uint32_t of_few[FEW + 1] = { 0 };
	uint32_t *first = g->nr > FEW ? xcalloc((size_t)g->nr + 1, sizeof(*first)) : of_few;
	uint32_t *sorted = xmalloc(g->nr * sizeof(*sorted));
	unsigned shift = 32 - g->step;

	for (uint32_t i = 0; i < g->nr; i++)
		first[(g->hashes[i] * (uint64_t)g->nr >> shift) + 1]++;
	for (uint32_t i = 0; i < g->nr; i++)
		first[i + 1] += first[i];
	for (uint32_t i = 0; i < g->nr; i++)
		sorted[first[g->hashes[i] * (uint64_t)g->nr >> shift]++] = g->hashes[i];
	for (uint32_t i = 1; i < g->nr; i++) {
		uint32_t hash = sorted[i], at = i;

		for (; at && sorted[at - 1] > hash; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = hash;
	}
	if (first != of_few)
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

/* Three tokens. Small hashes are taken for a sample, so every bit depends on each of them. */
static uint32_t
gram_hash(const uint64_t token[3])
{
	uint64_t h = HASH_START;

	for (int i = 0; i < 3; i++)
		h = hash_number(h, token[i]);
	h *= 0xbf58476d1ce4e5b9ull;
	return (uint32_t)((h ^ h >> 29) >> 16);
}

void
digest_read(struct digest *d, const struct span *s, uint32_t column, size_t most)
{
	struct token_reader r = { .text = s->text, .line = s->first, .last = s->last,
				  .begin = column ? column - 1 : 0 };
	struct token_text t;
	uint64_t name = 0, last[3] = { 0 };
	size_t alloc = most + 1;

	*d = (struct digest){ .hash = HASH_START, .read = true };
	d->grams.hashes = xmalloc(alloc * sizeof(*d->grams.hashes));
	for (; token_next(&r, &t); d->tokens++) {
		uint64_t hash = slice_hash(t.text);

		if (!d->tokens)
			name = hash;
		last[0] = last[1];
		last[1] = last[2];
		last[2] = hash == name ? 1 : hash;
		d->hash = hash_number(d->hash, last[2]);
		if (d->tokens >= 2)
			add_gram(&d->grams, &alloc, gram_hash(last), most);
	}
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

/* Behind hashes that are less than HASH. */
static uint32_t
behind_less(const uint32_t *hashes, uint32_t nr, uint32_t hash)
{
	uint32_t low = 0, high = nr;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (hashes[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How far two ascending lists are read, and how many both had. */
struct merge { const uint32_t *a, *a_end, *b, *b_end; uint32_t both; };

static inline bool
merges(const struct merge *m)
{
	return m->a < m->a_end && m->b < m->b_end;
}

static inline void
merge_one(struct merge *m)
{
	uint32_t a = *m->a, b = *m->b;

	m->both += a == b;
	m->a += a <= b;
	m->b += b <= a;
}

/* Each step waits for the one before, so the lower and the upper half are merged side by side. */
static uint32_t
count_common(const uint32_t *a, uint32_t nr_a, const uint32_t *b, uint32_t nr_b)
{
	uint32_t half = nr_a / 2, half_a = nr_a ? behind_less(a, nr_a, a[half]) : 0;
	uint32_t half_b = nr_a ? behind_less(b, nr_b, a[half]) : 0;
	struct merge low = { a, a + half_a, b, b + half_b, 0 };
	struct merge high = { a + half_a, a + nr_a, b + half_b, b + nr_b, 0 };

	while (merges(&low) && merges(&high)) {
		merge_one(&low);
		merge_one(&high);
	}
	while (merges(&low))
		merge_one(&low);
	while (merges(&high))
		merge_one(&high);
	return low.both + high.both;
}

double
grams_alike(const struct grams *a, const struct grams *b, uint64_t *common)
{
	unsigned step = a->step > b->step ? a->step : b->step;
	uint32_t nr_a = kept_at(a, step), nr_b = kept_at(b, step);
	uint32_t both = count_common(a->hashes, nr_a, b->hashes, nr_b);

	*common = (uint64_t)both << step;
	return nr_a + nr_b ? 2.0 * both / ((double)nr_a + nr_b) : 0;
}

/* ---- candidates ---- */

enum {
	MOST_POSTINGS = 1 << 20, /* of all texts */
	LEAST_INDEXED = 48,      /* of a text */
	MOST_SHARED = 32,        /* texts that may have a 3-gram: it tells them apart */
	COMMON_BITS = 12,
};

struct posting { uint32_t hash, item; };

struct gram_index {
	struct posting *postings;
	uint32_t *first;         /* [bucket]: its first posting; [buckets]: the end */
	unsigned shift;          /* from a hash to its bucket */
	uint32_t each;           /* different 3-grams of a text that are in it, at most */
	struct tally shared;     /* by those of one text */
	/* 3-grams that too many texts have, those met last, each at its lowest bits: they are asked
	 * for most often. What stands at other bits is none. */
	uint32_t common[1 << COMMON_BITS];
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

/* Counts the postings of each bucket, or puts them there. */
static void
index_grams(struct gram_index *x, const struct grams *const *texts, size_t nr, bool put)
{
	for (size_t i = 0; i < nr; i++)
		for (uint32_t n = 0, at = 0; at < texts[i]->nr && n < x->each; n++) {
			uint32_t hash = texts[i]->hashes[at];

			if (put)
				x->postings[x->first[(hash >> x->shift) + 1]++] =
					(struct posting){ hash, (uint32_t)i };
			else
				x->first[(hash >> x->shift) + 2]++;
			next_hash(texts[i], &at);
		}
}

struct gram_index *
gram_index_new(const struct grams *const *texts, size_t nr)
{
	struct gram_index *x = xcalloc(1, sizeof(*x));
	unsigned bits = 8;
	size_t buckets;

	x->common[0] = 1;
	x->each = (uint32_t)(MOST_POSTINGS / (nr + 1));
	if (x->each < LEAST_INDEXED)
		x->each = LEAST_INDEXED;
	while (bits < 20 && UINT64_C(1) << bits < nr * LEAST_INDEXED)
		bits++;
	x->shift = 32 - bits;
	buckets = (size_t)1 << bits;
	x->first = xcalloc(buckets + 2, sizeof(*x->first));
	index_grams(x, texts, nr, false);
	for (size_t i = 1; i <= buckets; i++)
		x->first[i + 1] += x->first[i];
	x->postings = xcalloc(x->first[buckets + 1], sizeof(*x->postings));
	index_grams(x, texts, nr, true);
	tally_init(&x->shared, nr);
	return x;
}

void
gram_index_free(struct gram_index *x)
{
	free(x->first);
	free(x->postings);
	tally_release(&x->shared);
	free(x);
}

static uint32_t *
common_at(struct gram_index *x, uint32_t hash)
{
	return &x->common[hash & ((1 << COMMON_BITS) - 1)];
}

static void
count_shared(struct gram_index *x, uint32_t hash)
{
	uint32_t begin = x->first[hash >> x->shift], end = x->first[(hash >> x->shift) + 1];
	uint32_t found[MOST_SHARED], nr = 0, *common = common_at(x, hash);

	if (*common == hash)
		return;
	for (uint32_t i = begin; i < end; i++) {
		if (x->postings[i].hash != hash)
			continue;
		if (nr == MOST_SHARED) {
			*common = hash;
			return;
		}
		found[nr++] = x->postings[i].item;
	}
	for (uint32_t i = 0; i < nr; i++)
		tally_add(&x->shared, found[i], 1);
}

/* Where to look is known before, so that memory answers many questions at a time. */
size_t
gram_index_leads(struct gram_index *x, const struct grams *g, uint32_t *best, size_t most)
{
	enum { AT_ONCE = 32 };
	uint32_t hashes[AT_ONCE], at = 0, left = x->each;

	while (at < g->nr && left) {
		uint32_t nr = 0;

		for (; nr < AT_ONCE && at < g->nr && left; left--) {
			hashes[nr] = g->hashes[at];
			__builtin_prefetch(&x->first[hashes[nr++] >> x->shift]);
			next_hash(g, &at);
		}
		for (uint32_t i = 0; i < nr; i++)
			__builtin_prefetch(&x->postings[x->first[hashes[i] >> x->shift]]);
		for (uint32_t i = 0; i < nr; i++)
			count_shared(x, hashes[i]);
	}
	return tally_take(&x->shared, best, most);
}
