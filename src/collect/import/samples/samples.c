/* Reading samples: which stacks there are, their addresses, and what each of them stands for. */
#include "collect/import/samples/samples_inside.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/helpers.h"
#include "collect/import/sums/share_read.h"

void
samples_init(struct samples *s, struct builder *b, struct module *modules, size_t nr,
	     struct owners *owners)
{
	*s = (struct samples){ .b = b, .modules = modules, .nr_modules = nr };
	centres_init(&s->centres, modules, nr);
	foreign_init(&s->foreign, owners);
}

void
samples_release(struct samples *s)
{
	index_release(&s->address_index);
	index_release(&s->stack_index);
	centres_release(&s->centres);
	foreign_release(&s->foreign);
	space_release(&s->space);
	track_log_release(&s->times);
	free(s->addresses);
	free(s->stacks);
	free(s->frames);
	*s = (struct samples){ .b = NULL };
}

/* Nine years of a run: more is damage. Whatever is added up over its waits keeps within that. */
#define MOST_WAITED_NS ((uint64_t)1 << 58)

struct reader {                    /* of the samples of one process */
	struct spans spans;
	bool keeps_centres;
	uint64_t late_ns;          /* the process began so long after its run */
};

static void
find_spans(const struct samples *s, struct reader *reader, const struct rawfile *r,
	   const int *module_of, uint32_t pid)
{
	spans_find(&reader->spans, r, module_of, pid);
	reader->keeps_centres = false;
	for (size_t i = 0; i < reader->spans.nr; i++)
		reader->keeps_centres |= s->centres.modules[reader->spans.items[i].module].kept;
}

const struct elf_symbol *
samples_symbol_at(const struct module *mod, uint64_t address)
{
	return elf_symbol_at(mod->symbols, mod->nr_symbols, address);
}

static bool
address_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct address *a = &((const struct samples *)ctx)->addresses[item], *k = key;

	return a->address == k->address && a->module == k->module;
}

uint32_t
samples_address(struct samples *s, uint32_t module, uint64_t address)
{
	struct address key = { .address = address, .module = module };
	uint64_t h;
	uint32_t i;

	h = hash_number(hash_number(HASH_START, key.module), key.address);
	i = index_find(&s->address_index, h, address_equal, s, &key);
	if (i == INDEX_NONE) {
		GROW(s->addresses, s->nr_addresses + 1, s->addresses_alloc);
		i = (uint32_t)s->nr_addresses++;
		s->addresses[i] = key;
		index_add(&s->address_index, h, i);
	}
	return i + 1;
}

/* Number + 1 of the address, 0 when it is in no profiled module. */
static uint32_t
address_number(struct samples *s, const struct reader *r, uint64_t address)
{
	const struct span *span = spans_at(&r->spans, address);

	return span ? samples_address(s, (uint32_t)span->module, address - span->bias) : 0;
}

/* The procedure whose cost centre was current; 0: none, or of a module that is gone. */
static model_id
centre_of(const struct samples *s, const struct reader *r, uint64_t centre)
{
	model_id procedure = 0;
	size_t i;

	for (i = 0; i < r->spans.nr && centre && !procedure; i++)
		procedure = centres_find(&s->centres, (size_t)r->spans.items[i].module,
					 centre - r->spans.items[i].bias);
	return procedure;
}

struct stack_key {
	const uint32_t *frames;
	uint32_t nr, event;
	model_id run, part, centre;
};

static bool
stack_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct samples *s = ctx;
	const struct stack *stack = &s->stacks[item];
	const struct stack_key *k = key;

	return stack->run == k->run && stack->part == k->part && stack->nr == k->nr &&
	       stack->centre == k->centre && stack->event == k->event &&
	       !memcmp(s->frames + stack->first, k->frames, k->nr * sizeof(*k->frames));
}

