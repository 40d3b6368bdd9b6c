/* A macro: the pieces of its definition, each with the sum of all uses, and the uses. */
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/value.h"
#include "show/macro.h"
#include "show/paint.h"
#include "tui/busy.h"
#include "tui/views/table.h"
#include "tui/views.h"
#include "util/job.h"

enum row_kind { ROW_TEXT, ROW_HEAD_PIECES, ROW_PIECE, ROW_HEAD_USES, ROW_USE };

struct macro_view {
	struct macro macro;
	struct job *finding;     /* its definition and uses; NULL: they are known */
	uint32_t line, column;   /* where the cursor of the source was */
	bool first;              /* in a text of the first profile of a comparison */
	uint64_t total;          /* of the uses by its name */
	size_t nr_others;        /* uses through other macros */
	size_t counted;          /* uses that are in both */
};

static void
macro_close(struct view *v)
{
	struct macro_view *m = v->data;

	busy_drop(&m->finding);
	macro_release(&m->macro);
	free(m);
}

static struct docs *
docs_of(const struct view *v)
{
	const struct macro_view *m = v->data;

	return compare_docs(v->browser, m->first);
}

static size_t
nr_lines(const struct macro *m)
{
	return m->file ? m->last - m->first + 1 : 0;
}

/* Returns the row of the first use. */
static size_t
first_use(const struct macro *m)
{
	return nr_lines(m) + m->nr_pieces + 2;
}

static size_t
macro_rows(struct view *v)
{
	struct macro_view *m = v->data;

	return first_use(&m->macro) + m->macro.nr_uses;
}

/* *I: its position among those of its kind. */
static enum row_kind
row_kind(const struct macro *m, size_t row, size_t *i)
{
	size_t lines = nr_lines(m), uses = first_use(m);

	*i = row < lines ? row : row < uses ? row - lines - 1 : row - uses;
	return row < lines                    ? ROW_TEXT
	       : row == lines                 ? ROW_HEAD_PIECES
	       : row <= lines + m->nr_pieces  ? ROW_PIECE
	       : row < uses                   ? ROW_HEAD_USES
					      : ROW_USE;
}

static const struct range_row *
range_of(const struct macro *m, size_t row)
{
	size_t i;
	enum row_kind kind = row_kind(m, row, &i);

	return kind == ROW_PIECE ? &m->pieces[i] : kind == ROW_USE ? &m->uses[i].range : NULL;
}

/* Returns PATH without the directory that all files are in. */
static const char *
short_path(struct view *v, const char *path)
{
	const char *directory = v->browser->directory;
	size_t n = strlen(directory);

	return strncmp(path, directory, n) ? path : path + n;
}

static void
count_uses(struct macro_view *m)
{
	for (; m->counted < m->macro.nr_uses; m->counted++) {
		if (*m->macro.uses[m->counted].by)
			m->nr_others++;
		else
			m->total += m->macro.uses[m->counted].range.self[MEASURE_COUNT];
	}
}

static void
macro_title(struct view *v, struct title *title)
{
	struct macro_view *m = v->data;

	strbuf_fmt(&title->left, "macro %s", m->macro.name);
	if (m->macro.file)
		strbuf_fmt(&title->middle, "%s:%u",
			   short_path(v, profile_file(docs_of(v)->profile, m->macro.file)->path),
			   m->macro.first);
	if (m->finding)
		count_uses(m);
	human_count(&title->right, m->macro.nr_uses - m->nr_others);
	strbuf_str(&title->right, m->macro.nr_uses - m->nr_others == 1 ? " use  " : " uses  ");
	human_count(&title->right, m->total);
	strbuf_str(&title->right, draw_glyph(GLYPH_TIMES));
	if (m->nr_others)
		strbuf_fmt(&title->right, "  + %zu by way of others", m->nr_others);
	if (m->finding)
		strbuf_fmt(&title->right, "  looking for more %u%%", job_percent(m->finding));
}

/* ---- rows ---- */

