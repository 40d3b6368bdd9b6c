/* cgview report: the views of the browser, printed. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "db/lists/coverage.h"
#include "db/lists/heaps.h"
#include "db/lists/wings.h"
#include "print/report.h"
#include "show/bands.h"
#include "solve/subset.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/text/nearest.h"
#include "util/text/search.h"

/* ---- options ---- */

struct options {
	enum list_kind kind; /* LIST_NR: not told */
	const char *sort, *caller, *callee, *procedure, *glob, *filter, *columns, *sql, *of_name;
	const char *span;    /* its ends; NULL: not told */
	size_t process;      /* whose it is, from 1 on; 0: not told */
	struct subset_lists lists;
	int format, self_by, of;
	uint32_t least_ppm;  /* of the column sorted by; 0: all rows */
	bool reverse;
	size_t limit, seconds;
	const char *fail_under;
	uint32_t least_covered_ppm[NR_COVERAGE]; /* 0: any is enough */
};

static void
set_kind(void *options, char *name)
{
	((struct options *)options)->kind = kind_option("report", name, false);
}

/* What rows are of: of a comparison things, of a span what bands are of. */
static void
check_of(struct options *o)
{
	if (*o->of_name && o->kind != LIST_COMPARISON && o->kind != LIST_SPAN)
		die(2, "report: --of goes with --by comparison and --by span");
	if (o->kind != LIST_SPAN) {
		o->of = compare_by_find(o->of_name);
		if (o->of < 0)
			die(2, "report: --of %s: it is procedure, block, range, line, site, arc, "
			    "pair or file", o->of_name);
		return;
	}
	for (o->of = 0; o->of < NR_BANDS_BY; o->of++)
		if (!strcmp(o->of_name, bands_by_names[o->of]))
			return;
	die(2, "report: --of %s: it is producer, procedure, file, module, type, size, "
	    "site or disposer", o->of_name);
}

void
report_check_filter(const char *command, const char *pattern)
{
	struct search search = { .pattern = NULL };
	struct error err = ERROR_INIT;

	if (search_compile(&search, pattern, &err) < 0)
		die(2, "%s: --filter %s: %s", command, pattern, err.text);
	search_release(&search);
}

static void
set_filter(void *options, char *pattern)
{
	report_check_filter("report", pattern);
	((struct options *)options)->filter = pattern;
}

static void
set_least(void *options, char *text)
{
	struct options *o = options;

	if (list_parse_percent(text, &o->least_ppm) < 0)
		die(2, "report: --min %s: it is a number of percent, 0 to 100", text);
}

