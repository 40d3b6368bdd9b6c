/* Traces of lcov, in geninfo(1): a record for each source file. FN and FNDA are what lcov 1 and 2
 * and services all read; lcov 2 alone knows where functions end, and what branches are called. A
 * comment marks a count that is a lower bound. */
#include <inttypes.h>

#include "print/export/export_coverage.h"
#include "print/export/formats.h"

static void
put_name(const char *record, uint64_t number, const struct export_function *f, struct strbuf *s)
{
	strbuf_fmt(s, "%s%" PRIu64 ",", record, number);
	export_text(s, f->name, NULL, 0);
	strbuf_char(s, '\n');
}

static void
put_functions(const struct export_covered_file *file, struct strbuf *s)
{
	for (size_t i = 0; i < file->nr_functions; i++)
		put_name("FN:", file->functions[i].of->place.line, &file->functions[i], s);
	for (size_t i = 0; i < file->nr_functions; i++) {
		const struct export_function *f = &file->functions[i];

		put_name(f->at_least ? "# at least\nFNDA:" : "FNDA:", f->calls, f, s);
	}
	strbuf_fmt(s, "FNF:%zu\nFNH:%zu\n", file->nr_functions, file->functions_hit);
}

/* Functions of one text, as instances of a template, are names of one. */
static void
put_functions_2(const struct export_covered_file *file, struct strbuf *s)
{
	const struct place *last = NULL;
	struct strbuf record = STRBUF_INIT;
	size_t nr = 0, hit = 0;
	bool is_hit = false;

	for (size_t i = 0; i < file->nr_functions; i++) {
		const struct export_function *f = &file->functions[i];
		const struct place *at = &f->of->place;

		if (!last || last->line != at->line) {
			strbuf_fmt(s, "FNL:%zu,%u", nr++, at->line);
			if (at->end_line >= at->line)
				strbuf_fmt(s, ",%u", at->end_line);
			strbuf_char(s, '\n');
			is_hit = false;
		}
		last = at;
		strbuf_clear(&record);
		strbuf_fmt(&record, "%sFNA:%zu,", f->at_least ? "# at least\n" : "", nr - 1);
		put_name(record.buf, f->calls, f, s);
		hit += f->calls && !is_hit;
		is_hit |= f->calls > 0;
	}
	strbuf_fmt(s, "FNF:%zu\nFNH:%zu\n", nr, hit);
	strbuf_release(&record);
}

static void
put_lines(const struct export_covered_file *file, struct strbuf *s)
{
	for (size_t i = 0; i < file->nr_lines; i++) {
		const struct export_line *l = &file->lines[i];

		strbuf_fmt(s, "%sDA:%u,%" PRIu64 "\n", l->at_least ? "# at least\n" : "", l->line,
			   l->count);
	}
	strbuf_fmt(s, "LF:%zu\nLH:%zu\n", file->nr_lines, file->lines_hit);
}

/* A block is a condition of the line; where that was not tested, its branches have no number. */
static void
put_branches(const struct export_covered_file *file, bool named, struct strbuf *s)
{
	for (size_t i = 0; i < file->nr_lines; i++)
		for (size_t k = 0; k < file->lines[i].nr_conditions; k++) {
			const struct condition *c = file->conditions[file->lines[i].first + k];

			for (uint32_t w = 0; w < c->ways; w++) {
				strbuf_fmt(s, "BRDA:%u,%zu,", file->lines[i].line, k);
				if (named)
					condition_put_way(s, c, &c->of[w]);
				else
					strbuf_fmt(s, "%u", w);
				strbuf_char(s, ',');
				if (c->count)
					strbuf_fmt(s, "%" PRIu64 "\n", c->of[w].count);
				else
					strbuf_str(s, "-\n");
			}
		}
	if (file->ways)
		strbuf_fmt(s, "BRF:%zu\nBRH:%zu\n", file->ways, file->ways_taken);
}

static void
put_trace(struct export *e, FILE *out, bool of_lcov_2)
{
	struct strbuf s = STRBUF_INIT;
	struct export_coverage c;

	export_coverage_init(&c, e);
	while (export_coverage_next(&c) && !ferror(out)) {
		strbuf_str(&s, "TN:\nSF:");
		export_text(&s, c.file.path, NULL, 0);
		strbuf_char(&s, '\n');
		if (of_lcov_2)
			put_functions_2(&c.file, &s);
		else
			put_functions(&c.file, &s);
		put_branches(&c.file, of_lcov_2, &s);
		put_lines(&c.file, &s);
		strbuf_str(&s, "end_of_record\n");
		export_flush(&s, out);
	}
	export_coverage_release(&c);
	strbuf_release(&s);
}

int
export_lcov(struct export *e, FILE *out, struct error *err)
{
	(void)err;
	put_trace(e, out, false);
	return 0;
}

int
export_lcov2(struct export *e, FILE *out, struct error *err)
{
	(void)err;
	put_trace(e, out, true);
	return 0;
}
