/* cgview export: a profile in the format of another tool. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/make/private_profile.h"
#include "db/store/new_file.h"
#include "print/export/export.h"
#include "solve/subset.h"
#include "util/error.h"
#include "util/input.h"
#include "util/mem.h"
#include "util/text/nearest.h"

struct options {
	const struct export_format *format;
	const char *output;
	struct subset_lists lists;
	struct export export;
};

static void
set_format(void *options, char *name)
{
	struct options *o = options;
	struct strbuf names = STRBUF_INIT;
	struct nearest n;
	char *question;

	o->format = export_format_find(name);
	if (o->format)
		return;
	nearest_init(&n, name);
	for (const struct export_format *f = export_formats; f->name; f++) {
		nearest_try(&n, f->name);
		strbuf_fmt(&names, "%s%s", names.len ? ", " : "", f->name);
	}
	question = nearest_question(&n);
	if (question)
		die(2, "export: --format %s: it is unknown%s cgview export --help", name, question);
	die(2, "export: --format %s: it is one of %s", name, names.buf);
}

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "format", 0, "FORMAT", "which of the formats below", OPTION_CALL, .set = set_format },
	{ "output", 'o', "FILE", "where to write it (default: standard output)",
	  OPTION_TEXT, AT(output) },
	{ "measure", 0, "NAME", "the figure of a format that has one: samples, time, wait or\n"
	  "another measure that stacks have (default: the first of these\n"
	  "that they have)", OPTION_TEXT, AT(export.measure) },
	{ "root", 0, "DIR", "the directory that names of files are relative to, in a format\n"
	  "that has it (default: where the program ran)", OPTION_TEXT, AT(export.root) },
	{ "sources", 0, "WHICH", "none: no texts of sources; all (the default): those that the\n"
	  "format has", OPTION_FLAG, AT(export.without_sources), .choices = source_choices },
	{ "all", 0, NULL, "html: the sources of what did not run, too, and all\nprocedures",
	  OPTION_FLAG, AT(export.all) },
	THREADS_OPTION(AT(lists.threads)),
	RUNS_OPTION(AT(lists.runs)),
	RANKS_OPTION(AT(lists.ranks)),
	SPAN_OPTION(AT(lists.span)),
	{ .name = NULL },
};

/* Returns what --help prints behind the options: the formats; heap. */
static char *
tell_formats(void)
{
	struct strbuf tail = STRBUF_INIT;

	strbuf_str(&tail, "\nformats:\n");
	for (const struct export_format *f = export_formats; f->name; f++)
		strbuf_fmt(&tail, "  %-12s %s\n", f->name, f->help);
	strbuf_str(&tail, "\nSee cgview-export(1).\n");
	return strbuf_take(&tail);
}

struct output { struct export *export; const struct export_format *format; };

static int
write_output(void *context, FILE *out, struct error *err)
{
	const struct output *o = context;

	return export_write(o->export, o->format, out, err);
}

/* A mistyped -o must not cost a profile. */
static void
check_output(const char *path)
{
	char head[16];
	struct error err = ERROR_INIT;
	struct stat st;
	int fd = input_open(path, &st, &err);
	ssize_t n = fd < 0 ? 0 : input_read_at(fd, 0, head, sizeof(head));

	if (fd >= 0)
		close(fd);
	if (n == sizeof(head) && !memcmp(head, "SQLite format 3", sizeof(head)))
		die(2, "export: -o %s is a profile, which would be replaced: choose another output",
		    path);
}

/* Opens what is to be written. BEFORE: NULL, or what it is compared with. */
static void
open_profiles(struct options *o, const char *before, const char *path)
{
	struct error err = ERROR_INIT;

	o->export.p = subset_open_lists(path, &o->lists, &err);
	if (o->export.p && before)
		o->export.before = subset_open_lists(before, &o->lists, &err);
	if (!o->export.p || (before && !o->export.before))
		die(1, "%s", err.text);
}

static int
run(struct options *o, const char *before, const char *path)
{
	struct output output = { &o->export, o->format };
	struct error err = ERROR_INIT;
	int failed, status;

	if (o->output)
		check_output(o->output);
	else if (o->format->binary && isatty(STDOUT_FILENO))
		die(2, "export: %s is nothing for a terminal: -o FILE%s", o->format->name,
		    o->format->extension);
	open_profiles(o, before, path);
	errno = 0;
	failed = o->output ? new_file_write(o->output, NEW_FILE_OVER, write_output, &output, &err)
			   : write_output(&output, stdout, &err);
	status = output_finish("export");
	if (failed)
		die(1, "export: %s", err.text);
	profile_close(o->export.p);
	if (before)
		profile_close(o->export.before);
	return status;
}

int
cmd_export(int argc, char **argv)
{
	char *tail = tell_formats();
	const struct option_table command = {
		.command = "export", .usage = "export", .width = 19, .rows = option_rows,
		.head = "usage: cgview export --format FORMAT [-o FILE] [options] [DB [DB]]\n"
			"Write a profile in the format of another tool.\n"
			"\n",
		.tail = tail,
	};
	struct options o = { .format = NULL };
	const char *path, *before = NULL;
	int first, status;

	setlocale(LC_CTYPE, "");
	first = options_parse(&command, &o, argc, argv);
	if (!first) {
		free(tail);
		return output_finish("export");
	}
	if (!o.format)
		die(2, "export: which --format? See cgview export --help");
	if (o.export.measure && !o.format->one_measure)
		die(2, "export: --measure: %s has all figures that it can hold", o.format->name);
	if (o.export.all && !o.format->leaves_out)
		die(2, "export: --all: %s leaves nothing out", o.format->name);
	if (argc - first == 2 && o.format->compares)
		before = private_profile(argv[first++], "export");
	if (o.export.root && !o.format->relative)
		die(2, "export: --root: %s has names of files as they are", o.format->name);
	path = options_profile(&command, first, argc, argv);
	status = run(&o, before, path);
	free(tail);
	return status;
}
