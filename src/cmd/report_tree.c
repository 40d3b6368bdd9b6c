/* cgview report --by tree. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cmd/cmd_output.h"
#include "cmd/common_options.h"
#include "db/lists/wings.h"
#include "print/report.h"
#include "print/tree.h"
#include "solve/subset.h"
#include "util/error.h"

struct options {
	struct tree_report report;
	const char *path, *measure; /* NULL: time */
	uint32_t min_ppm;
	size_t limit, depth;
	bool unfolded;
	int format, from;        /* enum output_format, tree_from */
	struct subset_lists lists;
};

enum { DEFAULT_ROWS = 5000, MOST_ROWS = 200000 };

/* ---- options ---- */

enum tree_from { FROM_EITHER = -1, FROM_CONTEXTS, FROM_ARCS };
static const char *const sources[] = {
	[FROM_CONTEXTS] = "contexts", [FROM_ARCS] = "arcs", NULL
};

static void
set_by(void *options, char *name)
{
	(void)options;
	if (strcmp(name, "tree"))
		die(2, "report: --by %s and --by tree: which one?", name);
}

static void
set_procedure(void *options, char *name)
{
	struct options *o = options;

	o->report.procedure = name;
	o->report.want.bottom_up = true;
}

static void
set_wait(void *options, char *none)
{
	struct options *o = options;

	(void)none;
	o->measure = "wait";
}

static void
set_min(void *options, char *text)
{
	struct options *o = options;

	if (list_parse_percent(text, &o->min_ppm) < 0)
		die(2, "report: --min %s: it is a number of percent, 0 to 100", text);
	o->report.min_text = text;
}

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "by", 0, "WHAT", NULL, OPTION_CALL, .set = set_by },
	{ "from", 0, "SOURCE", "contexts: the stacks that were sampled (the default where there\n"
	  "are any); arcs: time shared out by calls, an estimate",
	  OPTION_CHOICE, AT(from), .choices = sources },
	{ "bottom-up", 0, NULL, "from each procedure up to its callers, by self time",
	  OPTION_FLAG, AT(report.want.bottom_up) },
	{ "procedure", 0, "NAME", "bottom-up: of this procedure only, by total time",
	  OPTION_CALL, .set = set_procedure },
	{ "measure", 0, "NAME", "in place of time another measure that stacks have, or arcs",
	  OPTION_TEXT, AT(measure) },
	{ "wait", 0, NULL, "the same as --measure wait, of profiles recorded with --wall",
	  OPTION_CALL, .set = set_wait },
	{ "imbalance", 0, NULL, "how evenly ranks, or else runs, have the time of each row",
	  OPTION_FLAG, AT(report.want.uneven) },
	{ "depth", 0, "N", "at most N levels",
	  OPTION_NUMBER, AT(depth), .number = { "a number, 1 or more", 1, 0 } },
	{ "min", 0, "PERCENT",
	  "nothing that has less of the whole (default: text, lines 0.5, else 0)",
	  OPTION_CALL, .set = set_min },
	{ "limit", 0, "N", "at most N rows, the upper levels first (default 5000)",
	  OPTION_NUMBER, AT(limit), .number = { "a number, 1 or more", 1, 0 } },
	{ "unfolded", 0, NULL, "a row for each procedure, also where the only callee has it all",
	  OPTION_FLAG, AT(unfolded) },
	REPORT_FORMAT_OPTION(AT(format)),
	THREADS_OPTION(AT(lists.threads)),
	RUNS_OPTION(AT(lists.runs)),
	RANKS_OPTION(AT(lists.ranks)),
	SPAN_OPTION(AT(lists.span)),
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "report", .usage = "report --by tree", .width = 19, .rows = option_rows,
	.stranger = "does not go with --by tree",
	.head = "usage: cgview report --by tree [options] [DB]\n"
		"Print callers and callees as a tree.\n"
		"\n",
	.tail = "\n"
		"Self of a row whose callees are not shown has theirs, too, and a +. Recursion is\n"
		"counted where the procedure stands first. See cgview-report(1).\n",
};

bool
report_tree_wanted(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--by=tree") ||
		    (!strcmp(argv[i], "--by") && i + 1 < argc && !strcmp(argv[i + 1], "tree")))
			return true;
	}
	return false;
}

/* ---- the command ---- */

static void
refuse_measure(const struct options *o)
{
	struct profile *p = o->report.p;
	struct strbuf names = STRBUF_INIT;
	unsigned next = tree_next_measure(p, 0), measure;

	for (strbuf_str(&names, "time"); (measure = next);) {
		next = tree_next_measure(p, measure);
		strbuf_fmt(&names, "%s%s", next ? ", " : " or ",
			   profile_measures(p).items[measure - 1].name);
	}
	die(2, "report: --measure %s: it is %s", o->measure, names.buf);
}

