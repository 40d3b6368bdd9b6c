/* cgview report: the views of the browser, printed. */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "cmd_output.h"
#include "report.h"
#include "subset.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/search.h"

#define END { .header = NULL }

static const struct text_column procedure_text[] = {
	{ "self%", TEXT_SHARE, "self_ns", NULL, true },
	{ "self", TEXT_NS, "self_ns", NULL, true },
	{ "+/-", TEXT_ERROR, "self_samples", NULL, false },
	{ "total%", TEXT_SHARE, "total_ns", NULL, false },
	{ "total", TEXT_NS, "total_ns", NULL, false },
	{ "between", TEXT_BETWEEN, "total_lo_ns", "total_hi_ns", false },
	{ "by root", TEXT_OTHER_NS, "root_total_ns", "total_ns", false },
	{ "wait", TEXT_NS, "self_wait_ns", NULL, true },
	{ "total wait", TEXT_NS, "total_wait_ns", NULL, false },
	{ "calls", TEXT_COUNT, "calls", NULL, true },
	{ "recursive", TEXT_SOME, "self_calls", NULL, false },
	{ "self/call", TEXT_PER, "self_ns", "calls", false },
	{ "procedure", TEXT_PROCEDURE, "procedure", "cycle", false },
	{ "where", TEXT_PLACE, "file", "line", false },
	END
};

static const struct text_column centre_text[] = {
	{ "self%", TEXT_SHARE, "centre_ns", NULL, true },
	{ "self", TEXT_NS, "centre_ns", NULL, true },
	{ "+/-", TEXT_ERROR, "centre_samples", NULL, false },
	{ "total%", TEXT_SHARE, "centre_total_ns", NULL, false },
	{ "total", TEXT_NS, "centre_total_ns", NULL, false },
	{ "by pc", TEXT_NS, "self_ns", NULL, true },
	{ "wait", TEXT_NS, "self_wait_ns", NULL, true },
	{ "total wait", TEXT_NS, "total_wait_ns", NULL, false },
	{ "calls", TEXT_COUNT, "calls", NULL, true },
	{ "procedure", TEXT_PROCEDURE, "procedure", "cycle", false },
	{ "where", TEXT_PLACE, "file", "line", false },
	END
};

static const struct text_column block_text[] = {
	{ "count", TEXT_COUNT, "count", NULL, true },
	{ "self", TEXT_NS, "self_ns", NULL, true },
	{ "wait", TEXT_NS, "self_wait_ns", NULL, true },
	{ "procedure", TEXT_PLAIN, "procedure", NULL, false },
	{ "where", TEXT_RANGE, "file", "line", false },
	END
};

static const struct text_column site_text[] = {
	{ "count", TEXT_COUNT, "count", NULL, true },
	{ "below", TEXT_NS, "total_ns", NULL, false },
	{ "by calls", TEXT_NS, "propagated_ns", NULL, false },
	{ "wait", TEXT_NS, "total_wait_ns", NULL, false },
	{ "procedure", TEXT_PLAIN, "procedure", NULL, false },
	{ "where", TEXT_RANGE, "file", "line", false },
	{ "kind", TEXT_PLAIN, "kind", NULL, false },
	{ "target", TEXT_PLAIN, "target", NULL, false },
	END
};

static const struct text_column line_text[] = {
	{ "count", TEXT_COUNT, "count", NULL, true },
	{ "self%", TEXT_SHARE, "self_ns", NULL, true },
	{ "self", TEXT_NS, "self_ns", NULL, true },
	{ "+/-", TEXT_ERROR, "self_samples", NULL, false },
	{ "wait", TEXT_NS, "self_wait_ns", NULL, true },
	{ "where", TEXT_PLACE, "file", "line", false },
	END
};

static const struct text_column file_text[] = {
	{ "self%", TEXT_SHARE, "self_ns", NULL, true },
	{ "self", TEXT_NS, "self_ns", NULL, true },
	{ "wait", TEXT_NS, "self_wait_ns", NULL, true },
	{ "lines", TEXT_COUNT, "lines", NULL, true },
	{ "executed", TEXT_COUNT, "executed", NULL, true },
	{ "executed%", TEXT_PARTS, "executed", "lines", false },
	{ "blocks", TEXT_COUNT, "count", NULL, true },
	{ "procedures", TEXT_COUNT, "procedures", NULL, true },
	{ "text", TEXT_PLAIN, "state", NULL, false },
	{ "file", TEXT_PLAIN, "file", NULL, false },
	END
};

