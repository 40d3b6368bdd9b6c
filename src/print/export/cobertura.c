/* Coverage for services, in Cobertura's XML (coverage-04.dtd): a class is a file, a package its
 * directory. Names of files are relative to the root, as services look for them in a repository. */
#include <inttypes.h>
#include <string.h>

#include "print/export/export_coverage.h"
#include "print/export/formats.h"
#include "util/text/safe.h"

static void
put_text(struct strbuf *s, const char *text, size_t n)
{
	static const struct { char c; const char *entity; } entities[] = {
		{ '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" },
	};
	struct strbuf safe = STRBUF_INIT;

	safe_data(&safe, text, n);
	for (size_t i = 0; i < safe.len; i++) {
		size_t k = 0, nr = sizeof(entities) / sizeof(*entities);

		while (k < nr && entities[k].c != safe.buf[i])
			k++;
		if (k < nr)
			strbuf_str(s, entities[k].entity);
		else
			strbuf_char(s, safe.buf[i]);
	}
	strbuf_release(&safe);
}

static void
put_attribute(struct strbuf *s, const char *name, const char *text, size_t n)
{
	strbuf_fmt(s, " %s=\"", name);
	put_text(s, text, n);
	strbuf_char(s, '"');
}

/* A share as a decimal number, whatever the locale: "0.1234", rounded down. */
static void
put_rate(struct strbuf *s, const char *name, size_t part, size_t whole)
{
	enum { UNITS = 10000 };
	size_t rate = whole ? (size_t)((unsigned __int128)part * UNITS / whole) : 0;

	strbuf_fmt(s, " %s=\"%zu.%04zu\"", name, rate / UNITS, rate % UNITS);
}

/* Returns PATH without the root, if it is below it. */
static const char *
below_root(const struct export *e, const char *path)
{
	const char *root = e->root ? e->root : e->totals->run.directory;
	size_t n = root ? strlen(root) : 0;

	while (n && root[n - 1] == '/')
		n--;
	return n && !strncmp(path, root, n) && path[n] == '/' ? path + n + 1 : path;
}

static void
put_line(struct strbuf *s, uint32_t line, uint64_t hits)
{
	strbuf_fmt(s, "<line number=\"%u\" hits=\"%" PRIu64 "\" branch=\"false\"/>\n", line, hits);
}

/* A line with its conditions. */
static void
put_covered_line(struct strbuf *s, const struct export_covered_file *file,
		 const struct export_line *l)
{
	if (!l->nr_conditions) {
		put_line(s, l->line, l->count);
		return;
	}
	strbuf_fmt(s, "<line number=\"%u\" hits=\"%" PRIu64 "\" branch=\"true\" "
		   "condition-coverage=\"%zu%% (%zu/%zu)\"><conditions>", l->line, l->count,
		   100 * l->ways_taken / l->ways, l->ways_taken, l->ways);
	for (size_t k = 0; k < l->nr_conditions; k++) {
		const struct condition *c = file->conditions[l->first + k];

		strbuf_fmt(s, "<condition number=\"%zu\" type=\"%s\" coverage=\"%u%%\"/>", k,
			   c->kind == BRANCH_SWITCH ? "switch" : "jump", 100 * c->taken / c->ways);
	}
	strbuf_str(s, "</conditions></line>\n");
}

static void
put_method(struct strbuf *s, const struct export_function *f)
{
	strbuf_str(s, "<method");
	put_attribute(s, "name", f->of->name, strlen(f->of->name));
	strbuf_str(s, " signature=\"\"");
	put_rate(s, "line-rate", f->calls > 0, 1);
	strbuf_str(s, " branch-rate=\"0\" complexity=\"0\"><lines>\n");
	put_line(s, f->of->place.line, f->calls);
	strbuf_str(s, "</lines></method>\n");
}

/* A package of its own for each file: they come in the order of their paths, which is not that of
 * directories. */
static void
put_file(struct strbuf *s, const struct export *e, const struct export_covered_file *file)
{
	const char *name = below_root(e, file->path), *slash = strrchr(name, '/');

	strbuf_str(s, "<package");
	put_attribute(s, "name", name, slash ? (size_t)(slash - name) : 0);
	put_rate(s, "line-rate", file->lines_hit, file->nr_lines);
	put_rate(s, "branch-rate", file->ways_taken, file->ways);
	strbuf_str(s, " complexity=\"0\"><classes>\n<class");
	put_attribute(s, "name", slash ? slash + 1 : name, strlen(slash ? slash + 1 : name));
	put_attribute(s, "filename", name, strlen(name));
	put_rate(s, "line-rate", file->lines_hit, file->nr_lines);
	put_rate(s, "branch-rate", file->ways_taken, file->ways);
	strbuf_str(s, " complexity=\"0\"><methods>\n");
	for (size_t i = 0; i < file->nr_functions; i++)
		put_method(s, &file->functions[i]);
	strbuf_str(s, "</methods><lines>\n");
	for (size_t i = 0; i < file->nr_lines; i++)
		put_covered_line(s, file, &file->lines[i]);
	strbuf_str(s, "</lines></class></classes></package>\n");
}

/* Counts, and tells how many counts are lower bounds, as no attribute can. */
static void
put_head(struct strbuf *s, struct export_coverage *c)
{
	enum { NS = 1000000000 };
	const struct export *e = c->e;
	const char *root = e->root ? e->root : e->totals->run.directory;
	size_t lines = 0, hit = 0, ways = 0, taken = 0, at_least = 0;

	while (export_coverage_next(c)) {
		lines += c->file.nr_lines;
		hit += c->file.lines_hit;
		ways += c->file.ways;
		taken += c->file.ways_taken;
		for (size_t i = 0; i < c->file.nr_lines; i++)
			at_least += c->file.lines[i].at_least;
		for (size_t i = 0; i < c->file.nr_functions; i++)
			at_least += c->file.functions[i].at_least;
	}
	export_coverage_rewind(c);
	strbuf_str(s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
		   "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n");
	if (at_least)
		strbuf_fmt(s, "<!-- %zu hits are lower bounds: cgview report tells which -->\n",
			   at_least);
	strbuf_str(s, "<coverage");
	put_rate(s, "line-rate", hit, lines);
	put_rate(s, "branch-rate", taken, ways);
	strbuf_fmt(s, " lines-covered=\"%zu\" lines-valid=\"%zu\" branches-covered=\"%zu\" "
		   "branches-valid=\"%zu\" complexity=\"0\" "
		   "version=\"cgview\" timestamp=\"%" PRId64 "\">\n<sources><source>", hit, lines,
		   taken, ways, e->totals->run.started_ns / NS);
	put_text(s, root && *root ? root : "/", strlen(root && *root ? root : "/"));
	strbuf_str(s, "</source></sources>\n<packages>\n");
}

int
export_cobertura(struct export *e, FILE *out, struct error *err)
{
	struct strbuf s = STRBUF_INIT;
	struct export_coverage c;

	(void)err;
	export_coverage_init(&c, e);
	put_head(&s, &c);
	while (export_coverage_next(&c) && !ferror(out)) {
		put_file(&s, e, &c.file);
		export_flush(&s, out);
	}
	strbuf_str(&s, "</packages></coverage>\n");
	export_flush(&s, out);
	export_coverage_release(&c);
	strbuf_release(&s);
	return 0;
}
