#include "compare/match/counterpart.h"

#include <math.h>
#include <stdlib.h>

#include "compare/match/vicinity.h"

enum {
	MOST_LIKELY = 6,         /* looked at for each, by its text and by what is around it */
	MOST_PASSES = 4, MOST_ROUNDS = 8,
	MOST_AGAIN = 8,          /* times that all may be looked around again */
	LEAST_WORK = 1 << 20,    /* or this many steps */
};

/* Found by trial with pairs of versions of programs. What two short texts have in common, many
 * have; so less is enough the more of what is around them agrees. Where the texts are equal, no
 * difference between them could tell another; where they nearly are, one that is twice as far
 * away is another. A text whose procedure got another linkage is most often that of a new helper,
 * which took it over. */
enum { LEAST_COMMON = 16, LEAST_COMMON_THERE = 8, LEAST_COMMON_EQUAL = 4 };
#define LEAST_ALIKE 0.5
#define LEAST_ALIKE_THERE 0.3
#define LEAST_OTHER_LINKAGE 0.9
#define LEAST_MARGIN 0.15
#define LEAST_MARGIN_EQUAL 0.05
#define ENOUGH_EVIDENCE 2.0
/* How much agreement of what is around counts beside that of the texts. */
#define WEIGHT_AROUND 0.3

/* A procedure that looks for its counterpart. */
struct lonely {
	uint32_t index;          /* entity, or index in the profile */
	bool is_static, gone;
	double first, second;    /* scores of the two that are most likely */
};

/* THERE: how surely B stands where A stood, 0 to 1. */
struct likely { uint32_t a, b; uint64_t common; double alike, there, score; };

struct counterparts {
	struct match *m;
	size_t k, most_grams;
	struct lonely *a, *b;
	struct around *around_a, *around_b;
	const struct grams **grams_a, **grams_b;
	size_t nr_a, nr_b;
	struct vicinity *vicinity;
	uint64_t work;           /* left for looking around again */
	struct likely *likely;
	size_t nr_likely, likely_alloc;
	void (*pair)(void *context, uint32_t entity, uint32_t index, double alike);
	void *context;
};

/* ---- who looks for one ---- */

static void
add_lonely(const struct match *m, struct lonely *l, struct around *around, uint32_t index,
	   size_t profile, model_id procedure)
{
	*l = (struct lonely){ .index = index };
	l->is_static = m->sides[profile].procedures[procedure - 1].is_static;
	*around = (struct around){ .profile = profile, .procedure = procedure };
}

static void
take_unmatched(struct counterparts *c, const struct unmatched *u)
{
	const struct match *m = c->m;

	c->nr_a = u->nr_old;
	c->nr_b = u->nr_new;
	c->a = xcalloc(c->nr_a, sizeof(*c->a));
	c->b = xcalloc(c->nr_b, sizeof(*c->b));
	c->around_a = xcalloc(c->nr_a, sizeof(*c->around_a));
	c->around_b = xcalloc(c->nr_b, sizeof(*c->around_b));
	c->grams_a = xcalloc(c->nr_a, sizeof(*c->grams_a));
	c->grams_b = xcalloc(c->nr_b, sizeof(*c->grams_b));
	for (size_t i = 0; i < c->nr_a; i++) {
		uint32_t e = u->old[i].index, home = m->home[e];

		add_lonely(m, &c->a[i], &c->around_a[i], e, home,
			   m->procedure[e * m->nr_sides + home]);
	}
	for (size_t i = 0; i < c->nr_b; i++)
		add_lonely(m, &c->b[i], &c->around_b[i], u->new[i].index, c->k,
			   u->new[i].index + 1);
}

/* ---- texts ---- */

/* Those that are matched by now lead nowhere. */
static void
read_texts(struct counterparts *c, const struct lonely *l, const struct around *around,
	   const struct grams **grams, size_t nr)
{
	static const struct grams none;
	struct match *m = c->m;

	for (size_t i = 0; i < nr; i++) {
		struct side *s = &m->sides[around[i].profile];

		grams[i] = l[i].gone ? &none :
			   &side_digest(s, around[i].procedure, c->most_grams, &m->work)->grams;
	}
}

/* ---- which procedures belong together ---- */

static int
compare_likely(const void *pa, const void *pb)
{
	const struct likely *a = pa, *b = pb;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

static void
add_likely(struct counterparts *c, uint32_t a, const uint32_t *best, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct likely l = { .a = a, .b = best[i] };

		if (c->a[a].gone || c->b[best[i]].gone)
			continue;
		l.alike = grams_alike(c->grams_a[a], c->grams_b[best[i]], &l.common);
		GROW(c->likely, c->nr_likely + 1, c->likely_alloc);
		c->likely[c->nr_likely++] = l;
	}
}

