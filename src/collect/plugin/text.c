/* The lines of source files. GCC's own cache of them looks a line up by reading on from one of a
 * hundred marks: far too slow for a file of 200,000 lines in which every expression is looked at.
 */
#include "plugin.h"

struct source {
	char *text;
	size_t size;
	vec<size_t> begins; /* of each line */
};

static hash_map<nofree_string_hash, source *> *sources;

static void
index_lines(struct source *s)
{
	const char *newline = s->text, *end = s->text + s->size;

	s->begins.safe_push(0);
	while (newline < end && (newline = (const char *)memchr(newline, '\n', end - newline)))
		s->begins.safe_push(++newline - s->text);
}

static struct source *
read_source(const char *path)
{
	struct source *s = new source();
	struct stat st;
	FILE *f;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || !(f = fopen(path, "rb")))
		return s;
	s->text = XNEWVEC(char, st.st_size + 1);
	s->size = fread(s->text, 1, st.st_size, f);
	fclose(f);
	index_lines(s);
	return s;
}

const char *
text_line(const char *path, int line, int *length)
{
	struct source *s, **known;
	size_t begin, end;

	if (!sources)
		sources = new hash_map<nofree_string_hash, source *>;
	known = sources->get(path);
	s = known ? *known : read_source(path);
	if (!known)
		sources->put(xstrdup(path), s);
	if (line < 1 || (unsigned)line > s->begins.length())
		return NULL;
	begin = s->begins[line - 1];
	end = (unsigned)line < s->begins.length() ? s->begins[line] - 1 : s->size;
	if (begin >= s->size && end <= begin && (unsigned)line == s->begins.length())
		return NULL;
	*length = (int)(end - begin);
	return s->text + begin;
}

/* ---- character by character ---- */

static bool
cursor_line(struct cursor *c)
{
	c->text = text_line(c->file, c->line, &c->length);
	return c->text != NULL;
}

bool
cursor_open(struct cursor *c, const char *file, int line, int column)
{
	c->file = file;
	c->line = line;
	c->column = column;
	c->last_line = c->last_column = 0;
	return file && column > 0 && cursor_line(c);
}

int
cursor_next(struct cursor *c)
{
	while (c->column > c->length) {
		c->line++;
		c->column = 1;
		if (!cursor_line(c))
			return -1;
		return '\n';
	}
	c->last_line = c->line;
	c->last_column = c->column;
	return (unsigned char)c->text[c->column++ - 1];
}

int
cursor_peek(const struct cursor *c)
{
	return c->column <= c->length ? (unsigned char)c->text[c->column - 1] : '\n';
}

static void
skip_quoted(struct cursor *c, int quote)
{
	int ch;

	while ((ch = cursor_next(c)) != -1 && ch != quote && ch != '\n')
		if (ch == '\\')
			cursor_next(c);
}

static void
skip_comment(struct cursor *c)
{
	int ch, previous = 0;

	cursor_next(c);
	while ((ch = cursor_next(c)) != -1 && !(previous == '*' && ch == '/'))
		previous = ch;
}

int
cursor_token(struct cursor *c)
{
	int ch = cursor_next(c);

	if (ch == '"' || ch == '\'') {
		skip_quoted(c, ch);
		return '"';
	}
	if (ch == '/' && cursor_peek(c) == '*') {
		skip_comment(c);
		return ' ';
	}
	if (ch == '/' && cursor_peek(c) == '/') {
		c->column = c->length + 1;
		return ' ';
	}
	return ch;
}

bool
is_word(int ch)
{
	return ISALNUM(ch) || ch == '_' || ch == '$';
}

bool
is_blank(int ch)
{
	return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r';
}
