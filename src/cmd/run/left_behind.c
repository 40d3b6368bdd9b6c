#include "cmd/run/left_behind.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/import/elf/elf.h"
#include "collect/import/import.h"
#include "util/error.h"
#include "util/mem.h"

/* ---- programs ---- */

char *
find_program(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char *candidate;

	if (strchr(name, '/'))
		return xstrdup(name);
	for (; path && *path; path = *end ? end + 1 : end) {
		end = path + strcspn(path, ":");
		candidate = xasprintf("%.*s/%s", (int)(end - path), path, name);
		if (!access(candidate, X_OK))
			return candidate;
		free(candidate);
	}
	return NULL;
}

bool
has_section(const char *path, const char *name)
{
	struct elf e;
	bool has;

	if (elf_open(&e, path, NULL))
		return false;
	has = elf_section(&e, name) != NULL;
	elf_close(&e);
	return has;
}

bool
has_counters(const char *path)
{
	return has_section(path, "cgview_tab");
}

/* In `sudo nice ./prog` it is ./prog that should have left a profile. Returns its path, heap, and
 * in *NAME how it was called; NULL: none of the arguments was built with cgcc. */
static char *
profiled_program(const char *const *arguments, size_t nr, const char **name)
{
	enum { MOST = 100 };
	size_t i;
	char *path;

	for (i = 0; i < nr && i < MOST; i++) {
		path = find_program(arguments[i]);
		*name = arguments[i];
		if (path && has_counters(path))
			return path;
		free(path);
	}
	return NULL;
}

bool
counts_something(const char *const *arguments, size_t nr)
{
	const char *name;
	char *path = profiled_program(arguments, nr, &name);

	free(path);
	return path != NULL;
}

/* ---- raw profiles elsewhere ---- */

struct left {
	char **names;
	size_t nr, alloc;
	bool unreadable; /* some of them */
};

/* cgview.PID.raw, cgview.PID.N.raw */
static bool
is_raw_name(const char *name)
{
	static const char prefix[] = "cgview.", suffix[] = ".raw";
	size_t n = strlen(name), stem = sizeof(prefix) - 1, end = n - (sizeof(suffix) - 1);

	return n > stem + sizeof(suffix) - 1 && !strncmp(name, prefix, stem) &&
	       !strcmp(name + end, suffix) && stem + strspn(name + stem, "0123456789.") >= end;
}

