/* cgview DB: browse a profile in the terminal. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/diff_args.h"
#include "cmd/diff_sizes.h"
#include "cmd/make/private_profile.h"
#include "cmd/make/raw_directory.h"
#include "cmd/run/run_again.h"
#include "db/store/profile.h"
#include "print/diff_series.h"
#include "solve/subset.h"
#include "tui/keys/config.h"
#include "tui/tui.h"
#include "util/error.h"
#include "util/options.h"

struct arguments {
	struct tui_options tui;
	struct diff_args compared;
	const char *expression, *series, *config;
	struct tui_print print;
	bool print_keys, lines;
};

static void
set_sizes(void *arguments, char *text)
{
	diff_args_sizes(&((struct arguments *)arguments)->compared, "browse", text);
}

static void
add_rename(void *arguments, char *text)
{
	diff_args_rename(&((struct arguments *)arguments)->compared, "browse", text);
}

static void
set_print_size(void *arguments, char *text)
{
	struct tui_print *p = &((struct arguments *)arguments)->print;
	char end;

	if (sscanf(text, "%4dx%4d%c", &p->columns, &p->rows, &end) != 2 || p->columns < 24 ||
	    p->rows < 5 || p->columns > 1000 || p->rows > 1000)
		die(2, "browse: --print-size %s: it is COLUMNSxROWS, as 120x40; from 24x5 to "
		    "1000x1000", text);
}

#define AT(member) .offset = offsetof(struct arguments, member)
static const struct option_row option_rows[] = {
	{ "mono", 'm', NULL, "no colours (as with the environment variable NO_COLOR)",
	  OPTION_FLAG, AT(tui.mono) },
	{ "light", 0, NULL, "colours for a light background",
	  OPTION_CONSTANT, AT(tui.background), .constant = TUI_LIGHT },
	{ "dark", 0, NULL, "colours for a dark background",
	  OPTION_CONSTANT, AT(tui.background), .constant = TUI_DARK },
	{ "config", 0, "FILE", "keys, colours and options of your own, in place of those in\n"
	  "~/.config/cgview/config (cgview-config(5)); /dev/null: none", OPTION_TEXT, AT(config) },
	{ "print-keys", 0, NULL, "print the keys as they are, and what is wrong in the file",
	  OPTION_FLAG, AT(print_keys) },
	{ "print", 0, "SCREEN", "write what the browser would show, as text with colours, and no\n"
	  "terminal is needed: summary, source:NAME, callers:NAME, tree,\n"
	  "icicle, never, timeline ... (cgview-browse(1))", OPTION_TEXT, AT(print.screen) },
	{ "print-size", 0, "CxR", "of so many columns and rows, by default 120x40",
	  OPTION_CALL, .set = set_print_size },
	{ "svg", 0, NULL, "as SVG", OPTION_FLAG, AT(print.svg) },
	{ "lines", 0, NULL, "browse line by line, as with a screen reader: keys, actions\n"
	  "(cgview-keys(7)) and commands are read, a line each, and what the\n"
	  "view shows then is printed as plain text", OPTION_FLAG, AT(lines) },
	{ "expression", 'e', "EXPR", "what is compared, as in cgview diff --help",
	  OPTION_TEXT, AT(expression),
	  .above = "\n"
		   "With several profiles they are compared: what is more or less in the last one\n"
		   "than in the first, everywhere.\n"
		   "\n" },
	{ "normalise", 0, "WHAT", "make total, or a procedure, the same in all",
	  OPTION_TEXT, AT(compared.normalise) },
	{ "size", 0, "N,M...", "sizes of the inputs, for growth() and a.run.size",
	  OPTION_CALL, .set = set_sizes },
	{ "rename", 0, "REGEX=NEW", "names and paths of A as they are called in B",
	  OPTION_CALL, .set = add_rename },
	{ "series", 0, "FILE", "runs on larger and larger inputs: the exponents with which\n"
	  "all grows. FILE has the sizes, as in cgview diff", OPTION_TEXT, AT(series) },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "browse", .usage = "browse", .width = 21, .rows = option_rows,
	.head = "usage: cgview [browse] [-m] [--light | --dark] [--config FILE] [DB]\n"
		"       cgview [browse] [options] [-e EXPR] A.db B.db [C.db...]\n"
		"       cgview browse --print-keys [--config FILE]\n"
		"Browse a profile: where the time goes, how often things run, who calls what.\n"
		"\n",
	.tail = "\n"
		"In the browser ? shows all keys. Without a terminal: cgview report DB.\n",
};

/* The profiles of a comparison; the last one is browsed. */
static void
open_all(char *const *paths, size_t nr, struct profile **profiles)
{
	struct error err = ERROR_INIT;
	char *path;

	for (size_t i = 0; i < nr; i++) {
		profiles[i] = subset_open_named(private_profile(paths[i], ""), &err);
		if (profiles[i])
			continue;
		path = subset_path(paths[i]);
		if (access(path, F_OK)) /* its first record was killed? */
			raw_directory_tell_left(path, NULL, 0);
		free(path);
		die(1, "%s", err.text);
	}
}

