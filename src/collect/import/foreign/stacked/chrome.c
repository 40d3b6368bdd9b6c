/* Traces for Chrome and Perfetto in JSON, as uftrace, clang -ftime-trace and many others write: an
 * object with an array "traceEvents", or that array alone, which may lack its end. An event:
 *
 *	{"ph": "B", "ts": 12.345, "pid": 1, "tid": 2, "name": "f"}   a call begins; "E": it ends
 *	{"ph": "X", "ts": 12.345, "dur": 3.5, ...}                   a whole call
 *	{"ph": "M", "name": "thread_name", "args": {"name": "main"}}
 *
 * Times are microseconds. Events may come in any order; in most files they nearly come by time, or
 * by the ends of calls. So a window of them is kept, the earlier half of which is played when it is
 * full. What comes when its time is past is late, as a long call is that is told at its end. If
 * anything was, the file is read again, with these at hand. */
#include "collect/import/foreign/foreign_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/stacked/spans.h"
#include "collect/import/unpack.h"
#include "util/keys.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/text/json.h"

enum { SPAN_BEGINS = -1, SPAN_ENDS = -2 };
struct event {
	int64_t at, length;        /* ns; or one of the above */
	uint32_t thread, name, detail; /* numbers; of texts */
	uint32_t number;           /* in the file */
};

struct thread { uint32_t pid, tid, name; struct spans spans; bool played; };

struct events { struct event *items; size_t nr, alloc; };
enum { WINDOW = 1 << 19 };

/* An event while it is read. */
struct fields {
	char ph;
	bool has_at, has_length, has_pid, has_tid;
	int64_t at, length;
	uint32_t pid, tid, name, detail, label; /* label: of metadata */
	uint32_t tid_name;         /* where a thread is called by a text */
	bool sum;                  /* clang's, of all events of a name */
};

struct reader {
	FILE *in;
	struct json *json;
	bool within;               /* an event */
	struct stacks *stacks;
	int event;                 /* of stacks */
	struct events window, late; /* late: by time, from when all of them are known */
	int64_t floor;             /* what is before it was played, or is late */
	bool again;                /* late events are known */
	size_t nr_played;          /* of late events */
	uint32_t nr_calls;         /* begins, ends and whole calls so far */
	struct keys thread_keys;
	struct thread *threads;
	size_t threads_alloc;
	uint32_t command;
	uint64_t others;           /* events that are no calls */
	uint64_t bad, first_bad;   /* that were not understood; the line of the first */
	uint64_t broken;           /* the line at which the file is no JSON; or 0 */
};

/* ---- an event ---- */

static uint32_t
keep(struct reader *r)
{
	struct stacks_text t;

	t.at = json_text(r->json, &t.length);
	return stacks_keep(r->stacks, t);
}

static int64_t
nanoseconds(const struct json *j)
{
	long double ns = strtold(json_text(j, NULL), NULL) * 1000;

	return ns >= 0x1p62L ? (int64_t)1 << 62 : ns <= -0x1p62L ? -((int64_t)1 << 62)
								 : (int64_t)llroundl(ns);
}

/* Reads the value of a key: a text or a number; any other value is skipped. */
static enum json_piece
read_value(struct json *j)
{
	enum json_piece piece = json_next(j);

	if ((piece == JSON_OBJECT || piece == JSON_ARRAY) && !json_skip_rest(j))
		return JSON_BAD;
	return piece;
}

/* {"name": "main"} of a thread, {"detail": "f.c"} of what clang does, {"avg ms": 3} of its sums. */
static enum json_piece
read_args(struct reader *r, struct fields *f)
{
	struct json *j = r->json;
	enum json_piece piece = json_next(j);
	bool name, detail;

	if (piece != JSON_OBJECT)
		return piece == JSON_ARRAY && !json_skip_rest(j) ? JSON_BAD : piece;
	while ((piece = json_next(j)) == JSON_KEY) {
		name = json_is_key(j, "name");
		detail = json_is_key(j, "detail");
		f->sum |= json_is_key(j, "avg ms");
		piece = read_value(j);
		if (piece == JSON_BAD)
			return piece;
		if (piece == JSON_STRING && name)
			f->label = keep(r);
		if (piece == JSON_STRING && detail)
			f->detail = keep(r);
	}
	return piece;
}