/* The stack KEY, to which its samples are added. */
static struct stack *
find_stack(struct samples *s, const struct stack_key *key)
{
	uint64_t h = hash_number(hash_number(HASH_START, (uint64_t)key->part << 32 | key->run),
				 (uint64_t)key->event << 32 | key->centre);
	uint32_t nr = key->nr, i;

	h = hash_bytes(h, key->frames, nr * sizeof(*key->frames));
	h ^= h >> 31;
	i = index_find(&s->stack_index, h, stack_equal, s, key);
	if (i != INDEX_NONE)
		return &s->stacks[i];
	GROW(s->frames, s->nr_frames + nr, s->frames_alloc);
	memcpy(s->frames + s->nr_frames, key->frames, nr * sizeof(*key->frames));
	GROW(s->stacks, s->nr_stacks + 1, s->stacks_alloc);
	s->stacks[s->nr_stacks] = (struct stack){
		.first = s->nr_frames, .nr = nr, .run = key->run, .part = key->part,
		.centre = key->centre, .event = key->event,
	};
	s->nr_frames += nr;
	index_add(&s->stack_index, h, (uint32_t)s->nr_stacks);
	return &s->stacks[s->nr_stacks++];
}

/* Returns false when it is none that was asked for. */
static bool
add_event(struct samples *s, struct stack_key *key, const struct raw_sample *sample)
{
	enum event_source source;
	uint64_t nr = event_measures_take(&s->events, sample, &source);

	if (!nr)
		return false;
	key->event = 1 + (uint32_t)source;
	find_stack(s, key)->events += nr;
	return true;
}

/* Does a procedure of MOD begin at ADDRESS (link-time)? */
static bool
begins_at(const struct module *mod, uint64_t address)
{
	const struct elf_symbol *symbol = samples_symbol_at(mod, address);

	return symbol && symbol->address == address;
}

/* Number + 1 of the instruction that a sample at PC interrupted. A clock's signal comes when the
 * instruction that took the time is done: PC is that of the next one. In the order of addresses the
 * one before is right far more often than not, at the target of a branch too, since blocks that
 * jump back are rare ones (docs/design/sampling.md). At the begin of a procedure it would be
 * another procedure's, so that stays. An event's signal comes before the instruction is done. */
static uint32_t
leaf_number(struct samples *s, const struct reader *r, uint64_t pc, bool event)
{
	const struct span *span = spans_at(&r->spans, pc);

	if (event)
		return address_number(s, r, pc);
	if (span && begins_at(&s->modules[span->module], pc - span->bias))
		return address_number(s, r, pc);
	return address_number(s, r, pc - 1);
}

/* Foreign code that stands together in a stack: what called the kernel, the nearest of what is
 * exported; and what was called. Where the runtime's library passes a call on to the C library's
 * function, that one was called: its work is not the runtime's. */
struct foreign_run { bool any; uint32_t kernel, called; };

bool
samples_in_runtime(const struct samples *s, uint32_t number)
{
	const char *module = number ? s->foreign.codes[number - 1].module : NULL;

	return module && !strcmp(module, RUNTIME_LIBRARY);
}

static void
add_foreign(struct samples *s, const struct reader *r, struct foreign_run *run, uint64_t address,
	    bool leaf)
{
	uint32_t number = foreign_at(&s->foreign, r->spans.pid, address, leaf);
	struct foreign_code code;
	bool innermost = !run->any;

	run->any = true;
	if (!number || (!innermost && samples_in_runtime(s, number)))
		return;
	code = s->foreign.codes[number - 1];
	if (code.kernel)
		run->kernel = number;
	else if (run->kernel && !s->foreign.codes[run->kernel - 1].name && code.name) {
		code.kernel = true;
		run->kernel = foreign_number(&s->foreign, &code);
	}
	run->called = number;
}

static void
end_run(struct foreign_run *run, uint32_t *frames, uint32_t *nr)
{
	if (run->kernel && run->kernel != run->called)
		frames[(*nr)++] = FOREIGN_FRAME | run->kernel;
	if (run->any)
		frames[(*nr)++] = run->called ? FOREIGN_FRAME | run->called : 0;
	*run = (struct foreign_run){ .any = false };
}

