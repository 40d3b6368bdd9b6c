/* cgview reduce: many raw profiles added up to one file. */
#include <stddef.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/make/partial_sums.h"
#include "cmd/make/reduce.h"
#include "cmd/reduce_options.h"

static const struct option_row option_rows[] = {
	REDUCE_OPTIONS,
	{ "since", 0, "LAST",
	  "of one process that goes on, what it did since LAST, a sum\n"
	  "of it that was made before", OPTION_TEXT,
	  .offset = offsetof(struct reduce_options, since) },
	{ "jobs", 'j', "N", "let N processes do the work (1)",
	  OPTION_NUMBER, .offset = offsetof(struct reduce_options, jobs),
	  .number = { "a number of processes, 1 to 256", 1, 256 } },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "reduce", .usage = "reduce", .width = 16, .rows = option_rows,
	.head = "usage: cgview reduce [-j N] [--keep N|all|none] [--keep-going] [--list FILE]\n"
		"                     [--since LAST] [--spread PROGRAM]... -o OUT FILE...\n"
		"Add up raw profiles (cgview.PID.raw) and sums of them to one sum, from which\n"
		"cgview import makes the profile that it would make of all of them.\n",
	.tail = "A sum leaves out when samples were taken (--span), when memory was live and the\n"
		"call paths of allocations (--space; who asked for what is there), and what each\n"
		"process that is not kept did alone.\n",
};

int
cmd_reduce(int argc, char **argv)
{
	struct reduce_options o = REDUCE_OPTIONS_INIT;
	struct error err = ERROR_INIT;
	struct reduce_work work;
	int first = options_parse(&command, &o, argc, argv), left_out;

	if (!first)
		return output_finish("reduce");
	reduce_given(&o, first, argc, argv);
	if (!o.nr_paths)
		die(2, "reduce: which raw profiles? See cgview reduce --help");
	if (o.since && o.nr_spreads)
		die(2, "reduce: --spread compares processes, --since is for one alone");
	o.nr_paths = partial_sums_leave_out((const char **)o.paths, o.nr_paths);
	work = (struct reduce_work){
		.paths = (const char *const *)o.paths, .nr = o.nr_paths, .keep = o.keep,
		.jobs = o.jobs, .since = o.since, .keep_going = o.keep_going,
		.spreads = o.spreads, .nr_spreads = o.nr_spreads,
	};
	left_out = reduce_files(&work, o.output, &err);
	if (left_out < 0)
		die(1, "%s", err.text);
	reduce_options_release(&o);
	return left_out ? 1 : 0;
}