static const struct text_column directory_text[] = {
	{ "self%", TEXT_SHARE, "self_ns", NULL, true },
	{ "self", TEXT_NS, "self_ns", NULL, true },
	{ "wait", TEXT_NS, "self_wait_ns", NULL, true },
	{ "total%", TEXT_SHARE, "total_ns", NULL, false },
	{ "total", TEXT_NS, "total_ns", NULL, false },
	{ "files", TEXT_COUNT, "files", NULL, true },
	{ "lines", TEXT_COUNT, "lines", NULL, true },
	{ "executed", TEXT_COUNT, "executed", NULL, true },
	{ "executed%", TEXT_PARTS, "executed", "lines", false },
	{ "blocks", TEXT_COUNT, "count", NULL, true },
	{ "directory", TEXT_PLAIN, "directory", NULL, false },
	END
};

static const struct text_column arc_text[] = {
	{ "count", TEXT_ESTIMATE, "count", NULL, true },
	{ "between", TEXT_INTERVAL, "lo", "hi", false },
	{ "time", TEXT_NS, "time_ns", NULL, false },
	{ "samples%", TEXT_DIFFERS, "samples", "differs", false },
	{ "caller", TEXT_PLAIN, "caller", NULL, false },
	{ "callee", TEXT_CALLEE, "callee", "target", false },
	{ "through", TEXT_REMARK, "through", NULL, false },
	{ "where", TEXT_PLACE, "file", "line", false },
	END
};

static const struct text_column cycle_text[] = {
	{ "cycle", TEXT_COUNT, "id", NULL, false },
	{ "procedures", TEXT_COUNT, "procedures", NULL, false },
	{ "self", TEXT_NS, "self_ns", NULL, true },
	{ "total", TEXT_NS, "total_ns", NULL, false },
	{ "from without", TEXT_COUNT, "outer_calls", NULL, false },
	{ "within", TEXT_COUNT, "inner_calls", NULL, false },
	{ "recursive", TEXT_COUNT, "self_calls", NULL, false },
	{ "members", TEXT_PLAIN, "members", NULL, false },
	END
};

static const struct text_column note_text[] = {
	{ "about", TEXT_PLAIN, "kind", NULL, false },
	{ "note", TEXT_PLAIN, "text", NULL, false },
	END
};

static const struct text_column run_text[] = {
	{ "run", TEXT_COUNT, "run", NULL, false },
	{ "started", TEXT_TIME, "started_ns", NULL, false },
	{ "wall", TEXT_NS, "wall_ns", NULL, false },
	{ "cpu", TEXT_NS, "cpu_ns", NULL, true },
	{ "waited", TEXT_SOME_NS, "wait_ns", NULL, true },
	{ "samples", TEXT_COUNT, "samples", NULL, true },
	{ "lost", TEXT_SOME, "lost_samples", NULL, true },
	{ "blocks", TEXT_COUNT, "blocks_executed", NULL, true },
	{ "processes", TEXT_COUNT, "processes", NULL, true },
	{ "threads", TEXT_COUNT, "threads", NULL, true },
	{ "exit", TEXT_EXIT, "exit_status", "exit_signal", false },
	{ "command", TEXT_PLAIN, "command", NULL, false },
	END
};

static const struct text_column thread_text[] = {
	{ "thread", TEXT_COUNT, "thread", NULL, false },
	{ "run", TEXT_COUNT, "run", NULL, false },
	{ "cpu", TEXT_NS, "cpu_ns", NULL, true },
	{ "waited", TEXT_SOME_NS, "wait_ns", NULL, true },
	{ "delayed", TEXT_SOME_NS, "delay_ns", NULL, true },
	{ "samples", TEXT_COUNT, "samples", NULL, true },
	{ "lost", TEXT_SOME, "lost_samples", NULL, true },
	{ "blocks", TEXT_COUNT, "blocks_executed", NULL, true },
	{ "threads", TEXT_COUNT, "threads", NULL, true },
	{ "name", TEXT_PLAIN, "name", NULL, false },
	{ "pid", TEXT_NUMBER, "pid", NULL, false },
	{ "tids", TEXT_PLAIN, "tids", NULL, false },
	END
};

