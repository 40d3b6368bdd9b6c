#include "print/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/record.h"
#include "util/text/safe.h"

void
sheet_cell(struct sheet *s, struct strbuf *text)
{
	int c = (int)(s->nr_cells % (size_t)s->nr_columns);
	int width = safe_width(text->buf, text->len);

	if (!s->right[c] && width > SHEET_MAX_WIDTH)
		width = SHEET_MAX_WIDTH;
	if (width > s->width[c])
		s->width[c] = width;
	GROW(s->cells, s->nr_cells + 1, s->cells_alloc);
	s->cells[s->nr_cells++] = strbuf_take(text);
}

void
sheet_column(struct sheet *s, const char *header, bool right)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_str(&text, header);
	s->right[s->nr_columns++] = right;
	sheet_cell(s, &text);
}

static void
pad(struct strbuf *line, int n)
{
	while (n-- > 0)
		strbuf_char(line, ' ');
}

static void
add_cell(struct strbuf *line, const struct sheet *s, int c, const char *cell)
{
	int space = s->width[c] - safe_width(cell, strlen(cell));

	if (s->hidden[c])
		return;
	pad(line, s->right[c] ? space : 0);
	strbuf_str(line, cell);
	pad(line, s->right[c] ? 0 : space);
	strbuf_str(line, "  ");
}

void
sheet_print(const struct sheet *s)
{
	struct strbuf line = STRBUF_INIT;

	for (size_t i = 0; i < s->nr_cells && report_can_write(); i++) {
		int c = (int)(i % (size_t)s->nr_columns);

		add_cell(&line, s, c, s->cells[i]);
		if (c < s->nr_columns - 1)
			continue;
		while (line.len && line.buf[line.len - 1] == ' ')
			line.buf[--line.len] = '\0';
		puts(line.buf);
		strbuf_clear(&line);
	}
	strbuf_release(&line);
}

void
sheet_release(struct sheet *s)
{
	for (size_t i = 0; i < s->nr_cells; i++)
		free(s->cells[i]);
	free(s->cells);
	*s = (struct sheet)SHEET_INIT;
}
