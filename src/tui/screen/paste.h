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

enum { PASTE_KEPT = 64 << 10 }; /* bytes; further ones are only counted */

/* The text behind PASTE_BEGIN. It may have end marks of its own, which a terminal should not let
 * pass: as long as a further one comes, the one before was text. */
struct paste {
	struct strbuf text;    /* up to the last end */
	size_t bytes;          /* of the whole text, kept or not */
	struct strbuf behind;  /* what came after the last end */
	size_t matched;        /* bytes of an end */
	bool ended;
};

void paste_init(struct paste *p);
void paste_release(struct paste *p);
/* Takes N bytes more. */
void paste_feed(struct paste *p, const char *s, size_t n);

/* Do the bytes behind the end begin a mark: of another text, or another end? */
bool paste_goes_on(const struct paste *p);

/* Appends at most MOST bytes of the text as one line: line ends, tabs and all else that is not
 * shown as it is become blanks. Returns false when not all of it fits. */
bool paste_line(const struct paste *p, struct strbuf *out, size_t most);

#endif
