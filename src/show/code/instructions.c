#include "show/code/instructions.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/code.h"
#include "db/lists/instructions.h"
#include "show/human.h"
#include "util/text/path.h"
#include "util/text/safe.h"

enum { TIME_WIDTH = 8, COUNT_WIDTH = 7, MOST_SOURCE = 60 };

struct writer {
	struct strbuf *out;
	struct docs *docs;
	struct profile *p;
	const struct instructions_query *q;
	struct procedure_code of;
	uint32_t declared;         /* the line that the procedure begins at; 0: not known */
	struct code code;
	struct instruction_row *rows;
	size_t nr_rows;
	const struct dwarf_frame *above; /* the place that was written last */
	uint32_t part;             /* number + 1 of the one that was begun */
};

/* Is it of the procedure, itself or inlined? */
static bool
is_of_procedure(const struct writer *w, const struct code_line *line)
{
	if (w->code.parts[line->part].own)
		return true;
	for (uint32_t i = 0; i < line->nr_frames; i++) {
		const struct dwarf_frame *f = &line->frames[i];
		const char *name = *f->linkage_name ? f->linkage_name : f->name;

		if ((!strcmp(name, w->of.linkage_name) || !strcmp(f->name, w->of.name)) &&
		    (!w->declared || !f->declared_line || f->declared_line == w->declared))
			return true;
	}
	return false;
}

static bool
is_in_place(const struct writer *w, const struct code_line *line)
{
	const struct place *outer = &w->q->place;

	for (uint32_t i = 0; i < line->nr_frames; i++) {
		const struct dwarf_frame *f = &line->frames[i];
		struct place at = { 0, f->line, f->column, f->line, f->column };

		if (f->line < outer->line || f->line > outer->end_line)
			continue;
		at.file = profile_file_named(w->p, f->file);
		if (at.file == outer->file && (!f->column || place_holds(outer, &at)))
			return true;
	}
	return false;
}

static bool
is_wanted(const struct writer *w, const struct code_line *line)
{
	return w->q->place.file ? is_in_place(w, line) : is_of_procedure(w, line);
}

/* Sums up what was sampled from BEGIN to before END. */
static struct sampled
sampled_between(const struct writer *w, uint64_t begin, uint64_t end)
{
	struct sampled sum = { 0, 0, 0 };
	size_t lo = 0, hi = w->nr_rows;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (w->rows[mid].address < begin)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < w->nr_rows && w->rows[lo].address < end; lo++)
		sampled_add(&sum, &w->rows[lo].self);
	return sum;
}

/* ---- places ---- */

/* Returns the innermost range at line and column that is counted; false: there is none. */
static bool
count_at(struct writer *w, model_id file, uint32_t line, uint32_t column, struct range_row *found)
{
	const struct place at = { file, line, column, line, column };
	struct range_row *rows;
	size_t nr = profile_ranges(w->p, file, line, line, &rows);
	bool any = false;

	for (size_t i = 0; i < nr; i++)
		if (!rows[i].uncounted && place_holds(&rows[i].place, &at)) {
			*found = rows[i];
			any = true;
		}
	free(rows);
	return any;
}

static void
put_count(struct writer *w, model_id file, const struct dwarf_frame *f)
{
	struct range_row range;

	if (!f->column || !count_at(w, file, f->line, f->column, &range))
		return;
	strbuf_str(w->out, "  count ");
	if (range.lacking)
		strbuf_str(w->out, "at least ");
	human_count(w->out, (uint64_t)range.self[MEASURE_COUNT]);
}

/* The text from the column on, or of the line. */
static void
put_source(struct writer *w, model_id file, const struct dwarf_frame *f)
{
	struct doc *doc = docs_get(w->docs, file);
	size_t n, from = f->column ? f->column - 1 : 0;
	const char *text = doc ? doc_line(doc, f->line, &n) : NULL;

	while (text && from < n && (text[from] == ' ' || text[from] == '\t'))
		from++;
	if (!text || from >= n)
		return;
	strbuf_str(w->out, "  | ");
	safe_fit(w->out, text + from, n - from, MOST_SOURCE);
}

static bool
same_place(const struct dwarf_frame *a, const struct dwarf_frame *b)
{
	return a && b && a->line == b->line && a->column == b->column &&
	       !strcmp(a->file, b->file) && !strcmp(a->name, b->name);
}