static const struct report_view views[] = {
	{ "procedure", "procedure", "procedures", LIST_PROCEDURE, "self_ns", procedure_text },
	{ "block", "block", "blocks", LIST_BLOCK, "count", block_text },
	{ "site", "call site", "call sites", LIST_SITE, "count", site_text },
	{ "line", "line", "lines", LIST_LINE, "file", line_text },
	{ "file", "file", "files", LIST_FILE, "self_ns", file_text },
	{ "directory", "directory", "directories", LIST_DIRECTORY, "total_ns", directory_text },
	{ "arc", "arc", "arcs", LIST_ARC, "count", arc_text },
	{ "cycle", "cycle", "cycles", LIST_CYCLE, "total_ns", cycle_text },
	{ "note", "note", "notes", LIST_NOTE, "rank", note_text },
	{ "run", "run", "runs", LIST_RUN, "run", run_text },
	{ "thread", "thread", "threads", LIST_THREAD, "thread", thread_text },
};
enum { NR_VIEWS = sizeof(views) / sizeof(views[0]) };

static const struct report_view centre_view = {
	"procedure", "procedure", "procedures", LIST_PROCEDURE, "centre_ns", centre_text,
};

static const struct {
	const char *name;
	void (*print)(const struct report *r);
} formats[] = {
	{ "text", report_text }, { "csv", report_csv }, { "json", report_json },
};
enum { NR_FORMATS = sizeof(formats) / sizeof(formats[0]) };

/* ---- options ---- */

struct options {
	const struct report_view *view;
	void (*print)(const struct report *r);
	const char *sort, *caller, *callee, *glob, *filter, *columns, *threads, *runs;
	const char *format, *sql;
	uint32_t least_ppm;  /* of the column sorted by; 0: all rows */
	bool reverse, by_centre;
	size_t limit, seconds;
};

enum option_key {
	OPTION_BY = 256, OPTION_SORT, OPTION_REVERSE, OPTION_LIMIT, OPTION_FORMAT, OPTION_CALLER,
	OPTION_CALLEE, OPTION_FILE, OPTION_CHARGE, OPTION_COLUMNS, OPTION_FILTER, OPTION_MIN,
	OPTION_SQL, OPTION_SECONDS, OPTION_THREADS, OPTION_RUNS
};

