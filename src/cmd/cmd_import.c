/* cgview import: a profile from raw files. */
#include <stddef.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/make_profile.h"
#include "cmd/raw_directory.h"

struct options {
	const char *output;
	struct make_options make;
};

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "append", 'a', NULL, "add to the profile that is there, instead of making a new\n"
	  "one",
	  OPTION_FLAG, AT(make.append) },
	{ "output", 'o', "FILE",
	  "write the profile to FILE (prof.db; one that is there is\n"
	  "kept as FILE.old)", OPTION_TEXT, AT(output) },
	{ "keep-going", 0, NULL,
	  "leave out what is missing or damaged, of another build,\n"
	  "or there twice, and say so; without it nothing is written\n"
	  "then",
	  OPTION_FLAG, AT(make.keep_going) },
	SOURCES_OPTION(AT(make.without_texts)),
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "import", .usage = "import", .width = 21, .rows = option_rows,
	.head = "usage: cgview import [-a] [-o FILE] [--keep-going] [--sources WHICH] RAW...\n"
		"Make a profile from raw profiles that programs left behind (cgview.PID.raw).\n",
	.tail = "",
};

int
cmd_import(int argc, char **argv)
{
	struct destination to;
	struct options o = { .output = "prof.db", .make.to = &to };
	struct error err = ERROR_INIT;
	int first = options_parse(&command, &o, argc, argv), status;
	const char *const *raws = (const char *const *)argv + first;
	size_t nr = (size_t)(argc - first);

	if (!first)
		return output_finish("import");
	if (!nr)
		die(2, "import: which raw profiles? See cgview import --help");
	status = destination_open(&to, o.output, &err);
	if (!status)
		raw_directory_tell_left(o.output, raws, nr);
	if (!status)
		status = make_profile(raws, nr, &o.make, &err);
	destination_close(&to);
	if (status < 0)
		die(1, "%s", err.text);
	return status;
}
