/* cgview diff: profiles compared. As of diff(1) status 1 says that --fail-if holds somewhere, and 2
 * that something went wrong: who tests a program by it must not take the one for the other. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/diff_args.h"
#include "cmd/diff_cause.h"
#include "cmd/diff_except.h"
#include "cmd/diff_sizes.h"
#include "cmd/make/make_profile.h"
#include "cmd/make/private_profile.h"
#include "compare/judge.h"
#include "compare/store.h"
#include "print/annotations.h"
#include "print/diff.h"
#include "print/diff_series.h"
#include "print/report.h"
#include "solve/subset.h"
#include "tui/keys/config.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/text/safe.h"

/* ---- options ---- */

struct options {
	struct diff_args args;
	const char *expression, *fail_if, *except, *only, *output, *series, *config, *filter, *glob;
	const char *root;
	int by, format;
	bool by_given, by_cause;
	double at;
	bool plot;
	size_t limit;
};

static void
set_by(void *options, char *name)
{
	struct options *o = options;

	o->by_given = true;
	o->by_cause = !strcmp(name, "cause");
	o->by = o->by_cause ? BY_PROCEDURE : compare_by_find(name);
	if (o->by < 0)
		die(2, "diff: --by %s: it is cause, procedure, block, range, line, site, arc, "
		    "pair, file, producer, type, size, disposer or pool", name);
}

static void
set_sizes(void *options, char *text)
{
	diff_args_sizes(&((struct options *)options)->args, "diff", text);
}

static void
set_at(void *options, char *text)
{
	((struct options *)options)->at = diff_args_size("diff", "--at", text);
}

static void
add_rename(void *options, char *text)
{
	diff_args_rename(&((struct options *)options)->args, "diff", text);
}

static void
set_filter(void *options, char *pattern)
{
	report_check_filter("diff", pattern);
	((struct options *)options)->filter = pattern;
}

/* Those of all commands, and one more. */
enum { FORMAT_MARKDOWN = FORMAT_JSON + 1, FORMAT_GITHUB, FORMAT_GITLAB };
static const char *const diff_formats[] = {
	[FORMAT_TEXT] = "text", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json",
	[FORMAT_MARKDOWN] = "markdown", [FORMAT_GITHUB] = "github", [FORMAT_GITLAB] = "gitlab", NULL
};

