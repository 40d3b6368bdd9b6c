/* Finds the role of each byte of a source line: the heat of the innermost expression around it. */
#ifndef CGVIEW_SHOW_PAINT
#define CGVIEW_SHOW_PAINT

#include <stddef.h>
#include <stdint.h>

#include "show/doc.h"
#include "show/heat.h"

/* The part of a line that is visible. */
struct painted {
	const char *text;
	size_t length;           /* of the whole line */
	size_t from, to;         /* the visible bytes */
	int column;              /* screen column of byte FROM */
	uint8_t *role, *overlay; /* one for each of these bytes; the caller's room */
};

/* A mark to be painted: all of a place, or the name that it begins with. */
struct paint_mark {
	struct place place;
	bool name;
	bool call;               /* code around it has a mark of its own, or the line's */
	enum role role;
};
/* Gives the next mark, by begin, outer before inner. False: there are no more. */
typedef bool paint_next(void *context, struct paint_mark *mark);

/* Gives the bytes of LINE the roles of the innermost marks; WHOLE where there is none, unless only
 * calls have marks. */
void paint_marks(struct painted *vis, uint32_t line, paint_next *next, void *context,
		 enum role whole);

/* Paints the heat of ranges and calls. DOC has the figures of LINE; HEAT has a metric. */
void paint_line(struct painted *vis, const struct doc *doc, uint32_t line, const struct heat *heat);

/* Sets bytes FROM..END (exclusive, in the line) of TO, vis->role or ->overlay, to VALUE. */
void paint_bytes(uint8_t *to, const struct painted *vis, size_t from, size_t end, uint8_t value);

/* Finds the bytes of LINE that lie in PLACE, without white space before a continued text. */
void paint_extent(const struct painted *vis, const struct place *place, uint32_t line, size_t *from,
		  size_t *end);

/* Returns the hottest figure on LINE: its own, F, or for a total that of its calls. */
int64_t paint_hottest(const struct doc *doc, uint32_t line, const struct line_row *f,
		       const struct metric *metric);

#endif
