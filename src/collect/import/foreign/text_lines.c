#include "collect/import/foreign/text_lines.h"

#include <inttypes.h>

void
text_lines_release(struct text_lines *t)
{
	strbuf_release(&t->line);
}

void
text_lines_bad(struct text_lines *t)
{
	t->first_bad = t->bad++ ? t->first_bad : t->at;
}

/* Returns whether there was a line; it is cut behind TEXT_LINE_MOST bytes. */
static bool
read_line(struct text_lines *t, bool *too_long)
{
	bool any = false;
	int c;

	strbuf_clear(&t->line);
	*too_long = false;
	while ((c = getc_unlocked(t->in)) != EOF) {
		any = true;
		if (c == '\n')
			break;
		if (t->line.len >= TEXT_LINE_MOST) {
			*too_long = true;
			continue;
		}
		if (t->line.len + 1 >= t->line.alloc)
			strbuf_room(&t->line, t->line.len + 256);
		t->line.buf[t->line.len++] = (char)c;
	}
	strbuf_room(&t->line, 0);
	t->line.buf[t->line.len] = '\0';
	while (t->line.len && t->line.buf[t->line.len - 1] == '\r')
		t->line.buf[--t->line.len] = '\0';
	return any;
}

bool
text_lines_next(struct text_lines *t)
{
	bool too_long;

	while (read_line(t, &too_long)) {
		t->at++;
		if (!too_long)
			return true;
		text_lines_bad(t);
	}
	return false;
}

int
text_lines_finish(const struct text_lines *t, const char *path, const char *kind, struct model *m,
		  struct error *err)
{
	if (ferror(t->in))
		return error_set(err, "%s cannot be read to its end", path);
	if (t->bad > t->good)
		return error_set(err, "%s: most of its lines are none of %s (the first is %" PRIu64
				 "): is it another file?", path, kind, t->first_bad);
	if (t->bad)
		model_note(m, "samples", "%" PRIu64 " lines were not understood, the first is "
			   "%" PRIu64, t->bad, t->first_bad);
	return 0;
}