static bool
annotates(int format)
{
	return format == FORMAT_GITHUB || format == FORMAT_GITLAB;
}

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "expression", 'e', "EXPR", "what is computed for each row: an SQL expression, as in\n"
	  "'b.count - 2 * a.count', or a name from the list below\n"
	  "(default: the difference of the own times, or of counts\n"
	  "when there are no times)", OPTION_TEXT, AT(expression) },
	{ "output", 'o', "FILE", "write a profile: B's with the comparison in it, of all\n"
	  "kinds of rows that have the figures, or of the kind of --by;\n"
	  "nothing is printed. It is none of the profiles compared; one\n"
	  "that is there is kept as FILE.old", OPTION_TEXT, AT(output) },
	{ "by", 0, "WHAT", "cause: more work, or dearer work, where, and who makes it (two\n"
	  "profiles: the default on a terminal, and in markdown);\n"
	  "procedure (else the default), block, range, line, site, arc,\n"
	  "file; pair: all arcs between two procedures. Of memory recorded\n"
	  "with --space: producer (what each call got of each size),\n"
	  "type, size; disposer (what each call gave back); pool (what\n"
	  "each call got of pools)",
	  OPTION_CALL, .set = set_by },
	{ "only", 0, "WHICH", "rows that are only in a or b; in both; or changed: in both,\n"
	  "with another text", OPTION_TEXT, AT(only) },
	{ "filter", 0, "REGEX", "only rows with a name, or a path, in which this extended\n"
	  "regular expression is found; except of procedures and files\n"
	  "also in the source text; capitals matter if it has any",
	  OPTION_CALL, .set = set_filter },
	{ "file", 0, "GLOB", "only what is in files whose path, or its end, matches",
	  OPTION_TEXT, AT(glob) },
	{ "limit", 0, "N", "at most N rows",
	  OPTION_NUMBER, AT(limit), .number.what = "a number of rows" },
	{ "format", 0, "FORMAT", "text (the default), csv, json; markdown: for a comment on a\n"
	  "change; github, gitlab: annotations at the lines of what is\n"
	  "claimed to be slower, dearer or more work, as commands of a\n"
	  "workflow, or a Code Quality report; these three of the first\n"
	  "ten rows if there is no --limit",
	  OPTION_CHOICE, AT(format), .choices = diff_formats },
	{ "root", 0, "DIR", "github, gitlab: paths are told from this directory (default:\n"
	  "that of the repository that the working directory is in)", OPTION_TEXT, AT(root) },
	{ "size", 0, "N,M...", "sizes of the inputs, for growth() and a.run.size; or where they\n"
	  "are: PROCEDURE.n (its calls), PROCEDURE.work, line:FILE:N\n"
	  "(counts), arg:K, bytes:K (the number, or file, that argument K\n"
	  "of the recorded command is), env:NAME (record --keep-env)",
	  OPTION_CALL, .set = set_sizes },
	{ "normalise", 0, "WHAT", "make total, or a procedure, the same in all: the figures of\n"
	  "b and the others are multiplied accordingly", OPTION_TEXT, AT(args.normalise) },
	{ "rename", 0, "REGEX=NEW", "names and paths of a as they are called in b",
	  OPTION_CALL, .set = add_rename },
	{ "fail-if", 0, "EXPR", "print only rows for which this is true; then exit with 1:\n"
	  "slower(5%, 1ms): with all that it calls, by more than this\n"
	  "share and this time a run, beyond chance; dearer(5%): each of\n"
	  "its executions; more_work(2%): more block executions;\n"
	  "more_bytes(2%): more allocated; unresolved(5%): that could not\n"
	  "be seen; or as in 'b.calls > 1.1 * a.calls'", OPTION_TEXT, AT(fail_if) },
	{ "except", 0, "FILE", "with --fail-if: procedures that it is not true for, a pattern a\n"
	  "line (*, ?, [...]); # begins a comment", OPTION_TEXT, AT(except) },
	{ "series", 0, "FILE", "runs on larger and larger inputs: how each row grows (1, log n,\n"
	  "sqrt n, n, n log n, n^1.5, n^2, n^2 log n, n^3, 2^n), the\n"
	  "fastest first. FILE has the sizes, one a line in the order of\n"
	  "the profiles, or lines PROFILE SIZE; or it is arg:K\n"
	  "and so on, as with --size. What is fitted is -e EXPR\n"
	  "over a (default: a.work of procedures, all that they executed,\n"
	  "else a.count); --by: procedure and range, if not given",
	  OPTION_TEXT, AT(series) },
	{ "at", 0, "N", "with --series: what each row would have at size N, and between\n"
	  "what it would be in 95 of 100 runs", OPTION_CALL, .set = set_at },
	{ "plot", 0, NULL, "with --series: draw the points and the growth of each row, too",
	  OPTION_FLAG, AT(plot) },
	{ "config", 0, "FILE", "expressions with names of your own, in place of those in\n"
	  "~/.config/cgview/config (cgview-config(5)); /dev/null: none",
	  OPTION_TEXT, AT(config) },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "diff", .usage = "diff", .width = 21, .rows = option_rows,
	.head = "usage: cgview diff [options] A.db B.db [C.db...]\n"
		"Compare profiles: what is a in the first, b in the second, and so on. The row\n"
		"that differs most stands first. A side may be some runs, threads or ranks of a\n"
		"profile: all.db:runs=1-20, all.db:threads=2,5, all.db:ranks=0-3.\n"
		"\n",
	.tail = "\n"
		"In an expression: a.count a.calls a.self_ns a.total_ns a.propagated_ns ...,\n"
		"totals a.run.count a.run.self_ns ..., all scalar functions of SQLite, and\n"
		"ratio(x,y) share(x,total) growth(x,y) significance(x,y).\n",
};

/* The user's own expressions; keys and colours are of no use here. */
static void
read_config(const char *path)
{
	struct config config;

	config_read(&config, path);
	config_tell(&config);
	config_release(&config);
}

static void
print_named(const struct named_expression *n)
{
	struct strbuf text = STRBUF_INIT;

	safe_str(&text, n->expression);
	if (n->of_procedures)
		strbuf_fmt(&text, "; of procedures: %s", n->of_procedures);
	printf("  %-13s %s\n  %-13s   %s\n", n->name, *n->help ? n->help : "your own", "",
	       text.buf);
	strbuf_release(&text);
}