/* "lvm.c:638:9 in luaV_concat  count 504  | text" */
static void
put_place(struct writer *w, const struct code_line *line)
{
	const struct dwarf_frame *f = line->nr_frames ? &line->frames[0] : NULL;
	model_id file;

	if (w->above && same_place(f, w->above))
		return;
	w->above = f;
	if (!f || !f->line) {
		strbuf_str(w->out, "(no place in the source)\n");
		return;
	}
	file = profile_file_named(w->p, f->file);
	safe_str(w->out, path_base(f->file));
	strbuf_fmt(w->out, ":%u", f->line);
	if (f->column)
		strbuf_fmt(w->out, ":%u", f->column);
	if (line->nr_frames > 1 && *f->name) {
		strbuf_str(w->out, " of ");
		safe_str(w->out, f->name);
	}
	if (file) {
		put_count(w, file, f);
		put_source(w, file, f);
	}
	strbuf_char(w->out, '\n');
}

/* ---- instructions ---- */

static void
put_part(struct writer *w, uint32_t part)
{
	const struct code_part *p = &w->code.parts[part];

	if (w->part == part + 1)
		return;
	strbuf_str(w->out, w->part ? "\n" : "");
	w->part = part + 1;
	w->above = NULL;
	safe_str(w->out, p->symbol);
	strbuf_fmt(w->out, " (%#llx, %llu bytes) in ", (unsigned long long)p->address,
		   (unsigned long long)p->size);
	safe_str(w->out, w->of.module);
	strbuf_char(w->out, '\n');
}

static void
put_right(struct strbuf *out, struct strbuf *cell, int width)
{
	safe_put_right(out, cell->buf, cell->len, width);
	strbuf_clear(cell);
}

static void
put_instruction(struct writer *w, const struct code_line *line, uint64_t end)
{
	const struct sampled self = sampled_between(w, line->address, end);
	struct strbuf cell = STRBUF_INIT;

	put_part(w, line->part);
	put_place(w, line);
	if (self.ns || self.samples)
		human_ns(&cell, self.ns ? self.ns : self.wait_ns, w->q->ascii);
	put_right(w->out, &cell, TIME_WIDTH + 2);
	if (self.samples)
		human_count(&cell, self.samples);
	put_right(w->out, &cell, COUNT_WIDTH + 1);
	strbuf_fmt(w->out, "  %8llx  ", (unsigned long long)line->address);
	safe_str(w->out, line->text);
	strbuf_char(w->out, '\n');
	strbuf_release(&cell);
}

/* Returns where the instruction behind line I begins. */
static uint64_t
end_of(const struct code *c, size_t i)
{
	const struct code_part *p = &c->parts[c->lines[i].part];

	return i + 1 < c->nr_lines && c->lines[i + 1].part == c->lines[i].part
	       ? c->lines[i + 1].address : p->address + p->size;
}

static ptrdiff_t
put_all(struct writer *w, struct error *err)
{
	ptrdiff_t nr = 0;

	for (size_t i = 0; i < w->code.nr_lines; i++)
		if (is_wanted(w, &w->code.lines[i])) {
			put_instruction(w, &w->code.lines[i], end_of(&w->code, i));
			nr++;
		}
	if (!profile_has_instructions(w->p))
		strbuf_str(w->out, "\n(the profile does not tell in which instructions samples "
				   "were taken: it has none, or an older cgview wrote it)\n");
	if (w->code.cut)
		strbuf_str(w->out, "\n(there is more code than is shown)\n");
	if (!nr)
		error_set(err, "no instruction of %s stands for %s: it was inlined where no sample "
			       "was taken, or optimised away", path_base(w->of.module),
			  w->q->place.file ? "this expression" : w->of.name);
	return nr ? nr : -1;
}

ptrdiff_t
instructions_text(struct strbuf *out, struct docs *docs, const struct instructions_query *q,
		  struct error *err)
{
	struct writer w = { .out = out, .docs = docs, .p = docs->profile, .q = q };
	struct procedure_row row;
	uint64_t *at;
	ptrdiff_t result = -1;
	size_t nr = 0;

	if (!profile_procedure(w.p, q->procedure, &row) ||
	    !profile_procedure_code(w.p, q->procedure, &w.of))
		return error_set(err, "there is no such procedure");
	w.declared = row.place.line;
	w.nr_rows = profile_instructions(w.p, w.of.module, &w.rows);
	at = xcalloc(w.nr_rows + 1, sizeof(*at));
	for (size_t i = 0; i < w.nr_rows; i++)
		if (w.rows[i].procedure == q->procedure)
			at[nr++] = w.rows[i].address;
	if (*w.of.module != '/') {
		error_set(err, "%s has no machine code in a file that is known", w.of.name);
	} else if (!code_read(&w.code, w.of.module, w.of.build_id,
			      *w.of.linkage_name ? w.of.linkage_name : w.of.name, at, nr, err)) {
		result = put_all(&w, err);
		code_release(&w.code);
	} else {
		code_release(&w.code);
	}
	free(at);
	free(w.rows);
	procedure_code_release(&w.of);
	return result;
}
