/* The line at the bottom that asks: while it is open it gets every key. */
#ifndef CGVIEW_TUI_PROMPT_H
#define CGVIEW_TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/screen/draw.h"
#include "tui/screen/key.h"
#include "util/mem.h"

enum prompt_kind {
	PROMPT_NONE, PROMPT_SEARCH, PROMPT_SEARCH_BACK, PROMPT_FILTER, PROMPT_LINE, PROMPT_COMMAND,
	PROMPT_TURN, PROMPT_COMPARE, PROMPT_GOTO, PROMPT_REMARK,
	PROMPT_NR,
};

struct paste;

enum { PROMPT_HISTORY = 20, PROMPT_LONGEST = 1000 /* bytes that can be typed */ };

struct prompt {
	enum prompt_kind kind;     /* PROMPT_NONE: closed */
	struct strbuf text;
	size_t at;                 /* byte of the cursor */
	char *history[PROMPT_NR][PROMPT_HISTORY]; /* newest first */
	struct strbuf offer;       /* what could be meant, until the next key */
	int from_history;          /* -1: what is being typed */
	int wrong;                 /* byte at which the text is wrong; -1: nowhere */
};

enum prompt_event { PROMPT_NOTHING, PROMPT_CHANGED, PROMPT_ACCEPTED, PROMPT_CANCELLED,
		    PROMPT_COMPLETED, PROMPT_NEXT, PROMPT_PREVIOUS /* of PROMPT_GOTO: rows */ };

void prompt_init(struct prompt *p);
void prompt_release(struct prompt *p);
void prompt_open(struct prompt *p, enum prompt_kind kind, const char *text);
/* Closes the prompt; KEEP: the text goes into the history. p->text is valid until the next open. */
void prompt_close(struct prompt *p, bool keep);

/* Handles one key. DONE (may be NULL) counts its action (for the tests). */
enum prompt_event prompt_key(struct prompt *p, tui_key key, unsigned *actions_done);

/* Inserts pasted text at the cursor, in one line and as far as there is room. */
enum prompt_event prompt_paste(struct prompt *p, const struct paste *paste);

/* Replaces the text from byte FROM on by TEXT. */
void prompt_replace(struct prompt *p, size_t from, const char *text);
/* Shows TEXT in place of the hint until the next key. */
void prompt_offer(struct prompt *p, const char *text);

void prompt_draw(const struct prompt *p, const struct line *line);

#endif
