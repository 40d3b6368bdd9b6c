#include "solve/callback_arcs.h"

#include <stdlib.h>
#include <string.h>

#include "solve/foreign.h"

/* Weights of the arcs of one group; 0: no calls can have come that way. */
struct group {
	struct model_arc *arcs; /* the plain one first, if there is one */
	size_t nr, nr_parts;    /* parts: arcs through sites that were executed */
	const uint64_t *samples; /* per arc of the model */
	bool limited;           /* parts have no more calls than limit() says */
};

/* Procedures of libraries that call what a call of them handed over once at most: that call itself,
 * or the thread it made. (What atexit() got is called by each child of fork, too.) */
static const char *const callers_once[] = {
	"call_once", "pthread_create", "pthread_once", "thrd_create",
};

/* Those that do nothing else with it. */
static const char *const callers_meanwhile[] = {
	"bsearch", "dl_iterate_phdr", "ftw", "ftw64", "glob", "glob64", "lfind", "lsearch", "nftw",
	"nftw64", "qsort", "qsort_r", "scandir", "scandir64", "tdelete", "tdestroy", "tfind",
	"tsearch", "twalk", "twalk_r",
};

bool
calls_what_it_gets(const char *target)
{
	for (size_t i = 0; i < sizeof(callers_meanwhile) / sizeof(*callers_meanwhile); i++)
		if (target && !strcmp(target, callers_meanwhile[i]))
			return true;
	return false;
}

static bool
is_part(const struct model *m, const struct model_arc *a)
{
	return a->through && m->sites[a->through - 1].count;
}

/* The first arc of those from outside to CALLEE. */
static size_t
first_of(const struct model *m, model_id callee)
{
	size_t lo = 0, hi = m->nr_arcs, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (!m->arcs[mid].site && m->arcs[mid].callee < callee)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool
is_unprofiled(const struct model *m, const struct model_context *c)
{
	return !c->procedure || is_foreign(m, c->procedure);
}

/* Goes through the tree as stacks grow and shrink; LAST: by procedure, the one on the stack. */
model_id *
contexts_above(const struct model *m)
{
	model_id *above = xcalloc(m->nr_contexts + 1, sizeof(*above));
	model_id *first = xcalloc(m->nr_contexts + 1, sizeof(*first)); /* child; by id */
	model_id *next = xcalloc(m->nr_contexts + 1, sizeof(*next));   /* of the same parent */
	model_id *last = xcalloc(m->nr_procedures + 1, sizeof(*last));
	model_id at, down;

	for (size_t i = m->nr_contexts; i > 0; i--) {
		next[i] = first[m->contexts[i - 1].parent];
		first[m->contexts[i - 1].parent] = (model_id)i;
	}
	for (at = first[0]; at; at = down) {
		const struct model_context *c = &m->contexts[at - 1];

		if (c->procedure) {
			above[at - 1] = last[c->procedure];
			last[c->procedure] = at;
		}
		for (down = first[at]; at && !down; at = m->contexts[at - 1].parent) {
			down = next[at];
			if (m->contexts[at - 1].procedure)
				last[m->contexts[at - 1].procedure] = above[at - 1];
		}
	}
	free(first);
	free(next);
	free(last);
	return above;
}

bool
context_below(const struct model *m, const struct model_context *c, model_id *site)
{
	const struct model_context *up = c->parent ? &m->contexts[c->parent - 1] : NULL;

	*site = up && is_unprofiled(m, up) ? up->site : 0;
	return up && is_unprofiled(m, up);
}

/* The position + 1 of the arc by which stacks got to context C below code that was not profiled:
 * through the call that led there, else, below another call, the plain one. 0: there is no such
 * arc, or no call: a thread's start routine is the root of its stacks. */
static size_t
arc_below(const struct model *m, const struct model_context *c)
{
	size_t plain = 0;
	model_id site;

	if (!c->procedure || is_foreign(m, c->procedure) || !context_below(m, c, &site) ||
	    !site)
		return 0;
	for (size_t k = first_of(m, c->procedure);
	     k < m->nr_arcs && !m->arcs[k].site && m->arcs[k].callee == c->procedure; k++) {
		if (!m->arcs[k].through)
			plain = k + 1;
		else if (m->arcs[k].through == site)
			return k + 1;
	}
	return plain;
}

/* The time of stacks below code that was not profiled, per arc that leads from there: that by which
 * they got to its callee last. */
static uint64_t *
count_samples(const struct model *m)
{
	uint64_t *samples = xcalloc(m->nr_arcs, sizeof(*samples));
	size_t *by = xcalloc(m->nr_contexts, sizeof(*by));
	model_id *above = contexts_above(m);

	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];
		model_id up = above[i];

		by[i] = arc_below(m, c);
		if (by[i])
			samples[by[i] - 1] += c->total_ns;
		if (up && by[up - 1]) /* parents stand before their children */
			samples[by[up - 1] - 1] -= c->total_ns < samples[by[up - 1] - 1]
						 ? c->total_ns : samples[by[up - 1] - 1];
	}
	free(by);
	free(above);
	return samples;
}

