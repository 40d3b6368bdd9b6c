#include "db/model/packed.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "util/spill.h"

/* No data of ours are larger: a small file must not fill the memory. */
#define SIZE_MOST ((uint64_t)1 << 30)

void
packed_put(struct strbuf *plain, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		strbuf_char(plain, (char)(v | 0x80));
	strbuf_char(plain, (char)v);
}

void
packed_make(struct packed *p, const struct strbuf *plain, struct arena *a)
{
	uLongf n = compressBound(plain->len);
	Bytef *small = xmalloc(n);
	void *data;

	/* As with source texts. */
	if (compress2(small, &n, (const Bytef *)plain->buf, plain->len, 6) != Z_OK ||
	    n >= plain->len) {
		memcpy(small, plain->buf, plain->len);
		n = plain->len;
	}
	data = arena_alloc(a, n ? n : 1);
	memcpy(data, small, n);
	*p = (struct packed){ .blob = { data, n }, .size = plain->len };
	free(small);
}

int
packed_spill(struct packed *p, struct model *m, struct error *err)
{
	if (!m->spill)
		return 0;
	if (spill_add(m->spill, p->blob.data, p->blob.bytes, &p->at, err))
		return -1;
	p->spilled = true;
	p->blob.data = NULL;
	return 0;
}

const void *
packed_data(const struct packed *p, const struct model *m, struct strbuf *room)
{
	if (!p->spilled)
		return p->blob.data;
	strbuf_clear(room);
	strbuf_room(room, p->blob.bytes);
	return spill_read(m->spill, p->at, room->buf, p->blob.bytes) ? NULL : room->buf;
}

int
packed_copy(struct packed *p, const struct model *from, struct model *into, struct error *err)
{
	struct strbuf room = STRBUF_INIT;
	const void *data = packed_data(p, from, &room);
	void *copy = data ? arena_alloc(&into->arena, p->blob.bytes ? p->blob.bytes : 1) : NULL;
	int status = data ? 0 : error_set(err, "the counts of a thread cannot be read");

	if (data) {
		memcpy(copy, data, p->blob.bytes);
		p->blob.data = copy;
		p->spilled = false;
		status = packed_spill(p, into, err);
	}
	strbuf_release(&room);
	return status;
}

void
packed_begin(struct packed_reader *r, const struct packed *p, const struct model *m)
{
	uLongf n = p->size;

	*r = (struct packed_reader){ .room = STRBUF_INIT };
	r->p = packed_data(p, m, &r->room);
	r->bad = !r->p || p->size > SIZE_MOST || p->blob.bytes > p->size;
	if (!r->bad && p->blob.bytes < p->size) {
		r->plain = xmalloc(p->size);
		r->bad = uncompress(r->plain, &n, r->p, p->blob.bytes) != Z_OK || n != p->size;
		r->p = r->plain;
	}
	r->end = r->bad ? r->p : r->p + p->size;
}

void
packed_end(struct packed_reader *r)
{
	free(r->plain);
	strbuf_release(&r->room);
}
