#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "make_profile.h"

static const char usage[] =
	"usage: cgview import [-a] [-o FILE] RAW...\n"
	"Make a profile from raw profiles that programs left behind (cgview.PID.raw).\n"
	"  -a        add to the profile that is there, instead of making a new one\n"
	"  -o FILE   write the profile to FILE (prof.db; one that is there is kept as FILE.old)\n";

int
cmd_import(int argc, char **argv)
{
	static const struct option options[] = {
		{ "append", no_argument, NULL, 'a' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' }, { 0 },
	};
	struct make_options o = { .output = "prof.db" };
	struct error err = ERROR_INIT;
	int c;

	while ((c = getopt_long(argc, argv, "ao:h", options, NULL)) != -1) {
		if (c == 'h')
			return fputs(usage, stdout) == EOF;
		if (c == 'a')
			o.append = true;
		else if (c == 'o')
			o.output = optarg;
		else
			return fputs(usage, stderr), 2;
	}
	if (optind == argc)
		return fputs(usage, stderr), 2;
	if (make_profile_check(o.output, &err) ||
	    make_profile((const char *const *)argv + optind, (size_t)(argc - optind), &o, &err))
		die(1, "%s", err.text);
	return 0;
}
