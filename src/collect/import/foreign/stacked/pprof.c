/* Profiles of pprof (profile.proto): of Go, gperftools, Rust, and of what samples whole machines. A
 * message of protobuf, mostly packed by gzip:
 *
 *	Profile   1 sample_type* 2 sample* 3 mapping* 4 location* 5 function* 6 string_table*
 *	          9 time_nanos 10 duration_nanos 11 period_type 12 period 14 default_sample_type
 *	ValueType 1 type 2 unit
 *	Sample    1 location_id* (innermost first) 2 value* (one for each sample_type) 3 label*
 *	Label     1 key 2 str 3 num
 *	Mapping   1 id 2 memory_start 3 memory_limit 4 file_offset 5 filename 6 build_id
 *	Location  1 id 2 mapping_id 3 address 4 line* (the innermost of those inlined first)
 *	Line      1 function_id 2 line
 *	Function  1 id 2 name 3 system_name 4 filename 5 start_line
 *
 * Texts are numbers of the string_table, which may come last, and samples may come before what they
 * name: so the file is read twice. The first time all but samples is kept, the second time samples
 * are added up as they come. */
#include "collect/import/foreign/foreign_format.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/stacked/units.h"
#include "collect/import/foreign/stacked/wire.h"
#include "collect/import/foreign/stacks.h"
#include "collect/import/unpack.h"
#include "util/keys.h"
#include "util/mem.h"

enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
	PROFILE_FUNCTION, PROFILE_STRING, PROFILE_TIME = 9, PROFILE_DURATION,
	PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_DEFAULT = 14,
};

enum { MOST_NUMBERS = 8 };
/* The numbers of a message, by field; a field that is not there is 0. */
struct numbers { uint64_t of[MOST_NUMBERS]; };

struct value_type {
	struct stacks_text type, unit;
	uint64_t scale;
	int event;                 /* -1: it is none */
};

struct line { uint64_t function; uint32_t line; };
/* CODES: where r->codes has its frames as those of stacks, the outermost first, when it is the
 * innermost location of a stack, and when others are within; 0: that was not needed yet. */
struct location { uint64_t mapping, address; size_t first_line, nr_lines, codes[2]; };

/* Most files have the same stacks over and over: the node that some of the last led to. */
enum { MEMORIES = 1 << 16, NEIGHBOURS = 4, MOST_REMEMBERED = 63 };
struct memory { uint32_t nr, node; uint64_t ids[MOST_REMEMBERED]; };

struct reader {
	const char *path;
	struct error *err;
	struct stacks_text *strings;
	size_t nr_strings, strings_alloc;
	struct arena arena;        /* owns strings */
	struct numbers *told_types; /* as the file has them */
	size_t nr_types, types_alloc;
	struct value_type *types;
	struct numbers *mappings, *functions;
	size_t mappings_alloc, functions_alloc, locations_alloc;
	struct location *locations;
	struct keys mapping_ids, function_ids, location_ids;
	struct line *lines;        /* of all locations */
	size_t nr_lines, lines_alloc;
	uint32_t *codes;
	size_t nr_codes, codes_alloc;
	struct memory *memories;
	uint64_t *ids, *values;    /* of a sample */
	struct stacks_value *weights; /* its values: room for one of each type */
	size_t nr_ids, ids_alloc, nr_values, values_alloc;
	uint64_t negative;         /* bits: some samples have less than 0 of this type */
	struct numbers profile, period_type;
	uint64_t period, default_type;
	int counted;               /* the type that tells how many samples a time is of; or -1 */
	int timed;                 /* the type of that time */
	struct stacks *stacks;
	struct stacks_text label;  /* the first that is left out */
};

static int
damaged(struct reader *r, const char *what)
{
	return error_set(r->err, "%s is damaged: %s", r->path, what);
}

/* Reads the numbers of fields of a message; others are left out. */
static bool
read_numbers(struct wire w, struct numbers *n)
{
	struct wire_field f;

	*n = (struct numbers){ { 0 } };
	while (wire_next(&w, &f))
		if (f.type == WIRE_NUMBER && f.number < MOST_NUMBERS)
			n->of[f.number] = f.value;
	return !w.bad;
}

/* Returns the text of a number; R->err is set when there is none. */
static struct stacks_text
text_of(struct reader *r, uint64_t number)
{
	if (number < r->nr_strings)
		return r->strings[number];
	if (number || r->nr_strings)
		damaged(r, "it names a text that it does not have");
	return STACKS_TEXT("");
}

