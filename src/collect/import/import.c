#include "collect/import/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/left_out.h"
#include "collect/import/counts/measured.h"
#include "collect/import/counts/targets.h"
#include "collect/import/inputs.h"
#include "collect/import/modules.h"
#include "collect/import/raw_notes.h"
#include "collect/import/space/patterns.h"
#include "collect/import/sums/spread_rows.h"
#include "collect/import/threads.h"
#include "util/order.h"

struct area_extent {               /* counters of one module in one part */
	model_id part;
	size_t number;             /* as they were found */
	const struct input *in;
	const struct raw_part *raw;
	const struct module *mod;
};

struct import {
	struct model *m;
	struct inputs inputs;
	struct module *modules;
	size_t nr_modules, modules_alloc;
	struct owners owners;      /* of the raw files */
	struct sources sources;
	struct builder builder;
	struct names names;
	struct samples samples;
	struct targets targets;
	struct areas areas;
	struct area_extent *extents;
	size_t nr_extents, extents_alloc;
	struct index processes;    /* m->threads, by run and pid: the first thread of each */
	size_t nr_absurd;          /* threads whose CPU time no clock can have told */
	bool told_wall;            /* why nothing is known about waiting */
	struct error problem;      /* the first reason why a program could not be used */
	bool may_help;             /* not all of these reasons are for ever */
	struct error unread;       /* the first file that could not be read: nothing is believed */
};

/* ---- modules ---- */

static void
hex(struct strbuf *sb, const uint8_t *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		strbuf_fmt(sb, "%02x", bytes[i]);
}

static int
add_module(struct import *im, const struct raw_module *raw)
{
	int number = module_find(im->modules, im->nr_modules, raw);
	struct error err = ERROR_INIT;
	struct module *mod;

	if (number >= 0)
		return number;
	GROW(im->modules, im->nr_modules + 1, im->modules_alloc);
	mod = &im->modules[im->nr_modules++];
	if (module_load(mod, raw, &im->owners, &im->m->arena, &err)) {
		if (err.unread)
			error_copy(&im->unread, &err);
		model_note(im->m, "tables", "%s", err.text);
		error_set(&im->problem, "%s", err.text);
		im->may_help |= !err.pointless;
	}
	return (int)im->nr_modules - 1;
}

/* Is it the program itself, not one of its libraries? */
static bool
is_program(const struct rawfile *r, size_t module)
{
	return !strcmp(r->modules[module].path, r->program);
}

/* Returns whether the input can be used: a program whose own tables cannot be read says nothing. */
static bool
find_modules(struct import *im, struct input *in, size_t number)
{
	const struct rawfile *r = &in->raw;
	bool usable = false, program_lost = false;
	struct module *mod;
	size_t i;
	int m;

	in->module_of = xcalloc(r->nr_modules, sizeof(*in->module_of));
	for (i = 0; i < r->nr_modules; i++) {
		m = add_module(im, &r->modules[i]);
		mod = &im->modules[m];
		mod->programs |= (uint64_t)1 << (number < 63 ? number : 63);
		usable |= mod->usable;
		program_lost |= !mod->usable && is_program(r, i);
		in->module_of[i] = mod->usable ? m : -1;
	}
	if (!r->nr_modules)
		error_set(&im->problem, "%s: %s", r->path, r->missing || r->damaged
				  ? "cut off or damaged: nothing usable is left of it"
				  : "holds no counts: the program ended before it began");
	return usable && !program_lost;
}

static int
find_all_modules(struct import *im, struct error *err)
{
	bool usable = false;
	size_t i;

	for (i = 0; i < im->inputs.nr; i++)
		usable |= find_modules(im, &im->inputs.items[i], i);
	if (im->unread.set)
		return error_copy(err, &im->unread);
	if (usable)
		return 0;
	error_set(err, "%s", im->problem.set ? im->problem.text : "nothing to import");
	if (err)
		err->pointless = im->problem.set && !im->may_help;
	return -1;
}

/* ---- counters ---- */

static struct module *
module_of_part(struct import *im, const struct input *in, const struct raw_part *p)
{
	int m = rawfile_module(&in->raw, p->module);

	return m < 0 || in->module_of[m] < 0 ? NULL : &im->modules[in->module_of[m]];
}

