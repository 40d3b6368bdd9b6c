/* Prints rows for programs to stdout: comma-separated values (RFC 4180) or JSON. The fields of a
 * row come in their order, whatever the format. CSV has the heads and the rows of the list "rows";
 * JSON is an object with all lists, and with the fields that are outside of any. Numbers read back
 * as what they were. Nothing is written after the first write that failed. */
#ifndef CGVIEW_PRINT_RECORD
#define CGVIEW_PRINT_RECORD

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/store/profile.h"
#include "util/mem.h"

struct record {
	bool json, arrays;       /* rows of JSON are arrays, which have no names */
	enum { RECORD_FACTS, RECORD_HEADS, RECORD_ITEMS, RECORD_ROWS } in;
	bool told;               /* this format prints what is in it */
	bool began;              /* the row, the heads or the items have a field already */
	size_t nr;               /* rows of the list so far */
	struct strbuf out;       /* what is not written yet */
};

/* Begins the output in FORMAT: "csv" or "json". The latter begins with the name and the version of
 * its schema, docs/schema/cgview-1.json, and says which DOCUMENT of it this is: "report". */
void record_open(struct record *r, const char *document, const char *format);
void record_close(struct record *r);

/* Makes the fields from here on no more than their names: the heads of CSV, in JSON the array NAME
 * (NULL: it has none). */
void record_heads(struct record *r, const char *name);
/* Makes the fields from here on those of an array, which CSV does not have. */
void record_items(struct record *r, const char *name);
/* Makes the rows from here on those of this list. */
void record_list(struct record *r, const char *name);

/* Begin and end a row. False: writing fails, so no more rows are needed. */
bool record_begin(struct record *r);
bool record_end(struct record *r);

/* Write the next field, which is NULL where there is no value. */
void record_text(struct record *r, const char *name, const char *text);
void record_bytes(struct record *r, const char *name, const char *s, size_t n);
void record_whole(struct record *r, const char *name, uint64_t n);
void record_real(struct record *r, const char *name, double v); /* NAN: it has none */
void record_scalar(struct record *r, const char *name, const struct scalar_value *v);
void record_bool(struct record *r, const char *name, bool v);
void record_none(struct record *r, const char *name);
/* Writes the cell of a listing's column of UNIT. */
void record_cell(struct record *r, const char *name, enum column_unit unit,
		 const struct cell *cell);
/* Writes a number from its digits. */
void record_digits(struct record *r, const char *name, const char *s, size_t n);

/* Appends S (N bytes) as a cell of CSV: as safe_data() does, and quoted if need be. */
void record_csv_text(struct strbuf *out, const char *s, size_t n);

/* Can writing go on? Not after the first write error. */
bool report_can_write(void);

#endif
