#include "collect/import/live/live.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/entries.h"
#include "collect/import/import.h"
#include "collect/import/live/live_space.h"
#include "collect/import/samples/weights.h"
#include "util/job.h"
#include "util/order.h"

/* Others hold pointers to modules, so these stay where they are. */
enum { MOST_MODULES = 1024 };

/* So many samples of the kernel's event are believed if they have seen most of the time
 * (weights.h weighs each sample; a look has to be quick). */
enum { ENOUGH_SAMPLES = 20, MOST_SEEN = 90 };

#define NOT_ASKED UINT32_MAX

struct live *
live_new(void)
{
	struct live *l = xcalloc(1, sizeof(*l));

	model_init(&l->m);
	sources_init(&l->sources, &l->m);
	builder_init(&l->builder, &l->m, &l->sources);
	l->modules = xcalloc(MOST_MODULES, sizeof(*l->modules));
	l->of = xcalloc(MOST_MODULES, sizeof(*l->of));
	targets_init(&l->targets, &l->builder, l->modules, 0);
	return l;
}

static void
release_module(struct module *mod, struct live_module *of)
{
	for (size_t i = 0; of->units && i < mod->tables.nr; i++)
		free(of->units[i]);
	free(of->units);
	free(of->counters);
	free(of->lacking);
	free(of->symbols);
	module_release(mod);
}

void
live_free(struct live *l)
{
	for (size_t i = 0; i < l->nr_modules; i++)
		release_module(&l->modules[i], &l->of[i]);
	for (size_t i = 0; i < l->nr_files; i++)
		free(l->files[i].parts);
	for (size_t i = 0; i < l->nr_problems; i++)
		free(l->problems[i]);
	live_sampled_free(l->sampled);
	names_release(&l->names);
	builder_release(&l->builder);
	sources_release(&l->sources);
	owners_release(&l->owners);
	counts_release(&l->counts);
	lacking_release(&l->lacking);
	model_release(&l->m);
	free(l->modules);
	free(l->of);
	targets_release(&l->targets);
	free(l->noted);
	free(l->slots);
	free(l->first_slots);
	free(l->counted);
	free(l->rows);
	free(l->files);
	free(l->threads);
	free(l->spans);
	free(l->space);
	free(l->problems);
	free(l);
}

const char *
live_next_problem(struct live *l)
{
	return l->next_problem < l->nr_problems ? l->problems[l->next_problem++] : NULL;
}

void
live_add_problem(struct live *l, const char *text)
{
	GROW(l->problems, l->nr_problems + 1, l->problems_alloc);
	l->problems[l->nr_problems++] = xstrdup(text);
}

/* ---- the tables, once ---- */

/* The blocks of T, a procedure of a unit, which are in the model from FIRST on. */
static void
add_slots(struct live *l, struct live_compiled *to, const struct table_procedure *t,
	  model_id first)
{
	to->first_slot = l->nr_slots;
	GROW(l->slots, l->nr_slots + t->nr_blocks + 1, l->slots_alloc);
	for (uint32_t i = 0; i < t->nr_blocks; i++) {
		uint32_t *head = &l->first_slots[first - 1 + i];

		l->slots[l->nr_slots++] = (struct live_slot){ .block = first + i, .next = *head };
		*head = (uint32_t)l->nr_slots;
	}
}

