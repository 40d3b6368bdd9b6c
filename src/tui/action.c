#include "tui/action.h"

#include <string.h>

const char *const action_group_names[GROUP_NR] = {
	[GROUP_MOVING] = "Moving",
	[GROUP_WALKING] = "Walking through the program",
	[GROUP_FINDING] = "Finding",
	[GROUP_SHOWING] = "What is shown, and how",
	[GROUP_TURNING] = "Turning calls that are estimated (callers, callees)",
	[GROUP_REST] = "Everything else",
	[GROUP_PROMPT] = "In a prompt",
};

const struct action_row action_table[ACTION_NR] = {
	[ACTION_NONE] = {"none", GROUP_REST, "Nothing", NULL},
	[ACTION_DOWN] = {"down", GROUP_MOVING, "One row down", NULL},
	[ACTION_UP] = {"up", GROUP_MOVING, "One row up", NULL},
	[ACTION_PAGE_DOWN] = {"page-down", GROUP_MOVING, "One page down", NULL},
	[ACTION_PAGE_UP] = {"page-up", GROUP_MOVING, "One page up", NULL},
	[ACTION_HALF_DOWN] = {"half-down", GROUP_MOVING, "Half a page down", NULL},
	[ACTION_HALF_UP] = {"half-up", GROUP_MOVING, "Half a page up", NULL},
	[ACTION_FIRST] = {"first", GROUP_MOVING, "To the first row", NULL},
	[ACTION_LAST] = {"last", GROUP_MOVING, "To the last row, or with a count to that row",
			 NULL},
	[ACTION_GOTO_LINE] = {"goto-line", GROUP_MOVING,
			      "In the source: ask for a line and go there; with a count, go to it",
			      "line"},
	[ACTION_EXPRESSION_NEXT] = {"expression-next", GROUP_MOVING,
				    "In the source: select the next expression of the line",
				    "expression"},
	[ACTION_EXPRESSION_PREVIOUS] = {"expression-previous", GROUP_MOVING,
					"In the source: select the expression before", NULL},
	[ACTION_SCROLL_LEFT] = {"scroll-left", GROUP_MOVING, "Scroll the text to the left", NULL},
	[ACTION_SCROLL_RIGHT] = {"scroll-right", GROUP_MOVING, "Scroll the text to the right",
				 NULL},
	[ACTION_HOT_NEXT] = {"hot-next", GROUP_MOVING,
			     "To the hottest spot of the procedure, then of the file, one by one",
			     "hot spots"},
	[ACTION_HOT_PREVIOUS] = {"hot-previous", GROUP_MOVING, "To the hot spot before", NULL},
	[ACTION_OPEN] = {"open", GROUP_WALKING,
			 "Go to the source of the row; in the source: follow the call", "source"},
	[ACTION_BACK] = {"back", GROUP_WALKING, "Back to where I was", "back"},
	[ACTION_FORWARD] = {"forward", GROUP_WALKING, "Forward again", NULL},
	[ACTION_CALLERS] = {"callers", GROUP_WALKING, "To the callers of the procedure", "callers"},
	[ACTION_CALLEES] = {"callees", GROUP_WALKING,
			    "To the callees of the procedure or call site", "callees"},
	[ACTION_SUMMARY] = {"summary", GROUP_WALKING, "To the summary", NULL},
	[ACTION_SOURCE] = {"source", GROUP_WALKING, "To the source", NULL},
	[ACTION_FILES] = {"files", GROUP_WALKING, "Choose another source file", "files"},
	[ACTION_CYCLES] = {"cycles", GROUP_WALKING,
			   "The cycles: procedures that call each other; Enter: their members",
			   "cycles"},
	[ACTION_NEXT_PANE] = {"next-pane", GROUP_WALKING, "To the next pane", "pane"},
	[ACTION_PREVIOUS_PANE] = {"previous-pane", GROUP_WALKING, "To the pane before", NULL},
	[ACTION_ZOOM] = {"zoom", GROUP_WALKING, "This pane on the whole screen, or all panes again",
			 "zoom"},
	[ACTION_MARK_SET] = {"mark-set", GROUP_WALKING,
			     "Remember this place under the letter typed next", NULL},
	[ACTION_MARK_GO] = {"mark-go", GROUP_WALKING,
			    "Go to the place remembered under the letter typed next", NULL},
	[ACTION_SEARCH] = {"search", GROUP_FINDING,
			   "Search forward; a regular expression, capitals matter if there are any",
			   "search"},
	[ACTION_SEARCH_BACK] = {"search-back", GROUP_FINDING, "Search backward", NULL},
	[ACTION_SEARCH_NEXT] = {"search-next", GROUP_FINDING, "To the next hit", NULL},
	[ACTION_SEARCH_PREVIOUS] = {"search-previous", GROUP_FINDING, "To the hit before", NULL},
	[ACTION_FILTER] = {"filter", GROUP_FINDING,
			   "Show only the rows that contain a text; empty: all rows", "filter"},
	[ACTION_SORT] = {"sort", GROUP_SHOWING,
			 "Sort by the next column; with a count, by that one", "sort"},
	[ACTION_SORT_REVERSE] = {"sort-reverse", GROUP_SHOWING, "Sort the other way round", NULL},
	[ACTION_SUMMARY_NEXT] = {"summary-next", GROUP_SHOWING,
				 "Next summary: procedures, expressions, call sites, lines, files",
				 "view"},
	[ACTION_SUMMARY_PREVIOUS] = {"summary-previous", GROUP_SHOWING, "The summary before", NULL},
	[ACTION_METRIC] = {"metric", GROUP_SHOWING,
			   "Colour the source by self time, count, total time", "heat"},
	[ACTION_SCALE] = {"scale", GROUP_SHOWING, "Heat in steps of a factor, or even steps", NULL},
	[ACTION_BACKGROUND] = {"background", GROUP_SHOWING,
			       "Colours for a light or a dark background", NULL},
	[ACTION_MOUSE] =
		{"mouse", GROUP_SHOWING,
		 "Use the mouse: click, double click, wheel; off: the terminal's own selection",
		 NULL},
	[ACTION_REDRAW] = {"redraw", GROUP_SHOWING, "Draw the screen anew", NULL},
	[ACTION_TURN_UP] = {"turn-up", GROUP_TURNING,
			    "More calls by this arc, by a twentieth of what is possible; all else "
			    "follows",
			    "more"},
	[ACTION_TURN_DOWN] = {"turn-down", GROUP_TURNING, "Fewer calls by this arc", "fewer"},
	[ACTION_TURN_TO] = {"turn-to", GROUP_TURNING,
			    "Ask for the number of calls by this arc; with a count, that number",
			    "set"},
	[ACTION_PIN] = {"pin", GROUP_TURNING, "Hold this arc where it is, or let it go",
			"hold, let go"},
	[ACTION_PINS] = {"pins", GROUP_TURNING,
			 "The arcs that are held; :pin NAME saves them in the profile", "pins"},
	[ACTION_EDIT] = {"edit", GROUP_REST, "Open $VISUAL or $EDITOR at this line", "edit"},
	[ACTION_DIAGNOSTICS] = {"diagnostics", GROUP_REST,
				"What the profile is made of, and what is missing in it", "notes"},
	[ACTION_COMMAND] =
		{"command", GROUP_REST,
		 "Command: w, sort, column, charge, pin, unpin, estimate, LINE, q, or an action",
		 NULL},
	[ACTION_HELP] = {"help", GROUP_REST, "This list", "help"},
	[ACTION_QUIT] = {"quit", GROUP_REST, "Close this view; in the summary: leave", "close"},
	[ACTION_QUIT_ALL] = {"quit-all", GROUP_REST, "Leave the program", NULL},
	[ACTION_ESCAPE] = {"escape", GROUP_REST,
			   "Undo one thing: selection, search, filter, zoom; never leaves", NULL},
	[ACTION_PROMPT_ACCEPT] = {"prompt-accept", GROUP_PROMPT, "Done", "done"},
	[ACTION_PROMPT_CANCEL] = {"prompt-cancel", GROUP_PROMPT, "Back to what was", "cancel"},
	[ACTION_PROMPT_ERASE] = {"prompt-erase", GROUP_PROMPT, "Erase the character before", NULL},
	[ACTION_PROMPT_DELETE] = {"prompt-delete", GROUP_PROMPT, "Erase this character", NULL},
	[ACTION_PROMPT_ERASE_WORD] = {"prompt-erase-word", GROUP_PROMPT, "Erase the word before",
				      NULL},
	[ACTION_PROMPT_ERASE_ALL] = {"prompt-erase-all", GROUP_PROMPT, "Erase all", "erase"},
	[ACTION_PROMPT_LEFT] = {"prompt-left", GROUP_PROMPT, "To the left", NULL},
	[ACTION_PROMPT_RIGHT] = {"prompt-right", GROUP_PROMPT, "To the right", NULL},
	[ACTION_PROMPT_HOME] = {"prompt-home", GROUP_PROMPT, "To the beginning", NULL},
	[ACTION_PROMPT_END] = {"prompt-end", GROUP_PROMPT, "To the end", NULL},
	[ACTION_PROMPT_OLDER] = {"prompt-older", GROUP_PROMPT, "What was typed before", "older"},
	[ACTION_PROMPT_NEWER] = {"prompt-newer", GROUP_PROMPT, "What was typed after that", NULL},
};