static uint32_t
read_id(struct reader *r, enum json_piece piece, uint32_t *name)
{
	if (piece != JSON_STRING)
		return (uint32_t)json_integer(r->json);
	*name = keep(r);
	return *name + (1u << 31);
}

/* Reads the value of the key that came last. */
static enum json_piece
read_field(struct reader *r, struct fields *f)
{
	static const char *const keys[] = { "ph", "ts", "dur", "pid", "tid", "name", "args" };
	enum { PH, TS, DUR, PID, TID, NAME, ARGS, NR };
	struct json *j = r->json;
	enum json_piece piece;
	uint32_t ignored;
	int key = 0;

	while (key < NR && !json_is_key(j, keys[key]))
		key++;
	if (key == ARGS)
		return read_args(r, f);
	piece = read_value(j);
	if (piece != JSON_STRING && piece != JSON_NUMBER)
		return piece;
	switch (key) {
	case PH:
		f->ph = *json_text(j, NULL);
		break;
	case TS:
		f->has_at = true;
		f->at = nanoseconds(j);
		break;
	case DUR:
		f->has_length = true;
		f->length = nanoseconds(j);
		break;
	case PID:
		f->has_pid = true;
		f->pid = read_id(r, piece, &ignored);
		break;
	case TID:
		f->has_tid = true;
		f->tid = read_id(r, piece, &f->tid_name);
		break;
	case NAME:
		f->name = keep(r);
		break;
	}
	return piece;
}

/* ---- calls ---- */

/* What is at one time: begins and ends as they stand in the file, then whole calls, the longer one
 * first. */
static int
compare_events(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	COMPARE(x->at, y->at);
	COMPARE(x->thread, y->thread);
	COMPARE(x->length >= 0, y->length >= 0);
	if (x->length >= 0)
		COMPARE(y->length, x->length);
	COMPARE(x->number, y->number);
	return 0;
}

static struct stacks_frame
frame_of(const struct reader *r, uint32_t name)
{
	return (struct stacks_frame){ .symbol = stacks_kept(r->stacks, name),
				      .offset = STACKS_NO_OFFSET };
}

/* What a call is of is a call in it: of "Source" each file has its own. */
static void
play_begin(struct reader *r, struct spans *s, const struct event *e)
{
	struct stacks_frame frame = frame_of(r, e->name);
	int64_t end = e->length < 0 ? SPAN_OPEN : e->at + e->length;

	spans_begin(s, &frame, e->name, e->at, end);
	if (e->detail && end != SPAN_OPEN) {
		frame = frame_of(r, e->detail);
		spans_begin(s, &frame, e->detail, e->at, end);
	}
}

static void
play_one(struct reader *r, const struct event *e)
{
	struct thread *t = &r->threads[e->thread];

	if (!t->played)
		t->spans = (struct spans){
			.stacks = r->stacks, .at = INT64_MIN, .event = r->event,
			.thread = stacks_thread(r->stacks, t->pid, t->tid, STACKS_TEXT("")),
		};
	t->played = true;
	if (e->length == SPAN_ENDS)
		spans_end(&t->spans, e->name, e->at);
	else
		play_begin(r, &t->spans, e);
}

/* Plays late events that come before E, and E; NULL: all of them. */
static void
play(struct reader *r, const struct event *e)
{
	const struct event *late = r->late.items + r->nr_played;

	if (!r->again && r->late.nr)
		return;            /* not everything is known */
	for (; r->nr_played < r->late.nr && (!e || compare_events(late, e) < 0); late++) {
		play_one(r, late);
		r->nr_played++;
	}
	if (e)
		play_one(r, e);
}

static void
sort(struct events *e)
{
	if (e->nr)
		qsort(e->items, e->nr, sizeof(*e->items), compare_events);
}

/* Plays the earlier half of the window, and what is at one time together. */
static void
advance(struct reader *r)
{
	struct events *w = &r->window;
	size_t n = w->nr / 2;

	sort(w);
	while (n && w->items[n - 1].at == w->items[n].at)
		n--;
	for (size_t i = 0; i < n; i++)
		play(r, &w->items[i]);
	r->floor = w->items[n].at;
	w->nr -= n;
	memmove(w->items, w->items + n, w->nr * sizeof(*w->items));
}

