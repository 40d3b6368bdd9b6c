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
 * Texts are numbers of the string_table, which may come last: so all of it is kept in memory, and
 * read twice. */
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

struct location { size_t first, nr; }; /* its frames, innermost first */

struct reader {
	const char *path;
	struct error *err;
	struct wire all;
	struct stacks_text *strings;
	size_t nr_strings, strings_alloc;
	struct value_type *types;
	size_t nr_types, types_alloc;
	struct numbers *mappings, *functions;
	size_t mappings_alloc, functions_alloc, locations_alloc;
	struct location *locations;
	struct keys mapping_ids, function_ids, location_ids;
	struct stacks_frame *parts; /* of all locations */
	size_t nr_parts, parts_alloc;
	struct stacks_frame *frames; /* of a sample */
	size_t nr_frames, frames_alloc;
	uint64_t *values;          /* of a sample */
	size_t nr_values, values_alloc;
	struct numbers profile;
	uint64_t period, default_type;
	struct value_type period_type;
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
	GROW(r->strings, r->nr_strings + 1, r->strings_alloc);
	r->strings[r->nr_strings++] = (struct stacks_text){
		(const char *)bytes->at, (size_t)(bytes->end - bytes->at),
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

/* Reads what may come in any order and is needed by the rest. */
static int
read_tables(struct reader *r)
{
	struct wire w = r->all;
	struct wire_field f;
	int status = 0;

	while (!status && wire_next(&w, &f)) {
		bool bytes = f.type == WIRE_BYTES;

		if (f.number == PROFILE_STRING && bytes)
			take_string(r, &f.bytes);
		else if (f.number == PROFILE_MAPPING && bytes)
			status = take_mapping(r, f.bytes);
		else if (f.number == PROFILE_FUNCTION && bytes)
			status = take_function(r, f.bytes);
		else if (f.number == PROFILE_TIME)
			r->profile.of[0] = f.value;
		else if (f.number == PROFILE_DURATION)
			r->profile.of[1] = f.value;
		else if (f.number == PROFILE_PERIOD)
			r->period = f.value;
		else if (f.number == PROFILE_DEFAULT)
			r->default_type = f.value;
	}
	return status ? status : w.bad ? damaged(r, "it ends within a field") : 0;
}

/* ---- the second time ---- */

static int
read_type(struct reader *r, struct wire w, struct value_type *t)
{
	struct numbers n;

	if (!read_numbers(w, &n))
		return damaged(r, "a type of values cannot be read");
	t->type = text_of(r, n.of[1]);
	t->unit = unit_of(text_of(r, n.of[2]), &t->scale);
	t->event = -1;
	return 0;
}

static void
add_part(struct reader *r, const struct stacks_frame *f)
{
	GROW(r->parts, r->nr_parts + 1, r->parts_alloc);
	r->parts[r->nr_parts++] = *f;
}

/* Adds the frame of a line, as BASE is. */
static int
take_line(struct reader *r, struct wire w, struct stacks_frame base)
{
	struct numbers line;
	const struct numbers *f;
	size_t i;

	if (!read_numbers(w, &line))
		return damaged(r, "a line cannot be read");
	i = find_id(&r->function_ids, line.of[1]);
	if (i != SIZE_MAX) {
		f = &r->functions[i];
		base.name = text_of(r, f->of[2]);
		base.symbol = text_of(r, f->of[3]);
		base.file = text_of(r, f->of[4]);
		base.start_line = f->of[5] <= INT32_MAX ? (uint32_t)f->of[5] : 0;
		if (!base.symbol.length)
			base.symbol = base.name;
	}
	base.line = line.of[2] <= INT32_MAX ? (uint32_t)line.of[2] : 0;
	base.inlined = true;
	add_part(r, &base);
	return 0;
}

static int
take_location(struct reader *r, struct wire w)
{
	struct stacks_frame base = { .offset = STACKS_NO_OFFSET };
	struct wire again = w;
	struct wire_field f;
	struct numbers n;
	size_t mapping, first = r->nr_parts;

	if (!read_numbers(w, &n))
		return damaged(r, "a location cannot be read");
	if (!is_new_id(&r->location_ids, n.of[1]))
		return 0;
	mapping = n.of[2] ? find_id(&r->mapping_ids, n.of[2]) : SIZE_MAX;
	base.address = n.of[3];
	if (mapping != SIZE_MAX) {
		base.module = text_of(r, r->mappings[mapping].of[5]);
		base.address += r->mappings[mapping].of[4] - r->mappings[mapping].of[2];
		base.in_file = true;
	}
	while (wire_next(&again, &f))
		if (f.number == 4 && f.type == WIRE_BYTES && take_line(r, f.bytes, base))
			return -1;
	if (first == r->nr_parts)
		add_part(r, &base);
	r->parts[r->nr_parts - 1].inlined = false;
	GROW(r->locations, r->location_ids.nr, r->locations_alloc);
	r->locations[r->location_ids.nr - 1] = (struct location){ first, r->nr_parts - first };
	return 0;
}

static int
read_locations(struct reader *r)
{
	struct wire w = r->all;
	struct wire_field f;
	int status = 0;

	while (!status && wire_next(&w, &f)) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == PROFILE_LOCATION) {
			status = take_location(r, f.bytes);
		} else if (f.number == PROFILE_SAMPLE_TYPE) {
			GROW(r->types, r->nr_types + 1, r->types_alloc);
			status = read_type(r, f.bytes, &r->types[r->nr_types++]);
		} else if (f.number == PROFILE_PERIOD_TYPE) {
			status = read_type(r, f.bytes, &r->period_type);
		}
	}
	return status;
}

