#include "db/ends.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

/* Counted, and then put where those before them end. */
static void
make_side(struct ends *e, bool callee, uint32_t nr,
	  uint32_t (*end)(void *context, uint32_t i, bool callee), void *context)
{
	uint32_t *first = xcalloc((size_t)e->most + 3, sizeof(*first));
	uint32_t *rows = xcalloc(nr, sizeof(*rows)), *ends = xcalloc(nr, sizeof(*ends));

	for (uint32_t i = 0; i < nr; i++) {
		ends[i] = end(context, i, callee);
		if (ends[i] && ends[i] <= e->most)
			first[ends[i] + 2]++;
	}
	for (size_t i = 1; i < (size_t)e->most + 3; i++)
		first[i] += first[i - 1];
	for (uint32_t i = 0; i < nr; i++)
		if (ends[i] && ends[i] <= e->most)
			rows[first[ends[i] + 1]++] = i;
	free(ends);
	e->first[callee] = first;
	e->rows[callee] = rows;
}

void
ends_make(struct ends *e, uint32_t nr, uint32_t most,
	  uint32_t (*end)(void *context, uint32_t i, bool callee), void *context)
{
	ends_release(e);
	e->most = most;
	make_side(e, false, nr, end, context);
	make_side(e, true, nr, end, context);
}

void
ends_release(struct ends *e)
{
	for (int i = 0; i < 2; i++) {
		free(e->first[i]);
		free(e->rows[i]);
	}
	memset(e, 0, sizeof(*e));
}

const uint32_t *
ends_of(const struct ends *e, bool callee, uint32_t entity, size_t *nr)
{
	const uint32_t *first = e->first[callee];

	*nr = 0;
	if (!first || !entity || entity > e->most)
		return NULL;
	*nr = first[entity + 1] - first[entity];
	return e->rows[callee] + first[entity];
}
