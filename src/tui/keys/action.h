/* Everything that a key can do, in two tables (action_rows.h): actions and keys. The key lookup,
 * the help screen, the hints at the bottom, the manual page and the unknown-key message come from
 * them. */
#ifndef CGVIEW_TUI_ACTION_H
#define CGVIEW_TUI_ACTION_H

#include <stdbool.h>
#include <stdio.h>

#include "tui/screen/key.h"
#include "util/mem.h"

enum action {
#define ACTION(id, ...) ACTION_##id,
#include "tui/keys/action_rows.h"
	ACTION_NR,
};

enum action_group {
	GROUP_MOVING,
	GROUP_WALKING,
	GROUP_FINDING,
	GROUP_SHOWING,
	GROUP_TREE,
	GROUP_ARCS,
	GROUP_COMPARING,
	GROUP_LIVE,
	GROUP_REST,
	GROUP_PROMPT,
	GROUP_NR,
};

struct action_row {
	enum action_group group;
	const char *name;   /* one word, for scripts and the manual */
	const char *help;   /* one line */
	const char *hint;   /* one or two words for the bottom line, or NULL */
};

/* A keymap is searched first, KEYMAP_GENERIC after it; KEYMAP_PROMPT stands alone. */
enum keymap {
	KEYMAP_GENERIC, KEYMAP_TABLE, KEYMAP_ARCS, KEYMAP_PINS, KEYMAP_SOURCE, KEYMAP_TEXT,
	KEYMAP_COLUMNS, KEYMAP_QUERY, KEYMAP_THREADS, KEYMAP_TREE, KEYMAP_ICICLE,
	KEYMAP_EXPRESSIONS, KEYMAP_BESIDE, KEYMAP_LEDGER, KEYMAP_BANDS, KEYMAP_MATRIX,
	KEYMAP_TIMELINE,
	KEYMAP_QUESTION, KEYMAP_PROMPT, KEYMAP_NR
};

struct key_row {
	enum keymap keymap;
	tui_key key;
	enum action action;
};

extern const struct action_row action_table[ACTION_NR];
extern const struct key_row key_table[];
extern const int key_table_rows;
extern const char *const action_group_names[GROUP_NR];
extern const char *const keymap_names[KEYMAP_NR]; /* one word, for configuration files */

/* Makes KEY mean ACTION in KEYMAP, whatever it meant; ACTION_NONE: nothing at all, not even what it
 * means in KEYMAP_GENERIC. */
void action_bind(enum keymap keymap, tui_key key, enum action action);
/* Makes KEY mean nothing in KEYMAP itself; returns false when it did not before. */
bool action_unbind(enum keymap keymap, tui_key key);

/* Returns what KEY means where KEYMAP is in force, or ACTION_NONE. */
enum action action_of_key(enum keymap keymap, tui_key key);

/* Appends the keys of ACTION in KEYMAP or KEYMAP_GENERIC, at most MAX of them: "j, Down". Returns
 * their number. */
int action_keys(struct strbuf *out, enum keymap keymap, enum action action, int max,
		const char *between);

/* Returns the first key of ACTION in KEYMAP, for messages; ":name" if it has none. Valid until the
 * fourth next call. */
const char *action_key(enum keymap keymap, enum action action);

/* Appends all keys of an action in any keymap, each once, a blank between. One that elsewhere does
 * something else is followed by its keymap, "n(question)", if another key counts everywhere. */
void action_all_keys(struct strbuf *out, enum action action);

/* Returns the action of this name, or ACTION_NONE. */
enum action action_named(const char *name);

/* Prints all keys in force, one a line, as a configuration file has them. */
void action_list_keys(FILE *out);

/* Prints the tables as text: one action a line, "name<TAB>keys<TAB>help<TAB>group". */
void action_list(FILE *out);

#endif
