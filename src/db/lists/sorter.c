#include "db/lists/sorter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/column.h"
#include "db/store/new_file.h"
#include "util/index.h"
#include "util/job.h"
#include "util/job_sort.h"

enum { RECENT = 32768 /* texts that are found again */ };
enum { MOST_ROWS = 65536 /* in memory */, AT_ONCE = 256 /* of a run, that are read */ };

/* A run while all are merged. */
struct sorter_source {
	uint64_t *keys;          /* some rows */
	size_t at, nr;           /* of these */
	struct sorter_run rest;  /* rows behind them */
};

void
sorter_init(struct sorter *o, int nr_terms, const bool *down)
{
	memset(o, 0, sizeof(*o));
	o->nr_terms = nr_terms;
	memcpy(o->down, down, (size_t)(nr_terms + 1) * sizeof(*down));
	strbuf_init(&o->texts);
	o->file.fd = -1;
}

static void
free_sources(struct sorter *o)
{
	for (size_t i = 0; o->sources && i <= o->nr_runs; i++)
		free(o->sources[i].keys);
	free(o->sources);
	o->sources = NULL;
}

void
sorter_release(struct sorter *o)
{
	free_sources(o);
	free(o->runs);
	spill_close(&o->file);
	free(o->keys);
	free(o->recent);
	strbuf_release(&o->texts);
	memset(o, 0, sizeof(*o));
	o->file.fd = -1;
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
	size_t length;

	if (type == SQLITE_NULL)
		return 0;
	/* A column has one type; a damaged file's values of another are converted to the first. */
	if (o->types[term] == SORTER_UNKNOWN)
		o->types[term] = types[type];
	if (o->types[term] == SORTER_INTEGER)
		return integer_key(sqlite3_column_int64(st, column));
	if (o->types[term] == SORTER_REAL)
		return real_key(sqlite3_column_double(st, column));
	return text_key(o, column_text(st, column, &length));
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

/* ---- rows in a file ---- */

bool
sorter_is_full(const struct sorter *o)
{
	return !o->stays && o->nr >= MOST_ROWS * words(o);
}

static bool
has_file(struct sorter *o, struct error *err)
{
	char *name = o->file.fd < 0 ? new_file_temporary(err) : NULL;

	if (name) {
		spill_open(&o->file, name, err);
		unlink(name);
		free(name);
	}
	return o->file.fd >= 0;
}

void
sorter_put_aside(struct sorter *o)
{
	struct sorter_run run = { .rows = o->nr / words(o) };
	struct error err = ERROR_INIT;

	job_sort(o->keys, run.rows, words(o) * sizeof(*o->keys), compare, o);
	if (!has_file(o, &err) ||
	    spill_add(&o->file, o->keys, o->nr * sizeof(*o->keys), &run.at, &err)) {
		o->stays = true;
		return;
	}
	GROW(o->runs, o->nr_runs + 1, o->runs_alloc);
	o->runs[o->nr_runs++] = run;
	o->rows_aside += run.rows;
	o->nr = 0;
}

/* Reads more rows of a run if the last ones are used up. Returns false at its end. */
static bool
refill(struct sorter *o, struct sorter_source *s)
{
	size_t size = words(o) * sizeof(*s->keys);

	if (s->at < s->nr)
		return true;
	s->at = 0;
	s->nr = s->rest.rows < AT_ONCE ? s->rest.rows : AT_ONCE;
	o->failed |= s->nr && spill_read(&o->file, s->rest.at, s->keys, s->nr * size);
	s->rest.at += s->nr * size;
	s->rest.rows -= s->nr;
	return s->nr;
}

static const uint64_t *
row_of(const struct sorter *o, const struct sorter_source *s)
{
	return s->keys + s->at * words(o);
}

/* Moves the source at I down to where none below has a row before its own. */
static void
sift(struct sorter *o, struct sorter_source *s, size_t i, size_t nr)
{
	for (size_t low; (low = 2 * i + 1) < nr; i = low) {
		struct sorter_source other = s[i];

		if (low + 1 < nr && compare(row_of(o, &s[low + 1]), row_of(o, &s[low]), o) < 0)
			low++;
		if (compare(row_of(o, &s[i]), row_of(o, &s[low]), o) <= 0)
			return;
		s[i] = s[low];
		s[low] = other;
	}
}

/* The rows that are still in memory are a run, too. */
static void
begin_merging(struct sorter *o)
{
	o->sources = xcalloc(o->nr_runs + 1, sizeof(*o->sources));
	o->sources[o->nr_runs] = (struct sorter_source){ .keys = o->keys, .nr = o->nr / words(o) };
	o->keys = NULL;
	for (size_t i = 0; i < o->nr_runs; i++) {
		o->sources[i].keys = xcalloc(AT_ONCE * words(o), sizeof(*o->keys));
		o->sources[i].rest = o->runs[i];
		refill(o, &o->sources[i]);
	}
}

/* The sources are a heap: the next row is that of the first. */
static void
merge_runs(struct sorter *o, int64_t *ids, size_t rows)
{
	enum { UNIT = 4 /* rows for a unit of work */ };
	size_t nr = o->nr_runs + 1;
	struct sorter_source *s = o->sources;

	if (!s[nr - 1].nr)
		nr--;
	for (size_t i = nr / 2; i-- > 0;)
		sift(o, s, i, nr);
	for (size_t i = 0; i < rows && !o->failed; i++) {
		ids[i] = (int64_t)row_of(o, s)[o->nr_terms];
		s->at++;
		if (!refill(o, s)) {
			struct sorter_source empty = *s;

			*s = s[--nr];
			s[nr] = empty;
		}
		sift(o, s, 0, nr);
		if (i % UNIT == 0) {
			job_progress((double)i, (double)rows);
			job_pause(1);
		}
	}
}

static void
free_ids(void *ids)
{
	free(*(int64_t **)ids);
}

static size_t
sort_runs(struct sorter *o, int64_t **ids)
{
	size_t rows = o->rows_aside + o->nr / words(o);
	int64_t *sorted = xcalloc(rows + 1, sizeof(*sorted));
	struct job_hold hold;

	job_hold(&hold, free_ids, &sorted);
	begin_merging(o);
	merge_runs(o, sorted, rows);
	free_sources(o);
	*ids = sorted;
	sorted = NULL;
	job_let_go(&hold);
	return o->failed ? 0 : rows;
}

size_t
sorter_sort(struct sorter *o, int64_t **ids)
{
	enum { UNIT = 64 /* ids that are copied for a unit of work */ };
	size_t n = words(o), rows = o->nr / n;

	job_sort(o->keys, rows, n * sizeof(*o->keys), compare, o);
	if (o->nr_runs)
		return sort_runs(o, ids);
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
