/* Writes the source view as text. */
#include <string.h>

#include "tui/browser.h"
#include "tui/compare/compare_source.h"
#include "tui/views/source_view.h"
#include "util/text/safe.h"

enum { WINDOW = 1000 /* lines that are read at a time */, WIDE = 110 };

/* The parts before each line. */
struct writing {
	struct view *v;
	const struct doc *doc;
	struct source_cell cells[MARGINS_MAX];
	int nr_cells;
	struct compare_source window;
};

static void
put_right(struct strbuf *out, const char *text, size_t length, int width)
{
	struct strbuf s = STRBUF_INIT;

	safe_fit(&s, text, length, width);
	strbuf_char(out, ' ');
	safe_put_right(out, s.buf, s.len, width);
	strbuf_release(&s);
}

static void
put_heads(struct strbuf *out, const struct writing *w)
{
	strbuf_char(out, ' ');
	for (int i = 0; i < w->nr_cells; i++)
		put_right(out, w->cells[i].head, strlen(w->cells[i].head), w->cells[i].width);
	strbuf_str(out, " |  line");
}

/* "x" marks lines that were never executed. */
static void
put_figures(struct strbuf *out, const struct writing *w, uint32_t line)
{
	struct source_figures f = source_figures(w->v, &w->window, line);
	struct strbuf cell = STRBUF_INIT;
	enum role role;

	strbuf_str(out, f.there && f.margin.never ? "x" : " ");
	for (int i = 0; i < w->nr_cells; i++) {
		strbuf_clear(&cell);
		if (f.there)
			source_print_cell(w->v, &w->cells[i], &f, &cell, &role);
		put_right(out, cell.buf, cell.len, w->cells[i].width);
	}
	strbuf_release(&cell);
}

static void
put_text(struct strbuf *out, const char *text, size_t n)
{
	int column = 0;
	int32_t c;

	for (size_t i = 0; i < n;) {
		i += utf8_decode(text + i, n - i, &c);
		safe_char_at(out, c, TAB_WIDTH, &column);
	}
}

static void
put_line(struct strbuf *out, const struct writing *w, uint32_t line)
{
	const char *text = "";
	enum role role;
	size_t n;

	put_figures(out, w, line);
	if (compare_is_on(w->v->browser))
		text = compare_line_mark(w->v->browser, &w->window, line, &role);
	strbuf_fmt(out, " |%1s%5u  ", text, line);
	text = doc_line(w->doc, line, &n);
	put_text(out, text, n);
}

static void
write_line(struct strbuf *line, FILE *out)
{
	while (line->len && line->buf[line->len - 1] == ' ')
		line->buf[--line->len] = '\0';
	fprintf(out, "%s\n", line->buf);
	strbuf_clear(line);
}

void
source_write(struct view *v, FILE *out)
{
	const struct source *s = v->data;
	struct writing w = { .v = v, .doc = source_doc(v) };
	struct strbuf line = STRBUF_INIT;

	if (!w.doc)
		return;
	w.nr_cells = source_cells(v, s->chosen | source_needed_margin(v), WIDE, w.cells);
	put_heads(&line, &w);
	write_line(&line, out);
	for (uint32_t i = 1; i <= w.doc->nr_lines; i++) {
		if (i == 1 || i > w.window.to) {
			w.window = (struct compare_source){ s->file, i, i + WINDOW - 1 };
			source_window(v, w.window.from, w.window.to);
		}
		put_line(&line, &w, i);
		write_line(&line, out);
	}
	strbuf_release(&line);
}
