#include "collect/import/sums/derive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/import/counts/entries.h"
#include "collect/import/elf/places.h"
#include "collect/import/modules.h"
#include "collect/import/samples/steps.h"
#include "util/input.h"

/* A sum of counters with factors, as terms from FIRST on; MISSING: the factor of the counter that
 * the procedure does without. */
struct form { size_t first, nr; int64_t missing; };
struct term { size_t counter; int64_t factor; };

/* A procedure in one unit. */
struct derived {
	model_id procedure;
	bool follows;
	struct form calls, work, by_others; /* by others: if it follows */
	size_t first_fed, nr_fed;  /* calls of what follows */
};
/* A call of the procedure that is item TO, so often as FORM says. */
struct fed { struct form form; size_t to; };

struct derive {
	struct model m;            /* its tables, as if each block had been executed */
	struct sources sources;
	struct builder builder;
	struct module mod;
	struct module_procedures procedures;
	struct names names;
	struct candidates candidates;
	struct samples samples;
	struct resolver resolver;
	struct steps steps;
	bool resolved;
	unsigned char *profiled;   /* by number of address, 0: not asked; see is_profiled() */
	size_t nr_profiled, profiled_alloc;
	struct term *terms;
	size_t nr_terms, terms_alloc;
	struct derived *items;     /* callers before what follows from them */
	size_t nr, alloc;
	struct fed *fed;
	size_t nr_fed, fed_alloc;
	uint64_t *calls;           /* by item, of those that follow: by others */
	uint64_t *counters;        /* of one process */
	struct counts_room counts;
	int64_t *weights, *factors; /* room */
	size_t weights_alloc, factors_alloc;
};

/* ---- which procedures ---- */

struct module_procedures
module_procedures(const struct module *mod, const struct model *m)
{
	struct module_procedures p = { .hash = HASH_START };
	model_id last = 0;

	for (size_t u = 0; u < mod->tables.nr; u++)
		for (uint32_t i = 0; i < mod->tables.units[u].nr_procedures; i++) {
			model_id id = mod->procedures[u][i];

			p.first = !p.first || id < p.first ? id : p.first;
			last = id > last ? id : last;
		}
	p.nr = last ? last - p.first + 1 : 0;
	for (model_id id = p.first; id && id <= last; id++) {
		const struct model_procedure *of = &m->procedures[id - 1];

		p.hash = hash_text(p.hash, of->linkage_name);
		p.hash = hash_number(p.hash, (uint64_t)of->place.line << 32 | of->place.column);
	}
	return p;
}

struct module_procedures
derive_procedures(const struct derive *d)
{
	return d->procedures;
}

const char *
derive_path(const struct derive *d)
{
	return d->mod.path;
}

bool
derive_is(const struct derive *d, const struct sum_place *place)
{
	return !place->library && place->build_id_length == d->mod.build_id_length &&
	       !memcmp(place->build_id, d->mod.build_id, place->build_id_length);
}

/* ---- counts, as sums of counters ---- */

/* The sum of all arcs' counts of T times D's weights. FIRST: T's first counter. */
static bool
make_form(struct derive *d, const struct table_procedure *t, size_t first, struct form *form)
{
	bool solved;

	GROW(d->factors, (size_t)t->nr_counters + 1, d->factors_alloc);
	solved = counts_factors(&d->counts, t, d->weights, d->factors);
	*form = (struct form){ .first = d->nr_terms, .missing = d->factors[t->nr_counters] };
	for (uint32_t i = 0; i < t->nr_counters; i++) {
		if (!d->factors[i])
			continue;
		GROW(d->terms, d->nr_terms + 1, d->terms_alloc);
		d->terms[d->nr_terms++] = (struct term){ first + i, d->factors[i] };
	}
	form->nr = d->nr_terms - form->first;
	return solved;
}

static bool
add_item(struct derive *d, const struct table_procedure *t, model_id procedure, size_t first,
	 const struct entries_call *calls, size_t nr_calls, const size_t *items)
{
	const size_t nr_arcs = (size_t)t->nr_blocks + t->nr_edges;
	const uint32_t entry = counts_entry(t);
	struct derived item = { .procedure = procedure, .follows = t->follows,
				.first_fed = d->nr_fed, .nr_fed = nr_calls };
	bool solved;

	GROW(d->weights, nr_arcs + 1, d->weights_alloc);
	memset(d->weights, 0, nr_arcs * sizeof(*d->weights));
	for (size_t i = 0; i < nr_calls; i++) {
		d->weights[calls[i].block] = 1;
		GROW(d->fed, d->nr_fed + 1, d->fed_alloc);
		d->fed[d->nr_fed].to = items[calls[i].to];
		make_form(d, t, first, &d->fed[d->nr_fed++].form);
		d->weights[calls[i].block] = 0;
	}
	if (entry != UINT32_MAX)
		d->weights[entry] = 1;
	solved = make_form(d, t, first, &item.calls);
	for (uint32_t i = 0; i < t->nr_sites && t->follows; i++)
		d->weights[t->sites[i].block] -= counts_calls(&t->sites[i], t);
	if (t->follows)
		make_form(d, t, first, &item.by_others);
	memset(d->weights, 0, nr_arcs * sizeof(*d->weights));
	for (uint32_t i = 0; i < t->nr_blocks; i++)
		d->weights[i] = 1;
	make_form(d, t, first, &item.work);
	GROW(d->items, d->nr + 1, d->alloc);
	d->items[d->nr++] = item;
	return solved;
}

