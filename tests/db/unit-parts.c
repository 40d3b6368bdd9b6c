/* Entries of parts with the ids that their rows have elsewhere: what has none is gone. */
#include "db/model/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"

enum { NR = 6 };

/* Where row I is elsewhere; 3 is gone. */
static model_id ids[NR] = { 0, 5, 4, 0, 2, 1 };

static bool
has(const struct part_entries *e, size_t i, enum part_column column, model_id id, model_id other,
    uint64_t value)
{
	const struct part_entry *p = &e->items[i];

	if (i < e->nr && p->column == column && p->id == id && p->other == other &&
	    p->value == value)
		return true;
	printf("# entry %zu of %zu is not %d %u %u %u\n", i, e->nr, (int)column, id, other,
	       (unsigned)value);
	return false;
}

static void
map(struct part_entries *e)
{
	struct row_ids all;

	for (int t = 0; t < NR_TABLES; t++)
		all.of[t] = ids;
	part_entries_map(e, &all, NULL);
}

/* Each kind of loss first, in the middle and last, so that none depends on another. */
static bool
test_losses(void)
{
	struct part_entries e = { .items = NULL };
	bool right;

	part_add_arc(&e, 1, 3, 10);            /* to what is gone */
	part_add(&e, PART_COUNT, 1, 20);
	part_add(&e, PART_LINE_COUNT, 3, 30);  /* gone */
	part_add_arc(&e, 2, 4, 40);
	part_add_arc(&e, 4, 3, 50);            /* to what is gone */
	part_add_arc(&e, 3, 1, 60);            /* from what is gone */
	part_add_arc(&e, 5, 0, 70);            /* outside stays outside */
	part_add(&e, PART_CALLS, 3, 80);       /* gone */
	map(&e);
	right = has(&e, 0, PART_COUNT, 5, 0, 20) && has(&e, 1, PART_MEASURED, 4, 2, 40) &&
		has(&e, 2, PART_MEASURED, 1, 0, 70) && e.nr == 3;
	part_entries_release(&e);
	return right;
}

static bool
test_nothing_lost(void)
{
	struct part_entries e = { .items = NULL };
	bool right;

	part_add(&e, PART_CALLS, 5, 1);
	part_add_arc(&e, 1, 2, 2);
	map(&e);
	right = has(&e, 0, PART_CALLS, 1, 0, 1) && has(&e, 1, PART_MEASURED, 5, 4, 2) && e.nr == 2;
	part_entries_release(&e);
	return right;
}

int
main(void)
{
	bool some = test_losses(), none = test_nothing_lost();

	printf("%s - entries of rows that are gone, and arcs to them, are gone\n",
	       some ? "ok" : "not ok");
	printf("%s - all others stay, with their new ids\n", none ? "ok" : "not ok");
	return !some || !none;
}
