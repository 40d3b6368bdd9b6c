/* cgview merge: profiles added up. */
#include <stddef.h>

#include "commands.h"
#include "make_profile.h"
#include "merge.h"
#include "options.h"
#include "util/error.h"

#define AT(member) .offset = offsetof(struct merge_options, member)
static const struct command_option table[] = {
	{ "output", 'o', "FILE",
	  "write the sum to FILE (one that is there is kept as FILE.old); it\n"
	  "may be one of the profiles", OPTION_TEXT, AT(output) },
	{ "by-source", 0, NULL, "of different builds: add what stands at the same place in the\n"
	  "source, as cgview diff finds it", OPTION_FLAG, AT(by_source) },
	{ "keep-going", 0, NULL, "leave out what cannot be read or added, and say so; without it\n"
	  "nothing is written then", OPTION_FLAG, AT(keep_going) },
	{ .name = NULL },
};

static const struct command_options command = {
	.command = "merge", .usage = "merge", .width = 21, .table = table,
	.head = "usage: cgview merge [--by-source] [--keep-going] -o FILE PROFILE...\n"
		"Add up profiles of one build: counts, samples and times; runs and threads stay "
		"apart.\n",
	.tail = "",
};

int
cmd_merge(int argc, char **argv)
{
	struct merge_options o = { .output = NULL };
	struct error err = ERROR_INIT;
	int first = options_parse(&command, &o, argc, argv);
	size_t left_out;

	if (!first)
		return 0;
	if (first == argc)
		die(2, "merge: which profiles? See cgview merge --help");
	if (!o.output)
		die(2, "merge: say with -o FILE where the sum is to be written");
	if (make_profile_check_inputs(o.output, true, (const char *const *)argv + first,
				      (size_t)(argc - first), &err))
		die(2, "merge: %s", err.text);
	if (make_profile_check(o.output, &err) ||
	    merge_profiles((const char *const *)argv + first, (size_t)(argc - first), &o,
			   &left_out, &err))
		die(1, "%s", err.text);
	return left_out ? 1 : 0;
}