/* Behind the options in --help. */
static void
print_named_expressions(void)
{
	const struct named_expression *n;

	puts("\nExpressions with a name:");
	for (size_t i = 0; (n = expression_named(i)); i++)
		print_named(n);
	fputs("\ncsv and json are for programs: their columns stay; text may change.\n"
	      "See cgview-diff(1).\n", stdout);
}

static void
check_options(const struct options *o, size_t nr)
{
	int profile = o->only ? sides_find(o->only, strlen(o->only)) : 0;
	bool letter = profile >= 0 && (size_t)profile < nr;

	if (o->except && !o->fail_if)
		die(2, "diff: --except goes with --fail-if");
	if (o->except && !compare_by_has_owner((enum compare_by)o->by))
		die(2, "diff: --except names procedures: no --by %s",
		    compare_by_name((enum compare_by)o->by));
	if ((o->at > 0 || o->plot) && !o->series)
		die(2, "diff: --at and --plot go with --series only");
	if (o->series && (o->output || o->fail_if || o->only || o->args.nr_sizes ||
			  o->args.size_rule || o->filter ||
			  o->glob))
		die(2, "diff: --series goes with -e, --at, --plot, --by, --limit, --format, "
		    "--normalise and --rename only");
	if (o->series && o->format >= FORMAT_MARKDOWN)
		die(2, "diff: --series has no --format %s", diff_formats[o->format]);
	if (o->root && !annotates(o->format))
		die(2, "diff: --root goes with --format github and --format gitlab");
	if (o->output && !o->fail_if && (o->filter || o->glob))
		die(2, "diff: --filter and --file choose what is printed: with --output "
		    "nothing is");
	if (o->by_cause && (o->expression || o->output || o->fail_if || o->only || o->filter ||
			    o->glob || o->series || o->args.normalise || o->args.nr_sizes))
		die(2, "diff: --by cause goes with --limit, --format, --rename and --config only");
	if (o->by_cause && nr != 2)
		die(2, "diff: --by cause compares two profiles");
	if (nr < 2)
		die(2, "diff: which profiles? See cgview diff --help");
	diff_args_check(&o->args, "diff", nr);
	if (o->only && !letter && strcmp(o->only, "both") && strcmp(o->only, "changed"))
		die(2, "diff: --only %s: it is a, b, both or changed", o->only);
}

/* Status 1 says something else here. */
static int
finish_output(void)
{
	return output_finish("diff") ? 2 : 0;
}

/* ---- expressions ---- */

/* Tell what is wrong with an expression, and where. */
static void
explain(const char *option, const char *text, const struct expression_error *err)
{
	struct strbuf safe = STRBUF_INIT;
	int indent;

	complain("diff: %s: %s", option, err->error.text);
	if (err->place < 0 || (size_t)err->place > strlen(text))
		return;
	indent = safe_width(text, (size_t)err->place);
	safe_str(&safe, text);
	fprintf(stderr, "  %s\n  %*s^\n", safe.buf, indent, "");
	strbuf_release(&safe);
}

static bool
is_wanted(const struct options *o, const struct diff *d, const struct compared_row *row)
{
	if (!o->only)
		return true;
	if (!strcmp(o->only, "both"))
		return compared_everywhere(d->t, row);
	if (!strcmp(o->only, "changed"))
		return row->changed;
	return sides_count(&row->sides) == 1 &&
	       sides_have(&row->sides, (size_t)sides_find(o->only, strlen(o->only)));
}

static bool
fails(struct judge *j, size_t i)
{
	struct error err = ERROR_INIT;
	int failed = judge_row(j, i, &err);

	if (failed < 0)
		die(2, "diff: --fail-if: %s", err.text);
	return failed;
}

static void
choose_rows(const struct options *o, struct diff *d, struct judge *judge)
{
	struct diff_filter filter;
	bool any = false;

	diff_filter_open(&filter, d, o->filter, o->glob);
	for (size_t i = 0; diff_filter_next(&filter, &i); i++) {
		struct compared_row row;

		any = true;
		compared_row(d->t, i, &row);
		if (!is_wanted(o, d, &row) || (judge && !fails(judge, i)))
			continue;
		GROW(d->rows, d->nr_rows + 1, d->rows_alloc);
		d->rows[d->nr_rows++] = i;
	}
	diff_filter_close(&filter);
	if (judge && !any && (o->filter || o->glob))
		die(2, "diff: --fail-if: nothing is judged: --filter and --file leave none of the "
		    "%zu %s", compared_rows(d->t), compare_by_things(compared_by(d->t)));
}

/* ---- judging ---- */

