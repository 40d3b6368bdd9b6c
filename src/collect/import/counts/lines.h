/* How often each line was executed (docs/design/lines.md): as often as the statement on
 * it that was executed most often, added up over the copies of the line's text. Which statement
 * that is, is decided once for all that is imported together; so the counts of parts add up to
 * the whole. */
#ifndef CGVIEW_COLLECT_LINES_H
#define CGVIEW_COLLECT_LINES_H

#include "collect/import/counts/counts.h"
#include "db/model/parts.h"
#include "util/index.h"

struct line_counts {
	struct model *m;
	struct index by_place;       /* m->lines */
	struct line_share *shares;   /* what the procedures of one place give to a line */
	struct index by_share;
	size_t nr_shares, shares_alloc;
	struct line_item *items;     /* these are reused from procedure to procedure */
	uint64_t *executions;
	size_t items_alloc, executions_alloc;
};

void lines_init(struct line_counts *l, struct model *m);
void lines_release(struct line_counts *l);

/* Add the procedure P with counts C; FILES are the model's numbers of the unit's files. P keeps
 * which of its blocks count for a line. */
void lines_add(struct line_counts *l, const struct table_procedure *p, const struct counts *c,
	       const model_id *files);

/* P was added, and its blocks lack so many runs of loops: so do its lines. */
void lines_lack(struct line_counts *l, const struct table_procedure *p, const uint64_t *blocks,
		const model_id *files);

/* All procedures were added: the model's lines get their counts. */
void lines_finish(struct line_counts *l);

/* After lines_finish(): adds to E what P, which was added, gives to the lines when its counts are
 * C. */
void lines_add_part(struct line_counts *l, const struct table_procedure *p,
		    const struct counts *c, struct part_entries *e);

/* Returns the line of the model, or NULL. */
struct model_line *lines_find(const struct line_counts *l, model_id file, uint32_t line);

#endif