/* All has been read. */
static void
play_rest(struct reader *r)
{
	sort(&r->window);
	for (size_t i = 0; i < r->window.nr; i++)
		play(r, &r->window.items[i]);
	play(r, NULL);
}

static void
add_event(struct reader *r, const struct event *e)
{
	struct events *to;

	/* It becomes larger only if very many are at one time. */
	if (r->window.nr == r->window.alloc && r->window.nr >= WINDOW)
		advance(r);
	to = e->at < r->floor ? &r->late : &r->window;
	if (to == &r->late && r->again)
		return;
	GROW(to->items, to->nr + 1, to->alloc);
	to->items[to->nr++] = *e;
}

/* ---- events ---- */

static uint32_t
thread_of(struct reader *r, const struct fields *f)
{
	uint32_t tid = f->has_tid ? f->tid : f->pid;
	bool is_new;
	uint32_t i = keys_number(&r->thread_keys, KEY(f->pid, tid), &is_new);

	if (is_new) {
		GROW(r->threads, r->thread_keys.nr, r->threads_alloc);
		r->threads[i] = (struct thread){ .pid = f->pid, .tid = tid, .name = f->tid_name };
	}
	return i;
}

static void
take_metadata(struct reader *r, const struct fields *f)
{
	struct stacks_text name = stacks_kept(r->stacks, f->name);
	uint32_t thread = thread_of(r, f);

	if (!strcmp(name.at, "thread_name"))
		r->threads[thread].name = f->label;
	else if (!strcmp(name.at, "process_name") && !r->command)
		r->command = f->label;
}

static void
take_event(struct reader *r, const struct fields *f)
{
	struct event e = { .at = f->at, .name = f->name, .detail = f->detail };

	if (f->ph == 'M') {
		take_metadata(r, f);
		return;
	}
	if (f->sum || (f->ph && !strchr("BEX", f->ph))) {
		r->others += !f->sum;
		return;
	}
	if (!f->ph || !f->has_at || (f->ph == 'X' && (!f->has_length || f->length < 0))) {
		r->first_bad = r->bad++ ? r->first_bad : json_line(r->json);
		return;
	}
	e.length = f->ph == 'X' ? f->length : f->ph == 'B' ? SPAN_BEGINS : SPAN_ENDS;
	e.thread = thread_of(r, f);
	e.number = r->nr_calls++;
	add_event(r, &e);
}

/* Reads the rest of an event. False: the JSON is bad. */
static bool
read_event(struct reader *r)
{
	struct fields f = { .ph = 0 };
	enum json_piece piece;

	r->within = true;
	while ((piece = json_next(r->json)) == JSON_KEY)
		if (read_field(r, &f) == JSON_BAD)
			return false;
	if (piece != JSON_OBJECT_END)
		return false;
	r->within = false;
	take_event(r, &f);
	return true;
}

/* Reads the rest of an array of events. False: the JSON is bad. */
static bool
read_events(struct reader *r)
{
	enum json_piece piece;

	while ((piece = json_next(r->json)) != JSON_ARRAY_END)
		if (piece == JSON_OBJECT ? !read_event(r)
		    : piece == JSON_ARRAY ? !json_skip_rest(r->json)
		    : piece == JSON_BAD || piece == JSON_END)
			return false;
	return true;
}

/* False: the JSON is bad. An array alone may lack its end. */
static bool
read_file(struct reader *r)
{
	enum json_piece piece = json_next(r->json);

	if (piece == JSON_ARRAY)
		return read_events(r) || (feof(r->in) && !r->within);
	if (piece != JSON_OBJECT)
		return false;
	while ((piece = json_next(r->json)) == JSON_KEY) {
		bool events = json_is_key(r->json, "traceEvents");

		piece = json_next(r->json);
		if (events && piece == JSON_ARRAY) {
			if (!read_events(r))
				return false;
		} else if ((piece == JSON_OBJECT || piece == JSON_ARRAY) &&
			   !json_skip_rest(r->json)) {
			return false;
		}
	}
	return piece == JSON_OBJECT_END;
}

/* ---- the file ---- */

