#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/make_profile.h"
#include "cmd/raw_directory.h"

static const char usage[] =
	"usage: cgview import [-a] [-o FILE] [--keep-going] [--sources WHICH] RAW...\n"
	"Make a profile from raw profiles that programs left behind (cgview.PID.raw).\n"
	"  -a        add to the profile that is there, instead of making a new one\n"
	"  -o FILE   write the profile to FILE (prof.db; one that is there is kept as FILE.old)\n"
	"  --keep-going\n"
	"            leave out what is missing or damaged, of another build, or there twice, and\n"
	"            say so; without it nothing is written then\n"
	"  --sources none\n"
	"            keep no source texts in the profile (all: those that can be read)\n";

int
cmd_import(int argc, char **argv)
{
	static const struct option options[] = {
		{ "append", no_argument, NULL, 'a' },
		{ "output", required_argument, NULL, 'o' },
		{ "keep-going", no_argument, NULL, 'k' },
		{ "sources", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' }, { 0 },
	};
	struct destination to;
	struct make_options o = { .to = &to };
	const char *output = "prof.db";
	struct error err = ERROR_INIT;
	int c, status;

	while ((c = getopt_long(argc, argv, "ao:h", options, NULL)) != -1) {
		if (c == 'h')
			return fputs(usage, stdout) == EOF;
		if (c == 'a')
			o.append = true;
		else if (c == 'o')
			output = optarg;
		else if (c == 'k')
			o.keep_going = true;
		else if (c == 's')
			o.without_texts = make_profile_without_texts(optarg);
		else
			return fputs(usage, stderr), 2;
	}
	if (optind == argc)
		return fputs(usage, stderr), 2;
	status = destination_open(&to, output, &err);
	if (!status)
		raw_directory_tell_left(output, (const char *const *)argv + optind,
					(size_t)(argc - optind));
	if (!status)
		status = make_profile((const char *const *)argv + optind, (size_t)(argc - optind),
				      &o, &err);
	destination_close(&to);
	if (status < 0)
		die(1, "%s", err.text);
	return status;
}
