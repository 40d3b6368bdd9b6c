#include "collect/import/counts/joint.h"

#include <stdbool.h>

/* Index of the counter NUMBER of the array at ADDRESS, SIZE_MAX: it lies outside of the module's
 * counters. */
static size_t
counter_at(const struct joint_counters *c, uint64_t address, uint32_t number)
{
	uint64_t first = (address - c->address) / 8;

	if (address < c->address || (address - c->address) % 8 || first >= c->nr ||
	    number >= c->nr - first)
		return SIZE_MAX;
	return first + number;
}

/* A factor of 0: the value tells runs of a loop that have not ended. When a handler of a signal
 * forks in one, it ends once more than it began. */
static void
add_to_part(const struct joint_counters *c, size_t joint, size_t part, int32_t factor)
{
	uint64_t value = c->values[joint];

	c->values[part] += value * (uint64_t)(int64_t)factor;
	if (!c->lacking)
		return;
	if (factor)
		c->lacking[part] += c->lacking[joint];
	else
		c->lacking[part] += (int64_t)value < 0 ? -value : value;
}

/* Goes from the last to the first: parts of one table stand before the counters they belong to. */
static bool
apply_table(const struct joint_table *j, const struct joint_counters *c)
{
	const struct joint_part *p;
	size_t joint, part;
	uint32_t i, k;

	for (i = j->nr_counters; i-- > 0;) {
		joint = counter_at(c, j->arrays[0], i);
		if (joint == SIZE_MAX)
			return false;
		for (k = 0; k < j->counters[i].nr_parts; k++) {
			p = &j->counters[i].parts[k];
			part = counter_at(c, j->arrays[p->array], p->number);
			if (part == SIZE_MAX)
				return false;
			add_to_part(c, joint, part, p->factor);
		}
	}
	return true;
}

int
joint_apply(const struct tables *t, const struct joint_counters *c, const char *path,
	    struct error *err)
{
	bool late;
	size_t i;

	for (late = true;; late = false) {
		for (i = 0; i < t->nr_joint; i++)
			if (!(t->joint[i].flags & JOINT_LATE) == !late &&
			    !apply_table(&t->joint[i], c))
				return error_set(err, "%s: its tables are damaged: a joint counter "
						 "lies outside of the section cgview_cnt; build it "
						 "anew", path);
		if (!late)
			return 0;
	}
}
