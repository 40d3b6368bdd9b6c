/* The machine code of what the source's cursor is on, with what was sampled in each instruction. */
#include <string.h>

#include "show/code/instructions.h"
#include "tui/compare/compare.h"
#include "tui/views.h"
#include "tui/views/text_view.h"

enum { FIGURES = 18, HEAD_WIDTH = 20 };

/* The selected expression; else all of the line, and on the head of a procedure, whose name is
 * selected when one comes to it, all of that. */
static struct instructions_query
query_of(struct view *source, const struct procedure_row *row)
{
	const struct place selected = source_selected(source);
	const uint32_t line = (uint32_t)source->cursor + 1;
	struct instructions_query q = { .procedure = row->id, .ascii = draw_ascii() };

	if (selected.line == line && (selected.line != row->place.line ||
				      selected.column != row->place.column))
		q.place = selected;
	else if (row->place.line != line)
		q.place = (struct place){ 0, line, 1, line, UINT32_MAX };
	if (q.place.line)
		q.place.file = source_file(source).id;
	return q;
}

/* An instruction begins with blanks: its figures are the head. */
static void
add_line(struct view *v, const char *line, size_t n)
{
	struct strbuf head = STRBUF_INIT, text = STRBUF_INIT;
	size_t figures = n > FIGURES && *line == ' ' ? FIGURES : 0;

	strbuf_add(&head, line, figures);
	strbuf_add(&text, line + figures, n - figures);
	text_add(v, figures ? ROLE_TEXT : ROLE_STRONG, figures ? head.buf : NULL, text.buf);
	strbuf_release(&head);
	strbuf_release(&text);
}

static void
build(struct view *v)
{
	struct view *source = v->browser->panes[PANE_SOURCE];
	struct docs *docs = compare_docs(v->browser, source_file(source).first);
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct instructions_query q;
	struct procedure_row row;

	if (!source_procedure_at(source, (uint32_t)source->cursor + 1, &row))
		return;
	q = query_of(source, &row);
	if (instructions_text(&text, docs, &q, &err) < 0)
		text_add(v, ROLE_MESSAGE, NULL, err.text);
	else
		text_add(v, ROLE_DIM, NULL, "Time and samples of all runs and threads; counts are "
			 "those of the source.");
	for (const char *line = text.buf, *end; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		add_line(v, line, (size_t)(end - line));
	}
	strbuf_release(&text);
}

struct view *
instructions_new(struct browser *b)
{
	struct view *source = b->panes[PANE_SOURCE];
	struct procedure_row row;

	if (!source_procedure_at(source, (uint32_t)source->cursor + 1, &row)) {
		browser_say(b, ROLE_MESSAGE, "no procedure is on this line");
		return NULL;
	}
	return text_new(b, "machine code", HEAD_WIDTH, build);
}
