/* Reads messages of protobuf: fields one behind the other, each a number and a value. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_STACKED_WIRE_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_STACKED_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
