/* Counts: procedures, calls, and what is called outside of both profiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/ledger/parts.h"
#include "db/store/bulk.h"
#include "db/store/load.h"
#include "util/order.h"

/* ---- cells ---- */

struct cell_key {
	entity_id procedure;
	enum ledger_item_kind kind;
	const char *name;
	size_t length;
};

static bool
is_cell(const void *context, uint32_t item, const void *key)
{
	const struct ledger_cell *c = &((const struct ledger *)context)->cells[item];
	const struct cell_key *k = key;

	return c->procedure == k->procedure && c->kind == k->kind &&
	       (k->kind != LEDGER_LIBRARY ||
		(!strncmp(c->name, k->name, k->length) && !c->name[k->length]));
}

/* What stands behind an @ tells namesakes apart. */
uint32_t
ledger_cell(struct ledger *l, entity_id e, enum ledger_item_kind kind, const char *name)
{
	struct cell_key key = { e, kind, name, name ? strcspn(name, "@") : 0 };
	uint64_t hash = hash_number(hash_number(HASH_START, e), kind);
	uint32_t found;

	if (kind == LEDGER_LIBRARY)
		hash = hash_bytes(hash, name, key.length);
	found = index_find(&l->cell_index, hash, is_cell, l, &key);
	if (found != INDEX_NONE)
		return found;
	GROW(l->cells, l->nr_cells + 1, l->cells_alloc);
	GROW(l->counts, l->nr_cells + 1, l->counts_alloc);
	l->cells[l->nr_cells] = (struct ledger_cell){
		.procedure = e, .kind = kind, .known = true,
		.name = kind == LEDGER_LIBRARY ? arena_strndup(&l->arena, name, key.length) : NULL,
	};
	l->counts[l->nr_cells] = (struct carry_cell){ .procedure = e };
	index_add(&l->cell_index, hash, (uint32_t)l->nr_cells);
	return (uint32_t)l->nr_cells++;
}

/* ---- procedures ---- */

static bool
is_foreign(const struct ledger_side *s, size_t i)
{
	return i < s->m.nr_procedures && s->m.procedures[i].flags & PROCEDURE_FOREIGN;
}

static void
take_procedures(struct ledger *l, size_t k)
{
	const struct side *s = &l->m->sides[k];
	const struct ledger_side *side = &l->sides[k];

	for (size_t i = 0; i < s->nr_procedures; i++) {
		const struct side_procedure *p = &s->procedures[i];
		struct ledger_procedure *to = &l->procedures[p->entity];

		if (!to->id[k])
			to->id[k] = (model_id)i + 1;
		to->counted &= p->place.file != 0 && !p->uncounted;
		/* Foreign code has a row where a sample fell, so by chance. */
		if (to->foreign)
			continue;
		to->work[k] += (double)p->executions / side->runs;
		l->calls[p->entity][k] += (double)p->calls / side->runs;
	}
}

static void
find_changed(struct ledger *l)
{
	for (entity_id e = 1; e < l->nr; e++) {
		struct ledger_procedure *p = &l->procedures[e];

		if (!p->id[0] || !p->id[1] || p->foreign)
			continue;
		p->affected = match_affected(l->m, e, 1);
		p->changed = match_changed(l->m, e, 1);
		l->changed[e] = p->affected || p->changed;
		job_pause(1);
	}
}

/* ---- calls ---- */

struct reading { struct ledger *l; size_t side; };

static void
add_site(void *context, const struct bulk_row *row)
{
	struct reading *r = context;
	struct ledger *l = r->l;
	struct ledger_side *s = &l->sides[r->side];
	struct ledger_site *site;
	entity_id e = match_entity(l->m, r->side, row->procedure), callee = 0;
	double count = (double)row->figures[FIGURE_COUNT] / s->runs;

	if (!e || row->kind == SITE_INLINED)
		return;
	GROW(s->sites, s->nr_sites + 1, s->sites_alloc);
	site = &s->sites[s->nr_sites++];
	*site = (struct ledger_site){ .id = row->id, .procedure = e, .count = count,
				      .file = row->place.file, .line = row->place.line };
	if (row->kind == SITE_DIRECT)
		callee = match_target(l->m, r->side, row->name);
	if (callee && !l->procedures[callee].foreign) {
		site->callee = callee;
	} else if (row->kind == SITE_DIRECT && *row->name) {
		uint32_t cell = ledger_cell(l, e, LEDGER_LIBRARY, row->name);

		l->counts[cell].n[r->side] += count;
		site->cell = cell + 1;
	} else {
		site->cell = POINTER_CELL;
	}
}

