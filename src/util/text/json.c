#include "util/text/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/text/safe.h"

/* What may come next. */
enum want { WANT_VALUE, WANT_VALUE_OR_END, WANT_KEY, WANT_KEY_OR_END, WANT_COMMA_OR_END };

struct json {
	FILE *f;
	enum json_piece last;
	enum want want;
	int depth;
	char close[JSON_MOST_DEPTH]; /* of what is open */
	char *text;
	size_t length, room;
	uint64_t line;
};

struct json *
json_new(FILE *f)
{
	struct json *j = xcalloc(1, sizeof(*j));

	j->f = f;
	j->last = JSON_END;
	j->line = 1;
	j->text = xcalloc(1, 1);
	return j;
}

void
json_free(struct json *j)
{
	free(j->text);
	free(j);
}

static void
add(struct json *j, int c)
{
	if (j->length == JSON_MOST_TEXT)
		return;
	GROW(j->text, j->length + 2, j->room);
	j->text[j->length++] = (char)c;
	j->text[j->length] = '\0';
}

static void
add_utf8(struct json *j, uint32_t c)
{
	if (c < 0x80) {
		add(j, (int)c);
		return;
	}
	if (c < 0x800) {
		add(j, (int)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			add(j, (int)(0xe0 | c >> 12));
		} else {
			add(j, (int)(0xf0 | c >> 18));
			add(j, (int)(0x80 | (c >> 12 & 0x3f)));
		}
		add(j, (int)(0x80 | (c >> 6 & 0x3f)));
	}
	add(j, (int)(0x80 | (c & 0x3f)));
}

/* Returns the four digits behind \u; -1: there are none. */
static int32_t
read_hex(struct json *j)
{
	int32_t v = 0;

	for (int i = 0; i < 4; i++) {
		int c = getc_unlocked(j->f);

		if (c == EOF || !isxdigit(c))
			return -1;
		v = v << 4 | (isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return v;
}

enum { HIGH = 0xd800, LOW = 0xdc00, PAST = 0xe000, REPLACEMENT = 0xfffd };

/* Reads \uXXXX, and the second one of a pair. */
static bool
read_unicode(struct json *j)
{
	int32_t c = read_hex(j), low;

	if (c >= HIGH && c < LOW) {
		if (getc_unlocked(j->f) != '\\' || getc_unlocked(j->f) != 'u')
			return false;
		low = read_hex(j);
		if (low < 0)
			return false;
		c = low >= LOW && low < PAST ? 0x10000 + ((c - HIGH) << 10) + (low - LOW)
					     : REPLACEMENT;
	} else if (c >= LOW && c < PAST) {
		c = REPLACEMENT;
	}
	if (c < 0)
		return false;
	add_utf8(j, (uint32_t)c);
	return true;
}

static bool
read_escape(struct json *j)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int c = getc_unlocked(j->f);
	const char *at = c > 0 ? strchr(from, c) : NULL;

	if (c == 'u')
		return read_unicode(j);
	if (!at)
		return false;
	add(j, to[at - from]);
	return true;
}

/* Reads a text behind its first ". Control characters are taken: writers forget to escape them. */
static bool
read_text(struct json *j)
{
	for (;;) {
		int c = getc_unlocked(j->f);

		if (c == '"')
			return true;
		if (c == EOF || (c == '\\' && !read_escape(j)))
			return false;
		j->line += c == '\n';
		if (c != '\\')
			add(j, c);
	}
}

/* Reads what is made of letters and digits: a number, or one of three words. */
static enum json_piece
read_plain(struct json *j, int c)
{
	static const struct { const char *word; enum json_piece piece; } words[] = {
		{ "true", JSON_TRUE }, { "false", JSON_FALSE }, { "null", JSON_NULL },
		/* Some writers have these. */
		{ "NaN", JSON_NULL }, { "Infinity", JSON_NULL }, { "-Infinity", JSON_NULL },
	};
	enum { MOST = 400 }; /* of a double, written out, 330 */
	char *end;

	for (; c != EOF && (isalnum(c) || (c && strchr("+-.", c))); c = getc_unlocked(j->f)) {
		if (j->length == MOST)
			return JSON_BAD;
		add(j, c);
	}
	if (c != EOF)
		ungetc(c, j->f);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(j->text, words[i].word))
			return words[i].piece;
	if (!strchr("-0123456789", j->text[0]) || !j->text[0] ||
	    strspn(j->text, "+-.eE0123456789") != j->length)
		return JSON_BAD;
	strtod(j->text, &end);
	return *end ? JSON_BAD : JSON_NUMBER;
}

static int
next_char(struct json *j)
{
	int c;

	while ((c = getc_unlocked(j->f)) == ' ' || c == '\n' || c == '\t' || c == '\r')
		j->line += c == '\n';
	return c;
}

