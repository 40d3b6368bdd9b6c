#include "print/annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/wings.h"
#include "show/human.h"
#include "show/macro.h"
#include "show/paint.h"
#include "util/mem.h"
#include "util/text/safe.h"

/* ---- colours ---- */

static void
put_look(struct strbuf *out, const struct annotate *a, enum role role)
{
	struct look look = role_look(a->palette, role, OVERLAY_NONE);

	strbuf_str(out, "\033[0");
	if (look.attributes & LOOK_BOLD)
		strbuf_str(out, ";1");
	if (look.attributes & LOOK_ITALIC)
		strbuf_str(out, ";3");
	if (look.fg >= 0)
		strbuf_fmt(out, ";38;5;%d", look.fg);
	if (look.bg >= 0)
		strbuf_fmt(out, ";48;5;%d", look.bg);
	strbuf_char(out, 'm');
}

static void
put_reset(struct strbuf *out, const struct annotate *a)
{
	if (a->colour)
		strbuf_str(out, "\033[0m");
}

/* ---- one line ---- */

/* Prints the mark and the columns; F NULL: no code. */
static void
put_margin(struct strbuf *out, const struct annotate *a, const struct margin_figures *f)
{
	struct strbuf cell = STRBUF_INIT;

	strbuf_char(out, f && f->never ? 'x' : f && f->one_way ? '%' : ' ');
	for (int i = 0; i < a->nr_columns; i++) {
		int width = a->width[a->columns[i]];

		strbuf_clear(&cell);
		if (f)
			margin_print(&cell, &a->margins.columns[a->columns[i]], f,
				     a->totals, width, a->ascii);
		strbuf_char(out, ' ');
		safe_put_right(out, cell.buf, cell.len, width);
	}
	strbuf_release(&cell);
}

/* Prints the text with tabs to every eighth column, in colours if wanted. */
static void
put_text(struct strbuf *out, const struct annotate *a, const struct painted *vis)
{
	int column = 0, role = -1;
	int32_t c;
	size_t n;

	for (size_t i = 0; i < vis->length; i += n) {
		n = utf8_decode(vis->text + i, vis->length - i, &c);
		if (a->colour && vis->role[i] != role) {
			role = vis->role[i];
			put_look(out, a, (enum role)role);
		}
		safe_char_at(out, c, TAB_WIDTH, &column);
	}
	put_reset(out, a);
}

static void
print_line(struct strbuf *out)
{
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
	puts(out->buf);
	strbuf_clear(out);
}

static void
print_source(struct annotate *a, struct doc *doc, uint32_t line)
{
	struct painted vis = { .from = 0 };
	struct strbuf out = STRBUF_INIT;
	struct margin_figures f;

	put_margin(&out, a, figures_of_line(doc, line, &f) ? &f : NULL);
	strbuf_fmt(&out, " |%6u  ", line);
	vis.text = doc_line(doc, line, &vis.length);
	vis.to = vis.length;
	if (a->colour) {
		vis.role = xcalloc(vis.length + 1, 1);
		paint_line(&vis, doc, line, &a->heat);
	}
	put_text(&out, a, &vis);
	free(vis.role);
	strbuf_str(&out, "   ");
	docs_put_remarks(&out, &a->docs, doc->file->id, line);
	print_line(&out);
	strbuf_release(&out);
}

/* ---- expressions ---- */

enum { MOST_TEXT = 100 };

/* Prints the text of PLACE on its first line. */
static void
put_excerpt(struct strbuf *out, const struct doc *doc, const struct place *p)
{
	size_t n, from = p->column ? p->column - 1 : 0, end;
	const char *s = doc_line(doc, p->line, &n);

	end = p->end_line == p->line && p->end_column < n ? p->end_column : n;
	if (from < end)
		safe_fit(out, s + from, end - from, MOST_TEXT);
	if (p->end_line > p->line)
		strbuf_str(out, " ...");
}

/* Appends "362:9-24", or "362:9-363:12". */
static void
put_place(struct strbuf *out, const struct place *p)
{
	strbuf_fmt(out, "%u:%u-", p->line, p->column);
	if (p->end_line != p->line)
		strbuf_fmt(out, "%u:", p->end_line);
	strbuf_fmt(out, "%u", p->end_column);
}

static void
print_expressions(const struct annotate *a, const struct doc *doc, uint32_t line)
{
	struct strbuf out = STRBUF_INIT, place = STRBUF_INIT;
	struct margin_figures f;

	for (size_t i = 0; i < doc->nr_ranges; i++) {
		const struct range_row *r = &doc->ranges[i];

		if (r->place.line != line || r->kind == RANGE_PROCEDURE)
			continue;
		figures_of_range(doc, r, &f);
		put_margin(&out, a, &f);
		strbuf_clear(&place);
		put_place(&place, &r->place);
		strbuf_fmt(&out, " :        %-12s  ", place.buf);
		strbuf_str(&out, r->kind == RANGE_MACRO_DEFINITION ? "(all uses) "
			   : r->kind == RANGE_MACRO ? "(macro) " : "");
		put_excerpt(&out, doc, &r->place);
		if (f.one_way) {
			strbuf_str(&out, "   (");
			margin_put_one_way(&out, &f);
			strbuf_char(&out, ')');
		}
		print_line(&out);
	}
	strbuf_release(&out);
	strbuf_release(&place);
}

/* ---- legend ---- */

static void
put_step(struct strbuf *out, const struct annotate *a, enum role role, const char *text)
{
	put_look(out, a, role);
	strbuf_fmt(out, " %s ", text);
	put_reset(out, a);
	strbuf_char(out, ' ');
}

