#include "util/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/input.h"
#include "util/mem.h"

int
spill_open(struct spill *s, const char *beside, struct error *err)
{
	char *copy = xstrdup(beside), *directory = dirname(copy);
	char *name = xasprintf("%s/cgview-XXXXXX", directory);

	s->size = 0;
	s->fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (s->fd < 0) { /* a file system without such files */
		s->fd = mkostemp(name, O_CLOEXEC);
		if (s->fd >= 0)
			unlink(name);
	}
	if (s->fd < 0)
		error_set_errno(err, errno, "cannot create %s", name);
	free(name);
	free(copy);
	return s->fd < 0 ? -1 : 0;
}

void
spill_close(struct spill *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

int
spill_add(struct spill *s, const void *data, size_t size, uint64_t *at, struct error *err)
{
	const char *p = data;
	ssize_t n;

	*at = s->size;
	for (; size; size -= (size_t)n, p += n, s->size += (uint64_t)n) {
		n = pwrite(s->fd, p, size, (off_t)s->size);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return error_set_errno(err, n ? errno : ENOSPC,
					       "cannot write a temporary file");
	}
	return 0;
}

void
spill_forget(struct spill *s, uint64_t at, uint64_t size)
{
	if (fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)size))
		errno = 0; /* it stays, then, until the file is closed */
}

int
spill_read(const struct spill *s, uint64_t at, void *data, size_t size)
{
	return input_read_at(s->fd, at, data, size) == (ssize_t)size ? 0 : -1;
}
