#include "tui/keys/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/filter.h"
#include "tui/goto.h"
#include "tui/keys/complete.h"
#include "tui/other_programs.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/walk.h"

/* ---- search and filter: at work while they are typed ---- */

static unsigned
search_event(struct browser *b, enum prompt_event event)
{
	struct view *v = browser_view(b);
	bool backward = b->prompt.kind == PROMPT_SEARCH_BACK, found = true;
	const char *text = b->prompt.text.buf;

	if (event == PROMPT_CANCELLED) {
		hits_stop(b);
		search_set(&b->search, NULL);
		view_return(v, b->search_from);
		return EFFECT_DONE | EFFECT_MOVED;
	}
	/* The search runs already. */
	if (event == PROMPT_ACCEPTED && *text && b->hits.view == v)
		return EFFECT_DONE;
	/* With nothing typed the last pattern is searched again, in this direction. */
	if (event == PROMPT_ACCEPTED && !*text) {
		char **history = b->prompt.history[PROMPT_SEARCH];

		if (!history[0])
			return EFFECT_DONE;
		search_set(&b->search, history[0]);
	} else {
		search_set(&b->search, text);
	}
	b->search.backward = backward;
	if (b->search.pattern)
		found = hits_find(v, backward, b->search_from, b->search_from, 0);
	if (!found || !b->search.pattern)
		view_return(v, b->search_from);
	if (!found && event == PROMPT_ACCEPTED)
		browser_say(b, ROLE_MESSAGE, "not found: %s", b->search.pattern);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
filter_event(struct browser *b, enum prompt_event event)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);
	const char *text = event == PROMPT_CANCELLED ? b->filter_before : b->prompt.text.buf;
	struct error err = ERROR_INIT;

	/* Text that is no regular expression (yet) leaves the last filter in force. */
	if (t && filter_set(v, t, text ? text : "", &err) < 0) {
		if (event == PROMPT_ACCEPTED)
			browser_say(b, ROLE_WARNING, "%s: %s", text, err.text);
		prompt_offer(&b->prompt, err.text);
	}
	if (event == PROMPT_CANCELLED && t)
		table_return(v, t, b->search_from);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
line_event(struct browser *b, enum prompt_event event)
{
	const char *s = b->prompt.text.buf;
	char *end;
	unsigned long n = strtoul(s, &end, 10);

	if (event != PROMPT_ACCEPTED)
		return EFFECT_DONE;
	if (*end || *s == '-') {
		browser_say(b, ROLE_MESSAGE, "that is not a line number: %s", s);
		return EFFECT_DONE;
	}
	return view_act(browser_view(b), ACTION_LAST, n ? n : 1);
}

static unsigned run_line(struct browser *b, const char *line);

static unsigned
command_event(struct browser *b, enum prompt_event event)
{
	char *line;
	unsigned effect;

	if (event != PROMPT_ACCEPTED)
		return EFFECT_DONE;
	line = xstrdup(b->prompt.text.buf);
	effect = run_line(b, line);
	free(line);
	return effect;
}

static unsigned
dial_event(struct browser *b, enum prompt_event event)
{
	return event == PROMPT_ACCEPTED ? arc_dial_typed(b, b->prompt.text.buf) : EFFECT_DONE;
}

static unsigned
remark_event(struct browser *b, enum prompt_event event)
{
	return event == PROMPT_ACCEPTED ? remark_typed(b, b->prompt.text.buf) : EFFECT_DONE;
}

static unsigned (*const events[PROMPT_NR])(struct browser *b, enum prompt_event event) = {
	[PROMPT_SEARCH] = search_event,
	[PROMPT_SEARCH_BACK] = search_event,
	[PROMPT_FILTER] = filter_event,
	[PROMPT_LINE] = line_event,
	[PROMPT_COMMAND] = command_event,
	[PROMPT_TURN] = dial_event,
	[PROMPT_REMARK] = remark_event,
};