static void
sum_counters(struct import *im, const struct input *in)
{
	const struct rawfile *r = &in->raw;
	struct module *mod;
	size_t i;

	for (i = 0; i < r->nr_parts; i++) {
		if (r->parts[i].kind != RAW_COUNTERS)
			continue;
		mod = module_of_part(im, in, &r->parts[i]);
		if (mod)
			module_add_counters(mod, r, &r->parts[i], mod->counters);
	}
	raw_notes_tell(im->m, r);
}

/* ---- runs and threads ---- */

static const char *
keep(struct import *im, char *heap)
{
	const char *s = arena_strdup(&im->m->arena, heap);

	free(heap);
	return s;
}

static const char *
program_build_id(struct import *im, const struct input *in)
{
	const struct rawfile *r = &in->raw;
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < r->nr_modules; i++)
		if (is_program(r, i)) {
			hex(&sb, r->modules[i].build_id, r->modules[i].build_id_length);
			break;
		}
	return keep(im, strbuf_take(&sb));
}

/* NULL: it is empty. */
static const char *
text_of(struct import *im, const struct rawfile *r, enum raw_text which)
{
	return *r->texts[which] ? arena_strdup(&im->m->arena, r->texts[which]) : NULL;
}

static void
add_run(struct import *im, const struct input *in)
{
	const struct rawfile *r = &in->raw;
	const struct raw_head *h = &r->head;
	struct model_run *run = MODEL_ADD(im->m, runs);

	run->command = keep(im, import_quote(r->arguments, r->nr_arguments));
	run->directory = arena_strdup(&im->m->arena, r->directory);
	run->program = arena_strdup(&im->m->arena, r->program);
	run->host = arena_strdup(&im->m->arena, r->host);
	run->build_id = program_build_id(im, in);
	run->started_ns = (int64_t)at_most(h->started_ns, INT64_MAX);
	if (h->ended_ns > h->started_ns)
		run->wall_ns = at_most(h->ended_ns - h->started_ns, MOST_NS);
	run->exit_status = -1;
	run->asked_interval_ns = at_most(h->asked_interval_ns, MOST_INTERVAL_NS);
}

/* The next raw file of its run, which may be the first that has a label. */
static void
add_raw(struct import *im, const struct input *in)
{
	struct model_run *run = &im->m->runs[in->run - 1];
	char *ids;

	run->label = run->label ? run->label : text_of(im, &in->raw, RAW_TEXT_LABEL);
	run->job = run->job ? run->job : text_of(im, &in->raw, RAW_TEXT_JOB);
	if (run->raws && strlen(run->raws) / (RAW_ID + 1) >= SUMFILE_MOST_IDS)
		return;
	ids = in->ids ? xstrdup(in->ids)
		      : xasprintf("%0*" PRIx64, RAW_ID, rawfile_id(&in->raw));
	run->raws = keep(im, xasprintf("%s%s%s", run->raws ? run->raws : "", run->raws ? " " : "",
				       ids));
	free(ids);
}

static bool
process_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct model_thread *t = &((const struct model *)ctx)->threads[item], *k = key;

	return t->run == k->run && t->pid == k->pid;
}

/* The thread that comes next is of process PID: count the process when it is new. */
static void
count_process(struct import *im, model_id run, uint32_t pid)
{
	struct model_thread key = { .run = run, .pid = pid };
	uint64_t h = hash_number(hash_number(HASH_START, run), pid);

	if (index_find(&im->processes, h, process_equal, im->m, &key) != INDEX_NONE)
		return;
	index_add(&im->processes, h, (uint32_t)im->m->nr_threads);
	im->m->runs[run - 1].processes++;
}

static void
add_thread(struct import *im, const struct input *in, const struct threads *threads,
	   const struct raw_thread *t)
{
	struct model_run *run = &im->m->runs[in->run - 1];
	struct model_thread *thread;

	if (!t->pid)
		return;
	count_process(im, in->run, t->pid);
	run->processes = (uint32_t)at_most((uint64_t)run->processes + t->more_processes, INT32_MAX);
	thread = MODEL_ADD(im->m, threads);
	*thread = (struct model_thread){
		.run = in->run, .part = areas_of_thread(&im->areas, t), .pid = t->pid,
		.tid = t->tid, .more_threads = t->more_threads,
		.name = threads_name(threads, t, &im->m->arena),
		.cpu_ns = t->cpu_ns < MOST_NS ? t->cpu_ns : 0,
		.samples = at_most(weights_of_thread(&in->weights, t), MOST_NS),
		.lost_samples = at_most(t->lost_samples, MOST_NS),
		.wait_ns = at_most(t->wait_ns, MOST_NS),
		.delay_ns = (uint64_t)t->delay_ms * 1000000,
	};
	im->nr_absurd += t->cpu_ns >= MOST_NS;
	run->cpu_ns = at_most(run->cpu_ns + thread->cpu_ns, MOST_NS);
	run->lost_samples = at_most(run->lost_samples + thread->lost_samples, MOST_NS);
	run->delay_ns = at_most(run->delay_ns + thread->delay_ns, MOST_NS);
}

