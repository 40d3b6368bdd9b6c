/* Callgrind's format: what each line of a procedure cost, and each of its calls with all that it
 * led to. Positions are absolute, names have numbers. The time of foreign code is in the line that
 * called it, as it is in the self time of procedures. What figures cannot say stands in notes of
 * the head. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/formats.h"
#include "util/text/safe.h"

enum { MOST_EVENTS = 2 + MEASURES_MAX };

struct event {
	unsigned id;               /* MEASURE_TIME, MEASURE_COUNT, or of another measure */
	char name[2 * MEASURE_NAME_MAX];
	const char *title;
};

struct position { model_id file; uint32_t line; };
/* Costs of a place; with COUNT calls of CALLEE when that is not 0. */
struct cost {
	struct position at;
	model_id callee;
	uint64_t calls;
	uint64_t values[MOST_EVENTS];
};

enum space { OBJECTS, FILES, FUNCTIONS, NR_SPACES };

struct writer {
	const struct export *e;
	FILE *out;
	struct strbuf s;
	struct event events[MOST_EVENTS];
	size_t nr_events;
	bool has_stacks;           /* what calls led to is known of stacks */
	uint32_t *blocks, *block_at; /* their positions, by procedure; where those of one begin */
	uint32_t *arcs, *arc_at;   /* the same of arcs, by caller; 0: outside */
	bool *named[NR_SPACES];    /* by number: the name was written */
	const char **modules;      /* by the number of the object - 1 */
	uint32_t *object;          /* by procedure: its number; 0: not yet known */
	size_t nr_modules, modules_alloc;
	struct cost *costs;        /* of the procedure at hand */
	size_t nr_costs, costs_alloc;
	uint64_t sums[MOST_EVENTS];
	/* For the notes. */
	uint64_t estimated, uncounted, at_least;
};

/* ---- events ---- */

static bool
is_taken(const struct writer *w, const char *name)
{
	for (size_t i = 0; i < w->nr_events; i++)
		if (!strcmp(w->events[i].name, name))
			return true;
	return false;
}

