#include "tui/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/table.h"
#include "tui/term.h"
#include "tui/views.h"
#include "tui/walk.h"

/* ---- search and filter: at work while they are typed ---- */

static unsigned
search_event(struct browser *b, enum prompt_event event)
{
	struct view *v = browser_view(b);
	bool backward = b->prompt.kind == PROMPT_SEARCH_BACK, found = true;
	const char *text = b->prompt.text.buf;

	if (event == PROMPT_CANCELLED) {
		search_set(&b->search, NULL);
		view_move_to(v, b->search_from);
		return EFFECT_DONE | EFFECT_MOVED;
	}
	/* Nothing typed: the last pattern again, in this direction. */
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
		found = view_search(v, &b->search, backward, b->search_from);
	if (!found || !b->search.pattern)
		view_move_to(v, b->search_from);
	if (!found && event == PROMPT_ACCEPTED)
		browser_say(b, ROLE_MESSAGE, "not found: %s", b->search.pattern);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
filter_event(struct browser *b, enum prompt_event event)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);

	if (t)
		table_set_filter(v, t, event == PROMPT_CANCELLED ? b->filter_before
								 : b->prompt.text.buf);
	if (event == PROMPT_CANCELLED)
		view_move_to(v, b->search_from);
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

static unsigned
command_event(struct browser *b, enum prompt_event event)
{
	char *line;
	unsigned effect;

	if (event != PROMPT_ACCEPTED)
		return EFFECT_DONE;
	line = xstrdup(b->prompt.text.buf);
	effect = command_run(b, line);
	free(line);
	return effect;
}

static unsigned
turn_event(struct browser *b, enum prompt_event event)
{
	return event == PROMPT_ACCEPTED ? turn_typed(b, b->prompt.text.buf) : EFFECT_DONE;
}

static unsigned (*const events[PROMPT_NR])(struct browser *b, enum prompt_event event) = {
	[PROMPT_SEARCH] = search_event,
	[PROMPT_SEARCH_BACK] = search_event,
	[PROMPT_FILTER] = filter_event,
	[PROMPT_LINE] = line_event,
	[PROMPT_COMMAND] = command_event,
	[PROMPT_TURN] = turn_event,
};

unsigned
command_prompt(struct browser *b, enum prompt_event event)
{
	enum prompt_kind kind = b->prompt.kind;
	unsigned effect;

	/* Closed first: a command may open another one. */
	if (event == PROMPT_CANCELLED || (event == PROMPT_ACCEPTED && kind == PROMPT_COMMAND))
		prompt_close(&b->prompt, event == PROMPT_ACCEPTED);
	effect = event == PROMPT_CANCELLED && kind == PROMPT_COMMAND ? EFFECT_DONE
								     : events[kind](b, event);
	if (event == PROMPT_ACCEPTED && kind != PROMPT_COMMAND)
		prompt_close(&b->prompt, true);
	return effect;
}

/* ---- commands ---- */

unsigned
command_write(struct browser *b, const char *path)
{
	struct view *v = browser_view(b);
	FILE *out;
	int bad;

	if (!*path) {
		browser_say(b, ROLE_MESSAGE, "to which file? :w FILE");
		return EFFECT_DONE;
	}
	/* Nothing that is there is overwritten. */
	out = fopen(path, "wx");
	if (!out) {
		browser_say(b, ROLE_ERROR, "%s: %s", path, strerror(errno));
		return EFFECT_DONE;
	}
	v->ops->write(v, out);
	bad = ferror(out);
	bad |= fclose(out);
	if (bad)
		browser_say(b, ROLE_ERROR, "%s: %s", path, strerror(errno));
	else
		browser_say(b, ROLE_MESSAGE, "written to %s", path);
	return EFFECT_DONE;
}

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

	if (!t || !table_keep(v, t, column))
		browser_say(b, ROLE_MESSAGE, "there is no column %s here", column);
	return EFFECT_DONE;
}

