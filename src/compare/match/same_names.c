#include "compare/match/same_names.h"

#include <stdlib.h>
#include <string.h>

#include "util/index.h"
#include "util/mem.h"
#include "util/order.h"

struct same_name { uint64_t key, number; };
struct same_names { struct same_name *items; size_t nr, alloc; };

/* FILE: of a static one; else 0. */
static uint64_t
key_of(uint64_t name, uint32_t file)
{
	return hash_number(name, file);
}

static int
compare_names(const void *pa, const void *pb)
{
	const struct same_name *a = pa, *b = pb;

	COMPARE(a->key, b->key);
	COMPARE(a->number, b->number);
	return 0;
}

/* 0: it is called the same there, or is not there. */
static uint64_t
number_of(const struct match *m, const struct side_procedure *p, size_t other)
{
	model_id there = p->entity ? match_procedure(m, p->entity, other) : 0;

	if (!there || !strcmp(m->sides[other].procedures[there - 1].name, p->name))
		return 0;
	return hash_number(hash_text(HASH_START, "procedure"), p->entity);
}

/* Names of several ones are of none. */
static void
settle(struct same_names *x)
{
	size_t kept = 0, n;

	if (x->nr)
		qsort(x->items, x->nr, sizeof(*x->items), compare_names);
	for (size_t i = 0; i < x->nr; i += n) {
		bool one = true;

		for (n = 1; i + n < x->nr && x->items[i + n].key == x->items[i].key; n++)
			one &= x->items[i + n].number == x->items[i].number;
		if (one && x->items[i].number)
			x->items[kept++] = x->items[i];
	}
	x->nr = kept;
}

struct same_names *
same_names_new(const struct match *m, size_t profile, size_t other)
{
	const struct side *s = &m->sides[profile];
	struct same_names *x = xcalloc(1, sizeof(*x));

	for (size_t i = 0; i < s->nr_procedures; i++) {
		const struct side_procedure *p = &s->procedures[i];
		const struct side_file *f = side_file(s, p->place.file);
		uint64_t name = slice_hash((struct slice){ p->name, strlen(p->name) });

		if (!f)
			continue;
		GROW(x->items, x->nr + 1, x->alloc);
		x->items[x->nr++] = (struct same_name){
			key_of(name, p->is_static ? f->number : 0),
			number_of(m, p, other),
		};
	}
	settle(x);
	return x;
}

void
same_names_free(struct same_names *x)
{
	free(x->items);
	free(x);
}

static uint64_t
find(const struct same_names *x, uint64_t key)
{
	size_t low = 0, high = x->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (x->items[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < x->nr && x->items[low].key == key ? x->items[low].number : 0;
}

uint64_t
same_names_find(const struct same_names *x, struct slice name, uint32_t file)
{
	uint64_t hash = slice_hash(name), own = find(x, key_of(hash, file));

	return own ? own : find(x, key_of(hash, 0));
}
