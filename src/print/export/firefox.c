/* Profiles for the Firefox profiler (profiler.firefox.com): JSON of its processed format, version
 * 61. Tables are objects of arrays, a column each. Samples and waits are those of each thread;
 * stacks, frames, functions, sources and texts are shared by all, and numbered as threads use them,
 * so that they stand behind the threads:
 *
 *	{"meta": {...}, "threads": [{"samples": {...}, "markers": {...}}], "libs": [...],
 *	 "shared": {"stackTable": {"frame": [...], "prefix": [...]}, "frameTable": ...}}
 *
 * The weight of a sample is its CPU time. A wait is a marker with a begin, an end and its stack:
 * as a sample it would be CPU time, too. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/load.h"
#include "print/export/export_stacks.h"
#include "print/export/formats.h"
#include "util/index.h"
#include "util/keys.h"
#include "util/text/json.h"
#include "util/text/path.h"

/* Of frames. The stack of a sample in the kernel ends in a frame of that category. */
enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_LIBRARY, CATEGORY_KERNEL, CATEGORY_WAIT };
static const char categories[] =
	"\"categories\":["
	"{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Library\",\"color\":\"lightblue\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Waiting\",\"color\":\"purple\",\"subcategories\":[\"Other\"]}],";
static const char marker_schema[] =
	"\"markerSchema\":[{\"name\":\"wait\",\"tooltipLabel\":\"waiting\","
	"\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],\"fields\":[],"
	"\"description\":\"The thread waited, for instance for another one or for a disk.\"}],";

/* What is numbered in the order in which it is first needed. */
struct numbered { model_id *items; uint32_t *number; uint32_t nr; }; /* number + 1; 0: not yet */

struct writer {
	const struct export *e;
	FILE *out;
	struct strbuf s;
	struct keys stacks;        /* the one above + 1, frame */
	struct keys frames;        /* function, line, category, inlined */
	struct numbered functions, sources; /* of procedures, of files */
	const char **modules;
	uint32_t nr_modules;
	const char **texts;
	struct index text_index;
	size_t nr_texts, texts_alloc;
	struct keys leaves;        /* context, line of the leaf, in the kernel or not */
	uint32_t *leaf_stacks;     /* stack + 1 */
	size_t leaves_alloc;
	struct export_frames room;
	struct export_track *track; /* of the thread that is written */
	size_t *rows;              /* its samples, or its waits */
};

/* ---- numbers ---- */

static bool
is_text(const void *w, uint32_t item, const void *key)
{
	return !strcmp(((const struct writer *)w)->texts[item], key);
}

static uint32_t
text(struct writer *w, const char *s)
{
	uint64_t hash = hash_text(HASH_START, s);
	uint32_t i = index_find(&w->text_index, hash, is_text, w, s);

	if (i != INDEX_NONE)
		return i;
	GROW(w->texts, w->nr_texts + 1, w->texts_alloc);
	w->texts[w->nr_texts] = s;
	index_add(&w->text_index, hash, (uint32_t)w->nr_texts);
	return (uint32_t)w->nr_texts++;
}

static void
numbered_init(struct numbered *n, size_t most)
{
	n->items = xcalloc(most + 1, sizeof(*n->items));
	n->number = xcalloc(most + 1, sizeof(*n->number));
}

static uint32_t
number_of(struct numbered *n, model_id id)
{
	if (!n->number[id]) {
		n->items[n->nr] = id;
		n->number[id] = ++n->nr;
	}
	return n->number[id] - 1;
}

/* Returns the number of the procedure's module; nr_modules: it has none. */
static uint32_t
module_of(const struct writer *w, const struct model_procedure *p)
{
	uint32_t i = 0;

	while (i < w->nr_modules && !(p && p->module && !strcmp(w->modules[i], p->module)))
		i++;
	return i;
}

static uint32_t
frame(struct writer *w, const struct export_frame *f, bool kernel)
{
	const struct model_procedure *p = export_procedure(w->e, f->procedure);
	enum category category = kernel ? CATEGORY_KERNEL
				 : !p || p->flags & PROCEDURE_FOREIGN ? CATEGORY_LIBRARY
								      : CATEGORY_USER;
	bool is_new;

	return keys_number(&w->frames, KEY(number_of(&w->functions, f->procedure), f->line,
					   (uint32_t)category, f->inlined), &is_new);
}

