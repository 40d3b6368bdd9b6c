#include "db/arc_ends.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

/* Counts the rows of each entity first, then puts each behind those of the entities before it. */
void
ends_begin(struct ends *e, uint32_t nr, uint32_t most,
	   uint32_t (*end)(void *context, uint32_t i, bool callee), void *context)
{
	ends_release(e);
	*e = (struct ends){
		.most = most, .nr = nr, .stage = ENDS_ASKED, .end = end, .context = context,
	};
	for (int i = 0; i < 2; i++) {
		e->first[i] = xcalloc((size_t)most + 3, sizeof(*e->first[i]));
		e->rows[i] = xcalloc(nr, sizeof(*e->rows[i]));
		e->of[i] = xcalloc(nr, sizeof(*e->of[i]));
	}
}

static void
ask(struct ends *e, uint32_t row)
{
	for (int i = 0; i < 2; i++) {
		uint32_t entity = e->end(e->context, row, i);

		if (!entity || entity > e->most)
			continue;
		e->of[i][row] = entity;
		e->first[i][entity + 2]++;
	}
}

static void
put(struct ends *e, uint32_t row)
{
	for (int i = 0; i < 2; i++)
		if (e->of[i][row])
			e->rows[i][e->first[i][e->of[i][row] + 1]++] = row;
}

static void
next_stage(struct ends *e)
{
	e->at = 0;
	for (int i = 0; i < 2; i++) {
		if (e->stage == ENDS_PLACED) {
			free(e->of[i]);
			e->of[i] = NULL;
		}
		for (size_t k = 1; e->stage == ENDS_ASKED && k < (size_t)e->most + 3; k++)
			e->first[i][k] += e->first[i][k - 1];
	}
	e->stage = e->stage == ENDS_ASKED ? ENDS_PLACED : ENDS_READY;
}

bool
ends_work(struct ends *e, bool (*enough)(void *context), void *context)
{
	enum { STRIDE = 512 };

	while (e->stage != ENDS_READY) {
		uint32_t end = e->nr - e->at < STRIDE ? e->nr : e->at + STRIDE;

		for (; e->at < end; e->at++)
			(e->stage == ENDS_ASKED ? ask : put)(e, e->at);
		if (e->at == e->nr)
			next_stage(e);
		if (enough && e->stage != ENDS_READY && enough(context))
			return false;
	}
	return true;
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
	if (e->stage != ENDS_READY || !entity || entity > e->most)
		return NULL;
	*nr = first[entity + 1] - first[entity];
	return e->rows[callee] + first[entity];
}
