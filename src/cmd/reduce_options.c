#include "cmd/reduce_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/import/sums/sumfile.h"
#include "util/mem.h"

void
reduce_set_keep(void *options, char *value)
{
	struct reduce_options *o = options;
	char *end;

	errno = 0;
	o->keep = strtoull(value, &end, 10);
	if (!strcmp(value, "all"))
		o->keep = SUM_KEEP_ALL;
	else if (!strcmp(value, "none"))
		o->keep = 0;
	else if (errno || *end || *value < '0' || *value > '9')
		die(2, "reduce: --keep %s: it is a number, all, or none", value);
}

void
reduce_add_spread(void *options, char *value)
{
	struct reduce_options *o = options;

	GROW(o->spreads, o->nr_spreads + 1, o->spreads_alloc);
	o->spreads[o->nr_spreads++] = value;
}

static void
add_path(struct reduce_options *o, const char *path)
{
	GROW(o->paths, o->nr_paths + 1, o->paths_alloc);
	o->paths[o->nr_paths++] = xstrdup(path);
}

static void
read_list(struct reduce_options *o)
{
	FILE *f = strcmp(o->list, "-") ? fopen(o->list, "r") : stdin;
	char *line = NULL;
	size_t alloc = 0;
	ssize_t n;

	if (!f)
		die(1, "reduce: --list %s: %s", o->list, strerror(errno));
	while ((n = getline(&line, &alloc, f)) > 0) {
		if (line[n - 1] == '\n')
			line[--n] = '\0';
		if (n)
			add_path(o, line);
	}
	if (ferror(f))
		die(1, "reduce: --list %s cannot be read", o->list);
	free(line);
	if (f != stdin)
		fclose(f);
}

/* Nothing but a sum is replaced. */
static void
check_output(const struct reduce_options *o)
{
	struct stat st;

	if (!o->output)
		die(2, "reduce: say with -o OUT where the sum is to be written");
	if (!stat(o->output, &st) && st.st_size && !sumfile_is(o->output))
		die(1, "reduce: -o %s: a file that is no sum is there, it is not replaced",
		    o->output);
}

void
reduce_given(struct reduce_options *o, int first, int argc, char **argv)
{
	check_output(o);
	for (int i = first; i < argc; i++)
		add_path(o, argv[i]);
	if (o->list)
		read_list(o);
}

void
reduce_options_release(struct reduce_options *o)
{
	for (size_t i = 0; i < o->nr_paths; i++)
		free(o->paths[i]);
	free(o->paths);
	free(o->spreads);
}
