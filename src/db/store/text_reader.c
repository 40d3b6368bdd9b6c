#include "db/store/text_reader.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "db/store/connection.h"
#include "db/store/schema.h"

enum { STRIDE = 128 << 10 /* bytes between two looks at the clock */ };

struct text_reader {
	struct profile *profile;
	model_id id;
	unsigned char *packed;
	size_t size;             /* of the text */
	char *text;              /* NULL: it is not stored, or cannot be read */
	z_stream stream;
	bool inflating, done;
};

static bool
damaged(struct text_reader *r)
{
	free(r->text);
	r->text = NULL;
	r->done = true;
	error_set(&r->profile->error, "%s is damaged (the text of file %u): copy it again, "
				      "or record again", r->profile->path, r->id);
	return true;
}

/* The stored size is believed only as far as the packed text could be that long: deflate never
 * shrinks by more than 1032. */
static void
take_packed(struct text_reader *r, const void *packed, size_t n, uint64_t size)
{
	if (size > SCHEMA_TEXT_MAX || size / 1032 > n) {
		damaged(r);
		return;
	}
	r->size = size;
	r->text = xmalloc(size + 1);
	r->text[size] = '\0';
	if (n == size) {
		if (n)
			memcpy(r->text, packed, n);
		r->done = true;
		return;
	}
	r->packed = xmalloc(n + 1);
	memcpy(r->packed, packed, n);
	r->stream.next_in = r->packed;
	r->stream.avail_in = (uInt)n;
	r->stream.next_out = (Bytef *)r->text;
	r->inflating = inflateInit(&r->stream) == Z_OK;
	if (!r->inflating)
		damaged(r);
}

struct text_reader *
text_reader_new(struct profile *p, model_id id)
{
	struct text_reader *r = xcalloc(1, sizeof(*r));
	sqlite3_stmt *st = profile_query(p, QUERY_FILE_TEXT);
	const void *packed;
	uint64_t size;
	size_t n;

	r->profile = p;
	r->id = id;
	if (st)
		sqlite3_bind_int64(st, 1, id);
	profile_large_values(p, true);
	r->done = !st || !profile_step(p, st);
	profile_large_values(p, false);
	if (r->done)
		return r;
	size = column_count(p, st, 0);
	packed = column_blob(p, st, 1, &n);
	if (packed)
		take_packed(r, packed, n, size);
	else
		r->done = true;
	sqlite3_reset(st);
	return r;
}

bool
text_reader_work(struct text_reader *r, bool (*enough)(void *context), void *context)
{
	while (!r->done) {
		size_t left = r->size - r->stream.total_out;
		unsigned char beyond; /* a stream that goes on is damaged */
		int code;

		r->stream.avail_out = (uInt)(left < STRIDE ? left : STRIDE);
		if (!left) {
			r->stream.next_out = &beyond;
			r->stream.avail_out = 1;
		}
		code = inflate(&r->stream, Z_NO_FLUSH);
		if (code == Z_STREAM_END && r->stream.total_out == r->size)
			r->done = true;
		else if (code != Z_OK || r->stream.total_out > r->size)
			return damaged(r);
		if (enough && enough(context))
			return r->done;
	}
	return true;
}

char *
text_reader_end(struct text_reader *r, size_t *size)
{
	char *text = r->done ? r->text : NULL;

	*size = text ? r->size : 0;
	if (!r->done)
		free(r->text);
	if (r->inflating)
		inflateEnd(&r->stream);
	free(r->packed);
	free(r);
	return text;
}
