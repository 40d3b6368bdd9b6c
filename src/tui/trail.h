/* The path that was walked along from call to call. */
#ifndef CGVIEW_TUI_TRAIL_H
#define CGVIEW_TUI_TRAIL_H

#include "tui/history.h"
#include "util/mem.h"

struct browser;

/* Begins anew at AT. */
void trail_begin(struct trail *t, struct subject at);
/* Goes to TO, a caller (UP) or a callee of the procedure at the end; where that changes the
 * direction the trail begins at that one. Returns whether TO is on it already. */
bool trail_step(struct trail *t, struct subject to, bool up);
struct subject trail_end(const struct trail *t);
/* Has any step been done? */
bool trail_is_walked(const struct trail *t);
bool trail_has(const struct trail *t, struct subject procedure);

/* Appends "main > run > eval", callers before callees, in at most WIDTH columns. What is in the
 * middle is left out when there is no room: "main > ~3~ > eval". */
void trail_print(struct browser *b, const struct trail *t, int width, struct strbuf *out);

#endif