/* Returns the stack of a context + 1; 0: it is not known. LINE: of its leaf; 0: the context's. */
static uint32_t
stack_of(struct writer *w, model_id context, uint32_t line, bool kernel)
{
	uint32_t leaf, stack = 0;
	bool is_new;

	if (!context)
		return 0;
	leaf = keys_number(&w->leaves, KEY(context, line, kernel), &is_new);
	if (!is_new)
		return w->leaf_stacks[leaf];
	export_frames_read(&w->room, w->e, &w->e->m.contexts[context - 1]);
	if (line)
		w->room.items[0].line = line;
	for (size_t i = w->room.nr; i-- > 0;) {
		uint32_t f = frame(w, &w->room.items[i], kernel && !i);

		stack = keys_number(&w->stacks, KEY(stack, f), &is_new) + 1;
	}
	GROW(w->leaf_stacks, (size_t)leaf + 1, w->leaves_alloc);
	return w->leaf_stacks[leaf] = stack;
}

/* ---- tables ---- */

/* A column of a table: PUT appends row I, or all rows are ALWAYS. */
struct column { const char *name, *always; void (*put)(struct writer *w, size_t i); };
#define PUT(name, put) { name, NULL, put }
#define ALWAYS(name, text) { name, text, NULL }
#define END { NULL, NULL, NULL }

/* Writes a table, the columns up to one without a name. What stands in it else is in MORE. */
static void
put_table(struct writer *w, const char *name, const struct column *columns, size_t nr,
	  const char *more)
{
	strbuf_fmt(&w->s, "\"%s\":{%s", name, more);
	for (const struct column *c = columns; c->name; c++) {
		strbuf_fmt(&w->s, "\"%s\":[", c->name);
		for (size_t i = 0; i < nr && !ferror(w->out); i++) {
			if (i)
				strbuf_char(&w->s, ',');
			if (c->put)
				c->put(w, i);
			else
				strbuf_str(&w->s, c->always);
			export_flush_some(&w->s, w->out);
		}
		strbuf_str(&w->s, "],");
	}
	strbuf_fmt(&w->s, "\"length\":%zu}", nr);
}

static void
put_number(struct writer *w, uint64_t n)
{
	strbuf_fmt(&w->s, "%" PRIu64, n);
}

/* Appends N, or null when there is none. */
static void
put_maybe(struct writer *w, bool there, uint64_t n)
{
	if (there)
		put_number(w, n);
	else
		strbuf_str(&w->s, "null");
}

static void
put_text(struct writer *w, const char *s)
{
	json_quote(&w->s, s, strlen(s));
}

/* Times are in ms, exact to the ns. */
static void
put_ms(struct writer *w, uint64_t ns)
{
	strbuf_fmt(&w->s, "%" PRIu64, ns / 1000000);
	if (ns % 1000000)
		strbuf_fmt(&w->s, ".%06u", (unsigned)(ns % 1000000));
}

/* ---- threads ---- */

static const struct track_sample *
row(const struct writer *w, size_t i)
{
	return &w->track->track.samples[w->rows[i]];
}

static uint32_t
stack_at(struct writer *w, size_t i)
{
	const struct track_sample *s = row(w, i);

	return stack_of(w, w->track->contexts[s->stack], w->track->lines[s->stack],
			(s->how & (TRACK_KERNEL | TRACK_WAIT)) == TRACK_KERNEL);
}

static void
put_stack(struct writer *w, size_t i)
{
	uint32_t stack = stack_at(w, i);

	put_maybe(w, stack, (uint64_t)stack - 1);
}

static void
put_time(struct writer *w, size_t i)
{
	put_ms(w, row(w, i)->at_us * 1000);
}

static void
put_weight(struct writer *w, size_t i)
{
	put_ms(w, row(w, i)->ns);
}

static void
put_cpu(struct writer *w, size_t i)
{
	put_number(w, row(w, i)->ns);
}

static void
put_end(struct writer *w, size_t i)
{
	put_ms(w, row(w, i)->at_us * 1000 + row(w, i)->ns);
}