unsigned
command_prompt(struct browser *b, enum prompt_event event)
{
	enum prompt_kind kind = b->prompt.kind;
	unsigned effect;

	if (kind == PROMPT_COMPARE)
		return compare_prompt(b, event);
	if (kind == PROMPT_GOTO) {
		if (event == PROMPT_CANCELLED || event == PROMPT_ACCEPTED)
			prompt_close(&b->prompt, false);
		return goto_prompt(b, (int)event);
	}
	if (event == PROMPT_COMPLETED) {
		if (kind == PROMPT_COMMAND)
			complete_prompt(b);
		return EFFECT_DONE;
	}

	/* The prompt is closed first: a command may open another one. */
	if (event == PROMPT_CANCELLED || (event == PROMPT_ACCEPTED && kind == PROMPT_COMMAND))
		prompt_close(&b->prompt, event == PROMPT_ACCEPTED);
	effect = event == PROMPT_CANCELLED && kind == PROMPT_COMMAND ? EFFECT_DONE
								     : events[kind](b, event);
	if (event == PROMPT_ACCEPTED && kind != PROMPT_COMMAND)
		prompt_close(&b->prompt, true);
	return effect;
}

/* ---- commands ---- */

static unsigned
command_sort(struct browser *b, const char *column)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);

	if (t && table_sort_by(v, t, column))
		return EFFECT_DONE | EFFECT_MOVED;
	browser_say(b, ROLE_MESSAGE, "there is no column %s here", column);
	return EFFECT_DONE;
}

static unsigned
command_column(struct browser *b, const char *column)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);

	if (v == b->panes[PANE_SOURCE] ? !source_toggle_margin(v, column)
				       : !t || !table_keep(v, t, column))
		browser_say(b, ROLE_MESSAGE, "there is no column %s here", column);
	return EFFECT_DONE;
}

static unsigned
command_file(struct browser *b, const char *glob)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);

	if (t)
		return filter_glob(v, t, glob);
	browser_say(b, ROLE_MESSAGE, "only lists can be restricted");
	return EFFECT_DONE;
}

static unsigned
command_min(struct browser *b, const char *percent)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);

	if (t)
		return filter_least(v, t, percent);
	browser_say(b, ROLE_MESSAGE, "only lists can be restricted");
	return EFFECT_DONE;
}