static bool
is(struct stacks_text t, const char *word)
{
	return t.length == strlen(word) && !memcmp(t.at, word, t.length);
}

/* ---- the first time: all but samples ---- */

/* The number of an id, which is new; an id that is there twice stands for what came first. */
static bool
is_new_id(struct keys *ids, uint64_t id)
{
	bool is_new;

	keys_number(ids, KEY((uint32_t)(id >> 32), (uint32_t)id), &is_new);
	return is_new;
}

/* Returns the number of what has ID; SIZE_MAX: nothing has. */
static size_t
find_id(const struct keys *ids, uint64_t id)
{
	uint32_t i = keys_find(ids, KEY((uint32_t)(id >> 32), (uint32_t)id));

	return i == INDEX_NONE ? SIZE_MAX : i;
}

static void
take_string(struct reader *r, const struct wire *bytes)
{
	size_t length = (size_t)(bytes->end - bytes->at);

	GROW(r->strings, r->nr_strings + 1, r->strings_alloc);
	r->strings[r->nr_strings++] = (struct stacks_text){
		arena_strndup(&r->arena, (const char *)bytes->at, length), length,
	};
}

static int
take_mapping(struct reader *r, struct wire w)
{
	struct numbers n;

	if (!read_numbers(w, &n))
		return damaged(r, "a mapping cannot be read");
	if (!is_new_id(&r->mapping_ids, n.of[1]))
		return 0;
	GROW(r->mappings, r->mapping_ids.nr, r->mappings_alloc);
	r->mappings[r->mapping_ids.nr - 1] = n;
	return 0;
}

static int
take_function(struct reader *r, struct wire w)
{
	struct numbers n;

	if (!read_numbers(w, &n))
		return damaged(r, "a function cannot be read");
	if (!is_new_id(&r->function_ids, n.of[1]))
		return 0;
	GROW(r->functions, r->function_ids.nr, r->functions_alloc);
	r->functions[r->function_ids.nr - 1] = n;
	return 0;
}

static int
take_location(struct reader *r, struct wire w)
{
	struct location l = { .first_line = r->nr_lines };
	struct wire_field f;
	struct numbers n, line;
	struct wire again = w;

	if (!read_numbers(w, &n))
		return damaged(r, "a location cannot be read");
	if (!is_new_id(&r->location_ids, n.of[1]))
		return 0;
	l.mapping = n.of[2];
	l.address = n.of[3];
	while (wire_next(&again, &f)) {
		if (f.number != 4 || f.type != WIRE_BYTES || l.nr_lines == STACKS_MAX_FRAMES)
			continue;
		if (!read_numbers(f.bytes, &line))
			return damaged(r, "a line cannot be read");
		GROW(r->lines, r->nr_lines + 1, r->lines_alloc);
		r->lines[r->nr_lines++] = (struct line){
			line.of[1], line.of[2] <= INT32_MAX ? (uint32_t)line.of[2] : 0,
		};
		l.nr_lines++;
	}
	GROW(r->locations, r->location_ids.nr, r->locations_alloc);
	r->locations[r->location_ids.nr - 1] = l;
	return 0;
}

static int
take_type(struct reader *r, struct wire w, struct numbers *n)
{
	return read_numbers(w, n) ? 0 : damaged(r, "a type of values cannot be read");
}

/* Keeps what values are below 0. */
static void
look_at_values(struct reader *r, struct wire w)
{
	struct wire_field f;
	uint64_t value, bit = 1;

	while (wire_next(&w, &f))
		while (f.number == 2 && wire_number(&f.bytes, &value)) {
			r->negative |= (int64_t)value < 0 ? bit : 0;
			bit <<= 1;
		}
}

static int
take_table(struct reader *r, const struct wire_field *f)
{
	switch (f->number) {
	case PROFILE_SAMPLE_TYPE:
		GROW(r->told_types, r->nr_types + 1, r->types_alloc);
		return take_type(r, f->bytes, &r->told_types[r->nr_types++]);
	case PROFILE_SAMPLE:
		look_at_values(r, f->bytes);
		return 0;
	case PROFILE_MAPPING:
		return take_mapping(r, f->bytes);
	case PROFILE_LOCATION:
		return take_location(r, f->bytes);
	case PROFILE_FUNCTION:
		return take_function(r, f->bytes);
	case PROFILE_STRING:
		take_string(r, &f->bytes);
		return 0;
	case PROFILE_PERIOD_TYPE:
		return take_type(r, f->bytes, &r->period_type);
	}
	return 0;
}