/* Has any sample less than 0 of the type? */
static bool
has_negative(const struct reader *r, int type)
{
	struct wire w = r->all;
	struct wire_field f, of;
	uint64_t value;

	while (wire_next(&w, &f)) {
		int i = 0;

		while (f.number == PROFILE_SAMPLE && f.type == WIRE_BYTES &&
		       wire_next(&f.bytes, &of))
			while (of.number == 2 && wire_number(&of.bytes, &value))
				if (i++ == type && (int64_t)value < 0)
					return true;
	}
	return false;
}

/* Is type I the time that samples are taken by? Of several times, as of waiting, it is that of the
 * period. */
static bool
is_timed(const struct reader *r, size_t i, size_t nr_times)
{
	const struct stacks_text *a = &r->types[i].type, *b = &r->period_type.type;

	return is(r->types[i].unit, "ns") &&
	       (nr_times == 1 || (a->length && a->length == b->length &&
				  !memcmp(a->at, b->at, a->length)));
}

/* What the tool shows first is the first one here; how many samples there are is told with the
 * time. */
static void
make_events(struct reader *r)
{
	struct stacks_text wanted = text_of(r, r->default_type);
	size_t first = r->nr_types - 1, nr_times = 0;

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
	if (r->timed < 0 || has_negative(r, r->counted))
		r->counted = -1;
	for (size_t k = 0; k < r->nr_types; k++) {
		size_t i = !k ? first : k <= first ? k - 1 : k;
		struct value_type *t = &r->types[i];
		struct stacks_event event = { t->type, t->unit, 0 };

		if ((int)i == r->counted)
			continue;
		if (r->period_type.unit.length && is(t->unit, "bytes") &&
		    is(r->period_type.unit, "bytes"))
			event.period = r->period;
		t->event = stacks_event(r->stacks, &event);
	}
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

static void
add_location(struct reader *r, uint64_t id)
{
	size_t i = find_id(&r->location_ids, id);
	const struct location *l = i == SIZE_MAX ? NULL : &r->locations[i];

	for (size_t k = 0; l && k < l->nr && r->nr_frames <= STACKS_MAX_FRAMES; k++) {
		GROW(r->frames, r->nr_frames + 1, r->frames_alloc);
		r->frames[r->nr_frames++] = r->parts[l->first + k];
	}
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
	struct stacks_value values[STACKS_MAX_EVENTS];
	uint64_t counted = 0;

	sample->values = values;
	sample->frames = r->frames;
	sample->nr_frames = r->nr_frames;
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
	if (sample->nr_values)
		stacks_add(r->stacks, sample);
}

static int
take_sample(struct reader *r, struct wire w)
{
	struct stacks_sample sample = { .name = STACKS_TEXT("") };
	struct wire_field f;
	uint64_t value;

	r->nr_frames = r->nr_values = 0;
	while (wire_next(&w, &f)) {
		if (f.number == 1) {
			while (wire_number(&f.bytes, &value))
				add_location(r, value);
		} else if (f.number == 2) {
			while (wire_number(&f.bytes, &value)) {
				GROW(r->values, r->nr_values + 1, r->values_alloc);
				r->values[r->nr_values++] = value;
			}
		} else if (f.number == 3 && f.type == WIRE_BYTES) {
			take_label(r, f.bytes, &sample);
		}
		w.bad |= f.bytes.bad;
	}
	if (w.bad)
		return damaged(r, "a sample cannot be read");
	add_sample(r, &sample);
	return 0;
}

static int
read_samples(struct reader *r)
{
	struct wire w = r->all;
	struct wire_field f;

	while (wire_next(&w, &f))
		if (f.number == PROFILE_SAMPLE && f.type == WIRE_BYTES && take_sample(r, f.bytes))
			return -1;
	return 0;
}

/* ---- the file ---- */

static int
read_all(struct reader *r, FILE *in, struct strbuf *content)
{
	enum { PIECE = 1 << 16 };
	const size_t most = (size_t)1 << 31;
	size_t n;

	do {
		strbuf_room(content, PIECE);
		n = fread(content->buf + content->len, 1, PIECE, in);
		content->len += n;
	} while (n && content->len < most);
	if (ferror(in))
		return error_set(r->err, "%s cannot be read to its end", r->path);
	if (n)
		return error_set(r->err, "%s has more than 2 GB: that is too large for a profile "
				 "of pprof", r->path);
	r->all.at = (const uint8_t *)content->buf;
	r->all.end = r->all.at + content->len;
	return 0;
}

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

static int
read_profile(struct reader *r)
{
	struct error *err = r->err;

	if (read_tables(r) || read_locations(r))
		return -1;
	tell_builds(r);
	if (!r->nr_types)
		return error_set(err, "%s is a profile of pprof without any type of values: there "
				 "is nothing to show", r->path);
	make_events(r);
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
	free(r->strings);
	free(r->types);
	free(r->mappings);
	free(r->functions);
	free(r->locations);
	free(r->parts);
	free(r->frames);
	free(r->values);
	stacks_free(r->stacks);
}

static int
pprof_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	const char *path = paths[nr - 1];
	struct reader r = { .path = path, .err = err, .stacks = stacks_new() };
	struct stacks_run run = { .tool = STACKS_TEXT("pprof") };
	struct strbuf content = STRBUF_INIT;
	struct stat st;
	FILE *in = unpack_open(path, &st, err);
	int status = in && !read_all(&r, in, &content) && !read_profile(&r) ? 0 : -1;

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
	strbuf_release(&content);
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

	if (f->number == 13) /* comments, packed or not */
		return f->type == WIRE_BYTES || f->type == WIRE_NUMBER;
	if (f->type != types[f->number])
		return false;
	if (f->number == PROFILE_STRING) /* the first text is empty */
		return seen_text || f->bytes.at == f->bytes.end;
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
