/* cgview brief: the facts that matter of a profile, or of what differs between two. */
#include <errno.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/diff_cause.h"
#include "cmd/make/private_profile.h"
#include "print/brief.h"
#include "solve/subset.h"
#include "util/error.h"

struct options {
	int format;
};

static const struct option_row option_rows[] = {
	FORMAT_OPTION(.offset = offsetof(struct options, format)),
	{.name = NULL},
};

static const struct option_table command = {
	.command = "brief",
	.usage = "brief",
	.width = 19,
	.rows = option_rows,
	.head = "usage: cgview brief [options] [DB]\n"
		"       cgview brief [options] A.db B.db\n"
		"Print ten facts of a profile, in at most 60 lines: the run, what is hottest, who\n"
		"calls it, what ran most and never, memory, waiting, and what limits trust. Of "
		"two\n"
		"profiles: what differs, and where that comes from. Each figure says how sure it\n"
		"is, each fact which command shows more.\n"
		"\n",
	.tail = "\n"
		"csv and json are for programs: their columns stay; text may change.\n"
		"See cgview-brief(1), and cgview guide.\n",
};

static struct profile *
open_profile(const char *name)
{
	struct error err = ERROR_INIT;
	struct profile *p = subset_open_named(name, &err);

	if (!p)
		die(1, "%s", err.text);
	return p;
}

static void
print(const struct options *o, const struct brief *b)
{
	errno = 0;
	if (o->format == FORMAT_TEXT)
		brief_text(b);
	else
		brief_data(b, output_formats[o->format]);
}

static int
of_one(const struct options *o, const char *path, const char *name)
{
	struct profile *p = open_profile(path);
	struct brief b;
	int status;

	brief_make(&b, p, name);
	print(o, &b);
	brief_release(&b);
	status = output_finish_profile("brief", p);
	profile_close(p);
	return status;
}

static int
of_two(const struct options *o, char *const *names)
{
	const char *const called[2] = {names[0], names[1]};
	struct profile *a = open_profile(private_profile(names[0], "brief"));
	struct profile *b = open_profile(private_profile(names[1], "brief"));
	struct ledger_print l;
	struct brief brief;
	int status;

	diff_cause_make(&l, a, b, &(struct match_options){.nr_renames = 0});
	brief_compare(&brief, &l, called);
	print(o, &brief);
	brief_release(&brief);
	diff_cause_release(&l);
	status = output_finish_profile("brief", a) | output_finish_profile("brief", b);
	profile_close(a);
	profile_close(b);
	return status;
}

int
cmd_brief(int argc, char **argv)
{
	struct options o = {.format = FORMAT_TEXT};
	const char *path;
	int first;

	setlocale(LC_CTYPE, "");
	first = options_parse(&command, &o, argc, argv);
	if (!first)
		return output_finish("brief");
	if (argc - first == 2)
		return of_two(&o, argv + first);
	if (argc - first > 2)
		die(2, "brief: of one profile, or of two, not also of %s", argv[first + 2]);
	path = options_profile(&command, first, argc, argv);
	return of_one(&o, path, first < argc ? argv[first] : path);
}
