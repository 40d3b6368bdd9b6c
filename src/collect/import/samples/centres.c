#include "collect/import/samples/centres.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/order.h"

static int
compare_centres(const void *a, const void *b)
{
	const struct centre *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void
add_unit(struct centre_list *list, const struct unit *u, const model_id *procedures)
{
	for (uint32_t i = 0; i < u->nr_procedures; i++) {
		if (!u->procedures[i].nr_counters)
			continue;
		list->items[list->nr++] = (struct centre){
			u->counters_address + (uint64_t)u->procedures[i].first_counter * 8,
			procedures[i],
		};
	}
}

static void
add_module(struct centre_list *list, const struct module *mod)
{
	size_t nr = 0, nr_without = 0;

	for (size_t i = 0; i < mod->tables.nr; i++) {
		if (mod->tables.units[i].flags & UNIT_CENTRES)
			nr += mod->tables.units[i].nr_procedures;
		else
			nr_without++;
	}
	list->kept = nr > 0;
	list->partly = list->kept && nr_without > 0;
	list->items = xcalloc(nr, sizeof(*list->items));
	for (size_t i = 0; i < mod->tables.nr; i++)
		if (mod->tables.units[i].flags & UNIT_CENTRES)
			add_unit(list, &mod->tables.units[i], mod->procedures[i]);
	qsort(list->items, list->nr, sizeof(*list->items), compare_centres);
}

void
centres_init(struct centres *c, const struct module *modules, size_t nr)
{
	c->nr_modules = nr;
	c->modules = xcalloc(nr, sizeof(*c->modules));
	for (size_t i = 0; i < nr; i++)
		if (modules[i].usable)
			add_module(&c->modules[i], &modules[i]);
}

void
centres_release(struct centres *c)
{
	for (size_t i = 0; i < c->nr_modules; i++)
		free(c->modules[i].items);
	free(c->modules);
	*c = (struct centres){ .nr_modules = 0 };
}

model_id
centres_find(const struct centres *c, size_t module, uint64_t address)
{
	const struct centre_list *list = &c->modules[module];
	struct centre key = { .address = address }, *found = NULL;

	if (list->nr)
		found = bsearch(&key, list->items, list->nr, sizeof(key), compare_centres);
	return found ? found->procedure : 0;
}

/* ---- how the two ways to count time agree ---- */

void
disagreement_add(struct disagreement *d, model_id pc, model_id centre, uint64_t samples)
{
	GROW(d->pairs, d->nr + 1, d->alloc);
	d->pairs[d->nr++] = (struct disagreement_pair){ pc, centre, samples };
}

static int
compare_ids(const void *a, const void *b)
{
	const struct disagreement_pair *x = a, *y = b;

	COMPARE(x->pc, y->pc);
	return x->centre < y->centre ? -1 : x->centre > y->centre;
}

static int
compare_samples(const void *a, const void *b)
{
	const struct disagreement_pair *x = a, *y = b;

	COMPARE(y->samples, x->samples);
	return compare_ids(a, b);
}

/* Equal pairs become one; the most frequent come first. Returns the samples of all. */
static uint64_t
merge_pairs(struct disagreement *d)
{
	uint64_t samples = 0;
	size_t n = 0;

	qsort(d->pairs, d->nr, sizeof(*d->pairs), compare_ids);
	for (size_t i = 0; i < d->nr; i++) {
		samples += d->pairs[i].samples;
		if (n && !compare_ids(&d->pairs[n - 1], &d->pairs[i]))
			d->pairs[n - 1].samples += d->pairs[i].samples;
		else
			d->pairs[n++] = d->pairs[i];
	}
	d->nr = n;
	qsort(d->pairs, d->nr, sizeof(*d->pairs), compare_samples);
	return samples;
}

static const char *
name_of(const struct model *m, model_id procedure)
{
	return procedure ? m->procedures[procedure - 1].name : UNPROFILED_NAME;
}

void
disagreement_tell(struct disagreement *d, struct model *m)
{
	enum { TOLD = 3 };
	struct strbuf text = STRBUF_INIT;
	uint64_t samples, all = 0;

	if (!d->nr)
		return;
	samples = merge_pairs(d);
	for (size_t i = 0; i < m->nr_runs; i++)
		all += m->runs[i].centre_samples;
	for (size_t i = 0; i < d->nr && i < TOLD; i++)
		strbuf_fmt(&text, "%s %" PRIu64 " of %s to %s", i ? "," : "", d->pairs[i].samples,
			   name_of(m, d->pairs[i].pc), name_of(m, d->pairs[i].centre));
	model_note(m, "samples", "%" PRIu64 " of %" PRIu64 " samples belong to another "
		   "procedure by cost centre than by program counter:%s%s", samples, all, text.buf,
		   d->nr > TOLD ? ", ..." : "");
	strbuf_release(&text);
}

void
disagreement_release(struct disagreement *d)
{
	free(d->pairs);
	*d = (struct disagreement){ .nr = 0 };
}
