/* A merge sort that can be left and gone on with. Short runs are sorted as they come in. The last
 * merge writes the ids alone, so that there is never more than half as much again of memory. */
#include "db/sorter.h"

#include <stdlib.h>
#include <string.h>

#include "util/index.h"

enum { RECENT = 32768 /* texts that are found again */ };
enum { RUN = 1024 /* rows */, STRIDE = 2048 /* rows merged between two looks at the clock */ };

void
sorter_init(struct sorter *o, int nr_terms, const bool *down)
{
	memset(o, 0, sizeof(*o));
	o->nr_terms = nr_terms;
	memcpy(o->down, down, (size_t)(nr_terms + 1) * sizeof(*down));
	strbuf_init(&o->texts);
	o->width = RUN;
}

void
sorter_release(struct sorter *o)
{
	if (o->left != o->keys)
		free(o->left);
	free(o->keys);
	free(o->ids);
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
	/* A column has one type; what a damaged file mixes is made of the first one. */
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

static void
sort_run(struct sorter *o, size_t rows)
{
	size_t n = words(o);

	if (rows)
		qsort_r(o->keys + o->nr - rows * n, rows, n * sizeof(*o->keys), compare, o);
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
	if (o->nr / n % RUN == 0)
		sort_run(o, RUN);
}

/* ---- merging ---- */

static bool
is_last(const struct sorter *o, size_t rows)
{
	return o->width >= rows || o->width >= rows - o->width;
}

static void
begin_pair(struct sorter *o, size_t rows)
{
	size_t n = words(o), left = rows - o->at;

	o->nr_left = left < o->width ? left : o->width;
	o->end = left - o->nr_left < o->width ? rows : o->at + 2 * o->width;
	o->i = 0;
	o->j = o->at + o->nr_left;
	o->k = o->at;
	if (is_last(o, rows)) {
		o->ids = xcalloc(rows + 1, sizeof(*o->ids));
		o->left = o->keys;
		return;
	}
	/* Room for an empty one, too: NULL means something. */
	o->left = xcalloc(o->nr_left * n + 1, sizeof(*o->left));
	memcpy(o->left, o->keys + o->at * n, o->nr_left * n * sizeof(*o->left));
}

static void
merge_one(struct sorter *o)
{
	size_t n = words(o);
	const uint64_t *from = o->left + o->i * n, *right = o->keys + o->j * n;

	if (o->i < o->nr_left && (o->j == o->end || compare(from, right, o) <= 0)) {
		o->i++;
	} else {
		from = right;
		o->j++;
	}
	if (o->ids)
		o->ids[o->k++] = (int64_t)from[n - 1];
	else
		memmove(o->keys + o->k++ * n, from, n * sizeof(*from));
}

static void
end_pair(struct sorter *o, size_t rows)
{
	if (o->left != o->keys)
		free(o->left);
	o->left = NULL;
	o->at = o->end;
	if (o->at < rows || o->ids)
		return;
	o->at = 0;
	o->width *= 2;
}

bool
sorter_sort(struct sorter *o, bool (*enough)(void *context), void *context, int64_t **ids,
	   size_t *nr)
{
	size_t rows = o->nr / words(o);

	if (!o->left && !o->at && o->width == RUN)
		sort_run(o, rows % RUN);
	do {
		if (!o->left)
			begin_pair(o, rows);
		for (int i = 0; i < STRIDE && o->k < o->end; i++)
			merge_one(o);
		if (o->k < o->end)
			continue;
		end_pair(o, rows);
		if (o->ids && o->at == rows) {
			*ids = o->ids;
			*nr = rows;
			o->ids = NULL;
			return true;
		}
	} while (!enough || !enough(context));
	return false;
}

int
sorter_percent(const struct sorter *o)
{
	size_t rows = o->nr / words(o), width, levels = 1, done = 0;

	for (width = RUN; width < rows; width *= 2) {
		levels++;
		done += width < o->width;
	}
	return rows ? (int)((100 * done + 100 * (o->left ? o->k : o->at) / rows) / levels) : 0;
}
