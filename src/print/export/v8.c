/* Profiles as V8 writes them, for VS Code, Chrome and node: a .cpuprofile has one thread, a trace
 * of Chrome has several, each with the same in an event.
 *
 *	{"nodes": [{"id": 1, "callFrame": {"functionName": "f", "url": "file:///f.c", ...},
 *	            "hitCount": 3, "children": [2], "positionTicks": [{"line": 7, "ticks": 3}]}],
 *	 "startTime": 0, "endTime": 3000, "samples": [1, 1, 2], "timeDeltas": [0, 1000, 1000]}
 *
 * Readers take it that a sample lasts until the next one, so a sample stands where its time begins,
 * and where no time follows it there is one of "(idle)". Times are whole microseconds. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/load.h"
#include "print/export/export_stacks.h"
#include "print/export/formats.h"
#include "util/order.h"
#include "util/text/json.h"

enum { NODE_ROOT = 1, NODE_IDLE, NODE_FIRST };

/* From here on it was in a node, until the next one. */
struct step { uint32_t node; int64_t us; };

/* Samples of a node on a line of its own file; line 0: it is not known. */
struct ticks { uint32_t node, line; uint64_t nr; };

struct writer {
	const struct export *e;
	FILE *out;
	struct strbuf s;
	struct export_paths paths;
	struct export_frames room;
	/* Of the thread at hand: */
	uint32_t *id;              /* by path; 0: it is not in it */
	struct ticks *ticks;       /* by node and line */
	size_t nr_ticks, ticks_alloc;
	struct step *steps;
	size_t nr_steps;
	bool any;                  /* event was written */
};

/* ---- a thread ---- */

static int
compare_ticks(const void *a, const void *b)
{
	const struct ticks *x = a, *y = b;

	COMPARE(x->node, y->node);
	COMPARE(x->line, y->line);
	return 0;
}

static uint32_t
line_of(struct writer *w, const struct export_track *t, size_t stack)
{
	model_id c = t->contexts[stack];

	return t->lines[stack] || !c ? t->lines[stack]
	     : export_frames_read(&w->room, w->e, &w->e->m.contexts[c - 1])->line;
}

/* Numbers the paths that T has samples of, those that they are below too, and counts these. */
static void
count_ticks(struct writer *w, const struct export_track *t)
{
	size_t nr = t->track.nr_stacks;
	uint64_t *hits = xcalloc(nr + 1, sizeof(*hits));
	uint32_t next = NODE_FIRST;

	memset(w->id, 0, (w->paths.nr + 1) * sizeof(*w->id));
	for (size_t i = 0; i < t->track.nr_samples; i++)
		if (!(t->track.samples[i].how & TRACK_WAIT))
			hits[t->track.samples[i].stack]++;
	for (size_t s = 0; s < nr; s++)
		if (hits[s] && t->contexts[s])
			w->id[w->paths.of_context[t->contexts[s] - 1]] = 1;
	for (size_t i = w->paths.nr; i-- > 0;)
		if (w->id[i] && w->paths.parent[i])
			w->id[w->paths.parent[i] - 1] = 1;
	for (size_t i = 0; i < w->paths.nr; i++)
		if (w->id[i])
			w->id[i] = next++;
	w->nr_ticks = 0;
	GROW(w->ticks, nr, w->ticks_alloc);
	for (size_t s = 0; s < nr; s++) {
		model_id c = t->contexts[s];
		uint32_t node = c ? w->id[w->paths.of_context[c - 1]] : NODE_ROOT;

		if (hits[s])
			w->ticks[w->nr_ticks++] =
				(struct ticks){ node, line_of(w, t, s), hits[s] };
	}
	qsort(w->ticks, w->nr_ticks, sizeof(*w->ticks), compare_ticks);
	free(hits);
}

static int64_t
microseconds(int64_t ns)
{
	return ns >= 0 ? ns / 1000 : -((999 - ns) / 1000);
}

static void
add_step(struct writer *w, uint32_t node, int64_t ns)
{
	w->steps[w->nr_steps++] = (struct step){ node, microseconds(ns) };
}

/* A sample stands for the time that ends with it. One whose time would begin before that of the
 * last one ends, as a timer may be late, begins there. */
