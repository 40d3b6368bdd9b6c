/* Profiles for pprof (profile.proto), packed by gzip:
 *
 *	Profile   1 sample_type* 2 sample* 3 mapping* 4 location* 5 function* 6 string_table*
 *	          9 time_nanos 10 duration_nanos 11 period_type 12 period 13 comment*
 *	          14 default_sample_type
 *
 * A location is a line of a procedure, and the lines that its code is inlined at. Locations,
 * functions and texts come behind the samples, which number them. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "print/export/export_stacks.h"
#include "print/export/formats.h"
#include "util/keys.h"

enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
	PROFILE_FUNCTION, PROFILE_STRING, PROFILE_TIME = 9, PROFILE_DURATION, PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD, PROFILE_COMMENT, PROFILE_DEFAULT,
};

struct writer {
	const struct export *e;
	FILE *out;
	z_stream zip;
	struct strbuf body, part, inner; /* of messages: a profile, in it, in that */
	struct strbuf labels;      /* of each sample, ready: where it was taken */
	/* Number of the location + 1: of what it is inlined in (0: of nothing), procedure, line. */
	struct keys locations;
	uint64_t nr_texts;
	uint32_t *function;        /* of procedure I, 0 unprofiled; 0: not yet used */
	const char **modules;      /* by the number of the mapping - 1 */
	size_t nr_modules, modules_alloc;
	struct export_frames frames;
	struct export_measure measures[EXPORT_MOST_MEASURES];
	size_t nr_measures;
};

/* ---- the wire ---- */

static void
put_varint(struct strbuf *to, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		strbuf_char(to, (char)(n | 0x80));
	strbuf_char(to, (char)n);
}

/* A field of 0 is not there. */
static void
put_number(struct strbuf *to, unsigned field, uint64_t n)
{
	if (!n)
		return;
	put_varint(to, field << 3);
	put_varint(to, n);
}

static void
put_bytes(struct strbuf *to, unsigned field, const void *bytes, size_t n)
{
	put_varint(to, field << 3 | 2);
	put_varint(to, n);
	strbuf_add(to, bytes, n);
}

/* Puts and empties the message IN. */
static void
put_message(struct strbuf *to, unsigned field, struct strbuf *in)
{
	put_bytes(to, field, in->buf, in->len);
	strbuf_clear(in);
}

/* Packs and writes what W has; FLUSH: of zlib. */
static void
pack(struct writer *w, int flush)
{
	unsigned char packed[1 << 14];

	w->zip.next_in = (unsigned char *)w->body.buf;
	w->zip.avail_in = (unsigned)w->body.len;
	do {
		w->zip.next_out = packed;
		w->zip.avail_out = sizeof(packed);
		deflate(&w->zip, flush);
		if (!ferror(w->out))
			fwrite(packed, 1, sizeof(packed) - w->zip.avail_out, w->out);
	} while (!w->zip.avail_out);
	strbuf_clear(&w->body);
}

static void
pack_some(struct writer *w)
{
	enum { ENOUGH = 1 << 16 };

	if (w->body.len >= ENOUGH)
		pack(w, Z_NO_FLUSH);
}

/* Adds a text to the table. Returns its number; that of the empty text is 0. It is UTF-8. */
static uint64_t
text(struct writer *w, const char *s)
{
	struct strbuf safe = STRBUF_INIT;

	if (!*s && w->nr_texts)
		return 0;
	export_text(&safe, s, NULL, 0);
	put_bytes(&w->body, PROFILE_STRING, safe.buf, safe.len);
	strbuf_release(&safe);
	return w->nr_texts++;
}

/* ---- stacks ---- */

static uint32_t
location(struct writer *w, uint32_t inlined_in, const struct export_frame *f)
{
	bool is_new;

	return keys_number(&w->locations, KEY(inlined_in, f->procedure, f->line), &is_new) + 1;
}

