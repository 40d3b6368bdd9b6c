#include "cmd/make/raw_directory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/import/import.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/text/path.h"

static const char infix[] = ".raw-", lock_name[] = ".lock";
enum { RANDOM = 6 };               /* letters of mkdtemp() */

/* Shows that the directory's recorder lives: by a lock on a file in it, which ends with this
 * process. Where there are no locks, others take the directory for left. Returns a descriptor, or
 * -1. */
static int
hold(const char *directory)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char *name = xasprintf("%s/%s", directory, lock_name);
	int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	free(name);
	if (fd >= 0)
		fcntl(fd, F_SETLK, &whole);
	return fd;
}

char *
raw_directory_make(const char *output, int *held)
{
	char *copy = xasprintf("%s%sXXXXXX", output, infix), *full;

	if (!mkdtemp(copy))
		die(1, "%s: cannot make a directory beside it for the raw data: %s", output,
		    strerror(errno));
	full = realpath(copy, NULL);
	if (!full)
		die(1, "%s: %s", copy, strerror(errno));
	free(copy);
	*held = hold(full);
	return full;
}

void
raw_directory_let_go(const char *directory, int fd)
{
	char *name = xasprintf("%s/%s", directory, lock_name);

	unlink(name);
	free(name);
	if (fd >= 0)
		close(fd);
}

/* ---- what others left ---- */

static bool
is_named(const char *name, const char *base)
{
	size_t length = strlen(base), i;

	if (strncmp(name, base, length) || strncmp(name + length, infix, strlen(infix)))
		return false;
	name += length + strlen(infix);
	for (i = 0; i < RANDOM; i++)
		if (!isalnum((unsigned char)name[i]))
			return false;
	return !name[i];
}

static bool
is_held(int directory)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = openat(directory, lock_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool held;

	if (fd < 0)
		return false;
	held = !fcntl(fd, F_GETLK, &whole) && whole.l_type != F_UNLCK;
	close(fd);
	return held;
}

/* Are there files whose names end with END? */
static bool
has_files(int directory, const char *end)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	bool has = false;
	size_t n;

	while (d && !has && (e = readdir(d))) {
		n = strlen(e->d_name);
		has = n > strlen(end) && !strcmp(e->d_name + n - strlen(end), end);
	}
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	return has;
}

/* Is one of RAWS in it? */
static bool
is_of(const struct stat *directory, const char *const *raws, size_t nr)
{
	struct stat st;
	size_t i, n;
	char *path;
	bool is = false;

	for (i = 0; i < nr && !is; i++) {
		n = path_directory(raws[i]);
		path = n ? xasprintf("%.*s", (int)n, raws[i]) : xstrdup(".");
		is = !stat(path, &st) && st.st_dev == directory->st_dev &&
		     st.st_ino == directory->st_ino;
		free(path);
	}
	return is;
}

/* NAME, in the directory of OUTPUT, has files that end with END. */
static void
complain_of(const char *output, const char *name, const char *end)
{
	size_t n = path_directory(output);
	char *full = n ? xasprintf("%.*s/%s", (int)n, output, name) : xstrdup(name);
	const char *const names[] = { output, full };
	char *to = import_quote(names, 1), *from = import_quote(names + 1, 1);

	complain("%s holds what a record that was killed, or interrupted, has left: add it with "
		 "'cgview import -a -o %s %s/*%s', then delete it", full, to, from, end);
	free(to);
	free(from);
	free(full);
}

void
raw_directory_tell_left(const char *output, const char *const *raws, size_t nr)
{
	size_t n = path_directory(output);
	char *path = n ? xasprintf("%.*s", (int)n, output) : xstrdup(".");
	DIR *d = opendir(path);
	struct dirent *e;
	struct stat st;
	int fd;

	while (d && (e = readdir(d))) {
		const char *end = NULL;

		if (!is_named(e->d_name, path_base(output)))
			continue;
		fd = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			continue;
		/* What runtimes wrote, or what the kernel's events of other programs are in. */
		for (size_t i = 0; i < 2 && !end; i++) {
			static const char *const ends[] = { ".raw", ".perf" };

			end = has_files(fd, ends[i]) ? ends[i] : NULL;
		}
		if (end && !fstat(fd, &st) && st.st_uid == geteuid() && !is_of(&st, raws, nr) &&
		    !is_held(fd))
			complain_of(output, e->d_name, end);
		close(fd);
	}
	if (d)
		closedir(d);
	free(path);
}
