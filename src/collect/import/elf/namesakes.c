#include "collect/import/elf/namesakes.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/elf/demangle.h"
#include "util/order.h"

bool
namesakes_same(const char *a, const char *b)
{
	size_t n = strcspn(a, "."), k = strcspn(b, ".");

	return (n == k && !strncmp(a, b, n)) || demangle_same_structor(a, b);
}

static int
compare_lines(const struct model_procedure *a, const struct model_procedure *b)
{
	COMPARE(a->place.file, b->place.file);
	COMPARE(a->place.line, b->place.line);
	COMPARE((uintptr_t)a->module, (uintptr_t)b->module);
	return strcmp(a->name, b->name);
}

static int
compare_namesakes(const void *va, const void *vb, void *procedures)
{
	const struct model_procedure *a = (const struct model_procedure *)procedures +
					  *(const uint32_t *)va;
	const struct model_procedure *b = (const struct model_procedure *)procedures +
					  *(const uint32_t *)vb;
	int order = compare_lines(a, b);

	return order ? order : strcmp(a->linkage_name, b->linkage_name);
}

/* Names P as its linkage name says, or by that itself. */
static void
rename_by_linkage(struct model *m, struct model_procedure *p, enum demangle_how how)
{
	struct strbuf name = STRBUF_INIT;

	if (!demangle(&name, p->linkage_name, how))
		strbuf_str(&name, p->linkage_name);
	p->name = arena_strdup(&m->arena, name.buf);
	strbuf_release(&name);
}

/* Are two of them called the same? */
static bool
any_equal(const struct model *m, const uint32_t *which, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(m->procedures[which[i]].name, m->procedures[which[k]].name))
				return true;
	return false;
}

/* Overloads that one macro declares have different parameters. What has not even these is told by
 * its linkage name. */
static void
tell_apart(struct model *m, const uint32_t *which, size_t nr)
{
	static const enum demangle_how hows[] = { DEMANGLE_NAME, DEMANGLE_WHOLE };

	for (size_t h = 0; h < sizeof(hows) / sizeof(*hows) && any_equal(m, which, nr); h++)
		for (size_t i = 0; i < nr; i++)
			rename_by_linkage(m, &m->procedures[which[i]], hows[h]);
	for (size_t i = 0; any_equal(m, which, nr) && i < nr; i++)
		m->procedures[which[i]].name = m->procedures[which[i]].linkage_name;
}

void
namesakes_tell_apart(struct model *m)
{
	uint32_t *order = xcalloc(m->nr_procedures + 1, sizeof(*order));
	size_t i, nr;

	for (i = 0; i < m->nr_procedures; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, m->nr_procedures, sizeof(*order), compare_namesakes, m->procedures);
	for (i = 0; i < m->nr_procedures; i += nr) {
		for (nr = 1; i + nr < m->nr_procedures; nr++)
			if (compare_lines(&m->procedures[order[i]], &m->procedures[order[i + nr]]))
				break;
		if (nr > 1)
			tell_apart(m, order + i, nr);
	}
	free(order);
}