/* Prints the steps of heat with their bounds, and what the marks mean. */
static void
print_legend(const struct annotate *a)
{
	struct strbuf out = STRBUF_INIT, step = STRBUF_INIT;

	if (!a->colour && profile_lines_are_uncounted(a->docs.profile)) {
		puts("no figures: no time was seen, or there is no code\n");
		return;
	}
	if (!a->colour) {
		printf("x: code that was never executed;%s no figures: no code\n\n",
		       wing_is_there(a->docs.profile, WING_BRANCHES)
		       ? " %: a condition never went one of its ways;" : "");
		return;
	}
	strbuf_fmt(&out, "%s: ", a->heat.metric->title);
	put_step(&out, a, ROLE_NO_CODE, "no code");
	put_step(&out, a, ROLE_NEVER, "x never executed");
	if (wing_is_there(a->docs.profile, WING_BRANCHES))
		put_step(&out, a, ROLE_NEVER, "% one way only");
	if (a->heat.metric->cold)
		put_step(&out, a, ROLE_COLD, "executed");
	for (int level = 1; level <= HEAT_LEVELS && heat_from(&a->heat, level); level++) {
		strbuf_clear(&step);
		heat_print_step(&step, &a->heat, level, a->ascii);
		put_step(&out, a, (enum role)(ROLE_HEAT_1 + level - 1), step.buf);
	}
	print_line(&out);
	putchar('\n');
	strbuf_release(&out);
	strbuf_release(&step);
}

/* ---- texts ---- */

static void
print_head(struct annotate *a, const struct doc *doc, uint32_t first, uint32_t last,
	   const char *name)
{
	struct strbuf out = STRBUF_INIT;

	if (!a->begun)
		print_legend(a);
	a->begun = true;
	if (name) {
		safe_str(&out, name);
		strbuf_str(&out, "   ");
	}
	safe_str(&out, doc->file->path);
	if (name)
		strbuf_fmt(&out, ":%u-%u", first, last);
	if (doc->disk == DISK_UNREADABLE)
		strbuf_fmt(&out, "   (whether the file on disk differs is not known, it cannot be "
			   "read: %s; this is the text that was profiled)",
			   strerror(doc->disk_errnum));
	if (doc->disk == DISK_DIFFERS)
		strbuf_str(&out, "   (the file on disk differs: this is the text that was "
				 "profiled)");
	print_line(&out);
	strbuf_char(&out, ' ');
	for (int i = 0; i < a->nr_columns; i++) {
		strbuf_char(&out, ' ');
		margin_put_head(&out, &a->margins.columns[a->columns[i]], a->width[a->columns[i]]);
	}
	strbuf_str(&out, " |  line");
	print_line(&out);
	strbuf_release(&out);
}

bool
annotate_lines(struct annotate *a, model_id file, uint32_t first, uint32_t last, const char *name)
{
	struct doc *doc = docs_get(&a->docs, file);
	uint32_t with_code = 0, executed = 0, unknown = 0;
	struct margin_figures f;

	if (!doc || !doc->text)
		return false;
	if (first < 1)
		first = 1;
	if (last > doc->nr_lines)
		last = doc->nr_lines;
	print_head(a, doc, first, last, name);
	for (uint32_t line = first; line <= last && !ferror(stdout); line++) {
		if (line == first || line > doc->last)
			doc_window(&a->docs, doc, line, line + 1000);
		print_source(a, doc, line);
		if (a->expressions)
			print_expressions(a, doc, line);
		if (figures_of_line(doc, line, &f)) {
			with_code++;
			executed += f.count > 0;
			unknown += !f.count && f.of_line->lacking;
		}
	}
	printf("%u line%s with code, ", with_code, with_code == 1 ? "" : "s");
	if (unknown == with_code && unknown)
		printf("not counted\n\n");
	else if (unknown)
		printf("%u executed, %u not counted\n\n", executed, unknown);
	else
		printf("%u executed\n\n", executed);
	return true;
}

/* ---- macros ---- */

static void
print_range(struct annotate *a, const struct range_row *r, const char *by)
{
	struct doc *doc = docs_get(&a->docs, r->place.file);
	struct strbuf out = STRBUF_INIT;
	struct margin_figures f;

	if (!doc)
		return;
	doc_window(&a->docs, doc, r->place.line, r->place.end_line);
	figures_of_range(doc, r, &f);
	put_margin(&out, a, &f);
	strbuf_str(&out, " |  ");
	safe_str(&out, doc->file->path);
	strbuf_char(&out, ':');
	put_place(&out, &r->place);
	strbuf_str(&out, "  ");
	put_excerpt(&out, doc, &r->place);
	if (*by) {
		strbuf_str(&out, "  (by way of ");
		safe_str(&out, by);
		strbuf_char(&out, ')');
	}
	print_line(&out);
	strbuf_release(&out);
}

bool
annotate_macro(struct annotate *a, model_id file, const char *name)
{
	struct macro m;
	size_t i;

	if (!macro_defined(&a->docs, file, name, &m))
		return false;
	print_head(a, docs_get(&a->docs, file), m.first, m.last, m.name);
	printf("pieces of the definition, with the sum of all uses:%s\n",
	       m.nr_pieces ? "" : " none has code of its own");
	for (i = 0; i < m.nr_pieces; i++)
		print_range(a, &m.pieces[i], "");
	printf("uses%s:\n", m.one_file ? " in this file" : "");
	for (i = 0; i < m.nr_uses; i++)
		print_range(a, &m.uses[i].range, m.uses[i].by);
	putchar('\n');
	macro_release(&m);
	return true;
}