static enum json_piece
open_one(struct json *j, char close)
{
	if (j->depth == JSON_MOST_DEPTH)
		return JSON_BAD;
	j->close[j->depth++] = close;
	j->want = close == '}' ? WANT_KEY_OR_END : WANT_VALUE_OR_END;
	return close == '}' ? JSON_OBJECT : JSON_ARRAY;
}

static enum json_piece
read_value(struct json *j, int c)
{
	if (c == '{' || c == '[')
		return open_one(j, c == '{' ? '}' : ']');
	j->want = j->depth ? WANT_COMMA_OR_END : WANT_VALUE;
	if (c == '"')
		return read_text(j) ? JSON_STRING : JSON_BAD;
	return read_plain(j, c);
}

static enum json_piece
read_key(struct json *j, int c)
{
	j->want = WANT_VALUE;
	return c == '"' && read_text(j) && next_char(j) == ':' ? JSON_KEY : JSON_BAD;
}

static enum json_piece
read_piece(struct json *j)
{
	int c = next_char(j);

	if (c == EOF)
		return j->depth || j->want != WANT_VALUE || ferror(j->f) ? JSON_BAD : JSON_END;
	if (j->depth && c == j->close[j->depth - 1] && j->want != WANT_VALUE &&
	    j->want != WANT_KEY) {
		j->depth--;
		j->want = j->depth ? WANT_COMMA_OR_END : WANT_VALUE;
		return c == '}' ? JSON_OBJECT_END : JSON_ARRAY_END;
	}
	if (j->want == WANT_COMMA_OR_END) {
		if (c != ',')
			return JSON_BAD;
		j->want = j->close[j->depth - 1] == '}' ? WANT_KEY : WANT_VALUE;
		c = next_char(j);
	}
	return j->want == WANT_KEY || j->want == WANT_KEY_OR_END ? read_key(j, c)
								 : read_value(j, c);
}

enum json_piece
json_next(struct json *j)
{
	if (j->last == JSON_BAD)
		return JSON_BAD;
	j->length = 0;
	j->text[0] = '\0';
	j->last = read_piece(j);
	return j->last;
}

const char *
json_text(const struct json *j, size_t *length)
{
	if (length)
		*length = j->length;
	return j->text;
}

bool
json_is_key(const struct json *j, const char *name)
{
	return j->last == JSON_KEY && strlen(name) == j->length &&
	       !memcmp(j->text, name, j->length);
}

double
json_double(const struct json *j)
{
	return j->last == JSON_NUMBER ? strtod(j->text, NULL) : 0;
}

int64_t
json_integer(const struct json *j)
{
	char *end;
	long long v;
	double d;

	if (j->last != JSON_NUMBER)
		return 0;
	v = strtoll(j->text, &end, 10); /* which saturates */
	if (!*end)
		return v;
	d = strtod(j->text, NULL);
	return d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? INT64_MIN : (int64_t)d;
}

bool
json_skip_rest(struct json *j)
{
	int depth = j->depth;

	while (j->depth >= depth)
		if (json_next(j) == JSON_BAD)
			return false;
	return true;
}

bool
json_pass(struct json *j, enum json_piece value)
{
	return value == JSON_OBJECT || value == JSON_ARRAY ? json_skip_rest(j)
							   : value != JSON_BAD;
}

bool
json_skip(struct json *j)
{
	return json_pass(j, json_next(j));
}

bool
json_members(struct json *j, json_member take, void *context)
{
	char key[JSON_MOST_KEY + 1];

	while (json_next(j) == JSON_KEY) {
		snprintf(key, sizeof(key), "%s", j->text);
		if (json_next(j) == JSON_BAD || !take(context, j, key, j->last))
			return false;
	}
	return j->last == JSON_OBJECT_END;
}

bool
json_items(struct json *j, json_item take, void *context)
{
	while (json_next(j) != JSON_ARRAY_END)
		if (j->last == JSON_BAD || !take(context, j, j->last))
			return false;
	return true;
}

uint64_t
json_line(const struct json *j)
{
	return j->line;
}

/* ---- writing ---- */

static void
put_char(struct strbuf *out, int32_t c)
{
	if (c < 0)
		safe_char(out, c);
	else if (c == '"' || c == '\\')
		strbuf_fmt(out, "\\%c", (char)c);
	else if (c >= 0x20 && c < 0x7f)
		strbuf_char(out, (char)c);
	else if (c < 0x10000)
		strbuf_fmt(out, "\\u%04x", (unsigned)c);
	else
		strbuf_fmt(out, "\\u%04x\\u%04x", 0xd800 + (((unsigned)c - 0x10000) >> 10),
			   0xdc00 + ((unsigned)c & 0x3ff));
}

void
json_quote(struct strbuf *out, const char *s, size_t n)
{
	int32_t c;

	strbuf_char(out, '"');
	for (size_t i = 0; i < n;) {
		i += utf8_decode(s + i, n - i, &c);
		put_char(out, c);
	}
	strbuf_char(out, '"');
}