static struct judge *
open_judge(const struct options *o, struct comparison *c)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct judge *j = judge_open(c, (enum compare_by)o->by, o->fail_if, &err);

	if (!j) {
		explain("--fail-if", o->fail_if, &err);
		exit(2);
	}
	if (o->except)
		judge_except(j, diff_except_read(o->except, comparison_match(c)));
	return j;
}

/* Returns the figures that a condition is about: of thresholds, then others. */
static size_t
judged_figures(const struct judge *j, enum figure figures[DIFF_JUDGED])
{
	size_t nr, n = 0;
	const struct threshold *t = expression_thresholds(judge_expression(j), &nr);
	uint64_t seen = 0;

	for (size_t i = 0; i < nr && n < DIFF_JUDGED; i++) {
		if (!(seen & FIGURE_BIT(t[i].figure)))
			figures[n++] = t[i].figure;
		seen |= FIGURE_BIT(t[i].figure);
	}
	const struct reference *r = expression_references(judge_expression(j), &nr);
	for (size_t i = 0; i < nr && n < DIFF_JUDGED; i++) {
		if (!(seen & FIGURE_BIT(r[i].figure)))
			figures[n++] = (enum figure)r[i].figure;
		seen |= FIGURE_BIT(r[i].figure);
	}
	return n;
}

/* Returns the expression to be shown: that of a condition, if it does not ask for the value, is the
 * difference of what it is about. Heap. */
static char *
choose_expression(const struct options *o, struct comparison *c, const struct judge *j)
{
	enum figure figures[DIFF_JUDGED];
	const char *f;

	if (o->expression)
		return xstrdup(o->expression);
	if (!j || expression_uses_value(judge_expression(j)) || !judged_figures(j, figures))
		return xstrdup(comparison_default(c, (enum compare_by)o->by));
	f = figure_name(figures[0]);
	return xasprintf("%s.%s - a.%s", sides_name(comparison_profiles(c) - 1), f, f);
}

/* Begins to judge the rows; tells the printers what it is about. */
static void
begin_judge(struct judge *j, struct diff *d)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	enum figure figures[DIFF_JUDGED];
	size_t nr = judged_figures(j, figures);
	int failed;

	if (diff_hardly_matches(d, &text))
		die(2, "diff: --fail-if: nothing is judged: %s", text.buf);
	failed = judge_begin(j, d->t, &err) ? -1 : judge_all(j, &err);
	if (failed < 0)
		die(2, "diff: --fail-if: %s", err.text);
	d->all_fails = failed;
	d->fail_if = expression_text(judge_expression(j));
	for (size_t i = 0; i < nr; i++) {
		if (figures[i] != compared_figure(d->t))
			d->judged[d->nr_judged++] = figures[i];
	}
	d->tells_chance = judge_discoveries(j, &d->chance);
}

/* A condition that could not be judged must not let everything pass. */
static void
end_judge(struct judge *j, const struct diff *d)
{
	struct error err = ERROR_INIT;

	if (!d->nr_rows && !d->all_fails && judge_end(j, &err))
		die(2, "diff: --fail-if: %s", err.text);
}

/* How sure rows are is told of the kinds that people read as a whole. */
static void
find_chance(struct diff *d)
{
	struct discoveries found = compared_discoveries(d->t); /* verdicts need them, too */

	if (d->tells_chance || !compared_sampled(d->t))
		return;
	d->chance = found;
	d->tells_chance = true;
}

/* Stores the rows of all kinds that have what the expression asks for, at least those of --by. */
static int
store(const struct options *o, struct comparison *c, struct model *m)
{
	const struct compared *stored[NR_COMPARE_BY] = { NULL };
	const char *text = o->expression;

	comparison_store(c, o->args.sizes, m);
	for (int by = 0; by < NR_COMPARE_BY; by++) {
		struct expression_error err = EXPRESSION_ERROR_INIT;
		const char *e = text ? text : comparison_default(c, (enum compare_by)by);
		const struct named_expression *named = expression_find(e);
		struct compared *t;

		if (o->by_given && by != o->by)
			continue;
		t = comparison_table(c, (enum compare_by)by, e, &err);
		if (t && compared_sampled(t) &&
		    comparison_know_runs(c, compared_figure(t), &err.error))
			die(2, "%s", err.error.text);
		if (t) {
			compared_store(t, named ? named->name : NULL, m);
			stored[by] = t;
		} else if (by == o->by) {
			explain("-e", expression_meant(e, by == BY_PROCEDURE), &err);
			return 2;
		}
	}
	if (stored[BY_ARC] && stored[BY_PAIR])
		compared_store_pairs(stored[BY_ARC], stored[BY_PAIR], m);
	return 0;
}

