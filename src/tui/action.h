/* Everything that a key can do, in three tables: actions, keymaps, keys. The key lookup, the help
 * screen, the hints at the bottom, the manual page and the unknown-key message come from them. */
#ifndef CGVIEW_TUI_ACTION_H
#define CGVIEW_TUI_ACTION_H

#include <stdbool.h>
#include <stdio.h>

#include "tui/key.h"
#include "util/mem.h"

enum action {
	ACTION_NONE,
	/* moving */
	ACTION_DOWN,
	ACTION_UP,
	ACTION_PAGE_DOWN,
	ACTION_PAGE_UP,
	ACTION_HALF_DOWN,
	ACTION_HALF_UP,
	ACTION_FIRST,
	ACTION_LAST,
	ACTION_GOTO_LINE,
	ACTION_EXPRESSION_NEXT,
	ACTION_EXPRESSION_PREVIOUS,
	ACTION_SCROLL_LEFT,
	ACTION_SCROLL_RIGHT,
	ACTION_SCROLL_BEGIN,
	ACTION_SCROLL_END,
	ACTION_HOT_NEXT,
	ACTION_HOT_PREVIOUS,
	/* walking */
	ACTION_OPEN,
	ACTION_BACK,
	ACTION_FORWARD,
	ACTION_CALLERS,
	ACTION_CALLEES,
	ACTION_SUMMARY,
	ACTION_SOURCE,
	ACTION_FILES,
	ACTION_OUTLINE,
	ACTION_COPIES,
	ACTION_MACRO,
	ACTION_CYCLES,
	ACTION_TREE,
	ACTION_THREADS,
	ACTION_MARK_ROW,
	ACTION_SHOW,
	ACTION_ALL,
	ACTION_NEXT_PANE,
	ACTION_PREVIOUS_PANE,
	ACTION_ZOOM,
	ACTION_MARK_SET,
	ACTION_MARK_GO,
	/* finding */
	ACTION_SEARCH,
	ACTION_SEARCH_BACK,
	ACTION_SEARCH_NEXT,
	ACTION_SEARCH_PREVIOUS,
	ACTION_FILTER,
	ACTION_LEAST,
	ACTION_ONLY,
	/* showing */
	ACTION_SORT,
	ACTION_SORT_REVERSE,
	ACTION_COLUMN_TOGGLE,
	ACTION_COLUMN_LATER,
	ACTION_COLUMN_EARLIER,
	ACTION_COLUMN_RESET,
	ACTION_SUMMARY_NEXT,
	ACTION_SUMMARY_PREVIOUS,
	ACTION_METRIC,
	ACTION_SCALE,
	ACTION_LEGEND,
	ACTION_COLUMNS,
	ACTION_BACKGROUND,
	ACTION_MOUSE,
	ACTION_REDRAW,
	/* in the tree of calls */
	ACTION_TREE_EXPAND,
	ACTION_TREE_COLLAPSE,
	ACTION_TREE_ALL,
	ACTION_TREE_NONE,
	ACTION_TREE_HOTTEST,
	ACTION_TREE_ZOOM,
	ACTION_TREE_INVERT,
	ACTION_TREE_INVERT_ALL,
	ACTION_TREE_SOURCE,
	ACTION_TREE_WAIT,
	ACTION_TREE_CHAINS,
	ACTION_TREE_ICICLE,
	/* changing arcs; in this order */
	ACTION_TURN_UP,
	ACTION_TURN_DOWN,
	ACTION_TURN_TO,
	ACTION_PIN,
	ACTION_PINS,
	/* comparing */
	ACTION_COMPARE,
	ACTION_COMPARE_MENU,
	ACTION_COMPARE_SIDES,
	ACTION_COMPARE_TEXT,
	ACTION_COMPARE_BESIDE,
	ACTION_COMPARE_NORMALISE,
	ACTION_COMPARE_OFF,
	/* the rest */
	ACTION_EDIT,
	ACTION_COPY,
	ACTION_RUN_AGAIN,
	ACTION_YES,
	ACTION_DIAGNOSTICS,
	ACTION_COMMAND,
	ACTION_HELP,
	ACTION_QUIT,
	ACTION_QUIT_ALL,
	ACTION_ESCAPE,
	ACTION_CANCEL,
	/* in a prompt */
	ACTION_PROMPT_ACCEPT,
	ACTION_PROMPT_CANCEL,
	ACTION_PROMPT_ERASE,
	ACTION_PROMPT_DELETE,
	ACTION_PROMPT_ERASE_WORD,
	ACTION_PROMPT_ERASE_ALL,
	ACTION_PROMPT_LEFT,
	ACTION_PROMPT_RIGHT,
	ACTION_PROMPT_HOME,
	ACTION_PROMPT_END,
	ACTION_PROMPT_COMPLETE,
	ACTION_PROMPT_OLDER,
	ACTION_PROMPT_NEWER,
	ACTION_NR,
};

enum action_group {
	GROUP_MOVING,
	GROUP_WALKING,
	GROUP_FINDING,
	GROUP_SHOWING,
	GROUP_TREE,
	GROUP_TURNING,
	GROUP_COMPARING,
	GROUP_REST,
	GROUP_PROMPT,
	GROUP_NR,
};

struct action_row {
	const char *name;   /* one word, for scripts and the manual */
	enum action_group group;
	const char *help;   /* one line */
	const char *hint;   /* one or two words for the bottom line, or NULL */
};

/* A keymap is searched first, KEYMAP_GENERIC after it; KEYMAP_PROMPT stands alone. */
enum keymap {
	KEYMAP_GENERIC, KEYMAP_TABLE, KEYMAP_ARCS, KEYMAP_PINS, KEYMAP_SOURCE, KEYMAP_TEXT,
	KEYMAP_COLUMNS, KEYMAP_QUERY, KEYMAP_THREADS, KEYMAP_TREE, KEYMAP_ICICLE,
	KEYMAP_EXPRESSIONS, KEYMAP_BESIDE, KEYMAP_QUESTION, KEYMAP_PROMPT,
	KEYMAP_NR
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

/* Appends all keys of an action in any keymap, each once, a blank between. */
void action_all_keys(struct strbuf *out, enum action action);

/* Returns the action of this name, or ACTION_NONE. */
enum action action_named(const char *name);

/* Prints all keys in force, one a line, as a configuration file has them. */
void action_list_keys(FILE *out);

/* Prints the tables as text: one action a line, "name<TAB>keys<TAB>help<TAB>group". */
void action_list(FILE *out);

#endif
