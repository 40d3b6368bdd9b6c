#include "collect/biographies.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

void
biographies_release(struct biographies *b)
{
	free(b->lives);
	free(b->sums);
	index_release(&b->by_maker);
	*b = (struct biographies){ .nr = 0 };
}

/* ---- reading ---- */

static void
tell_unwatched(struct model *m, const struct rawfile *r, const struct raw_space_watch *w)
{
	static const char *const why[RAW_WATCH_STATES] = {
		[RAW_WATCH_NO_MEMORY] = "there was no memory in which they could be",
		[RAW_WATCH_NO_PAGEMAP] = "the kernel does not tell what is used "
			"(/proc/self/pagemap)",
		[RAW_WATCH_LOCKED] = "the program keeps all of its memory in place (mlockall)",
	};

	if (w->state && w->state < RAW_WATCH_STATES)
		model_note(m, "space", "blocks of %s %s: %s%s%s", r->program,
			   w->looks ? "were watched for a part of the time only" :
				      "could not be watched",
			   why[w->state], w->error ? ": " : "",
			   w->error ? strerror((int)w->error) : "");
	if (!w->state && r->head.flags & RAW_SANDBOXED)
		model_note(m, "space", "blocks of %s were watched only until it shut itself in",
			   r->program);
}

void
biographies_read_facts(struct biographies *b, struct model *m, const struct rawfile *r,
		       const struct raw_part *p)
{
	struct raw_space_watch w;

	if (p->size < sizeof(w) || rawfile_read(r, p->offset, &w, sizeof(w)) < sizeof(w))
		return;
	b->asked = true;
	b->missed = b->missed > UINT64_MAX - w.missed ? UINT64_MAX : b->missed + w.missed;
	if (w.longest_ns > b->longest_ns)
		b->longest_ns = w.longest_ns;
	tell_unwatched(m, r, &w);
}

/* No process has lived so long, no block is larger, none stands for more: it is damage. */
#define MOST_NS ((uint64_t)1 << 62)
enum { MOST_SIZE = 1 << 20 };
#define MOST_MEAN ((uint64_t)1 << 53)

static bool
is_sound(const struct raw_space_life *l, uint64_t end)
{
	return l->size && l->size <= MOST_SIZE && l->mean && l->mean <= MOST_MEAN &&
	       l->born_ns <= end && end <= MOST_NS &&
	       (!l->first_ns ||
		(l->born_ns <= l->first_after_ns && l->first_after_ns <= l->first_ns &&
		 l->first_ns <= l->last_ns && l->first_after_ns <= l->last_after_ns &&
		 l->last_after_ns <= l->last_ns));
}

static double
span(uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) : 0;
}

/* END: until then it lived. A use before its end may have been seen after it; or nobody looked
 * then, as the program was killed: it may have been used once more. */
static void
find_phases(const struct raw_space_life *l, uint64_t end, double *phases)
{
	double unit = (double)l->size / 1e9, all = span(l->born_ns, end);
	bool to_end = l->seen_ns >= end;

	if (!l->first_ns) {
		phases[to_end ? PHASE_VOID : PHASE_UNSEEN] = unit * all;
		return;
	}
	phases[PHASE_LAG] = span(l->born_ns, l->first_after_ns < end ? l->first_after_ns : end);
	phases[PHASE_USE] = span(l->first_ns, l->last_after_ns < end ? l->last_after_ns : end);
	phases[PHASE_DRAG] = to_end ? span(l->last_ns, end) : 0;
	phases[PHASE_UNSEEN] = all;
	for (int i = PHASE_LAG; i <= PHASE_DRAG; i++) {
		phases[PHASE_UNSEEN] -= phases[i];
		phases[i] *= unit;
	}
	phases[PHASE_UNSEEN] = phases[PHASE_UNSEEN] > 0 ? unit * phases[PHASE_UNSEEN] : 0;
}

