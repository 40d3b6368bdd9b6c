#include "collect/import/space/disposals.h"

#include <string.h>

#include "db/model/rows.h"
#include "db/store/profile.h"

static bool
same_ends(const void *ctx, uint32_t item, const void *key)
{
	const struct model_disposal *x = &((const struct model *)ctx)->disposals[item], *k = key;

	return x->site == k->site && x->procedure == k->procedure && x->by_site == k->by_site &&
	       x->by == k->by && x->how == k->how;
}

static uint64_t
hash_ends(const struct model_disposal *d)
{
	uint64_t h = hash_number(hash_number(HASH_START, d->site), d->procedure);

	return hash_number(hash_number(hash_number(h, d->by_site), d->by), d->how);
}

void
disposals_add(struct disposals *s, struct model *m, struct part_entries *part,
	      const struct model_disposal *d)
{
	uint64_t h = hash_ends(d);
	uint32_t i = index_find(&s->by_ends, h, same_ends, m, d);

	if (i == INDEX_NONE) {
		i = (uint32_t)m->nr_disposals;
		*MODEL_ADD(m, disposals) = *d;
		index_add(&s->by_ends, h, i);
	} else {
		model_add_row(TABLE_DISPOSAL, &m->disposals[i], d);
	}
	if (part)
		part_add_disposal(part, i + 1, d);
}

void
disposals_release(struct disposals *s)
{
	index_release(&s->by_ends);
}