static int
write_result(const struct options *o, struct comparison *c, struct destination *to)
{
	struct profile *last = comparison_profile(c, comparison_profiles(c) - 1);
	struct error err = ERROR_INIT;
	struct model m;
	int status;

	model_init(&m);
	if (subset_load(&m, profile_name(last), &err))
		die(2, "%s", err.text);
	status = store(o, c, &m);
	if (!status)
		status = make_profile_write(&m, &(struct make_options){ .to = to }, &err);
	if (status < 0)
		die(2, "%s", err.text);
	model_release(&m);
	return status;
}

static int
fit_series(const struct options *o, struct comparison *c)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct series_options series = {
		.sizes = o->args.sizes, .expression = o->expression, .at = o->at, .plot = o->plot,
		.limit = o->limit,
		.format = output_formats[o->format],
		.kinds = o->by_given ? 1u << o->by : 1u << BY_PROCEDURE | 1u << BY_RANGE,
	};
	int status = series_print(c, &series, &err);

	if (!status)
		return finish_output();
	explain("-e", o->expression ? o->expression : "", &err);
	return 2;
}

/* The root is needed until the end. */
static struct annotations_print
annotations_of(const struct options *o)
{
	return (struct annotations_print){
		.format = diff_formats[o->format], .limit = o->limit,
		.root = o->root || !annotates(o->format) ? o->root : annotations_root(),
	};
}

static void
print(const struct options *o, struct diff *d)
{
	struct strbuf text = STRBUF_INIT;
	struct annotations_print annotations = annotations_of(o);

	if (o->format == FORMAT_TEXT)
		diff_text(d);
	else if (o->format == FORMAT_MARKDOWN)
		diff_markdown(d);
	else if (annotates(o->format))
		annotations_diff(&annotations, d);
	else
		diff_data(d, output_formats[o->format]);
	if (o->format != FORMAT_TEXT && o->format != FORMAT_MARKDOWN &&
	    diff_hardly_matches(d, &text))
		complain("diff: %s", text.buf);
	strbuf_release(&text);
}

static int
compare(const struct options *o, struct comparison *c)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct judge *judge = o->fail_if ? open_judge(o, c) : NULL;
	char *text = choose_expression(o, c, judge);
	const uint64_t samples = FIGURE_BIT(FIGURE_SELF_SAMPLES) | FIGURE_BIT(FIGURE_TOTAL_SAMPLES);
	struct arena texts = ARENA_INIT;
	struct diff d = { .c = c, .normalise = o->args.normalise, .limit = o->limit,
			  .texts = &texts };
	bool failed;

	if (comparison_load(c, (enum compare_by)o->by, samples, &err.error))
		die(2, "%s", err.error.text);
	d.t = comparison_table(c, (enum compare_by)o->by, text, &err);
	if (!d.t) {
		explain("-e", expression_meant(text, o->by == BY_PROCEDURE), &err);
		return 2;
	}
	if (compared_sampled(d.t) && comparison_know_runs(c, compared_figure(d.t), &err.error))
		die(2, "%s", err.error.text);
	if (judge)
		begin_judge(judge, &d);
	find_chance(&d);
	choose_rows(o, &d, judge);
	if (judge)
		end_judge(judge, &d);
	errno = 0;
	print(o, &d);
	failed = judge && (d.nr_rows || d.all_fails);
	judge_close(judge);
	free(text);
	free(d.rows);
	arena_release(&texts);
	return finish_output() ? 2 : failed;
}

/* Whoever asks for nothing else wants to know why there is a difference. Costs of another tool have
 * no work that they could be told from. */
static bool
wants_cause(const struct options *o, struct profile *const *profiles, size_t nr)
{
	bool asked = o->by_given || o->expression || o->output || o->fail_if || o->only ||
		     o->filter || o->glob || o->series || o->args.normalise || o->args.nr_sizes ||
		     o->args.size_rule;

	for (size_t k = 0; k < nr; k++)
		asked |= profile_lines_are_uncounted(profiles[k]);
	return o->by_cause || (nr == 2 && !asked && (o->format >= FORMAT_MARKDOWN ||
						    (o->format == FORMAT_TEXT && isatty(1))));
}

