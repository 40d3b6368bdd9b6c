/* The source view as text. */
#include <string.h>

#include "tui/browser.h"
#include "tui/compare_source.h"
#include "tui/source_view.h"
#include "util/safe.h"

enum { WINDOW = 1000 /* lines that are read at a time */ };

/* What is written before each line. */
struct writing {
	struct view *v;
	const struct source *s;
	const struct doc *doc;
	uint64_t columns;             /* set of MARGIN_BIT */
	struct compare_source window; /* of a comparison */
	bool compared;
};

static void
put_heads(struct strbuf *out, const struct writing *w)
{
	strbuf_char(out, ' ');
	if (w->compared)
		compare_print_margin_head(w->v->browser, out);
	for (int i = 0; i < w->s->margins->nr && !w->compared; i++) {
		if (!(w->columns & MARGIN_BIT(i)))
			continue;
		strbuf_char(out, ' ');
		margin_put_head(out, &w->s->margins->columns[i], source_column_width(w->s, i));
	}
	strbuf_str(out, " |  line");
}

/* "x" marks what was never executed. */
static void
put_figures(struct strbuf *out, const struct writing *w, const struct margin_figures *f)
{
	struct strbuf cell = STRBUF_INIT;
	int width;

	strbuf_str(out, f && f->never ? "x" : " ");
	for (int i = 0; i < w->s->margins->nr; i++) {
		if (!(w->columns & MARGIN_BIT(i)))
			continue;
		width = source_column_width(w->s, i);
		strbuf_clear(&cell);
		if (f)
			margin_print(&cell, &w->s->margins->columns[i], f,
				     w->v->browser->totals->self_ns, width, draw_ascii());
		strbuf_char(out, ' ');
		safe_put_right(out, cell.buf, cell.len, width);
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
	struct margin_figures f;
	enum role role;
	const char *text;
	size_t n;

	if (w->compared) {
		strbuf_char(out, ' ');
		compare_print_margin(w->v->browser, &w->window, line, out);
		text = compare_line_mark(w->v->browser, &w->window, line, &role);
	} else {
		put_figures(out, w, figures_of_line(w->doc, line, &f) ? &f : NULL);
		text = "";
	}
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
	struct writing w = {
		.v = v, .s = s, .doc = source_doc(v), .compared = compare_is_on(v->browser),
		.columns = s->chosen | source_needed_margin(v),
	};
	struct strbuf line = STRBUF_INIT;

	if (!w.doc)
		return;
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
