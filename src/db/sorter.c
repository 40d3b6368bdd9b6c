#include "db/sorter.h"

#include <stdlib.h>
#include <string.h>

#include "util/index.h"
#include "util/job.h"
#include "util/job_sort.h"

enum { RECENT = 32768 /* texts that are found again */ };

void
sorter_init(struct sorter *o, int nr_terms, const bool *down)
{
	memset(o, 0, sizeof(*o));
	o->nr_terms = nr_terms;
	memcpy(o->down, down, (size_t)(nr_terms + 1) * sizeof(*down));
	strbuf_init(&o->texts);
}

void
sorter_release(struct sorter *o)
{
	free(o->keys);
	free(o->recent);
	strbuf_release(&o->texts);
	memset(o, 0, sizeof(*o));
}

static size_t
words(const struct sorter *o)
{
	return (size_t)o->nr_terms + 1;
}

/* ---- keys: greater values are greater numbers, NULL is 0 ---- */

static uint64_t
integer_key(int64_t v)
{
	uint64_t key = (uint64_t)v ^ (uint64_t)1 << 63;

	return key ? key : 1;
}

static uint64_t
real_key(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Many rows have the same text: a procedure's name, a path. */
static uint64_t
text_key(struct sorter *o, const char *text)
{
	uint64_t *recent;

	if (!o->recent)
		o->recent = xcalloc(RECENT, sizeof(*o->recent));
	recent = &o->recent[hash_text(HASH_START, text) % RECENT];
	if (*recent && !strcmp(o->texts.buf + *recent - 1, text))
		return *recent;
	*recent = o->texts.len + 1;
	strbuf_str(&o->texts, text);
	strbuf_char(&o->texts, '\0');
	return *recent;
}

static uint64_t
key_of(struct sorter *o, int term, sqlite3_stmt *st, int column)
{
	static const enum sorter_type types[] = {
		[SQLITE_INTEGER] = SORTER_INTEGER, [SQLITE_FLOAT] = SORTER_REAL,
		[SQLITE_TEXT] = SORTER_TEXT, [SQLITE_BLOB] = SORTER_TEXT,
	};
	int type = sqlite3_column_type(st, column);
	const char *text;

	if (type == SQLITE_NULL)
		return 0;
	/* A column has one type; a damaged file's values of another are converted to the first. */
	if (o->types[term] == SORTER_UNKNOWN)
		o->types[term] = types[type];
	if (o->types[term] == SORTER_INTEGER)
		return integer_key(sqlite3_column_int64(st, column));
	if (o->types[term] == SORTER_REAL)
		return real_key(sqlite3_column_double(st, column));
	text = (const char *)sqlite3_column_text(st, column);
	return text_key(o, text ? text : "");
}

static int
compare(const void *pa, const void *pb, void *context)
{
	const uint64_t *a = pa, *b = pb;
	const struct sorter *o = context;
	int64_t x, y;
	int c;

	for (int i = 0; i < o->nr_terms; i++) {
		if (a[i] == b[i])
			continue;
		c = a[i] < b[i] ? -1 : 1;
		if (o->types[i] == SORTER_TEXT && a[i] && b[i])
			c = strcmp(o->texts.buf + a[i] - 1, o->texts.buf + b[i] - 1);
		if (c)
			return o->down[i] ? -c : c;
	}
	x = (int64_t)a[o->nr_terms];
	y = (int64_t)b[o->nr_terms];
	c = x < y ? -1 : x > y;
	return o->down[o->nr_terms] ? -c : c;
}

void
sorter_add(struct sorter *o, sqlite3_stmt *st, int column, int64_t id)
{
	size_t n = words(o);

	GROW(o->keys, o->nr + n, o->alloc);
	for (int i = 0; i < o->nr_terms; i++)
		o->keys[o->nr + (size_t)i] = key_of(o, i, st, column + i);
	o->keys[o->nr + n - 1] = (uint64_t)id;
	o->nr += n;
}

size_t
sorter_sort(struct sorter *o, int64_t **ids)
{
	enum { UNIT = 64 /* ids that are copied for a unit of work */ };
	size_t n = words(o), rows = o->nr / n;

	job_sort(o->keys, rows, n * sizeof(*o->keys), compare, o);
	/* The ids move to the begin of the keys, which may be many. */
	for (size_t i = 0; i < rows; i++) {
		o->keys[i] = o->keys[i * n + n - 1];
		if (i % UNIT == 0)
			job_pause(1);
	}
	*ids = xrealloc(o->keys, rows + 1, sizeof(**ids));
	o->keys = NULL;
	return rows;
}