static int
print_cause(const struct options *o, struct profile *a, struct profile *b,
	    const struct match_options *match)
{
	static const enum diff_cause_format formats[] = {
		[FORMAT_TEXT] = CAUSE_TEXT, [FORMAT_CSV] = CAUSE_CSV, [FORMAT_JSON] = CAUSE_JSON,
		[FORMAT_MARKDOWN] = CAUSE_MARKDOWN,
	};

	errno = 0;
	if (annotates(o->format)) {
		struct annotations_print annotations = annotations_of(o);
		struct ledger_print l;

		diff_cause_make(&l, a, b, match);
		annotations_ledger(&annotations, &l);
		diff_cause_release(&l);
	} else {
		diff_cause(a, b, match, formats[o->format], o->limit);
	}
	return finish_output();
}

/* ---- the command ---- */

static void
open_output(struct destination *to, const char *output, char *const *names, size_t nr)
{
	char *paths[MAX_PROFILES];
	struct error err = ERROR_INIT;

	if (destination_open(to, output, &err))
		die(2, "%s", err.text);
	for (size_t i = 0; i < nr; i++)
		paths[i] = subset_path(names[i]);
	if (destination_check_inputs(to, false, (const char *const *)paths, nr, &err))
		die(2, "diff: %s", err.text);
	for (size_t i = 0; i < nr; i++)
		free(paths[i]);
}

static int
run(struct options *o, char **paths, size_t nr)
{
	struct profile *profiles[MAX_PROFILES] = { NULL };
	struct comparison_options options = diff_args_options(&o->args);
	const char *rule = o->args.size_rule;
	struct error err = ERROR_INIT;
	struct destination to = { .path = NULL };
	struct comparison *c;
	int status;

	if (o->output)
		open_output(&to, o->output, paths, nr);
	for (size_t i = 0; i < nr; i++) {
		profiles[i] = subset_open_named(private_profile(paths[i], "diff"), &err);
		if (!profiles[i])
			die(2, "%s", err.text);
	}
	if (rule) {
		diff_sizes_read("diff", rule, profiles, nr, o->args.sizes);
		memcpy(options.sizes, o->args.sizes, sizeof(options.sizes));
	}
	if (wants_cause(o, profiles, nr)) {
		status = print_cause(o, profiles[0], profiles[1], &options.match);
		profile_close(profiles[0]);
		profile_close(profiles[1]);
		return status;
	}
	c = comparison_open(profiles, nr, &options, &err);
	if (!c)
		die(2, "%s", err.text);
	if (comparison_check_space(c, (enum compare_by)o->by, &err))
		die(2, "diff: --by %s: %s", compare_by_name((enum compare_by)o->by), err.text);
	status = o->series ? fit_series(o, c) : o->output ? write_result(o, c, &to) : 0;
	if (!status && !o->series && (!o->output || o->fail_if))
		status = compare(o, c);
	destination_close(&to);
	comparison_close(c);
	for (size_t i = 0; i < nr; i++)
		profile_close(profiles[i]);
	return status;
}

/* One profile that has runs of several sizes is a series of them: record --sweep makes such. In
 * "--series prof.db" it stands where else sizes do. */
static void
take_sweep(struct options *o, char ***paths, size_t *nr)
{
	const char *path = *nr == 1 ? **paths : NULL;
	char **names, *rule;
	size_t sizes;

	if (!*nr && o->series && !diff_sizes_rule(o->series))
		path = o->series;
	if (!path || !diff_sizes_sweep(path, MAX_PROFILES, &names, &sizes, &rule))
		return;
	if (!*nr || !o->series)
		o->series = rule;
	*paths = names;
	*nr = sizes;
}

int
cmd_diff(int argc, char **argv)
{
	struct options o = { .limit = SIZE_MAX, .by = BY_PROCEDURE };
	int first;
	size_t nr;

	setlocale(LC_CTYPE, "");
	first = options_parse(&command, &o, argc, argv);
	if (!first) {
		read_config(o.config);
		print_named_expressions();
		return finish_output();
	}
	argv += first;
	nr = (size_t)(argc - first);
	take_sweep(&o, &argv, &nr);
	check_options(&o, nr);
	read_config(o.config);
	if (o.series && diff_sizes_rule(o.series)) {
		o.args.size_rule = o.series;
		o.args.size_name = diff_sizes_name(o.series);
	}
	else if (o.series)
		series_read_sizes(o.series, argv, nr, o.args.sizes);
	return run(&o, argv, nr);
}