static const struct option long_options[] = {
	{ "by", required_argument, NULL, OPTION_BY },
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "reverse", no_argument, NULL, OPTION_REVERSE },
	{ "limit", required_argument, NULL, OPTION_LIMIT },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "caller", required_argument, NULL, OPTION_CALLER },
	{ "callee", required_argument, NULL, OPTION_CALLEE },
	{ "file", required_argument, NULL, OPTION_FILE },
	{ "charge", required_argument, NULL, OPTION_CHARGE },
	{ "columns", required_argument, NULL, OPTION_COLUMNS },
	{ "filter", required_argument, NULL, OPTION_FILTER },
	{ "min", required_argument, NULL, OPTION_MIN },
	{ "sql", required_argument, NULL, OPTION_SQL },
	{ "seconds", required_argument, NULL, OPTION_SECONDS },
	{ "threads", required_argument, NULL, OPTION_THREADS },
	{ "runs", required_argument, NULL, OPTION_RUNS },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
	"usage: cgview report [options] DB\n"
	"Print a profile.\n"
	"\n"
	"  --by WHAT        procedure (the default), block, site, line, file, directory,\n"
	"                   arc, cycle (procedures that call each other), run, thread;\n"
	"                   or note: what to know about how good the profile is; or tree:\n"
	"                   who calls whom, see cgview report --by tree --help\n"
	"  --columns A,B,C  these columns, in this order: headings of the text format\n"
	"                   (self%) or names of the csv format (self_ns)\n"
	"  --sort COLUMN    a column of the csv format: numbers from the greatest, texts\n"
	"                   and places from the first (default: procedure and file by\n"
	"                   self_ns, directory by total_ns; block, site and arc by count;\n"
	"                   line by file)\n"
	"  --reverse        the other way round\n"
	"  --filter REGEX   only rows with a name, or a path, in which this extended\n"
	"                   regular expression is found; capitals matter if it has any\n"
	"  --min PERCENT    only rows that have this share of what is sorted by: of all\n"
	"                   self time for times, of the sum over all rows for counts\n"
	"  --limit N        at most N rows\n"
	"  --format FORMAT  text (the default), csv or json\n"
	"  --caller NAME    only arcs from this procedure (or 'outside')\n"
	"  --callee NAME    only arcs to this procedure (or 'outside')\n"
	"  --file GLOB      only what is in files whose path, or its end, matches\n"
	"  --charge WHAT    time of procedures: by pc, the program counter (the default),\n"
	"                   or by centre, the cost centre that the program kept\n"
	"  --threads LIST   only what these threads did: numbers of --by thread, as 1,3-5\n"
	"  --runs LIST      only what was done in these runs: numbers of --by run\n"
	"  --sql QUERY      the rows of a query: one SELECT (cgview-db(5) tells the tables,\n"
	"                   an empty query lists them); with --format and --limit only\n"
	"  --seconds N      it may take so many seconds of CPU time (60)\n"
	"  --help           this text\n"
	"\n"
	"csv and json are for programs: their columns stay; text may change.\n"
	"See cgview(1) and cgview-db(5).\n";

static const struct report_view *
find_view(const char *name)
{
	for (int i = 0; i < NR_VIEWS; i++) {
		if (!strcmp(views[i].name, name))
			return &views[i];
	}
	die(2, "report: --by %s: it is procedure, block, site, line, file, directory, arc, "
	    "cycle, run, thread, note or tree", name);
}

static void
set_format(struct options *o, const char *name)
{
	for (int i = 0; i < NR_FORMATS; i++) {
		if (!strcmp(formats[i].name, name)) {
			o->print = formats[i].print;
			o->format = formats[i].name;
			return;
		}
	}
	die(2, "report: --format %s: it is text, csv or json", name);
}

static void
set_charge(struct options *o, const char *name)
{
	if (strcmp(name, "pc") && strcmp(name, "centre"))
		die(2, "report: --charge %s: it is pc or centre", name);
	o->by_centre = !strcmp(name, "centre");
}

static size_t
parse_number(const char *option, const char *what, size_t most)
{
	const char *text = optarg;
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || n > most)
		die(2, "report: %s %s: it is %s", option, text, what);
	return (size_t)n;
}

static void
set_filter(struct options *o, const char *pattern)
{
	struct search search = { .pattern = NULL };
	struct error err = ERROR_INIT;

	if (search_compile(&search, pattern, &err) < 0)
		die(2, "report: --filter %s: %s", pattern, err.text);
	search_release(&search);
	o->filter = pattern;
}

static void
set_least(struct options *o, const char *text)
{
	if (list_parse_percent(text, &o->least_ppm) < 0)
		die(2, "report: --min %s: it is a number of percent, 0 to 100", text);
}

static void
set_option(struct options *o, int key, char **argv)
{
	switch (key) {
	case OPTION_BY:
		o->view = find_view(optarg);
		break;
	case OPTION_SORT:
		o->sort = optarg;
		break;
	case OPTION_REVERSE:
		o->reverse = true;
		break;
	case OPTION_LIMIT:
		o->limit = parse_number("--limit", "a number of rows", SIZE_MAX);
		break;
	case OPTION_FORMAT:
		set_format(o, optarg);
		break;
	case OPTION_CALLER:
		o->caller = optarg;
		break;
	case OPTION_CALLEE:
		o->callee = optarg;
		break;
	case OPTION_FILE:
		o->glob = optarg;
		break;
	case OPTION_THREADS:
		o->threads = optarg;
		break;
	case OPTION_RUNS:
		o->runs = optarg;
		break;
	case OPTION_CHARGE:
		set_charge(o, optarg);
		break;
	case OPTION_COLUMNS:
		o->columns = optarg;
		break;
	case OPTION_FILTER:
		set_filter(o, optarg);
		break;
	case OPTION_MIN:
		set_least(o, optarg);
		break;
	case OPTION_SQL:
		o->sql = optarg;
		break;
	case OPTION_SECONDS:
		o->seconds = parse_number("--seconds", "a number of seconds", 1000000);
		break;
	case ':':
		die(2, "report: %s wants a value; see cgview report --help", argv[optind - 1]);
	default:
		/* In a cluster of letters optind stays at the word; optopt is the letter. */
		if (strncmp(argv[optind - 1], "--", 2))
			die(2, "report: unknown option -%c; see cgview report --help", optopt);
		die(2, "report: unknown option %s; see cgview report --help", argv[optind - 1]);
	}
}