/* The threads of a member of a sum, as one that others went on with. */
static void
add_sum_threads(struct import *im, const struct input *in)
{
	const struct raw_thread t = { .pid = in->raw.head.pid, .tid = in->raw.head.pid };
	struct model_run *run = &im->m->runs[in->run - 1];
	const struct sum_facts *f = &in->facts;
	struct model_thread *thread = MODEL_ADD(im->m, threads);

	*thread = (struct model_thread){
		.run = in->run, .part = areas_of_thread(&im->areas, &t), .pid = t.pid,
		.tid = t.tid, .more_threads = f->threads ? (uint32_t)(f->threads - 1) : 0,
		.name = "", .cpu_ns = f->cpu_ns, .samples = f->samples,
		.lost_samples = f->lost_samples, .wait_ns = f->wait_ns, .delay_ns = f->delay_ns,
	};
	run->processes = (uint32_t)at_most(run->processes + f->processes, INT32_MAX);
	run->cpu_ns = at_most(run->cpu_ns + f->cpu_ns, MOST_NS);
	run->lost_samples = at_most(run->lost_samples + f->lost_samples, MOST_NS);
	run->delay_ns = at_most(run->delay_ns + f->delay_ns, MOST_NS);
	samples_take_facts(&im->samples, f);
	raw_notes_tell_sum(im->m, f);
}

static void
add_threads(struct import *im, const struct input *in)
{
	const struct rawfile *r = &in->raw;
	struct threads threads;
	struct raw_thread t;
	uint64_t k;
	size_t i;

	threads_begin(&threads, r, &im->names, im->modules, in->module_of);
	for (i = 0; i < r->nr_parts; i++)
		for (k = 0; rawfile_thread(r, &r->parts[i], k, &t); k++) {
			threads_note(&threads, &t);
			add_thread(im, in, &threads, &t);
		}
	threads_end(&threads, im->m);
}

/* Areas that no thread is known of, and where counters are which. */
static void
take_areas(struct import *im, struct input *in)
{
	const struct rawfile *r = &in->raw;
	struct area_extent *x;
	size_t i;

	for (i = 0; i < r->nr_parts; i++) {
		const struct raw_part *p = &r->parts[i];

		if (p->kind != RAW_COUNTERS) {
			if (p->kind == RAW_SAMPLES || p->kind == RAW_TARGETS ||
			    p->kind == RAW_TARGET_ROOM || p->kind == RAW_SPACE_CELLS ||
			    p->kind == RAW_SPACE_PAIRS || p->kind == SUM_STACKS)
				areas_take(&im->areas, p);
			continue;
		}
		GROW(im->extents, im->nr_extents + 1, im->extents_alloc);
		x = &im->extents[im->nr_extents];
		*x = (struct area_extent){ areas_take(&im->areas, p), im->nr_extents, in, p,
					   module_of_part(im, in, p) };
		im->nr_extents += x->mod != NULL;
	}
}

/* Notes how closely waiting threads were watched, and what hindered that. */
static void
add_wall(struct import *im, model_id run, const struct raw_wall *wall)
{
	struct model_run *r = &im->m->runs[run - 1];
	uint64_t interval = wall->looks ? wall->elapsed_ns / wall->looks : 0;

	interval = at_most(interval, MOST_INTERVAL_NS);
	if (interval > r->wall_interval_ns)
		r->wall_interval_ns = interval;
	if (wall->error && !im->told_wall) {
		im->told_wall = true;
		model_note(im->m, "samples", "waiting times are missing: %s", wall->error == EAGAIN
			   ? "no thread could be started that looks who waits"
			   : "the system does not tell where a thread waits "
			     "(/proc/PID/task/TID/syscall cannot be read)");
	}
	if (wall->lost)
		model_note(im->m, "samples", "%" PRIu64 " waits could not be noted: waiting times "
			   "are too low", wall->lost);
}