/* When it was made; where the file system does not know, when it was last changed. */
static int64_t
made_ns(const char *name)
{
	struct statx st;
	struct statx_timestamp t;

	if (statx(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &st) ||
	    !S_ISREG(st.stx_mode))
		return 0;
	t = st.stx_mask & STATX_BTIME ? st.stx_btime : st.stx_ctime;
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static int
compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Times of files are those of the last tick. */
static void
find_left(struct left *l, int64_t since_ns)
{
	enum { TICK_NS = 10000000 };
	DIR *d = opendir(".");
	struct dirent *e;

	*l = (struct left){ .nr = 0 };
	while (d && (e = readdir(d))) {
		if (!is_raw_name(e->d_name) || made_ns(e->d_name) < since_ns - TICK_NS)
			continue;
		GROW(l->names, l->nr + 1, l->alloc);
		l->names[l->nr++] = xstrdup(e->d_name);
		l->unreadable |= access(e->d_name, R_OK) != 0;
	}
	if (d)
		closedir(d);
	if (l->nr)
		qsort(l->names, l->nr, sizeof(*l->names), compare_names);
}

static void
left_release(struct left *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		free(l->names[i]);
	free(l->names);
}

/* The command that makes a profile of them; heap. Those of another user become ours first, as the
 * profile is to be ours. */
static char *
import_command(const struct left *l, bool adds, const char *output)
{
	enum { MOST = 20 };
	size_t nr = l->nr < MOST ? l->nr : MOST;
	char *names = import_quote((const char *const *)l->names, nr);
	char *quoted = import_quote(&output, 1), *command;
	const char *more = nr < l->nr ? " ..." : "";

	command = xasprintf("cgview import %s-o %s %s%s", adds ? "-a " : "", quoted, names, more);
	if (l->unreadable) {
		char *plain = command;

		command = xasprintf("sudo chown %d %s%s && %s", (int)geteuid(), names, more, plain);
		free(plain);
	}
	free(names);
	free(quoted);
	return command;
}

static char *
told_left(const struct left *l, const char *first, const char *output)
{
	char *command = import_command(l, false, output);
	char *text = xasprintf("%s left no profile with record, but %s appeared in this directory "
			       "meanwhile, as a program of another user leaves it; import it "
			       "with: %s", first, l->nr > 1 ? "raw profiles" : l->names[0],
			       command);

	free(command);
	return text;
}

/* Did a package bring the program NAME, so that there is nothing here that could be built anew? */
static bool
is_installed(const char *name)
{
	static const char *const places[] = { "/usr/", "/bin/", "/sbin/", "/opt/", "/nix/" };
	char *path = find_program(name), *full = path ? realpath(path, NULL) : NULL;
	bool is = false;

	for (size_t i = 0; full && i < sizeof(places) / sizeof(places[0]); i++)
		is |= !strncmp(full, places[i], strlen(places[i])) &&
		      strncmp(full, "/usr/local/", 11) != 0;
	free(full);
	free(path);
	return is;
}

char *
left_nothing(const char *const *arguments, size_t nr, int64_t since_ns, const char *output)
{
	const char *name = arguments[0];
	char *path = profiled_program(arguments, nr, &name), *text;
	struct left left;

	find_left(&left, since_ns);
	if (left.nr)
		text = told_left(&left, path ? name : arguments[0], output);
	else if (path && !has_section(path, ".note.cgview"))
		text = xasprintf("%s was compiled with cgcc but linked without the runtime: link "
				 "it with cgcc in place of gcc or ld, without -nostartfiles, "
				 "-nostdlib and the like, and record again", name);
	else if (path)
		text = xasprintf("%s left no profile, though it was built with cgcc: it could not "
				 "write, its file was removed, it runs with the rights of another "
				 "user (sudo, set-uid), or its cgcc was of an earlier release and "
				 "does not know these options (build it anew)", name);
	else if (nr == 1 && is_installed(arguments[0]))
		text = xasprintf("neither %s nor what it ran left a profile: it is installed here, "
				 "and was built without cgcc; build it from its sources (make "
				 "CC=cgcc CXX=cgg++) and record that program", arguments[0]);
	else
		text = xasprintf("neither %s nor what it ran left a profile: build the program "
				 "with cgcc in place of gcc, cgg++ in place of g++ (make clean; "
				 "make CC=cgcc CXX=cgg++) and record again", arguments[0]);
	left_release(&left);
	free(path);
	return text;
}

bool
raws_appeared(int64_t since_ns)
{
	struct left left;
	bool some;

	find_left(&left, since_ns);
	some = left.nr > 0;
	left_release(&left);
	return some;
}

void
left_behind_tell(int64_t since_ns, const char *output)
{
	struct left left;
	char *command;

	find_left(&left, since_ns);
	if (left.nr) {
		command = import_command(&left, true, output);
		complain("%s appeared in this directory meanwhile, as a program leaves it that "
			 "cannot reach record; add it with: %s",
			 left.nr > 1 ? "raw profiles" : left.names[0], command);
		free(command);
	}
	left_release(&left);
}

void
start_failed(const char *name, int error)
{
	if (error == ENOENT && !strchr(name, '/') && !access(name, F_OK))
		die(NOT_FOUND, "%s: no such program in PATH; the file of this name is ./%s: "
		    "cgview record ./%s", name, name, name);
	if (error == ENOENT && !access(name, F_OK))
		die(NOT_FOUND, "%s: cannot run it: its interpreter is not there", name);
	if (error == ENOENT || error == ENOTDIR)
		die(NOT_FOUND, "%s: no such program", name);
	if (error == EACCES && !access(name, F_OK) && access(name, X_OK))
		die(CANNOT_EXECUTE, "%s: cannot run it: it may not be executed (chmod +x), or is "
		    "no program", name);
	die(CANNOT_EXECUTE, "%s: cannot run it: %s", name, strerror(error));
}