/* "80" (of lines), or "lines=80,branches=70". */
static void
set_fail_under(void *options, char *text)
{
	struct options *o = options;
	char *copy = xstrdup(text), *rest = copy, *word;

	o->fail_under = text;
	while ((word = strsep(&rest, ","))) {
		char *value = strchr(word, '=');
		int i = 0;

		if (value) {
			*value++ = '\0';
			while (coverage_names[i] && strcmp(coverage_names[i], word) != 0)
				i++;
		}
		if (i == NR_COVERAGE ||
		    list_parse_percent(value ? value : word, &o->least_covered_ppm[i]) < 0)
			die(2, "report: --fail-under %s: it is a number of percent, 0 to 100, or "
			    "lines=, blocks= or branches= such numbers, with commas between",
			    text);
	}
	free(copy);
}

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "by", 0, "WHAT", "procedure (the default), block, site, line, file, directory,\n"
	  "arc, cycle (procedures that call each other), run, thread, rank,\n"
	  "imbalance (of the ranks, or else the runs, by procedure);\n"
	  "of profiles recorded with --space: moment (memory over time),\n"
	  "band (what was live then, by who asked for it), span (what was\n"
	  "allocated between two moments and not freed by then), pair\n"
	  "(which call freed what which made), disposer, lifetime, producer\n"
	  "(what each call got, by size class), type, size, pool (what it\n"
	  "got of pools that cgcc --cgview-flags=alloc names);\n"
	  "coverage (how much of files and directories was executed),\n"
	  "covered (how much of each procedure was),\n"
	  "branch (conditions that never went one of their ways);\n"
	  "error (what memcheck, a sanitizer or --space found), frame (the\n"
	  "stacks of these); never (procedures with lines that were never\n"
	  "executed); note: what to know about how good the profile is;\n"
	  "comparison: what cgview diff -o has saved; tree: who calls what,\n"
	  "see cgview report --by tree --help", OPTION_CALL, .set = set_kind },
	{ "of", 0, "WHAT", "of a comparison: procedure, block, range, line, site, arc,\n"
	  "pair or file (default: procedure, or the first that was saved);\n"
	  "of a span: producer (the default), procedure, file, module,\n"
	  "type, size, site or disposer", OPTION_TEXT, AT(of_name) },
	{ "span", 0, "FROM,TO", "only samples, times and waiting from FROM to TO since the run\n"
	  "began (1.5s, 20ms, begin, end); counts stay those of all of it.\n"
	  "--by span (the default with it): the moments between which\n"
	  "memory was allocated, also peak, or the number of a moment\n"
	  "(default: begin,end)", OPTION_TEXT, AT(span) },
	{ "process", 0, "N", "--by span: of the processes with moments the one with the Nth\n"
	  "greatest peak (default: 1)",
	  OPTION_NUMBER, AT(process), .number = { "a number, 1 or more", 1, 0 } },
	{ "columns", 0, "A,B,C", "these columns, in this order: headings of the text format\n"
	  "(self%) or names of the csv format (self_ns); some are there only\n"
	  "then, as those of --by imbalance among procedures", OPTION_TEXT, AT(columns) },
	{ "sort", 0, "COLUMN", "a column of the csv format: numbers from the greatest, texts\n"
	  "and places from the first (default: procedure and file by\n"
	  "self_ns, directory by total_ns; block, site and arc by count;\n"
	  "line by file)", OPTION_TEXT, AT(sort) },
	{ "reverse", 0, NULL, "the other way round", OPTION_FLAG, AT(reverse) },
	{ "filter", 0, "REGEX", "only rows with a name, or a path, in which this extended\n"
	  "regular expression is found; of blocks, call sites, lines,\n"
	  "arcs and rows of a comparison also in the source text;\n"
	  "capitals matter if it has any",
	  OPTION_CALL, .set = set_filter },
	{ "min", 0, "PERCENT", "only rows that have this share of what is sorted by: of all\n"
	  "self time for times, of the sum over all rows for counts",
	  OPTION_CALL, .set = set_least },
	{ "fail-under", 0, "PERCENT", "--by coverage: exit with 1 if less of the lines was\n"
	  "executed; or lines=80,branches=70 (also blocks=), each if known",
	  OPTION_CALL, .set = set_fail_under },
	{ "limit", 0, "N", "at most N rows",
	  OPTION_NUMBER, AT(limit), .number.what = "a number of rows" },
	REPORT_FORMAT_OPTION(AT(format)),
	{ "caller", 0, "NAME", "only arcs from this procedure (or 'outside')",
	  OPTION_TEXT, AT(caller) },
	{ "callee", 0, "NAME", "only arcs to this procedure (or 'outside')",
	  OPTION_TEXT, AT(callee) },
	{ "procedure", 0, "NAME", "--by rank: also what each did in this procedure",
	  OPTION_TEXT, AT(procedure) },
	{ "file", 0, "GLOB", "only what is in files whose path, or its end, matches",
	  OPTION_TEXT, AT(glob) },
	{ "self", 0, "WHAT", "self time of procedures: by pc, the program counter (the default);\n"
	  "by centre, the cost centre that the program kept; or own,\n"
	  "without what foreign code did for them: it has rows of its own",
	  OPTION_CHOICE, AT(self_by), .choices = self_by_names },
	{ "charge", 0, "WHAT", NULL, OPTION_CHOICE, AT(self_by), .choices = self_by_names },
	THREADS_OPTION(AT(lists.threads)),
	RUNS_OPTION(AT(lists.runs)),
	RANKS_OPTION(AT(lists.ranks)),
	{ "sql", 0, "QUERY", "the rows of a query: one SELECT (cgview-db(5) tells the tables,\n"
	  "an empty query lists them); with --format and --limit only",
	  OPTION_TEXT, AT(sql) },
	{ "seconds", 0, "N", "it may take so many seconds of CPU time (60)",
	  OPTION_NUMBER, AT(seconds), .number = { "a number of seconds", 0, 1000000 } },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "report", .usage = "report", .width = 19, .rows = option_rows,
	.head = "usage: cgview report [options] [DB]\n"
		"Print a profile.\n"
		"\n",
	.tail = "\n"
		"csv and json are for programs: their columns stay; text may change.\n"
		"See cgview-report(1) and cgview-db(5).\n",
};

