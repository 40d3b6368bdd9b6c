#include "collect/import/space/allocations.h"

#include <stdlib.h>
#include <string.h>

#include "db/model/rows.h"
#include "db/store/profile.h"

uint64_t
allocations_hash(const struct model_allocation *a)
{
	uint64_t h = hash_number(hash_number(HASH_START, a->site), a->procedure);

	return hash_text(hash_number(h, a->size_class), a->pool ? a->pool : "");
}

bool
allocations_alike(const struct model_allocation *x, const struct model_allocation *y)
{
	return x->site == y->site && x->procedure == y->procedure &&
	       x->size_class == y->size_class && !x->pool == !y->pool &&
	       (!x->pool || !strcmp(x->pool, y->pool));
}

static bool
same_size(const void *ctx, uint32_t item, const void *key)
{
	return allocations_alike(&((const struct model *)ctx)->allocations[item], key);
}

void
allocations_add(struct allocations *s, struct model *m, struct part_entries *part,
		const struct model_allocation *a)
{
	uint64_t h = allocations_hash(a);
	uint32_t i = index_find(&s->by_size, h, same_size, m, a);

	if (i == INDEX_NONE) {
		i = (uint32_t)m->nr_allocations;
		*MODEL_ADD(m, allocations) = *a;
		index_add(&s->by_size, h, i);
	} else {
		model_add_row(TABLE_ALLOCATION, &m->allocations[i], a);
	}
	if (part)
		part_add_allocation(part, i + 1, a);
}

void
allocations_release(struct allocations *s)
{
	index_release(&s->by_size);
}

const char *
allocations_type(struct arena *arena, const char *x, const char *y)
{
	const char *first = x && y && strcmp(x, y) > 0 ? y : x, *second = first == x ? y : x;
	const char *both;
	char *text;

	if (!x || !y)
		return NULL;
	if (!strcmp(x, y) || strstr(x, " or ")) /* of more than two all are not said */
		return x;
	if (strstr(y, " or "))
		return y;
	text = xasprintf("%s or %s", first, second);
	both = arena_strdup(arena, text);
	free(text);
	return both;
}
