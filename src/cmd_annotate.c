/* cgview annotate: the source view of the browser, printed. */
#include <errno.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate.h"
#include "commands.h"
#include "cmd_output.h"
#include "subset.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/path.h"

struct options {
	const char *glob, *procedure, *macro, *columns, *threads, *runs;
	bool expressions, linear, light, colour;
	int metric;      /* enum metric, -1: what the profile has */
};

enum option_key {
	OPTION_FILE = 256, OPTION_PROCEDURE, OPTION_MACRO, OPTION_COLUMNS, OPTION_EXPRESSIONS,
	OPTION_COLOR, OPTION_HEAT, OPTION_LINEAR, OPTION_LIGHT, OPTION_THREADS, OPTION_RUNS
};

static const struct option long_options[] = {
	{ "file", required_argument, NULL, OPTION_FILE },
	{ "procedure", required_argument, NULL, OPTION_PROCEDURE },
	{ "macro", required_argument, NULL, OPTION_MACRO },
	{ "columns", required_argument, NULL, OPTION_COLUMNS },
	{ "expressions", no_argument, NULL, OPTION_EXPRESSIONS },
	{ "color", required_argument, NULL, OPTION_COLOR },
	{ "heat", required_argument, NULL, OPTION_HEAT },
	{ "linear", no_argument, NULL, OPTION_LINEAR },
	{ "light", no_argument, NULL, OPTION_LIGHT },
	{ "threads", required_argument, NULL, OPTION_THREADS },
	{ "runs", required_argument, NULL, OPTION_RUNS },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
	"usage: cgview annotate [options] DB\n"
	"Print the source with count and time before each line.\n"
	"\n"
	"  --file GLOB       only files whose path, or its end, matches\n"
	"  --procedure NAME  only the lines of this procedure\n"
	"  --macro NAME      the pieces of this macro's definition and all its uses\n"
	"  --columns LIST    which, in this order, with commas (default: count,self):\n"
	"                    count, self, self%, error (of sampling), samples, below (the\n"
	"                    costliest call of the line), wait, self/x (for an execution)\n"
	"  --expressions     below a line, one line for each of its expressions\n"
	"  --color WHEN      colour the expressions by heat: auto (on a terminal, the\n"
	"                    default), always or never\n"
	"  --heat WHAT       colour by self, count, total or wait (default: self; count\n"
	"                    when the profile has no times)\n"
	"  --linear          heat in even steps, not in steps of a factor\n"
	"  --light           colours for a light background\n"
	"  --threads LIST    only what these threads did: numbers of --by thread, as 1,3-5\n"
	"  --runs LIST       only what was done in these runs: numbers of --by run\n"
	"  --help            this text\n"
	"\n"
	"x marks code that was never executed; lines without figures have no code.\n"
	"See cgview(1).\n";

static const char *const heats[METRIC_NR] = {
	[METRIC_SELF] = "self", [METRIC_COUNT] = "count", [METRIC_TOTAL] = "total",
	[METRIC_WAIT] = "wait",
};

/* ---- options ---- */

/* As browsers of text do it: NO_COLOR and a dumb terminal count, on demand only the demand does. */
static bool
wants_colour(const char *when)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	if (!strcmp(when, "always") || !strcmp(when, "never"))
		return !strcmp(when, "always");
	if (strcmp(when, "auto"))
		die(2, "annotate: --color %s: it is auto, always or never", when);
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") && !(no && *no);
}

static int
find_heat(const char *name)
{
	int i;

	for (i = 0; i < METRIC_NR; i++)
		if (!strcmp(heats[i], name))
			return i;
	die(2, "annotate: --heat %s: it is self, count, total or wait", name);
}

static void
set_option(struct options *o, int key, char **argv)
{
	switch (key) {
	case OPTION_FILE:
		o->glob = optarg;
		break;
	case OPTION_PROCEDURE:
		o->procedure = optarg;
		break;
	case OPTION_MACRO:
		o->macro = optarg;
		break;
	case OPTION_COLUMNS:
		o->columns = optarg;
		break;
	case OPTION_EXPRESSIONS:
		o->expressions = true;
		break;
	case OPTION_COLOR:
		o->colour = wants_colour(optarg);
		break;
	case OPTION_HEAT:
		o->metric = find_heat(optarg);
		break;
	case OPTION_LINEAR:
		o->linear = true;
		break;
	case OPTION_LIGHT:
		o->light = true;
		break;
	case OPTION_THREADS:
		o->threads = optarg;
		break;
	case OPTION_RUNS:
		o->runs = optarg;
		break;
	case ':':
		die(2, "annotate: %s wants a value; see cgview annotate --help", argv[optind - 1]);
	default:
		/* In a cluster of letters optind stays at the word; optopt is the letter. */
		if (strncmp(argv[optind - 1], "--", 2))
			die(2, "annotate: unknown option -%c; see cgview annotate --help", optopt);
		die(2, "annotate: unknown option %s; see cgview annotate --help", argv[optind - 1]);
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
	if (o->macro && o->procedure)
		die(2, "annotate: --macro or --procedure, not both");
	if (optind == argc)
		die(2, "annotate: which profile? See cgview annotate --help");
	if (optind < argc - 1)
		die(2, "annotate: one profile at a time, not also %s", argv[optind + 1]);
	return true;
}

static void
add_column(struct annotate *a, int column, const char *name, size_t length)
{
	if (column < 0)
		die(2, "annotate: --columns: there is no column %.*s; see cgview annotate --help",
		    (int)length, name);
	for (int i = 0; i < a->nr_columns; i++)
		if ((int)a->columns[i] == column)
			return;
	a->columns[a->nr_columns++] = (enum margin)column;
}

static void
choose_columns(struct annotate *a, const char *list)
{
	unsigned set = margin_default(a->totals);
	size_t n;
	int i;

	for (i = 0; i < MARGIN_NR; i++) {
		a->width[i] = margin_columns[i].width ? margin_columns[i].width
						      : margin_count_width(a->totals);
		if (!list && (set & 1u << i))
			a->columns[a->nr_columns++] = (enum margin)i;
	}
	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		add_column(a, margin_find(list, n), list, n);
	}
}

