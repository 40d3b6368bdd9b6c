#include "tui/keys/action.h"

#include <string.h>

const char *const action_group_names[GROUP_NR] = {
	[GROUP_MOVING] = "Moving",
	[GROUP_WALKING] = "Walking through the program",
	[GROUP_FINDING] = "Finding",
	[GROUP_SHOWING] = "What is shown, and how",
	[GROUP_TREE] = "In the tree of calls",
	[GROUP_ARCS] = "Changing calls that are estimated (callers, callees)",
	[GROUP_COMPARING] = "Comparing profiles (cgview A.db B.db)",
	[GROUP_LIVE] = "While a program is watched (cgview watch)",
	[GROUP_REST] = "Everything else",
	[GROUP_PROMPT] = "In a prompt",
};

const struct action_row action_table[ACTION_NR] = {
#define ACTION(id, of_group, ...) [ACTION_##id] = { GROUP_##of_group, __VA_ARGS__ },
#include "tui/keys/action_rows.h"
};

const struct key_row key_table[] = {
#define KEY(of_keymap, of_key, of_action) { KEYMAP_##of_keymap, of_key, ACTION_##of_action },
#include "tui/keys/action_rows.h"
};
const int key_table_rows = sizeof(key_table) / sizeof(*key_table);

const char *const keymap_names[KEYMAP_NR] = {
	[KEYMAP_GENERIC] = "generic", [KEYMAP_TABLE] = "table", [KEYMAP_ARCS] = "arcs",
	[KEYMAP_PINS] = "pins", [KEYMAP_SOURCE] = "source", [KEYMAP_TEXT] = "text",
	[KEYMAP_QUERY] = "query", [KEYMAP_THREADS] = "threads",
	[KEYMAP_COLUMNS] = "columns",
	[KEYMAP_TREE] = "tree", [KEYMAP_ICICLE] = "icicle",
	[KEYMAP_EXPRESSIONS] = "expressions", [KEYMAP_BESIDE] = "beside",
	[KEYMAP_LEDGER] = "why",
	[KEYMAP_BANDS] = "bands", [KEYMAP_MATRIX] = "matrix",
	[KEYMAP_TIMELINE] = "timeline",
	[KEYMAP_QUESTION] = "question",
	[KEYMAP_PROMPT] = "prompt",
};

/* Names that actions had before, in files of users. */
static const struct { const char *name; enum action action; } before[] = {
	{ "turn-up", ACTION_ARC_MORE }, { "turn-down", ACTION_ARC_FEWER },
	{ "turn-to", ACTION_ARC_SET },
};

enum action
action_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (!strcmp(before[i].name, name))
			return before[i].action;
	for (i = 1; i < ACTION_NR; i++)
		if (!strcmp(action_table[i].name, name))
			return (enum action)i;
	return ACTION_NONE;
}

void
action_list(FILE *out)
{
	struct strbuf keys = STRBUF_INIT;
	int i;

	for (i = 1; i < ACTION_NR; i++) {
		strbuf_clear(&keys);
		action_all_keys(&keys, (enum action)i);
		fprintf(out, "%s\t%s\t%s\t%s\n", action_table[i].name, keys.buf,
			action_table[i].help, action_group_names[action_table[i].group]);
	}
	strbuf_release(&keys);
}