static int
read_tables(struct live *l, struct module *mod, struct live_module *of, struct error *err)
{
	ptrdiff_t nr;

	if (builder_add(&l->builder, mod, err))
		return -1;
	nr = elf_symbols(&mod->elf, &mod->symbols, err);
	mod->nr_symbols = nr < 0 ? 0 : (size_t)nr;
	if (nr < 0)
		return -1;
	of->counters = xcalloc(mod->nr_counters, sizeof(*of->counters));
	of->lacking = xcalloc(mod->nr_counters, sizeof(*of->lacking));
	of->units = xcalloc(mod->tables.nr, sizeof(*of->units));
	GROW(l->first_slots, l->m.nr_blocks + 1, l->first_slots_alloc);
	for (; l->nr_slotted < l->m.nr_blocks; l->nr_slotted++)
		l->first_slots[l->nr_slotted] = 0;
	for (size_t i = 0; i < mod->tables.nr; i++) {
		const struct unit *u = &mod->tables.units[i];

		of->units[i] = xcalloc(u->nr_procedures, sizeof(**of->units));
		for (uint32_t k = 0; k < u->nr_procedures; k++)
			add_slots(l, &of->units[i][k], &u->procedures[k],
				  mod->first_blocks[i][k]);
	}
	of->symbols = xcalloc(mod->nr_symbols, sizeof(*of->symbols));
	for (size_t i = 0; i < mod->nr_symbols; i++)
		of->symbols[i] = NOT_ASKED;
	return 0;
}

/* Returns the number of the module RAW, -1 when it is not usable. */
static int
take_module(struct live *l, const struct raw_module *raw)
{
	int number = module_find(l->modules, l->nr_modules, raw);
	struct error err = ERROR_INIT;
	struct module *mod;

	if (number < 0 && l->nr_modules < MOST_MODULES) {
		number = (int)l->nr_modules++;
		mod = &l->modules[number];
		if (module_load(mod, raw, &l->owners, &l->m.arena, &err) ||
		    read_tables(l, mod, &l->of[number], &err)) {
			mod->usable = false;
			live_add_problem(l, err.text);
		}
	}
	return number >= 0 && l->modules[number].usable ? number : -1;
}

void
live_add_rows(struct live *l)
{
	while (l->nr_rows < l->m.nr_procedures) {
		const struct model_procedure *p = &l->m.procedures[l->nr_rows];
		model_id file = p->place.file;

		GROW(l->counted, l->nr_rows + 1, l->counted_alloc);
		l->counted[l->nr_rows] = (struct live_counted){ .calls = 0 };
		GROW(l->rows, l->nr_rows + 1, l->rows_alloc);
		l->rows[l->nr_rows++] = (struct live_procedure){
			.name = p->name, .line = p->place.line,
			.path = file ? l->m.files[file - 1].path : p->module ? p->module : "",
		};
	}
}

/* All modules of this look are there. */
static void
name_modules(struct live *l)
{
	if (l->nr_named == l->nr_modules)
		return;
	names_release(&l->names);
	builder_finish(&l->builder);
	names_init(&l->names, &l->m, l->modules, l->nr_modules);
	targets_again(&l->targets, l->nr_modules);
	l->nr_named = l->nr_modules;
	live_add_rows(l);
	for (size_t i = 0; i < l->nr_rows; i++)
		l->rows[i].name = l->m.procedures[i].name;
}

/* ---- counters ---- */

static bool
is_same(const uint64_t *now, const uint64_t *before, size_t nr)
{
	return !memcmp(now, before, nr * sizeof(*now));
}

static bool
any(const uint64_t *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (values[i])
			return true;
	return false;
}

/* A unit at this look and at the one before. */
struct live_unit {
	const struct unit *u;
	const uint64_t *counters, *counters_before;
	struct entries_lacking lacking;
	bool lacks;
	uint64_t *calls;           /* as entries_find() finds them */
	struct live_compiled *before;
	const model_id *procedures;
};

/* LACKING: of the blocks; NULL: none lacks anything. */
static void
count_blocks(struct live *l, const struct live_compiled *of, const uint64_t *counts,
	     const uint64_t *lacking, uint32_t nr)
{
	struct live_slot *slots = l->slots + of->first_slot;

	for (uint32_t i = 0; i < nr; i++) {
		if (counts[i] > slots[i].count)
			slots[i].count = counts[i];
		slots[i].lacking = lacking && lacking[i];
	}
}

/* A count is no less than at the look before: counters are not read at one moment, so the
 * difference of two of them can go back. */
