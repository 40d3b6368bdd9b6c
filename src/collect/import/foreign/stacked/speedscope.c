/* Profiles for speedscope in JSON:
 *
 *	{"$schema": "https://www.speedscope.app/file-format-schema.json",
 *	 "shared": {"frames": [{"name": "f", "file": "a.c", "line": 1, "col": 2}]},
 *	 "profiles": [{"type": "sampled", "name": "main", "unit": "seconds",
 *	               "samples": [[0, 1]], "weights": [0.5]},
 *	              {"type": "evented", "name": "main", "unit": "none",
 *	               "events": [{"type": "O", "frame": 0, "at": 1}, {"type": "C", ...}]}]}
 *
 * Keys come in any order: the file is read twice, the frames first. Each profile is a thread. */
#include "collect/import/foreign/foreign_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/stacked/spans.h"
#include "collect/import/foreign/stacked/units.h"
#include "collect/import/unpack.h"
#include "util/mem.h"
#include "util/text/json.h"

enum { NO_FRAME = UINT32_MAX };

struct frame { uint32_t name, file, line; }; /* numbers of texts */
struct event { double at; uint32_t frame; bool opens; };

struct reader {
	struct json *json;
	struct stacks *stacks;
	struct spans spans;
	struct frame *frames;
	size_t nr_frames, frames_alloc;
	/* Of the profile that is read. */
	struct stacks_text name, unit;
	struct event *events;
	double *weights;
	uint32_t *samples;         /* nodes */
	size_t nr_events, events_alloc, nr_weights, weights_alloc, nr_samples, samples_alloc;
	uint32_t nr_profiles;
	bool any_sampled;
	uint64_t unknown, deep;
};

/* ---- JSON ---- */

static uint32_t
keep(struct reader *r)
{
	struct stacks_text t;

	t.at = json_text(r->json, &t.length);
	return stacks_keep(r->stacks, t);
}

/* Skips what PIECE has begun. */
static bool
skip(struct reader *r, enum json_piece piece)
{
	if (piece == JSON_OBJECT || piece == JSON_ARRAY)
		return json_skip_rest(r->json);
	return piece != JSON_BAD && piece != JSON_END;
}

/* Reads the rest of an object: FIELD reads the value of each key, and returns false if the JSON is
 * bad. */
typedef bool read_field(struct reader *r, void *to);
static bool
read_object(struct reader *r, read_field *field, void *to)
{
	enum json_piece piece;

	while ((piece = json_next(r->json)) == JSON_KEY)
		if (!field(r, to))
			return false;
	return piece == JSON_OBJECT_END;
}

/* Reads the value that comes next if it is an array: ITEM takes each piece that is in it. */
typedef bool read_item(struct reader *r, enum json_piece piece);
static bool
read_array(struct reader *r, read_item *item)
{
	enum json_piece piece = json_next(r->json);

	if (piece != JSON_ARRAY)
		return skip(r, piece);
	while ((piece = json_next(r->json)) != JSON_ARRAY_END)
		if (piece == JSON_BAD || piece == JSON_END || !item(r, piece))
			return false;
	return true;
}

/* ---- frames ---- */

static bool
frame_field(struct reader *r, void *to)
{
	struct frame *f = to;
	bool name = json_is_key(r->json, "name"), file = json_is_key(r->json, "file");
	bool line = json_is_key(r->json, "line");
	enum json_piece piece = json_next(r->json);
	int64_t n;

	if (piece == JSON_STRING && name)
		f->name = keep(r);
	if (piece == JSON_STRING && file)
		f->file = keep(r);
	if (piece == JSON_NUMBER && line) {
		n = json_integer(r->json);
		f->line = n > 0 && n <= INT32_MAX ? (uint32_t)n : 0;
	}
	return skip(r, piece);
}

static bool
take_frame(struct reader *r, enum json_piece piece)
{
	struct frame f = { .name = 0 };

	if (piece != JSON_OBJECT ? !skip(r, piece) : !read_object(r, frame_field, &f))
		return false;
	GROW(r->frames, r->nr_frames + 1, r->frames_alloc);
	r->frames[r->nr_frames++] = f;
	return true;
}

static bool
shared_field(struct reader *r, void *to)
{
	(void)to;
	return json_is_key(r->json, "frames") ? read_array(r, take_frame) : json_skip(r->json);
}

static bool
first_field(struct reader *r, void *to)
{
	if (!json_is_key(r->json, "shared"))
		return json_skip(r->json);
	return json_next(r->json) == JSON_OBJECT && read_object(r, shared_field, to);
}

