/* cgview reduce: many raw profiles added up to one file. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/make/reduce.h"
#include "collect/import/sums/sumfile.h"
#include "util/options.h"

struct options {
	const char *output, *list;
	uint64_t keep;
	size_t jobs;
	bool keep_going;
	char **paths;              /* all of them */
	size_t nr_paths, paths_alloc;
};

static void
set_keep(void *options, char *value)
{
	struct options *o = options;
	char *end;

	errno = 0;
	o->keep = strtoull(value, &end, 10);
	if (!strcmp(value, "all"))
		o->keep = SUM_KEEP_ALL;
	else if (!strcmp(value, "none"))
		o->keep = 0;
	else if (errno || *end || *value < '0' || *value > '9')
		die(2, "reduce: --keep %s: it is a number, all, or none", value);
}

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "output", 'o', "OUT", "write the sum to OUT, which may be one of the sums that are added",
	  OPTION_TEXT, AT(output) },
	{ "list", 0, "FILE",
	  "add the files that FILE names, too, one a line; - is the\n"
	  "standard input", OPTION_TEXT, AT(list) },
	{ "keep", 0, "N",
	  "the first N processes (8) can be looked at alone, by job, rank,\n"
	  "host, number and start; all, or none. Where a sum that is added\n"
	  "has kept fewer, fewer are kept", OPTION_CALL, .set = set_keep },
	{ "jobs", 'j', "N", "let N processes do the work (1)",
	  OPTION_NUMBER, AT(jobs), .number = { "a number of processes, 1 to 256", 1, 256 } },
	{ "keep-going", 0, NULL,
	  "leave out what is missing, damaged or there twice, and say so;\n"
	  "without it nothing is written then", OPTION_FLAG, AT(keep_going) },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "reduce", .usage = "reduce", .width = 16, .rows = option_rows,
	.head = "usage: cgview reduce [-j N] [--keep N|all|none] [--keep-going] [--list FILE]\n"
		"                     -o OUT FILE...\n"
		"Add up raw profiles (cgview.PID.raw) and sums of them to one sum, from which\n"
		"cgview import makes the profile that it would make of all of them.\n",
	.tail = "",
};

/* ---- what is given ---- */

static void
add_path(struct options *o, const char *path)
{
	GROW(o->paths, o->nr_paths + 1, o->paths_alloc);
	o->paths[o->nr_paths++] = xstrdup(path);
}

static void
read_list(struct options *o)
{
	FILE *f = strcmp(o->list, "-") ? fopen(o->list, "r") : stdin;
	char *line = NULL;
	size_t alloc = 0;
	ssize_t n;

	if (!f)
		die(1, "reduce: --list %s: %s", o->list, strerror(errno));
	while ((n = getline(&line, &alloc, f)) > 0) {
		if (line[n - 1] == '\n')
			line[--n] = '\0';
		if (n)
			add_path(o, line);
	}
	if (ferror(f))
		die(1, "reduce: --list %s cannot be read", o->list);
	free(line);
	if (f != stdin)
		fclose(f);
}

/* Nothing but a sum is replaced. */
static void
check_output(const struct options *o)
{
	struct stat st;

	if (!o->output)
		die(2, "reduce: say with -o OUT where the sum is to be written");
	if (!stat(o->output, &st) && st.st_size && !sumfile_is(o->output))
		die(1, "reduce: -o %s: a file that is no sum is there, it is not replaced",
		    o->output);
}

int
cmd_reduce(int argc, char **argv)
{
	struct options o = { .keep = REDUCE_KEEP, .jobs = 1 };
	struct error err = ERROR_INIT;
	struct reduce_work work;
	int first = options_parse(&command, &o, argc, argv), left_out;

	if (!first)
		return output_finish("reduce");
	check_output(&o);
	for (int i = first; i < argc; i++)
		add_path(&o, argv[i]);
	if (o.list)
		read_list(&o);
	if (!o.nr_paths)
		die(2, "reduce: which raw profiles? See cgview reduce --help");
	work = (struct reduce_work){
		.paths = (const char *const *)o.paths, .nr = o.nr_paths, .keep = o.keep,
		.jobs = o.jobs, .keep_going = o.keep_going,
	};
	left_out = reduce_files(&work, o.output, &err);
	if (left_out < 0)
		die(1, "%s", err.text);
	for (size_t i = 0; i < o.nr_paths; i++)
		free(o.paths[i]);
	free(o.paths);
	return left_out ? 1 : 0;
}
