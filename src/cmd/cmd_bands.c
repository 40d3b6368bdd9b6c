/* cgview bands: live memory over time, drawn. */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "db/lists/wings.h"
#include "db/store/new_file.h"
#include "print/bands.h"
#include "util/error.h"

struct options {
	const char *output;
	int by;                    /* enum bands_by */
	size_t heap;               /* from 1 on; 0: not told */
};

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "output", 'o', "FILE", "where to draw it, as SVG: FILE.svg; without, as text to\n"
	  "standard output", OPTION_TEXT, AT(output) },
	{ "by", 0, "WHAT", "a band for each producer, the call that asked for it (the\n"
	  "default), or for each procedure, file, module, type of what the\n"
	  "blocks are for, size class, site (the call, whoever wants the\n"
	  "block), or disposer: who will give it back, as far as that is\n"
	  "certain",
	  OPTION_CHOICE, AT(by), .choices = bands_by_names },
	{ "process", 0, "N", "of the processes with moments the one with the Nth greatest\n"
	  "peak (default: 1)", OPTION_NUMBER, AT(heap), .number = { "a number, 1 or more", 1, 0 } },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "bands", .usage = "bands", .width = 19, .rows = option_rows,
	.head = "usage: cgview bands [-o FILE.svg] [options] [DB]\n"
		"Draw live memory over time, of a profile recorded with --space.\n"
		"\n",
	.tail = "\n"
		"The bands with most area are the lowest. See cgview-bands(1).\n",
};

static int
write_picture(void *picture, FILE *out, struct error *err)
{
	(void)err;
	bands_svg(picture, out);
	return 0;
}

int
cmd_bands(int argc, char **argv)
{
	struct options o = { .by = BANDS_BY_PRODUCER };
	struct error err = ERROR_INIT;
	struct bands_picture b;
	struct live_heap heap;
	int first = options_parse(&command, &o, argc, argv);
	const char *path, *end = o.output ? strrchr(o.output, '.') : NULL;

	if (!first)
		return output_finish("bands");
	if (o.output && (!end || strcmp(end, ".svg")))
		die(2, "bands: -o %s: its name ends in .svg; rsvg-convert and inkscape make "
		    "other pictures of that", o.output);
	path = options_profile(&command, first, argc, argv);
	setlocale(LC_CTYPE, "");
	b.p = profile_open(path, &err);
	if (!b.p)
		die(1, "%s", err.text);
	if (!heap_read(b.p, o.heap ? o.heap - 1 : 0, (enum bands_by)o.by, &heap)) {
		if (profile_error(b.p))
			die(1, "%s", profile_error(b.p));
		if (heaps_count(b.p))
			die(1, "bands: --process %zu: %s has moments of %zu", o.heap, path,
			    heaps_count(b.p));
		die(1, "%s has no %s: %s", path, wings[WING_MOMENTS].what, wings[WING_MOMENTS].how);
	}
	b.heap = &heap;
	b.command = profile_totals(b.p)->run.command;
	b.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	errno = 0;
	if (!o.output)
		bands_text(&b, stdout);
	else if (new_file_write(o.output, NEW_FILE_OVER, write_picture, &b, &err))
		die(1, "bands: %s", err.text);
	first = output_finish_profile("bands", b.p);
	heap_release(&heap);
	profile_close(b.p);
	return first;
}