/* The stack of a sample: the locations of its frames, those of inlined ones together. */
static void
put_stack(struct writer *w, const struct model_context *c)
{
	const struct export_frame *frames = export_frames_read(&w->frames, w->e, c);
	size_t nr = w->frames.nr;
	uint32_t *ids = xcalloc(nr, sizeof(*ids)), in = 0;

	for (size_t i = nr; i-- > 0;) {
		in = ids[i] = location(w, frames[i].inlined ? in : 0, &frames[i]);
		if (i && !frames[i - 1].inlined)
			in = 0;
	}
	for (size_t i = 0; i < nr; i++)
		if (!i || !frames[i - 1].inlined)
			put_varint(&w->inner, ids[i]);
	free(ids);
	put_message(&w->part, 1, &w->inner);
}

static void
put_samples(struct writer *w)
{
	const struct model *m = &w->e->m;

	for (size_t i = 0; i < m->nr_contexts && !ferror(w->out); i++) {
		bool any = false;

		for (size_t j = 0; j < w->nr_measures; j++) {
			int64_t self = export_context_self(&m->contexts[i], w->measures[j].id);

			put_varint(&w->inner, (uint64_t)self);
			any |= self != 0;
		}
		if (!any) {
			strbuf_clear(&w->inner);
			continue;
		}
		/* The values are made first, and stand behind the stack. */
		put_message(&w->part, 2, &w->inner);
		put_stack(w, &m->contexts[i]);
		strbuf_add(&w->part, w->labels.buf, w->labels.len);
		put_message(&w->body, PROFILE_SAMPLE, &w->part);
		pack_some(w);
	}
}

/* ---- tables ---- */

/* Returns the number of the mapping of a module. */
static uint64_t
mapping(struct writer *w, const char *module)
{
	size_t i = 0;

	if (!module || !*module)
		return 0;
	while (i < w->nr_modules && strcmp(w->modules[i], module))
		i++;
	if (i == w->nr_modules) {
		GROW(w->modules, i + 1, w->modules_alloc);
		w->modules[w->nr_modules++] = module;
	}
	return i + 1;
}

static void
put_location(struct writer *w, uint32_t id)
{
	const uint32_t *of = w->locations.items[id - 1].of;
	const struct model_procedure *p = export_procedure(w->e, of[1]);

	put_number(&w->part, 1, id);
	put_number(&w->part, 2, p ? mapping(w, p->module) : 0);
	for (; id; id = of[0]) {
		of = w->locations.items[id - 1].of;
		w->function[of[1]] = 1;
		put_number(&w->inner, 1, of[1] + 1);
		put_number(&w->inner, 2, of[2]);
		put_message(&w->part, 4, &w->inner);
	}
	put_message(&w->body, PROFILE_LOCATION, &w->part);
}

static void
put_function(struct writer *w, model_id procedure)
{
	const struct model_procedure *p = export_procedure(w->e, procedure);
	const char *linkage = p && p->linkage_name ? p->linkage_name : "";
	const char *path = p && p->place.file ? export_path(w->e, p->place.file) : "";

	put_number(&w->part, 1, procedure + 1);
	put_number(&w->part, 2, text(w, export_name(w->e, procedure)));
	put_number(&w->part, 3, text(w, linkage));
	put_number(&w->part, 4, text(w, path));
	put_number(&w->part, 5, p ? p->place.line : 0);
	put_message(&w->body, PROFILE_FUNCTION, &w->part);
	pack_some(w);
}

static void
put_mapping(struct writer *w, size_t i)
{
	const struct model *m = &w->e->m;
	size_t k = 0;

	while (k < m->nr_modules && strcmp(m->modules[k].path, w->modules[i]))
		k++;
	put_number(&w->part, 1, i + 1);
	put_number(&w->part, 5, text(w, w->modules[i]));
	put_number(&w->part, 6, k < m->nr_modules ? text(w, m->modules[k].build_id) : 0);
	/* Nothing is left to be looked up in the file: functions, files, lines, inlined ones. */
	for (unsigned has = 7; has <= 10; has++)
		put_number(&w->part, has, 1);
	put_message(&w->body, PROFILE_MAPPING, &w->part);
}

