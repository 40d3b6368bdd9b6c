/* Line counts, as gcov computes them. */
#ifndef CGVIEW_COLLECT_LINES_H
#define CGVIEW_COLLECT_LINES_H

#include "collect/counts.h"
#include "db/parts.h"
#include "util/index.h"

struct line_counts {
	struct model *m;
	struct index by_place;       /* m->lines */
	struct unit_line *unit;      /* lines of the unit at hand */
	struct index unit_index;
	size_t nr_unit, unit_alloc;
	struct lines_room *room;     /* reused from procedure to procedure */
};

void lines_init(struct line_counts *l, struct model *m);
void lines_release(struct line_counts *l);

/* Add the procedure P with counts C; FILES are the model's numbers of the unit's files. */
void lines_add(struct line_counts *l, const struct table_procedure *p, const struct counts *c,
	       const model_id *files);

/* The unit is complete: put its lines into the model. */
void lines_end_unit(struct line_counts *l);

/* The same for one part of the program's threads, once the model has all lines: P was not executed
 * there at all; the unit is complete, its lines go to E. */
void lines_skip(struct line_counts *l, const struct table_procedure *p, const model_id *files);
void lines_end_part(struct line_counts *l, struct part_entries *e);

/* The line of the model, or NULL. */
struct model_line *lines_find(const struct line_counts *l, model_id file, uint32_t line);

#endif