static void
make_steps(struct writer *w, const struct export_track *t)
{
	int64_t end = INT64_MIN;

	w->steps = xcalloc(2 * t->track.nr_samples + 1, sizeof(*w->steps));
	w->nr_steps = 0;
	for (size_t i = 0; i < t->track.nr_samples; i++) {
		const struct track_sample *s = &t->track.samples[i];
		int64_t begin = (int64_t)(s->at_us * 1000) - (int64_t)s->ns;
		model_id context = t->contexts[s->stack];

		if (s->how & TRACK_WAIT)
			continue;
		if (w->nr_steps && microseconds(begin) > microseconds(end))
			add_step(w, NODE_IDLE, end);
		begin = begin > end ? begin : end;
		add_step(w, context ? w->id[w->paths.of_context[context - 1]] : NODE_ROOT, begin);
		end = begin + (int64_t)s->ns;
	}
	if (w->nr_steps)
		add_step(w, NODE_IDLE, end);
}

/* ---- nodes ---- */

/* Names of files become addresses. */
static void
put_url(struct writer *w, const char *path)
{
	struct strbuf url = STRBUF_INIT;

	if (*path == '/')
		strbuf_str(&url, "file://");
	for (const char *s = path; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (*path != '/' || (c < 128 && isalnum(c)) || strchr("/-._~+@", c))
			strbuf_char(&url, (char)c);
		else
			strbuf_fmt(&url, "%%%02X", c);
	}
	json_quote(&w->s, url.buf, url.len);
	strbuf_release(&url);
}

/* Lines and columns are from 0 on; -1: there is none. */
static void
put_call_frame(struct writer *w, const char *name, const struct place *place)
{
	const char *path = place ? export_path(w->e, place->file) : NULL;

	strbuf_str(&w->s, "\"callFrame\":{\"functionName\":");
	json_quote(&w->s, name, strlen(name));
	strbuf_str(&w->s, ",\"scriptId\":\"0\",\"url\":");
	put_url(w, path ? path : "");
	strbuf_fmt(&w->s, ",\"lineNumber\":%lld,\"columnNumber\":%lld}",
		   path ? (long long)place->line - 1 : -1,
		   path ? (long long)place->column - 1 : -1);
}

/* Appends how often node ID was sampled, and on which lines. *AT: its first ticks, then the next
 * node's. */
static void
put_ticks(struct writer *w, uint32_t id, size_t *at)
{
	const struct ticks *first = &w->ticks[*at], *last = w->ticks + w->nr_ticks, *t;
	const char *before = ",\"positionTicks\":[";
	uint64_t hits = 0, nr;

	for (t = first; t < last && t->node == id; t++)
		hits += t->nr;
	strbuf_fmt(&w->s, ",\"hitCount\":%" PRIu64, hits);
	*at = (size_t)(t - w->ticks);
	last = t;
	for (t = first; t < last;) {
		uint32_t line = t->line;

		for (nr = 0; t < last && t->line == line; t++)
			nr += t->nr;
		if (!line)
			continue;
		strbuf_fmt(&w->s, "%s{\"line\":%u,\"ticks\":%" PRIu64 "}", before, line, nr);
		before = ",";
	}
	if (*before == ',' && !before[1])
		strbuf_char(&w->s, ']');
}

/* Appends what node ID, of PATH (as in paths, its number + 1; 0: none), has in any case. */
static void
begin_node(struct writer *w, uint32_t id, size_t path)
{
	strbuf_fmt(&w->s, "%s{\"id\":%u,", id > NODE_ROOT ? ",\n" : "\n", id);
	if (path) {
		model_id procedure = w->paths.procedure[path - 1];
		const struct model_procedure *p = export_procedure(w->e, procedure);

		put_call_frame(w, export_name(w->e, procedure), p ? &p->place : NULL);
	} else {
		put_call_frame(w, id == NODE_ROOT ? "(root)" : "(idle)", NULL);
	}
}