static void
find_likely(struct counterparts *c)
{
	struct gram_index *x = gram_index_new(c->grams_b, c->nr_b);
	uint32_t best[MOST_LIKELY];
	size_t kept = 0;

	c->nr_likely = 0;
	for (uint32_t i = 0; i < c->nr_a; i++) {
		if (c->a[i].gone)
			continue;
		add_likely(c, i, best, gram_index_leads(x, c->grams_a[i], best, MOST_LIKELY));
		add_likely(c, i, best, vicinity_leads(c->vicinity, &c->around_a[i], best,
						      MOST_LIKELY));
	}
	gram_index_free(x);
	if (c->nr_likely)
		qsort(c->likely, c->nr_likely, sizeof(*c->likely), compare_likely);
	for (size_t i = 0; i < c->nr_likely; i++)
		if (!kept || compare_likely(&c->likely[kept - 1], &c->likely[i]))
			c->likely[kept++] = c->likely[i];
	c->nr_likely = kept;
}

static void
note_score(struct lonely *l, double score)
{
	if (score > l->first) {
		l->second = l->first;
		l->first = score;
	} else if (score > l->second) {
		l->second = score;
	}
}

static bool
belong_together(const struct likely *l, const struct lonely *a, const struct lonely *b)
{
	double least = LEAST_ALIKE - (LEAST_ALIKE - LEAST_ALIKE_THERE) * l->there;
	double common = LEAST_COMMON - (LEAST_COMMON - LEAST_COMMON_THERE) * l->there;
	double margin = fmax(fmin(1 - l->alike, LEAST_MARGIN), LEAST_MARGIN_EQUAL);

	if (l->alike == 1)
		common = LEAST_COMMON_EQUAL;
	if (a->is_static != b->is_static)
		least = LEAST_OTHER_LINKAGE;
	return l->alike >= least && (double)l->common >= common &&
	       l->score >= a->first && l->score >= b->first &&
	       l->score - a->second >= margin && l->score - b->second >= margin;
}

/* Returns whether there was any pair. */
static bool
choose(struct counterparts *c)
{
	bool any = false;
	size_t kept = 0;

	for (size_t i = 0; i < c->nr_likely; i++)
		if (!c->a[c->likely[i].a].gone && !c->b[c->likely[i].b].gone)
			c->likely[kept++] = c->likely[i];
	c->nr_likely = kept;
	for (size_t i = 0; i < c->nr_a; i++)
		c->a[i].first = c->a[i].second = 0;
	for (size_t i = 0; i < c->nr_b; i++)
		c->b[i].first = c->b[i].second = 0;
	for (size_t i = 0; i < kept; i++) {
		struct likely *l = &c->likely[i];

		double evidence, agrees = vicinity_agrees(c->vicinity, &c->around_a[l->a],
							  &c->around_b[l->b], &evidence);

		l->there = agrees * (evidence < ENOUGH_EVIDENCE ? evidence / ENOUGH_EVIDENCE : 1);
		l->score = l->alike + WEIGHT_AROUND * agrees;
		note_score(&c->a[l->a], l->score);
		note_score(&c->b[l->b], l->score);
	}
	for (size_t i = 0; i < kept; i++) {
		const struct likely *l = &c->likely[i];
		struct lonely *a = &c->a[l->a], *b = &c->b[l->b];

		if (!belong_together(l, a, b))
			continue;
		a->gone = b->gone = any = true;
		c->pair(c->context, a->index, b->index, l->alike);
	}
	return any;
}

/* Looks around as far as it is matched now. Returns false when that was done often enough: in the
 * end that is linear, whatever there is. */
static bool
look_around(struct counterparts *c)
{
	uint64_t steps = vicinity_update(c->vicinity);
	bool enough = steps > c->work;

	c->work -= enough ? c->work : steps;
	return !enough;
}

/* Pairs procedures by text and neighbours, until no more are found. */
static bool
pass(struct counterparts *c)
{
	bool any = false;

	read_texts(c, c->a, c->around_a, c->grams_a, c->nr_a);
	read_texts(c, c->b, c->around_b, c->grams_b, c->nr_b);
	find_likely(c);
	for (int round = 0; round < MOST_ROUNDS && choose(c); round++) {
		any = true;
		if (!look_around(c))
			return false;
	}
	return any;
}

int
counterparts_find(struct match *m, size_t k, const struct unmatched *u, size_t grams,
		  void (*pair)(void *context, uint32_t entity, uint32_t index, double alike),
		  void *context)
{
	struct counterparts c = { .m = m, .k = k, .most_grams = grams, .pair = pair,
				  .context = context };

	if (!u->nr_old || !u->nr_new)
		return 0;
	take_unmatched(&c, u);
	c.vicinity = vicinity_new(m, k, grams, c.around_a, c.nr_a, c.around_b, c.nr_b);
	if (c.vicinity) {
		c.work = LEAST_WORK + MOST_AGAIN * vicinity_update(c.vicinity);
		for (int i = 0; i < MOST_PASSES && pass(&c); i++)
			;
	}
	vicinity_free(c.vicinity);
	free(c.a);
	free(c.b);
	free(c.around_a);
	free(c.around_b);
	free(c.grams_a);
	free(c.grams_b);
	free(c.likely);
	return c.vicinity ? 0 : -1;
}