static void
choose_measure(struct options *o)
{
	struct tree_report *r = &o->report;
	const struct model_measure *all = profile_measures(r->p).items;
	unsigned measure = 0;

	if (!o->measure || !strcmp(o->measure, "time"))
		return;
	if (!strcmp(o->measure, "wait") && !tree_has_measure(r->p, MEASURE_WAIT))
		die(1, "%s has no %s: %s", o->path, wings[WING_WAITING].what,
		    wings[WING_WAITING].how);
	while ((measure = tree_next_measure(r->p, measure)) &&
	       strcmp(all[measure - 1].name, o->measure))
		;
	if (!measure)
		refuse_measure(o);
	r->want.measure = measure;
}

/* Chooses a source that can be shown, where none was asked for. */
static void
choose_source(struct options *o)
{
	struct tree_report *r = &o->report;
	bool sampled = tree_is_possible(r->p, TREE_CONTEXTS);

	choose_measure(o);
	if (r->want.measure)
		r->want.source = tree_source_of(r->p, r->want.measure);
	else if (o->from != FROM_EITHER)
		r->want.source = o->from == FROM_ARCS ? TREE_ARCS : TREE_CONTEXTS;
	else
		r->want.source = sampled ? TREE_CONTEXTS : TREE_ARCS;
	if (r->want.measure && o->from != FROM_EITHER &&
	    (o->from == FROM_ARCS) != (r->want.source == TREE_ARCS))
		die(2, "report: --measure %s goes with --from %s: %s know nothing of it",
		    o->measure, sources[o->from == FROM_ARCS ? FROM_CONTEXTS : FROM_ARCS],
		    sources[o->from]);
	if (!r->want.measure && r->want.source == TREE_ARCS)
		r->want.measure = tree_arcs_measure(r->p);
	if (r->want.source == TREE_CONTEXTS && !sampled && !r->want.measure)
		die(1, "%s has no sampled stacks: --from arcs", o->path);
}

/* Imbalance is told of the time of stacks, from the callers down. */
static void
check_uneven(const struct options *o)
{
	const struct tree_want *want = &o->report.want;

	if (!want->uneven)
		return;
	if (want->source == TREE_ARCS || want->measure || want->bottom_up)
		die(2, "report: --imbalance goes with the time of stacks, without %s",
		    want->bottom_up ? "--bottom-up or --procedure"
		    : want->measure && want->source == TREE_CONTEXTS ? "--measure" : "--from arcs");
	if (!wing_is_there(o->report.p, WING_SEVERAL))
		die(1, "%s has no %s: %s", o->path, wings[WING_SEVERAL].what,
		    wings[WING_SEVERAL].how);
}

static void
expand(struct options *o)
{
	static char least_of_text[] = "0.5", least[] = "0";
	bool text = o->format == FORMAT_TEXT;
	struct tree_report *r = &o->report;

	if (!r->min_text)
		set_min(o, text || o->format == FORMAT_LINES ? least_of_text : least);
	tree_rows_fold(r->rows, o->unfolded || !text);
	/* Without time, calls have no share of anything. */
	if (tree_has_time(r->rows->tree))
		r->min = (uint64_t)((unsigned __int128)tree_node(r->rows->tree, 0)->total *
				    o->min_ppm / 1000000);
	tree_rows_expand_all(r->rows, 0, r->min, o->limit > MOST_ROWS ? MOST_ROWS : o->limit,
			     o->depth);
}

static struct tree_rows *
open_rows(const struct tree_report *r)
{
	struct tree *tree = tree_open(r->p, &r->want);

	return tree ? tree_rows_open(r->p, tree) : NULL;
}

int
report_tree(int argc, char **argv)
{
	struct options o = { .from = FROM_EITHER, .limit = DEFAULT_ROWS, .depth = SIZE_MAX };
	struct tree_report *r = &o.report;
	int first = options_parse(&command, &o, argc, argv), status;
	struct error err = ERROR_INIT;

	if (!first)
		return output_finish("report");
	if (o.measure && !strcmp(o.measure, "wait") && o.from == FROM_ARCS)
		die(2, "report: --measure wait goes with --from contexts: arcs know nothing of it");
	o.path = options_profile(&command, first, argc, argv);
	r->p = subset_open_lists(o.path, &o.lists, &err);
	if (!r->p)
		die(1, "%s", err.text);
	if (r->procedure)
		r->want.procedure = report_procedure(r->p, r->procedure);
	choose_source(&o);
	check_uneven(&o);
	r->rows = open_rows(r);
	if (r->rows) {
		expand(&o);
		errno = 0;
		if (o.format == FORMAT_TEXT)
			tree_text(r);
		else if (o.format == FORMAT_LINES)
			tree_lines(r);
		else
			tree_data(r, report_formats[o.format]);
		if (tree_full(r->rows->tree))
			complain("report: the tree is too large to show all of it; --min, "
				 "--depth");
	}
	status = output_finish_profile("report", r->p) || !r->rows;
	tree_rows_close(r->rows);
	profile_close(r->p);
	return status;
}