static void
add_arc(void *context, const struct bulk_row *row)
{
	struct reading *r = context;
	struct ledger *l = r->l;
	entity_id from = match_entity(l->m, r->side, row->procedure);
	entity_id to = match_entity(l->m, r->side, row->callee);
	double count = (double)row->figures[FIGURE_COUNT] / l->sides[r->side].runs;
	struct carry_arc *a;

	if (from && l->procedures[from].foreign)
		from = 0;
	if (!to || l->procedures[to].foreign) {
		/* Through a pointer: of direct calls the sites tell. */
		if (from && !to && !*row->name && count > 0) {
			uint32_t cell = ledger_cell(l, from, LEDGER_POINTER, NULL);

			l->counts[cell].n[r->side] += count;
		}
		return;
	}
	if (!from)
		return;
	GROW(l->arcs, l->nr_arcs + 1, l->arcs_alloc);
	GROW(l->estimated, l->nr_arcs + 1, l->estimated_alloc);
	l->estimated[l->nr_arcs] = false;
	a = &l->arcs[l->nr_arcs++];
	*a = (struct carry_arc){ .caller = from, .callee = to };
	a->n[r->side] = count;
	/* Until arcs are joined. */
	a->inner = row->kind == ARC_ESTIMATED || row->kind == ARC_PINNED;
}

static int
compare_arcs(const void *pa, const void *pb)
{
	const struct carry_arc *a = pa, *b = pb;

	COMPARE(a->caller, b->caller);
	COMPARE(a->callee, b->callee);
	/* Sums must not depend on who was read first. */
	COMPARE(a->n[0], b->n[0]);
	COMPARE(a->n[1], b->n[1]);
	return 0;
}

/* All arcs of two procedures become one, and those from outside are what is left of the calls. */
static void
join_arcs(struct ledger *l)
{
	size_t nr = 0, nr_outside = 0;
	double (*left)[2] = xcalloc(l->nr, sizeof(*left));
	struct carry_arc *all;

	if (l->nr_arcs)
		qsort(l->arcs, l->nr_arcs, sizeof(*l->arcs), compare_arcs);
	memcpy(left, l->calls, l->nr * sizeof(*left));
	for (size_t i = 0; i < l->nr_arcs; i++) {
		struct carry_arc *a = &l->arcs[i], *last = nr ? &l->arcs[nr - 1] : NULL;

		for (size_t k = 0; k < 2; k++)
			left[a->callee][k] -= a->n[k];
		if (last && last->caller == a->caller && last->callee == a->callee) {
			last->n[0] += a->n[0];
			last->n[1] += a->n[1];
			last->inner |= a->inner;
		} else {
			l->arcs[nr++] = *a;
		}
	}
	for (size_t e = 1; e < l->nr; e++)
		nr_outside += left[e][0] != 0 || left[e][1] != 0;
	all = xcalloc(nr + nr_outside + 1, sizeof(*all));
	l->estimated = xrealloc(l->estimated, nr + nr_outside + 1, sizeof(*l->estimated));
	nr_outside = 0;
	for (size_t e = 1; e < l->nr; e++)
		if (left[e][0] != 0 || left[e][1] != 0)
			all[nr_outside++] = (struct carry_arc){ .callee = (uint32_t)e,
								.n = { left[e][0], left[e][1] } };
	memcpy(all + nr_outside, l->arcs, nr * sizeof(*all));
	for (size_t i = 0; i < nr_outside + nr; i++) {
		l->estimated[i] = all[i].inner;
		all[i].inner = false;
	}
	free(l->arcs);
	free(left);
	l->arcs = all;
	l->nr_arcs = nr + nr_outside;
}

static int
compare_sites(const void *pa, const void *pb)
{
	const struct ledger_site *a = pa, *b = pb;

	COMPARE(a->procedure, b->procedure);
	COMPARE(a->file, b->file);
	COMPARE(a->line, b->line);
	return 0;
}

static void
order_sites(struct ledger *l, struct ledger_side *s)
{
	size_t at = 0;

	if (s->nr_sites)
		qsort(s->sites, s->nr_sites, sizeof(*s->sites), compare_sites);
	s->first_site = xcalloc(l->nr + 1, sizeof(*s->first_site));
	for (size_t e = 0; e <= l->nr; e++) {
		while (at < s->nr_sites && s->sites[at].procedure < e)
			at++;
		s->first_site[e] = at;
	}
}

/* ---- counts of own code ---- */

/* Where the text has changed blocks cannot be compared: lines that both have are. */
static void
count_own(struct ledger *l, entity_id e)
{
	struct ledger_procedure *p = &l->procedures[e];
	uint32_t cell = ledger_cell(l, e, LEDGER_OWN, NULL);
	double *n = l->counts[cell].n;
	const double *from = p->work;
	bool blocks = true;

	for (size_t k = 0; k < 2; k++)
		blocks &= profile_totals(l->sides[k].p)->blocks_executed > 0;
	if (!blocks)
		from = l->calls[e];
	else if (p->matched[0] > 0 && p->matched[1] > 0)
		from = p->matched;
	n[0] = from[0];
	n[1] = from[1];
	l->cells[cell].known = p->counted;
}

