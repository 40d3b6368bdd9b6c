/* The table of formats, and what they share. */
#include "print/export/export.h"

#include <string.h>

#include "db/store/load.h"
#include "print/export/export_coverage.h"
#include "print/export/formats.h"
#include "util/text/safe.h"

const struct export_format export_formats[] = {
	{ .name = "callgrind", .extension = ".cg",
	  .help = "costs of lines and calls: KCachegrind, callgrind_annotate",
	  .tables = EXPORT_CALL_TABLES, .write = export_callgrind },
	{ .name = "pprof", .extension = ".pb.gz",
	  .help = "stacks with lines, all measures: go tool pprof, google-pprof",
	  .needs = EXPORT_STACKS, .tables = EXPORT_STACK_TABLES | EXPORT_TABLE(MODULE),
	  .binary = true, .write = export_pprof },
	{ .name = "folded", .extension = ".folded",
	  .help = "stacks as text, a line each: FlameGraph, inferno, speedscope",
	  .needs = EXPORT_STACKS, .tables = EXPORT_STACK_TABLES, .one_measure = true,
	  .write = export_folded },
	{ .name = "html", .extension = ".html",
	  .help = "one file for a browser; of two profiles also what changed",
	  .binary = true, .compares = true, .leaves_out = true, .write = export_html },
	{ .name = "speedscope", .extension = ".speedscope.json",
	  .help = "stacks with files: speedscope",
	  .needs = EXPORT_STACKS, .tables = EXPORT_STACK_TABLES, .one_measure = true,
	  .write = export_speedscope },
	{ .name = "firefox", .extension = ".json",
	  .help = "samples and waits along time, by thread: profiler.firefox.com",
	  .needs = EXPORT_STACKS | EXPORT_TIMES,
	  .tables = EXPORT_TRACK_TABLES | EXPORT_TABLE(MODULE), .write = export_firefox },
	{ .name = "cpuprofile", .extension = ".cpuprofile",
	  .help = "samples of one thread along time: VS Code, Chrome",
	  .needs = EXPORT_STACKS | EXPORT_TIMES, .tables = EXPORT_TRACK_TABLES,
	  .write = export_cpuprofile },
	{ .name = "chrome", .extension = ".trace.json",
	  .help = "the same of all threads, with waits: Chrome, Perfetto",
	  .needs = EXPORT_STACKS | EXPORT_TIMES, .tables = EXPORT_TRACK_TABLES,
	  .write = export_chrome },
	{ .name = "lcov", .extension = ".info",
	  .help = "lines and functions that were executed: lcov, genhtml, Codecov",
	  .needs = EXPORT_COUNTED_LINES, .tables = EXPORT_COVERAGE_TABLES,
	  .write = export_lcov },
	{ .name = "lcov2", .extension = ".info",
	  .help = "the same with ends of functions, for lcov 2 alone",
	  .needs = EXPORT_COUNTED_LINES, .tables = EXPORT_COVERAGE_TABLES,
	  .write = export_lcov2 },
	{ .name = "cobertura", .extension = ".xml",
	  .help = "the same as XML: GitLab, Jenkins, Azure",
	  .needs = EXPORT_COUNTED_LINES, .tables = EXPORT_COVERAGE_TABLES, .relative = true,
	  .write = export_cobertura },
	{ .name = "gcov", .extension = ".gcov.json",
	  .help = "the same as JSON of gcov: gcovr",
	  .needs = EXPORT_COUNTED_LINES, .tables = EXPORT_COVERAGE_TABLES,
	  .write = export_gcov },
	{ .name = "csv", .extension = ".csv",
	  .help = "a row for each figure: DuckDB, pandas, spreadsheets",
	  .tables = EXPORT_CALL_TABLES | EXPORT_TABLE(LINE) | EXPORT_TABLE(MODULE),
	  .write = export_csv },
	{ .name = NULL },
};

const struct export_format *
export_format_find(const char *name)
{
	for (const struct export_format *f = export_formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

/* ---- what formats need ---- */

static bool
has_counted_lines(struct profile *p)
{
	return !profile_lines_are_uncounted(p) && profile_totals(p)->nr_lines;
}

static bool
has_stacks(struct profile *p)
{
	return profile_has_stacks(p);
}

static bool
has_times(struct profile *p)
{
	return profile_has_times(p);
}

static const struct {
	unsigned need;
	bool (*has)(struct profile *p);
	const char *what;
} needs[] = {
	{ EXPORT_STACKS, has_stacks, "stacks" },
	{ EXPORT_TIMES, has_times, "times of samples" },
	{ EXPORT_COUNTED_LINES, has_counted_lines, "counts of lines" },
};

const char *
export_lacks(const struct export_format *f, struct profile *p)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (f->needs & needs[i].need && !needs[i].has(p))
			return needs[i].what;
	return NULL;
}

static int
refuse(const struct export_format *f, struct profile *p, const char *what, struct error *err)
{
	struct strbuf able = STRBUF_INIT;

	for (const struct export_format *other = export_formats; other->name; other++)
		if (!export_lacks(other, p))
			strbuf_fmt(&able, "%s%s", able.len ? ", " : "", other->name);
	error_set(err, "%s has no %s, which %s is made of%s%s", profile_name(p), what, f->name,
		  able.len ? "; --format can be " : "", able.buf);
	strbuf_release(&able);
	return -1;
}

int
export_write(struct export *e, const struct export_format *f, FILE *out, struct error *err)
{
	const char *what = export_lacks(f, e->p);
	int status;

	if (profile_error(e->p))
		return error_set(err, "%s", profile_error(e->p));
	if (what)
		return refuse(f, e->p, what, err);
	e->totals = profile_totals(e->p);
	model_init(&e->m);
	status = model_load_tables(&e->m, e->p, f->tables, err);
	if (!status)
		status = f->write(e, out, err);
	if (!status && profile_error(e->p))
		status = error_set(err, "%s", profile_error(e->p));
	model_release(&e->m);
	return status;
}

/* ---- what they share ---- */

const char *
export_name(const struct export *e, model_id procedure)
{
	const struct model_procedure *p = export_procedure(e, procedure);

	return p ? p->name : UNPROFILED_NAME;
}

const char *
export_path(const struct export *e, model_id file)
{
	return file ? e->m.files[file - 1].path : NULL;
}

void
export_text(struct strbuf *out, const char *s, const char *not, char instead)
{
	size_t left = strlen(s), n;

	for (; left; s += n, left -= n) {
		n = 1;
		if (not && strchr(not, *s))
			strbuf_char(out, instead);
		else
			n = safe_data_char(out, s, left);
	}
}

void
export_flush(struct strbuf *out, FILE *to)
{
	if (!ferror(to))
		fwrite(out->buf, 1, out->len, to);
	strbuf_clear(out);
}

void
export_flush_some(struct strbuf *out, FILE *to)
{
	enum { ENOUGH = 1 << 14 };

	if (out->len >= ENOUGH)
		export_flush(out, to);
}
