#include "db/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/path.h"

static const char temporary[] = ".tmp", aside[] = ".old";

/* Heap: a copy of PATH's directory. */
static char *
directory_of(const char *path)
{
	char *copy = xstrdup(path), *directory = xstrdup(dirname(copy));

	free(copy);
	return directory;
}

/* ---- what killed writers left ---- */

/* The length of the digits at S. */
static size_t
digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* Is NAME one that a writer of the file BASE uses: "BASE.PID-N" with SUFFIX? */
static bool
is_named(const char *name, const char *base, const char *suffix)
{
	size_t length = strlen(base), n;

	if (strncmp(name, base, length) || name[length] != '.')
		return false;
	name += length + 1;
	n = digits(name);
	if (!n || name[n] != '-')
		return false;
	name += n + 1;
	n = digits(name);
	return n && !strcmp(name + n, suffix);
}

static bool
is_own_file(int directory, const char *name, struct stat *st)
{
	return !fstatat(directory, name, st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st->st_mode) &&
	       st->st_uid == geteuid();
}

/* Whoever has the lock may remove the file; a writer that has made it, but does not hold the lock
 * yet, sees that it is gone. */
static void
remove_unlocked(int directory, const char *name)
{
	struct stat named, opened;
	int fd;

	if (!is_own_file(directory, name, &named))
		return;
	fd = openat(directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &opened) &&
	    opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
		unlinkat(directory, name, 0);
	close(fd);
}

/* A second name of the old file is of use as long as the new one is not in place. */
static void
remove_aside(int directory, const char *name)
{
	char *new = xasprintf("%.*s%s", (int)(strlen(name) - strlen(aside)), name, temporary);
	struct stat st;

	remove_unlocked(directory, new);
	if (faccessat(directory, new, F_OK, AT_SYMLINK_NOFOLLOW) && errno == ENOENT &&
	    is_own_file(directory, name, &st))
		unlinkat(directory, name, 0);
	free(new);
}

static void
remove_leftovers(const char *target)
{
	char *path = directory_of(target);
	DIR *directory = opendir(path);
	const char *base = path_base(target);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		if (is_named(entry->d_name, base, temporary))
			remove_unlocked(dirfd(directory), entry->d_name);
		else if (is_named(entry->d_name, base, aside))
			remove_aside(dirfd(directory), entry->d_name);
	}
	if (directory)
		closedir(directory);
	free(path);
}

/* ---- the new one ---- */

/* The file that PATH stands for. Relative names begin with "./": SQLite would take "file:..." for
 * a URI. Heap; NULL: ERR. */
static char *
resolve(const char *path, struct error *err)
{
	struct stat st;
	char *real;

	if (!*path) {
		error_set(err, "the name of the profile is empty");
		return NULL;
	}
	if (!stat(path, &st)) {
		if (!S_ISREG(st.st_mode)) {
			error_set(err, "%s exists and is not a regular file", path);
			return NULL;
		}
		real = realpath(path, NULL);
		if (real)
			return real;
	}
	return *path == '/' ? xstrdup(path) : xasprintf("./%s", path);
}

/* Where there are no locks, nobody can take the file for a leftover. */
static bool
lock(int fd)
{
	struct stat st;

	return (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) && !fstat(fd, &st) &&
	       st.st_nlink;
}

static int
create(struct new_file *f, struct error *err)
{
	for (unsigned i = 0; i < 1000; i++) {
		f->name = xasprintf("%s.%ld-%u%s", f->target, (long)getpid(), i, temporary);
		f->fd = open(f->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (f->fd >= 0 && lock(f->fd))
			return 0;
		if (f->fd < 0 && errno != EEXIST)
			error_set_errno(err, errno, "cannot create %s", f->name);
		if (f->fd >= 0)
			close(f->fd);
		f->fd = -1;
		free(f->name);
		f->name = NULL;
		if (err->set)
			return -1;
	}
	return error_set(err, "cannot create a temporary file beside %s: remove %s.*%s", f->target,
			 f->target, temporary);
}

int
new_file_begin(struct new_file *f, const char *path, struct error *err)
{
	*f = (struct new_file){ .target = resolve(path, err), .fd = -1 };
	if (!f->target)
		return -1;
	remove_leftovers(f->target);
	return create(f, err);
}

/* EINVAL: a file system without fsync for this kind of file. */
static int
sync_file(int fd, const char *path, struct error *err)
{
	if (fd < 0)
		return error_set_errno(err, errno, "cannot open %s", path);
	if (fsync(fd) && errno != EINVAL)
		return error_set_errno(err, errno, "cannot write %s to disk", path);
	return 0;
}

static int
sync_directory(const char *target, struct error *err)
{
	char *path = directory_of(target);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = sync_file(fd, path, err);

	if (fd >= 0)
		close(fd);
	free(path);
	return result;
}

/* The target gets its second name before it is replaced, so that at each moment there is one. */
static int
keep_old(const struct new_file *f, struct error *err)
{
	int length = (int)(strlen(f->name) - strlen(temporary)), status = 0;
	char *second = xasprintf("%.*s%s", length, f->name, aside);
	char *old = xasprintf("%s%s", f->target, aside);

	if (!link(f->target, second)) {
		if (rename(second, old))
			status = error_set_errno(err, errno, "cannot keep %s as %s", f->target,
						 old);
		unlink(second); /* it is still there when old was the same file before */
	} else if (errno != ENOENT && rename(f->target, old)) {
		/* A file system without second names. */
		status = error_set_errno(err, errno, "cannot keep %s as %s", f->target, old);
	}
	free(second);
	free(old);
	return status;
}

int
new_file_put(struct new_file *f, bool keep, struct error *err)
{
	if (sync_file(f->fd, f->name, err))
		return -1;
	if (keep && keep_old(f, err))
		return -1;
	if (rename(f->name, f->target))
		return error_set_errno(err, errno, "cannot rename %s to %s", f->name, f->target);
	free(f->name);
	f->name = NULL;
	return sync_directory(f->target, err);
}

void
new_file_end(struct new_file *f)
{
	if (f->name)
		unlink(f->name);
	if (f->fd >= 0)
		close(f->fd);
	free(f->name);
	free(f->target);
	*f = (struct new_file){ .fd = -1 };
}