static void
put_wait(struct writer *w, size_t i)
{
	uint32_t stack = stack_at(w, i);

	strbuf_str(&w->s, "{\"type\":\"wait\"");
	if (stack)
		strbuf_fmt(&w->s, ",\"cause\":{\"stack\":%u}", stack - 1);
	strbuf_char(&w->s, '}');
}

static void
put_wait_name(struct writer *w, size_t i)
{
	(void)i;
	put_number(w, text(w, "wait"));
}

static const struct column sample_columns[] = {
	PUT("stack", put_stack), PUT("time", put_time), PUT("weight", put_weight),
	PUT("threadCPUDelta", put_cpu), END
};
static const struct column marker_columns[] = {
	PUT("data", put_wait), PUT("name", put_wait_name),
	PUT("startTime", put_time), PUT("endTime", put_end), ALWAYS("phase", "1"),
	ALWAYS("category", "4"), END
};

/* Chooses the samples of the track, or its waits. Returns how many there are. */
static size_t
choose_rows(struct writer *w, bool waits)
{
	const struct track *t = &w->track->track;
	size_t nr = 0;

	for (size_t i = 0; i < t->nr_samples; i++)
		if (waits == !!(t->samples[i].how & TRACK_WAIT))
			w->rows[nr++] = i;
	return nr;
}

static const char *
command(const struct writer *w)
{
	const char *c = w->e->totals->run.command;

	return c && *c ? c : "cgview";
}

/* Threads of several runs say of which they are. */
static void
put_thread_name(struct writer *w, const struct model_track *t)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_str(&name, t->name && *t->name ? t->name : "thread");
	if (w->e->totals->nr_runs > 1)
		strbuf_fmt(&name, " (run %u)", t->run);
	put_text(w, name.buf);
	strbuf_release(&name);
}

static void
put_thread(struct writer *w, struct export_track *of)
{
	const struct model_track *t = of->row;

	w->track = of;
	w->rows = xcalloc(of->track.nr_samples + 1, sizeof(*w->rows));
	strbuf_str(&w->s, "{\"processType\":\"default\",\"processStartupTime\":0,"
		   "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
		   "\"pausedRanges\":[],\"showMarkersInTimeline\":true,\"name\":");
	put_thread_name(w, t);
	strbuf_str(&w->s, ",\"processName\":");
	put_text(w, command(w));
	strbuf_fmt(&w->s, ",\"isMainThread\":%s,\"pid\":\"%u\",\"tid\":%u,\n",
		   t->pid == t->tid ? "true" : "false", t->pid, t->tid);
	put_table(w, "samples", sample_columns, choose_rows(w, false),
		  "\"weightType\":\"tracing-ms\",");
	strbuf_str(&w->s, ",\n");
	put_table(w, "markers", marker_columns, choose_rows(w, true), "");
	strbuf_char(&w->s, '}');
	free(w->rows);
}

static int
put_threads(struct writer *w, const struct model *tracks, struct error *err)
{
	strbuf_str(&w->s, "\"threads\":[");
	for (size_t i = 0; i < tracks->nr_tracks && !ferror(w->out); i++) {
		struct export_track t;
		int status = export_track_read(&t, w->e, tracks, i, err);

		if (!status) {
			strbuf_str(&w->s, i ? ",\n" : "\n");
			put_thread(w, &t);
		}
		export_track_release(&t);
		if (status)
			return -1;
	}
	strbuf_str(&w->s, "\n],\n");
	return 0;
}

/* ---- what they share ---- */

static void
put_stack_frame(struct writer *w, size_t i)
{
	put_number(w, w->stacks.items[i].of[1]);
}

static void
put_stack_prefix(struct writer *w, size_t i)
{
	uint32_t above = w->stacks.items[i].of[0];

	put_maybe(w, above, (uint64_t)above - 1);
}

static const struct column stack_columns[] = {
	PUT("frame", put_stack_frame), PUT("prefix", put_stack_prefix), END
};

static void
put_frame_function(struct writer *w, size_t i)
{
	put_number(w, w->frames.items[i].of[0]);
}

static void
put_frame_line(struct writer *w, size_t i)
{
	put_maybe(w, w->frames.items[i].of[1], w->frames.items[i].of[1]);
}

