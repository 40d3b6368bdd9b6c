#include "db/store/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/text/path.h"

static const char temporary[] = ".tmp", aside[] = ".old";

/* Returns PATH's directory; heap. */
static char *
directory_of(const char *path)
{
	char *copy = xstrdup(path), *directory = xstrdup(dirname(copy));

	free(copy);
	return directory;
}

/* ---- leftovers of killed writers ---- */

/* Returns the number of digits at S. */
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

/* A process that holds the lock may remove the file. A writer that has made the file, but does not
 * hold the lock yet, sees that it is gone. */
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

/* Removes a second name of the old file, which is of use only until the new one is in place. */
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

/* ---- the new file ---- */

/* A link in a directory that others may write to is anybody's: it would lead what is written to
 * where they want it. */
static bool
is_of_somebody_else(const char *link)
{
	struct stat st;

	return !lstat(link, &st) && st.st_uid != geteuid() && st.st_uid != 0;
}

/* Returns where a symbolic link leads to, even to nothing; PATH itself when it is none. Heap. NULL
 * and ERR: somebody else made it. */
static char *
follow(const char *path, struct error *err)
{
	enum { MOST_LINKS = 40 };
	char *now = xstrdup(path), *directory, *next, to[PATH_MAX];
	ssize_t n;

	for (int i = 0; i < MOST_LINKS && (n = readlink(now, to, sizeof(to) - 1)) > 0; i++) {
		to[n] = '\0';
		if (is_of_somebody_else(now)) {
			error_set(err, "%s is another user's link, to %s: choose another output",
				  now, to);
			free(now);
			return NULL;
		}
		directory = directory_of(now);
		next = *to == '/' ? xstrdup(to) : xasprintf("%s/%s", directory, to);
		free(directory);
		free(now);
		now = next;
	}
	return now;
}

char *
new_file_temporary(struct error *err)
{
	const char *directory = getenv("TMPDIR");
	char *name = xasprintf("%s/cgview.XXXXXX", directory && *directory == '/' ? directory
									       : "/tmp");
	int fd = mkostemp(name, O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		return name;
	}
	error_set_errno(err, errno, "cannot create %s (TMPDIR says where)", name);
	free(name);
	return NULL;
}

char *
file_meant(const char *path, struct error *err)
{
	struct stat st;
	char *real = NULL, *led;

	if (!*path)
		error_set(err, "the name of the profile is empty");
	else if (!stat(path, &st) && !S_ISREG(st.st_mode))
		error_set(err, "%s exists and is not a regular file", path);
	led = err->set ? NULL : follow(path, err);
	if (!led)
		return NULL;
	if (!access(led, F_OK))
		real = realpath(led, NULL);
	if (!real)
		real = *led == '/' ? xstrdup(led) : xasprintf("./%s", led);
	free(led);
	return real;
}

/* A file system without locks has nobody who would take the file for a leftover. */
static bool
lock(int fd)
{
	struct stat st;

	return (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) && !fstat(fd, &st) &&
	       st.st_nlink;
}

static char *
temporary_name(const struct new_file *f, unsigned i)
{
	return xasprintf("%s.%ld-%u%s", f->target, (long)getpid(), i, temporary);
}

