/* Rows of profiles that know lines and no ends of expressions: lines, the blocks of all code that a
 * procedure has on a line, points in them, and the places from which it calls. Each is made when it
 * is first asked for, and nothing of it is counted (COUNT_LACKS_ALL). */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_LINE_ROWS_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_LINE_ROWS_H

#include "db/model/model.h"
#include "util/keys.h"

struct line_rows {
	struct model *m;
	struct keys blocks, sites, lines, points;
	struct model_range *of_points;
	size_t nr_points, points_alloc, before_points; /* ranges of the model before them */
};
#define LINE_ROWS_INIT(model) { .m = (model) }
void line_rows_release(struct line_rows *r);

/* All of a line; its columns are set by line_rows_set_columns(). */
struct place whole_line(model_id file, uint32_t line);

struct model_line *line_rows_line(struct line_rows *r, model_id file, uint32_t line);

/* Returns the block of PROCEDURE on a line, whose only range has the same number; 0: the line is
 * not known. */
model_id line_rows_block(struct line_rows *r, model_id procedure, model_id file, uint32_t line);

/* Returns the site of PROCEDURE at COLUMN of a line (0: not known, all of the line), or of those of
 * its calls whose line is not known. */
model_id line_rows_site(struct line_rows *r, model_id procedure, model_id file, uint32_t line,
			uint32_t column, enum site_kind kind);

/* Returns the range that what is at COLUMN of a line in BLOCK counts to: the point there; column 0,
 * not known: all of the line. It is valid until the next call. */
struct model_range *line_rows_range(struct line_rows *r, model_id block, uint32_t column);
/* Adds the points to the model; none is asked for behind this. */
void line_rows_add_points(struct line_rows *r);
/* Behind it: returns the number of the range that line_rows_range() has returned. */
model_id line_rows_range_id(struct line_rows *r, model_id block, uint32_t column);

/* Whole lines are as long as their text, if that is known, points and sites as the token there.
 * Where a line has no such column its text is another one: that point is all of the line. */
void line_rows_set_columns(struct model *m);

#endif