/* A wrong expression is reported before the terminal is taken. */
static void
check_expression(const struct tui_compare *compare)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct comparison *c = compare->comparison;
	struct expression_context context;
	struct expression *e;

	if (!compare->expression)
		return;
	comparison_context(c, BY_PROCEDURE, &context);
	if (compare->series)
		context.nr_profiles = 1;
	e = expression_compile(expression_meant(compare->expression, true), &context, &err);
	if (!e)
		die(2, "browse: -e: %s", err.error.text);
	expression_free(e);
}

static void
set_compare(struct arguments *a, struct tui_compare *compare, char *const *paths,
	    struct profile *const *profiles, size_t nr)
{
	struct error err = ERROR_INIT;

	if (a->series && (a->compared.nr_sizes || a->compared.size_rule))
		die(2, "browse: --series has the sizes: no --size");
	if (a->series && diff_sizes_rule(a->series))
		a->compared.size_rule = a->series;
	else if (a->series)
		series_read_sizes(a->series, paths, nr, a->compared.sizes);
	if (a->compared.size_rule) {
		diff_sizes_read("browse", a->compared.size_rule, profiles, nr, a->compared.sizes);
		a->compared.size_name = diff_sizes_name(a->compared.size_rule);
	}
	*compare = (struct tui_compare){
		.profiles = profiles, .nr = nr, .expression = a->expression,
		.options = diff_args_options(&a->compared), .series = a->series != NULL,
	};
	compare->comparison = comparison_open(profiles, nr, &compare->options, &err);
	if (!compare->comparison)
		die(1, "%s", err.text);
	check_expression(compare);
	a->tui.compare = compare;
}

static void
check(const struct arguments *a, size_t nr)
{
	if (nr == 1 && (a->expression || a->series || a->compared.normalise ||
			a->compared.nr_sizes || a->compared.nr_renames))
		die(2, "one profile alone cannot be compared: cgview A.db B.db");
	diff_args_check(&a->compared, "browse", nr);
}

static int
browse(struct arguments *a, struct profile **profile, struct error *err)
{
	if (a->print.screen)
		return tui_print(profile, &a->tui, &a->print, stdout, err);
	if (!a->lines)
		return tui_browse(profile, &a->tui, err);
	a->tui.again = NULL; /* it would want the terminal */
	return tui_lines(profile, &a->tui, &a->print, stdin, stdout, err);
}

int
cmd_browse(int argc, char **argv)
{
	struct arguments a = {
		.tui = { .script = getenv("CGVIEW_SCRIPT"), .again = run_again },
		.print = { .columns = 120, .rows = 40 },
	};
	struct profile *profiles[MAX_PROFILES] = { NULL };
	struct tui_compare compare;
	struct config config;
	struct error err = ERROR_INIT;
	int first = options_parse(&command, &a, argc, argv);
	size_t nr = (size_t)(argc - first);
	char *const *paths = argv + first, *by_default = (char *)DEFAULT_PROFILE, **names, *rule;
	size_t sizes;

	if (!first)
		return output_finish("browse");
	if (a.print_keys && !nr) {
		config_read(&config, a.config);
		return tui_print_keys(&config, stdout) ? 1 : 0;
	}
	if (!nr && !profile_by_default(NULL))
		profile_none(NULL, "browse");
	if (!nr) {
		paths = &by_default;
		nr = 1;
	}
	if (nr == 1 && diff_sizes_sweep(paths[0], MAX_PROFILES, &names, &sizes, &rule)) {
		paths = names;
		nr = sizes;
		a.series = a.series ? a.series : rule;
	}
	check(&a, nr);
	if (a.print.svg && !a.print.screen)
		die(2, "browse: --svg is for --print");
	if (a.print.screen && a.lines)
		die(2, "browse: --print or --lines");
	if (a.tui.script && !*a.tui.script)
		a.tui.script = NULL;
	open_all(paths, nr, profiles);
	if (!a.print.screen && !a.lines && tui_possible(&a.tui, &err) < 0)
		die(1, "%s", err.text);
	config_read(&config, a.config); /* -e may name an expression of it */
	a.tui.config = &config;
	if (nr > 1)
		set_compare(&a, &compare, paths, profiles, nr);
	if (browse(&a, &profiles[nr - 1], &err) < 0)
		die(1, "%s", err.text);
	config_release(&config);
	for (size_t i = 0; i < nr; i++)
		profile_close(profiles[i]);
	return a.print.screen || a.lines ? output_finish("browse") : 0;
}
