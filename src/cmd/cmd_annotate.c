/* cgview annotate: the source view of the browser, printed. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "print/annotate.h"
#include "print/report.h"
#include "show/code/instructions.h"
#include "solve/subset.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/text/path.h"

/* ---- options ---- */

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
static const char *const colours[] = {
	[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL
};

struct options {
	const char *glob, *procedure, *macro, *columns, *metric;
	struct subset_lists lists;
	bool expressions, linear, light, asm_code;
	int colour;      /* enum colour */
};

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "file", 0, "GLOB", "only files whose path, or its end, matches",
	  OPTION_TEXT, AT(glob) },
	{ "procedure", 0, "NAME", "only the lines of this procedure",
	  OPTION_TEXT, AT(procedure) },
	{ "macro", 0, "NAME", "the pieces of this macro's definition and all its uses",
	  OPTION_TEXT, AT(macro) },
	{ "columns", 0, "LIST", "which, in this order, with commas (default: count,self):\n"
	  "count, self, self%, error (of sampling), samples, below (the\n"
	  "costliest call of the line), wait, total_wait, self/x (for an\n"
	  "execution), code (bytes of machine code), NAME and total_NAME of\n"
	  "each other measure",
	  OPTION_TEXT, AT(columns) },
	{ "expressions", 0, NULL, "below a line, one line for each of its expressions",
	  OPTION_FLAG, AT(expressions) },
	{ "asm", 0, NULL, "with --procedure: its machine code, and what was sampled in each\n"
	  "instruction of it, in place of the source; objdump reads it",
	  OPTION_FLAG, AT(asm_code) },
	{ "color", 0, "WHEN", "colour the expressions by heat: auto (on a terminal, the\n"
	  "default), always or never", OPTION_CHOICE, AT(colour), .choices = colours },
	{ "heat", 0, "WHAT", "colour by self, count, total, wait or another measure (default:\n"
	  "self; count when the profile has no times)", OPTION_TEXT, AT(metric) },
	{ "linear", 0, NULL, "heat in even steps, not in steps of a factor",
	  OPTION_FLAG, AT(linear) },
	{ "light", 0, NULL, "colours for a light background", OPTION_FLAG, AT(light) },
	THREADS_OPTION(AT(lists.threads)),
	RUNS_OPTION(AT(lists.runs)),
	RANKS_OPTION(AT(lists.ranks)),
	SPAN_OPTION(AT(lists.span)),
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "annotate", .usage = "annotate", .width = 20, .rows = option_rows,
	.head = "usage: cgview annotate [options] [DB]\n"
		"Print the source with count and time before each line.\n"
		"\n",
	.tail = "\n"
		"x marks code that was never executed; lines without figures have no code.\n"
		"See cgview-annotate(1).\n",
};

/* As other text browsers do, NO_COLOR and a dumb terminal count; when asked for, only that
 * counts. */
static bool
wants_colour(const struct options *o)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	if (o->colour != COLOUR_AUTO)
		return o->colour == COLOUR_ALWAYS;
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") && !(no && *no);
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
	a->columns[a->nr_columns++] = column;
}

static void
choose_columns(struct annotate *a, const char *list)
{
	uint64_t set = margin_default(&a->margins);
	size_t n;

	/* A further measure that is in the colours is in the margin, too. */
	if (a->heat.metric >= &a->metrics.items[METRIC_CODE])
		set |= MARGIN_BIT(margin_of_metric(&a->margins, a->heat.metric));
	for (int i = 0; i < a->margins.nr; i++) {
		a->width[i] = a->margins.columns[i].width ? a->margins.columns[i].width
							  : margin_count_width(a->totals);
		if (!list && (set & MARGIN_BIT(i)))
			a->columns[a->nr_columns++] = i;
	}
	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		add_column(a, margin_find(&a->margins, list, n), list, n);
	}
}