static void
count_procedure(struct live *l, const struct live_unit *now, uint32_t number)
{
	const struct table_procedure *t = &now->u->procedures[number];
	struct live_compiled *before = &now->before[number];
	struct live_counted *to = &l->counted[now->procedures[number] - 1];
	const uint64_t *counters = now->counters + t->first_counter;
	struct lacking lacks = { .blocks = NULL };
	const struct counts *c;
	bool lacking;

	if (!now->lacks && !before->lacks && now->calls[number] == before->followed &&
	    is_same(counters, now->counters_before + t->first_counter, t->nr_counters))
		return;
	before->followed = now->calls[number];
	c = counts_solve(&l->counts, t, counters, now->calls[number]);
	if (now->lacks)
		lacks = lacking_find(&l->lacking, t, now->lacking.counters + t->first_counter,
				     now->lacking.calls[number]);
	lacking = lacks.calls != 0;
	before->lacks = now->lacks;
	count_blocks(l, before, c->blocks, lacks.blocks, t->nr_blocks);
	to->lacking += lacking - before->lacking;
	before->lacking = lacking;
	if (c->calls <= before->calls)
		return;
	to->calls += c->calls - before->calls;
	before->calls = c->calls;
}

static void
count_unit(struct live *l, size_t module, size_t number)
{
	enum { AHEAD = 3 /* procedures */ };
	const struct module *mod = &l->modules[module];
	const struct live_module *of = &l->of[module];
	const struct unit *u = &mod->tables.units[number];
	const size_t first = (u->counters_address - mod->counters_address) / 8;
	struct live_unit now = {
		.u = u, .counters = mod->counters + first, .counters_before = of->counters + first,
		.lacking = { .counters = mod->lacking + first, .room = &l->lacking },
		.before = of->units[number], .procedures = mod->procedures[number],
	};

	if (is_same(now.counters, now.counters_before, u->nr_counters) &&
	    is_same(now.lacking.counters, of->lacking + first, u->nr_counters))
		return;
	now.lacks = any(now.lacking.counters, u->nr_counters);
	now.calls = xcalloc(2 * (size_t)u->nr_procedures, sizeof(*now.calls));
	now.lacking.calls = now.calls + u->nr_procedures;
	entries_find(&l->counts, u, now.counters, now.calls, now.lacks ? &now.lacking : NULL);
	for (uint32_t i = 0; i < u->nr_procedures; i++) {
		if (i + AHEAD < u->nr_procedures)
			counts_expect(&u->procedures[i + AHEAD]);
		count_procedure(l, &now, i);
	}
	free(now.calls);
}

static void
count_module(struct live *l, size_t number)
{
	struct module *mod = &l->modules[number];
	struct live_module *of = &l->of[number];
	struct error err = ERROR_INIT;

	if (module_add_joint(mod, mod->counters, mod->lacking, &err)) {
		mod->usable = false;
		live_add_problem(l, err.text);
		return;
	}
	for (size_t i = 0; i < mod->tables.nr; i++) {
		if (mod->tables.units[i].nr_counters)
			count_unit(l, number, i);
		job_pause(JOB_LOOK);
	}
	memcpy(of->counters, mod->counters, mod->nr_counters * sizeof(*of->counters));
	memcpy(of->lacking, mod->lacking, mod->nr_counters * sizeof(*of->lacking));
}

/* ---- samples ---- */

model_id
live_procedure_at(struct live *l, size_t module, uint64_t address)
{
	const struct module *mod = &l->modules[module];
	const struct elf_symbol *symbol = elf_symbol_at(mod->symbols, mod->nr_symbols, address);
	model_id *known;

	if (!symbol)
		return 0;
	known = &l->of[module].symbols[symbol - mod->symbols];
	if (*known == NOT_ASKED)
		*known = names_symbol(&l->names, mod, symbol);
	return *known;
}

/* A sample by a clock comes when the instruction is done, a return address is behind its call; at
 * its begin a procedure was called. */
static model_id
procedure_of_frame(struct live *l, const struct spans *spans, uint64_t address, bool leaf)
{
	const struct span *span = spans_at(spans, address);
	const struct elf_symbol *symbol;
	const struct module *mod;

	if (!span)
		return 0;
	mod = &l->modules[span->module];
	address -= span->bias;
	symbol = elf_symbol_at(mod->symbols, mod->nr_symbols, address);
	return live_procedure_at(l, (size_t)span->module,
				 leaf && symbol && symbol->address == address ? address
									      : address - 1);
}