static struct stacks_frame
frame_of(const struct reader *r, uint32_t number)
{
	const struct frame *f = &r->frames[number];

	return (struct stacks_frame){
		.symbol = stacks_kept(r->stacks, f->name), .file = stacks_kept(r->stacks, f->file),
		.line = f->line, .offset = STACKS_NO_OFFSET,
	};
}

/* Returns the number of the frame that is told; NO_FRAME: there is none. */
static uint32_t
frame_number(struct reader *r, enum json_piece piece)
{
	int64_t n = piece == JSON_NUMBER ? json_integer(r->json) : -1;

	if (n >= 0 && (uint64_t)n < r->nr_frames)
		return (uint32_t)n;
	r->unknown++;
	return NO_FRAME;
}

/* ---- profiles ---- */

static bool
event_field(struct reader *r, void *to)
{
	struct event *e = to;
	bool type = json_is_key(r->json, "type"), at = json_is_key(r->json, "at");
	bool frame = json_is_key(r->json, "frame");
	enum json_piece piece = json_next(r->json);

	if (piece == JSON_STRING && type)
		e->opens = !strcmp(json_text(r->json, NULL), "O");
	if (piece == JSON_NUMBER && at)
		e->at = json_double(r->json);
	if (frame)
		e->frame = frame_number(r, piece);
	return skip(r, piece);
}

static bool
take_event(struct reader *r, enum json_piece piece)
{
	struct event e = { .frame = NO_FRAME };

	if (piece != JSON_OBJECT)
		return skip(r, piece);
	if (!read_object(r, event_field, &e))
		return false;
	GROW(r->events, r->nr_events + 1, r->events_alloc);
	r->events[r->nr_events++] = e;
	return true;
}

/* A stack, its frames from the outside in. */
static bool
take_sample(struct reader *r, enum json_piece piece)
{
	uint32_t node = 0, depth = 0, number;
	struct stacks_frame frame;

	if (piece == JSON_ARRAY) {
		while ((piece = json_next(r->json)) != JSON_ARRAY_END) {
			if (!skip(r, piece))
				return false;
			number = frame_number(r, piece);
			if (number == NO_FRAME)
				continue;
			if (depth++ >= STACKS_MAX_FRAMES) {
				r->deep += depth == STACKS_MAX_FRAMES + 1;
				continue;
			}
			frame = frame_of(r, number);
			node = stacks_below(r->stacks, node, &frame);
		}
	} else if (!skip(r, piece)) {
		return false;
	}
	GROW(r->samples, r->nr_samples + 1, r->samples_alloc);
	r->samples[r->nr_samples++] = node;
	return true;
}

static bool
take_weight(struct reader *r, enum json_piece piece)
{
	if (piece != JSON_NUMBER)
		return skip(r, piece);
	GROW(r->weights, r->nr_weights + 1, r->weights_alloc);
	r->weights[r->nr_weights++] = json_double(r->json);
	return true;
}

static bool
profile_field(struct reader *r, void *to)
{
	bool name = json_is_key(r->json, "name"), unit = json_is_key(r->json, "unit");
	enum json_piece piece;

	(void)to;
	if (json_is_key(r->json, "events"))
		return read_array(r, take_event);
	if (json_is_key(r->json, "samples"))
		return read_array(r, take_sample);
	if (json_is_key(r->json, "weights"))
		return read_array(r, take_weight);
	piece = json_next(r->json);
	if (piece == JSON_STRING && name)
		r->name = stacks_kept(r->stacks, keep(r));
	if (piece == JSON_STRING && unit)
		r->unit = stacks_kept(r->stacks, keep(r));
	return skip(r, piece);
}

static int64_t
whole(double n)
{
	return n >= 0x1p62 ? (int64_t)1 << 62 : n <= -0x1p62 ? -((int64_t)1 << 62) : llround(n);
}

/* Returns the event of a unit: "none" is what nobody says. */
static int
event_of(struct reader *r, uint64_t *scale)
{
	struct stacks_event e = { .unit = STACKS_TEXT("count"), .name = STACKS_TEXT("weight") };

	*scale = 1;
	if (r->unit.length && strcmp(r->unit.at, "none") != 0) {
		e.unit = unit_of(r->unit, scale);
		e.name = e.unit;
	}
	if (!strcmp(e.unit.at, "ns"))
		e.name = STACKS_TEXT("stacks");
	return stacks_event(r->stacks, &e);
}