#define CTRL(c) ((c) & 0x1f)

const struct key_row key_table[] = {
	{ KEYMAP_GENERIC, 'j', ACTION_DOWN },
	{ KEYMAP_GENERIC, K_DOWN, ACTION_DOWN },
	{ KEYMAP_GENERIC, CTRL('n'), ACTION_DOWN },
	{ KEYMAP_GENERIC, 'k', ACTION_UP },
	{ KEYMAP_GENERIC, K_UP, ACTION_UP },
	{ KEYMAP_GENERIC, CTRL('p'), ACTION_UP },
	{ KEYMAP_GENERIC, K_PAGE_DOWN, ACTION_PAGE_DOWN },
	{ KEYMAP_GENERIC, ' ', ACTION_PAGE_DOWN },
	{ KEYMAP_GENERIC, CTRL('f'), ACTION_PAGE_DOWN },
	{ KEYMAP_GENERIC, K_PAGE_UP, ACTION_PAGE_UP },
	{ KEYMAP_GENERIC, 'b', ACTION_PAGE_UP },
	{ KEYMAP_GENERIC, CTRL('b'), ACTION_PAGE_UP },
	{ KEYMAP_GENERIC, CTRL('d'), ACTION_HALF_DOWN },
	{ KEYMAP_GENERIC, CTRL('u'), ACTION_HALF_UP },
	{ KEYMAP_GENERIC, 'g', ACTION_FIRST },
	{ KEYMAP_GENERIC, K_HOME, ACTION_FIRST },
	{ KEYMAP_GENERIC, 'G', ACTION_LAST },
	{ KEYMAP_GENERIC, K_END, ACTION_LAST },
	{ KEYMAP_SOURCE, 'g', ACTION_GOTO_LINE },
	{ KEYMAP_SOURCE, 'l', ACTION_EXPRESSION_NEXT },
	{ KEYMAP_SOURCE, 'h', ACTION_EXPRESSION_PREVIOUS },
	{ KEYMAP_SOURCE, K_LEFT, ACTION_SCROLL_LEFT },
	{ KEYMAP_SOURCE, K_RIGHT, ACTION_SCROLL_RIGHT },
	{ KEYMAP_TEXT, 'h', ACTION_SCROLL_LEFT },
	{ KEYMAP_TEXT, 'l', ACTION_SCROLL_RIGHT },
	{ KEYMAP_TEXT, K_LEFT, ACTION_SCROLL_LEFT },
	{ KEYMAP_TEXT, K_RIGHT, ACTION_SCROLL_RIGHT },
	{ KEYMAP_GENERIC, ']', ACTION_HOT_NEXT },
	{ KEYMAP_GENERIC, '[', ACTION_HOT_PREVIOUS },
	{ KEYMAP_GENERIC, K_ENTER, ACTION_OPEN },
	{ KEYMAP_GENERIC, K_BACKSPACE, ACTION_BACK },
	{ KEYMAP_GENERIC, CTRL('o'), ACTION_BACK },
	{ KEYMAP_GENERIC, K_ALT_LEFT, ACTION_BACK },
	{ KEYMAP_GENERIC, '{', ACTION_BACK },
	{ KEYMAP_GENERIC, '}', ACTION_FORWARD },
	{ KEYMAP_GENERIC, K_ALT_RIGHT, ACTION_FORWARD },
	{ KEYMAP_GENERIC, 'c', ACTION_CALLERS },
	{ KEYMAP_GENERIC, 'd', ACTION_CALLEES },
	{ KEYMAP_GENERIC, 'u', ACTION_SUMMARY },
	{ KEYMAP_GENERIC, 'x', ACTION_SOURCE },
	{ KEYMAP_GENERIC, 'o', ACTION_FILES },
	{ KEYMAP_GENERIC, 'C', ACTION_CYCLES },
	{ KEYMAP_GENERIC, K_TAB, ACTION_NEXT_PANE },
	{ KEYMAP_GENERIC, K_BACK_TAB, ACTION_PREVIOUS_PANE },
	{ KEYMAP_GENERIC, 'z', ACTION_ZOOM },
	{ KEYMAP_GENERIC, '`', ACTION_MARK_SET },
	{ KEYMAP_GENERIC, '\'', ACTION_MARK_GO },
	{ KEYMAP_GENERIC, '/', ACTION_SEARCH },
	{ KEYMAP_GENERIC, '?', ACTION_HELP },
	{ KEYMAP_GENERIC, '\\', ACTION_SEARCH_BACK },
	{ KEYMAP_GENERIC, 'n', ACTION_SEARCH_NEXT },
	{ KEYMAP_GENERIC, 'N', ACTION_SEARCH_PREVIOUS },
	{ KEYMAP_GENERIC, '&', ACTION_FILTER },
	{ KEYMAP_TABLE, 's', ACTION_SORT },
	{ KEYMAP_TABLE, 'S', ACTION_SORT_REVERSE },
	{ KEYMAP_ARCS, 's', ACTION_SORT },
	{ KEYMAP_ARCS, 'S', ACTION_SORT_REVERSE },
	{ KEYMAP_ARCS, '+', ACTION_TURN_UP },
	{ KEYMAP_ARCS, '>', ACTION_TURN_UP },
	{ KEYMAP_ARCS, '-', ACTION_TURN_DOWN },
	{ KEYMAP_ARCS, '<', ACTION_TURN_DOWN },
	{ KEYMAP_ARCS, '=', ACTION_TURN_TO },
	{ KEYMAP_ARCS, 'p', ACTION_PIN },
	{ KEYMAP_PINS, '+', ACTION_TURN_UP },
	{ KEYMAP_PINS, '>', ACTION_TURN_UP },
	{ KEYMAP_PINS, '-', ACTION_TURN_DOWN },
	{ KEYMAP_PINS, '<', ACTION_TURN_DOWN },
	{ KEYMAP_PINS, '=', ACTION_TURN_TO },
	{ KEYMAP_PINS, 'p', ACTION_PIN },
	{ KEYMAP_GENERIC, 'P', ACTION_PINS },
	{ KEYMAP_GENERIC, 'v', ACTION_SUMMARY_NEXT },
	{ KEYMAP_GENERIC, 'V', ACTION_SUMMARY_PREVIOUS },
	{ KEYMAP_GENERIC, 'm', ACTION_METRIC },
	{ KEYMAP_GENERIC, 'L', ACTION_SCALE },
	{ KEYMAP_GENERIC, 'B', ACTION_BACKGROUND },
	{ KEYMAP_GENERIC, 'M', ACTION_MOUSE },
	{ KEYMAP_GENERIC, CTRL('l'), ACTION_REDRAW },
	{ KEYMAP_GENERIC, 'e', ACTION_EDIT },
	{ KEYMAP_GENERIC, 'D', ACTION_DIAGNOSTICS },
	{ KEYMAP_GENERIC, ':', ACTION_COMMAND },
	{ KEYMAP_GENERIC, K_F1, ACTION_HELP },
	{ KEYMAP_GENERIC, 'q', ACTION_QUIT },
	{ KEYMAP_GENERIC, 'Q', ACTION_QUIT_ALL },
	{ KEYMAP_GENERIC, K_ESC, ACTION_ESCAPE },
	{ KEYMAP_PROMPT, K_ENTER, ACTION_PROMPT_ACCEPT },
	{ KEYMAP_PROMPT, K_ESC, ACTION_PROMPT_CANCEL },
	{ KEYMAP_PROMPT, CTRL('g'), ACTION_PROMPT_CANCEL },
	{ KEYMAP_PROMPT, K_BACKSPACE, ACTION_PROMPT_ERASE },
	{ KEYMAP_PROMPT, K_DELETE, ACTION_PROMPT_DELETE },
	{ KEYMAP_PROMPT, CTRL('w'), ACTION_PROMPT_ERASE_WORD },
	{ KEYMAP_PROMPT, CTRL('u'), ACTION_PROMPT_ERASE_ALL },
	{ KEYMAP_PROMPT, K_LEFT, ACTION_PROMPT_LEFT },
	{ KEYMAP_PROMPT, K_RIGHT, ACTION_PROMPT_RIGHT },
	{ KEYMAP_PROMPT, K_HOME, ACTION_PROMPT_HOME },
	{ KEYMAP_PROMPT, CTRL('a'), ACTION_PROMPT_HOME },
	{ KEYMAP_PROMPT, K_END, ACTION_PROMPT_END },
	{ KEYMAP_PROMPT, CTRL('e'), ACTION_PROMPT_END },
	{ KEYMAP_PROMPT, K_UP, ACTION_PROMPT_OLDER },
	{ KEYMAP_PROMPT, K_DOWN, ACTION_PROMPT_NEWER },
};
const int key_table_rows = sizeof(key_table) / sizeof(*key_table);

