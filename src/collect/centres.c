#include "collect/centres.h"

#include <stdlib.h>

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
