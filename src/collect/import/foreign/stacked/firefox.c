/* Profiles of the Firefox profiler in JSON (processed), as samply writes them, too. Tables are
 * objects of arrays, one for each column, in each thread, or, of newer versions, in "shared":
 *
 *	{"meta": {"interval": 1, "preprocessedProfileVersion": 47}, "libs": [{"path": "/a"}],
 *	 "shared": {"stringArray": ["f"]},
 *	 "threads": [{"name": "main", "pid": 1, "tid": 2,
 *	              "samples": {"stack": [0, null], "weight": null, "weightType": "samples",
 *	                          "time": [1.5, 2.5]},
 *	              "stackTable": {"prefix": [null], "frame": [0]},
 *	              "frameTable": {"func": [0], "line": [3], "address": [64]},
 *	              "funcTable": {"name": [0], "fileName": [null], "resource": [0]}}]}
 *
 * Keys come in any order: the file is read twice, threads the second time. A sample stands for the
 * interval. */
#include "collect/import/foreign/foreign_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/stacks.h"
#include "collect/import/unpack.h"
#include "util/mem.h"
#include "util/text/json.h"

enum column_name {
	SAMPLE_STACK, SAMPLE_WEIGHT, SAMPLE_TIME, SAMPLE_STEP,
	STACK_PREFIX, STACK_OFFSET, STACK_FRAME, FRAME_FUNC, FRAME_LINE, FRAME_LIB,
	FRAME_ADDRESS, FRAME_DEPTH, FUNC_NAME, FUNC_FILE, FUNC_SOURCE, FUNC_LINE, FUNC_RESOURCE,
	RESOURCE_LIB, SOURCE_FILE, NR_COLUMNS,
};
static const struct { const char *table, *column; } columns[NR_COLUMNS] = {
	[SAMPLE_STACK] = { "samples", "stack" }, [SAMPLE_WEIGHT] = { "samples", "weight" },
	[SAMPLE_TIME] = { "samples", "time" }, [SAMPLE_STEP] = { "samples", "timeDeltas" },
	[STACK_PREFIX] = { "stackTable", "prefix" },
	[STACK_OFFSET] = { "stackTable", "prefixOffset" }, /* from version 66 on */
	[STACK_FRAME] = { "stackTable", "frame" },
	[FRAME_LIB] = { "frameTable", "lib" }, /* from version 70 on */
	[FRAME_FUNC] = { "frameTable", "func" }, [FRAME_LINE] = { "frameTable", "line" },
	[FRAME_ADDRESS] = { "frameTable", "address" },
	[FRAME_DEPTH] = { "frameTable", "inlineDepth" }, [FUNC_NAME] = { "funcTable", "name" },
	[FUNC_FILE] = { "funcTable", "fileName" }, [FUNC_SOURCE] = { "funcTable", "source" },
	[FUNC_LINE] = { "funcTable", "lineNumber" },
	[FUNC_RESOURCE] = { "funcTable", "resource" },
	[RESOURCE_LIB] = { "resourceTable", "lib" }, [SOURCE_FILE] = { "sources", "filename" },
};

struct column { double *items; size_t nr, alloc; }; /* NAN: null */
struct tables {
	struct column of[NR_COLUMNS];
	uint32_t *strings;         /* numbers of texts */
	size_t nr_strings, strings_alloc;
};

struct reader {
	struct json *json;
	struct stacks *stacks;
	struct tables shared, own; /* own: of the thread that is read */
	uint32_t *libs;            /* numbers of their paths */
	size_t nr_libs, libs_alloc;
	uint32_t product;
	double interval_ms;
	uint32_t name, weight_type;
	uint32_t pid, tid;
	uint64_t bad, deep;
};

/* ---- JSON ---- */

/* Skips what PIECE has begun. */
static bool
skip(struct reader *r, enum json_piece piece)
{
	if (piece == JSON_OBJECT || piece == JSON_ARRAY)
		return json_skip_rest(r->json);
	return piece != JSON_BAD && piece != JSON_END;
}

static uint32_t
keep(struct reader *r)
{
	struct stacks_text t;

	t.at = json_text(r->json, &t.length);
	return stacks_keep(r->stacks, t);
}

