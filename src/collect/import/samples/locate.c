#include "collect/import/samples/locate.h"

#include <string.h>

#include "util/order.h"

/* Order of two positions: < 0, 0, > 0. */
static int
compare(uint32_t line_a, uint32_t column_a, uint32_t line_b, uint32_t column_b)
{
	COMPARE(line_a, line_b);
	return column_a < column_b ? -1 : column_a > column_b;
}

static bool
holds(const struct place *p, struct position at)
{
	if (!at.column)
		return p->line <= at.line && at.line <= p->end_line;
	return compare(p->line, p->column, at.line, at.column) <= 0 &&
	       compare(at.line, at.column, p->end_line, p->end_column) <= 0;
}

/* Does A lie within B, or is it at least shorter? */
static bool
smaller(const struct place *a, const struct place *b)
{
	uint32_t lines_a = a->end_line - a->line, lines_b = b->end_line - b->line;

	if (lines_a != lines_b)
		return lines_a < lines_b;
	if (a->line == a->end_line)
		return a->end_column - a->column < b->end_column - b->column;
	return compare(a->line, a->column, b->line, b->column) > 0;
}

struct best {
	model_id inside, on_line, first, last;
};

static void
consider(const struct model *m, model_id id, struct position at, struct best *best)
{
	const struct place *p = &m->ranges[id - 1].place;

	/* A block that never ran took no time: the compiler gave shared code the position of one
	 * user. */
	if (p->file != at.file || m->ranges[id - 1].kind == RANGE_MACRO_DEFINITION ||
	    !m->blocks[m->ranges[id - 1].block - 1].count)
		return;
	if (holds(p, at) && (!best->inside || smaller(p, &m->ranges[best->inside - 1].place)))
		best->inside = id;
	if (m->ranges[id - 1].kind == RANGE_PROCEDURE)
		return;
	if (p->line == at.line &&
	    (!best->on_line || p->column < m->ranges[best->on_line - 1].place.column))
		best->on_line = id;
	if (!best->first || compare(p->line, p->column, m->ranges[best->first - 1].place.line,
				    m->ranges[best->first - 1].place.column) < 0)
		best->first = id;
	if (!best->last || compare(p->line, p->column, m->ranges[best->last - 1].place.line,
				   m->ranges[best->last - 1].place.column) > 0)
		best->last = id;
}

static const struct shape *
next_shape(const struct builder *b, uint32_t *number)
{
	const struct shape *s = *number ? &b->shapes[*number - 1] : NULL;

	if (s)
		*number = s->next;
	return s;
}

model_id
locate_range(const struct builder *b, model_id procedure, struct position at)
{
	const struct model *m = b->m;
	uint32_t number = b->first_shape[procedure - 1], i;
	const struct shape *s;
	struct best best = { .inside = 0 };

	if (!at.file || !at.line)
		return 0;
	while ((s = next_shape(b, &number)))
		for (i = 0; i < s->nr_ranges; i++)
			consider(m, s->first_range + i, at, &best);
	if (best.inside && m->ranges[best.inside - 1].kind != RANGE_PROCEDURE)
		return best.inside;
	if (best.on_line)
		return best.on_line;
	/* Code that runs on entry stands at the procedure's name, code that runs on leaving at its
	 * end. */
	if (best.first && at.line < m->ranges[best.first - 1].place.line)
		return best.first;
	if (best.last && at.line > m->ranges[best.last - 1].place.end_line)
		return best.last;
	return best.inside;
}

/* How well it fits; 0: not at all. */
static int
place_score(const struct place *p, struct position at)
{
	if (p->file != at.file)
		return 0;
	if (at.column && p->line == at.line && p->column == at.column)
		return 8;
	if (at.column && holds(p, at))
		return 6;
	return p->line <= at.line && at.line <= p->end_line ? 4 : 0;
}

static int
site_score(const struct model *m, model_id id, struct position at, model_id callee,
	   const model_id *callees)
{
	const struct model_site *s = &m->sites[id - 1];
	int score = place_score(&s->place, at);

	if (!score)
		return 0;
	if (s->kind == SITE_INDIRECT)
		return score;
	return callees[id - 1] == callee ? score + 3 : score - 3;
}

/* Of two that fit as well. */
static bool
fits_better(const struct model *m, model_id id, model_id best)
{
	const struct model_site *a = &m->sites[id - 1], *b = &m->sites[best - 1];

	return smaller(&a->place, &b->place) ||
	       (a->count && !b->count && place_same(&a->place, &b->place));
}

/* Returns SITE (0: none) if it was executed; else the only call in PROCEDURE that was and is like
 * it: the compiler makes equal calls one where the paths behind them meet, and gives it the place
 * of one of them. 0: several. If there is none the program has ended in SITE, a call that always
 * comes back (free), and so may be counted behind it. */
static model_id
executed(const struct builder *b, model_id procedure, model_id site, const model_id *callees)
{
	const struct model_site *sites = b->m->sites, *s = site ? &sites[site - 1] : NULL;
	uint32_t number = b->first_shape[procedure - 1], i;
	const struct shape *shape;
	model_id only = 0, id;

	if (!s || s->count || s->lacking)
		return site;
	while ((shape = next_shape(b, &number)))
		for (i = 0; i < shape->table->nr_sites; i++) {
			id = shape->first_site + i;
			if (!sites[id - 1].count || sites[id - 1].kind != s->kind ||
			    callees[id - 1] != callees[site - 1] ||
			    strcmp(sites[id - 1].target, s->target))
				continue;
			if (only)
				return 0;
			only = id;
		}
	return only ? only : site;
}