/* Puts a type of values, and returns the number of its name. */
static uint64_t
put_type(struct writer *w, unsigned field, const struct export_measure *measure)
{
	static const char *const types[][3] = {
		{ "samples", "samples", "count" }, { "time", "cpu", "nanoseconds" },
		{ "wait", "wait", "nanoseconds" },
	};
	const char *type = measure->label, *unit = measure->unit;
	uint64_t name;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (measure->id > NR_BUILTIN_MEASURES && measure->id != MEASURE_SAMPLES)
			break;
		if (!strcmp(types[i][0], measure->name)) {
			type = types[i][1];
			unit = types[i][2];
		}
	}
	name = text(w, type);
	put_number(&w->part, 1, name);
	put_number(&w->part, 2, text(w, strcmp(unit, "ns") ? unit : "nanoseconds"));
	put_message(&w->body, field, &w->part);
	return name;
}

/* Adds a label of all samples. One without a value is left out. */
static void
add_label(struct writer *w, const char *key, const char *value)
{
	enum { SAMPLE_LABEL = 3, LABEL_KEY = 1, LABEL_TEXT = 2 };

	if (!value || !*value)
		return;
	put_number(&w->part, LABEL_KEY, text(w, key));
	put_number(&w->part, LABEL_TEXT, text(w, value));
	put_message(&w->labels, SAMPLE_LABEL, &w->part);
}

/* What tells these samples from others in a store of many profiles. */
static void
make_labels(struct writer *w)
{
	const struct model_run *run = &w->e->totals->run;

	add_label(w, "build_id", run->build_id);
	add_label(w, "host", run->host);
	add_label(w, "job", run->job);
	add_label(w, "label", run->label);
	add_label(w, "only", profile_only(w->e->p));
}

static void
put_head(struct writer *w)
{
	const struct model_run *run = &w->e->totals->run;
	uint64_t preferred = 0;

	text(w, "");
	for (size_t i = 0; i < w->nr_measures; i++) {
		uint64_t name = put_type(w, PROFILE_SAMPLE_TYPE, &w->measures[i]);

		if (!i || w->measures[i].id == MEASURE_TIME)
			preferred = name;
		if (w->measures[i].id == MEASURE_TIME && run->interval_ns) {
			put_type(w, PROFILE_PERIOD_TYPE, &w->measures[i]);
			put_number(&w->body, PROFILE_PERIOD, run->interval_ns);
		}
	}
	put_number(&w->body, PROFILE_DEFAULT, preferred);
	put_number(&w->body, PROFILE_TIME, (uint64_t)run->started_ns);
	put_number(&w->body, PROFILE_DURATION, run->wall_ns);
	put_number(&w->body, PROFILE_COMMENT, text(w, run->command ? run->command : ""));
	mapping(w, run->program);
	make_labels(w);
}

int
export_pprof(struct export *e, FILE *out, struct error *err)
{
	struct writer w = { .e = e, .out = out, .body = STRBUF_INIT, .part = STRBUF_INIT,
			    .inner = STRBUF_INIT, .labels = STRBUF_INIT,
			    .locations = KEYS_INIT };
	enum { GZIP = 16, MEMORY = 8 };

	if (deflateInit2(&w.zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return error_set(err, "%s cannot be packed: not enough memory", profile_name(e->p));
	w.function = xcalloc(e->m.nr_procedures + 1, sizeof(*w.function));
	w.nr_measures = export_stack_measures(e, w.measures);
	put_head(&w);
	put_samples(&w);
	for (uint32_t i = 0; i < w.locations.nr; i++, pack_some(&w))
		put_location(&w, i + 1);
	for (size_t i = 0; i <= e->m.nr_procedures; i++)
		if (w.function[i])
			put_function(&w, (model_id)i);
	for (size_t i = 0; i < w.nr_modules; i++)
		put_mapping(&w, i);
	pack(&w, Z_FINISH);
	deflateEnd(&w.zip);
	keys_release(&w.locations);
	strbuf_release(&w.body);
	strbuf_release(&w.part);
	strbuf_release(&w.inner);
	strbuf_release(&w.labels);
	free(w.function);
	free(w.modules);
	free(w.frames.items);
	return 0;
}