/* Notes when the sample was taken that STACK, of a part, got; it stands for NS. */
static void
note_time(struct samples *s, const struct reader *r, const struct raw_sample *sample,
	  const struct stack *stack, uint64_t ns)
{
	bool waits = sample->flags & RAW_WAITING;

	if (sample->time_ns && stack->part)
		track_log_add(&s->times, stack->part - 1,
			      2 * (size_t)(stack - s->stacks) + waits,
			      count_add(r->late_ns, sample->time_ns), ns,
			      waits ? TRACK_WAIT
				    : sample->flags & RAW_IN_KERNEL ? TRACK_KERNEL : 0);
}

/* Adds what a thread waited to STACK and to its run. Returns false where that is too much. */
static bool
add_wait(struct stack *stack, struct model_run *run, uint64_t ns)
{
	if (ns >= MOST_WAIT_NS || run->wait_ns + ns > MOST_WAITED_NS)
		return false;
	stack->wait_ns += ns;
	run->wait_ns += ns;
	return true;
}

/* Adds NR samples of time, which stand for NS. */
static void
add_time(struct samples *s, const struct reader *r, const struct stack_key *key, uint64_t nr,
	 uint64_t ns)
{
	struct model_run *run = &s->b->m->runs[key->run - 1];
	struct stack *stack = find_stack(s, key);

	stack->count = count_add(stack->count, nr);
	stack->ns = count_add(stack->ns, ns);
	run->samples = count_add(run->samples, nr);
	if (!r->keeps_centres)
		return;
	run->centre_samples = count_add(run->centre_samples, nr);
	if (!key->centre)
		run->centre_unprofiled_samples = count_add(run->centre_unprofiled_samples, nr);
}

/* What else a sample tells of its STACK. */
static void
note_stack(struct stack *stack, const struct raw_sample_reader *from)
{
	if (!(from->sample.flags & (RAW_EVENT | RAW_STACK_GUESS)))
		stack->walked = true;
	if (from->stack_used > stack->used && from->stack_used < MOST_STACK_USED)
		stack->used = from->stack_used;
}

/* Where a stack was seen: in whose process, and how the addresses of its frames are to be taken. */
struct seen_stack {
	const uint64_t *frames;
	uint32_t nr;
	bool called;               /* the first one is behind a call, too */
	bool event;                /* the first one is of an event of the kernel */
};

/* Sets TO, of RAW_MAX_FRAMES, to the frames of FROM. Returns how many. */
static uint32_t
take_frames(struct samples *s, const struct reader *r, const struct seen_stack *from, uint32_t *to)
{
	struct foreign_run foreign = { .any = false };
	uint32_t nr = 0, number, i;

	for (i = 0; i < from->nr; i++) {
		bool called = i || from->called;

		/* A return address is behind its call. */
		number = called ? address_number(s, r, from->frames[i] - 1)
				: leaf_number(s, r, from->frames[i], from->event);
		if (!number) {
			add_foreign(s, r, &foreign, from->frames[i], !called);
			continue;
		}
		end_run(&foreign, to, &nr);
		to[nr++] = number;
	}
	if (!nr) /* all of it is foreign */
		to[nr++] = 0;
	return nr;
}