/* Has such a list figures of samples, or what is told of all? */
static bool
has_samples(enum list_kind kind)
{
	static const char *const columns[] = { "self_ns", "total_ns", "cpu_ns" };
	bool any = kind == LIST_NOTE;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		any |= kind != LIST_COMPARISON && list_column_find(kind, columns[i]) >= 0;
	return any;
}

/* Checks which options go together, and what is listed when nobody said. */
static void
check_options(struct options *o)
{
	if (o->sql && (o->kind != LIST_NR || o->sort || o->reverse || o->caller || o->callee ||
		       o->procedure || o->glob || o->filter || o->columns || o->least_ppm ||
		       o->self_by != SELF_BY_PC || o->fail_under || o->of_name || o->span ||
		       o->process))
		die(2, "report: --sql goes with --format and --limit only");
	if (o->kind == LIST_NR)
		o->kind = o->caller || o->callee ? LIST_ARC : o->fail_under ? LIST_COVERAGE
			: o->span || o->process ? LIST_SPAN : LIST_PROCEDURE;
	if (o->of_name)
		check_of(o);
	if (o->fail_under && o->kind != LIST_COVERAGE)
		die(2, "report: --fail-under goes with --by coverage");
	if (o->process && o->kind != LIST_SPAN)
		die(2, "report: --process goes with --by span");
	if (o->span && o->kind != LIST_SPAN && !has_samples(o->kind))
		die(2, "report: --span does not go with --by %s: nothing there was sampled",
		    list_name(o->kind));
	if (o->kind != LIST_SPAN)
		o->lists.span = o->span;
	if (o->self_by != SELF_BY_PC && o->kind != LIST_PROCEDURE)
		die(2, "report: --self %s goes with --by procedure: %s", self_by_names[o->self_by],
		    o->self_by == SELF_BY_CENTRE ? "cost centres are procedures"
		    : "foreign code has rows there");
	if (o->glob && !list_has_files(o->kind))
		die(2, "report: --file does not go with --by %s", list_name(o->kind));
	if (o->kind == LIST_COMPARISON &&
	    (o->lists.threads || o->lists.runs || o->lists.ranks))
		die(2, "report: --by comparison has the figures of all threads, runs and ranks");
	if (o->format == FORMAT_LINES && (o->sql || !report_has_places(o->kind)))
		die(2, "report: --format lines: rows of %s have no place", o->sql ? "--sql"
		    : list_name(o->kind));
	if ((o->caller || o->callee) && o->kind != LIST_ARC)
		die(2, "report: --caller and --callee go with --by arc");
	if (o->procedure && o->kind != LIST_RANK)
		die(2, "report: --procedure goes with --by rank");
}

/* OPTION is VALUE, which is no column. */
static void
explain_columns(const struct options *o, const struct report *r, const char *option,
		const char *value)
{
	const struct list_column *c = r->columns;
	struct strbuf names = STRBUF_INIT;
	struct nearest n;
	char *question;

	nearest_init(&n, value);
	for (int i = 1; c[i].name; i++) {
		if (!report_is_public(o->kind, &c[i]))
			continue;
		nearest_try(&n, c[i].name);
		strbuf_str(&names, i > 1 ? ", " : "");
		strbuf_str(&names, c[i].name);
	}
	question = nearest_question(&n);
	if (question)
		die(2, "report: %s %s: with --by %s it is unknown%s cgview report --by %s %s ''",
		    option, value, list_name(o->kind), question, list_name(o->kind), option);
	die(2, "report: %s %s: with --by %s it is one of %s", option, value, list_name(o->kind),
	    names.buf);
}

