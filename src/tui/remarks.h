/* Remarks: what users write beside the source, kept in the profile. */
#ifndef CGVIEW_TUI_REMARKS_H
#define CGVIEW_TUI_REMARKS_H

#include "db/store/remarks.h"
#include "tui/keys/action.h"
#include "tui/screen/draw.h"

struct browser;

/* Asks for a remark on what the cursor is on (ACTION_REMARK): an expression or a line of the
 * source, a procedure elsewhere. One that is there can be changed; an empty text removes it. */
unsigned remark_ask(struct browser *b, enum action action, size_t count);
/* Writes TEXT as the remark that was asked for. */
unsigned remark_typed(struct browser *b, const char *text);
/* Writes TEXT on what the cursor is on, in place of what is there; without TEXT asks. */
unsigned remark_command(struct browser *b, const char *text);

/* Draws the remarks on LINE of FILE from column X on, if there is room for any. */
void remark_draw(const struct browser *b, model_id file, uint32_t number, const struct line *line,
		 int x);

#endif