/* NS: what it stands for, if it is one of time. */
static void
add_sample(struct samples *s, const struct reader *r, const struct raw_sample_reader *from,
	   uint64_t ns, model_id run, model_id part, uint32_t input)
{
	const struct seen_stack seen = {
		from->frames, from->sample.nr_frames, from->sample.flags & RAW_ALLOCATED,
		from->sample.flags & RAW_EVENT,
	};
	uint32_t frames[RAW_MAX_FRAMES];
	struct stack_key key = { .frames = frames, .run = run, .part = part };

	key.nr = take_frames(s, r, &seen, frames);
	sample_faults_note(&s->faults, from);
	if (from->sample.flags & RAW_ALLOCATED) {
		key.event = STACK_OF_BLOCKS;
		space_paths_take(&s->space.paths, input,
				 (uint32_t)(find_stack(s, &key) - s->stacks), from);
		return;
	}
	if (from->sample.flags & RAW_EVENT) {
		if (!add_event(s, &key, &from->sample))
			return;
	} else if (from->sample.flags & RAW_WAITING) {
		struct stack *stack = find_stack(s, &key);

		if (add_wait(stack, &s->b->m->runs[run - 1], from->sample.amount))
			note_time(s, r, &from->sample, stack, from->sample.amount);
	} else {
		key.centre = centre_of(s, r, from->centre);
		add_time(s, r, &key, 1, ns);
		note_time(s, r, &from->sample, find_stack(s, &key), ns);
	}
	note_stack(find_stack(s, &key), from);
}

/* ---- stacks of a sum ---- */

static void
add_sum_stack(struct samples *s, const struct reader *r, const struct sum_stack_reader *from,
	      model_id run, model_id part)
{
	const struct sum_stack *of = &from->of;
	const bool event = of->flags & SUM_STACK_EVENT;
	const struct seen_stack seen = { from->frames, of->nr_frames, false, event };
	uint32_t frames[RAW_MAX_FRAMES];
	struct stack_key key = { .frames = frames, .run = run, .part = part };
	struct stack *stack;

	key.nr = take_frames(s, r, &seen, frames);
	key.event = event ? 1 + (of->flags >> SUM_SOURCE_SHIFT) : 0;
	key.centre = centre_of(s, r, of->centre);
	if (of->samples)
		add_time(s, r, &key, of->samples, of->long_ns);
	stack = find_stack(s, &key);
	stack->short_ns = count_add(stack->short_ns, of->short_ns);
	stack->events = count_add(stack->events, of->events);
	add_wait(stack, &s->b->m->runs[run - 1], of->wait_ns);
	stack->walked |= (of->flags & SUM_STACK_WALKED) != 0;
	stack->used = of->used > stack->used ? of->used : stack->used;
}

static void
read_sum_stacks(struct samples *s, const struct reader *reader, const struct rawfile *r,
		const struct raw_part *p, model_id run, model_id part)
{
	struct sum_stack_reader from;

	sum_stacks_begin(&from, r, p);
	while (sum_stacks_next(&from))
		add_sum_stack(s, reader, &from, run, part);
	s->nr_damaged += from.damaged;
}

void
samples_take_facts(struct samples *s, const struct sum_facts *f)
{
	s->faults.cut += f->cut;
	s->faults.ends += f->ends;
	s->faults.copies_cut += f->copies_cut;
	s->faults.guessed += f->guessed;
	for (unsigned i = 0; i < NR_EVENT_SOURCES; i++)
		s->events.sources[i].sampled |= f->sampled_events >> i & 1;
}

/* ---- all of them ---- */

void
samples_read_events(struct samples *s, const struct rawfile *r)
{
	struct raw_events raw;
	size_t i;

	for (i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == RAW_EVENTS && r->parts[i].size >= sizeof(raw) &&
		    rawfile_read(r, r->parts[i].offset, &raw, sizeof(raw)) == sizeof(raw))
			event_measures_read(&s->events, &raw);
}

