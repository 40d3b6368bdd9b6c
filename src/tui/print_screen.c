/* A screen of the browser without a terminal: the same code draws it, and it is read from there. */
#include <string.h>

#include "tui/browser.h"
#include "tui/goto.h"
#include "tui/keys/config.h"
#include "tui/keys/script.h"
#include "tui/layout.h"
#include "tui/screen/picture.h"
#include "tui/screen/term.h"
#include "tui/tui.h"

/* The actions that show something. */
static const enum action screens[] = {
	ACTION_SUMMARY, ACTION_SOURCE, ACTION_CALLERS, ACTION_CALLEES, ACTION_TREE_ICICLE,
#define VIEW(action, function) ACTION_##action,
#include "tui/keys/action_rows.h"
};

/* Returns the action of N bytes of NAME; icicle is another name. */
static enum action
screen_named(const char *name, size_t n)
{
	if (n == strlen("icicle") && !strncmp(name, "icicle", n))
		return ACTION_TREE_ICICLE;
	for (size_t i = 0; i < sizeof(screens) / sizeof(*screens); i++)
		if (strlen(action_table[screens[i]].name) == n &&
		    !strncmp(action_table[screens[i]].name, name, n))
			return screens[i];
	return ACTION_NONE;
}

/* Goes to SCREEN, "ACTION" or "ACTION:NAME". */
static int
go(struct browser *b, const char *screen, struct error *err)
{
	size_t n = strcspn(screen, ":");
	enum action action = screen_named(screen, n);
	unsigned effect;

	if (action == ACTION_NONE)
		return error_set(err, "--print: no such screen: %s (summary, source, callers, "
				 "callees, tree, icicle, never, timeline and others of "
				 "cgview-keys(7))", screen);
	if (screen[n] && !goto_exactly(b, screen + n + 1, &effect))
		return error_set(err, "--print %s: no procedure or file is called so, or several "
				 "are", screen);
	layout(b);
	script_finish_work(b);
	strbuf_clear(&b->message);
	browser_act(b, action, 0);
	script_finish_work(b);
	/* Where an action opens nothing, it tells why. */
	if (b->message.len && !b->depth && action != ACTION_SUMMARY && action != ACTION_SOURCE)
		return error_set(err, "--print %s: %s", screen, b->message.buf);
	strbuf_clear(&b->message);
	return 0;
}

int
tui_print(struct profile **profile, const struct tui_options *options,
	  const struct tui_print *print, FILE *out, struct error *err)
{
	struct term_options term = {
		.script = true, .mono = options->mono,
		.background = options->background == TUI_LIGHT ? BACKGROUND_LIGHT : BACKGROUND_DARK,
	};
	struct browser *b;
	int result;

	if (term_open(&term, err) < 0)
		return -1;
	term_resize(print->rows, print->columns);
	b = browser_new(*profile, options, options->config);
	script_begin(b);
	result = go(b, print->screen, err);
	if (!result) {
		browser_draw(b);
		if (print->svg)
			picture_svg(out, options->background == TUI_LIGHT);
		else
			picture_ansi(out);
	}
	term_close();
	*profile = b->profile;
	browser_free(b);
	return result;
}
