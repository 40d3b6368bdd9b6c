/* cgview import: a profile from raw files. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/make/make_profile.h"
#include "cmd/make/raw_directory.h"
#include "collect/import/elf/places.h"
#include "collect/import/errors/defect_log.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/source_paths.h"
#include "util/file_kind.h"
#include "util/mem.h"

struct options {
	const char *output;
	struct source_paths source_paths;
	struct make_options make;
};

/* What is given: raw profiles, what other tools wrote of errors, and a profile of another tool. */
struct inputs {
	const char **raws, **logs;
	size_t nr_raws, nr_logs;
	/* Of the files of other tools, which are among the raw ones: what they are, one of them. */
	const struct foreign_format *format;
	const char *foreign;
};

static void
add_source_path(void *options, char *value)
{
	source_path_option(&((struct options *)options)->source_paths, value);
}

static void
set_symfs(void *options, char *directory)
{
	(void)options;
	directory_option("--symfs", directory);
	places_set_root(directory);
}

static void
add_programs(void *options, char *directory)
{
	(void)options;
	directory_option("--programs", directory);
	places_add_programs(directory);
}

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
	{ "program", 0, "PROGRAM",
	  "whose profile another tool has written, where that does\n"
	  "not have its places", OPTION_TEXT, AT(make.program) },
	{ "symfs", 0, "DIR",
	  "programs and libraries of the profile are below DIR, a\n"
	  "copy of the system where it was recorded",
	  OPTION_CALL, .set = set_symfs },
	{ "programs", 0, "DIR",
	  "a program or library that is not where it was, or was\n"
	  "rebuilt, is in DIR, by build id or by name; may be given\n"
	  "several times", OPTION_CALL, .set = add_programs },
	DEBUG_DIR_OPTION,
	SOURCES_OPTION(AT(make.without_texts)),
	SOURCE_PATH_OPTION(.set = add_source_path),
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "import", .usage = "import", .width = 21, .rows = option_rows,
	.head = "usage: cgview import [-a] [-o FILE] [--keep-going] [--sources WHICH]\n"
		"                     [--source-path OLD=NEW|DIR] [--symfs DIR]\n"
		"                     [--programs DIR] [--debug-dir DIR] FILE...\n"
		"Make a profile from raw profiles that programs left behind (cgview.PID.raw),\n"
		"or from the file of another tool: perf, gcov, lcov, llvm-cov, callgrind, pprof,\n"
		"flame graphs ... (man cgview-formats).\n"
		"Also what other tools found: valgrind's XML, logs of the address, leak,\n"
		"undefined-behaviour and thread sanitizers; alone, that goes to the profile that\n"
		"is there.\n",
	.tail = "",
};

static void
classify_inputs(struct inputs *in, const char *const *paths, size_t nr)
{
	size_t nr_foreign = 0;

	in->raws = xcalloc(2 * nr, sizeof(*in->raws));
	in->logs = in->raws + nr;
	for (size_t i = 0; i < nr; i++) {
		const struct foreign_format *format = foreign_format_of(paths[i]);

		if (format && in->format && format != in->format)
			die(1, "%s is %s, and %s is %s: import each alone", in->foreign,
			    in->format->name, paths[i], format->name);
		if (format) {
			in->format = format;
			in->foreign = paths[i];
			nr_foreign++;
		}
		if (!format && defect_log_is(paths[i]))
			in->logs[in->nr_logs++] = paths[i];
		else
			in->raws[in->nr_raws++] = paths[i];
	}
	if (in->format && (nr_foreign < in->nr_raws || (nr_foreign > 1 && !in->format->several)))
		die(1, "%s is %s: import it alone, without other profiles", in->foreign,
		    in->format->name);
}

/* Errors alone are no profile. */
static void
check_output(const char *output, struct options *o, const struct inputs *in)
{
	char *told;

	if (in->nr_raws)
		return;
	told = file_kind_of(in->logs[0]);
	if (told && !strstr(told, "cgview import"))
		die(1, "%s", told);
	free(told);
	if (!o->make.to->seen.there)
		die(1, "%s is not a raw profile, and what a tool told of errors is added to one: "
		    "there is no %s, record the program first", in->logs[0], output);
	o->make.append = true;
}

int
cmd_import(int argc, char **argv)
{
	struct destination to;
	struct options o = { .output = "prof.db", .make.to = &to };
	struct error err = ERROR_INIT;
	int first = options_parse(&command, &o, argc, argv), status;
	struct inputs in = { .nr_raws = 0 };

	if (!first)
		return output_finish("import");
	if (first == argc)
		die(2, "import: which raw profiles? See cgview import --help");
	classify_inputs(&in, (const char *const *)argv + first, (size_t)(argc - first));
	o.make.logs = in.logs;
	o.make.nr_logs = in.nr_logs;
	o.make.source_paths = &o.source_paths;
	o.make.format = in.format;
	if (make_profile_check_room(&err))
		die(1, "%s", err.text);
	status = destination_open(&to, o.output, &err);
	if (!status)
		check_output(o.output, &o, &in);
	if (!status && !in.format)
		raw_directory_tell_left(o.output, in.raws, in.nr_raws);
	if (!status)
		status = make_profile(in.raws, in.nr_raws, &o.make, &err);
	destination_close(&to);
	free(in.raws);
	source_paths_release(&o.source_paths);
	if (status < 0)
		die(1, "%s", err.text);
	return status;
}