/* Reads the array that comes next, if it is one, into C. */
static bool
read_column(struct reader *r, struct column *c)
{
	enum json_piece piece = json_next(r->json);

	if (piece != JSON_ARRAY)
		return skip(r, piece);
	while ((piece = json_next(r->json)) != JSON_ARRAY_END) {
		if (!skip(r, piece))
			return false;
		GROW(c->items, c->nr + 1, c->alloc);
		c->items[c->nr++] = piece == JSON_NUMBER ? json_double(r->json) : NAN;
	}
	return true;
}

static bool
read_strings(struct reader *r, struct tables *t)
{
	enum json_piece piece = json_next(r->json);

	if (piece != JSON_ARRAY)
		return skip(r, piece);
	while ((piece = json_next(r->json)) != JSON_ARRAY_END) {
		if (!skip(r, piece))
			return false;
		GROW(t->strings, t->nr_strings + 1, t->strings_alloc);
		t->strings[t->nr_strings++] = piece == JSON_STRING ? keep(r) : 0;
	}
	return true;
}

/* Reads the table NAME, which comes next. */
static bool
read_table(struct reader *r, struct tables *t, const char *name)
{
	enum json_piece piece = json_next(r->json);

	if (piece != JSON_OBJECT)
		return skip(r, piece);
	while ((piece = json_next(r->json)) == JSON_KEY) {
		int c = 0;

		while (c < NR_COLUMNS && !(!strcmp(columns[c].table, name) &&
					   json_is_key(r->json, columns[c].column)))
			c++;
		if (c < NR_COLUMNS) {
			if (!read_column(r, &t->of[c]))
				return false;
			continue;
		}
		bool type = json_is_key(r->json, "weightType");

		piece = json_next(r->json);
		if (type && piece == JSON_STRING)
			r->weight_type = keep(r);
		if (!skip(r, piece))
			return false;
	}
	return piece == JSON_OBJECT_END;
}

/* Is the key that came last one of T's tables? Then it is read: *GOOD. */
static bool
is_table(struct reader *r, struct tables *t, bool *good)
{
	if (json_is_key(r->json, "stringArray")) {
		*good = read_strings(r, t);
		return true;
	}
	for (int c = 0; c < NR_COLUMNS; c++)
		if (json_is_key(r->json, columns[c].table)) {
			*good = read_table(r, t, columns[c].table);
			return true;
		}
	return false;
}

static void
forget(struct tables *t)
{
	for (int c = 0; c < NR_COLUMNS; c++)
		t->of[c].nr = 0;
	t->nr_strings = 0;
}

static void
release(struct tables *t)
{
	for (int c = 0; c < NR_COLUMNS; c++)
		free(t->of[c].items);
	free(t->strings);
}

/* ---- tables ---- */

/* Returns column C of row I; -1: there is none. */
static int64_t
value(const struct reader *r, enum column_name c, int64_t i)
{
	const struct column *column = r->own.of[c].nr ? &r->own.of[c] : &r->shared.of[c];
	double v = i >= 0 && (size_t)i < column->nr ? column->items[i] : NAN;

	return v >= 0 && v < 0x1p53 ? (int64_t)v : -1;
}

static struct stacks_text
string(const struct reader *r, int64_t i)
{
	const struct tables *t = r->own.nr_strings ? &r->own : &r->shared;

	return stacks_kept(r->stacks, i >= 0 && (size_t)i < t->nr_strings ? t->strings[i] : 0);
}

static bool
is_address(struct stacks_text t)
{
	return t.length > 2 && !memcmp(t.at, "0x", 2) &&
	       strspn(t.at + 2, "0123456789abcdefABCDEF") == t.length - 2;
}