static bool
add_unit(struct derive *d, size_t number)
{
	const struct unit *u = &d->mod.tables.units[number];
	const size_t first = u->nr_counters
		? (u->counters_address - d->mod.counters_address) / 8 : 0;
	uint32_t *order = xcalloc(u->nr_procedures + 1, sizeof(*order)), i;
	size_t *items = xcalloc(u->nr_procedures + 1, sizeof(*items));
	struct entries_call *calls;
	size_t nr_calls = entries_order(u, order, &calls), at = 0, end;
	bool solved = true;

	for (i = 0; i < u->nr_procedures; i++)
		items[order[i]] = d->nr + i;
	for (i = 0; i < u->nr_procedures; i++, at = end) {
		const struct table_procedure *t = &u->procedures[order[i]];

		for (end = at; end < nr_calls && calls[end].from == order[i]; end++)
			;
		solved &= add_item(d, t, d->mod.procedures[number][order[i]],
				   first + t->first_counter, calls + at, end - at, items);
	}
	free(order);
	free(items);
	free(calls);
	return solved;
}

static uint64_t
sum_of(const struct derive *d, const struct form *form, uint64_t missing)
{
	const struct term *t = d->terms + form->first, *end = t + form->nr;
	uint64_t sum = missing * (uint64_t)form->missing;

	for (; t < end; t++)
		sum += d->counters[t->counter] * (uint64_t)t->factor;
	return sum;
}

/* As counts_solve() does. */
static uint64_t
at_least_nothing(uint64_t count)
{
	return (int64_t)count < 0 ? 0 : count;
}

static void
count_all(struct derive *d, uint64_t (*values)[SUM_SPREAD_FIGURES])
{
	memset(d->calls, 0, d->nr * sizeof(*d->calls));
	for (size_t i = 0; i < d->nr; i++) {
		const struct derived *item = &d->items[i];
		uint64_t *to = values[item->procedure - d->procedures.first], missing = 0, count;

		if (item->follows)
			missing = (uint64_t)item->by_others.missing *
				  (d->calls[i] - sum_of(d, &item->by_others, 0));
		for (size_t k = 0; k < item->nr_fed; k++) {
			const struct fed *fed = &d->fed[item->first_fed + k];

			count = at_least_nothing(sum_of(d, &fed->form, missing));
			d->calls[fed->to] += count;
		}
		count = at_least_nothing(sum_of(d, &item->calls, missing));
		to[SUM_SPREAD_CALLS] = count_add(to[SUM_SPREAD_CALLS], count);
		count = at_least_nothing(sum_of(d, &item->work, missing));
		to[SUM_SPREAD_WORK] = count_add(to[SUM_SPREAD_WORK], count);
	}
}

/* ---- samples ---- */

/* Is the frame NUMBER in a procedure, by its symbol? */
static bool
is_profiled(struct derive *d, uint32_t number)
{
	const struct elf_symbol *symbol;

	GROW(d->profiled, number + 1, d->profiled_alloc);
	while (d->nr_profiled <= number)
		d->profiled[d->nr_profiled++] = 0;
	if (!d->profiled[number]) {
		symbol = samples_symbol_at(&d->mod, d->samples.addresses[number - 1].address);
		d->profiled[number] =
			symbol && names_symbol(&d->names, &d->mod, symbol) ? 2 : 1;
	}
	return d->profiled[number] == 2;
}

/* One that a program which still runs has left since all were looked at is told by its symbol. */
static void
look_late(struct derive *d, struct address *a)
{
	const struct elf_symbol *symbol = samples_symbol_at(&d->mod, a->address);

	a->nr_levels = 1;
	a->levels = arena_alloc(&d->resolver.arena, sizeof(*a->levels));
	*a->levels = (struct level){
		.procedure = symbol ? names_symbol(&d->names, &d->mod, symbol) : 0,
	};
}

/* Sets the frames of D's samples to those of a stack of time, as far as they are needed: out to the
 * first that a procedure of PLACE has. Returns how many; 0: another profiled module has it. */