static void
play_events(struct reader *r, double scale)
{
	for (size_t i = 0; i < r->nr_events; i++) {
		const struct event *e = &r->events[i];
		int64_t at = whole(e->at * scale);
		const uint32_t name = (uint32_t)e->frame + 1;
		struct stacks_frame frame;

		if (e->frame == NO_FRAME)
			continue;
		if (!e->opens) {
			spans_end(&r->spans, name, at);
			continue;
		}
		frame = frame_of(r, e->frame);
		spans_begin(&r->spans, &frame, name, at, SPAN_OPEN);
	}
	spans_finish(&r->spans);
}

/* Samples that have no weight stand for 1. */
static void
play_samples(struct reader *r, double scale)
{
	for (size_t i = 0; i < r->nr_samples; i++) {
		int64_t weight = whole((i < r->nr_weights ? r->weights[i] : 1) * scale);
		struct stacks_value v = { .event = r->spans.event, .samples = 1 };

		v.weight = weight;
		stacks_value(r->stacks, r->samples[i], r->spans.thread, &v);
	}
}

static bool
take_profile(struct reader *r, enum json_piece piece)
{
	uint64_t scale;

	r->name = r->unit = STACKS_TEXT("");
	r->nr_events = r->nr_samples = r->nr_weights = 0;
	if (piece != JSON_OBJECT)
		return skip(r, piece);
	if (!read_object(r, profile_field, NULL))
		return false;
	r->spans.thread = stacks_thread(r->stacks, 0, ++r->nr_profiles, r->name);
	r->spans.event = event_of(r, &scale);
	if (r->spans.event < 0)
		return true;
	r->any_sampled |= r->nr_samples > 0;
	play_events(r, (double)scale);
	play_samples(r, (double)scale);
	return true;
}

static bool
second_field(struct reader *r, void *to)
{
	(void)to;
	return json_is_key(r->json, "profiles") ? read_array(r, take_profile)
						: json_skip(r->json);
}

/* ---- the file ---- */

static int
read_once(struct reader *r, const char *path, read_field *field, struct stat *st,
	  struct error *err)
{
	FILE *in = unpack_open(path, st, err);
	bool good;

	if (!in)
		return -1;
	r->json = json_new(in);
	good = json_next(r->json) == JSON_OBJECT && read_object(r, field, NULL);
	if (!good)
		error_set(err, "%s is a damaged profile for speedscope: it is cut, or no JSON, at "
			  "line %" PRIu64, path, json_line(r->json));
	json_free(r->json);
	fclose(in);
	return good ? 0 : -1;
}

static void
tell(const struct reader *r, struct model *m)
{
	if (r->unknown)
		model_note(m, "samples", "%" PRIu64 " frames have no number that is known: they "
			   "are left out", r->unknown);
	if (r->deep)
		model_note(m, "stacks", "%" PRIu64 " stacks are deeper than %d: what is farther in "
			   "is left out", r->deep, STACKS_MAX_FRAMES);
	spans_tell(&r->spans, m);
}

static int
speedscope_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	const struct stacks_run run = { .tool = STACKS_TEXT("speedscope") };
	struct reader r = { .stacks = stacks_new() };
	const char *path = paths[nr - 1];
	struct stat st;
	int status = -1;

	r.spans = (struct spans){ .stacks = r.stacks, .at = INT64_MIN };
	if (!read_once(&r, path, first_field, &st, err) &&
	    !read_once(&r, path, second_field, &st, err))
		status = 0;
	if (r.any_sampled)
		stacks_without_calls(r.stacks);
	if (!status)
		status = stacks_finish(r.stacks, &run, path, st.st_uid, m, err);
	if (!status)
		tell(&r, m);
	spans_release(&r.spans);
	stacks_free(r.stacks);
	free(r.frames);
	free(r.events);
	free(r.weights);
	free(r.samples);
	return status;
}

static bool
has(const char *head, size_t n, const char *word)
{
	return memmem(head, n, word, strlen(word)) != NULL;
}

static bool
speedscope_is(const char *head, size_t n)
{
	return head[strspn(head, " \t\r\n")] == '{' &&
	       (has(head, n, "speedscope.app/file-format-schema") ||
		(has(head, n, "\"shared\"") && has(head, n, "\"frames\"") &&
		 !has(head, n, "\"meta\"")));
}

const struct foreign_format speedscope_format = {
	.name = "a profile for speedscope", .is = speedscope_is, .read = speedscope_read,
};