static int
create(struct new_file *f, struct error *err)
{
	for (unsigned i = 0; i < 1000; i++) {
		f->name = temporary_name(f, i);
		f->fd = open(f->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (f->fd >= 0 && lock(f->fd))
			return 0;
		if (f->fd < 0 && errno != EEXIST)
			error_set_errno(err, errno, "cannot create a file beside %s", f->target);
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
	*f = (struct new_file){ .target = file_meant(path, err), .fd = -1 };
	if (!f->target)
		return -1;
	remove_leftovers(f->target);
	return create(f, err);
}

/* Where the kernel shows the file that has no name, which can be given one by that. */
static char *
shown_at(int fd)
{
	return xasprintf("/proc/self/fd/%d", fd);
}

static bool
create_unnamed(struct new_file *f)
{
	char *directory = directory_of(f->target), *shown;
	bool done;

	f->fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(directory);
	if (f->fd < 0)
		return false;
	shown = shown_at(f->fd);
	done = !access(shown, F_OK);
	free(shown);
	if (!done) {
		close(f->fd);
		f->fd = -1;
	}
	return done;
}

int
new_file_begin_unnamed(struct new_file *f, const char *path, struct error *err)
{
	*f = (struct new_file){ .target = file_meant(path, err), .fd = -1 };
	if (!f->target)
		return -1;
	remove_leftovers(f->target);
	return create_unnamed(f) ? 0 : create(f, err);
}

/* Gives F its temporary name. Nobody takes it for a leftover: it is locked before. */
static int
give_name(struct new_file *f, struct error *err)
{
	char *shown = shown_at(f->fd);
	int status = -1;

	flock(f->fd, LOCK_EX | LOCK_NB);
	for (unsigned i = 0; status && i < 1000; i++) {
		f->name = temporary_name(f, i);
		status = linkat(AT_FDCWD, shown, AT_FDCWD, f->name, AT_SYMLINK_FOLLOW);
		if (status) {
			free(f->name);
			f->name = NULL;
		}
		if (status && errno != EEXIST)
			break;
	}
	free(shown);
	return status ? error_set_errno(err, errno, "cannot create a file beside %s", f->target)
		      : 0;
}

/* Gives F, which has no name, its target's if nothing has that; so it never has a temporary one. */
static bool
name_directly(const struct new_file *f)
{
	char *shown = shown_at(f->fd);
	bool done = !linkat(AT_FDCWD, shown, AT_FDCWD, f->target, AT_SYMLINK_FOLLOW);

	free(shown);
	return done;
}

/* EINVAL comes from a file system without fsync for this kind of file. */
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

/* Gives the target its second name before it is replaced, so that it has one at each moment. */
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
		unlink(second); /* the name remains if old was the same file before */
	} else if (errno != ENOENT && rename(f->target, old)) {
		/* The file system knows no second names. */
		status = error_set_errno(err, errno, "cannot keep %s as %s", f->target, old);
	}
	free(second);
	free(old);
	return status;
}

/* Gives F its target's name; returns 1 if something has it. A file system without second names
 * renames F; one that cannot even do that without replacing replaces. */
static int
put_new(struct new_file *f, struct error *err)
{
	if (!link(f->name, f->target)) {
		unlink(f->name);
		return 0;
	}
	if (errno == EEXIST)
		return 1;
	if (!renameat2(AT_FDCWD, f->name, AT_FDCWD, f->target, RENAME_NOREPLACE))
		return 0;
	if (errno == EEXIST || !access(f->target, F_OK))
		return 1;
	if (rename(f->name, f->target))
		return error_set_errno(err, errno, "cannot rename %s to %s", f->name, f->target);
	return 0;
}

static int
put_over(struct new_file *f, bool keep, const struct file_seen *seen, struct error *err)
{
	if (seen && !file_is_as_seen(seen, f->target))
		return 1;
	if (keep && keep_old(f, err))
		return -1;
	if (rename(f->name, f->target))
		return error_set_errno(err, errno, "cannot rename %s to %s", f->name, f->target);
	return 0;
}

int
new_file_put(struct new_file *f, bool keep, const struct file_seen *seen, struct error *err)
{
	int status;

	/* Written before it has a name: whoever is killed during that leaves nothing. */
	if (!f->passing && sync_file(f->fd, f->name ? f->name : f->target, err))
		return -1;
	if (!f->name && !(seen && seen->there) && name_directly(f))
		return f->passing ? 0 : sync_directory(f->target, err);
	if (!f->name && give_name(f, err))
		return -1;
	status = seen && !seen->there ? put_new(f, err) : put_over(f, keep, seen, err);
	if (status)
		return status;
	free(f->name);
	f->name = NULL;
	return f->passing ? 0 : sync_directory(f->target, err);
}