static void
put_frame_category(struct writer *w, size_t i)
{
	put_number(w, w->frames.items[i].of[2]);
}

static void
put_frame_depth(struct writer *w, size_t i)
{
	put_number(w, w->frames.items[i].of[3]);
}

static const struct column frame_columns[] = {
	PUT("func", put_frame_function), PUT("line", put_frame_line),
	PUT("category", put_frame_category), PUT("inlineDepth", put_frame_depth),
	ALWAYS("address", "-1"), ALWAYS("subcategory", "0"), ALWAYS("nativeSymbol", "null"),
	ALWAYS("innerWindowID", "0"), ALWAYS("column", "null"), END
};

static const struct model_procedure *
function(const struct writer *w, size_t i)
{
	return export_procedure(w->e, w->functions.items[i]);
}

static void
put_function_name(struct writer *w, size_t i)
{
	put_number(w, text(w, export_name(w->e, w->functions.items[i])));
}

static void
put_function_resource(struct writer *w, size_t i)
{
	uint32_t module = module_of(w, function(w, i));

	if (module == w->nr_modules)
		strbuf_str(&w->s, "-1");
	else
		put_number(w, module);
}

static void
put_function_source(struct writer *w, size_t i)
{
	const struct model_procedure *p = function(w, i);
	bool there = p && p->place.file;

	put_maybe(w, there, there ? number_of(&w->sources, p->place.file) : 0);
}

static void
put_function_line(struct writer *w, size_t i)
{
	const struct model_procedure *p = function(w, i);
	uint32_t line = p && p->place.file ? p->place.line : 0;

	put_maybe(w, line, line);
}

static void
put_function_column(struct writer *w, size_t i)
{
	const struct model_procedure *p = function(w, i);
	uint32_t column = p && p->place.file ? p->place.column : 0;

	put_maybe(w, column, column);
}

static const struct column function_columns[] = {
	PUT("name", put_function_name), ALWAYS("isJS", "false"), ALWAYS("relevantForJS", "false"),
	PUT("resource", put_function_resource), PUT("source", put_function_source),
	PUT("lineNumber", put_function_line), PUT("columnNumber", put_function_column),
	END
};

static void
put_resource_name(struct writer *w, size_t i)
{
	put_number(w, text(w, path_base(w->modules[i])));
}

static void
put_resource_lib(struct writer *w, size_t i)
{
	put_number(w, i);
}

static const struct column resource_columns[] = {
	PUT("name", put_resource_name), PUT("lib", put_resource_lib), ALWAYS("host", "null"),
	ALWAYS("type", "1"), END
};

static void
put_source_name(struct writer *w, size_t i)
{
	put_number(w, text(w, export_path(w->e, w->sources.items[i])));
}

static const struct column source_columns[] = {
	ALWAYS("id", "null"), PUT("filename", put_source_name), ALWAYS("startLine", "1"),
	ALWAYS("startColumn", "1"), ALWAYS("sourceMapURL", "null"), END
};

static const struct column symbol_columns[] = {
	ALWAYS("libIndex", "0"), ALWAYS("address", "0"), ALWAYS("name", "0"),
	ALWAYS("functionSize", "null"), END
};

static const char *
build_id(const struct model *m, const char *module)
{
	for (size_t i = 0; i < m->nr_modules; i++)
		if (!strcmp(m->modules[i].path, module))
			return m->modules[i].build_id;
	return "";
}

static void
put_lib(struct writer *w, const char *path)
{
	const char *id = build_id(&w->e->m, path);

	strbuf_str(&w->s, "{\"arch\":\"x86_64\",\"name\":");
	put_text(w, path_base(path));
	strbuf_str(&w->s, ",\"debugName\":");
	put_text(w, path_base(path));
	strbuf_str(&w->s, ",\"path\":");
	put_text(w, path);
	strbuf_str(&w->s, ",\"debugPath\":");
	put_text(w, path);
	strbuf_str(&w->s, ",\"breakpadId\":\"\",\"codeId\":");
	if (id && *id)
		put_text(w, id);
	else
		strbuf_str(&w->s, "null");
	strbuf_char(&w->s, '}');
}

