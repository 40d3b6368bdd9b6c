/* cgview merge: profiles added up. */
#include <stddef.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/diff_args.h"
#include "cmd/make/make_profile.h"
#include "cmd/make/merge.h"
#include "util/error.h"
#include "util/options.h"

struct options {
	const char *output;
	struct destination to;
	struct merge_options merge;
	struct diff_args args;
};

static void
add_rename(void *options, char *text)
{
	diff_args_rename(&((struct options *)options)->args, "merge", text);
}

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "output", 'o', "FILE",
	  "write the sum to FILE (one that is there is kept as FILE.old); it\n"
	  "may be one of the profiles", OPTION_TEXT, AT(output) },
	{ "by-source", 0, NULL, "of different builds: add what stands at the same place in the\n"
	  "source, as cgview diff finds it", OPTION_FLAG, AT(merge.by_source) },
	{ "rename", 0, "REGEX=NEW",
	  "with --by-source: names and paths of the other builds as they\n"
	  "are called in the newest", OPTION_CALL, .set = add_rename },
	{ "keep-going", 0, NULL, "leave out what cannot be read or added, and say so; without it\n"
	  "nothing is written then", OPTION_FLAG, AT(merge.keep_going) },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "merge", .usage = "merge", .width = 21, .rows = option_rows,
	.head = "usage: cgview merge [options] -o FILE PROFILE...\n"
		"Add up profiles of one build: counts, samples and times; runs and threads stay "
		"apart.\n",
	.tail = "",
};

static void
check(struct options *o, const char *const *paths, size_t nr)
{
	struct error err = ERROR_INIT;

	if (!nr)
		die(2, "merge: which profiles? See cgview merge --help");
	if (!o->output)
		die(2, "merge: say with -o FILE where the sum is to be written");
	if (o->args.nr_renames && !o->merge.by_source)
		die(2, "merge: --rename goes with --by-source: one build has one name for each "
		    "thing");
	if (destination_open(&o->to, o->output, &err))
		die(1, "%s", err.text);
	if (destination_check_inputs(&o->to, true, paths, nr, &err))
		die(2, "merge: %s", err.text);
}

int
cmd_merge(int argc, char **argv)
{
	struct options o = { .output = NULL };
	const char *const *paths;
	struct error err = ERROR_INIT;
	int first = options_parse(&command, &o, argc, argv);
	size_t nr, left_out;
	int status;

	if (!first)
		return output_finish("merge");
	paths = (const char *const *)argv + first;
	nr = (size_t)(argc - first);
	check(&o, paths, nr);
	o.merge.match = diff_args_options(&o.args).match;
	o.merge.match.first_is_new = true;
	o.merge.match.only_equal = true;
	o.merge.to = &o.to;
	status = merge_profiles(paths, nr, &o.merge, &left_out, &err);
	destination_close(&o.to);
	if (status < 0)
		die(1, "%s", err.text);
	return status || left_out ? 1 : 0;
}