static unsigned
command_self(struct browser *b, const char *what)
{
	int by = 0;

	while (by < NR_SELF_BY && strcmp(what, self_by_names[by]))
		by++;
	if (by == NR_SELF_BY) {
		browser_say(b, ROLE_MESSAGE, "self time by pc, by centre, or own?");
		return EFFECT_DONE;
	}
	if (by == SELF_BY_CENTRE && !b->totals->run.centre_samples) {
		browser_say(b, ROLE_MESSAGE, "this profile has no cost centres: compile with "
			    "cgcc --cgview-flags=cost-centres");
		return EFFECT_DONE;
	}
	b->self_by = (enum self_by)by;
	summary_self_by(b->panes[PANE_SUMMARY]);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
command_sql(struct browser *b, const char *sql)
{
	return browser_push(b, query_new(b, sql));
}

static unsigned
command_imbalance(struct browser *b, const char *rest)
{
	(void)rest;
	return tree_switch_uneven(b) ? EFFECT_DONE : browser_push(b, imbalance_new(b));
}

static unsigned
command_ranks(struct browser *b, const char *name)
{
	struct procedure_row row = { .id = 0 };

	if (!*name || profile_procedure_named(b->profile, name, &row))
		return browser_push(b, ranks_new(b, row.id));
	browser_say(b, ROLE_ERROR, "there is no procedure %s", name);
	return EFFECT_DONE;
}

static unsigned
command_quit(struct browser *b, const char *rest)
{
	(void)rest;
	return arc_dial_may_leave(b) ? EFFECT_QUIT : EFFECT_DONE;
}

static unsigned
command_leave(struct browser *b, const char *rest)
{
	(void)b;
	(void)rest;
	return EFFECT_QUIT;
}

static unsigned
command_write(struct browser *b, const char *path)
{
	return save_view(b, path, false);
}

static unsigned
command_overwrite(struct browser *b, const char *path)
{
	return save_view(b, path, true);
}

const struct command_row command_table[] = {
	{ "w", "FILE", "Write all of the view as text; a file that is there is not touched",
	  command_write, NULL },
	{ "w!", "FILE", "The same; a file that is there is replaced", command_overwrite, NULL },
	{ "sort", "COLUMN", "Sort by a column, named by its head or as in csv", command_sort,
	  complete_column },
	{ "column", "COLUMN", "Show that column however narrow the screen is, or no longer",
	  command_column, complete_column },
	{ "file", "GLOB", "Only what is in files that match; without one: in all", command_file,
	  NULL },
	{ "min", "PERCENT", "Only rows with that share of what they are sorted by; 0: all",
	  command_min, NULL },
	{ "measure", "NAME", "What colours, hot spots and the margin are of",
	  browser_measure, complete_measure },
	{ "self", "pc|centre|own", "Self time of procedures by program counter, by cost centre, or "
	  "without foreign code", command_self, complete_self_by },
	{ "compare", "EXPR", "Compare by an expression, or a named one; without one: ask",
	  compare_command, compare_named },
	{ "normalise", "total|PROCEDURE|off", "Make that the same in all profiles compared",
	  compare_normalise_command, complete_normalise },
	{ "sql", "SELECT ...", "The rows of a query of your own; without one: all tables",
	  command_sql, NULL },
	{ "copy", "name|place|row", "Send it to the terminal's clipboard: of the procedure, the "
	  "line, the cursor", copy_command, NULL },
	{ "imbalance", "", "How evenly ranks or runs have what they did; tree: by path",
	  command_imbalance, NULL },
	{ "ranks", "[PROCEDURE]", "The ranks, and what each did in that procedure; Enter: only it",
	  command_ranks, NULL },
	{ "pin", "[NAME]", "Save changed arcs in the profile, under that name",
	  arc_dial_save, NULL },
	{ "unpin", "[NAME]", "Release the pins of that name, or all", arc_dial_release_pins, NULL },
	{ "estimate", "RULE", "Estimate by another rule: likely, spread or even",
	  arc_dial_estimate, complete_rule },
	{ "remark", "[TEXT]", "Write a remark here into the profile; without one: ask",
	  remark_command, NULL },
	{ "q", "", "Leave", command_quit, NULL },
	{ "q!", "", "Leave, even when changed arcs are not saved", command_leave, NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

/* Further names, which are not shown. */
static const struct {
	const char *alias, *name;
} aliases[] = {
	{ "write", "w" }, { "write!", "w!" }, { "quit", "q" }, { "quit!", "q!" },
	{ "charge", "self" }, /* its name before, in scripts */
};

const struct command_row *
command_find(const char *line, size_t n)
{
	const struct command_row *c;
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (strlen(aliases[i].alias) == n && !strncmp(aliases[i].alias, line, n))
			return command_find(aliases[i].name, strlen(aliases[i].name));
	for (c = command_table; c->name; c++)
		if (strlen(c->name) == n && !strncmp(c->name, line, n))
			return c;
	return NULL;
}

/* Runs a line typed at `:`. */
static unsigned
run_line(struct browser *b, const char *line)
{
	const struct command_row *command;
	const char *rest;
	enum action action;
	unsigned effect;
	size_t n;

	while (*line == ' ')
		line++;
	n = strcspn(line, " ");
	rest = line + n + strspn(line + n, " ");
	if (!*line)
		return EFFECT_DONE;
	if (strspn(line, "0123456789") == strlen(line))
		return view_act(browser_view(b), ACTION_LAST, strtoul(line, NULL, 10));
	command = command_find(line, n);
	if (command)
		return command->run(b, rest);
	action = action_named(line);
	if (action != ACTION_NONE && action_table[action].group != GROUP_PROMPT)
		return browser_act(b, action, 0) & ~(unsigned)EFFECT_MOVED;
	/* What is no command may be a name. */
	if (goto_exactly(b, line, &effect))
		return effect;
	if (!*rest)
		return goto_ask(b, line);
	browser_say(b, ROLE_MESSAGE, "unknown command: %s (Tab at : shows all)", line);
	return EFFECT_DONE;
}