static enum action
look_up(enum keymap keymap, tui_key key)
{
	int i;

	for (i = 0; i < key_table_rows; i++)
		if (key_table[i].keymap == keymap && key_table[i].key == key)
			return key_table[i].action;
	return ACTION_NONE;
}

enum action
action_of_key(enum keymap keymap, tui_key key)
{
	enum action action = look_up(keymap, key);

	if (action == ACTION_NONE && keymap != KEYMAP_PROMPT)
		action = look_up(KEYMAP_GENERIC, key);
	return action;
}

int
action_keys(struct strbuf *out, enum keymap keymap, enum action action, int max,
	    const char *between)
{
	int i, nr = 0;

	for (i = 0; i < key_table_rows && nr < max; i++) {
		if (key_table[i].action != action)
			continue;
		if (key_table[i].keymap != keymap && key_table[i].keymap != KEYMAP_GENERIC)
			continue;
		/* A generic key that this keymap uses otherwise does not count. */
		if (action_of_key(keymap, key_table[i].key) != action)
			continue;
		if (nr++)
			strbuf_str(out, between);
		key_print(out, key_table[i].key);
	}
	return nr;
}

enum action
action_named(const char *name)
{
	int i;

	for (i = 1; i < ACTION_NR; i++)
		if (!strcmp(action_table[i].name, name))
			return (enum action)i;
	return ACTION_NONE;
}

void
action_all_keys(struct strbuf *out, enum action action)
{
	int i, j, nr = 0;

	for (i = 0; i < key_table_rows; i++) {
		if (key_table[i].action != action)
			continue;
		for (j = 0; j < i; j++)
			if (key_table[j].action == action && key_table[j].key == key_table[i].key)
				break;
		if (j < i)
			continue;
		if (nr++)
			strbuf_char(out, ' ');
		key_print(out, key_table[i].key);
	}
}

void
action_list(FILE *out)
{
	struct strbuf keys = STRBUF_INIT;
	int i;

	for (i = 1; i < ACTION_NR; i++) {
		strbuf_clear(&keys);
		action_all_keys(&keys, (enum action)i);
		fprintf(out, "%s\t%s\t%s\n", action_table[i].name, keys.buf, action_table[i].help);
	}
	strbuf_release(&keys);
}