/* Writes the nodes; IN_TRACE: with what they are below, else with what is below them. */
static void
put_nodes(struct writer *w, bool in_trace)
{
	const struct export_paths *t = &w->paths;
	uint32_t *first = xcalloc(t->nr + 1, sizeof(*first)); /* paths below, by path + 1 */
	uint32_t *next = xcalloc(t->nr + 1, sizeof(*next));
	size_t at = 0;

	for (size_t i = t->nr; i-- > 0;)
		if (w->id[i]) {
			next[i] = first[t->parent[i]];
			first[t->parent[i]] = (uint32_t)i + 1;
		}
	strbuf_str(&w->s, "\"nodes\":[");
	for (size_t i = 0; i <= t->nr && !ferror(w->out); i++) {
		uint32_t id = i ? w->id[i - 1] : NODE_ROOT, above = i ? t->parent[i - 1] : 0;

		if (!id)
			continue;
		begin_node(w, id, i);
		if (in_trace && i) {
			strbuf_fmt(&w->s, ",\"parent\":%u", above ? w->id[above - 1] : NODE_ROOT);
		} else if (!in_trace) {
			put_ticks(w, id, &at);
			strbuf_str(&w->s, ",\"children\":[");
			if (!i)
				strbuf_fmt(&w->s, "%u%s", NODE_IDLE, first[0] ? "," : "");
			for (uint32_t c = first[i]; c; c = next[c - 1])
				strbuf_fmt(&w->s, "%u%s", w->id[c - 1], next[c - 1] ? "," : "");
			strbuf_char(&w->s, ']');
		}
		strbuf_char(&w->s, '}');
		if (!i) {
			begin_node(w, NODE_IDLE, 0);
			strbuf_str(&w->s, in_trace ? ",\"parent\":1}"
						   : ",\"hitCount\":0,\"children\":[]}");
		}
		export_flush_some(&w->s, w->out);
	}
	strbuf_char(&w->s, ']');
	free(first);
	free(next);
}

static void
put_steps(struct writer *w)
{
	strbuf_str(&w->s, "\"samples\":[");
	for (size_t i = 0; i < w->nr_steps; i++, export_flush_some(&w->s, w->out))
		strbuf_fmt(&w->s, "%s%u", i ? "," : "", w->steps[i].node);
	strbuf_char(&w->s, ']');
}

static void
put_deltas(struct writer *w)
{
	strbuf_str(&w->s, "\"timeDeltas\":[");
	for (size_t i = 0; i < w->nr_steps; i++, export_flush_some(&w->s, w->out))
		strbuf_fmt(&w->s, "%s%" PRId64, i ? "," : "",
			   i ? w->steps[i].us - w->steps[i - 1].us : 0);
	strbuf_char(&w->s, ']');
}

/* ---- files ---- */

static void
read_thread(struct writer *w, const struct export_track *t)
{
	count_ticks(w, t);
	make_steps(w, t);
}

static void
put_cpuprofile(struct writer *w, const struct export_track *t)
{
	(void)t;
	strbuf_char(&w->s, '{');
	put_nodes(w, false);
	strbuf_fmt(&w->s, ",\n\"startTime\":%" PRId64 ",\"endTime\":%" PRId64 ",\n",
		   w->steps[0].us, w->steps[w->nr_steps - 1].us);
	put_steps(w);
	strbuf_str(&w->s, ",\n");
	put_deltas(w);
	strbuf_str(&w->s, "}\n");
}

/* Begins an event of T. */
static void
begin_event(struct writer *w, const struct model_track *t, const char *name, const char *ph,
	    int64_t us)
{
	strbuf_fmt(&w->s, "%s\n{\"name\":\"%s\",\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,"
		   "\"ts\":%" PRId64 ",", w->any ? "," : "", name, ph, t->pid, t->tid, us);
	w->any = true;
}

static void
put_name(struct writer *w, const struct model_track *t, const char *event, const char *name)
{
	begin_event(w, t, event, "M", 0);
	/* As Chrome has it: speedscope knows a trace by the category of its first event. */
	strbuf_str(&w->s, "\"cat\":\"__metadata\",\"args\":{\"name\":");
	json_quote(&w->s, name, strlen(name));
	strbuf_str(&w->s, "}}");
}

