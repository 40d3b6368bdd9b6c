/* Rows for programs, to stdout: comma-separated values (RFC 4180) or JSON. The fields of a row are
 * told in their order, whatever the format. CSV is the heads and the rows of the list "rows"; JSON
 * is an object with all lists, and with the fields that are told outside of any. Numbers read back
 * as what they were. Nothing is written after the first write that failed. */
#ifndef CGVIEW_PRINT_RECORD
#define CGVIEW_PRINT_RECORD

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/scalar.h"
#include "util/mem.h"

struct record {
	bool json, arrays;       /* rows of JSON are arrays, which have no names */
	enum { RECORD_FACTS, RECORD_HEADS, RECORD_ITEMS, RECORD_ROWS } in;
	bool told;               /* what is in it is printed in this format */
	bool began;              /* the row, the heads, the items: there is a field */
	size_t nr;               /* rows of the list so far */
	struct strbuf out;       /* what is not written yet */
};

/* FORMAT: "csv" or "json". */
void record_open(struct record *r, const char *format);
void record_close(struct record *r);

/* From here on fields are no more than their names: the heads of CSV, in JSON the array NAME (NULL:
 * it has none). */
void record_heads(struct record *r, const char *name);
/* From here on fields are those of an array, which CSV has not. */
void record_items(struct record *r, const char *name);
/* From here on rows are those of this list. */
void record_list(struct record *r, const char *name);

/* A row begins, ends. False: writing fails, there is no need for more. */
bool record_begin(struct record *r);
bool record_end(struct record *r);

/* The next field, which is NULL where there is none. */
void record_text(struct record *r, const char *name, const char *text);
void record_bytes(struct record *r, const char *name, const char *s, size_t n);
void record_whole(struct record *r, const char *name, uint64_t n);
void record_integer(struct record *r, const char *name, int64_t n);
void record_real(struct record *r, const char *name, double v); /* NAN: it has none */
void record_scalar(struct record *r, const char *name, const struct scalar_value *v);
void record_bool(struct record *r, const char *name, bool v);
void record_none(struct record *r, const char *name);
/* A number that is written already. */
void record_digits(struct record *r, const char *name, const char *s, size_t n);

/* Should writing go on? False after the first write error. */
bool report_can_write(void);

#endif
