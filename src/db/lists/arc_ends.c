#include "db/lists/arc_ends.h"

#include <stdlib.h>
#include <string.h>

#include "util/job.h"
#include "util/mem.h"

/* Counts the rows of each entity first, then puts each behind those of the entities before it. */
void
ends_make(struct ends *e, uint32_t nr, uint32_t most,
	  uint32_t (*end)(void *context, uint32_t i, bool callee), void *context)
{
	ends_release(e);
	e->most = most;
	for (int i = 0; i < 2; i++) {
		e->first[i] = xcalloc((size_t)most + 3, sizeof(*e->first[i]));
		e->rows[i] = xcalloc(nr, sizeof(*e->rows[i]));
		e->of[i] = xcalloc(nr, sizeof(*e->of[i]));
	}
	for (uint32_t row = 0; row < nr; row++, job_pause(1)) {
		for (int i = 0; i < 2; i++) {
			uint32_t entity = end(context, row, i);

			e->of[i][row] = entity <= most ? entity : 0;
			e->first[i][e->of[i][row] ? entity + 2 : 0]++;
		}
	}
	for (int i = 0; i < 2; i++) {
		e->first[i][0] = 0;
		for (size_t k = 1; k < (size_t)most + 3; k++)
			e->first[i][k] += e->first[i][k - 1];
		for (uint32_t row = 0; row < nr; row++, job_pause(1))
			if (e->of[i][row])
				e->rows[i][e->first[i][e->of[i][row] + 1]++] = row;
		free(e->of[i]);
		e->of[i] = NULL;
	}
	e->ready = true;
}

void
ends_release(struct ends *e)
{
	for (int i = 0; i < 2; i++) {
		free(e->first[i]);
		free(e->rows[i]);
		free(e->of[i]);
	}
	memset(e, 0, sizeof(*e));
}

const uint32_t *
ends_of(const struct ends *e, bool callee, uint32_t entity, size_t *nr)
{
	const uint32_t *first = e->first[callee];

	*nr = 0;
	if (!e->ready || !entity || entity > e->most)
		return NULL;
	*nr = first[entity + 1] - first[entity];
	return e->rows[callee] + first[entity];
}