static void
add_walls(struct import *im, const struct input *in)
{
	const struct rawfile *r = &in->raw;
	struct raw_wall wall;
	size_t i;

	for (i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == RAW_WALL && r->parts[i].size >= sizeof(wall) &&
		    rawfile_read(r, r->parts[i].offset, &wall, sizeof(wall)) == sizeof(wall))
			add_wall(im, in->run, &wall);
}

static void
add_runs(struct import *im, const struct short_runs *among)
{
	struct model_run *run;
	struct input *in;
	size_t i;

	for (i = 0; i < im->inputs.nr; i++) {
		in = &im->inputs.items[i];
		if (!i || in->of_run != in[-1].of_run)
			add_run(im, in);
		in->run = (model_id)im->m->nr_runs;
		add_raw(im, in);
		areas_begin(&im->areas, &in->raw, in->run);
		weights_read(&in->weights, &in->raw);
		if (in->raw.sum)
			add_sum_threads(im, in);
		else
			add_threads(im, in);
		take_areas(im, in);
		add_walls(im, in);
		run = &im->m->runs[in->run - 1];
		run->lost_samples = at_most(run->lost_samples + in->raw.head.lost_samples, MOST_NS);
		targets_read(&im->targets, &in->raw, in->module_of, &im->areas);
		samples_read_events(&im->samples, &in->raw);
		samples_read(&im->samples, &in->raw, &in->weights, in->module_of, in->run,
			     &im->areas);
		space_read(&im->samples.space, &im->samples, &in->raw, in->module_of, &im->areas);
		weights_settle(&in->weights);
	}
	for (i = 0; i < im->m->nr_runs; i++)
		if (!im->m->runs[i].processes)
			im->m->runs[i].processes = 1;
	inputs_settle_times(&im->inputs, im->m, &im->samples, among);
}

/* A run that was long enough for samples, asked for some, and has none. */
static void
tell_missing_samples(struct model *m, const struct model_run *run)
{
	enum { ENOUGH_MS = 200 };

	if (run->asked_interval_ns && !run->samples && !run->lost_samples &&
	    run->cpu_ns / 1000000 >= ENOUGH_MS)
		model_note(m, "samples", "no sample was taken in %" PRIu64 " ms of processor time: "
			   "a limit or a filter of system calls forbids timers or files that grow",
			   run->cpu_ns / 1000000);
}

static void
tell_samples(struct import *im)
{
	struct model *m = im->m;
	size_t i;

	if (im->samples.nr_damaged)
		model_note(m, "samples", "%" PRIu64 " parts with samples are damaged: times are "
			   "too low", im->samples.nr_damaged);
	if (im->samples.faults.cut)
		model_note(m, "stacks", "%" PRIu64 " sampled stack%s deeper than %d calls: the "
			   "middle is missing", im->samples.faults.cut,
			   im->samples.faults.cut == 1 ? " was" : "s were", RAW_MAX_FRAMES);
	if (im->samples.faults.ends)
		model_note(m, "stacks", "of %" PRIu64 " of those the outermost callers are "
			   "missing, too: their totals are too low", im->samples.faults.ends);
	if (im->samples.faults.copies_cut)
		model_note(m, "stacks", "%" PRIu64 " stack%s larger than what the recorder copied "
			   "of it: the outermost callers are missing, their totals are too low "
			   "(record without --clock ring)", im->samples.faults.copies_cut,
			   im->samples.faults.copies_cut == 1 ? " is" : "s were each");
	if (im->samples.faults.guessed)
		model_note(m, "stacks", "%" PRIu64 " sampled stack%s through code without call "
			   "frame information: callers were guessed", im->samples.faults.guessed,
			   im->samples.faults.guessed == 1 ? " leads" : "s lead");
	if (im->samples.nr_helpers)
		model_note(m, "samples", "%zu threads that executed nothing that is profiled "
			   "waited for %" PRIu64 " ms: no total has that, 'cgview report "
			   "--by thread' does", im->samples.nr_helpers,
			   im->samples.helpers_wait_ns / 1000000);
	if (im->nr_absurd)
		model_note(m, "samples", "%zu threads have a processor time of months, which is "
			   "taken for 0: the clock was moved, or the file is damaged",
			   im->nr_absurd);
	for (i = 0; i < m->nr_runs; i++)
		tell_missing_samples(m, &m->runs[i]);
	for (i = 0; i < m->nr_runs; i++)
		if (m->runs[i].lost_samples)
			model_note(m, "samples", "%" PRIu64 " samples were lost",
				   m->runs[i].lost_samples);
}

