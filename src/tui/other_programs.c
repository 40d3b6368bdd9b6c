#include "tui/other_programs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare/match/align.h"
#include "db/store/new_file.h"
#include "tui/screen/term.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/input.h"
#include "util/text/safe.h"

/* ---- files ---- */

/* Returns the path with "~/" as the home directory, as in a shell. Heap. */
static char *
path_meant(const char *path)
{
	const char *home = getenv("HOME");

	return !strncmp(path, "~/", 2) && home ? xasprintf("%s%s", home, path + 1) : xstrdup(path);
}

static int
write_view(void *view, FILE *out, struct error *err)
{
	struct view *v = view;

	if (v->ops->try_write)
		return v->ops->try_write(v, out, err);
	v->ops->write(v, out);
	return 0;
}

unsigned
save_view(struct browser *b, const char *typed, bool over)
{
	struct view *v = browser_view(b);
	char *path = path_meant(typed);
	struct error err = ERROR_INIT;
	struct stat st;
	bool there = *path && !stat(path, &st);

	if (!*path)
		browser_say(b, ROLE_MESSAGE, "to which file? :w FILE");
	else if (there && !S_ISREG(st.st_mode))
		browser_say(b, ROLE_ERROR, "%s is not a regular file", path);
	else if (there && !over)
		browser_say(b, ROLE_ERROR, "%s is there already: \":w! %s\" replaces it", path,
			    typed);
	else if (new_file_write(path, over ? NEW_FILE_OVER : NEW_FILE_ONLY_NEW, write_view, v,
				&err))
		browser_say(b, ROLE_ERROR, "%s", err.text);
	else
		browser_say(b, ROLE_MESSAGE, "written to %s", path);
	free(path);
	return EFFECT_DONE;
}

/* ---- clipboard ---- */

enum { CLIPBOARD_MAX = 4096 };

/* Appends the row under the cursor in one line, the fields of a list separated by tabs. */
static void
row_as_line(struct view *v, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	const char *s, *end;

	if (view_table(v))
		table_row_line(view_table(v), v->cursor, &text);
	else if (v->ops->row_text)
		v->ops->row_text(v, v->cursor, &text);
	for (s = text.buf; *s; s = *end ? end + 1 : end) {
		end = s + strcspn(s, "\n");
		if (s > text.buf)
			strbuf_char(out, '\t');
		safe_text(out, s, (size_t)(end - s));
	}
	if (out->len > CLIPBOARD_MAX) {
		out->len = CLIPBOARD_MAX;
		while (out->len && ((unsigned char)out->buf[out->len] & 0xc0) == 0x80)
			out->len--;
		out->buf[out->len] = '\0';
	}
	strbuf_release(&text);
}

/* Appends the procedure that the panes show. */
static void
add_name(struct browser *b, struct strbuf *out)
{
	struct procedure_row row;

	if (compare_row(b, b->procedure, &row))
		safe_str(out, row.name);
}

/* Appends the line of the source that is shown, as editors and compilers write it. */
static void
add_place(struct browser *b, struct strbuf *out)
{
	struct view *source = b->panes[PANE_SOURCE];
	struct subject shown = source_file(source);
	const struct profile_file *file =
		profile_file(compare_docs(b, shown.first)->profile, shown.id);

	if (!file)
		return;
	safe_str(out, file->path);
	strbuf_fmt(out, ":%zu", source->cursor + 1);
}

unsigned
copy_command(struct browser *b, const char *what)
{
	struct view *v = browser_view(b);
	struct strbuf text = STRBUF_INIT;

	if (!b->config->clipboard) {
		browser_say(b, ROLE_MESSAGE, "the clipboard is not used: \"set clipboard on\" in "
			    "%s allows it", b->config->path ? b->config->path
							    : "~/.config/cgview/config");
		return EFFECT_DONE;
	}
	if (!strcmp(what, "name"))
		add_name(b, &text);
	else if (!strcmp(what, "place"))
		add_place(b, &text);
	else if (*what && strcmp(what, "row") != 0) {
		browser_say(b, ROLE_ERROR, "copy what? name, place or row");
		return EFFECT_DONE;
	} else if (view_rows(v))
		row_as_line(v, &text);
	if (text.len)
		term_copy(text.buf, text.len);
	browser_say(b, ROLE_MESSAGE, text.len ? "sent to the terminal's clipboard: %s"
					      : "there is nothing to copy%s", text.buf);
	strbuf_release(&text);
	return EFFECT_DONE;
}

