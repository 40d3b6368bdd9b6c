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