/* ---- all of it ---- */

static void
add_code_bytes(struct import *im, struct module *mod)
{
	const struct elf_symbol *s;
	uint64_t last = UINT64_MAX;
	model_id procedure;
	size_t i;

	for (i = 0; i < mod->nr_symbols; i++) {
		s = &mod->symbols[i];
		if (s->stub || s->address == last || s->size > UINT32_MAX / 4)
			continue; /* another name of the same code */
		procedure = names_symbol(&im->names, mod, s);
		if (!procedure)
			continue;
		last = s->address;
		procedure_add_code(&im->m->procedures[procedure - 1], s->size);
	}
}

static void
read_symbols(struct import *im, struct module *mod)
{
	struct error err = ERROR_INIT;
	ptrdiff_t nr = elf_symbols(&mod->elf, &mod->symbols, &err);

	if (err.unread)
		error_copy(&im->unread, &err);
	if (nr < 0)
		model_note(im->m, "tables", "%s", err.text);
	else
		mod->nr_symbols = (size_t)nr;
	add_code_bytes(im, mod);
}

static bool
has_forked(const struct input *in)
{
	const struct rawfile *r = &in->raw;
	size_t i;

	if (r->sum)
		return in->facts.processes > in->facts.files;
	for (i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == RAW_COUNTERS && r->parts[i].pid != r->head.pid)
			return true;
	return false;
}

/* Has all been read that was there? What was not may have changed any number. */
static int
check_read(struct import *im, struct error *err)
{
	size_t i;

	for (i = 0; i < im->inputs.nr; i++)
		rawfile_check(&im->inputs.items[i].raw, &im->unread);
	if (im->targets.unread.set)
		error_copy(&im->unread, &im->targets.unread);
	if (im->samples.unread.set)
		error_copy(&im->unread, &im->samples.unread);
	return im->unread.set ? error_copy(err, &im->unread) : 0;
}

static int
build(struct import *im, struct candidates *candidates, struct error *err)
{
	bool forked = false;
	struct module *mod;
	size_t i;

	for (i = 0; i < im->inputs.nr; i++) {
		sum_counters(im, &im->inputs.items[i]);
		forked |= has_forked(&im->inputs.items[i]);
	}
	if (check_read(im, err))
		return -1;
	for (i = 0; i < im->nr_modules; i++) {
		mod = &im->modules[i];
		if (mod->usable && (module_add_joint(mod, mod->counters, mod->lacking, err) ||
				    builder_add(&im->builder, mod, err)))
			return -1;
	}
	spread_rows_add(im->m, &im->inputs, im->modules, im->nr_modules);
	builder_finish(&im->builder);
	for (i = 0; i < im->nr_modules; i++)
		if (im->modules[i].usable)
			measured_add(&im->modules[i], im->m);
	builder_tell(&im->builder, forked);
	names_init(&im->names, im->m, im->modules, im->nr_modules);
	candidates_find(candidates, &im->builder, &im->names, im->modules, im->nr_modules);
	return 0;
}

/* ---- parts ---- */