static void
take_number(struct reader *r, const struct wire_field *f)
{
	if (f->number == PROFILE_TIME)
		r->profile.of[0] = f->value;
	else if (f->number == PROFILE_DURATION)
		r->profile.of[1] = f->value;
	else if (f->number == PROFILE_PERIOD)
		r->period = f->value;
	else if (f->number == PROFILE_DEFAULT)
		r->default_type = f->value;
}

/* Gives each field of the file that has bytes to TAKE, and any other one to OTHER, if it is not
 * NULL. */
static int
read_fields(struct reader *r, FILE *in, int (*take)(struct reader *, const struct wire_field *),
	    void (*other)(struct reader *, const struct wire_field *))
{
	struct wire_file w = { .in = in, .room = STRBUF_INIT };
	struct wire_field f;
	int status = 0;

	while (!status && wire_file_next(&w, &f)) {
		if (f.type == WIRE_BYTES)
			status = take(r, &f);
		else if (other)
			other(r, &f);
	}
	if (!status && ferror(in))
		status = error_set(r->err, "%s cannot be read to its end", r->path);
	if (!status && w.bad)
		status = damaged(r, "it ends within a field");
	strbuf_release(&w.room);
	return status;
}

/* ---- the events ---- */

static void
name_types(struct reader *r)
{
	r->types = xcalloc(r->nr_types, sizeof(*r->types));
	for (size_t i = 0; i < r->nr_types; i++) {
		struct value_type *t = &r->types[i];

		t->type = text_of(r, r->told_types[i].of[1]);
		t->unit = unit_of(text_of(r, r->told_types[i].of[2]), &t->scale);
		t->event = -1;
	}
}

/* Is type I the time that samples are taken by? Of several times, as of waiting, it is that of the
 * period. */
static bool
is_timed(struct reader *r, size_t i, size_t nr_times)
{
	struct stacks_text a = r->types[i].type, b = text_of(r, r->period_type.of[1]);

	return is(r->types[i].unit, "ns") &&
	       (nr_times == 1 || (a.length && a.length == b.length &&
				  !memcmp(a.at, b.at, a.length)));
}

/* What the tool shows first is the first one here; how many samples there are is told with the
 * time. */
static void
make_events(struct reader *r)
{
	struct stacks_text wanted = text_of(r, r->default_type);
	size_t first = r->nr_types - 1, nr_times = 0;
	struct stacks_text period_unit = text_of(r, r->period_type.of[2]);
	uint64_t ignored;

	period_unit = unit_of(period_unit, &ignored);
	r->counted = r->timed = -1;
	for (size_t i = 0; i < r->nr_types; i++) {
		const struct value_type *t = &r->types[i];

		nr_times += is(t->unit, "ns");
		if (is(t->type, "samples") && is(t->unit, "count"))
			r->counted = (int)i;
		if (wanted.length == t->type.length && wanted.length &&
		    !memcmp(wanted.at, t->type.at, wanted.length))
			first = i;
	}
	for (size_t i = 0; i < r->nr_types; i++)
		r->timed = is_timed(r, i, nr_times) ? (int)i : r->timed;
	if (r->timed < 0 || r->counted >= 64 || (r->counted >= 0 && r->negative >> r->counted & 1))
		r->counted = -1;
	for (size_t k = 0; k < r->nr_types; k++) {
		size_t i = !k ? first : k <= first ? k - 1 : k;
		struct value_type *t = &r->types[i];
		struct stacks_event event = { t->type, t->unit, 0 };

		if ((int)i == r->counted)
			continue;
		if (is(t->unit, "bytes") && is(period_unit, "bytes"))
			event.period = r->period;
		t->event = stacks_event(r->stacks, &event);
	}
}

/* ---- the second time ---- */

