/* The browser line by line, for screen readers and where there is no terminal to draw on: a line is
 * read, and what the view that has the keyboard shows then is printed. */
#include <stdlib.h>
#include <string.h>

#include "tui/browser.h"
#include "tui/keys/config.h"
#include "tui/keys/script.h"
#include "tui/layout.h"
#include "tui/screen/term.h"
#include "tui/tui.h"
#include "util/text/safe.h"

/* ---- what is read ---- */

/* WORDS: an action ("open", "callers"), with a number before it ("20 down"), or a key ("j", "C-t");
 * what begins with ':' or '/' is typed, and Enter after it; nothing: the next page. */
static void
obey(struct browser *b, const char *words)
{
	char *end;
	unsigned long count = strtoul(words, &end, 10);
	enum action action;
	tui_key key;

	strbuf_clear(&b->message);
	if (b->prompt.kind != PROMPT_NONE) /* of a command that was wrong */
		browser_key(b, K_ESC);
	if (end == words || *end != ' ')
		count = 0;
	else
		words = end + strspn(end, " ");
	action = *words ? action_named(words) : ACTION_PAGE_DOWN;
	if (*words == ':' || *words == '/') {
		script_type(b, words);
		browser_key(b, K_ENTER);
	} else if (action != ACTION_NONE) {
		if (browser_act(b, action, count) & EFFECT_REFUSED)
			browser_say(b, ROLE_MESSAGE, "%s does nothing here", words);
	} else if ((key = key_named(words)) != K_NONE) {
		browser_key(b, key);
	} else {
		browser_say(b, ROLE_MESSAGE, "%s is no action and no key; help tells all", words);
	}
}

/* ---- what is printed ---- */

/* A rule is for eyes: of a line that begins with one only the words are left. */
static void
print_line(FILE *out, char *line)
{
	bool title = line[0] == '-' && line[1] == ' ';
	const char *word, *sep = "";
	char *rest;

	if (!title) {
		fprintf(out, "%s\n", line);
		return;
	}
	for (word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (word[strspn(word, "-")] == '\0')
			continue;
		fprintf(out, "%s%s", sep, word);
		sep = " ";
	}
	fputc('\n', out);
}

/* Prints the screen without the bar at its top, unless ALL, and the hints at its bottom. */
static void
print_screen(struct browser *b, bool all, FILE *out)
{
	struct strbuf message = STRBUF_INIT;
	char *text = NULL, *line, *next;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	browser_draw(b);
	if (!to)
		return;
	draw_save_text(to);
	if (fclose(to))
		text = NULL;
	if (b->message.len) {
		safe_str(&message, b->message.buf);
		fprintf(out, "%s\n", message.buf);
		strbuf_release(&message);
	}
	for (line = text; line && (next = strchr(line, '\n')); line = next + 1) {
		bool last = !next[1];

		*next = '\0';
		if (*line && !last && (all || line != text))
			print_line(out, line);
	}
	fflush(out);
	free(text);
}

int
tui_lines(struct profile **profile, const struct tui_options *options,
	  const struct tui_print *size, FILE *in, FILE *out, struct error *err)
{
	const struct term_options term = { .script = true, .plain = true };
	struct browser *b;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (term_open(&term, err) < 0)
		return -1;
	term_resize(size->rows, size->columns);
	b = browser_new(*profile, options, options->config);
	b->zoom = true; /* one view at a time */
	layout(b);
	script_begin(b);
	script_finish_work(b);
	print_screen(b, true, out);
	while (!b->quit && !ferror(out) && (n = getline(&line, &room, in)) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		obey(b, line);
		if (b->quit)
			break;
		layout(b);
		script_finish_work(b);
		print_screen(b, false, out);
	}
	free(line);
	term_close();
	*profile = b->profile;
	browser_free(b);
	return 0;
}
