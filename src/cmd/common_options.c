#include "cmd/common_options.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/make/private_profile.h"
#include "collect/import/elf/places.h"
#include "collect/import/source_paths.h"
#include "collect/pattern.h"
#include "db/store/schema.h"
#include "util/input.h"
#include "util/mem.h"
#include "util/text/nearest.h"

const char *const output_formats[] = {
	[FORMAT_TEXT] = "text", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json", NULL
};
const char *const report_formats[] = {
	[FORMAT_TEXT] = "text", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json",
	[FORMAT_LINES] = "lines", NULL
};

const char *const source_choices[] = { "all", "none", NULL };

void
source_path_option(struct source_paths *p, const char *value)
{
	struct stat st;

	if (source_paths_add(p, value))
		die(2, "--source-path %s: it wants OLD=NEW, or a directory", value);
	if (!strchr(value, '=') && (stat(value, &st) || !S_ISDIR(st.st_mode)))
		die(2, "--source-path %s: there is no such directory", value);
}

void
directory_option(const char *option, const char *directory)
{
	struct stat st;

	if (stat(directory, &st) || !S_ISDIR(st.st_mode))
		die(2, "%s %s: there is no such directory", option, directory);
}

void
debug_dir_option(void *ignored, char *directory)
{
	(void)ignored;
	directory_option("--debug-dir", directory);
	places_add_debug(directory);
}

enum list_kind
kind_option(const char *command, const char *name, bool trees)
{
	struct strbuf names = STRBUF_INIT;
	struct nearest n;
	enum list_kind kind;
	char *question;

	nearest_init(&n, name);
	for (kind = 0; kind < LIST_NR; kind++) {
		const char *known = list_name(kind);

		if (!strcmp(known, name))
			break;
		nearest_try(&n, known);
		strbuf_str(&names, known);
		strbuf_str(&names, ", ");
	}
	if (kind < LIST_NR || (trees && !strcmp(name, "tree"))) {
		nearest_release(&n);
		strbuf_release(&names);
		return kind;
	}
	question = nearest_question(&n);
	if (question)
		die(2, "%s: --by %s: it is unknown%s cgview report --help", command, name,
		    question);
	die(2, "%s: --by %s: it is %sor tree", command, name, names.buf);
}

const char *
output_option(const char *pattern)
{
	char path[PATH_MAX];
	struct utsname host = { .nodename = "" };
	struct pattern_values v = { (unsigned long)getpid(), host.nodename, environ };
	const char *wrong;

	uname(&host);
	wrong = pattern_expand(pattern, &v, path, sizeof(path));
	if (wrong)
		die(2, "-o %s: %s", pattern, wrong);
	return xstrdup(path);
}

/* ---- the profile that is meant when none is named ---- */

static bool
is_profile(const char *path, struct timespec *changed)
{
	unsigned char head[SCHEMA_HEADER];
	struct error err = ERROR_INIT;
	struct stat st;
	int fd = input_open(path, &st, &err);
	bool is = fd >= 0 && input_read_at(fd, 0, head, sizeof(head)) == sizeof(head) &&
		  schema_is_ours(head);

	if (fd >= 0)
		close(fd);
	*changed = st.st_mtim;
	return is;
}

static bool
is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

/* Returns the name of the profile in the working directory that was written last, heap; NULL: there
 * is none among its first files. */
static char *
newest_profile(void)
{
	enum { MOST = 10000 }; /* as many files are opened */
	struct timespec latest = { .tv_sec = 0 }, changed;
	DIR *d = opendir(".");
	struct dirent *e;
	char *newest = NULL;

	for (int i = 0; i < MOST && d && (e = readdir(d)); i++) {
		if (e->d_name[0] == '.' || (e->d_type != DT_REG && e->d_type != DT_UNKNOWN) ||
		    !is_profile(e->d_name, &changed) || (newest && !is_later(&changed, &latest)))
			continue;
		free(newest);
		newest = xstrdup(e->d_name);
		latest = changed;
	}
	if (d)
		closedir(d);
	return newest;
}

bool
profile_is_here(void)
{
	char *newest = newest_profile();

	free(newest);
	return newest != NULL;
}

bool
profile_by_default(const char *command)
{
	if (access(DEFAULT_PROFILE, F_OK))
		return false;
	complain("%s%s%s", command ? command : "", command ? ": " : "",
		 "no profile is named, so this is " DEFAULT_PROFILE);
	return true;
}

void
profile_none(const char *command, const char *usage)
{
	const char *prefix = command ? command : "", *between = command ? ": " : "";
	char *newest = newest_profile();

	if (newest)
		die(2, "%s%swhich profile? There is no %s here; the newest profile is %s: "
		    "cgview %s%s%s", prefix, between, DEFAULT_PROFILE, newest, prefix,
		    command ? " " : "", newest);
	die(2, "%s%swhich profile? There is none here: write one with 'cgview record -- "
	    "PROGRAM', or see cgview %s --help", prefix, between, usage);
}

const char *
options_profile(const struct option_table *t, int first, int argc, char **argv)
{
	if (first == argc && profile_by_default(t->command))
		return DEFAULT_PROFILE;
	if (first == argc)
		profile_none(t->command, t->usage);
	if (first < argc - 1)
		die(2, "%s: one profile at a time, not also %s", t->command, argv[first + 1]);
	return private_profile(argv[first], t->command);
}

void
refuse_procedure(struct profile *p, const char *name)
{
	struct list_query q = { .kind = LIST_PROCEDURE };
	int column = list_column_find(q.kind, "procedure");
	struct listing *list = listing_open(p, &q);
	const struct list_row *row;
	struct nearest n;
	char *question;

	nearest_init(&n, name);
	for (size_t i = 0; *name && (row = listing_row(list, i)); i++)
		nearest_try(&n, row->cells[column].text);
	question = nearest_question(&n);
	listing_close(list);
	die(1, "%s has no procedure %s%s cgview report %s", profile_path(p), name,
	    question ? question : "; see", profile_path(p));
}