static void
tell(const struct reader *r, struct model *m)
{
	if (r->others)
		model_note(m, "samples", "%" PRIu64 " events are no calls: they are left out",
			   r->others);
	if (r->bad)
		model_note(m, "samples", "%" PRIu64 " events were not understood, the first ends "
			   "at line %" PRIu64, r->bad, r->first_bad);
	if (r->broken)
		model_note(m, "samples", "the file is no JSON any more at line %" PRIu64 ": what "
			   "is behind that is left out", r->broken);
}

/* Reads the file once, as far as it is good. */
static int
read_once(struct reader *r, const char *path, uid_t *uid, struct error *err)
{
	struct stat st;
	int status = 0;

	r->in = unpack_open(path, &st, err);
	if (!r->in)
		return -1;
	*uid = st.st_uid;
	r->json = json_new(r->in);
	r->broken = read_file(r) ? 0 : json_line(r->json);
	if (ferror(r->in))
		status = error_set(err, "%s cannot be read to its end", path);
	json_free(r->json);
	fclose(r->in);
	return status;
}

/* What was played is forgotten, and what will come late is known. */
static void
begin_again(struct reader *r)
{
	sort(&r->late);
	stacks_forget(r->stacks);
	for (size_t i = 0; i < r->thread_keys.nr; i++) {
		spans_release(&r->threads[i].spans);
		r->threads[i].spans = (struct spans){ .open = NULL };
		r->threads[i].played = false;
	}
	r->window.nr = 0;
	r->floor = INT64_MIN;
	r->nr_calls = 0;
	r->others = r->bad = 0;
	r->within = false;
	r->again = true;
}

static int
read_calls(struct reader *r, const char *path, uid_t *uid, struct error *err)
{
	if (read_once(r, path, uid, err))
		return -1;
	if (r->late.nr) {
		begin_again(r);
		if (read_once(r, path, uid, err))
			return -1;
	}
	if (!r->nr_calls)
		return error_set(err, "%s is a trace without calls (B, E or X events): there is "
				 "nothing to show", path);
	play_rest(r);
	return 0;
}

/* Sums up what SUM has of all threads. */
static void
finish_threads(struct reader *r, struct spans *sum)
{
	for (size_t i = 0; i < r->thread_keys.nr; i++) {
		struct thread *t = &r->threads[i];

		if (!t->played)
			continue;
		spans_finish(&t->spans);
		stacks_name_thread(r->stacks, t->spans.thread, stacks_kept(r->stacks, t->name));
		sum->unmatched += t->spans.unmatched;
		sum->unended += t->spans.unended;
		sum->crossed += t->spans.crossed;
		sum->deep += t->spans.deep;
	}
}

static void
release(struct reader *r)
{
	for (size_t i = 0; i < r->thread_keys.nr; i++)
		spans_release(&r->threads[i].spans);
	stacks_free(r->stacks);
	keys_release(&r->thread_keys);
	free(r->threads);
	free(r->window.items);
	free(r->late.items);
}

static int
chrome_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	const struct stacks_event time = { STACKS_TEXT("trace"), STACKS_TEXT("ns"), 0 };
	struct reader r = { .stacks = stacks_new(), .floor = INT64_MIN };
	struct spans sum = { .nr = 0 };
	const char *path = paths[nr - 1];
	struct stacks_run run = { .tool = STACKS_TEXT("trace of calls") };
	uid_t uid;
	int status;

	r.event = stacks_event(r.stacks, &time);
	status = read_calls(&r, path, &uid, err);
	if (!status) {
		finish_threads(&r, &sum);
		run.command = stacks_kept(r.stacks, r.command);
		status = stacks_finish(r.stacks, &run, path, uid, m, err);
	}
	if (!status) {
		tell(&r, m);
		spans_tell(&sum, m);
	}
	release(&r);
	return status;
}

static bool
has(const char *head, size_t n, const char *word)
{
	return memmem(head, n, word, strlen(word)) != NULL;
}

static bool
chrome_is(const char *head, size_t n)
{
	size_t first = strspn(head, " \t\r\n");

	if (head[first] == '{')
		return has(head, n, "\"traceEvents\"");
	if (head[first] != '[')
		return false;
	first += 1 + strspn(head + first + 1, " \t\r\n");
	return head[first] == '{' && has(head, n, "\"ph\"") && has(head, n, "\"pid\"");
}

const struct foreign_format chrome_format = {
	.name = "a trace of calls (Chrome)", .is = chrome_is, .read = chrome_read,
};
