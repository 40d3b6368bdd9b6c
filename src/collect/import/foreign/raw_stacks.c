/* Raw profiles (collect/raw.h) of programs that count nothing: the runtime was only preloaded, for
 * its samples. They become stacks. */
#include "collect/import/foreign/foreign_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/stacks.h"
#include "collect/import/perf/perf_maps.h"
#include "collect/import/rawfile.h"
#include "collect/import/samples/weights.h"
#include "collect/recorder.h"
#include "util/mem.h"
#include "util/text/path.h"

struct reader {
	struct stacks *stacks;
	struct perf_processes processes;
	const char **paths;        /* of modules */
	size_t nr_paths, paths_alloc;
	struct arena arena;
	uint64_t damaged;
	int event;
};

static struct stacks_text
text_of(const char *s)
{
	return (struct stacks_text){ s, strlen(s) };
}

/* There are not many. */
static uint32_t
path_number(struct reader *r, const char *path)
{
	size_t i = 0;

	while (i < r->nr_paths && strcmp(r->paths[i], path) != 0)
		i++;
	if (i == r->nr_paths) {
		GROW(r->paths, r->nr_paths + 1, r->paths_alloc);
		r->paths[r->nr_paths++] = arena_strdup(&r->arena, path);
	}
	return (uint32_t)i;
}

/* A line of /proc/self/maps. */
static void
add_map(struct reader *r, const char *line, uint32_t pid)
{
	struct perf_map map = { .module = 0 };
	int name = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &map.begin, &map.end,
		   &map.offset, &name) < 3 || !name || !line[name])
		return;
	map.module = path_number(r, line + name);
	perf_add_map(&r->processes, pid, &map);
}

static void
read_maps(struct reader *r, const struct rawfile *raw, const struct raw_part *p)
{
	enum { MOST = 1 << 20 };
	size_t size = p->size < MOST ? p->size : MOST;
	char *text = xmalloc(size + 1), *next = text, *line;

	text[rawfile_read(raw, p->offset, text, size)] = '\0';
	while ((line = strsep(&next, "\n")))
		add_map(r, line, p->pid);
	free(text);
}

static void
read_names(struct reader *r, const struct rawfile *raw, const struct raw_part *p)
{
	struct raw_thread t;

	for (uint64_t i = 0; rawfile_thread(raw, p, i, &t); i++)
		perf_set_name(&r->processes, t.pid, t.tid, t.name,
			      strnlen(t.name, sizeof(t.name)), false);
}

static void
add_sample(struct reader *r, const struct raw_sample_reader *from, uint32_t pid, uint64_t ns)
{
	struct stacks_frame frames[RAW_MAX_FRAMES];
	struct stacks_value value = { r->event, 1, ns };
	struct stacks_when when = { from->raw->head.started_ns + from->sample.time_ns,
				    from->sample.flags & RAW_IN_KERNEL };
	struct stacks_sample s = {
		.values = &value, .nr_values = 1, .pid = pid, .tid = from->sample.tid,
		.name = text_of(perf_name_of(&r->processes, from->sample.tid)),
		.frames = frames, .cut = from->sample.flags & RAW_STACK_CUT,
		.when = from->sample.time_ns ? &when : NULL,
	};

	for (unsigned i = 0; i < from->sample.nr_frames; i++) {
		uint64_t at = from->frames[i] - (i > 0); /* the call lies before it */
		const struct perf_map *map = perf_map_at(&r->processes, pid, at);

		if (i && !map)
			break;
		frames[s.nr_frames++] = (struct stacks_frame){
			.module = text_of(map ? r->paths[map->module] : ""),
			.symbol = { "", 0 }, .offset = STACKS_NO_OFFSET,
			.address = map ? at - map->begin + map->offset : 0, .in_file = map != NULL,
			.next = !i,
		};
	}
	stacks_add(r->stacks, &s);
}

