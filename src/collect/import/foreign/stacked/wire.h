/* Reads messages of protobuf: fields one behind the other, each a number and a value. A message is
 * in memory, or a file, only one field of which is in memory at a time. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_STACKED_WIRE_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_STACKED_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "util/mem.h"

enum wire_type { WIRE_NUMBER = 0, WIRE_8_BYTES = 1, WIRE_BYTES = 2, WIRE_4_BYTES = 5 };

struct wire {
	const uint8_t *at, *end;
	bool bad;                  /* it is no message, or was cut */
	bool cut;                  /* only that: its last field goes on behind the end */
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;            /* of WIRE_NUMBER */
	struct wire bytes;         /* of the others: what is in it; of a number: it itself, so that
	                            * wire_number() reads repeated ones, packed or not */
};

/* Reads the next field. False: there is none, or it is bad. */
bool wire_next(struct wire *w, struct wire_field *f);
/* Reads the next number of W, which has nothing else. False: there is none, or it is bad. */
bool wire_number(struct wire *w, uint64_t *value);

/* ROOM holds what the last field has. */
struct wire_file {
	FILE *in;
	struct strbuf room;
	bool bad;                  /* it is no message, was cut, or has a field of over 64 MB */
};
/* Reads the next field, whose bytes stay until the next call. False: there is none, it is bad, or
 * the file cannot be read (ferror). */
bool wire_file_next(struct wire_file *w, struct wire_field *f);

#endif