int
new_file_write(const char *path, enum new_file_how how, new_file_writer *write, void *context,
	       struct error *err)
{
	static const struct file_seen nothing;
	struct new_file f;
	int fd, status = -1;
	FILE *out;

	if (!new_file_begin_unnamed(&f, path, err)) {
		f.passing = how == NEW_FILE_PASSING;
		fd = fcntl(f.fd, F_DUPFD_CLOEXEC, 0);
		out = fd < 0 ? NULL : fdopen(fd, "w");
		errno = out ? 0 : errno;
		status = out ? write(context, out, err) : -1;
		if (!out || ferror(out) || fflush(out))
			status = error_set_errno(err, errno ? errno : EIO, "cannot write %s", path);
		if (out)
			fclose(out);
		if (!status)
			status = new_file_put(&f, false, how == NEW_FILE_ONLY_NEW ? &nothing : NULL,
					      err);
		if (status > 0)
			status = error_set(err, "%s is there already", path);
	}
	new_file_end(&f);
	return status;
}

void
new_file_aim(struct new_file *f, const char *target)
{
	char *copy = xstrdup(target);

	free(f->target);
	f->target = copy;
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

/* ---- other writers of the target ---- */

void
file_see(struct file_seen *s, const char *path)
{
	struct stat st;

	*s = (struct file_seen){ .there = !stat(path, &st) };
	if (!s->there)
		return;
	s->device = st.st_dev;
	s->inode = st.st_ino;
	s->written = st.st_mtim;
}

bool
file_is_as_seen(const struct file_seen *s, const char *path)
{
	struct file_seen now;

	file_see(&now, path);
	return now.there == s->there && (!now.there ||
	       (now.device == s->device && now.inode == s->inode &&
		now.written.tv_sec == s->written.tv_sec &&
		now.written.tv_nsec == s->written.tv_nsec));
}

/* The holder of the lock removes the file before it releases the lock, so the next one may have
 * locked a file that has no name any more. */
static bool
has_name(int fd, const char *name)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !lstat(name, &named) && opened.st_nlink &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static int
try_lock(int fd, int how)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int status;

	while ((status = fcntl(fd, how, &whole)) && errno == EINTR)
		;
	return status;
}

/* Returns -1 when there are no locks here. */
static int
wait_for_lock(int fd, const char *target, void (*waiting)(const char *))
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	int polls = 100;

	while (try_lock(fd, F_SETLK)) {
		if (errno != EACCES && errno != EAGAIN)
			return -1;
		if (!polls--) {
			if (waiting)
				waiting(target);
			return try_lock(fd, F_SETLKW);
		}
		nanosleep(&pause, NULL);
	}
	return 0;
}

int
file_lock_take(struct file_lock *l, const char *target, void (*waiting)(const char *),
	       struct error *err)
{
	l->name = xasprintf("%s.cgview-lock", target);
	for (;;) {
		l->fd = open(l->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
		if (l->fd < 0) {
			error_set_errno(err, errno, "cannot lock %s by %s", target, l->name);
			free(l->name);
			l->name = NULL;
			return -1;
		}
		if (wait_for_lock(l->fd, target, waiting) || has_name(l->fd, l->name))
			return 0;
		close(l->fd);
	}
}

/* On NFS another host may see a removed name for some seconds, and so lock a file that nobody else
 * finds: the name stays there. */
void
file_lock_release(struct file_lock *l)
{
	struct statfs fs;

	if (!l->name)
		return;
	if (fstatfs(l->fd, &fs) || fs.f_type != NFS_SUPER_MAGIC)
		unlink(l->name);
	close(l->fd);
	free(l->name);
	*l = (struct file_lock){ .fd = -1 };
}
