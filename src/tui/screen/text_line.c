/* Draws a line of a source text with the roles of its bytes. */
#include "tui/screen/text_line.h"

#include <string.h>

#include "util/mem.h"
#include "util/text/safe.h"

int
text_line_digits(uint32_t nr)
{
	enum { LEAST = 3 };
	int w = 1;

	for (; nr >= 10; nr /= 10)
		w++;
	return w < LEAST ? LEAST : w;
}

struct run {              /* neighbours that look the same are written at once */
	const struct line *line;
	struct strbuf text;
	int x, w;
	enum role role;
	enum overlay overlay;
};

static void
run_flush(struct run *run)
{
	if (run->w)
		line_cell(run->line, run->x, run->w, run->role, run->overlay, run->text.buf,
			  run->text.len);
	run->x += run->w;
	run->w = 0;
	strbuf_clear(&run->text);
}

static void
run_add(struct run *run, const char *s, size_t n, int w, enum role role, enum overlay overlay)
{
	if (run->w && (run->role != role || run->overlay != overlay))
		run_flush(run);
	run->role = role;
	run->overlay = overlay;
	strbuf_add(&run->text, s, n);
	run->w += w;
}

/* Writes one character at screen column COLUMN of the text, LEFT being the first visible one. */
static void
run_char(struct run *run, int32_t c, int column, int w, int left, int width, enum role role,
	 enum overlay overlay)
{
	struct strbuf s = STRBUF_INIT;
	int i, cut = left > column ? left - column : 0;

	if (column + w - left > width)
		w = width + left - column;
	/* Tabs, and characters cut by an edge, are blanks. */
	if (c == '\t' || cut || w < safe_width_char(c)) {
		for (i = cut; i < w; i++)
			run_add(run, " ", 1, 1, role, overlay);
		return;
	}
	safe_char(&s, c);
	run_add(run, s.buf, s.len, w, role, overlay);
	strbuf_release(&s);
}

void
text_draw(const struct painted *vis, const struct line *line, int x, int left)
{
	struct run run = { .line = line, .text = STRBUF_INIT, .x = x };
	int column = vis->column, width = line->w - x, w;
	size_t i = vis->from, at;
	int32_t c;

	while (i < vis->to && column - left < width) {
		at = i - vis->from;
		i += utf8_decode(vis->text + i, vis->length - i, &c);
		w = c == '\t' ? TAB_WIDTH - column % TAB_WIDTH : safe_width_char(c);
		run_char(&run, c, column, w, left, width, vis->role[at], vis->overlay[at]);
		column += w;
	}
	run_flush(&run);
	strbuf_release(&run.text);
	if (left && vis->length && x)
		line_text(line, x - 1, 1, ALIGN_LEFT, ROLE_DIM, draw_glyph(GLYPH_DOTS), -1);
	if (i < vis->length && width > 1)
		line_text(line, line->w - 1, 1, ALIGN_LEFT, ROLE_DIM, draw_glyph(GLYPH_DOTS), -1);
}

void
text_look_at(struct doc *doc, uint32_t lineno, int left, int width, struct painted *vis)
{
	static uint8_t *room;
	static size_t room_size;
	size_t bytes;

	vis->text = doc_line(doc, lineno, &vis->length);
	vis->from = doc_byte(doc, lineno, left, &vis->column);
	/* Combining characters take bytes but no room: their number is limited. */
	bytes = (size_t)(width > 0 ? width : 0) * 8 + 64;
	vis->to = vis->length - vis->from > bytes ? vis->from + bytes : vis->length;
	bytes = vis->to - vis->from;
	if (bytes * 2 > room_size || !room) {
		room_size = bytes * 2 + 1024;
		room = xrealloc(room, room_size, 1);
	}
	vis->role = room;
	vis->overlay = room + bytes;
	memset(vis->overlay, OVERLAY_NONE, bytes);
}
