/* Inside the adding of profiles: rows that have their like in the other profile. */
#ifndef CGVIEW_COLLECT_MERGE_TABLES_H
#define CGVIEW_COLLECT_MERGE_TABLES_H

#include "db/model/rows.h"

struct merge_source;

struct merger {
	const struct merge_source *source; /* NULL: FROM is of the same build */
	struct model *into;
	const struct model *from;
	struct row_ids ids;      /* by FROM's id, the id in INTO */
	unsigned slots[MEASURES_MAX]; /* by FROM's measure, the slot in INTO */
	bool same;               /* all of these are the same in both */
};

/* Returns the id in INTO of row ID of FROM; 0: it is not there. */
static inline model_id
merge_id(const struct merger *g, enum table_id table, model_id id)
{
	return g->ids.of[table][id];
}

/* Files, procedures, blocks, ranges, call sites, lines, contexts, disposals and allocations: add
 * what is the same, append what is new. Fills G's ids. */
void merge_tables(struct merger *g);

/* Returns where place P of FROM is in INTO; its file is MERGE_NOWHERE if it is not there. */
#define MERGE_NOWHERE UINT32_MAX
struct place merge_place(const struct merger *g, struct place p);
/* Makes P, a place of FROM, one of INTO; all but its line may be missing. It has no file when it is
 * not there. */
void merge_partial_place(const struct merger *g, struct place *p);

/* Returns a copy of S (or NULL) that belongs to INTO. */
const char *merge_own(const struct merger *g, const char *s);

#endif