static int
compare_cells(const void *pa, const void *pb)
{
	const struct ledger_cell *a = pa, *b = pb;

	COMPARE(a->procedure, b->procedure);
	COMPARE(a->kind, b->kind);
	return a->name && b->name ? strcmp(a->name, b->name) : 0;
}

/* Puts the cells in the order of their procedures, whatever was read first. */
static void
order_cells(struct ledger *l)
{
	struct carry_cell *counts = xcalloc(l->nr_cells + 1, sizeof(*counts));
	uint32_t *to = xcalloc(l->nr_cells + 1, sizeof(*to));

	for (size_t i = 0; i < l->nr_cells; i++)
		l->cells[i].timed = (uint32_t)i; /* for now */
	if (l->nr_cells)
		qsort(l->cells, l->nr_cells, sizeof(*l->cells), compare_cells);
	index_release(&l->cell_index);
	for (size_t i = 0; i < l->nr_cells; i++) {
		struct ledger_cell *c = &l->cells[i];
		struct ledger_procedure *p = &l->procedures[c->procedure];
		uint64_t hash = hash_number(hash_number(HASH_START, c->procedure), c->kind);

		to[c->timed] = (uint32_t)i;
		counts[i] = l->counts[c->timed];
		c->timed = 0;
		if (c->kind == LEDGER_LIBRARY)
			hash = hash_bytes(hash, c->name, strlen(c->name));
		index_add(&l->cell_index, hash, (uint32_t)i);
		p->first_cell = p->nr_cells++ ? p->first_cell : i;
	}
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < l->sides[k].nr_sites; i++) {
			struct ledger_site *s = &l->sides[k].sites[i];

			if (s->cell && s->cell != POINTER_CELL)
				s->cell = to[s->cell - 1] + 1;
		}
	free(l->counts);
	free(to);
	l->counts = counts;
	l->counts_alloc = l->nr_cells + 1;
}

static enum figure
figure_of_bytes(struct profile *p)
{
	return figure_find("bytes", strlen("bytes"), profile_figures(p));
}

static void
add_bytes(void *context, const struct bulk_row *row)
{
	struct reading *r = context;
	struct ledger *l = r->l;
	enum figure f = figure_of_bytes(l->sides[r->side].p);

	l->procedures[match_entity(l->m, r->side, row->id)].bytes[r->side] +=
		(double)row->figures[f] / l->sides[r->side].runs;
}

static int
read_bytes(struct ledger *l, size_t k)
{
	struct reading r = { l, k };
	struct profile *p = l->sides[k].p;

	return l->has_bytes &&
	       profile_bulk(p, BULK_PROCEDURE, FIGURE_BIT(figure_of_bytes(p)), add_bytes, &r)
		? error_set(&l->error, "%s", profile_error(p)) : 0;
}

static int
read_side(struct ledger *l, size_t k)
{
	struct reading r = { l, k };
	struct profile *p = l->sides[k].p;

	take_procedures(l, k);
	if (read_bytes(l, k))
		return -1;
	if (profile_bulk(p, BULK_SITE, FIGURE_BIT(FIGURE_COUNT), add_site, &r) ||
	    profile_bulk(p, BULK_ARC, FIGURE_BIT(FIGURE_COUNT), add_arc, &r))
		return error_set(&l->error, "%s", profile_error(p));
	job_pause(JOB_LOOK);
	return 0;
}

int
ledger_gather(struct ledger *l)
{
	l->nr = match_entities(l->m) + 1;
	l->procedures = xcalloc(l->nr, sizeof(*l->procedures));
	l->calls = xcalloc(l->nr, sizeof(*l->calls));
	l->changed = xcalloc(l->nr, sizeof(*l->changed));
	for (size_t e = 0; e < l->nr; e++)
		l->procedures[e].counted = true;
	for (size_t k = 0; k < 2; k++) {
		struct ledger_side *s = &l->sides[k];

		model_init(&s->m);
		if (model_load_stacks(&s->m, s->p, &l->error))
			return -1;
		s->runs = profile_totals(s->p)->nr_runs ? profile_totals(s->p)->nr_runs : 1;
		for (size_t i = 0; i < l->m->sides[k].nr_procedures; i++)
			l->procedures[l->m->sides[k].procedures[i].entity].foreign |=
				is_foreign(s, i);
	}
	l->has_bytes = figure_of_bytes(l->sides[0].p) < FIGURES_MAX &&
		       figure_of_bytes(l->sides[1].p) < FIGURES_MAX;
	for (size_t k = 0; k < 2; k++)
		if (read_side(l, k))
			return -1;
	join_arcs(l);
	find_changed(l);
	if (ledger_read_lines(l))
		return -1;
	for (entity_id e = 1; e < l->nr; e++)
		if (!l->procedures[e].foreign)
			count_own(l, e);
	for (size_t k = 0; k < 2; k++)
		order_sites(l, &l->sides[k]);
	order_cells(l);
	return 0;
}
