#include "tui/keys/script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/new_file.h"
#include "tui/screen/term.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/input.h"
#include "util/text/safe.h"

struct script {
	struct browser *b;
	const char *path;
	unsigned line;
	char *actions;     /* where to append the actions that were done, at the end */
	struct error *err;
};

static void
type_key(struct browser *b, tui_key key)
{
	unsigned effect = browser_key(b, key);

	browser_draw(b);
	draw_flush(effect & EFFECT_REPAINT);
}

void
script_type(struct browser *b, const char *text)
{
	size_t n = strlen(text);
	int32_t c;

	while (n && !b->quit) {
		size_t step = utf8_decode(text, n, &c);

		type_key(b, c);
		text += step;
		n -= step;
	}
}

static int
step_key(struct script *s, const char *rest)
{
	tui_key key = key_named(rest);

	if (key == K_NONE)
		return error_set(s->err, "%s:%u: no such key: %s", s->path, s->line, rest);
	type_key(s->b, key);
	return 0;
}

static int
step_text(struct script *s, const char *rest)
{
	script_type(s->b, rest);
	return 0;
}

/* \n stands for the end of a line. */
static int
step_paste(struct script *s, const char *rest)
{
	struct strbuf text = STRBUF_INIT;

	for (; *rest; rest++) {
		bool line_end = *rest == '\\' && rest[1] == 'n';

		strbuf_char(&text, line_end ? '\n' : *rest);
		rest += line_end;
	}
	term_pretend_paste(text.buf);
	strbuf_release(&text);
	type_key(s->b, K_PASTE);
	return 0;
}

static int
step_size(struct script *s, const char *rest)
{
	int columns, rows;

	if (sscanf(rest, "%dx%d", &columns, &rows) != 2 || columns < 1 || rows < 1 ||
	    columns > 2000 || rows > 2000)
		return error_set(s->err, "%s:%u: no such size: %s", s->path, s->line, rest);
	term_resize(rows, columns);
	type_key(s->b, K_RESIZE);
	return 0;
}

static void
save_screen(struct script *s, FILE *out)
{
	(void)s;
	draw_save_text(out);
}

static void
save_roles(struct script *s, FILE *out)
{
	(void)s;
	draw_save_roles(out);
}

static void
list_actions(struct script *s, FILE *out)
{
	(void)s;
	action_list(out);
}

static void
list_roles(struct script *s, FILE *out)
{
	int i;

	(void)s;
	for (i = 0; i < ROLE_NR; i++)
		fprintf(out, "%c %s\n", role_letter((enum role)i, OVERLAY_NONE),
			role_name((enum role)i));
}

static const struct {
	const char *name;
	bool waits;              /* for the work that goes on while nobody types */
	void (*save)(struct script *s, FILE *out);
} savers[] = {
	{ ":save-screen ", true, save_screen },
	{ ":save-at-once ", false, save_screen },
	{ ":save-roles ", true, save_roles },
	{ ":list-actions ", true, list_actions },
	{ ":list-roles ", true, list_roles },
};

void
script_finish_work(struct browser *b)
{
	unsigned what, new;

	do { /* what is drawn may want more */
		for (new = 0; (what = browser_idle(b)) & WORK_MORE;)
			new |= what;
		if (what | new)
			browser_draw(b);
	} while (new);
}

/* Makes slices end after so many looks at the clock, not by time; 0: they do not end. */
static int
step_slices(struct script *s, const char *rest)
{
	s->b->busy.looks = (unsigned)strtoul(rest, NULL, 10);
	s->b->busy.patient = !s->b->busy.looks;
	return 0;
}

struct saving {
	struct script *script;
	void (*save)(struct script *s, FILE *out);
};

static int
save_to(void *saving, FILE *out, struct error *err)
{
	const struct saving *w = saving;

	(void)err;
	w->save(w->script, out);
	return 0;
}

static int
step_save(struct script *s, const char *step)
{
	size_t i, n;

	for (i = 0; i < sizeof(savers) / sizeof(*savers); i++) {
		n = strlen(savers[i].name);
		if (strncmp(step, savers[i].name, n))
			continue;
		if (savers[i].waits)
			script_finish_work(s->b);
		return new_file_write(step + n, NEW_FILE_PASSING, save_to,
				      &(struct saving){ s, savers[i].save }, s->err);
	}
	return error_set(s->err, "%s:%u: no such step: %s", s->path, s->line, step);
}

/* Like fopen() to append; a new file is for the user alone. */
static FILE *
append_to(const char *path, struct error *err)
{
	char *meant = file_meant(path, err);
	int fd = meant ? open(meant, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600)
		       : -1;

	free(meant);
	return fd < 0 ? NULL : fdopen(fd, "a");
}

/* Runs at the end, so that leaving counts too. */
static int
save_actions(struct script *s)
{
	FILE *out;
	int i;

	if (!s->actions)
		return 0;
	out = append_to(s->actions, s->err);
	for (i = 1; out && i < ACTION_NR; i++)
		if (s->b->actions_done[i])
			fprintf(out, "%s\n", action_table[i].name);
	if (s->err->set)
		return -1;
	return !out || fclose(out) ? error_set_errno(s->err, errno, "%s", s->actions) : 0;
}

static int
step_actions(struct script *s, const char *path)
{
	free(s->actions);
	s->actions = xstrdup(path);
	return 0;
}

static int
play_step(struct script *s, const char *step)
{
	if (!*step || *step == '#')
		return 0;
	if (!strncmp(step, "text:", 5))
		return step_text(s, step + 5);
	if (!strncmp(step, "paste:", 6))
		return step_paste(s, step + 6);
	if (!strncmp(step, "size:", 5))
		return step_size(s, step + 5);
	if (!strncmp(step, ":slices ", 8))
		return step_slices(s, step + 8);
	if (!strncmp(step, ":save-actions ", 14))
		return step_actions(s, step + 14);
	if (*step == ':' && step[1])
		return step_save(s, step);
	return step_key(s, step);
}

void
script_begin(struct browser *b)
{
	/* Work that a key begins is completed before the next key. */
	b->busy.patient = true;
	compare_finish(b);
	table_work(b->panes[PANE_SUMMARY], view_table(b->panes[PANE_SUMMARY]));
	browser_draw(b);
}

int
script_play(struct browser *b, const char *path, struct error *err)
{
	struct script s = { .b = b, .path = path, .err = err };
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int result = 0;

	if (!in)
		return error_set_errno(err, errno, "%s", path);
	script_begin(b);
	draw_flush(false);
	while (result == 0 && !b->quit && (n = getline(&line, &room, in)) >= 0) {
		s.line++;
		if (n && line[n - 1] == '\n')
			line[n - 1] = '\0';
		result = play_step(&s, line);
	}
	if (result == 0 && ferror(in))
		result = input_failed(path, errno, err);
	if (result == 0)
		result = save_actions(&s);
	free(s.actions);
	free(line);
	fclose(in);
	return result;
}