/* Returns the csv name of the column to sort by; the user may give its heading in text. */
static const char *
sort_column(const struct options *o, const struct report *r)
{
	/* Others are sorted as in the browser. */
	static const char *const sorts[LIST_NR] = {
		[LIST_BLOCK] = "count", [LIST_SITE] = "count", [LIST_LINE] = "file",
	};
	const struct column *c = r->heads.items;
	bool no_counts = o->kind == LIST_BLOCK && r->p && profile_lines_are_uncounted(r->p);
	int i;

	if (!o->sort)
		return column_self_by(sorts[o->kind] && !no_counts ? sorts[o->kind]
				      : table_kind_sort(&table_kinds[o->kind], r->p),
				      (enum self_by)o->self_by);
	if (profile_column_find(r->p, o->kind, o->sort) >= 0)
		return o->sort;
	i = columns_headed(c, r->heads.nr, o->sort, true);
	if (i < 0)
		return o->sort;
	return column_self_by(c[i].source, (enum self_by)o->self_by);
}

static struct list_query
make_query(const struct options *o, const struct report *r)
{
	struct list_query q = { .kind = o->kind };
	const char *sort = sort_column(o, r);

	q.sort = profile_column_find(r->p, q.kind, sort);
	if (q.sort < 0 || (o->sort && q.sort == 0))
		explain_columns(o, r, "--sort", sort);
	q.descending = unit_descends(r->columns[q.sort].unit) != o->reverse;
	q.filter = o->filter;
	q.glob = o->glob;
	return q;
}

/* Rows with less than --min of what is sorted by are left out. */
static void
cut_off(const struct options *o, struct profile *p, struct list_query *q)
{
	const struct list_column *c = &profile_columns(p, q->kind)[q->sort];
	uint64_t whole;

	if (!o->least_ppm)
		return;
	whole = profile_whole(p, q->kind, q->sort);
	if (!whole && !list_has_shares(c))
		die(2, "report: --min: there are no shares of %s; --sort by a count or a time",
		    c->name);
	q->least_column = q->sort;
	q->least = list_least(whole, o->least_ppm);
}

/* ---- columns ---- */

/* The heading of a column of the text format, or a name of the csv format. */
static struct column
column_named(const struct options *o, const struct report *r, const char *name)
{
	const struct list_column *columns = r->columns;
	int i = columns_headed(r->heads.items, r->heads.nr, name, true);
	struct column c = { .head = NULL };

	if (i >= 0) {
		c = r->heads.items[i];
		if ((o->format == FORMAT_CSV || o->format == FORMAT_JSON) &&
		    c.flags & COLUMN_IN_SOURCE)
			die(2, "report: --columns %s: only --format text and lines have the source "
			    "text", name);
		column_set_self_by(&c, (enum self_by)o->self_by);
		return c;
	}
	i = profile_column_find(r->p, o->kind, name);
	if (i < 0 || !report_is_public(o->kind, &columns[i]))
		explain_columns(o, r, "--columns", name);
	c.head = c.source = columns[i].name;
	c.cell = columns[i].unit == UNIT_TEXT ? CELL_TEXT
	       : columns[i].unit != UNIT_VALUE ? CELL_VALUE
	       : columns[i].measure ? CELL_FORMULA : CELL_DIFFERENCE;
	return c;
}

static void
choose_columns(const struct options *o, const char *list, struct report *r)
{
	char *names = xstrdup(list), *rest = names, *name;

	while ((name = strsep(&rest, ","))) {
		if (r->nr_chosen == COLUMNS_MAX)
			die(2, "report: --columns: at most %d of them", COLUMNS_MAX);
		r->chosen[r->nr_chosen++] = column_named(o, r, name);
	}
	free(names);
}