/* Names that are addresses are none: the library's symbols may be here. */
static struct stacks_frame
frame_of(const struct reader *r, int64_t i)
{
	struct stacks_frame f = { .offset = STACKS_NO_OFFSET };
	int64_t func = value(r, FRAME_FUNC, i), line = value(r, FRAME_LINE, i);
	int64_t start = value(r, FUNC_LINE, func), address = value(r, FRAME_ADDRESS, i);
	int64_t lib = value(r, FRAME_LIB, i);
	int64_t source = value(r, FUNC_SOURCE, func);

	if (lib < 0)
		lib = value(r, RESOURCE_LIB, value(r, FUNC_RESOURCE, func));
	f.symbol = string(r, value(r, FUNC_NAME, func));
	f.file = string(r, source >= 0 ? value(r, SOURCE_FILE, source) : value(r, FUNC_FILE, func));
	f.line = line > 0 && line <= INT32_MAX ? (uint32_t)line : 0;
	f.start_line = start > 0 && start <= INT32_MAX ? (uint32_t)start : 0;
	f.inlined = value(r, FRAME_DEPTH, i) > 0;
	if (lib >= 0 && (size_t)lib < r->nr_libs)
		f.module = stacks_kept(r->stacks, r->libs[lib]);
	if (address >= 0)
		f.address = (uint64_t)address;
	if (is_address(f.symbol) && address >= 0 && f.module.length)
		f.symbol.length = 0;
	return f;
}

/* Returns the stack that stack I is below of; -1: none. A file has their numbers, or how far before
 * I they stand. */
static int64_t
prefix_of(const struct reader *r, int64_t i)
{
	int64_t offset = value(r, STACK_OFFSET, i);

	return offset > i ? i : offset > 0 ? i - offset : value(r, STACK_PREFIX, i);
}

/* Rows that some sample needs; rows stand behind what they are below of. */
static bool *
find_used(struct reader *r, int64_t nr, int64_t nr_samples)
{
	bool *used = xcalloc((size_t)nr + 1, sizeof(*used));

	for (int64_t i = 0; i < nr_samples; i++) {
		int64_t stack = value(r, SAMPLE_STACK, i);

		if (stack >= nr)
			r->bad++;
		else if (stack >= 0)
			used[stack] = true;
	}
	for (int64_t i = nr; i-- > 0;) {
		int64_t prefix = prefix_of(r, i);

		if (used[i] && prefix >= i)
			r->bad++;
		else if (used[i] && prefix >= 0)
			used[prefix] = true;
	}
	return used;
}

/* Returns the nodes of all rows of the stack table that samples need; heap. */
static uint32_t *
make_nodes(struct reader *r, const bool *used, int64_t nr)
{
	uint32_t *nodes = xcalloc((size_t)nr + 1, sizeof(*nodes));
	uint32_t *depths = xcalloc((size_t)nr + 1, sizeof(*depths));

	for (int64_t i = 0; i < nr; i++) {
		int64_t prefix = prefix_of(r, i);
		bool below = prefix >= 0 && prefix < i;
		struct stacks_frame f;

		if (!used[i])
			continue;
		nodes[i] = below ? nodes[prefix] : 0;
		depths[i] = below ? depths[prefix] + 1 : 1;
		if (depths[i] > STACKS_MAX_FRAMES) {
			depths[i] = STACKS_MAX_FRAMES;
			r->deep++;
			continue;
		}
		f = frame_of(r, value(r, STACK_FRAME, i));
		nodes[i] = stacks_below(r->stacks, nodes[i], &f);
	}
	free(depths);
	return nodes;
}

/* Sets the unit of samples, and returns what their weights are multiplied by. */
static double
make_event(struct reader *r, int *event, bool *counted)
{
	struct stacks_event e = { STACKS_TEXT("samples"), STACKS_TEXT("ns"), 0 };
	const char *type = stacks_kept(r->stacks, r->weight_type).at;
	double scale = 1000000;

	*counted = false;
	if (!strcmp(type, "tracing-ms")) {
		e.name = STACKS_TEXT("trace");
	} else if (!strcmp(type, "bytes")) {
		e.name = e.unit = STACKS_TEXT("bytes");
		scale = 1;
	} else {
		*counted = true;
		scale *= r->interval_ms;
	}
	*event = stacks_event(r->stacks, &e);
	return scale;
}

/* Returns the time of sample I in ms; NAN: it has none. The file has times, or steps: *LAST is the
 * time of sample I - 1, to which a step is added. */
