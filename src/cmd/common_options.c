#include "cmd/common_options.h"

const char *const output_formats[] = {
	[FORMAT_TEXT] = "text", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json", NULL
};

const char *const source_choices[] = { "all", "none", NULL };

const char *
options_profile(const struct option_table *t, int first, int argc, char **argv)
{
	if (first == argc)
		die(2, "%s: which profile? See cgview %s --help", t->command, t->usage);
	if (first < argc - 1)
		die(2, "%s: one profile at a time, not also %s", t->command, argv[first + 1]);
	return argv[first];
}