/* Has Q to have what is only there if it is asked for? Tells if it is empty. */
static bool
wants_uneven(const struct report *r, const struct list_query *q)
{
	bool wants = r->columns[q->sort].flags & LIST_UNEVEN;

	for (int i = 0; i < r->nr_chosen; i++)
		wants |= r->columns[profile_column_find(r->p, q->kind, r->chosen[i].source)].flags &
			 LIST_UNEVEN;
	if (wants && !profile_error(r->p) && !wing_is_there(r->p, WING_IMBALANCE))
		complain("report: %s has no %s: columns of imbalance are empty; %s",
			 profile_path(r->p), wings[WING_IMBALANCE].what, wings[WING_IMBALANCE].how);
	return wants;
}

/* ---- a span ---- */

static size_t
find_moment(const struct options *o, const struct live_heap *h, const char *name)
{
	size_t at;

	if (!heap_find_moment(h, name, &at))
		die(2, "report: --span %s: %s is not begin, peak, end, a time (1.5s, 20ms, 3us) or "
		    "the number of one of the process's moments", o->span, name);
	return at;
}

/* Makes the rows of the span that was asked for. Appends what is known of all of it. */
static void
put_span(const struct options *o, struct profile *p, struct strbuf *facts)
{
	char *ends = xstrdup(o->span ? o->span : "begin,end"), *comma = strchr(ends, ',');
	enum bands_by by = o->of_name ? (enum bands_by)o->of : BANDS_BY_PRODUCER;
	struct heap_span span;
	struct live_heap heap;
	size_t from, to;

	if (!comma)
		die(2, "report: --span %s: it is FROM,TO", o->span);
	*comma = '\0';
	if (!heap_read(p, o->process ? o->process - 1 : 0, by, &heap)) {
		if (!profile_error(p))
			die(1, "report: --process %zu: %s has moments of %zu", o->process,
			    profile_path(p), heaps_count(p));
	} else {
		from = find_moment(o, &heap, ends);
		to = find_moment(o, &heap, comma + 1);
		if (to == SIZE_MAX || (from != SIZE_MAX && from > to))
			die(2, "report: --span %s: the second moment is not behind the first",
			    o->span);
		heap_span(&heap, from, to, &span);
		profile_put_span(p, &heap, &span, from, to);
		bands_span_facts(facts, &heap, from, to, &span, report_ascii());
		heap_span_release(&span);
		heap_release(&heap);
	}
	free(ends);
}

/* ---- the command ---- */

model_id
report_procedure(struct profile *p, const char *name)
{
	struct procedure_row row = { .id = 0 };

	if (!profile_procedure_named(p, name, &row) && !profile_error(p))
		refuse_procedure(p, name);
	return row.id;
}

static void
check_name(struct profile *p, const char *name)
{
	if (name && strcmp(name, "outside"))
		report_procedure(p, name);
}

static int
run_sql(const struct options *o, const char *path)
{
	bool good;

	errno = 0;
	good = report_sql(path, o->sql, report_formats[o->format], o->limit, (unsigned)o->seconds);
	return output_finish("report") || !good;
}

/* An empty name is none, so the message lists those that there are: completion wants them of a
 * profile or, without one, of all. */
static bool
asks_for_columns(const struct options *o)
{
	return (o->sort && !*o->sort) || (o->columns && !*o->columns);
}

/* Tells what has less than --fail-under asks for. Returns whether all has enough. */
static bool
is_covered(const struct options *o, struct profile *p)
{
	struct coverage of[NR_COVERAGE];
	bool enough = true;

	profile_coverage(p, o->glob, of);
	for (int i = 0; i < NR_COVERAGE && !profile_error(p); i++) {
		const uint64_t known = of[i].all - of[i].uncounted;
		const double asked = o->least_covered_ppm[i] / 10000.0;

		if (!o->least_covered_ppm[i] ||
		    (known && list_least(known, o->least_covered_ppm[i]) <= of[i].executed))
			continue;
		enough = false;
		if (known)
			complain("report: %llu of %llu %s were executed, %.2f %%: --fail-under "
				 "asks for %.10g %%", (unsigned long long)of[i].executed,
				 (unsigned long long)known, coverage_names[i],
				 100.0 * (double)of[i].executed / (double)known, asked);
		else
			complain("report: nothing is known of %s: --fail-under asks for %.10g %%",
				 coverage_names[i], asked);
	}
	return enough;
}