/* The frame of a location, or of one of its LINEs. */
static struct stacks_frame
frame_of(struct reader *r, const struct location *l, const struct line *line)
{
	struct stacks_frame frame = { .offset = STACKS_NO_OFFSET, .address = l->address };
	size_t i = l->mapping ? find_id(&r->mapping_ids, l->mapping) : SIZE_MAX;

	if (i != SIZE_MAX) {
		frame.module = text_of(r, r->mappings[i].of[5]);
		frame.address += r->mappings[i].of[4] - r->mappings[i].of[2];
		frame.in_file = true;
	}
	if (!line)
		return frame;
	frame.line = line->line;
	i = find_id(&r->function_ids, line->function);
	if (i != SIZE_MAX) {
		const struct numbers *f = &r->functions[i];

		frame.name = text_of(r, f->of[2]);
		frame.symbol = text_of(r, f->of[3]);
		frame.file = text_of(r, f->of[4]);
		frame.start_line = f->of[5] <= INT32_MAX ? (uint32_t)f->of[5] : 0;
		if (!frame.symbol.length)
			frame.symbol = frame.name;
	}
	return frame;
}

static size_t
nr_frames(const struct location *l)
{
	return l->nr_lines ? l->nr_lines : 1;
}

static struct stacks_frame
outermost_of(struct reader *r, const struct location *l)
{
	return frame_of(r, l, l->nr_lines ? &r->lines[l->first_line + l->nr_lines - 1] : NULL);
}

/* Returns where r->codes has the frames of L, which is a CALLER. */
static size_t
codes_of(struct reader *r, struct location *l, bool caller)
{
	struct stacks_frame frame;
	uint32_t into;

	if (l->codes[caller])
		return l->codes[caller];
	if (!r->nr_codes)
		r->nr_codes = 1;
	l->codes[caller] = r->nr_codes;
	GROW(r->codes, r->nr_codes + nr_frames(l), r->codes_alloc);
	frame = outermost_of(r, l);
	into = r->codes[r->nr_codes++] = stacks_frame(r->stacks, &frame, caller, 0);
	for (size_t i = l->nr_lines; i-- > 1;) {
		frame = frame_of(r, l, &r->lines[l->first_line + i - 1]);
		frame.inlined = true;
		r->codes[r->nr_codes++] = stacks_frame(r->stacks, &frame, caller, into);
	}
	return l->codes[caller];
}

/* Does the second location, a caller, only repeat the first one? See stacks_repeats(). */
static bool
is_repeated(struct reader *r, const struct location *a, const struct location *b)
{
	struct stacks_frame x, y;

	if (nr_frames(a) > 1 || nr_frames(b) > 1)
		return false;
	x = outermost_of(r, a);
	y = outermost_of(r, b);
	return stacks_repeats(&x, &y);
}

static struct location *
find_location(struct reader *r, uint64_t id)
{
	size_t i = find_id(&r->location_ids, id);

	return i == SIZE_MAX ? NULL : &r->locations[i];
}

/* Returns the node of the sample's stack. CUT: its outer frames are left out. */
static uint32_t
walk_stack(struct reader *r, bool *cut)
{
	uint32_t node = 0;
	size_t nr = 0, frames = 0, first = SIZE_MAX;
	struct location *l, *innermost = NULL;

	for (; nr < r->nr_ids; nr++) {
		l = find_location(r, r->ids[nr]);
		if (l && frames + nr_frames(l) > STACKS_MAX_FRAMES)
			break;
		frames += l ? nr_frames(l) : 0;
		if (l && !innermost) {
			innermost = l;
			first = nr;
		}
	}
	*cut = nr < r->nr_ids;
	for (size_t i = nr; i-- > 0;) {
		size_t code;

		l = find_location(r, r->ids[i]);
		if (!l || (i == first + 1 && is_repeated(r, innermost, l)))
			continue;
		code = codes_of(r, l, i != first);
		for (size_t k = 0; k < nr_frames(l); k++)
			node = stacks_onto(r->stacks, node, r->codes[code + k]);
	}
	return node;
}

/* The same, of a stack that was perhaps there before. */
static uint32_t
node_of_stack(struct reader *r, bool *cut)
{
	size_t size = r->nr_ids * sizeof(*r->ids);
	uint64_t hash = HASH_START;
	struct memory *m = NULL;   /* the last one that was looked at is overwritten */
	uint32_t node;

	*cut = false;
	for (size_t i = 0; i < r->nr_ids; i++)
		hash = hash_number(hash, r->ids[i]);
	for (size_t i = 0; i < NEIGHBOURS && r->nr_ids; i++) {
		m = &r->memories[(hash + i) % MEMORIES];
		if (m->nr == r->nr_ids && !memcmp(m->ids, r->ids, size))
			return m->node;
		if (!m->nr)
			break;
	}
	node = walk_stack(r, cut);
	if (m && r->nr_ids <= MOST_REMEMBERED && !*cut) {
		memcpy(m->ids, r->ids, size);
		m->nr = (uint32_t)r->nr_ids;
		m->node = node;
	}
	return node;
}

