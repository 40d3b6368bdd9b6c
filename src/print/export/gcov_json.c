/* The JSON of gcov (gcov --json-format), in gcov(1), as one object for the whole program. Keys that
 * begin with "cgview/" are not gcov's: "at_least" marks a count that is a lower bound. */
#include <inttypes.h>
#include <string.h>

#include "print/export/export_coverage.h"
#include "print/export/formats.h"
#include "util/text/json.h"

static void
put_text(struct strbuf *s, const char *key, const char *text)
{
	strbuf_fmt(s, "\"%s\":", key);
	json_quote(s, text, strlen(text));
}

static void
put_at_least(struct strbuf *s, bool at_least)
{
	strbuf_str(s, at_least ? ",\"cgview/at_least\":true" : "");
}

static void
put_function(struct strbuf *s, const struct export_function *f)
{
	const struct place *p = &f->of->place;

	strbuf_char(s, '{');
	put_text(s, "name", f->name);
	strbuf_char(s, ',');
	put_text(s, "demangled_name", f->of->name);
	strbuf_fmt(s, ",\"start_line\":%u,\"start_column\":%u,\"end_line\":%u,\"end_column\":%u",
		   p->line, p->column, p->end_line, p->end_column);
	strbuf_fmt(s, ",\"blocks\":%" PRIu64 ",\"blocks_executed\":%" PRIu64
		   ",\"execution_count\":%" PRIu64, f->blocks, f->blocks_executed, f->calls);
	put_at_least(s, f->at_least);
	strbuf_char(s, '}');
}

static void
put_condition(struct strbuf *s, const struct condition *c, bool first)
{
	for (uint32_t w = 0; w < c->ways; w++)
		strbuf_fmt(s, "%s{\"count\":%" PRIu64 ",\"throw\":false,\"fallthrough\":false}",
			   first && !w ? "" : ",", c->of[w].count);
}

static void
put_line(struct strbuf *s, const struct export_covered_file *file, const struct export_line *l)
{
	const struct export_function *f = export_function_at(file, l->line);

	strbuf_fmt(s, "{\"line_number\":%u,", l->line);
	if (f) {
		put_text(s, "function_name", f->name);
		strbuf_char(s, ',');
	}
	strbuf_fmt(s, "\"count\":%" PRIu64 ",\"unexecuted_block\":%s,\"branches\":[", l->count,
		   l->part_unexecuted ? "true" : "false");
	for (size_t k = 0; k < l->nr_conditions; k++)
		put_condition(s, file->conditions[l->first + k], !k);
	strbuf_char(s, ']');
	put_at_least(s, l->at_least);
	strbuf_char(s, '}');
}

static void
put_file(struct strbuf *s, const struct export_covered_file *file)
{
	strbuf_char(s, '{');
	put_text(s, "file", file->path);
	strbuf_str(s, ",\n\"functions\":[");
	for (size_t i = 0; i < file->nr_functions; i++) {
		strbuf_str(s, i ? ",\n" : "\n");
		put_function(s, &file->functions[i]);
	}
	strbuf_str(s, "],\n\"lines\":[");
	for (size_t i = 0; i < file->nr_lines; i++) {
		strbuf_str(s, i ? ",\n" : "\n");
		put_line(s, file, &file->lines[i]);
	}
	strbuf_str(s, "]}");
}

int
export_gcov(struct export *e, FILE *out, struct error *err)
{
	const struct model_run *run = &e->totals->run;
	struct strbuf s = STRBUF_INIT;
	struct export_coverage c;
	bool first = true;

	(void)err;
	strbuf_str(&s, "{\"format_version\":\"1\",\"gcc_version\":\"cgview\",");
	put_text(&s, "current_working_directory", run->directory ? run->directory : "");
	strbuf_char(&s, ',');
	put_text(&s, "data_file", profile_name(e->p));
	strbuf_str(&s, ",\n\"files\":[");
	export_coverage_init(&c, e);
	for (; export_coverage_next(&c) && !ferror(out); first = false) {
		strbuf_str(&s, first ? "\n" : ",\n");
		put_file(&s, &c.file);
		export_flush(&s, out);
	}
	strbuf_str(&s, "]}\n");
	export_flush(&s, out);
	export_coverage_release(&c);
	strbuf_release(&s);
	return 0;
}
