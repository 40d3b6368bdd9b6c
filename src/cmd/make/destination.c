#include "cmd/make/destination.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/pattern.h"
#include "db/store/schema.h"
#include "db/store/writer.h"
#include "util/input.h"
#include "util/mem.h"
#include "util/process.h"
#include "util/text/path.h"

/* ---- what must not be replaced ---- */

/* Is it neither empty nor one of ours? Returns -1 and ERR when it cannot be read, so that nobody
 * knows. */
static int
is_foreign(const char *path, struct error *err)
{
	unsigned char head[SCHEMA_HEADER];
	struct stat st;
	ssize_t n;
	int fd = input_open(path, &st, err);

	if (fd < 0)
		return -1;
	n = input_read_at(fd, 0, head, sizeof(head));
	if (n < 0)
		input_failed(path, errno, err);
	close(fd);
	return n <= 0 ? (int)n : n < (ssize_t)sizeof(head) || !schema_is_ours(head);
}

static int
check_old(const char *target, struct error *err)
{
	char *old = xasprintf("%s.old", target);
	struct stat st;
	int foreign = !lstat(old, &st) && S_ISREG(st.st_mode) ? is_foreign(old, err) : 0;

	if (foreign > 0)
		error_set(err, "%s: exists and is no profile of cgview, and what is in %s now "
			       "would take its place; choose another output with -o", old, target);
	free(old);
	return foreign ? -1 : 0;
}

/* PATH, a profile that is there, and what its writing would do away with. */
static int
check_there(const char *path, const struct stat *st, struct error *err)
{
	char *target;
	int status;

	if (!S_ISREG(st->st_mode))
		return error_set(err, "%s: not a regular file; choose another output with -o",
				 path);
	status = is_foreign(path, err);
	if (status > 0)
		return error_set(err, "%s: exists and is no profile of cgview; choose another "
				 "output with -o", path);
	target = status ? NULL : file_meant(path, err);
	status = target ? check_old(target, err) : -1;
	free(target);
	return status;
}

static int
check(const char *path, struct error *err)
{
	char *copy, *directory;
	struct stat st;
	int status = 0;

	if (!*path)
		return error_set(err, "the name of the output is empty");
	if (!stat(path, &st))
		status = check_there(path, &st, err);
	copy = status ? NULL : file_meant(path, err);
	directory = copy ? dirname(copy) : NULL;
	if (!directory)
		status = -1;
	else if (stat(directory, &st))
		status = error_set_errno(err, errno, "%s: cannot write there", directory);
	else if (!S_ISDIR(st.st_mode))
		status = error_set(err, "%s: not a directory", directory);
	else if (access(directory, W_OK | X_OK))
		status = error_set_errno(err, errno, "%s: cannot write there", directory);
	free(copy);
	return status;
}

/* ---- names ---- */

/* The process's number in its job, as its launcher tells; NULL: none, or one that can be no part of
 * a name. */
static const char *
rank(void)
{
	const char *value = pattern_rank(environ), *p;

	for (p = value; p && *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-')
			return NULL;
	return value;
}

/* prof.db -> prof.WORD.db. Heap. */
static char *
with_word(const char *path, const char *word)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');

	if (!dot || dot == base)
		return xasprintf("%s.%s", path, word);
	return xasprintf("%.*s.%s%s", (int)(dot - path), path, word, dot);
}

/* Returns the user's name for it: beside PATH, unless that is a link to elsewhere. Heap. */
static char *
shown(const struct destination *d, const char *target)
{
	const char *slash = strrchr(d->path, '/');
	char to;

	if (readlink(d->path, &to, 1) > 0)
		return xstrdup(target);
	return xasprintf("%.*s%s", slash ? (int)(slash + 1 - d->path) : 0, d->path,
			 path_base(target));
}

/* When our parent, the job's launcher or started by it, began; since 1970, 0: unknown. */
static int64_t
job_started_ns(void)
{
	struct timespec now, up;
	struct process parent;

	if (!process_look(getppid(), &parent) || clock_gettime(CLOCK_REALTIME, &now) ||
	    clock_gettime(CLOCK_BOOTTIME, &up))
		return 0;
	return (now.tv_sec - up.tv_sec) * INT64_C(1000000000) + now.tv_nsec - up.tv_nsec +
	       (int64_t)parent.started * (INT64_C(1000000000) / sysconf(_SC_CLK_TCK));
}

/* A rank that is quick may have put its profile there before another one of the job begins. */
static void
see_with_rank(struct destination *d, const char *word)
{
	int64_t job = job_started_ns();
	const struct timespec *t = &d->seen.written;

	d->ranked = with_word(d->target, word);
	file_see(&d->ranked_seen, d->ranked);
	if (d->seen.there && job && t->tv_sec * INT64_C(1000000000) + t->tv_nsec > job)
		d->seen.there = false;
}