/* Labels tell of threads, or of what the program likes. */
static void
take_label(struct reader *r, struct wire w, struct stacks_sample *sample)
{
	struct stacks_text key, text;
	struct numbers n;

	if (!read_numbers(w, &n))
		return;
	key = text_of(r, n.of[1]);
	text = text_of(r, n.of[2]);
	if (is(key, "thread") || is(key, "thread_name"))
		sample->name = text;
	if (is(key, "thread_id") || is(key, "tid") || is(key, "goroutine") ||
	    (is(key, "thread") && !n.of[2]))
		sample->tid = (uint32_t)n.of[3];
	else if (is(key, "process_id") || is(key, "pid"))
		sample->pid = (uint32_t)n.of[3];
	else if (n.of[2] && !is(key, "thread") && !is(key, "thread_name") && !r->label.length)
		r->label = key;
}

/* Differences of profiles have values below 0. */
static int64_t
whole(uint64_t value, uint64_t scale)
{
	bool negative = (int64_t)value < 0;
	int64_t size = (int64_t)count_product(negative ? -value : value, scale);

	return negative ? -size : size;
}

static void
add_sample(struct reader *r, struct stacks_sample *sample)
{
	struct stacks_value *values = r->weights;
	uint64_t counted = 0;
	uint32_t node;

	sample->values = values;
	if (r->counted >= 0 && (size_t)r->counted < r->nr_values)
		counted = r->values[r->counted];
	for (size_t i = 0; i < r->nr_types && i < r->nr_values; i++) {
		const struct value_type *t = &r->types[i];
		struct stacks_value v = { .event = t->event };

		if (t->event < 0)
			continue;
		v.weight = whole(r->values[i], t->scale);
		if (is(t->unit, "ns"))
			v.samples = v.weight > 0;
		if (r->counted >= 0 && (int)i == r->timed)
			v.samples = counted;
		if (v.weight || v.samples)
			values[sample->nr_values++] = v;
	}
	if (!sample->nr_values)
		return;
	node = node_of_stack(r, &sample->cut);
	stacks_add_to(r->stacks, node, sample);
}

static void
take_numbers(struct wire *from, uint64_t **to, size_t *nr, size_t *alloc)
{
	uint64_t value;

	while (wire_number(from, &value)) {
		GROW(*to, *nr + 1, *alloc);
		(*to)[(*nr)++] = value;
	}
}

static int
take_sample(struct reader *r, const struct wire_field *of)
{
	struct stacks_sample sample = { .name = STACKS_TEXT("") };
	struct wire w = of->bytes;
	struct wire_field f;

	if (of->number != PROFILE_SAMPLE)
		return 0;
	r->nr_ids = r->nr_values = 0;
	while (wire_next(&w, &f)) {
		if (f.number == 1)
			take_numbers(&f.bytes, &r->ids, &r->nr_ids, &r->ids_alloc);
		else if (f.number == 2)
			take_numbers(&f.bytes, &r->values, &r->nr_values, &r->values_alloc);
		else if (f.number == 3 && f.type == WIRE_BYTES)
			take_label(r, f.bytes, &sample);
		w.bad |= f.bytes.bad;
	}
	if (w.bad)
		return damaged(r, "a sample cannot be read");
	add_sample(r, &sample);
	return 0;
}

/* ---- the file ---- */

static int
digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Modules that the linker gave an id are told by it. Go has one of its own, which is not
 * hexadecimal. */
static void
tell_builds(struct reader *r)
{
	enum { MOST = 64 };
	uint8_t id[MOST];

	for (size_t i = 0; i < r->mapping_ids.nr; i++) {
		struct stacks_text hex = text_of(r, r->mappings[i].of[6]);
		size_t n = 0;

		while (n < MOST && 2 * n + 1 < hex.length && digit(hex.at[2 * n]) >= 0 &&
		       digit(hex.at[2 * n + 1]) >= 0) {
			id[n] = (uint8_t)(digit(hex.at[2 * n]) << 4 | digit(hex.at[2 * n + 1]));
			n++;
		}
		if (n && 2 * n == hex.length)
			stacks_build(r->stacks, text_of(r, r->mappings[i].of[5]), id, n);
	}
}

