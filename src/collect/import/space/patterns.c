#include "collect/import/space/patterns.h"

#include <stdlib.h>
#include <string.h>

#include "util/order.h"

struct found { struct table_pattern *items; size_t nr, alloc; };

/* Those of one text stand together, the one of most use last. */
static int
compare_patterns(const void *a, const void *b)
{
	const struct table_pattern *x = a, *y = b;
	int c = strcmp(x->text, y->text);

	return c ? c : (x->use > y->use) - (x->use < y->use);
}

static void
add_unit(struct found *f, const struct unit *u)
{
	GROW(f->items, f->nr + u->nr_patterns, f->alloc);
	for (uint32_t i = 0; i < u->nr_patterns; i++)
		f->items[f->nr++] = u->patterns[i];
}

static void
note_no_effect(struct model *m, const struct table_pattern *p)
{
	bool is_wrapper = strstr(p->text, "wrapper=") != NULL;

	if (p->use == PATTERN_NO_ARGUMENT)
		model_note(m, "space", "--cgview-flags=%s has no effect: no procedure of that name "
			   "has such an argument%s", p->text,
			   strncmp(p->text, "alloc=", strlen("alloc=")) ? ", or it is no pointer"
									: "");
	else
		model_note(m, "space", "--cgview-flags=%s has no effect: no %s of that name was "
			   "compiled with it", p->text,
			   is_wrapper ? "procedure" : "call of a procedure");
}

void
patterns_tell(struct model *m, const struct module *modules, size_t nr)
{
	enum { MOST_TOLD = 20 };
	struct found f = { .nr = 0 };
	size_t told = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; modules[i].usable && k < modules[i].tables.nr; k++)
			add_unit(&f, &modules[i].tables.units[k]);
	if (f.nr)
		qsort(f.items, f.nr, sizeof(*f.items), compare_patterns);
	for (size_t i = 0; i < f.nr && told < MOST_TOLD; i++) {
		bool last = i + 1 == f.nr || strcmp(f.items[i].text, f.items[i + 1].text);

		if (!last || f.items[i].use == PATTERN_USED)
			continue;
		note_no_effect(m, &f.items[i]);
		told++;
	}
	free(f.items);
}
