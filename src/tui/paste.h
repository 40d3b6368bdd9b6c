/* Text that is pasted comes between two marks, if the terminal was asked for them: it is text,
 * never keys. */
#ifndef CGVIEW_TUI_PASTE_H
#define CGVIEW_TUI_PASTE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/mem.h"

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define PASTE_BEGIN "\033[200~"
#define PASTE_END "\033[201~"

enum { PASTE_KEPT = 64 << 10 }; /* bytes; the others are only counted */

/* What came behind PASTE_BEGIN. The text may have end marks of its own, which a terminal should not
 * let pass: as long as a further one comes, the one before was text. */
struct paste {
	struct strbuf text;    /* up to the last end */
	size_t bytes;          /* of the text, also of what is not kept */
	struct strbuf behind;  /* what came after the last end */
	size_t matched;        /* bytes of an end */
	bool ended;
};

void paste_init(struct paste *p);
void paste_release(struct paste *p);
/* N bytes more. */
void paste_feed(struct paste *p, const char *s, size_t n);

/* Behind the end something begins that may be a mark: another text, or another end. */
bool paste_goes_on(const struct paste *p);

/* Append at most MOST bytes of the text as one line: line ends, tabs and all that is not shown as
 * it is become blanks. Returns false when not all of it fits. */
bool paste_line(const struct paste *p, struct strbuf *out, size_t most);

#endif