static double
time_of(const struct reader *r, size_t i, double *last)
{
	const struct column *at = &r->own.of[SAMPLE_TIME], *step = &r->own.of[SAMPLE_STEP];

	if (at->nr)
		return i < at->nr ? at->items[i] : NAN;
	return *last = i < step->nr ? *last + step->items[i] : NAN;
}

static void
add_thread(struct reader *r)
{
	const struct column *stacks = r->own.of[STACK_FRAME].nr ? &r->own.of[STACK_FRAME]
								 : &r->shared.of[STACK_FRAME];
	int64_t nr = (int64_t)stacks->nr, nr_samples = (int64_t)r->own.of[SAMPLE_STACK].nr;
	bool *used = find_used(r, nr, nr_samples), counted;
	uint32_t *nodes = make_nodes(r, used, nr);
	uint32_t thread = stacks_thread(r->stacks, r->pid, r->tid,
					stacks_kept(r->stacks, r->name));
	struct stacks_value v;
	struct stacks_when when = { 0, false };
	double scale = make_event(r, &v.event, &counted), ms = 0;

	for (int64_t i = 0; v.event >= 0 && i < nr_samples; i++) {
		const struct column *w = &r->own.of[SAMPLE_WEIGHT];
		double weight = (size_t)i < w->nr && !isnan(w->items[i]) ? w->items[i] : 1;
		int64_t stack = value(r, SAMPLE_STACK, i);
		double at = time_of(r, (size_t)i, &ms);
		bool timed = at >= 0 && at < 0x1p43; /* of ms */

		if (stack < 0 || stack >= nr) /* nothing ran */
			continue;
		when.ns = timed ? (uint64_t)llround(at * 1000000) : 0;
		v.samples = counted ? (uint64_t)fmin(fmax(weight, 0), 0x1p62) : 1;
		v.weight = (int64_t)fmax(fmin(round(weight * scale), 0x1p62), -0x1p62);
		stacks_value_at(r->stacks, nodes[stack], thread, &v, timed ? &when : NULL);
	}
	free(nodes);
	free(used);
}

/* ---- the file ---- */

/* Reads a number that may be told as a text. */
static uint32_t
read_id(struct reader *r, enum json_piece piece)
{
	if (piece == JSON_STRING)
		return (uint32_t)strtoul(json_text(r->json, NULL), NULL, 10);
	return piece == JSON_NUMBER ? (uint32_t)json_integer(r->json) : 0;
}

static bool
read_thread(struct reader *r)
{
	enum json_piece piece;

	forget(&r->own);
	r->name = r->weight_type = r->pid = r->tid = 0;
	while ((piece = json_next(r->json)) == JSON_KEY) {
		bool name = json_is_key(r->json, "name"), good;
		bool pid = json_is_key(r->json, "pid"), tid = json_is_key(r->json, "tid");

		if (is_table(r, &r->own, &good)) {
			if (!good)
				return false;
			continue;
		}
		piece = json_next(r->json);
		if (name && piece == JSON_STRING)
			r->name = keep(r);
		if (pid)
			r->pid = read_id(r, piece);
		if (tid)
			r->tid = read_id(r, piece);
		if (!skip(r, piece))
			return false;
	}
	if (piece != JSON_OBJECT_END)
		return false;
	add_thread(r);
	return true;
}

static bool
read_lib(struct reader *r)
{
	enum json_piece piece;
	uint32_t path = 0;

	while ((piece = json_next(r->json)) == JSON_KEY) {
		bool is_path = json_is_key(r->json, "path");

		piece = json_next(r->json);
		if (is_path && piece == JSON_STRING)
			path = keep(r);
		if (!skip(r, piece))
			return false;
	}
	GROW(r->libs, r->nr_libs + 1, r->libs_alloc);
	r->libs[r->nr_libs++] = path;
	return piece == JSON_OBJECT_END;
}

/* Reads the array that comes next: OBJECT reads the rest of each object in it. */
static bool
read_objects(struct reader *r, bool (*object)(struct reader *r))
{
	enum json_piece piece = json_next(r->json);

	if (piece != JSON_ARRAY)
		return skip(r, piece);
	while ((piece = json_next(r->json)) != JSON_ARRAY_END)
		if (piece == JSON_OBJECT ? !object(r) : !skip(r, piece))
			return false;
	return true;
}