static uint32_t
take_frames(struct derive *d, const struct places *p, const struct stack_record *stack, int place)
{
	struct samples *x = &d->samples;

	GROW(x->frames, RAW_MAX_FRAMES, x->frames_alloc);
	for (uint32_t i = 0; i < stack->of.nr_frames; i++) {
		const uint64_t frame = stack->frames[i];
		const int at = (int)(frame >> SUM_PLACE) - 1;
		uint64_t address = frame & (((uint64_t)1 << SUM_PLACE) - 1);
		const struct elf_symbol *symbol = NULL;

		x->frames[i] = 0;
		if (at != place && at >= 0 && !p->items[at].library)
			return 0;
		if (at != place)
			continue;
		if (!i)
			symbol = samples_symbol_at(&d->mod, address);
		if (!symbol || symbol->address != address)
			address--; /* as import does */
		x->frames[i] = samples_address(x, 0, address);
		if (d->resolved && !x->addresses[x->frames[i] - 1].nr_levels)
			look_late(d, &x->addresses[x->frames[i] - 1]);
		if (is_profiled(d, x->frames[i]))
			return i + 1;
	}
	return stack->of.nr_frames;
}

/* Is the code of the library at FRAME the runtime's? */
static bool
is_runtimes(const struct places *p, uint64_t frame)
{
	const int at = (int)(frame >> SUM_PLACE) - 1;
	struct strbuf name = STRBUF_INIT;
	bool is;

	if (at < 0 || !p->items[at].library)
		return false;
	foreign_short_name(&name, p->items[at].path);
	is = !strcmp(name.buf, RUNTIME_LIBRARY);
	strbuf_release(&name);
	return is;
}

struct looking {
	struct derive *d;
	const struct places *places;
	int place;
	uint64_t (*values)[SUM_SPREAD_FIGURES];
	uint64_t *shorts;          /* by procedure */
};

/* Calls TAKE for each stack of S with time, in any order. */
static void
each_stack(struct share *s, struct looking *l,
	   void (*take)(struct looking *l, const struct stack_record *stack))
{
	struct stack_set_reader r;

	stack_set_read_begin(&r, &s->stacks);
	while (stack_set_next(&r))
		if (!(r.now->of.flags & SUM_STACK_EVENT) && r.now->of.long_ns + r.now->of.short_ns)
			take(l, r.now);
	stack_set_read_end(&r);
}

static void
note_stack(struct looking *l, const struct stack_record *stack)
{
	take_frames(l->d, l->places, stack, l->place);
}

void
derive_note(struct derive *d, const struct places *p, struct share *s, int place)
{
	each_stack(s, &(struct looking){ .d = d, .places = p, .place = place }, note_stack);
}

static int
resolve(struct derive *d, struct error *err)
{
	if (d->resolved)
		return 0;
	d->resolved = true;
	resolve_addresses(&d->resolver);
	seen_calls_init(&d->resolver.seen, &d->names, &d->mod, 1, &d->m, &d->candidates);
	jumped_init(&d->resolver.jumped, &d->resolver.seen);
	return d->samples.unread.set ? error_copy(err, &d->samples.unread) : 0;
}

static model_id
self_of(const struct looking *l, const struct stack_record *stack)
{
	const struct stack found = { .nr = take_frames(l->d, l->places, stack, l->place) };

	if (!found.nr || is_runtimes(l->places, stack->frames[0]) ||
	    steps_is_runtime(&l->d->steps, &found))
		return 0;
	return steps_self(&l->d->steps, &found);
}

static void
count_stack(struct looking *l, const struct stack_record *stack)
{
	const model_id id = self_of(l, stack);
	uint64_t *to;

	if (!id)
		return;
	to = &l->values[id - l->d->procedures.first][SUM_SPREAD_SELF];
	*to = count_add(*to, stack->of.long_ns);
	l->shorts[id - l->d->procedures.first] += stack->of.short_ns;
}

/* A process with few samples is told as if it had been imported alone. */
static double
factor_of_short(const struct sum_facts *f)
{
	return f->short_asked_ns ? (double)f->short_cpu_ns / (double)f->short_asked_ns : 0;
}

static void
count_time(struct derive *d, const struct places *p, struct share *s, int place,
	   uint64_t (*values)[SUM_SPREAD_FIGURES])
{
	const double factor = factor_of_short(&s->facts);
	struct looking l = {
		d, p, place, values, xcalloc(d->procedures.nr + 1, sizeof(*l.shorts)),
	};

	each_stack(s, &l, count_stack);
	for (uint32_t i = 0; i < d->procedures.nr; i++)
		if (l.shorts[i])
			values[i][SUM_SPREAD_SELF] =
				count_add(values[i][SUM_SPREAD_SELF],
					  (uint64_t)((double)l.shorts[i] * factor + 0.5));
	free(l.shorts);
}