/* The texts come last, as the other tables number them. */
static void
put_shared(struct writer *w)
{
	strbuf_str(&w->s, "\"libs\":[");
	for (uint32_t i = 0; i < w->nr_modules; i++) {
		strbuf_str(&w->s, i ? ",\n" : "\n");
		put_lib(w, w->modules[i]);
	}
	strbuf_str(&w->s, "],\n\"shared\":{\n");
	put_table(w, "stackTable", stack_columns, w->stacks.nr, "");
	strbuf_str(&w->s, ",\n");
	put_table(w, "frameTable", frame_columns, w->frames.nr, "");
	strbuf_str(&w->s, ",\n");
	put_table(w, "funcTable", function_columns, w->functions.nr, "");
	strbuf_str(&w->s, ",\n");
	put_table(w, "resourceTable", resource_columns, w->nr_modules, "");
	strbuf_str(&w->s, ",\n");
	put_table(w, "nativeSymbols", symbol_columns, 0, "");
	strbuf_str(&w->s, ",\n");
	put_table(w, "sources", source_columns, w->sources.nr, "");
	strbuf_str(&w->s, ",\n\"stringArray\":[");
	for (size_t i = 0; i < w->nr_texts; i++) {
		strbuf_str(&w->s, i ? ",\n" : "\n");
		put_text(w, w->texts[i]);
		export_flush_some(&w->s, w->out);
	}
	strbuf_str(&w->s, "]}}\n");
}

static void
put_meta(struct writer *w)
{
	const struct model_run *run = &w->e->totals->run;

	strbuf_str(&w->s, "{\"meta\":{\"preprocessedProfileVersion\":61,\"version\":27,"
		   "\"processType\":0,\"stackwalk\":1,\"importedFrom\":\"cgview\",\"product\":");
	put_text(w, command(w));
	strbuf_str(&w->s, ",\"startTime\":");
	put_ms(w, run->started_ns > 0 ? (uint64_t)run->started_ns : 0);
	strbuf_str(&w->s, ",\"interval\":");
	put_ms(w, run->interval_ns ? run->interval_ns : 1000000);
	strbuf_str(&w->s, ",\n\"symbolicated\":true,\"symbolicationNotSupported\":true,"
		   "\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
		   "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
		   "\"threadCPUDelta\":\"ns\"},\n");
	strbuf_str(&w->s, categories);
	strbuf_str(&w->s, marker_schema);
	strbuf_str(&w->s, "\"extensions\":{\"baseURL\":[],\"id\":[],\"name\":[],\"length\":0}},\n");
}

/* ---- all of it ---- */

/* The modules of all procedures, in their order. */
static void
find_modules(struct writer *w)
{
	const struct model *m = &w->e->m;

	w->modules = xcalloc(m->nr_procedures + 1, sizeof(*w->modules));
	for (size_t i = 0; i < m->nr_procedures; i++) {
		const struct model_procedure *p = &m->procedures[i];

		if (p->module && *p->module && module_of(w, p) == w->nr_modules)
			w->modules[w->nr_modules++] = p->module;
	}
}

int
export_firefox(struct export *e, FILE *out, struct error *err)
{
	struct writer w = { .e = e, .out = out, .s = STRBUF_INIT, .stacks = KEYS_INIT,
			    .frames = KEYS_INIT, .leaves = KEYS_INIT, .text_index = INDEX_INIT };
	struct model tracks;
	int status;

	model_init(&tracks);
	status = model_load_tracks(&tracks, e->p, err);
	if (!status)
		status = tracks_check(&tracks, err);
	numbered_init(&w.functions, e->m.nr_procedures);
	numbered_init(&w.sources, e->m.nr_files);
	find_modules(&w);
	if (!status) {
		put_meta(&w);
		status = put_threads(&w, &tracks, err);
	}
	if (!status) {
		put_shared(&w);
		export_flush(&w.s, out);
	}
	model_release(&tracks);
	keys_release(&w.stacks);
	keys_release(&w.frames);
	index_release(&w.text_index);
	free(w.functions.items);
	free(w.functions.number);
	free(w.sources.items);
	free(w.sources.number);
	keys_release(&w.leaves);
	free(w.leaf_stacks);
	free(w.room.items);
	free(w.modules);
	free(w.texts);
	strbuf_release(&w.s);
	return status;
}
