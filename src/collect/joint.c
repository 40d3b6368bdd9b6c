#include "collect/joint.h"

#include <stdbool.h>

struct counters {
	uint64_t *values, address;
	size_t nr;
};

/* The counter NUMBER of the array at ADDRESS, NULL: it lies outside of the module's counters. */
static uint64_t *
counter_at(const struct counters *c, uint64_t address, uint32_t number)
{
	uint64_t first = (address - c->address) / 8;

	if (address < c->address || (address - c->address) % 8 || first >= c->nr ||
	    number >= c->nr - first)
		return NULL;
	return &c->values[first + number];
}

/* Goes from the last to the first: parts of one table stand before the counters they belong to. */
static bool
apply_table(const struct joint_table *j, const struct counters *c)
{
	const struct joint_part *p;
	uint64_t *value, *part;
	uint32_t i, k;

	for (i = j->nr_counters; i-- > 0;) {
		value = counter_at(c, j->arrays[0], i);
		if (!value)
			return false;
		for (k = 0; k < j->counters[i].nr_parts; k++) {
			p = &j->counters[i].parts[k];
			part = counter_at(c, j->arrays[p->array], p->number);
			if (!part)
				return false;
			*part += *value * (uint64_t)(int64_t)p->factor;
		}
	}
	return true;
}

int
joint_apply(const struct tables *t, uint64_t *counters, size_t nr, uint64_t address,
	    const char *path, struct error *err)
{
	const struct counters c = { counters, address, nr };
	bool late;
	size_t i;

	for (late = true;; late = false) {
		for (i = 0; i < t->nr_joint; i++)
			if (!(t->joint[i].flags & JOINT_LATE) == !late &&
			    !apply_table(&t->joint[i], &c))
				return error_set(err, "%s: its tables are damaged: a joint counter "
						 "lies outside of the section cgview_cnt; build it "
						 "anew", path);
		if (!late)
			return 0;
	}
}
