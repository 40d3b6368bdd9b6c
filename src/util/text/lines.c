#include "util/text/lines.h"

#include <stdbool.h>
#include <string.h>

void
lines_index(struct lines *l)
{
	const char *p = l->text, *end;
	size_t alloc = 0;

	if (l->size > UINT32_MAX)
		l->size = UINT32_MAX;
	end = p + l->size;
	while (p < end) {
		GROW(l->starts, l->nr + 1, alloc);
		l->starts[l->nr++] = (uint32_t)(p - l->text);
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			break;
		p++;
	}
	GROW(l->starts, l->nr + 1, alloc);
	l->starts[l->nr] = (uint32_t)l->size;
}

const char *
lines_get(const struct lines *l, uint32_t line, size_t *length)
{
	size_t from, to;

	*length = 0;
	if (!l->text || line < 1 || line > l->nr)
		return "";
	from = l->starts[line - 1];
	to = line < l->nr ? l->starts[line] : l->size;
	if (to > from && l->text[to - 1] == '\n')
		to--;
	/* The CR of a CRLF belongs to the line end; any other is shown. */
	if (to > from && l->text[to - 1] == '\r')
		to--;
	*length = to - from;
	return l->text + from;
}

/* Append bytes FROM..TO of S, white space as one blank. *BLANK: the text so far ends in one. */
static void
squeeze(struct strbuf *out, const char *s, size_t from, size_t to, size_t most, bool *blank)
{
	size_t i;
	bool space;

	for (i = from; i < to && out->len < most; i++) {
		space = s[i] == ' ' || s[i] == '\t';
		if (!space || !*blank)
			strbuf_char(out, space ? ' ' : s[i]);
		*blank = space;
	}
	if (!*blank)
		strbuf_char(out, ' ');
	*blank = true;
}

void
lines_excerpt(struct strbuf *out, const struct lines *l, uint32_t line, uint32_t column,
	      uint32_t end_line, uint32_t end_column, size_t most)
{
	size_t n, start = out->len;
	bool blank = true;
	const char *s;

	most += start;
	for (; line && line <= end_line && line <= l->nr && out->len < most; line++, column = 1) {
		s = lines_get(l, line, &n);
		squeeze(out, s, column ? column - 1 : 0,
			line == end_line && end_column < n ? end_column : n, most, &blank);
	}
	while (out->len > start && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}