static unsigned
command_charge(struct browser *b, const char *what)
{
	bool centre = !strcmp(what, "centre");

	if (!centre && strcmp(what, "pc")) {
		browser_say(b, ROLE_MESSAGE, "charge by pc or by centre?");
		return EFFECT_DONE;
	}
	if (centre && !b->totals->run.centre_samples) {
		browser_say(b, ROLE_MESSAGE, "this profile has no cost centres: compile with "
			    "cgcc --cgview-flags=centres");
		return EFFECT_DONE;
	}
	b->by_centre = centre;
	summary_charge(b->panes[PANE_SUMMARY]);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
command_sql(struct browser *b, const char *sql)
{
	return browser_push(b, query_new(b, sql));
}

static unsigned
command_quit(struct browser *b, const char *rest)
{
	(void)rest;
	return turn_may_leave(b) ? EFFECT_QUIT : EFFECT_DONE;
}

static unsigned
command_leave(struct browser *b, const char *rest)
{
	(void)b;
	(void)rest;
	return EFFECT_QUIT;
}

static const struct {
	const char *name;
	unsigned (*run)(struct browser *b, const char *rest);
} commands[] = {
	{ "w", command_write }, { "write", command_write }, { "sort", command_sort },
	{ "column", command_column },
	{ "charge", command_charge },
	{ "sql", command_sql },
	{ "pin", turn_save }, { "unpin", turn_let_go }, { "estimate", turn_estimate },
	{ "q", command_quit }, { "quit", command_quit }, { "q!", command_leave },
};

unsigned
command_run(struct browser *b, const char *line)
{
	size_t n, i;
	const char *rest;
	enum action action;

	while (*line == ' ')
		line++;
	n = strcspn(line, " ");
	rest = line + n + strspn(line + n, " ");
	if (!*line)
		return EFFECT_DONE;
	if (strspn(line, "0123456789") == strlen(line))
		return view_act(browser_view(b), ACTION_LAST, strtoul(line, NULL, 10));
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strlen(commands[i].name) == n && !strncmp(commands[i].name, line, n))
			return commands[i].run(b, rest);
	action = action_named(line);
	if (action != ACTION_NONE && action_table[action].group != GROUP_PROMPT)
		return browser_act(b, action, 0) & ~(unsigned)EFFECT_MOVED;
	browser_say(b, ROLE_MESSAGE, "unknown command: %s", line);
	return EFFECT_DONE;
}

/* ---- editor ---- */

enum { EDITOR_WORDS = 16 };

/* $VISUAL and $EDITOR may have arguments; they are split at blanks, there is no shell. */
static int
split_words(char *s, char **words, int max)
{
	char *save = NULL, *word;
	int nr = 0;

	for (word = strtok_r(s, " \t", &save); word && nr < max;
	     word = strtok_r(NULL, " \t", &save))
		words[nr++] = word;
	return nr;
}

static const char *
editor_name(void)
{
	static const char *const variables[] = { "VISUAL", "EDITOR" };
	const char *s;
	size_t i;

	for (i = 0; i < 2; i++) {
		s = getenv(variables[i]);
		if (s && s[strspn(s, " \t")])
			return s;
	}
	return "vi";
}

static void
run_editor(struct browser *b, const char *path, size_t line)
{
	char *editor = xstrdup(editor_name()), *words[EDITOR_WORDS + 3];
	char *at = xasprintf("+%zu", line);
	/* A name that looks like an option is none. */
	char *file = xasprintf("%s%s", *path == '/' ? "" : "./", path);
	struct error err = ERROR_INIT;
	int nr = split_words(editor, words, EDITOR_WORDS);

	words[nr++] = at;
	words[nr++] = file;
	words[nr] = NULL;
	if (term_run(words, &err) < 0)
		browser_say(b, ROLE_ERROR, "%s", err.text);
	free(editor);
	free(at);
	free(file);
}

unsigned
command_edit(struct browser *b)
{
	struct view *source = b->panes[PANE_SOURCE];
	const struct profile_file *file = profile_file(b->profile, source_file(source));

	if (!file) {
		browser_say(b, ROLE_MESSAGE, "no source is shown");
		return EFFECT_DONE;
	}
	if (access(file->path, R_OK) < 0) {
		browser_say(b, ROLE_MESSAGE, "%s: %s; only its stored text is here", file->path,
			    strerror(errno));
		return EFFECT_DONE;
	}
	run_editor(b, file->path, source->cursor + 1);
	source_refresh(source);
	draw_begin();
	return EFFECT_DONE | EFFECT_LAYOUT | EFFECT_REPAINT;
}