/* Adds an event called LABEL, with its unit behind the name where nothing else tells it. */
static void
add_event(struct writer *w, unsigned id, const char *label, const char *unit, const char *title)
{
	struct event *e = &w->events[w->nr_events];
	bool told = strchr(label, '(') || !strcmp(unit, "count");

	snprintf(e->name, sizeof(e->name), "%.*s%s%s%s", MEASURE_NAME_MAX, label,
		 told ? "" : "_(", told ? "" : unit, told ? "" : ")");
	for (char *p = e->name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_()-.", *p))
			*p = '_';
	if (is_taken(w, e->name))
		snprintf(e->name, sizeof(e->name), "Event%zu", w->nr_events);
	e->id = id;
	e->title = title;
	w->nr_events++;
}

/* Only what adds up is a cost. */
static void
add_events(struct writer *w)
{
	const struct model *m = &w->e->m;

	if (totals_have_time(w->e->totals))
		add_event(w, MEASURE_TIME, "Time", "ns", "CPU time");
	if (!profile_lines_are_uncounted(w->e->p))
		add_event(w, MEASURE_COUNT, "Exec", "count", "executions of blocks");
	for (size_t i = 0; i < m->nr_measures; i++) {
		const struct model_measure *it = &m->measures[i];

		if (!it->formula && it->combine == COMBINE_SUM && it->total)
			add_event(w, (unsigned)(NR_BUILTIN_MEASURES + 1 + i),
				  it->label ? it->label : it->name, it->unit, it->title);
	}
}

static uint64_t
figure(const struct figures *f, bool total, unsigned id)
{
	int64_t n = figures_get(f, total, id - NR_BUILTIN_MEASURES - 1);

	return n < 0 ? 0 : (uint64_t)n;
}

/* ---- the costs of a procedure ---- */

static struct cost *
add_cost(struct writer *w, const struct place *place)
{
	struct cost *c;

	GROW(w->costs, w->nr_costs + 1, w->costs_alloc);
	c = &w->costs[w->nr_costs++];
	*c = (struct cost){ .at = { place->file, place->file ? place->line : 0 } };
	return c;
}

static void
add_blocks(struct writer *w, model_id id, uint64_t left[MOST_EVENTS])
{
	const struct model *m = &w->e->m;
	const struct place *of_procedure = &m->procedures[id - 1].place;

	for (uint32_t i = w->block_at[id]; i < w->block_at[id + 1]; i++) {
		const struct model_block *b = &m->blocks[w->blocks[i]];
		struct cost *c = add_cost(w, b->place.file ? &b->place : of_procedure);

		w->at_least += b->lacking != 0;
		for (size_t k = 0; k < w->nr_events; k++) {
			unsigned event = w->events[k].id;

			c->values[k] = event == MEASURE_TIME ? b->self_ns
				     : event == MEASURE_COUNT ? b->count
				     : figure(b->figures, false, event);
			left[k] -= c->values[k] < left[k] ? c->values[k] : left[k];
		}
	}
}

/* The self costs of a procedure: those of its blocks, and what is in none, at its own line. */
static void
add_self(struct writer *w, model_id id)
{
	const struct model_procedure *p = &w->e->m.procedures[id - 1];
	uint64_t left[MOST_EVENTS] = { 0 };
	bool any = false;

	for (size_t k = 0; k < w->nr_events; k++) {
		unsigned event = w->events[k].id;

		left[k] = event == MEASURE_TIME ? p->self_ns
			: event == MEASURE_COUNT ? 0 : figure(p->figures, false, event);
	}
	add_blocks(w, id, left);
	for (size_t k = 0; k < w->nr_events; k++)
		any |= left[k] != 0;
	if (any)
		memcpy(add_cost(w, &p->place)->values, left, sizeof(left));
}

/* Code outside has no row: what it calls is called by the procedure that handed out its address. */
static const struct model_site *
site_of(const struct writer *w, const struct model_arc *a)
{
	model_id site = a->site ? a->site : a->through;

	return site ? &w->e->m.sites[site - 1] : NULL;
}

/* Viewers add up the calls of a caller and a callee, so a call has what came first by it. */
static void
add_arc(struct writer *w, const struct model_arc *a)
{
	const struct model_site *site = site_of(w, a);
	static const struct place nowhere;
	struct cost *c = add_cost(w, site ? &site->place : &nowhere);

	c->callee = a->callee;
	c->calls = a->count;
	w->estimated += a->how == ARC_ESTIMATED || a->how == ARC_PINNED;
	w->uncounted += a->how == ARC_SAMPLED || (!a->count && a->total_samples);
	for (size_t k = 0; k < w->nr_events; k++) {
		unsigned event = w->events[k].id;

		c->values[k] = event == MEASURE_TIME
				       ? w->has_stacks ? a->pair_ns : a->propagated_ns
			     : event == MEASURE_COUNT ? a->total_work
			     : figure(a->figures, false, event);
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

#define ORDER(member) if (x->member != y->member) return x->member < y->member ? -1 : 1
	ORDER(callee);
	ORDER(at.file);
	ORDER(at.line);
#undef ORDER
	return 0;
}

/* Makes one of the costs of each place and callee. */
static void
join_costs(struct writer *w)
{
	size_t nr = 0;

	if (w->nr_costs)
		qsort(w->costs, w->nr_costs, sizeof(*w->costs), by_place);
	for (size_t i = 0; i < w->nr_costs; i++) {
		struct cost *last = nr ? &w->costs[nr - 1] : NULL;

		if (!last || by_place(last, &w->costs[i])) {
			w->costs[nr++] = w->costs[i];
			continue;
		}
		last->calls = count_add(last->calls, w->costs[i].calls);
		for (size_t k = 0; k < w->nr_events; k++)
			last->values[k] = count_add(last->values[k], w->costs[i].values[k]);
	}
	w->nr_costs = nr;
}

/* ---- names ---- */

/* Puts "(7) name", or "(7)" when it was there before: a name never stands where a number may. */
static void
put_name(struct writer *w, const char *key, enum space space, size_t number, const char *name)
{
	strbuf_fmt(&w->s, "%s=(%zu)", key, number);
	if (!w->named[space][number]) {
		strbuf_char(&w->s, ' ');
		export_text(&w->s, *name ? name : "???", NULL, 0);
	}
	w->named[space][number] = true;
	strbuf_char(&w->s, '\n');
}

static void
put_file(struct writer *w, const char *key, model_id file)
{
	const char *path = export_path(w->e, file);

	put_name(w, key, FILES, file, path ? path : "???");
}

static size_t
object_of(struct writer *w, const char *module)
{
	size_t i = 0;

	module = module ? module : "";
	while (i < w->nr_modules && strcmp(w->modules[i], module))
		i++;
	if (i == w->nr_modules) {
		GROW(w->modules, i + 1, w->modules_alloc);
		w->modules[w->nr_modules++] = module;
	}
	return i + 1;
}

static void
put_object(struct writer *w, const char *key, model_id procedure)
{
	const struct model_procedure *p = export_procedure(w->e, procedure);
	uint32_t *object = &w->object[procedure];

	if (!*object)
		*object = (uint32_t)object_of(w, p ? p->module : NULL);
	put_name(w, key, OBJECTS, *object, w->modules[*object - 1]);
}

static void
put_function(struct writer *w, const char *key, model_id procedure)
{
	put_name(w, key, FUNCTIONS, procedure,
		 procedure ? export_name(w->e, procedure) : "(outside)");
}

/* ---- the body ---- */

static void
put_costs(struct writer *w, const struct cost *c)
{
	size_t nr = w->nr_events;

	while (nr > 1 && !c->values[nr - 1])
		nr--;
	strbuf_fmt(&w->s, "%u", c->at.line);
	for (size_t k = 0; k < nr; k++)
		strbuf_fmt(&w->s, " %" PRIu64, c->values[k]);
	strbuf_char(&w->s, '\n');
}

static bool
is_empty(const struct writer *w, const struct cost *c)
{
	for (size_t k = 0; k < w->nr_events; k++)
		if (c->values[k])
			return false;
	return !c->calls;
}

static model_id
file_of(const struct writer *w, model_id procedure)
{
	const struct model_procedure *p = export_procedure(w->e, procedure);

	return p ? p->place.file : 0;
}

static void
put_call(struct writer *w, const struct cost *c)
{
	const struct model_procedure *callee = export_procedure(w->e, c->callee);

	put_object(w, "cob", c->callee);
	put_file(w, "cfi", callee->place.file);
	put_function(w, "cfn", c->callee);
	strbuf_fmt(&w->s, "calls=%" PRIu64 " %u\n", c->calls,
		   callee->place.file ? callee->place.line : 0);
}

/* Puts a procedure (0: all that is outside) with its costs. */
static void
put_procedure(struct writer *w, model_id id)
{
	model_id file = file_of(w, id);
	bool begun = false;

	join_costs(w);
	for (size_t i = 0; i < w->nr_costs; i++) {
		const struct cost *c = &w->costs[i];

		if (is_empty(w, c))
			continue;
		if (!begun) {
			strbuf_char(&w->s, '\n');
			put_object(w, "ob", id);
			put_file(w, "fl", file);
			put_function(w, "fn", id);
			begun = true;
		}
		if (c->at.file != file)
			put_file(w, c->at.file == file_of(w, id) ? "fe" : "fi", c->at.file);
		file = c->at.file;
		if (c->callee)
			put_call(w, c);
		put_costs(w, c);
	}
	export_flush(&w->s, w->out);
	w->nr_costs = 0;
}

static bool
is_foreign(const struct writer *w, model_id procedure)
{
	const struct model_procedure *p = export_procedure(w->e, procedure);

	return p && p->flags & PROCEDURE_FOREIGN;
}

static void
make_procedure(struct writer *w, model_id id)
{
	if (id)
		add_self(w, id);
	for (uint32_t i = w->arc_at[id]; i < w->arc_at[id + 1]; i++)
		add_arc(w, &w->e->m.arcs[w->arcs[i]]);
}

/* ---- the whole ---- */

/* Sorts the positions 0 to NR - 1 by OWNER (NONE: left out), which is less than NR_OWNERS; those of
 * owner I are at FIRST[I] and before FIRST[I + 1]. */
#define NONE UINT32_MAX
static uint32_t *
sort_by_owner(const uint32_t *owner, size_t nr, size_t nr_owners, uint32_t **first)
{
	uint32_t *sorted = xcalloc(nr + 1, sizeof(*sorted)), *at;

	*first = xcalloc(nr_owners + 2, sizeof(**first));
	for (size_t i = 0; i < nr; i++)
		if (owner[i] != NONE)
			(*first)[owner[i] + 1]++;
	for (size_t i = 0; i < nr_owners; i++)
		(*first)[i + 1] += (*first)[i];
	at = xcalloc(nr_owners + 2, sizeof(*at));
	memcpy(at, *first, (nr_owners + 1) * sizeof(*at));
	for (uint32_t i = 0; i < nr; i++)
		if (owner[i] != NONE)
			sorted[at[owner[i]]++] = i;
	free(at);
	return sorted;
}

static void
sort_all(struct writer *w)
{
	const struct model *m = &w->e->m;
	size_t most = m->nr_blocks > m->nr_arcs ? m->nr_blocks : m->nr_arcs;
	uint32_t *owner = xcalloc(most + 1, sizeof(*owner));

	for (size_t i = 0; i < m->nr_blocks; i++)
		owner[i] = m->blocks[i].procedure;
	w->blocks = sort_by_owner(owner, m->nr_blocks, m->nr_procedures + 1, &w->block_at);
	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];
		const struct model_site *site = site_of(w, a);

		owner[i] = site ? site->procedure : 0;
		w->has_stacks |= a->total_samples != 0;
		if (!a->callee || is_foreign(w, a->callee) || is_foreign(w, owner[i]))
			owner[i] = NONE;
	}
	w->arcs = sort_by_owner(owner, m->nr_arcs, m->nr_procedures + 1, &w->arc_at);
	free(owner);
}