/* S stands for NS. */
static void
add_ticks(uint64_t ticks[NR_TICKS], const struct raw_sample *s, uint64_t ns)
{
	bool event = s->flags & RAW_CLOCK, kernel = !event && s->flags & RAW_IN_KERNEL;

	ticks[event ? EVENT : TIMER] += ns;
	ticks[TIMER_IN_KERNEL] += kernel ? ns : 0;
}

static void
take_sample(struct live *l, const struct spans *spans, const struct raw_sample_reader *from)
{
	const struct raw_sample *s = &from->sample;
	const uint64_t ns = s->amount < UINT32_MAX ? s->amount : 0; /* more is damage */
	bool found = false;

	l->stacks++;
	for (uint32_t i = 0; i < s->nr_frames; i++) {
		model_id procedure = procedure_of_frame(l, spans, from->frames[i], !i);
		struct live_counted *c = procedure ? &l->counted[procedure - 1] : NULL;

		if (!c || c->stack == l->stacks)
			continue;
		c->stack = l->stacks;
		add_ticks(c->below, s, ns);
		if (!found)
			add_ticks(c->ticks, s, ns);
		found = true;
	}
	add_ticks(l->ticks, s, ns);
	l->events += (s->flags & RAW_CLOCK) != 0;
}

static struct live_part *
part_at(struct live_file *f, uint64_t offset)
{
	for (size_t i = 0; i < f->nr_parts; i++)
		if (f->parts[i].offset == offset)
			return &f->parts[i];
	GROW(f->parts, f->nr_parts + 1, f->parts_alloc);
	f->parts[f->nr_parts] = (struct live_part){ .offset = offset };
	return &f->parts[f->nr_parts++];
}

static void
find_spans(struct live *l, struct live_part *part, const struct rawfile *r, const int *module_of,
	   uint32_t pid)
{
	part->spans.items = l->spans;
	part->spans.alloc = l->spans_alloc;
	spans_find(&part->spans, r, module_of, pid);
	l->spans = part->spans.items;
	l->spans_alloc = part->spans.alloc;
}

/* The samples of P that were not there at the last look. */
static void
read_samples(struct live *l, struct live_file *f, const struct rawfile *r, const int *module_of,
	     const struct raw_part *p)
{
	struct live_part *part = part_at(f, p->offset);
	struct raw_part rest = *p;
	struct raw_sample_reader from;

	if (part->done >= p->size)
		return;
	rest.offset += part->done;
	rest.size -= part->done;
	find_spans(l, part, r, module_of, p->pid);
	raw_samples_begin(&from, r, &rest);
	while (raw_samples_next(&from)) {
		if (from.sample.flags & RAW_MODULES) {
			spans_load(&part->spans, &from);
			find_spans(l, part, r, module_of, p->pid);
		} else if (weights_is_time(&from.sample)) {
			take_sample(l, &part->spans, &from);
		}
	}
	raw_samples_end(&from);
	part->done = p->size;
}

/* ---- a look ---- */

/* The programs are one run, that of the first file. */
static void
add_run(struct model *m, const struct rawfile *r)
{
	struct model_run *run = MODEL_ADD(m, runs);
	char *command = import_quote(r->arguments, r->nr_arguments);

	*run = (struct model_run){
		.command = arena_strdup(&m->arena, command), .build_id = "",
		.directory = arena_strdup(&m->arena, r->directory),
		.program = arena_strdup(&m->arena, r->program),
		.host = arena_strdup(&m->arena, r->host), .exit_status = -1,
		.started_ns = r->head.started_ns < INT64_MAX ? (int64_t)r->head.started_ns : 0,
		.asked_interval_ns = r->head.asked_interval_ns < UINT32_MAX
					     ? r->head.asked_interval_ns : 0,
		.interval_ns = r->head.asked_interval_ns < UINT32_MAX
				       ? r->head.asked_interval_ns : 0,
		.processes = 1,
	};
	free(command);
}