static void
read_samples(struct reader *r, const struct rawfile *raw, const struct raw_part *p,
	     const struct weights *w, size_t *nr)
{
	struct raw_sample_reader from;

	raw_samples_begin(&from, raw, p);
	while (raw_samples_next(&from)) {
		uint64_t ns = WEIGHT_UNUSED;

		if (!(from.sample.flags & RAW_MODULES) && weights_is_time(&from.sample))
			ns = *nr < w->nr ? w->ns[(*nr)++] : WEIGHT_UNUSED;
		if (ns != WEIGHT_UNUSED)
			add_sample(r, &from, p->pid, ns);
	}
	r->damaged += from.damaged && !p->cut;
	raw_samples_end(&from);
}

/* Children of fork have what the first process has, and what they tell themselves. */
static void
read_all_maps(struct reader *r, const struct rawfile *raw)
{
	uint32_t first = raw->head.pid;

	for (int own = 1; own >= 0; own--)
		for (size_t i = 0; i < raw->nr_parts; i++) {
			const struct raw_part *p = &raw->parts[i];

			if ((p->pid == first) != own)
				continue;
			if (!own && !perf_is_process(&r->processes, p->pid))
				perf_fork(&r->processes, p->pid, p->pid, first, first);
			if (p->kind == RAW_MAPS)
				read_maps(r, raw, p);
		}
}

static void
read_file(struct reader *r, const struct rawfile *raw)
{
	struct weights w = { .nr = 0 };
	size_t nr = 0, i;

	read_all_maps(r, raw);
	for (i = 0; i < raw->nr_parts; i++)
		if (raw->parts[i].kind == RAW_THREADS)
			read_names(r, raw, &raw->parts[i]);
	weights_read(&w, raw);
	for (i = 0; i < raw->nr_parts; i++)
		if (raw->parts[i].kind == RAW_SAMPLES && raw->parts[i].size)
			read_samples(r, raw, &raw->parts[i], &w, &nr);
	weights_settle(&w);
}

static int
raw_stacks_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	struct reader r = { .stacks = stacks_new(), .processes.arena = ARENA_INIT,
			    .arena = ARENA_INIT };
	struct stacks_run run = { .tool = STACKS_TEXT("cgview"), .host = { "", 0 },
				  .command = { "", 0 }, .from_first = true };
	struct rawfile raw = { .fd = -1 };
	int status = 0;

	r.event = stacks_event(r.stacks, &(struct stacks_event){
		STACKS_TEXT("cpu-clock (timers)"), STACKS_TEXT("ns"), 0 });
	for (size_t i = 0; i < nr && !status; i++) {
		uid_t owner;

		status = rawfile_open(&raw, paths[i], err);
		if (status)
			break;
		owner = raw.owner;
		read_file(&r, &raw);
		status = rawfile_check(&raw, err);
		rawfile_close(&raw);
		if (!status && i + 1 == nr)
			status = stacks_finish(r.stacks, &run, paths[0], owner, m, err);
	}
	if (!status && r.damaged)
		model_note(m, "samples", "%" PRIu64 " parts of samples are damaged", r.damaged);
	stacks_free(r.stacks);
	perf_processes_release(&r.processes);
	arena_release(&r.arena);
	free(r.paths);
	return status;
}

/* The library that brings the runtime into a program is all that it has of ours. */
bool
raw_stacks_has_counts(const char *path)
{
	struct error ignored = ERROR_INIT;
	struct rawfile raw;
	bool has = false;

	if (rawfile_open(&raw, path, &ignored))
		return true;
	for (size_t i = 0; i < raw.nr_modules; i++)
		has |= strcmp(path_base(raw.modules[i].path), RECORDER_SAMPLER) != 0;
	rawfile_close(&raw);
	return has;
}

static bool
raw_stacks_is(const char *head, size_t n)
{
	(void)head, (void)n;
	return false; /* by its content it is a raw profile like others */
}

const struct foreign_format raw_stacks_format = {
	.name = "samples of the runtime", .is = raw_stacks_is, .read = raw_stacks_read,
	.several = true,
};