static void
put_heading(struct view *v, enum row_kind kind, struct strbuf *out)
{
	struct macro_view *m = v->data;

	if (kind == ROW_HEAD_USES)
		strbuf_fmt(out, "%s   (%s: its source)",
			   m->macro.one_file ? "Its uses in this file" : "All its uses",
			   action_key(KEYMAP_TEXT, ACTION_OPEN));
	else if (m->finding && !m->macro.nr_pieces)
		strbuf_str(out, "Not found yet: its definition, or the pieces of it");
	else if (!m->macro.file)
		strbuf_str(out, "Its definition is not in the sources of this profile");
	else if (!m->macro.nr_pieces)
		strbuf_str(out, "No piece of its definition has code of its own: it is arguments, "
				"other macros, or was folded away");
	else
		strbuf_str(out, "The pieces of its definition, with the sum of all uses");
}

/* Appends the text of the range on its first line, tabs as blanks. */
static void
put_excerpt(struct view *v, const struct place *p, struct strbuf *out)
{
	struct doc *doc = docs_get(docs_of(v), p->file);
	size_t n, i, end;
	const char *s = doc ? doc_line(doc, p->line, &n) : "";

	if (!doc || !p->column)
		return;
	end = p->end_line == p->line && p->end_column < n ? p->end_column : n;
	for (i = p->column - 1; i < end && i < p->column + 1000; i++)
		strbuf_char(out, s[i] == '\t' ? ' ' : s[i]);
	if (p->end_line > p->line)
		strbuf_fmt(out, " %s", draw_glyph(GLYPH_DOTS));
}

static void
put_where(struct view *v, const struct place *p, int width, struct strbuf *out)
{
	const struct profile_file *file = profile_file(docs_of(v)->profile, p->file);
	struct strbuf line = STRBUF_INIT;

	strbuf_fmt(&line, ":%u:%u", p->line, p->column);
	if (file)
		path_tail(out, short_path(v, file->path), width - (int)line.len, draw_ascii());
	strbuf_str(out, line.buf);
	strbuf_release(&line);
}

/* Appends about a use "by way of TWO", or the procedure that it is in. */
static void
put_remark(struct view *v, size_t row, struct strbuf *out)
{
	struct macro_view *m = v->data;
	const struct macro_use *use = &m->macro.uses[row - first_use(&m->macro)];
	struct procedure_row procedure;

	if (*use->by)
		strbuf_fmt(out, "by way of %s", use->by);
	else if (profile_procedure(docs_of(v)->profile, use->range.procedure, &procedure))
		strbuf_fmt(out, "%s", procedure.name);
	if (use->range.procedures > 1)
		strbuf_fmt(out, " and %u more", use->range.procedures - 1);
}

static const char *
text_of(struct view *v, size_t i, size_t *n)
{
	struct macro_view *m = v->data;
	struct doc *doc = docs_get(docs_of(v), m->macro.file);

	*n = 0;
	return doc ? doc_line(doc, m->macro.first + (uint32_t)i, n) : "";
}

static void
macro_row_text(struct view *v, size_t row, struct strbuf *out)
{
	struct macro_view *m = v->data;
	size_t i, n;
	enum row_kind kind = row_kind(&m->macro, row, &i);
	const struct range_row *r = range_of(&m->macro, row);
	const char *s;

	if (kind == ROW_TEXT) {
		s = text_of(v, i, &n);
		strbuf_add(out, s, n);
		return;
	}
	if (!r) {
		put_heading(v, kind, out);
		return;
	}
	put_where(v, &r->place, 200, out);
	strbuf_char(out, ' ');
	put_excerpt(v, &r->place, out);
	if (kind == ROW_USE) {
		strbuf_char(out, ' ');
		put_remark(v, row, out);
	}
}

enum { COUNT_WIDTH = 13, WHERE_NARROW = 18, WHERE_WIDE = 32, REMARK_WIDTH = 24, WIDE = 100 };

