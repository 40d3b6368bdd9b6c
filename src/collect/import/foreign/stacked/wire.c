#include "collect/import/foreign/stacked/wire.h"

bool
wire_number(struct wire *w, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (w->at == w->end) {
			w->bad = w->cut = shift > 0;
			return false;
		}
		byte = *w->at++;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	w->bad = true;
	return false;
}

static bool
take_bytes(struct wire *w, struct wire_field *f, uint64_t n)
{
	if (n > (uint64_t)(w->end - w->at)) {
		w->bad = w->cut = true;
		return false;
	}
	f->bytes = (struct wire){ .at = w->at, .end = w->at + n };
	w->at += n;
	return true;
}

bool
wire_next(struct wire *w, struct wire_field *f)
{
	uint64_t key, n;

	*f = (struct wire_field){ .number = 0 };
	if (w->bad || !wire_number(w, &key))
		return false;
	f->number = (uint32_t)(key >> 3);
	f->type = (enum wire_type)(key & 7);
	f->bytes.at = w->at;
	switch (f->type) {
	case WIRE_NUMBER:
		if (!wire_number(w, &f->value))
			break;
		f->bytes.end = w->at;
		return true;
	case WIRE_8_BYTES:
		return take_bytes(w, f, 8);
	case WIRE_4_BYTES:
		return take_bytes(w, f, 4);
	case WIRE_BYTES:
		if (!wire_number(w, &n))
			break;
		return take_bytes(w, f, n);
	}
	w->cut |= !w->bad && w->at == w->end;
	w->bad = true;
	return false;
}

/* Appends N bytes of the file to the room. What a file claims to have need not be there. */
static bool
read_bytes(struct wire_file *w, uint64_t n)
{
	enum { PIECE = 1 << 16 };
	const uint64_t most = 64 << 20;

	while (n && w->room.len + n <= most) {
		size_t piece = n < PIECE ? (size_t)n : PIECE, got;

		strbuf_room(&w->room, piece);
		got = fread_unlocked(w->room.buf + w->room.len, 1, piece, w->in);
		w->room.len += got;
		if (got < piece)
			break;
		n -= got;
	}
	w->bad |= n > 0;
	return !n;
}

/* Appends the bytes of a number to the room. False: the file ends, or they are too many. */
static bool
read_number(struct wire_file *w, uint64_t *value)
{
	enum { LONGEST = 10 };
	size_t first = w->room.len;
	struct wire all;
	int c;

	do {
		c = getc_unlocked(w->in);
		if (c == EOF)
			return false;
		strbuf_room(&w->room, 1);
		w->room.buf[w->room.len++] = (char)c;
	} while (c >= 0x80 && w->room.len - first < LONGEST);
	all = (struct wire){ .at = (const uint8_t *)w->room.buf + first,
			     .end = (const uint8_t *)w->room.buf + w->room.len };
	return wire_number(&all, value);
}

bool
wire_file_next(struct wire_file *w, struct wire_field *f)
{
	struct wire all;
	uint64_t key, n;
	bool whole = true;

	strbuf_clear(&w->room);
	if (w->bad)
		return false;
	if (!read_number(w, &key)) {
		w->bad = w->room.len > 0;
		return false;
	}
	switch (key & 7) {
	case WIRE_NUMBER:
		whole = read_number(w, &n);
		break;
	case WIRE_8_BYTES:
		whole = read_bytes(w, 8);
		break;
	case WIRE_4_BYTES:
		whole = read_bytes(w, 4);
		break;
	case WIRE_BYTES:
		whole = read_number(w, &n) && read_bytes(w, n);
		break;
	}
	all = (struct wire){ .at = (const uint8_t *)w->room.buf,
			     .end = (const uint8_t *)w->room.buf + w->room.len };
	w->bad = !whole || !wire_next(&all, f);
	return !w->bad;
}