/* Reads the file again, for its samples. */
static int
read_samples(struct reader *r)
{
	struct stat st;
	FILE *in = unpack_open(r->path, &st, r->err);
	int status = in ? read_fields(r, in, take_sample, NULL) : -1;

	if (in)
		fclose(in);
	return status;
}

static int
read_profile(struct reader *r, FILE *in)
{
	struct error *err = r->err;

	if (read_fields(r, in, take_table, take_number))
		return -1;
	tell_builds(r);
	if (!r->nr_types)
		return error_set(err, "%s is a profile of pprof without any type of values: there "
				 "is nothing to show", r->path);
	name_types(r);
	make_events(r);
	r->weights = xcalloc(r->nr_types, sizeof(*r->weights));
	r->memories = xcalloc(MEMORIES, sizeof(*r->memories));
	if (read_samples(r))
		return -1;
	return *err->text ? -1 : 0; /* of texts that are not there */
}

static void
release(struct reader *r)
{
	keys_release(&r->mapping_ids);
	keys_release(&r->function_ids);
	keys_release(&r->location_ids);
	arena_release(&r->arena);
	free(r->strings);
	free(r->told_types);
	free(r->types);
	free(r->mappings);
	free(r->functions);
	free(r->locations);
	free(r->lines);
	free(r->codes);
	free(r->memories);
	free(r->ids);
	free(r->values);
	free(r->weights);
	stacks_free(r->stacks);
}

static int
pprof_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	const char *path = paths[nr - 1];
	struct reader r = { .path = path, .err = err, .stacks = stacks_new(), .arena = ARENA_INIT };
	struct stacks_run run = { .tool = STACKS_TEXT("pprof") };
	struct stat st;
	FILE *in = unpack_open(path, &st, err);
	int status = in && !read_profile(&r, in) ? 0 : -1;

	if (!status) {
		run.started_ns = (int64_t)r.profile.of[0];
		run.wall_ns = r.profile.of[1];
		if (r.mapping_ids.nr)
			run.command = text_of(&r, r.mappings[0].of[5]);
		status = stacks_finish(r.stacks, &run, path, st.st_uid, m, err);
	}
	if (!status && r.label.length)
		model_note(m, "samples", "labels of samples, such as \"%.*s\", are left out",
			   (int)r.label.length, r.label.at);
	if (in)
		fclose(in);
	release(&r);
	return status;
}

/* By number: the type that a field has. */
static const uint8_t types[] = {
	[PROFILE_SAMPLE_TYPE] = WIRE_BYTES, [PROFILE_SAMPLE] = WIRE_BYTES,
	[PROFILE_MAPPING] = WIRE_BYTES, [PROFILE_LOCATION] = WIRE_BYTES,
	[PROFILE_FUNCTION] = WIRE_BYTES, [PROFILE_STRING] = WIRE_BYTES,
	[PROFILE_PERIOD_TYPE] = WIRE_BYTES, [15] = WIRE_NUMBER,
};

static bool
is_known(const struct wire_field *f, bool seen_text)
{
	struct numbers numbers;
	struct wire type = f->bytes;
	struct wire_field of;

	if (f->number == 13) /* comments, packed or not */
		return f->type == WIRE_BYTES || f->type == WIRE_NUMBER;
	if (f->type != types[f->number])
		return false;
	if (f->number == PROFILE_STRING) /* the first text is empty */
		return seen_text || f->bytes.at == f->bytes.end;
	while (f->number == PROFILE_SAMPLE_TYPE && wire_next(&type, &of))
		if (of.type != WIRE_NUMBER)
			return false;
	return f->type != WIRE_BYTES || read_numbers(f->bytes, &numbers);
}

/* Fields of the known numbers with their types, as far as HEAD goes, and few others. */
static bool
pprof_is(const char *head, size_t n)
{
	struct wire w = { .at = (const uint8_t *)head, .end = (const uint8_t *)head + n };
	size_t known = 0, others = 0;
	bool seen = false, seen_text = false;
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (!f.number || f.number >= sizeof(types)) {
			others++;
			continue;
		}
		if (!is_known(&f, seen_text))
			return false;
		known++;
		seen_text |= f.number == PROFILE_STRING;
		seen |= f.number <= PROFILE_STRING;
	}
	return (!w.bad || w.cut) && seen && known > 1 && others < known;
}

const struct foreign_format pprof_format = {
	.name = "a profile of pprof", .is = pprof_is, .read = pprof_read,
};
