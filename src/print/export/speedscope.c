/* Profiles for speedscope (www.speedscope.app): JSON, with one profile of "sampled" stacks. Equal
 * stacks are one, with their weight: all measures can be written so, not only what has times. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/export_stacks.h"
#include "print/export/formats.h"
#include "util/text/json.h"

/* The units that speedscope knows. */
static const char *
unit_of(const struct export_measure *measure)
{
	return !strcmp(measure->unit, "ns") ? "nanoseconds"
	     : !strcmp(measure->unit, "bytes") ? "bytes" : "none";
}

static void
put_text(struct strbuf *out, const char *key, const char *s)
{
	strbuf_fmt(out, "\"%s\":", key);
	json_quote(out, s, strlen(s));
}

/* Writes the frames, of procedures that are in any path; NUMBER gets theirs. */
static void
put_frames(const struct export *e, const struct export_paths *t, uint32_t *number, FILE *out)
{
	struct strbuf s = STRBUF_INIT;
	uint32_t nr = 0;

	for (size_t i = 0; i < t->nr; i++) {
		model_id id = t->procedure[i];
		const struct model_procedure *p = export_procedure(e, id);

		if (number[id])
			continue;
		number[id] = ++nr;
		strbuf_str(&s, nr > 1 ? ",\n{" : "\n{");
		put_text(&s, "name", export_name(e, id));
		if (p && p->place.file) {
			strbuf_char(&s, ',');
			put_text(&s, "file", export_path(e, p->place.file));
			strbuf_fmt(&s, ",\"line\":%u,\"col\":%u", p->place.line, p->place.column);
		}
		strbuf_char(&s, '}');
		export_flush(&s, out);
	}
	strbuf_release(&s);
}

static void
put_samples(const struct export_paths *t, const int64_t *self, const uint32_t *number, FILE *out)
{
	struct export_path path = { .procedures = NULL };
	struct strbuf s = STRBUF_INIT;
	const char *before = "\n[";

	for (size_t i = 0; i < t->nr && !ferror(out); i++) {
		if (!self[i])
			continue;
		strbuf_str(&s, before);
		before = ",\n[";
		export_path_of(&path, t, (uint32_t)i);
		for (size_t j = 0; j < path.nr; j++)
			strbuf_fmt(&s, "%s%u", j ? "," : "", number[path.procedures[j]] - 1);
		strbuf_char(&s, ']');
		export_flush(&s, out);
	}
	free(path.procedures);
	strbuf_release(&s);
}

static int64_t
put_weights(const struct export_paths *t, const int64_t *self, FILE *out)
{
	struct strbuf s = STRBUF_INIT;
	const char *before = "\n";
	int64_t sum = 0;

	for (size_t i = 0; i < t->nr; i++) {
		if (!self[i])
			continue;
		strbuf_fmt(&s, "%s%" PRId64, before, self[i]);
		before = ",\n";
		sum = measure_combine(COMBINE_SUM, sum, self[i]);
		export_flush(&s, out);
	}
	strbuf_release(&s);
	return sum;
}

static void
put_all(const struct export *e, const struct export_measure *measure, const struct export_paths *t,
	FILE *out)
{
	const char *command = e->totals->run.command ? e->totals->run.command : "";
	uint32_t *number = xcalloc(e->m.nr_procedures + 1, sizeof(*number));
	int64_t *self = export_paths_self(t, e, measure->id), sum;
	struct strbuf s = STRBUF_INIT;

	strbuf_str(&s, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		   "\"exporter\":\"cgview\",\"activeProfileIndex\":0,");
	put_text(&s, "name", command);
	strbuf_str(&s, ",\n\"shared\":{\"frames\":[");
	export_flush(&s, out);
	put_frames(e, t, number, out);
	strbuf_str(&s, "\n]},\n\"profiles\":[{\"type\":\"sampled\",");
	put_text(&s, "name", measure->label);
	strbuf_fmt(&s, ",\"unit\":\"%s\",\n\"samples\":[", unit_of(measure));
	export_flush(&s, out);
	put_samples(t, self, number, out);
	strbuf_str(&s, "\n],\n\"weights\":[");
	export_flush(&s, out);
	sum = put_weights(t, self, out);
	strbuf_fmt(&s, "\n],\n\"startValue\":0,\"endValue\":%" PRId64 "}]}\n", sum);
	export_flush(&s, out);
	free(number);
	free(self);
	strbuf_release(&s);
}

int
export_speedscope(struct export *e, FILE *out, struct error *err)
{
	struct export_measure measure;
	struct export_paths t;

	if (export_choose_measure(e, MEASURE_TIME, &measure, err))
		return -1;
	export_paths_make(&t, e);
	put_all(e, &measure, &t, out);
	export_paths_release(&t);
	return 0;
}