/* ---- editor ---- */

enum { EDITOR_WORDS = 16 };

/* Splits $VISUAL or $EDITOR, which may have arguments, at blanks; there is no shell. */
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
run_editor(struct browser *b, const char *path, uint32_t line)
{
	char *editor = xstrdup(editor_name()), *words[EDITOR_WORDS + 3];
	char *at = xasprintf("+%u", line);
	/* The prefix keeps a name from looking like an option. */
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

/* Reads the file on disk as a text. Returns false when it cannot be had whole. */
static bool
read_disk(const struct doc *doc, struct text *text)
{
	enum { MOST = 64 << 20 /* bytes */ };
	struct error err = ERROR_INIT;
	struct stat st;
	int fd = input_open(doc->file->path, &st, &err);
	char *data;
	bool whole;

	if (fd < 0)
		return false;
	if (st.st_size < 0 || st.st_size > MOST) {
		close(fd);
		return false;
	}
	data = xmalloc((size_t)st.st_size + 1);
	whole = input_read(fd, data, (size_t)st.st_size) == st.st_size;
	close(fd);
	if (whole)
		text_init(text, data, (size_t)st.st_size);
	else
		free(data);
	return whole;
}

/* Returns the line of NOW that LINE of THEN became; 0: none, it stood behind line *BEFORE. */
static uint32_t
line_became(struct text *then, struct text *now, uint32_t line, uint32_t *before)
{
	struct span from = { then, 1, then->nr_lines }, to = { now, 1, now->nr_lines };
	uint64_t work = 40000000;
	struct alignment *a = alignment_start(&from, &to, true, &work);
	uint32_t became;
	bool same;

	alignment_make(a);
	became = alignment_line(a, line, &same);
	*before = 0;
	while (!became && --line && !*before)
		*before = alignment_line(a, line, &same);
	alignment_free(a);
	return became;
}

/* Returns where LINE of the stored text is in the file now; tells when that is elsewhere. */
static uint32_t
line_on_disk(struct browser *b, struct doc *doc, uint32_t line)
{
	struct text then, now;
	uint32_t became, before;

	doc_check_disk(doc);
	if (doc->disk != DISK_DIFFERS || !read_disk(doc, &now))
		return line;
	text_init(&then, xstrndup(doc->text, doc->size), doc->size);
	became = line_became(&then, &now, line, &before);
	text_release(&then);
	text_release(&now);
	if (!became)
		browser_say(b, ROLE_MESSAGE, "line %u is not in the file any more: it stood "
			    "before line %u", line, before + 1);
	else if (became != line)
		browser_say(b, ROLE_MESSAGE, "the file has changed: line %u is line %u now", line,
			    became);
	return became ? became : before + 1;
}

unsigned
edit_source(struct browser *b)
{
	struct view *source = b->panes[PANE_SOURCE];
	struct subject shown = source_file(source);
	struct docs *docs = compare_docs(b, shown.first);
	const struct profile_file *file = profile_file(docs->profile, shown.id);
	struct doc *doc = docs_get(docs, shown.id);

	if (!file) {
		browser_say(b, ROLE_MESSAGE, "no source is shown");
		return EFFECT_DONE;
	}
	if (access(file->path, R_OK) < 0) {
		browser_say(b, ROLE_MESSAGE, "%s: %s; the profile has its text", file->path,
			    strerror(errno));
		return EFFECT_DONE;
	}
	run_editor(b, file->path, doc ? line_on_disk(b, doc, (uint32_t)source->cursor + 1) : 1);
	source_refresh(source);
	draw_begin();
	return EFFECT_DONE | EFFECT_LAYOUT | EFFECT_REPAINT;
}