/* Returns false after --help. */
static bool
parse_options(struct options *o, int argc, char **argv)
{
	int key;

	optind = 0; /* start anew: the command before us may have used getopt */
	while ((key = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
		if (key == 'h') {
			fputs(help, stdout);
			return false;
		}
		set_option(o, key, argv);
	}
	if (o->sql && (o->view || o->sort || o->reverse || o->caller || o->callee || o->glob ||
		       o->filter || o->columns || o->least_ppm ||
		       o->by_centre))
		die(2, "report: --sql goes with --format and --limit only");
	if ((o->caller || o->callee) && !o->view)
		o->view = find_view("arc");
	if (!o->view)
		o->view = find_view("procedure");
	if (o->by_centre && o->view->kind != LIST_PROCEDURE)
		die(2, "report: --charge centre goes with --by procedure: cost centres are "
		    "procedures");
	if (o->by_centre)
		o->view = &centre_view;
	if (o->glob && !list_has_files(o->view->kind))
		die(2, "report: --file does not go with --by %s", o->view->name);
	if ((o->caller || o->callee) && o->view->kind != LIST_ARC)
		die(2, "report: --caller and --callee go with --by arc");
	if (optind == argc)
		die(2, "report: which profile? See cgview report --help");
	if (optind < argc - 1)
		die(2, "report: one profile at a time, not also %s", argv[optind + 1]);
	return true;
}

/* OPTION is VALUE, which is no column. */
static void
explain_columns(const struct options *o, const char *option, const char *value)
{
	const struct list_column *c = list_columns(o->view->kind);
	struct strbuf names = STRBUF_INIT;

	for (int i = 1; c[i].name; i++) {
		if (!report_is_public(&c[i]))
			continue;
		strbuf_str(&names, i > 1 ? ", " : "");
		strbuf_str(&names, c[i].name);
	}
	die(2, "report: %s %s: with --by %s it is one of %s", option, value, o->view->name,
	    names.buf);
}

static struct list_query
make_query(const struct options *o)
{
	struct list_query q = { .kind = o->view->kind };
	const char *sort = o->sort ? o->sort : o->view->sort;

	q.sort = list_column_find(q.kind, sort);
	if (q.sort < 0 || (o->sort && q.sort == 0))
		explain_columns(o, "--sort", sort);
	q.descending = list_descends(q.kind, q.sort) != o->reverse;
	q.filter = o->filter;
	q.glob = o->glob;
	return q;
}

/* Rows with less than --min of what is sorted by are left out. */
static void
cut_off(const struct options *o, struct profile *p, struct list_query *q)
{
	uint64_t whole;

	if (!o->least_ppm)
		return;
	whole = profile_whole(p, q->kind, q->sort);
	if (!whole && !list_has_shares(q->kind, q->sort))
		die(2, "report: --min: there are no shares of %s; --sort by a count or a time",
		    list_columns(q->kind)[q->sort].name);
	q->least_column = q->sort;
	q->least = list_least(whole, o->least_ppm);
}

/* ---- columns ---- */

/* The heading of a column of the text format, or a name of the csv format. */
static struct text_column
column_named(const struct options *o, const char *name)
{
	static const enum text_style styles[] = {
		[UNIT_TEXT] = TEXT_PLAIN, [UNIT_COUNT] = TEXT_COUNT, [UNIT_NS] = TEXT_NS,
		[UNIT_SAMPLES] = TEXT_COUNT, [UNIT_NUMBER] = TEXT_NUMBER,
		[UNIT_BYTES] = TEXT_COUNT, [UNIT_RATIO] = TEXT_NUMBER,
	};
	const struct list_column *columns = list_columns(o->view->kind);
	const struct text_column *t;
	int i;

	for (t = o->view->text; t->header; t++) {
		if (!strcasecmp(t->header, name))
			return *t;
	}
	i = list_column_find(o->view->kind, name);
	if (i < 0 || !report_is_public(&columns[i]))
		explain_columns(o, "--columns", name);
	return (struct text_column){
		columns[i].name, styles[columns[i].unit], columns[i].name, NULL,
		list_adds_up(o->view->kind, i),
	};
}

static void
choose_columns(const struct options *o, struct report *r)
{
	char *names = xstrdup(o->columns), *rest = names, *name;

	while ((name = strsep(&rest, ","))) {
		if (r->nr_chosen == REPORT_MAX_COLUMNS)
			die(2, "report: --columns: at most %d of them", REPORT_MAX_COLUMNS);
		r->chosen[r->nr_chosen++] = column_named(o, name);
	}
	free(names);
}


/* ---- rows ---- */

static bool
text_is(const struct list_row *row, int column, const char *wanted)
{
	return !wanted || !strcmp(row->cells[column].text, wanted);
}

const struct list_row *
report_next(const struct report *r, size_t *i)
{
	const struct list_row *row;

	while ((row = listing_row(r->list, *i))) {
		++*i;
		if (!text_is(row, r->caller_column, r->caller) ||
		    !text_is(row, r->callee_column, r->callee))
			continue;
		return row;
	}
	return NULL;
}

bool
report_can_write(void)
{
	return !ferror(stdout);
}

/* ---- the command ---- */

static void
check_name(struct profile *p, const char *name)
{
	struct procedure_row row;

	if (name && strcmp(name, "outside") && !profile_procedure_named(p, name, &row) &&
	    !profile_error(p))
		die(1, "%s has no procedure %s: see cgview report %s", profile_path(p), name,
		    profile_path(p));
}

static int
run_sql(const struct options *o, const char *path)
{
	bool good;

	errno = 0;
	good = report_sql(path, o->sql, o->format, o->limit, (unsigned)o->seconds);
	return output_finish("report") || !good;
}

static int
run(const struct options *o, const char *path)
{
	struct list_query q = make_query(o);
	struct report r = { .view = o->view, .limit = o->limit, .caller = o->caller,
			    .callee = o->callee };
	struct error err = ERROR_INIT;
	int status;

	r.columns = list_columns(q.kind);
	r.caller_column = list_column_find(q.kind, "caller");
	r.callee_column = list_column_find(q.kind, "callee");
	if (o->columns)
		choose_columns(o, &r);
	r.p = subset_open_lists(path, o->threads, o->runs, &err);
	if (!r.p)
		die(1, "%s", err.text);
	if (o->by_centre && !profile_totals(r.p)->run.centre_samples && !profile_error(r.p))
		die(1, "%s has no time by cost centre: compile with cgcc --cgview-flags=centres "
		    "and record again", path);
	check_name(r.p, o->caller);
	check_name(r.p, o->callee);
	cut_off(o, r.p, &q);
	r.list = listing_open(r.p, &q);
	errno = 0;
	o->print(&r);
	status = output_finish("report");
	listing_close(r.list);
	if (profile_error(r.p)) {
		complain("%s", profile_error(r.p));
		status = 1;
	}
	profile_close(r.p);
	return status;
}

int
cmd_report(int argc, char **argv)
{
	struct options o = { .print = report_text, .format = "text", .limit = SIZE_MAX,
			     .seconds = 60 };

	setlocale(LC_CTYPE, "");
	signal(SIGPIPE, SIG_IGN);
	if (report_tree_wanted(argc, argv))
		return report_tree(argc, argv);
	if (!parse_options(&o, argc, argv))
		return output_finish("report");
	return o.sql ? run_sql(&o, argv[optind]) : run(&o, argv[optind]);
}
