#include "collect/import/counts/held.h"

#include <stdlib.h>

#include "collect/import/counts/candidates.h"
#include "util/order.h"

uint32_t
held_add_unit(struct held *h, const struct module *mod, uint32_t unit)
{
	const struct unit *u = &mod->tables.units[unit];
	uint32_t i, first = (uint32_t)h->nr_variables + 1;

	for (i = 0; i < u->nr_held; i++) {
		GROW(h->variables, h->nr_variables + 1, h->variables_alloc);
		h->variables[h->nr_variables++] = (struct held_variable){
			.mod = mod, .unit = unit, .table = &u->held[i], .open = u->held[i].open,
		};
	}
	return first;
}

void
held_release(struct held *h)
{
	free(h->variables);
	free(h->readings);
	free(h->callees);
	*h = (struct held){ .variables = NULL };
}

void
held_add_reading(struct held *h, model_id site, const struct table_site *s, uint32_t first)
{
	if (!s->kind)
		return;
	GROW(h->readings, h->nr_readings + 1, h->readings_alloc);
	h->readings[h->nr_readings++] = (struct held_reading){
		.site = site, .variable = s->flags & SITE_HELD ? first + s->held : 0,
	};
}

void
held_add_callee(struct held *h, uint32_t variable, model_id procedure)
{
	GROW(h->callees, h->nr_callees + 1, h->callees_alloc);
	h->callees[h->nr_callees++] = (struct held_callee){ variable, procedure };
}

void
held_open(struct held *h, uint32_t variable)
{
	h->variables[variable - 1].open = true;
}

/* ---- what the tables name ---- */

struct naming { struct held *h; uint32_t variable; };

static void
named(void *data, model_id procedure)
{
	const struct naming *n = data;

	held_add_callee(n->h, n->variable, procedure);
}

static void
add_named(struct held *h, const struct names *n)
{
	for (uint32_t v = 1; v <= h->nr_variables; v++) {
		const struct held_variable *held = &h->variables[v - 1];
		struct naming to = { h, v };

		for (uint32_t i = 0; i < held->table->nr_names; i++)
			if (!candidates_resolve(n, held->mod, held->unit, held->table->names[i],
						named, &to))
				held_add_callee(h, v, 0);
	}
}

/* ---- narrowing ---- */

static int
compare_callees(const void *a, const void *b)
{
	const struct held_callee *x = a, *y = b;

	COMPARE(x->variable, y->variable);
	return x->procedure < y->procedure ? -1 : x->procedure > y->procedure;
}

static int
compare_readings(const void *a, const void *b)
{
	const struct held_reading *x = a, *y = b;

	COMPARE(x->site, y->site);
	return x->variable < y->variable ? -1 : x->variable > y->variable;
}

static bool
has_held(const struct held *h, uint32_t variable, model_id procedure)
{
	struct held_callee key = { variable, procedure };

	return h->nr_callees &&
	       bsearch(&key, h->callees, h->nr_callees, sizeof(key), compare_callees);
}

/* Is it known what the variable held? Something, as it was called. */
static bool
is_known(const struct held *h, const bool *any, uint32_t variable)
{
	return variable && !h->variables[variable - 1].open && any[variable];
}

/* One of the variables that the site reads from, in one unit or another, held the procedure.
 * READING: the first of the site. */
static bool
can_reach(const struct held *h, const bool *any, size_t reading, model_id procedure)
{
	model_id site = h->readings[reading].site;

	for (size_t i = reading; i < h->nr_readings && h->readings[i].site == site; i++)
		if (!is_known(h, any, h->readings[i].variable) ||
		    has_held(h, h->readings[i].variable, procedure))
			return true;
	return false;
}

/* The number of the first reading of each site, + 1; 0: none. By sites. */
static uint32_t *
first_readings(const struct held *h, size_t nr_sites)
{
	uint32_t *first = xcalloc(nr_sites + 1, sizeof(*first));

	for (size_t i = h->nr_readings; i > 0; i--)
		first[h->readings[i - 1].site] = (uint32_t)i;
	return first;
}

void
held_narrow(struct held *h, struct candidates *c, size_t nr_sites, const struct names *n)
{
	bool *any = xcalloc(h->nr_variables + 1, sizeof(*any));
	uint32_t *first;
	size_t nr = 0;

	add_named(h, n);
	if (h->nr_callees)
		qsort(h->callees, h->nr_callees, sizeof(*h->callees), compare_callees);
	if (h->nr_readings)
		qsort(h->readings, h->nr_readings, sizeof(*h->readings), compare_readings);
	for (size_t i = 0; i < h->nr_callees; i++)
		any[h->callees[i].variable] = true;
	first = first_readings(h, nr_sites);
	for (size_t i = 0; i < c->nr; i++) {
		const struct candidate *item = &c->items[i];

		if (item->through || !first[item->site] ||
		    can_reach(h, any, first[item->site] - 1, item->callee))
			c->items[nr++] = *item;
	}
	c->nr = nr;
	free(first);
	free(any);
}