void
biographies_take(struct biographies *b, const struct raw_space_life *life, uint32_t address,
		 model_id part)
{
	bool cut = life->flags & RAW_LIFE_CUT;
	bool dead = life->died_ns && !cut;
	struct watched_life *l;

	if (!is_sound(life, dead ? life->died_ns : life->seen_ns))
		return;
	GROW(b->lives, b->nr + 1, b->alloc);
	l = &b->lives[b->nr++];
	*l = (struct watched_life){
		.address = address, .through = life->pc >> 63, .part = part, .size = life->size,
		.cut = cut,
		.weight = -1 / expm1(-(double)life->size / (double)life->mean),
	};
	if (!l->cut)
		find_phases(life, dead ? life->died_ns : life->seen_ns, l->phases);
}

/* ---- adding up ---- */

static bool
same_maker(const void *ctx, uint32_t item, const void *key)
{
	const struct model_biography *x = &((const struct model *)ctx)->biographies[item], *k = key;

	return x->site == k->site && x->procedure == k->procedure;
}

static uint32_t
find_row(struct biographies *b, struct model *m, const struct model_biography *key)
{
	uint64_t h = hash_number(hash_number(HASH_START, key->site), key->procedure);
	uint32_t i = index_find(&b->by_maker, h, same_maker, m, key);

	if (i != INDEX_NONE)
		return i;
	i = (uint32_t)m->nr_biographies;
	*MODEL_ADD(m, biographies) = *key;
	GROW(b->sums, (size_t)i + 1, b->sums_alloc);
	b->sums[i] = (struct biography_sums){ .blocks = 0 };
	index_add(&b->by_maker, h, i);
	return i;
}

static void
find_figures(struct biographies *b, const struct watched_life *life, uint64_t figures[NR_PHASES])
{
	for (int p = 0; p < NR_PHASES; p++) {
		b->rest[p] += life->weight * life->phases[p];
		figures[p] = b->rest[p] < 9e18 ? (uint64_t)b->rest[p] : 0;
		b->rest[p] -= (double)figures[p];
	}
}

/* Each block is drawn by itself, with a known probability, 1 / weight: what that makes of the
 * variance of a sum is known from those that were drawn (Horvitz and Thompson). */
void
biographies_add(struct biographies *b, struct model *m, const struct watched_life *life,
		model_id site, model_id procedure, uint64_t figures[NR_PHASES])
{
	const struct model_biography key = { .site = site, .procedure = procedure };
	uint32_t i = find_row(b, m, &key);
	struct biography_sums *sums = &b->sums[i];
	double w = life->weight;

	find_figures(b, life, figures);
	if (life->cut) {
		m->biographies[i].cut++;
		return;
	}
	m->biographies[i].samples++;
	m->biographies[i].unused += life->phases[PHASE_VOID] > 0;
	sums->blocks += w;
	sums->bytes += w * (double)life->size;
	for (int p = 0; p < NR_PHASES; p++) {
		sums->phases[p] += w * life->phases[p];
		sums->squares[p] += w * (w - 1) * life->phases[p] * life->phases[p];
	}
}

static uint64_t
rounded(double value)
{
	return value < 9e18 ? (uint64_t)(value + 0.5) : (uint64_t)9e18;
}

void
biographies_settle(struct biographies *b, struct model *m)
{
	for (size_t i = 0; i < m->nr_biographies; i++) {
		const struct biography_sums *s = &b->sums[i];
		struct model_biography *to = &m->biographies[i];

		to->blocks = rounded(s->blocks);
		to->bytes = rounded(s->bytes);
		to->lag = rounded(s->phases[PHASE_LAG]);
		to->use = rounded(s->phases[PHASE_USE]);
		to->drag = rounded(s->phases[PHASE_DRAG]);
		to->never = rounded(s->phases[PHASE_VOID]);
		to->unseen = rounded(s->phases[PHASE_UNSEEN]);
		to->life = to->lag + to->use + to->drag + to->never + to->unseen;
		to->lag_error = sqrt(s->squares[PHASE_LAG]);
		to->use_error = sqrt(s->squares[PHASE_USE]);
		to->drag_error = sqrt(s->squares[PHASE_DRAG]);
		to->never_error = sqrt(s->squares[PHASE_VOID]);
	}
	if (b->missed)
		model_note(m, "space", "%" PRIu64 " blocks that were drawn could not be watched; "
			   "%zu were", b->missed, b->nr);
}
