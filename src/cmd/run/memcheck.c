#include "cmd/run/memcheck.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/run/left_behind.h"
#include "util/error.h"
#include "util/mem.h"

#define VALGRIND "valgrind"
#define BEGIN "memcheck."

void
memcheck_check(void)
{
	char *path = find_program(VALGRIND);

	if (!path || access(path, X_OK))
		die(NOT_FOUND, "--memcheck: there is no " VALGRIND " in PATH: install it "
		    "(apt install valgrind), or record without --memcheck");
	free(path);
}

/* Returns the option that says where reports go; valgrind replaces what a percent sign begins. */
static char *
report_option(const char *directory)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_str(&sb, "--xml-file=");
	for (; *directory; directory++)
		strbuf_str(&sb, *directory == '%' ? "%%" : (const char[]){ *directory, '\0' });
	strbuf_str(&sb, "/" BEGIN "%p.xml");
	return strbuf_take(&sb);
}

void
memcheck_begin(struct memcheck *c, const char *directory, char **program, size_t nr)
{
	static const char *const options[] = {
		VALGRIND, "-q", "--tool=memcheck", "--xml=yes", "--leak-check=full",
		"--show-leak-kinds=definite,possible", "--track-origins=yes", "--num-callers=40",
		"--trace-children=yes", "--child-silent-after-fork=no",
	};
	enum { NR = sizeof(options) / sizeof(*options) };
	size_t n = 0;

	c->arguments = xcalloc(NR + nr + 3, sizeof(*c->arguments));
	for (size_t i = 0; i < NR; i++)
		c->arguments[n++] = xstrdup(options[i]);
	c->arguments[n++] = report_option(directory);
	c->arguments[n++] = xstrdup("--");
	for (size_t i = 0; i < nr; i++)
		c->arguments[n++] = xstrdup(program[i]);
}

static int
compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void
memcheck_end(struct memcheck *c, const char *directory)
{
	DIR *d = opendir(directory);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, BEGIN, strlen(BEGIN)))
			continue;
		GROW(c->reports, c->nr_reports + 1, c->reports_alloc);
		c->reports[c->nr_reports++] = xasprintf("%s/%s", directory, e->d_name);
	}
	if (d)
		closedir(d);
	if (c->nr_reports)
		qsort(c->reports, c->nr_reports, sizeof(*c->reports), compare_names);
	else
		complain("--memcheck: valgrind has left no report: run it by hand to see why "
			 "(CGVIEW_OUT=off valgrind PROGRAM)");
}

void
memcheck_remove(const struct memcheck *c)
{
	for (size_t i = 0; i < c->nr_reports; i++)
		unlink(c->reports[i]);
}