int
derive_values(struct derive *d, const struct places *p, struct share *s, int place,
	      uint64_t (*values)[SUM_SPREAD_FIGURES], struct error *err)
{
	const size_t nr = p->items[place].nr_counters;

	memset(values, 0, d->procedures.nr * sizeof(*values));
	memset(d->counters, 0, d->mod.nr_counters * sizeof(*d->counters));
	memcpy(d->counters, s->counters[place],
	       (nr < d->mod.nr_counters ? nr : d->mod.nr_counters) * sizeof(*d->counters));
	if (module_add_joint(&d->mod, d->counters, NULL, err) || resolve(d, err))
		return -1;
	count_all(d, values);
	count_time(d, p, s, place, values);
	return 0;
}

/* ---- all of it ---- */

/* Which build PROGRAM is. */
static int
find_build(const char *program, struct raw_module *raw, struct error *err)
{
	struct stat st;
	struct elf e;
	int fd;

	*raw = (struct raw_module){ .path = program };
	fd = input_open(program, &st, err);
	if (fd < 0)
		return -1;
	close(fd);
	if (elf_open(&e, program, err))
		return -1;
	raw->build_id_length = (uint32_t)e.build_id_length;
	memcpy(raw->build_id, e.build_id, e.build_id_length);
	elf_close(&e);
	return raw->build_id_length ? 0
		: error_set(err, "%s: has no build ID, so it is not known which processes are of "
			    "it: link without -Wl,--build-id=none", program);
}

static int
read_program(struct derive *d, const struct raw_module *raw, struct error *err)
{
	struct owners none = { .nr = 0 };
	bool solved = true;
	ptrdiff_t nr;

	if (module_load(&d->mod, raw, &none, &d->m.arena, err) ||
	    builder_add(&d->builder, &d->mod, err))
		return -1;
	nr = elf_symbols(&d->mod.elf, &d->mod.symbols, err);
	if (nr < 0)
		return -1;
	d->mod.nr_symbols = (size_t)nr;
	d->mod.programs = 1;
	for (size_t i = 0; i < d->mod.tables.nr; i++)
		solved &= add_unit(d, i);
	d->procedures = module_procedures(&d->mod, &d->m);
	if (!solved || !d->procedures.nr || d->procedures.nr > SUM_MOST_PROCEDURES)
		return error_set(err, "%s: its tables are damaged: build it anew", raw->path);
	d->calls = xcalloc(d->nr, sizeof(*d->calls));
	d->counters = xcalloc(d->mod.nr_counters + 1, sizeof(*d->counters));
	return 0;
}

/* Whose time it is depends on what was never executed, which no process alone can tell. */
static void
take_all_for_executed(struct model *m)
{
	for (size_t i = 0; i < m->nr_blocks; i++)
		m->blocks[i].count = 1;
	for (size_t i = 0; i < m->nr_sites; i++)
		m->sites[i].count = 1;
}

struct derive *
derive_open(const char *program, struct error *err)
{
	struct derive *d = xcalloc(1, sizeof(*d));
	struct raw_module raw;

	model_init(&d->m);
	sources_init(&d->sources, &d->m);
	builder_init(&d->builder, &d->m, &d->sources);
	samples_init(&d->samples, &d->builder, &d->mod, 0, NULL);
	d->resolver = (struct resolver){ .s = &d->samples, .n = &d->names, .c = &d->candidates,
					 .arena = ARENA_INIT };
	d->steps = (struct steps){ .r = &d->resolver, .m = &d->m };
	d->mod.elf = (struct elf){ .fd = -1, .arena = ARENA_INIT };
	if (find_build(program, &raw, err) || read_program(d, &raw, err)) {
		derive_close(d);
		return NULL;
	}
	builder_finish(&d->builder);
	names_init(&d->names, &d->m, &d->mod, 1);
	candidates_find(&d->candidates, &d->builder, &d->names, &d->mod, 1);
	take_all_for_executed(&d->m);
	d->samples.nr_modules = 1;
	return d;
}

void
derive_close(struct derive *d)
{
	if (!d)
		return;
	steps_release(&d->steps);
	if (d->resolved) {
		jumped_release(&d->resolver.jumped);
		seen_calls_release(&d->resolver.seen);
	}
	arena_release(&d->resolver.arena);
	samples_release(&d->samples);
	candidates_release(&d->candidates);
	names_release(&d->names);
	builder_release(&d->builder);
	sources_release(&d->sources);
	module_release(&d->mod);
	model_release(&d->m);
	counts_release(&d->counts);
	free(d->profiled);
	free(d->terms);
	free(d->items);
	free(d->fed);
	free(d->calls);
	free(d->counters);
	free(d->weights);
	free(d->factors);
	free(d);
}