model_id
locate_site(const struct builder *b, model_id procedure, struct position at, model_id callee,
	    const model_id *callees, bool *sure)
{
	const struct model *m = b->m;
	uint32_t number = b->first_shape[procedure - 1], i;
	model_id best = 0, id;
	int most = 0, score;
	const struct shape *s;

	*sure = false;
	if (!at.file || !at.line)
		return 0;
	while ((s = next_shape(b, &number))) {
		for (i = 0; i < s->table->nr_sites; i++) {
			id = s->first_site + i;
			score = site_score(m, id, at, callee, callees);
			if (score < most || !score ||
			    (score == most && !fits_better(m, id, best)))
				continue;
			most = score;
			best = id;
		}
	}
	*sure = best && at.column && holds(&m->sites[best - 1].place, at);
	id = executed(b, procedure, best, callees);
	/* It does not prove what another call through a pointer has called. */
	*sure &= id == best || m->sites[best - 1].kind == SITE_DIRECT;
	return id;
}

model_id
locate_only_site(const struct builder *b, model_id procedure, model_id callee,
		 const model_id *callees)
{
	uint32_t number = b->first_shape[procedure - 1], i;
	const struct model *m = b->m;
	const struct shape *s;
	model_id only = 0;

	while (callee && (s = next_shape(b, &number)))
		for (i = 0; i < s->table->nr_sites; i++) {
			if (callees[s->first_site + i - 1] != callee ||
			    !m->sites[s->first_site + i - 1].count)
				continue;
			if (only)
				return 0;
			only = s->first_site + i;
		}
	return only;
}

bool
locate_calls_itself(const struct builder *b, model_id procedure, struct position at,
		    const model_id *callees)
{
	uint32_t number = b->first_shape[procedure - 1], i;
	const struct shape *s;

	while ((s = next_shape(b, &number)))
		for (i = 0; i < s->table->nr_sites; i++) {
			const struct model_site *site = &b->m->sites[s->first_site + i - 1];

			if ((site->kind == SITE_INDIRECT ||
			     callees[s->first_site + i - 1] == procedure) &&
			    site->place.file == at.file && holds(&site->place, at))
				return true;
		}
	return false;
}

static bool
begins_at(const struct place *p, struct position at)
{
	return p->file == at.file && p->line == at.line &&
	       (!at.column || p->column == at.column);
}

model_id
locate_called(const struct builder *b, model_id procedure, struct position at,
	      const model_id *callees, struct position begin, struct position within)
{
	uint32_t number = b->first_shape[procedure - 1], i;
	const struct model *m = b->m;
	const struct shape *s;
	model_id only = 0;

	while (at.column && (s = next_shape(b, &number)))
		for (i = 0; i < s->table->nr_sites; i++) {
			model_id callee = callees[s->first_site + i - 1];
			const struct place *p = callee ? &m->procedures[callee - 1].place : NULL;

			if (!p || callee == only ||
			    m->sites[s->first_site + i - 1].place.file != at.file ||
			    !holds(&m->sites[s->first_site + i - 1].place, at) ||
			    !(begin.line ? begins_at(p, begin)
					 : p->file == within.file && holds(p, within)))
				continue;
			if (only)
				return 0;
			only = callee;
		}
	return only;
}

model_id
locate_pool_site(const struct builder *b, model_id procedure, struct position at,
		 const model_id *callees)
{
	uint32_t number = b->first_shape[procedure - 1], i;
	model_id best = 0, id;
	int most = 0, score;
	const struct shape *s;

	if (!at.file || !at.line)
		return 0;
	while ((s = next_shape(b, &number)))
		for (i = 0; i < s->table->nr_sites; i++) {
			id = s->first_site + i;
			if (!(s->table->sites[i].flags & SITE_POOL))
				continue;
			score = place_score(&b->m->sites[id - 1].place, at);
			if (score < most || !score ||
			    (score == most && !smaller(&b->m->sites[id - 1].place,
						       &b->m->sites[best - 1].place)))
				continue;
			most = score;
			best = id;
		}
	return executed(b, procedure, best, callees);
}

model_id
locate_twin(const struct builder *b, model_id site, const char *name)
{
	const struct model_site *s = &b->m->sites[site - 1], *other;
	uint32_t number = b->first_shape[s->procedure - 1], i;
	const struct shape *shape;
	model_id twin = 0;

	while ((shape = next_shape(b, &number)))
		for (i = 0; i < shape->table->nr_sites; i++) {
			other = &b->m->sites[shape->first_site + i - 1];
			if (other == s || !place_same(&other->place, &s->place))
				continue;
			if (!twin || (name && !strcmp(other->target, name)))
				twin = shape->first_site + i;
		}
	return twin;
}

bool *
locate_pooled(const struct builder *b)
{
	bool *pooled = xcalloc(b->m->nr_sites + 1, sizeof(*pooled));

	for (size_t i = 0; i < b->nr_shapes; i++)
		for (uint32_t k = 0; k < b->shapes[i].table->nr_sites; k++)
			pooled[b->shapes[i].first_site + k - 1] =
				b->shapes[i].table->sites[k].flags & SITE_POOL;
	return pooled;
}