static bool
read_meta(struct reader *r)
{
	enum json_piece piece = json_next(r->json);

	if (piece != JSON_OBJECT)
		return skip(r, piece);
	while ((piece = json_next(r->json)) == JSON_KEY) {
		bool interval = json_is_key(r->json, "interval");
		bool product = json_is_key(r->json, "product");

		piece = json_next(r->json);
		if (interval && piece == JSON_NUMBER)
			r->interval_ms = json_double(r->json);
		if (product && piece == JSON_STRING)
			r->product = keep(r);
		if (!skip(r, piece))
			return false;
	}
	return piece == JSON_OBJECT_END;
}

static bool
read_shared(struct reader *r)
{
	enum json_piece piece = json_next(r->json);
	bool good;

	if (piece != JSON_OBJECT)
		return skip(r, piece);
	while ((piece = json_next(r->json)) == JSON_KEY)
		if (!(is_table(r, &r->shared, &good) ? good : json_skip(r->json)))
			return false;
	return piece == JSON_OBJECT_END;
}

/* Reads the file: first what threads need, then the THREADS. */
static int
read_once(struct reader *r, const char *path, bool threads, struct stat *st, struct error *err)
{
	FILE *in = unpack_open(path, st, err);
	enum json_piece piece;
	bool good;

	if (!in)
		return -1;
	r->json = json_new(in);
	good = json_next(r->json) == JSON_OBJECT;
	while (good && (piece = json_next(r->json)) != JSON_OBJECT_END) {
		if (piece != JSON_KEY)
			good = false;
		else if (threads)
			good = json_is_key(r->json, "threads") ? read_objects(r, read_thread)
							       : json_skip(r->json);
		else if (json_is_key(r->json, "meta"))
			good = read_meta(r);
		else if (json_is_key(r->json, "libs"))
			good = read_objects(r, read_lib);
		else
			good = json_is_key(r->json, "shared") ? read_shared(r)
							      : json_skip(r->json);
	}
	if (!good)
		error_set(err, "%s is a damaged profile of the Firefox profiler: it is cut, or no "
			  "JSON, at line %" PRIu64, path, json_line(r->json));
	json_free(r->json);
	fclose(in);
	return good ? 0 : -1;
}

static int
firefox_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	struct reader r = { .stacks = stacks_new(), .interval_ms = 1 };
	struct stacks_run run = { .tool = STACKS_TEXT("Firefox profiler"), .from_first = true };
	const char *path = paths[nr - 1];
	struct stat st;
	int status = read_once(&r, path, false, &st, err);

	if (!status && !(r.interval_ms > 0 && r.interval_ms < 1e9))
		r.interval_ms = 1;
	if (!status)
		status = read_once(&r, path, true, &st, err);
	if (!status) {
		run.command = stacks_kept(r.stacks, r.product);
		status = stacks_finish(r.stacks, &run, path, st.st_uid, m, err);
	}
	if (!status && r.bad)
		model_note(m, "samples", "%" PRIu64 " numbers of stacks are of none: they are left "
			   "out", r.bad);
	if (!status && r.deep)
		model_note(m, "stacks", "%" PRIu64 " stacks are deeper than %d: what is farther in "
			   "is left out", r.deep, STACKS_MAX_FRAMES);
	release(&r.shared);
	release(&r.own);
	free(r.libs);
	stacks_free(r.stacks);
	return status;
}

static bool
has(const char *head, size_t n, const char *word)
{
	return memmem(head, n, word, strlen(word)) != NULL;
}

static bool
firefox_is(const char *head, size_t n)
{
	return head[strspn(head, " \t\r\n")] == '{' &&
	       (has(head, n, "\"preprocessedProfileVersion\"") ||
		(has(head, n, "\"meta\"") && has(head, n, "\"interval\"") &&
		 has(head, n, "\"startTime\"")));
}

const struct foreign_format firefox_format = {
	.name = "a profile of the Firefox profiler", .is = firefox_is, .read = firefox_read,
};