static int
compare_noted(const void *a, const void *b)
{
	const struct live_noted *x = a, *y = b;

	COMPARE(x->site, y->site);
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void
add_noted(void *live, model_id site, model_id callee, uint64_t count)
{
	struct live *l = live;

	GROW(l->noted, l->nr_noted + 1, l->noted_alloc);
	l->noted[l->nr_noted++] = (struct live_noted){ site, callee, count };
}

/* What sites through pointers have called; read behind the counters, so that no call is missing
 * that its callee has counted. */
static void
sum_noted(struct live *l)
{
	size_t n = 0;

	l->nr_noted = 0;
	targets_tell(&l->targets, &l->names, add_noted, l);
	if (l->nr_noted)
		qsort(l->noted, l->nr_noted, sizeof(*l->noted), compare_noted);
	for (size_t i = 0; i < l->nr_noted; i++)
		if (n && !compare_noted(&l->noted[n - 1], &l->noted[i]))
			l->noted[n - 1].count = count_add(l->noted[n - 1].count,
							  l->noted[i].count);
		else
			l->noted[n++] = l->noted[i];
	l->nr_noted = n;
}

static void
read_noted(struct live *l, const struct rawfile *r, const int *module_of)
{
	struct areas areas;
	struct model parts;

	if (!l->builder.nr_noted)
		return;
	model_init(&parts);
	areas_init(&areas, &parts);
	areas_begin(&areas, r, 1);
	targets_read(&l->targets, r, module_of, &areas);
	model_drop_notes(&l->m, "counts"); /* one in each look */
	areas_release(&areas);
	model_release(&parts);
}

/* Records are met in the same order at each look, but that new ones come between. */
static void
take_thread(struct live *l, const struct live_thread *t)
{
	size_t nr = l->nr_threads, at = l->next_thread, i = 0;

	for (; i < nr; i++, at++) {
		const struct live_thread *of = &l->threads[at % nr];

		if (of->file == t->file && of->offset == t->offset && of->number == t->number)
			break;
	}
	if (i == nr) {
		GROW(l->threads, nr + 1, l->threads_alloc);
		at = l->nr_threads++;
	} else {
		at %= nr;
	}
	l->threads[at] = *t;
	l->next_thread = at + 1;
}

/* Reads what the file R, F, has by now. Returns whether a module of it is usable. */
static bool
read_file(struct live *l, struct live_file *f, const struct rawfile *r)
{
	const uint64_t program = (uint64_t)1 << (f - l->files < 63 ? f - l->files : 63);
	int *module_of = xcalloc(r->nr_modules, sizeof(*module_of)), number;
	bool usable = false;
	struct raw_thread t;
	size_t i;

	if (!f->owned)
		owners_add(&l->owners, r->owner);
	if (!l->m.nr_runs)
		add_run(&l->m, r);
	f->owned = true;
	for (i = 0; i < r->nr_modules; i++) {
		module_of[i] = take_module(l, &r->modules[i]);
		usable |= module_of[i] >= 0;
		if (module_of[i] >= 0)
			l->modules[module_of[i]].programs |= program;
	}
	name_modules(l);
	for (i = 0; i < r->nr_parts; i++) {
		const struct raw_part *p = &r->parts[i];

		number = p->kind == RAW_COUNTERS ? rawfile_module(r, p->module) : -1;
		if (number >= 0 && module_of[number] >= 0)
			module_add_counters(&l->modules[module_of[number]], r, p,
					    l->modules[module_of[number]].counters);
		else if (p->kind == RAW_SAMPLES)
			read_samples(l, f, r, module_of, p);
		else
			live_space_read(l, r, module_of, p);
		for (uint64_t k = 0; rawfile_thread(r, p, k, &t); k++) {
			if (!t.pid)
				continue;
			take_thread(l, &(struct live_thread){ (size_t)(f - l->files), p->offset,
							      k, t });
			l->sums.threads += 1 + (size_t)t.more_threads;
			l->sums.cpu_ns += t.cpu_ns < MOST_WAIT_NS ? t.cpu_ns : 0;
		}
	}
	read_noted(l, r, module_of);
	free(module_of);
	return usable;
}

static uint64_t
ticks_of(const uint64_t *ticks, bool event)
{
	return event ? ticks[EVENT] + ticks[TIMER_IN_KERNEL] : ticks[TIMER];
}

static uint64_t
at_least(uint64_t before, uint64_t ticks, double scale)
{
	uint64_t ns = (uint64_t)((double)ticks * scale + 0.5);

	return ns > before ? ns : before;
}

static void
add_memory(struct live_memory *to, const struct live_memory *of)
{
	to->blocks = count_add(to->blocks, of->blocks);
	to->bytes = count_add(to->bytes, of->bytes);
	to->live_blocks = count_add(to->live_blocks, of->live_blocks);
	to->live_bytes = count_add(to->live_bytes, of->live_bytes);
}

/* The believed samples of all are the CPU time. */
static void
set_figures(struct live *l)
{
	bool event = l->events >= ENOUGH_SAMPLES &&
		     100 * (double)ticks_of(l->ticks, true) >=
			     MOST_SEEN * (double)l->ticks[TIMER];
	uint64_t all = ticks_of(l->ticks, event);
	double scale = all && l->sums.cpu_ns ? (double)l->sums.cpu_ns / (double)all : 1;

	l->others = live_space_of(l, 0, &l->others);
	l->sums.now.memory = l->others;
	l->sums.has_memory = l->has_space;
	for (size_t i = 0; i < l->nr_rows; i++) {
		struct live_procedure *row = &l->rows[i];
		const struct live_counted *c = &l->counted[i];

		row->before = row->now;
		row->now.calls = c->calls;
		/* A scale that has changed takes nothing back. */
		row->now.ns = at_least(row->before.ns, ticks_of(c->ticks, event), scale);
		/* What it does itself is a part of what is below it, also of each look. */
		row->now.total_ns = at_least(row->before.total_ns + row->now.ns - row->before.ns,
					     ticks_of(c->below, event), scale);
		row->now.memory = live_space_of(l, (model_id)i + 1, &row->before.memory);
		row->lacking = c->lacking != 0;
		add_memory(&l->sums.now.memory, &row->now.memory);
		l->sums.now.calls += c->calls;
		l->sums.now.ns += row->now.ns;
		l->sums.lacking |= row->lacking;
	}
}

int
live_look(struct live *l, const char *const *paths, size_t nr, struct error *err)
{
	struct error first = ERROR_INIT;
	struct rawfile r;
	bool usable = false;
	size_t i;

	for (i = 0; i < l->nr_modules; i++)
		if (l->modules[i].usable) {
			size_t bytes = l->modules[i].nr_counters * sizeof(uint64_t);

			memset(l->modules[i].counters, 0, bytes);
			memset(l->modules[i].lacking, 0, bytes);
		}
	l->sums = (struct live_sums){ .before = l->sums.now };
	l->next_thread = 0;
	while (l->nr_files < nr) {
		GROW(l->files, l->nr_files + 1, l->files_alloc);
		l->files[l->nr_files++] = (struct live_file){ .owned = false };
	}
	targets_again(&l->targets, l->nr_modules);
	live_space_begin(l);
	for (i = 0; i < nr; i++) {
		if (rawfile_open(&r, paths[i], &first))
			continue;
		usable |= read_file(l, &l->files[i], &r);
		rawfile_close(&r);
	}
	for (i = 0; i < l->nr_modules; i++)
		if (l->modules[i].usable)
			count_module(l, i);
	sum_noted(l);
	set_figures(l);
	if (usable)
		return 0;
	return error_set(err, "%s", l->nr_problems ? l->problems[0]
			 : first.set ? first.text : "it has counted nothing so far");
}

const struct live_procedure *
live_procedures(const struct live *l, size_t *nr)
{
	*nr = l->nr_rows;
	return l->rows;
}

struct live_sums
live_sums(const struct live *l)
{
	return l->sums;
}
