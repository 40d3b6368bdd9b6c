#include "collect/import/foreign/definition.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/text/clone.h"
#include "util/text/lines.h"

enum { MOST_LINES = 2000, MOST_OF_HEAD = 20 };

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

struct word { const char *at; size_t length; };

/* Takes "(int)", "<T>", "[...]" off the end of a name. Returns its new end. */
static const char *
without_brackets(const char *name, const char *end)
{
	int depth = 0;
	const char *p = end;

	while (p > name && strchr(")>]", p[-1])) {
		do {
			p--;
			depth += strchr(")>]", *p) ? 1 : strchr("(<[", *p) ? -1 : 0;
		} while (depth && p > name);
		if (depth)
			return end;
		end = p;
	}
	return end;
}

/* The name as a definition has it: "method" of "main.(*T).method", "f" of "ns::f<int>(char)". */
static struct word
base_name(const char *name)
{
	const char *end = without_brackets(name, name + clone_base(name)), *p = end;

	while (p > name && is_word(p[-1]))
		p--;
	return (struct word){ p, (size_t)(end - p) };
}

static const char *
find_word(const char *line, size_t n, struct word w)
{
	const char *p = line, *end = line + n;

	for (; (p = memmem(p, (size_t)(end - p), w.at, w.length)); p++)
		if ((p == line || !is_word(p[-1])) &&
		    (p + w.length == end || !is_word(p[w.length])))
			return p;
	return NULL;
}

/* Does a word that begins definitions stand before AT, or behind the receiver of a Go method? */
static bool
is_defined(const char *line, const char *at)
{
	static const char *const words[] = { "func", "def", "fn", "function", "sub", "defun" };
	const char *end = at;
	size_t n;

	while (end > line && isspace((unsigned char)end[-1]))
		end--;
	if (end > line && end[-1] == ')')
		while (end > line && *end != '(')
			end--;
	while (end > line && isspace((unsigned char)end[-1]))
		end--;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		n = strlen(words[i]);
		if ((size_t)(end - line) >= n && !memcmp(end - n, words[i], n) &&
		    ((size_t)(end - line) == n || !is_word(end[-(ptrdiff_t)n - 1])))
			return true;
	}
	return false;
}

/* Does LINE define W? Lines that begin with a blank are within something, unless a word says that
 * they do. */
static bool
defines(const char *line, size_t n, struct word w)
{
	const char *at = find_word(line, n, w);

	if (!at)
		return false;
	if (is_defined(line, at))
		return true;
	for (at += w.length; at < line + n && isspace((unsigned char)*at); at++)
		;
	return at < line + n && (*at == '(' || *at == '<') && line[n - 1] != ';' &&
	       !isspace((unsigned char)*line) && !strchr("/*#", *line);
}

/* Returns the last line of a body in braces that begins at LINE, or soon behind it: its own, or the
 * first that begins with the closing one. 0: it is not known. */
static uint32_t
end_of_body(const struct lines *text, uint32_t line)
{
	const uint32_t first = line;
	size_t n;
	const char *at = lines_get(text, line, &n);

	for (; at && !memchr(at, '{', n); at = lines_get(text, ++line, &n))
		if (line - first > MOST_OF_HEAD || (n && (at[n - 1] == ':' || at[n - 1] == ';')))
			return 0;
	if (at && memchr(at, '}', n))
		return line;
	while (at && line - first < MOST_LINES && (at = lines_get(text, ++line, &n)))
		if (n && *at == '}')
			return line;
	return 0;
}

/* What was inlined from the same file may have been seen above and below. */
static void
set_end(struct model_procedure *p, const struct lines *text)
{
	uint32_t line = end_of_body(text, p->place.line);
	size_t n;

	if (!line)
		return;
	lines_get(text, line, &n);
	p->place.end_line = line;
	p->place.end_column = n && n < UINT32_MAX ? (uint32_t)n : 1;
}

static bool
is_at(struct model_procedure *p, const struct lines *text, uint32_t line, struct word w)
{
	size_t n;
	const char *at = lines_get(text, line, &n);

	if (!n || !defines(at, n, w))
		return false;
	p->place.line = line;
	p->place.column = (uint32_t)(find_word(at, n, w) - at) + 1;
	if (p->place.end_line <= line) {
		p->place.end_line = line;
		p->place.end_column = p->place.column + (uint32_t)w.length - 1;
	}
	set_end(p, text);
	return true;
}

/* Looks upwards from the first line that was seen, then down to the end: what stands above may be
 * inlined. */
static void
find(struct model_procedure *p, const struct lines *text)
{
	const struct word w = base_name(p->name);
	uint32_t first = p->place.line;

	if (!w.length)
		return;
	for (uint32_t line = first; line && first - line < MOST_LINES; line--)
		if (is_at(p, text, line, w))
			return;
	for (uint32_t line = first + 1; line <= text->nr; line++)
		if (is_at(p, text, line, w))
			return;
}

void
definitions_find(struct model *m, const bool *unknown)
{
	struct lines *texts = xcalloc(m->nr_files, sizeof(*texts));

	for (size_t i = 0; i < m->nr_procedures; i++) {
		struct model_procedure *p = &m->procedures[i];
		const struct model_file *f = p->place.file ? &m->files[p->place.file - 1] : NULL;
		struct lines *text = f ? &texts[p->place.file - 1] : NULL;

		if (!unknown[i] || !text || !f->text)
			continue;
		if (!text->text) {
			*text = (struct lines){ .text = (char *)f->text, .size = f->size };
			lines_index(text);
		}
		find(p, text);
	}
	for (size_t i = 0; i < m->nr_files; i++)
		free(texts[i].starts);
	free(texts);
}
