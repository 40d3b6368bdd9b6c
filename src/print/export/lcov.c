/* Traces of lcov, in geninfo(1): a record for each source file. FN and FNDA are what lcov 1 and 2
 * and services all read. A comment marks a count that is a lower bound. */
#include <inttypes.h>

#include "print/export/export_coverage.h"
#include "print/export/formats.h"

static void
put_functions(const struct export_covered_file *file, struct strbuf *s)
{
	for (size_t i = 0; i < file->nr_functions; i++) {
		strbuf_fmt(s, "FN:%u,", file->functions[i].of->place.line);
		export_text(s, file->functions[i].name, NULL, 0);
		strbuf_char(s, '\n');
	}
	for (size_t i = 0; i < file->nr_functions; i++) {
		const struct export_function *f = &file->functions[i];

		strbuf_fmt(s, "%sFNDA:%" PRIu64 ",", f->at_least ? "# at least\n" : "", f->calls);
		export_text(s, f->name, NULL, 0);
		strbuf_char(s, '\n');
	}
	strbuf_fmt(s, "FNF:%zu\nFNH:%zu\n", file->nr_functions, file->functions_hit);
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
put_branches(const struct export_covered_file *file, struct strbuf *s)
{
	for (size_t i = 0; i < file->nr_lines; i++)
		for (size_t k = 0; k < file->lines[i].nr_conditions; k++) {
			const struct condition *c = file->conditions[file->lines[i].first + k];

			for (uint32_t w = 0; w < c->ways; w++) {
				strbuf_fmt(s, "BRDA:%u,%zu,%u,", file->lines[i].line, k, w);
				if (c->count)
					strbuf_fmt(s, "%" PRIu64 "\n", c->of[w].count);
				else
					strbuf_str(s, "-\n");
			}
		}
	if (file->ways)
		strbuf_fmt(s, "BRF:%zu\nBRH:%zu\n", file->ways, file->ways_taken);
}

int
export_lcov(struct export *e, FILE *out, struct error *err)
{
	struct strbuf s = STRBUF_INIT;
	struct export_coverage c;

	(void)err;
	export_coverage_init(&c, e);
	while (export_coverage_next(&c) && !ferror(out)) {
		strbuf_str(&s, "TN:\nSF:");
		export_text(&s, c.file.path, NULL, 0);
		strbuf_char(&s, '\n');
		put_functions(&c.file, &s);
		put_branches(&c.file, &s);
		put_lines(&c.file, &s);
		strbuf_str(&s, "end_of_record\n");
		export_flush(&s, out);
	}
	export_coverage_release(&c);
	strbuf_release(&s);
	return 0;
}
