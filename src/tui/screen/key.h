/* Keys: one number each, and a name that a person can type into a script or read in the help. */
#ifndef CGVIEW_TUI_KEY_H
#define CGVIEW_TUI_KEY_H

#include <stdint.h>

#include "util/mem.h"

/* Characters are their code points (C-a is 1, Esc 27). */
typedef int32_t tui_key;

enum {
	KEYS_SPECIAL = 0x200000,
	K_NONE = KEYS_SPECIAL, /* nothing happened */
	K_UP, K_DOWN, K_LEFT, K_RIGHT, K_PAGE_UP, K_PAGE_DOWN, K_HOME, K_END,
	K_ENTER, K_BACKSPACE, K_TAB, K_BACK_TAB, K_DELETE, K_INSERT,
	K_ALT_LEFT, K_ALT_RIGHT,
	K_F1, K_F12 = K_F1 + 11, /* and those between */
	K_MOUSE, K_RESIZE, K_HANGUP, K_UNKNOWN,
	K_COLOURS, /* all is to be drawn anew: the palette has changed, or others have drawn */
	K_PASTE,   /* text was pasted */
	K_INTERRUPT = 3, /* C-c, or another interrupt key of this terminal */
	K_ESC = 27,
};

/* Appends the name of KEY: "j", "C-d", "Enter", "Space". */
void key_print(struct strbuf *out, tui_key key);

/* Returns the key of this name, or K_NONE. A single character (UTF-8) is its own name. */
tui_key key_named(const char *name);

#endif
