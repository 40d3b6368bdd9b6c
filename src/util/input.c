#include "util/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_ONLY = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

/* The file behind a descriptor that only stands for it (O_PATH), opened to be read. */
static int
reopen(int place)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", place);
	return open(name, READ_ONLY);
}

/* Returns a file descriptor; -1 and errno. */
static int
open_regular(const char *path, struct stat *st)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd = -1, saved;

	if (place < 0)
		return -1;
	if (fstat(place, st))
		;
	else if (!S_ISREG(st->st_mode))
		errno = EINVAL;
	else if ((fd = reopen(place)) < 0 && errno == ENOENT)
		fd = open(path, READ_ONLY); /* there is no /proc; what it is, is looked at again */
	saved = errno;
	close(place);
	errno = saved;
	return fd;
}

int
input_open(const char *path, struct stat *st, struct error *err)
{
	int fd = open_regular(path, st), saved = errno;

	if (fd < 0 && saved != EINVAL)
		return input_is_answer(saved)
			? error_set_errno(err, saved, "%s: cannot open", path)
			: input_failed(path, saved, err);
	if (fd >= 0 && fstat(fd, st)) {
		input_failed(path, errno, err);
		close(fd);
		return -1;
	}
	if (fd >= 0 && S_ISREG(st->st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	if (err && !err->set)
		err->errnum = EINVAL;
	return error_set(err, "%s: not a regular file", path);
}

/* Reads on from *AT; NULL: from where the descriptor stands. */
static ssize_t
read_all(int fd, const uint64_t *at, void *to, size_t size)
{
	size_t done = 0;
	ssize_t got;

	while (done < size) {
		char *next = (char *)to + done;

		got = at ? pread(fd, next, size - done, (off_t)(*at + done))
			 : read(fd, next, size - done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

ssize_t
input_read(int fd, void *to, size_t size)
{
	return read_all(fd, NULL, to, size);
}

ssize_t
input_read_at(int fd, uint64_t at, void *to, size_t size)
{
	return read_all(fd, &at, to, size);
}

int
input_exactly(int fd, const char *path, uint64_t at, void *to, size_t size, struct error *err)
{
	ssize_t got = input_read_at(fd, at, to, size);

	if (got == (ssize_t)size)
		return 0;
	return input_failed(path, got < 0 ? errno : 0, err);
}

int
input_failed(const char *path, int errnum, struct error *err)
{
	bool first = err && !err->set;

	if (errnum)
		error_set(err, "%s: cannot be read (%s): try again, or with a copy of it that can",
			  path, strerror(errnum));
	else
		error_set(err, "%s: was cut off while it was read: try again when nobody writes it",
			  path);
	if (first) {
		err->errnum = errnum;
		err->unread = true;
	}
	return -1;
}

bool
input_is_answer(int errnum)
{
	static const int answers[] = {
		ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, EINVAL, ENXIO, ENODEV,
	};
	size_t i;

	for (i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		if (errnum == answers[i])
			return true;
	return false;
}