static int
compare_extents(const void *a, const void *b)
{
	const struct area_extent *x = a, *y = b;

	COMPARE(x->part, y->part);
	COMPARE(x->mod, y->mod);
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Extents I.. that are of one part and module: add them up and count. Returns the next one. */
static size_t
count_extents(struct import *im, size_t i, struct part_entries *e)
{
	const struct area_extent *x = &im->extents[i];
	uint64_t *counters = xcalloc(x->mod->nr_counters, sizeof(*counters));
	struct error ignored = ERROR_INIT;
	size_t k;

	for (k = i; k < im->nr_extents && im->extents[k].part == x->part &&
	     im->extents[k].mod == x->mod; k++)
		module_add_counters(x->mod, &im->extents[k].in->raw, im->extents[k].raw, counters);
	if (!module_add_joint(x->mod, counters, NULL, &ignored)) /* as it went with all copies */
		areas_count(&im->builder, x->mod, counters, e);
	measured_add_part(x->mod, counters, e);
	free(counters);
	return k;
}

/* Was it seen in profiled code, though it has counted nothing? */
static bool
counts_elsewhere(const struct model_part *p, const struct part_entries *e)
{
	size_t i;

	for (i = 0; i < e->nr && !p->blocks_executed; i++)
		if (e->items[i].column == PART_RANGE_SAMPLES)
			return true;
	return false;
}

/* PARTS: per part, the samples counted to it; adds its counts, and packs all. */
static void
pack_parts(struct import *im, struct part_entries *parts)
{
	size_t i, k = 0, elsewhere = 0;

	if (im->nr_extents)
		qsort(im->extents, im->nr_extents, sizeof(*im->extents), compare_extents);
	for (i = 0; i < im->m->nr_parts; i++) {
		while (k < im->nr_extents && im->extents[k].part == i + 1)
			k = count_extents(im, k, &parts[i]);
		part_pack(&im->m->parts[i], &parts[i], im->m, &im->m->arena);
		elsewhere += counts_elsewhere(&im->m->parts[i], &parts[i]);
		part_entries_release(&parts[i]);
	}
	if (elsewhere)
		model_note(im->m, "threads", "%zu threads have no counts of their own: they "
			   "counted together with others, as with --cgview-flags=counters=plain; "
			   "what each of them executed is not known", elsewhere);
}

static void
add_module_row(struct import *im, const struct module *mod)
{
	struct model_module *row = MODEL_ADD(im->m, modules);
	struct strbuf sb = STRBUF_INIT;

	hex(&sb, mod->build_id, mod->build_id_length);
	row->path = mod->path;
	row->build_id = keep(im, strbuf_take(&sb));
}

static int
attribute(struct import *im, const struct short_runs *among, struct candidates *candidates,
	  struct error *err)
{
	struct part_entries *parts = NULL;
	size_t i;

	for (i = 0; i < im->nr_modules; i++) {
		if (!im->modules[i].usable)
			continue;
		read_symbols(im, &im->modules[i]);
		add_module_row(im, &im->modules[i]);
	}
	left_out_tell(im->m, &im->names, im->modules, im->nr_modules);
	candidates_doubt_public(candidates, im->m, im->modules, &im->unread);
	samples_init(&im->samples, &im->builder, im->modules, im->nr_modules,
		     &im->owners);
	targets_init(&im->targets, &im->builder, im->modules, im->nr_modules);
	add_runs(im, among);
	if (im->m->nr_parts > 1)
		parts = xcalloc(im->m->nr_parts, sizeof(*parts));
	targets_attribute(&im->targets, &im->names, candidates, parts);
	samples_attribute(&im->samples, &im->names, candidates, parts);
	if (im->samples.space.nr_counted)
		patterns_tell(im->m, im->modules, im->nr_modules);
	if (parts)
		pack_parts(im, parts);
	else
		parts_of_whole(im->m);
	free(parts);
	tell_samples(im);
	if (check_read(im, err))
		return -1;
	sources_read(&im->sources, &im->owners);
	return 0;
}

static void
release(struct import *im)
{
	size_t i;

	index_release(&im->processes);
	areas_release(&im->areas);
	free(im->extents);
	samples_release(&im->samples);
	targets_release(&im->targets);
	names_release(&im->names);
	builder_release(&im->builder);
	sources_release(&im->sources);
	owners_release(&im->owners);
	inputs_release(&im->inputs);
	for (i = 0; i < im->nr_modules; i++)
		module_release(&im->modules[i]);
	free(im->modules);
}

int
import_raw(struct model *m, const char *const *paths, size_t nr, const struct import_runs *runs,
	   const struct short_runs *among, struct candidates *candidates, struct error *err)
{
	struct import im = { .m = m, .problem = ERROR_INIT, .unread = ERROR_INIT };
	int ret = -1;

	*candidates = (struct candidates){ .nr = 0 };
	sources_init(&im.sources, m);
	builder_init(&im.builder, m, &im.sources);
	areas_init(&im.areas, m);
	if (inputs_open(&im.inputs, m, &im.owners, paths, nr, runs, err) ||
	    find_all_modules(&im, err) || build(&im, candidates, err) ||
	    attribute(&im, among, candidates, err))
		goto out;
	ret = 0;
out:
	release(&im);
	return ret;
}
