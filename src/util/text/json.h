/* Reads JSON (RFC 8259) piece by piece, so that a file of any size needs little memory. Made for
 * what strangers wrote: nesting and texts have bounds. And writes its texts. */
#ifndef CGVIEW_UTIL_JSON_H
#define CGVIEW_UTIL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
	JSON_MOST_DEPTH = 64,
	JSON_MOST_TEXT = 1 << 16, /* bytes of a text; what is longer is cut */
};

enum json_piece {
	JSON_BAD,                 /* no JSON, deeper than JSON_MOST_DEPTH, cut or not readable */
	JSON_END,                 /* of the file; several values may stand before it (JSON lines) */
	JSON_OBJECT, JSON_OBJECT_END, JSON_ARRAY, JSON_ARRAY_END,
	JSON_KEY, JSON_STRING, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL,
};

struct json;
/* F stays the caller's. */
struct json *json_new(FILE *f);
void json_free(struct json *j);

/* Returns the next piece. After JSON_BAD there is no other. */
enum json_piece json_next(struct json *j);

/* Returns the text of the last JSON_KEY, JSON_STRING or JSON_NUMBER, until the next piece; a NUL
 * ends it, and may be in it, too. LENGTH may be NULL. */
const char *json_text(const struct json *j, size_t *length);
/* Is the last piece the key NAME? */
bool json_is_key(const struct json *j, const char *name);

/* Returns the last JSON_NUMBER; of another piece 0. The integer loses its fraction, and is no more
 * than an int64_t holds. */
double json_double(const struct json *j);
int64_t json_integer(const struct json *j);

/* Skips the value that comes next; or the rest of the object or array that the last piece began.
 * False: JSON_BAD came. */
bool json_skip(struct json *j);
bool json_skip_rest(struct json *j);

/* Calls TAKE for each member of an object (item of an array) whose JSON_OBJECT (JSON_ARRAY) was the
 * last piece. VALUE has come: TAKE reads the rest of an object or array, if only by
 * json_skip_rest(). KEY: cut to JSON_MOST_KEY bytes. False: JSON_BAD came, or TAKE returned it. */
enum { JSON_MOST_KEY = 63 };
typedef bool (*json_member)(void *context, struct json *j, const char *key, enum json_piece value);
typedef bool (*json_item)(void *context, struct json *j, enum json_piece value);
bool json_members(struct json *j, json_member take, void *context);
bool json_items(struct json *j, json_item take, void *context);
/* Does nothing with VALUE: for what TAKE does not know. */
bool json_pass(struct json *j, enum json_piece value);

/* How many lines were begun, for messages; from 1 on. */
uint64_t json_line(const struct json *j);

/* Appends S (N bytes) as a JSON text with its quotes: ASCII only, so it is the same in every locale
 * and valid UTF-8. A byte that is not UTF-8 becomes a visible escape: <9B>. */
struct strbuf;
void json_quote(struct strbuf *out, const char *s, size_t n);

#endif