/* Draws a line of the definition, its pieces coloured. */
static void
draw_text_row(struct view *v, size_t i, const struct line *line)
{
	struct macro_view *m = v->data;
	struct doc *doc = docs_get(docs_of(v), m->macro.file);
	uint32_t lineno = m->macro.first + (uint32_t)i;
	struct painted vis = { .from = 0 };
	size_t at, end;
	int x = 2;

	if (!doc)
		return;
	vis.text = doc_line(doc, lineno, &vis.length);
	vis.to = vis.length < 2000 ? vis.length : 2000;
	vis.role = xcalloc(vis.to + 1, 1);
	doc_window(docs_of(v), doc, lineno, lineno);
	paint_line(&vis, doc, lineno, &v->browser->heat);
	for (at = 0; at < vis.to && x < line->w; at = end) {
		for (end = at + 1; end < vis.to && vis.role[end] == vis.role[at] &&
				   vis.text[end] != '\t' && vis.text[at] != '\t';)
			end++;
		if (vis.text[at] == '\t')
			x += TAB_WIDTH - (x - 2) % TAB_WIDTH;
		else
			x += line_text(line, x, line->w - x, ALIGN_LEFT, (enum role)vis.role[at],
				       vis.text + at, (ptrdiff_t)(end - at));
	}
	free(vis.role);
}

static void
macro_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct macro_view *m = v->data;
	size_t i;
	enum row_kind kind = row_kind(&m->macro, row, &i);
	const struct range_row *r = range_of(&m->macro, row);
	const struct heat *heat = &v->browser->heat;
	int x = 2, where = line->w < WIDE ? WHERE_NARROW : WHERE_WIDE, end = line->w;
	struct strbuf s = STRBUF_INIT;

	if (kind == ROW_TEXT) {
		draw_text_row(v, i, line);
		return;
	}
	if (!r) {
		put_heading(v, kind, &s);
		line_text(line, x, end - x, ALIGN_LEFT, ROLE_STRONG, s.buf, (ptrdiff_t)s.len);
		strbuf_release(&s);
		return;
	}
	if (!r->uncounted)
		value_whole(&s, UNIT_COUNT, r->self[MEASURE_COUNT], COUNT_WIDTH, draw_ascii());
	line_text(line, x, COUNT_WIDTH, ALIGN_RIGHT,
		  r->self[MEASURE_COUNT] ? ROLE_TEXT : ROLE_NEVER, s.buf,
		  (ptrdiff_t)s.len);
	x += COUNT_WIDTH + 1;
	strbuf_clear(&s);
	if (r->self[MEASURE_TIME])
		value_whole(&s, UNIT_NS, r->self[MEASURE_TIME], VALUE_WIDE, draw_ascii());
	line_text(line, x, 8, ALIGN_RIGHT, ROLE_TEXT, s.buf, -1);
	x += 8 + 2;
	strbuf_clear(&s);
	put_where(v, &r->place, where, &s);
	line_text(line, x, where, ALIGN_LEFT, ROLE_PLACE, s.buf, (ptrdiff_t)s.len);
	x += where + 2;
	if (kind == ROW_USE && line->w >= WIDE) {
		end -= REMARK_WIDTH + 2;
		strbuf_clear(&s);
		put_remark(v, row, &s);
		line_text(line, end + 2, REMARK_WIDTH, ALIGN_LEFT, ROLE_NAME, s.buf,
			  (ptrdiff_t)s.len);
	}
	strbuf_clear(&s);
	put_excerpt(v, &r->place, &s);
	line_text(line, x, end - x, ALIGN_LEFT,
		  heat_role(heat, r->self[MEASURE_COUNT], r->lacking,
			    metric_of_range(heat->metric, r)),
		  s.buf, (ptrdiff_t)s.len);
	strbuf_release(&s);
}

/* ---- actions ---- */

