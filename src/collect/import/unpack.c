#include "collect/import/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "collect/import/confine.h"
#include "collect/import/limited.h"
#include "collect/import/reading.h"
#include "util/input.h"
#include "util/mem.h"

enum { ROOM = 1 << 16 };

struct unpack {
	int fd;
	uint64_t done;             /* bytes given away */
	uint64_t size, told;       /* of the file; bytes given away when that was told */
	bool in_frame;             /* more of a compressed part must come */
	gzFile gzip;
	ZSTD_DStream *zstd;
	ZSTD_inBuffer in;
	char *room;
};

/* Returns bytes; -1: damaged, or cut within a compressed part. */
static ssize_t
read_zstd(struct unpack *u, char *to, size_t size)
{
	ZSTD_outBuffer out = { to, size, 0 };

	while (!out.pos) {
		size_t left;
		ssize_t n;

		if (u->in.pos == u->in.size) {
			n = input_read(u->fd, u->room, ROOM);
			if (n <= 0)
				return n || u->in_frame ? -1 : 0;
			u->in = (ZSTD_inBuffer){ u->room, (size_t)n, 0 };
		}
		left = ZSTD_decompressStream(u->zstd, &out, &u->in);
		if (ZSTD_isError(left))
			return -1;
		u->in_frame = left != 0;
	}
	return (ssize_t)out.pos;
}

static ssize_t
read_gzip(struct unpack *u, char *to, size_t size)
{
	int n = gzread(u->gzip, to, (unsigned)(size < ROOM ? size : ROOM)), status;

	if (n <= 0) {
		gzerror(u->gzip, &status);
		n = status == Z_OK || status == Z_STREAM_END ? n : -1;
	}
	return n;
}

static ssize_t
read_some(void *cookie, char *to, size_t size)
{
	struct unpack *u = cookie;
	ssize_t n = u->gzip ? read_gzip(u, to, size)
		    : u->zstd ? read_zstd(u, to, size) : input_read(u->fd, to, size);

	u->done += n > 0 ? (uint64_t)n : 0;
	if (n > 0 && (u->gzip || u->zstd) && u->done > UNPACK_MOST) {
		errno = EFBIG;
		return -1;
	}
	if (u->done - u->told >= READING_STEP) {
		u->told = u->done;
		reading_at((uint64_t)lseek(u->fd, 0, SEEK_CUR), u->size);
	}
	if (n < 0)
		errno = EIO;
	return n;
}

static int
close_all(void *cookie)
{
	struct unpack *u = cookie;

	if (u->gzip)
		gzclose_r(u->gzip);
	else
		close(u->fd);
	ZSTD_freeDStream(u->zstd);
	free(u->room);
	free(u);
	return 0;
}

/* Finds how U is compressed; it stands at the begin of the file. */
static void
find_kind(struct unpack *u)
{
	static const unsigned char zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
	unsigned char head[sizeof(zstd)] = { 0 };

	if (input_read_at(u->fd, 0, head, sizeof(head)) < 2)
		return;
	if (head[0] == 0x1f && head[1] == 0x8b)
		u->gzip = gzdopen(u->fd, "r");
	else if (!memcmp(head, zstd, sizeof(zstd)))
		u->zstd = ZSTD_createDStream();
	if (u->zstd)
		u->room = xmalloc(ROOM);
}

/* UNPACK gets what the stream reads by. */
static FILE *
open_unpack(const char *path, struct stat *st, struct unpack **unpack, struct error *err)
{
	static const cookie_io_functions_t functions = { .read = read_some, .close = close_all };
	int fd = input_open(path, st, err);
	struct unpack *u;
	FILE *f;

	if (fd < 0)
		return NULL;
	u = xcalloc(1, sizeof(*u));
	u->fd = fd;
	u->size = (uint64_t)st->st_size;
	find_kind(u);
	f = fopencookie(u, "r", functions);
	if (!f) {
		error_set_errno(err, errno, "%s cannot be read", path);
		close_all(u);
	}
	*unpack = u;
	return f;
}

FILE *
unpack_open(const char *path, struct stat *st, struct error *err)
{
	struct unpack *ignored;

	return open_unpack(path, st, &ignored, err);
}

static ssize_t
read_head(FILE *f, void *to, size_t n)
{
	size_t got = fread(to, 1, n, f);

	return got || !ferror(f) ? (ssize_t)got : -1;
}

ssize_t
unpack_head(const char *path, void *to, size_t n)
{
	struct error ignored = ERROR_INIT;
	struct stat st;
	FILE *f = unpack_open(path, &st, &ignored);
	ssize_t got = f ? read_head(f, to, n) : -1;

	if (f)
		fclose(f);
	return got;
}

struct head { FILE *f; size_t n; };

static void
say_head(const void *head, int fd)
{
	const struct head *h = head;
	char *room = xmalloc(h->n);
	ssize_t got;

	confine(fd);
	got = read_head(h->f, room, h->n);
	for (ssize_t at = 0, n; at < got; at += n) {
		n = write(fd, room + at, (size_t)(got - at));
		if (n <= 0)
			_exit(1);
	}
}

/* Asks a child for the head of F, which reads U's file. */
static ssize_t
head_of_packed(FILE *f, const struct unpack *u, void *to, size_t n)
{
	const struct head head = { f, n };
	const struct limited l = { .what = "a packed file", .run = say_head, .context = &head,
				   .keep = &u->fd, .nr_keep = 1 };
	struct error ignored = ERROR_INIT, limits = ERROR_INIT;
	struct strbuf answer = STRBUF_INIT;
	int status = limited_ask(&l, &answer, &limits, &ignored);
	ssize_t got = status || limits.set || answer.len > n ? -1 : (ssize_t)answer.len;

	if (got > 0)
		memcpy(to, answer.buf, (size_t)got);
	strbuf_release(&answer);
	return got;
}

ssize_t
unpack_head_apart(const char *path, void *to, size_t n)
{
	struct error ignored = ERROR_INIT;
	struct stat st;
	struct unpack *u;
	FILE *f = open_unpack(path, &st, &u, &ignored);
	ssize_t got;

	if (!f)
		return -1;
	got = u->gzip || u->zstd ? head_of_packed(f, u, to, n) : read_head(f, to, n);
	fclose(f);
	return got;
}