/* ---- what is printed ---- */

static size_t
print_procedures(struct annotate *a, struct profile *p, const struct options *o)
{
	struct list_query q = { .kind = LIST_PROCEDURE, .filter = o->procedure,
				.sort = list_column_find(LIST_PROCEDURE, "file") };
	int name = list_column_find(q.kind, "procedure"), file = list_column_find(q.kind, "file");
	struct listing *list = listing_open(p, &q);
	const struct list_row *row;
	struct procedure_row procedure;
	size_t nr = 0;

	for (size_t i = 0; (row = listing_row(list, i)); i++) {
		if (strcmp(row->cells[name].text, o->procedure) || row->cells[file].null ||
		    (o->glob && !path_matches(o->glob, row->cells[file].text)))
			continue;
		if (!profile_procedure(p, (model_id)row->cells[0].number, &procedure))
			continue;
		nr++;
		if (!annotate_lines(a, procedure.place.file, procedure.place.line,
				    procedure.place.end_line, procedure.name))
			complain("the text of %s is not in the profile", row->cells[file].text);
	}
	listing_close(list);
	return nr;
}

static size_t
print_files(struct annotate *a, struct profile *p, const struct options *o)
{
	struct list_query q = { .kind = LIST_FILE, .sort = list_column_find(LIST_FILE, "file") };
	int path = q.sort, lines = list_column_find(q.kind, "lines");
	struct listing *list = listing_open(p, &q);
	const struct list_row *row;
	size_t nr = 0;

	for (size_t i = 0; (row = listing_row(list, i)); i++) {
		/* Headers without code are not asked for unless by name. */
		if (o->glob ? !path_matches(o->glob, row->cells[path].text)
			    : !row->cells[lines].number && !o->macro)
			continue;
		if (o->macro) {
			nr += annotate_macro(a, (model_id)row->cells[0].number, o->macro);
			continue;
		}
		nr++;
		if (!annotate_lines(a, (model_id)row->cells[0].number, 1, UINT32_MAX, NULL))
			complain("the text of %s is not in the profile", row->cells[path].text);
	}
	listing_close(list);
	return nr;
}

static void
check_found(size_t nr, const struct options *o, const char *path)
{
	if (nr)
		return;
	if (o->macro)
		die(1, "%s has no definition of a macro %s%s%s", path, o->macro,
		    o->glob ? " in " : "", o->glob ? o->glob : "");
	if (o->procedure)
		die(1, "%s has no procedure %s%s%s: see cgview report %s", path, o->procedure,
		    o->glob ? " in " : "", o->glob ? o->glob : "", path);
	die(1, "%s has no source %s: see cgview report --by file %s", path,
	    o->glob ? o->glob : "with code", path);
}

static int
run(const struct options *o, const char *path)
{
	struct annotate a = { .expressions = o->expressions, .colour = o->colour };
	struct error err = ERROR_INIT;
	struct profile *p = subset_open_lists(path, o->threads, o->runs, &err);
	enum metric metric = (enum metric)o->metric;
	int status;
	size_t nr;

	if (!p)
		die(1, "%s", err.text);
	a.totals = profile_totals(p);
	a.palette = o->light ? PALETTE_LIGHT : PALETTE_DARK;
	a.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	choose_columns(&a, o->columns);
	if (o->metric < 0)
		metric = a.totals->self_samples ? METRIC_SELF : METRIC_COUNT;
	heat_of_profile(&a.heat, metric, o->linear, a.totals);
	docs_init(&a.docs, p);
	errno = 0;
	annotate_legend(&a);
	nr = o->procedure ? print_procedures(&a, p, o) : print_files(&a, p, o);
	status = output_finish("annotate");
	if (profile_error(p)) {
		complain("%s", profile_error(p));
		status = 1;
	} else {
		check_found(nr, o, path);
	}
	docs_release(&a.docs);
	profile_close(p);
	return status;
}

int
cmd_annotate(int argc, char **argv)
{
	struct options o = { .metric = -1 };

	setlocale(LC_CTYPE, "");
	signal(SIGPIPE, SIG_IGN);
	o.colour = wants_colour("auto");
	if (!parse_options(&o, argc, argv))
		return output_finish("annotate");
	return run(&o, argv[optind]);
}