static void
put_note(struct writer *w, uint64_t nr, const char *what)
{
	if (nr)
		strbuf_fmt(&w->s, "desc: Note: %" PRIu64 " %s\n", nr, what);
}

static void
put_sums(struct writer *w, const char *key)
{
	strbuf_fmt(&w->s, "%s:", key);
	for (size_t k = 0; k < w->nr_events; k++)
		strbuf_fmt(&w->s, " %" PRIu64, w->sums[k]);
	strbuf_char(&w->s, '\n');
}

/* The head has sums and notes: all is made once before it. */
static void
put_head(struct writer *w)
{
	const struct model *m = &w->e->m;
	const char *command = w->e->totals->run.command;
	uint64_t not_counted = 0;

	for (model_id id = 0; id <= m->nr_procedures; id++) {
		make_procedure(w, id);
		for (size_t i = 0; i < w->nr_costs; i++)
			for (size_t k = 0; !w->costs[i].callee && k < w->nr_events; k++)
				w->sums[k] = count_add(w->sums[k], w->costs[i].values[k]);
		w->nr_costs = 0;
	}
	for (size_t i = 0; i < m->nr_procedures; i++)
		not_counted += m->procedures[i].lacking == COUNT_LACKS_ALL;
	strbuf_str(&w->s, "# callgrind format\nversion: 1\ncreator: cgview\ncmd: ");
	export_text(&w->s, command ? command : "", NULL, 0);
	strbuf_str(&w->s, "\npart: 1\n");
	put_note(w, w->estimated, "counts of calls are estimates");
	put_note(w, w->uncounted, "calls were seen and not counted: calls=0 stands for that");
	put_note(w, not_counted && w->nr_events ? not_counted : 0,
		 "procedures were not counted: they have times only");
	put_note(w, w->at_least, "counts of blocks are lower bounds");
	if (totals_have_time(w->e->totals) && !w->has_stacks)
		strbuf_str(&w->s,
			   "desc: Note: the times of calls are shared out by their counts\n");
	if (!profile_lines_are_uncounted(w->e->p))
		strbuf_str(&w->s, "desc: Note: the Exec of calls is shared out by their counts\n");
	strbuf_str(&w->s, "positions: line\n");
	for (size_t k = 0; k < w->nr_events; k++) {
		strbuf_fmt(&w->s, "event: %s : ", w->events[k].name);
		export_text(&w->s, w->events[k].title, NULL, 0);
		strbuf_char(&w->s, '\n');
	}
	strbuf_str(&w->s, "events:");
	for (size_t k = 0; k < w->nr_events; k++)
		strbuf_fmt(&w->s, " %s", w->events[k].name);
	strbuf_char(&w->s, '\n');
	put_sums(w, "summary");
	export_flush(&w->s, w->out);
}