/* NAME: what the user wants; NULL: time if there is any. */
static void
choose_heat(struct annotate *a, const char *name, bool linear)
{
	int metric = metrics_first(&a->metrics, a->totals);
	struct strbuf names = STRBUF_INIT;

	if (name)
		metric = metrics_find(&a->metrics, name, strlen(name));
	if (metric < 0) {
		metrics_names(&a->metrics, &names);
		die(2, "annotate: --heat %s: it is %s", name, names.buf);
	}
	heat_of_metric(&a->heat, &a->metrics.items[metric], linear);
	strbuf_release(&names);
}

/* ---- what is printed ---- */

static void
print_code(struct annotate *a, model_id procedure)
{
	const struct instructions_query q = { .procedure = procedure, .ascii = a->ascii };
	struct strbuf out = STRBUF_INIT;
	struct error err = ERROR_INIT;

	if (instructions_text(&out, &a->docs, &q, &err) < 0)
		die(1, "annotate --asm: %s", err.text);
	printf("%s%s", a->begun ? "\n" : "", out.buf);
	a->begun = true;
	strbuf_release(&out);
}

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
		if (o->asm_code)
			print_code(a, (model_id)row->cells[0].number);
		else if (!annotate_lines(a, procedure.place.file, procedure.place.line,
				    procedure.place.end_line, procedure.name) &&
		    !profile_error(p))
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
		if (!annotate_lines(a, (model_id)row->cells[0].number, 1, UINT32_MAX, NULL) &&
		    !profile_error(p))
			complain("the text of %s is not in the profile", row->cells[path].text);
	}
	listing_close(list);
	return nr;
}

static void
check_found(size_t nr, const struct options *o, struct profile *p, const char *path)
{
	if (nr)
		return;
	if (o->macro)
		die(1, "%s has no definition of a macro %s%s%s", path, o->macro,
		    o->glob ? " in " : "", o->glob ? o->glob : "");
	if (o->procedure && o->glob)
		die(1, "%s has no procedure %s in %s: see cgview report --file '%s' %s", path,
		    o->procedure, o->glob, o->glob, path);
	if (o->procedure)
		refuse_procedure(p, o->procedure);
	die(1, "%s has no source %s: see cgview report --by file %s", path,
	    o->glob ? o->glob : "with code", path);
}

static int
run(const struct options *o, const char *path)
{
	struct annotate a = { .expressions = o->expressions, .colour = wants_colour(o) };
	struct error err = ERROR_INIT;
	struct profile *p = subset_open_lists(path, &o->lists, &err);
	int status;
	size_t nr;

	if (!p)
		die(1, "%s", err.text);
	a.totals = profile_totals(p);
	a.palette = o->light ? PALETTE_LIGHT : PALETTE_DARK;
	a.ascii = report_ascii();
	metrics_of(&a.metrics, p);
	margins_of(&a.margins, &a.metrics);
	choose_heat(&a, o->metric, o->linear);
	choose_columns(&a, o->columns);
	docs_init(&a.docs, p);
	errno = 0;
	nr = o->procedure ? print_procedures(&a, p, o) : print_files(&a, p, o);
	status = output_finish_profile("annotate", p);
	if (!profile_error(p))
		check_found(nr, o, p, path);
	docs_release(&a.docs);
	profile_close(p);
	return status;
}

int
cmd_annotate(int argc, char **argv)
{
	struct options o = { .metric = NULL };
	int first;

	setlocale(LC_CTYPE, "");
	first = options_parse(&command, &o, argc, argv);
	if (!first)
		return output_finish("annotate");
	if (o.asm_code && !o.procedure)
		die(2, "annotate --asm: name the procedure by --procedure NAME");
	if (o.asm_code && (o.lists.threads || o.lists.runs || o.lists.ranks || o.lists.span))
		die(2, "annotate --asm: instructions have samples of the whole profile: leave out "
		    "--threads, --runs, --ranks and --span");
	if (o.macro && o.procedure)
		die(2, "annotate: --macro or --procedure, not both");
	return run(&o, options_profile(&command, first, argc, argv));
}