void
samples_read(struct samples *s, const struct rawfile *r, const struct weights *w,
	     const int *module_of, model_id run, const struct areas *areas)
{
	struct raw_sample_reader from;
	struct reader reader = { .keeps_centres = false };
	struct helpers helpers;
	size_t i, nr = 0;
	uint64_t ns;

	helpers_find(&helpers, r);
	s->helpers_wait_ns = count_add(s->helpers_wait_ns, helpers.wait_ns);
	s->nr_helpers += helpers.nr;
	foreign_read_maps(&s->foreign, r);
	if (r->head.started_ns > (uint64_t)s->b->m->runs[run - 1].started_ns)
		reader.late_ns = r->head.started_ns - (uint64_t)s->b->m->runs[run - 1].started_ns;
	for (i = 0; i < r->nr_parts; i++) {
		if ((r->parts[i].kind != RAW_SAMPLES && r->parts[i].kind != SUM_STACKS) ||
		    !r->parts[i].size)
			continue;
		reader.spans.nr_loaded = 0;
		find_spans(s, &reader, r, module_of, r->parts[i].pid);
		if (r->parts[i].kind == SUM_STACKS) {
			read_sum_stacks(s, &reader, r, &r->parts[i], run,
					areas_of_extent(areas, &r->parts[i]));
			continue;
		}
		raw_samples_begin(&from, r, &r->parts[i]);
		while (raw_samples_next(&from)) {
			if (from.sample.flags & RAW_MODULES) {
				spans_load(&reader.spans, &from);
				find_spans(s, &reader, r, module_of, r->parts[i].pid);
				continue;
			}
			ns = 0;
			if (weights_is_time(&from.sample))
				ns = nr < w->nr ? w->ns[nr++] : WEIGHT_UNUSED;
			if (ns != WEIGHT_UNUSED && !helpers_waits(&helpers, &from.sample))
				add_sample(s, &reader, &from, ns, run,
					   areas_of_sample(areas, &r->parts[i], &from.sample),
					   areas->input);
		}
		s->nr_damaged += from.damaged && !r->parts[i].cut;
		raw_samples_end(&from);
	}
	free(reader.spans.items);
	helpers_release(&helpers);
}

/* The same of the samples one by one: those of a stack add up to what that has. */
static void
scale_times(struct samples *s, model_id run, double factor)
{
	uint64_t *sums = xcalloc(s->nr_stacks + 1, sizeof(*sums));

	for (size_t i = 0; i < s->times.nr; i++) {
		struct logged_sample *of = &s->times.items[i];
		uint64_t *sum = &sums[of->stack / 2], before = *sum;

		if (s->stacks[of->stack / 2].run != run || of->how & TRACK_WAIT)
			continue;
		*sum = count_add(*sum, of->ns);
		of->ns = (uint64_t)((double)*sum * factor + 0.5) -
			 (uint64_t)((double)before * factor + 0.5);
	}
	free(sums);
}

void
samples_scale(struct samples *s, model_id run, double factor)
{
	for (size_t i = 0; i < s->nr_stacks; i++)
		if (s->stacks[i].run == run)
			s->stacks[i].ns = (uint64_t)((double)s->stacks[i].ns * factor + 0.5);
	scale_times(s, run, factor);
}

void
samples_scale_short(struct samples *s, model_id run, double factor)
{
	for (size_t i = 0; i < s->nr_stacks; i++)
		if (s->stacks[i].run == run)
			s->stacks[i].ns = count_add(s->stacks[i].ns, (uint64_t)
				((double)s->stacks[i].short_ns * factor + 0.5));
}

uint32_t *
samples_order(const struct samples *s, size_t nr_parts)
{
	size_t *at = xcalloc(nr_parts + 2, sizeof(*at)), i;
	uint32_t *order = xcalloc(s->nr_stacks, sizeof(*order));

	for (i = 0; i < s->nr_stacks; i++)
		at[s->stacks[i].part + 1]++;
	for (i = 1; i < nr_parts + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < s->nr_stacks; i++)
		order[at[s->stacks[i].part]++] = (uint32_t)i;
	free(at);
	return order;
}

int
samples_add_stack_measure(const struct samples *s, struct model *m)
{
	static const struct model_measure stack = {
		.name = "stack", .title = "deepest stack seen", .unit = "bytes",
		.combine = COMBINE_MAX, .inclusive = INCLUSIVE_STACKS, .detail = true,
	};
	size_t i = 0;

	while (i < s->nr_stacks && !s->stacks[i].used)
		i++;
	return i < s->nr_stacks ? measure_add(m, &stack) : -1;
}