static unsigned
macro_act(struct view *v, enum action action, size_t count)
{
	struct macro_view *m = v->data;
	const struct range_row *r = range_of(&m->macro, v->cursor);
	size_t i;
	enum row_kind kind = row_kind(&m->macro, v->cursor, &i);
	struct target target = { .first = m->first };
	struct browser *b = v->browser;

	(void)count;
	if (action != ACTION_OPEN)
		return EFFECT_REFUSED;
	if (r)
		target.place = r->place;
	if (r && kind == ROW_USE)
		target.procedure = compare_procedure(
			b, (struct subject){ r->procedure, m->first });
	if (kind == ROW_TEXT)
		target.place = (struct place){ .file = m->macro.file,
					       .line = m->macro.first + (uint32_t)i };
	if (!target.place.file)
		return EFFECT_DONE;
	browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

/* Returns the row of the use on LINE, else the first row. */
static size_t
present_row(const struct macro *m, model_id file, uint32_t line, uint32_t column)
{
	size_t i, best = 0;

	for (i = 0; i < m->nr_uses; i++) {
		const struct place *p = &m->uses[i].range.place;

		if (p->file == file && p->line <= line && p->end_line >= line &&
		    (!best || p->column <= column))
			best = first_use(m) + i;
	}
	return best;
}

/* ---- finding ---- */

static void
find(void *view)
{
	struct view *v = view;
	struct macro_view *m = v->data;

	macro_find(docs_of(v), &m->macro);
}

/* The cursor goes to the use that it came from, unless it was moved meanwhile. */
static void
end_finding(struct view *v)
{
	struct macro_view *m = v->data;

	count_uses(m);
	if (!v->cursor)
		v->cursor = present_row(&m->macro, m->macro.asked, m->line, m->column);
}

static unsigned
macro_idle(struct view *v)
{
	struct macro_view *m = v->data;
	bool few = macro_rows(v) < (size_t)v->area.h;

	if (!m->finding)
		return 0;
	busy_slice(v->browser, SLICE_IDLE);
	if (!busy_run(v->browser, &m->finding))
		return WORK_MORE | (few ? WORK_NEW : 0);
	end_finding(v);
	view_clamp(v);
	return WORK_NEW;
}

static void
macro_write(struct view *v, FILE *out)
{
	struct macro_view *m = v->data;
	struct strbuf s = STRBUF_INIT;

	busy_slice(v->browser, 0);
	if (m->finding && busy_run(v->browser, &m->finding))
		end_finding(v);
	for (size_t i = 0; i < macro_rows(v); i++) {
		const struct range_row *r = range_of(&m->macro, i);

		strbuf_clear(&s);
		if (r)
			strbuf_fmt(&s, "%15llu  ", (unsigned long long)r->self[MEASURE_COUNT]);
		macro_row_text(v, i, &s);
		fprintf(out, "%s\n", s.buf);
	}
	strbuf_release(&s);
}

static const struct view_ops macro_ops = {
	.name = "macro",
	.keymap = KEYMAP_TEXT,
	.close = macro_close,
	.rows = macro_rows,
	.draw_row = macro_draw_row,
	.title = macro_title,
	.row_text = macro_row_text,
	.act = macro_act,
	.write = macro_write,
	.idle = macro_idle,
};

struct view *
macro_new(struct browser *b)
{
	struct view *source = b->panes[PANE_SOURCE], *v;
	struct place selected = source_selected(source);
	struct subject file = source_file(source);
	struct macro_view *m = xcalloc(1, sizeof(*m));

	m->first = file.first;
	m->line = (uint32_t)source->cursor + 1;
	m->column = selected.line == m->line ? selected.column : 0;
	if (!macro_at(compare_docs(b, file.first), file.id, m->line, m->column, &m->macro)) {
		browser_say(b, ROLE_MESSAGE, "no macro is used or defined on this line");
		free(m);
		return NULL;
	}
	v = view_new(&macro_ops, b, m);
	m->finding = job_new(find, v);
	busy_slice(b, SLICE_KEY);
	if (busy_run(b, &m->finding))
		end_finding(v);
	return v;
}