static void
put_waits(struct writer *w, const struct export_track *t)
{
	for (size_t i = 0; i < t->track.nr_samples; i++, export_flush_some(&w->s, w->out)) {
		const struct track_sample *s = &t->track.samples[i];

		if (!(s->how & TRACK_WAIT))
			continue;
		begin_event(w, t->row, "wait", "X", (int64_t)s->at_us);
		strbuf_fmt(&w->s, "\"dur\":%" PRIu64 ".%03u,\"cat\":\"wait\",\"args\":{}}",
			   s->ns / 1000, (unsigned)(s->ns % 1000));
	}
}

static void
put_chrome_thread(struct writer *w, const struct export_track *t)
{
	static const char is[] = "\"cat\":\"disabled-by-default-v8.cpu_profiler\"";
	const struct model_run *run = &w->e->totals->run;

	put_name(w, t->row, "process_name", run->command ? run->command : "");
	put_name(w, t->row, "thread_name", t->row->name ? t->row->name : "");
	put_waits(w, t);
	if (!w->nr_steps)
		return;
	begin_event(w, t->row, "Profile", "P", w->steps[0].us);
	strbuf_fmt(&w->s, "\"id\":\"0x%x\",%s,\"args\":{\"data\":{\"startTime\":%" PRId64 "}}}",
		   t->row->tid, is, w->steps[0].us);
	begin_event(w, t->row, "ProfileChunk", "P", w->steps[0].us);
	strbuf_fmt(&w->s, "\"id\":\"0x%x\",%s,\"args\":{\"data\":{\"cpuProfile\":{", t->row->tid,
		   is);
	put_nodes(w, true);
	strbuf_str(&w->s, ",\n");
	put_steps(w);
	strbuf_str(&w->s, "},\n");
	put_deltas(w);
	strbuf_str(&w->s, "}}}");
}

/* Calls PUT for each track of TRACKS that has something; of a .cpuprofile it is one. */
static int
put_tracks(struct writer *w, const struct model *tracks, struct error *err,
	   void (*put)(struct writer *w, const struct export_track *t))
{
	int status = 0;

	for (size_t i = 0; i < tracks->nr_tracks && !status && !ferror(w->out); i++) {
		struct export_track t;

		if (put == put_cpuprofile && !tracks->tracks[i].samples)
			continue;
		status = export_track_read(&t, w->e, tracks, i, err);
		if (!status) {
			read_thread(w, &t);
			put(w, &t);
			free(w->steps);
		}
		export_track_release(&t);
	}
	return status;
}

/* Reads the tracks and what else is needed. -1 and ERR. */
static int
begin(struct writer *w, struct model *tracks, struct error *err)
{
	model_init(tracks);
	if (model_load_tracks(tracks, w->e->p, err) || tracks_check(tracks, err))
		return -1;
	export_paths_make(&w->paths, w->e);
	w->id = xcalloc(w->paths.nr + 1, sizeof(*w->id));
	return 0;
}

static void
finish(struct writer *w, struct model *tracks)
{
	export_flush(&w->s, w->out);
	model_release(tracks);
	export_paths_release(&w->paths);
	free(w->id);
	free(w->ticks);
	free(w->room.items);
	strbuf_release(&w->s);
}

int
export_cpuprofile(struct export *e, FILE *out, struct error *err)
{
	struct writer w = { .e = e, .out = out, .s = STRBUF_INIT };
	struct model tracks;
	size_t threads = 0;
	int status = begin(&w, &tracks, err);

	for (size_t i = 0; i < tracks.nr_tracks; i++)
		threads += tracks.tracks[i].samples != 0;
	if (!status && threads != 1)
		status = error_set(err, "a .cpuprofile has the samples of one thread, and %s has "
				   "those of %zu: choose one (--threads 1), or --format firefox",
				   profile_name(e->p), threads);
	if (!status)
		status = put_tracks(&w, &tracks, err, put_cpuprofile);
	finish(&w, &tracks);
	return status;
}

int
export_chrome(struct export *e, FILE *out, struct error *err)
{
	struct writer w = { .e = e, .out = out, .s = STRBUF_INIT };
	struct model tracks;
	int status = begin(&w, &tracks, err);

	if (!status) {
		strbuf_str(&w.s, "{\"traceEvents\":[");
		status = put_tracks(&w, &tracks, err, put_chrome_thread);
	}
	if (!status)
		strbuf_str(&w.s, "\n]}\n");
	finish(&w, &tracks);
	return status;
}