int
destination_open(struct destination *d, const char *path, struct error *err)
{
	const char *word = rank();

	*d = (struct destination){ .path = path, .lock.fd = -1 };
	if (check(path, err))
		return -1;
	d->target = file_meant(path, err);
	if (!d->target)
		return -1;
	file_see(&d->seen, d->target);
	if (word)
		see_with_rank(d, word);
	return 0;
}

void
destination_close(struct destination *d)
{
	file_lock_release(&d->lock);
	free(d->target);
	free(d->ranked);
	free(d->put);
	*d = (struct destination){ .lock.fd = -1 };
}

/* ---- its inputs ---- */

static bool
is_same(const char *path, const struct stat *st)
{
	struct stat other;

	return !stat(path, &other) && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

bool
destination_among(const struct destination *d, const char *const *inputs, size_t nr)
{
	struct stat st;
	size_t i;

	if (stat(d->target, &st))
		return false;
	for (i = 0; i < nr; i++)
		if (is_same(inputs[i], &st))
			return true;
	return false;
}

int
destination_check_inputs(const struct destination *d, bool adds, const char *const *inputs,
			 size_t nr, struct error *err)
{
	char *old = xasprintf("%s.old", d->target);
	struct stat st, old_st;
	bool is_there = !stat(d->target, &st), has_old = is_there && !stat(old, &old_st);
	int status = 0;
	size_t i;

	for (i = 0; i < nr && is_there && !status; i++) {
		if (!adds && is_same(inputs[i], &st))
			status = error_set(err, "-o %s is the profile %s, which would be replaced: "
					   "choose another output", d->path, inputs[i]);
		else if (has_old && is_same(inputs[i], &old_st))
			status = error_set(err, "-o %s: what is there would be kept in place of "
					   "the profile %s: choose another output", d->path,
					   inputs[i]);
	}
	free(old);
	return status;
}

/* ---- writing ---- */

static void
tell_waiting(const char *target)
{
	if (isatty(STDERR_FILENO))
		complain("waiting for another cgview that is about to write %s", target);
}

int
destination_lock(struct destination *d, struct error *err)
{
	if (!d->lock.name && file_lock_take(&d->lock, d->target, tell_waiting, err))
		return -1;
	file_see(&d->seen, d->target);
	return 0;
}

static int
put_ranked(struct destination *d, struct new_file *f, struct error *err)
{
	int status;

	new_file_aim(f, d->ranked);
	status = new_file_put(f, true, &d->ranked_seen, err);
	if (status)
		return status;
	d->put = shown(d, d->ranked);
	complain("%s was written by another program meanwhile: this profile, of rank %s, is %s",
		 d->path, rank(), d->put);
	return 0;
}

/* Puts the file under a name that nobody has. */
static int
put_aside(struct destination *d, struct new_file *f, struct error *err)
{
	static const struct file_seen nothing;
	char *word, *name;
	int status = 1;

	for (unsigned i = 0; status == 1; i++) {
		word = xasprintf(i ? "%ld-%u" : "%ld", (long)getpid(), i);
		name = with_word(d->target, word);
		new_file_aim(f, name);
		status = new_file_put(f, false, &nothing, err);
		if (!status)
			d->put = shown(d, name);
		free(word);
		free(name);
	}
	if (status)
		return -1;
	complain("%s was written by another program meanwhile: this profile is kept as %s "
		 "(record -a and import -a add to what is there)", d->path, d->put);
	return 1;
}

static int
put(struct destination *d, struct new_file *f, bool adds, struct error *err)
{
	int status = check_old(d->target, err) ? -1 : new_file_put(f, true, &d->seen, err);

	if (!status)
		d->put = xstrdup(d->path);
	if (status == 1 && adds)
		return error_set(err, "%s was written by another program meanwhile, and there are "
				 "no locks here: try again", d->path);
	if (status == 1 && d->ranked)
		status = put_ranked(d, f, err);
	return status == 1 ? put_aside(d, f, err) : status;
}

int
destination_begin(const struct destination *d, struct new_file *f, struct error *err)
{
	return new_file_begin_unnamed(f, d->target, err);
}

int
destination_put_file(struct destination *d, struct new_file *f, bool adds, struct error *err)
{
	int status = -1;

	if (d->lock.name || !file_lock_take(&d->lock, d->target, tell_waiting, err))
		status = put(d, f, adds, err);
	file_lock_release(&d->lock);
	return status;
}

int
destination_put(struct destination *d, const struct model *m, bool adds,
		const struct progress *progress, struct error *err)
{
	struct new_file f = { .fd = -1 };
	int status = -1;

	if (!d->lock.name && file_lock_take(&d->lock, d->target, tell_waiting, err))
		return -1;
	if (!new_file_begin(&f, d->target, err) &&
	    !profile_store(f.name, m, progress, f.target, err))
		status = put(d, &f, adds, err);
	new_file_end(&f);
	file_lock_release(&d->lock);
	return status;
}
