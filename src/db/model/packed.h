/* Data of a row that are kept compressed: numbers of seven bits a byte, the low ones first. */
#ifndef CGVIEW_DB_PACKED_H
#define CGVIEW_DB_PACKED_H

#include "db/model/model.h"
#include "util/error.h"

static inline bool
packed_is_there(const struct packed *p)
{
	return p->blob.data || p->spilled;
}

/* Appends V. */
void packed_put(struct strbuf *plain, uint64_t v);

/* Makes P of PLAIN; the data are A's. Data that do not get smaller stay as they are. */
void packed_make(struct packed *p, const struct strbuf *plain, struct arena *a);

/* Puts the data of P into M's spill, if it has one. Returns -1 and ERR on failure. */
int packed_spill(struct packed *p, struct model *m, struct error *err);

/* Returns the packed data of P, which M owns, or which were read into ROOM. NULL: there are none,
 * or they cannot be read. */
const void *packed_data(const struct packed *p, const struct model *m, struct strbuf *room);

/* P, of FROM, becomes INTO's. -1 and ERR: its data cannot be read, or the disk is full. */
int packed_copy(struct packed *p, const struct model *from, struct model *into, struct error *err);

/* Reads numbers; BAD becomes true where there is none, and then they are 0. */
struct packed_reader {
	const uint8_t *p, *end;
	bool bad;
	uint8_t *plain;            /* what has to be released */
	struct strbuf room;
};
/* Begins to read P, of M; packed_end() gives the memory back. */
void packed_begin(struct packed_reader *r, const struct packed *p, const struct model *m);
void packed_end(struct packed_reader *r);

static inline uint64_t
packed_number(struct packed_reader *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && !r->bad && r->p < r->end; shift += 7) {
		v |= (uint64_t)(*r->p & 0x7f) << shift;
		if (!(*r->p++ & 0x80))
			return v;
	}
	r->bad = true;
	return 0;
}

#endif