/* No more calls than this came by A. */
static uint64_t
limit(const struct model *m, const struct model_arc *a, uint64_t all)
{
	const struct model_site *s = a->through ? &m->sites[a->through - 1] : NULL;

	if (s && !s->count)
		return 0;
	for (size_t i = 0; s && s->target && i < sizeof(callers_once) / sizeof(*callers_once); i++)
		if (!strcmp(s->target, callers_once[i]))
			return s->count < all ? s->count : all;
	return all;
}

/* Limits hold as long as they leave room for all calls: else some thread was killed before the
 * calls that it had made were counted. Nobody knows of more: then every part may have them all. */
static void
share_interval(const struct model *m, struct group *g)
{
	bool plain = !g->arcs[0].through;
	const struct model_arc all = g->arcs[0];
	unsigned __int128 sum = 0, others;

	for (size_t i = 0; i < g->nr; i++)
		if (is_part(m, &g->arcs[i]) || (!g->arcs[i].through && (plain || !g->nr_parts)))
			sum += limit(m, &g->arcs[i], all.hi);
	g->limited = sum >= all.hi;
	for (size_t i = 0; i < g->nr; i++) {
		struct model_arc *a = &g->arcs[i];
		bool possible = is_part(m, a) || (!a->through && plain);

		a->hi = !possible ? 0 : g->limited ? limit(m, a, all.hi) : all.hi;
		others = g->limited ? sum - a->hi : g->nr_parts + plain == 1 ? 0 : all.lo;
		a->lo = possible && others < all.lo ? all.lo - (uint64_t)others : 0;
		if (a->lo == a->hi)
			a->how = ARC_SOLVED;
		else if (g->nr_parts)
			a->how = ARC_ESTIMATED;
	}
}

static uint64_t
weight(const struct model *m, const struct group *g, size_t i, bool sampled)
{
	if (sampled && (is_part(m, &g->arcs[i]) || !g->arcs[i].through))
		return g->samples[&g->arcs[i] - m->arcs];
	return is_part(m, &g->arcs[i]) ? m->sites[g->arcs[i].through - 1].count : 0;
}

/* Moves calls between the parts until each is within its bounds, which allow for the sum of all;
 * those from nowhere else, which stand first, get what no other can have. */
static void
keep_bounds(struct group *g)
{
	uint64_t more = 0, less = 0, move;
	size_t i;

	for (i = 0; i < g->nr; i++) {
		struct model_arc *a = &g->arcs[i];

		more += a->count > a->hi ? a->count - a->hi : 0;
		less += a->count < a->lo ? a->lo - a->count : 0;
		a->count = a->count > a->hi ? a->hi : a->count < a->lo ? a->lo : a->count;
	}
	for (i = g->nr; i-- > 0 && more > less; more -= move) {
		move = g->arcs[i].hi - g->arcs[i].count;
		move = move < more - less ? move : more - less;
		g->arcs[i].count += move;
	}
	for (i = 0; i < g->nr && less > more; i++, less -= move) {
		move = g->arcs[i].count - g->arcs[i].lo;
		move = move < less - more ? move : less - more;
		g->arcs[i].count -= move;
	}
}

static void
share_count(const struct model *m, struct group *g)
{
	unsigned __int128 sum = 0, all = 0;
	uint64_t count = g->arcs[0].count, before = 0, after;
	bool sampled = false;
	size_t i;

	for (i = 0; i < g->nr; i++)
		sampled |= weight(m, g, i, true) != 0;
	for (i = 0; i < g->nr; i++)
		all += weight(m, g, i, sampled);
	for (i = 0; i < g->nr; i++, before = after) {
		sum += weight(m, g, i, sampled);
		after = all ? (uint64_t)((long double)count * (long double)sum / (long double)all) :
			count;
		if (sum == all)
			after = count;
		g->arcs[i].count = after - before;
	}
	keep_bounds(g);
}

void
through_share(struct model *m, bool facts)
{
	uint64_t *samples = count_samples(m);
	size_t i, end;

	for (i = 0; i < m->nr_arcs && !m->arcs[i].site; i = end) {
		struct group g = { .arcs = &m->arcs[i], .samples = samples };

		for (end = i; end < m->nr_arcs && !m->arcs[end].site &&
			      m->arcs[end].callee == m->arcs[i].callee; end++)
			g.nr_parts += is_part(m, &m->arcs[end]);
		g.nr = end - i;
		if ((g.nr == 1 && !g.arcs[0].through) || is_foreign(m, g.arcs[0].callee))
			continue;
		if (facts)
			share_interval(m, &g);
		share_count(m, &g);
	}
	free(samples);
}
