/* Which role each byte of a source line has: the heat of the innermost expression around it. */
#ifndef CGVIEW_SHOW_PAINT
#define CGVIEW_SHOW_PAINT

#include <stddef.h>
#include <stdint.h>

#include "show/doc.h"
#include "show/heat.h"

/* The part of a line that is looked at. */
struct painted {
	const char *text;
	size_t length;           /* of the whole line */
	size_t from, to;         /* bytes looked at */
	int column;              /* screen column of byte FROM */
	uint8_t *role, *overlay; /* one for each of them, the caller's room */
};

/* What is painted: all of a place, or the name that it begins with. */
struct paint_mark {
	struct place place;
	bool name;
	bool call;               /* code around it has a mark of its own, or that of the line */
	enum role role;
};
/* The next mark, in the order of their begins, outer before inner. False: there are no more. */
typedef bool paint_next(void *context, struct paint_mark *mark);

/* Roles of LINE: those of the innermost marks; without any but of calls the rest of the line has
 * WHOLE. */
void paint_marks(struct painted *vis, uint32_t line, paint_next *next, void *context,
		 enum role whole);

/* The same of the heat of ranges and calls. DOC has their figures; HEAT has a metric. */
void paint_line(struct painted *vis, const struct doc *doc, uint32_t line, const struct heat *heat);

/* VALUE for the bytes FROM..END (exclusive, in the line) of TO, which is vis->role or ->overlay. */
void paint_bytes(uint8_t *to, const struct painted *vis, size_t from, size_t end, uint8_t value);

/* The bytes of LINE that lie in PLACE. White space before the text of a continued line stays out.
 */
void paint_extent(const struct painted *vis, const struct place *place, uint32_t line, size_t *from,
		  size_t *end);

/* The hottest figure on LINE: its own, or of a total that of its calls. F: its figures. */
uint64_t paint_hottest(const struct doc *doc, uint32_t line, const struct line_row *f,
		       const struct metric *metric);

#endif