static void
release(struct writer *w)
{
	for (int i = 0; i < NR_SPACES; i++)
		free(w->named[i]);
	free(w->blocks);
	free(w->block_at);
	free(w->arcs);
	free(w->arc_at);
	free(w->modules);
	free(w->object);
	free(w->costs);
	strbuf_release(&w->s);
}

int
export_callgrind(struct export *e, FILE *out, struct error *err)
{
	struct writer w = { .e = e, .out = out, .s = STRBUF_INIT };
	size_t nr = e->m.nr_procedures;

	add_events(&w);
	if (!w.nr_events)
		return error_set(err, "%s has no costs: neither times nor counts nor measures that "
				 "add up", profile_name(e->p));
	w.named[OBJECTS] = xcalloc(nr + 2, sizeof(bool));
	w.named[FILES] = xcalloc(e->m.nr_files + 1, sizeof(bool));
	w.named[FUNCTIONS] = xcalloc(nr + 1, sizeof(bool));
	w.object = xcalloc(nr + 1, sizeof(*w.object));
	sort_all(&w);
	put_head(&w);
	for (model_id id = 0; id <= nr && !ferror(out); id++) {
		make_procedure(&w, id);
		put_procedure(&w, id);
	}
	strbuf_char(&w.s, '\n');
	put_sums(&w, "totals");
	export_flush(&w.s, out);
	release(&w);
	return 0;
}
