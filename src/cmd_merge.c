/* cgview merge: profiles added up. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "make_profile.h"
#include "merge.h"

static const char usage[] =
	"usage: cgview merge [--by-source] [--keep-going] -o FILE PROFILE...\n"
	"Add up profiles of one build: counts, samples and times; runs and threads stay apart.\n"
	"  -o, --output FILE  write the sum to FILE (one that is there is kept as FILE.old); it\n"
	"                     may be one of the profiles\n"
	"  --by-source        of different builds: add what stands at the same place in the\n"
	"                     source, as cgview diff finds it\n"
	"  --keep-going       leave out what cannot be read or added, and say so; without it\n"
	"                     nothing is written then\n"
	"  --help             this text\n";

int
cmd_merge(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "by-source", no_argument, NULL, 's' },
		{ "keep-going", no_argument, NULL, 'k' },
		{ "help", no_argument, NULL, 'h' }, { 0 },
	};
	struct merge_options o = { .output = NULL };
	struct error err = ERROR_INIT;
	size_t left_out;
	int c;

	while ((c = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
		if (c == 'h')
			return fputs(usage, stdout) == EOF;
		if (c == 'o')
			o.output = optarg;
		else if (c == 's')
			o.by_source = true;
		else if (c == 'k')
			o.keep_going = true;
		else
			return fputs(usage, stderr), 2;
	}
	if (optind == argc)
		return fputs(usage, stderr), 2;
	if (!o.output)
		die(2, "merge: say with -o FILE where the sum is to be written");
	if (make_profile_check(o.output, &err) ||
	    merge_profiles((const char *const *)argv + optind, (size_t)(argc - optind), &o,
			   &left_out, &err))
		die(1, "%s", err.text);
	return left_out ? 1 : 0;
}