static int
run(const struct options *o, const char *path)
{
	struct list_query q;
	struct report r = { .kind = o->kind, .limit = o->limit, .caller = o->caller,
			    .callee = o->callee,
			    .self_by = (enum self_by)o->self_by };
	struct report_compared compared = { .expression = NULL };
	struct strbuf facts = STRBUF_INIT;
	struct error err = ERROR_INIT;
	enum wing_id missing;
	bool failed = false;
	int status;

	r.p = subset_open_lists(path, &o->lists, &err);
	if (!r.p && !asks_for_columns(o))
		die(1, "%s", err.text);
	if (o->procedure && !asks_for_columns(o) && !profile_error(r.p))
		profile_ranks_of(r.p, report_procedure(r.p, o->procedure));
	r.columns = profile_columns(r.p, o->kind);
	column_set_make(&r.heads, &table_kinds[o->kind], r.p);
	q = make_query(o, &r);
	r.caller_column = list_column_find(q.kind, "caller");
	r.callee_column = list_column_find(q.kind, "callee");
	if (o->columns)
		choose_columns(o, o->columns, &r);
	else if (o->kind == LIST_COMPARISON &&
		 (o->format == FORMAT_CSV || o->format == FORMAT_JSON))
		choose_columns(o, report_compared_data, &r);
	missing = o->self_by == SELF_BY_CENTRE && !wing_is_there(r.p, WING_CENTRES)
			  ? WING_CENTRES : wing_missing(r.p, q.kind);
	if (missing && !asks_for_columns(o) && !profile_error(r.p))
		die(1, "%s has no %s: %s%s", path, wings[missing].what, wings[missing].how,
		    o->span ? "; the time of a span: --by procedure" : "");
	if (q.kind == LIST_SPAN && !asks_for_columns(o) && !profile_error(r.p))
		put_span(o, r.p, &facts);
	check_name(r.p, o->caller);
	check_name(r.p, o->callee);
	cut_off(o, r.p, &q);
	if (q.kind == LIST_COMPARISON) {
		report_compared_open(&compared, r.p, o->of);
		r.compared = &compared;
		q.things = REPORT_THINGS;
	}
	q.uneven = wants_uneven(&r, &q);
	r.list = listing_open(r.p, &q);
	r.facts = facts.len ? facts.buf : NULL;
	errno = 0;
	if (o->format == FORMAT_TEXT)
		report_text(&r);
	else if (o->format == FORMAT_LINES)
		report_lines(&r);
	else
		report_data(&r, report_formats[o->format]);
	report_tell_cut("report", listing_cut(r.list));
	if (profile_without_formula(r.p))
		complain("report: measures whose formula is not understood are not shown: %s",
			 profile_without_formula(r.p));
	if (o->fail_under && !is_covered(o, r.p))
		failed = true;
	status = output_finish_profile("report", r.p);
	status = status ? status : failed;
	listing_close(r.list);
	column_set_release(&r.heads);
	report_compared_release(&compared);
	strbuf_release(&facts);
	profile_close(r.p);
	return status;
}

int
cmd_report(int argc, char **argv)
{
	struct options o = { .limit = SIZE_MAX, .seconds = 60, .of = -1, .kind = LIST_NR };
	const char *path;
	int first;

	setlocale(LC_CTYPE, "");
	if (report_tree_wanted(argc, argv))
		return report_tree(argc, argv);
	first = options_parse(&command, &o, argc, argv);
	if (!first)
		return output_finish("report");
	check_options(&o);
	path = options_profile(&command, first, argc, argv);
	return o.sql ? run_sql(&o, path) : run(&o, path);
}
