#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/costs/cost_measures.h"
#include "collect/import/elf/places.h"
#include "collect/import/foreign/costs/costs.h"
#include "collect/import/foreign/definition.h"
#include "collect/import/foreign/line_rows.h"
#include "collect/import/elf/demangle.h"
#include "collect/import/elf/elf.h"
#include "collect/import/owners.h"
#include "collect/import/samples/foreign.h"
#include "collect/import/sources.h"
#include "db/model/parts.h"

struct maker {
	struct costs *c;
	struct model *m;
	struct line_rows rows;
	struct sources sources;
	int64_t written_ns;        /* when the profile was */
	model_id *files;           /* per text; 0: not yet asked for */
	struct cost_slots slots;
	struct cost_totals *totals;
	bool *begins_unknown;      /* of procedures */
	struct keys arcs;          /* site, callee */
	bool *has_outer;           /* per arc: there are calls that are not nested */
	size_t has_outer_alloc;
};

static model_id
file_of(struct maker *k, uint32_t text)
{
	if (text && !k->files[text])
		k->files[text] = sources_add(&k->sources, "", k->c->texts[text], k->written_ns);
	return k->files[text];
}

/* ---- figures ---- */

/* Adds the costs VALUES to the self, or total, figures of a row. */
static void
add_figures(struct maker *k, struct figures **at, const uint64_t *values, bool total)
{
	const struct cost_slots *slots = &k->slots;

	for (unsigned i = 0; i < k->c->nr_events; i++) {
		uint64_t value = count_product(values[i], slots->scale[i]);

		if (slots->slot[i] < 0)
			continue;
		if (total)
			figure_total(k->m, at, (unsigned)slots->slot[i], count_figure(value));
		else
			figure_self(k->m, at, (unsigned)slots->slot[i], count_figure(value));
	}
}

/* Takes from the totals AT what is more than the costs MOST of a procedure. */
static void
cap_figures(struct maker *k, struct figures **at, const uint64_t *most)
{
	for (unsigned i = 0; *at && i < k->c->nr_events; i++) {
		int64_t value = (int64_t)count_product(most[i], k->slots.scale[i]);
		int slot = k->slots.slot[i];

		if (slot >= 0 && figures_get(*at, true, (unsigned)slot) > value)
			figures_set(&k->m->arena, at, true, (unsigned)slot, value);
	}
}

static const uint64_t *
total_of(const struct maker *k, model_id procedure)
{
	return k->totals->of_procedures + (size_t)(procedure - 1) * k->c->room;
}

/* ---- procedures ---- */

/* What has no name is named by where it is. */
static const char *
shown_name(struct maker *k, const char *name, const char *module)
{
	struct strbuf shown = STRBUF_INIT;
	const char *kept;

	if (!*name && *module) {
		strbuf_char(&shown, '(');
		foreign_short_name(&shown, module);
		strbuf_char(&shown, ')');
	} else if (!*name) {
		strbuf_str(&shown, "(unknown)");
	} else if (!demangle(&shown, name, DEMANGLE_SHORT)) {
		strbuf_str(&shown, name);
	}
	kept = arena_strdup(&k->m->arena, shown.buf);
	strbuf_release(&shown);
	return kept;
}

/* Of those that nobody called it is not known how often they began. */
static void
make_procedures(struct maker *k)
{
	const struct costs *c = k->c;

	k->begins_unknown = xcalloc(c->procedures.nr + 1, sizeof(*k->begins_unknown));
	for (size_t i = 0; i < c->procedures.nr; i++) {
		const uint32_t *of = c->procedures.items[i].of;
		const char *module = c->texts[of[0]], *name = c->texts[of[2]];
		uint32_t line = c->first_line[i];
		model_id file = file_of(k, of[1]);
		struct model_procedure *p = MODEL_ADD(k->m, procedures);

		p->name = shown_name(k, name, module);
		p->linkage_name = arena_strdup(&k->m->arena, name);
		p->module = arena_strdup(&k->m->arena, module);
		p->lacking = COUNT_LACKS_ALL;
		if (file)
			p->place = (struct place){ file, line, line > 0, line, line > 0 };
		k->begins_unknown[i] = file != 0;
		add_figures(k, &p->figures, total_of(k, (model_id)i + 1), true);
	}
	for (size_t i = 0; i < c->functions.nr; i++) {
		struct model_procedure *p = &k->m->procedures[c->function[i].procedure];

		add_figures(k, &p->figures, c->of_functions.values + i * c->room, false);
		p->calls = count_add(p->calls, c->function[i].calls);
		p->lacking = p->calls ? 0 : COUNT_LACKS_ALL;
	}
}

/* A procedure ends at the last line that it was seen at. Where it begins is told by calls, or it is
 * the first line that it was seen at. */
static void
widen_place(struct maker *k, model_id procedure, model_id file, uint32_t line)
{
	struct place *place = &k->m->procedures[procedure - 1].place;

	if (!line || place->file != file || !file)
		return;
	if (!k->c->first_line[procedure - 1] && (!place->line || line < place->line))
		*place = (struct place){ file, line, 1, place->end_line, 1 };
	if (line > place->end_line)
		place->end_line = line;
}

/* A place has a line: what has none has no place, either. */
static void
drop_places(struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (!m->procedures[i].place.line)
			m->procedures[i].place.file = 0;
}

/* ---- lines ---- */

static void
make_lines(struct maker *k)
{
	const struct costs *c = k->c;

	for (size_t i = 0; i < c->lines.nr; i++) {
		const uint32_t *of = c->lines.items[i].of;
		const uint64_t *values = c->of_lines.values + i * c->room;
		model_id procedure = of[0] + 1, file = file_of(k, of[1]), block;

		widen_place(k, procedure, file, of[2]);
		block = line_rows_block(&k->rows, procedure, file, of[2]);
		if (!block)
			continue;
		add_figures(k, &k->m->blocks[block - 1].figures, values, false);
		add_figures(k, &k->m->ranges[block - 1].figures, values, false);
		add_figures(k, &line_rows_line(&k->rows, file, of[2])->figures, values, false);
	}
}

/* ---- calls ---- */

static uint32_t
procedure_of(const struct costs *c, size_t call, bool callee)
{
	return c->function[c->calls.items[call].of[callee ? 3 : 0]].procedure + 1;
}

/* Returns the number of the arc of a call. */
static uint32_t
arc_of(struct maker *k, size_t call)
{
	const struct costs *c = k->c;
	const uint32_t *of = c->calls.items[call].of;
	model_id caller = procedure_of(c, call, false), file = file_of(k, of[1]), site;
	bool is_new;
	uint32_t arc;

	site = line_rows_site(&k->rows, caller, file, of[2], 0, SITE_UNKNOWN);
	widen_place(k, caller, file, of[2]);
	arc = keys_number(&k->arcs, KEY(site, procedure_of(c, call, true)), &is_new);
	if (!is_new)
		return arc;
	*MODEL_ADD(k->m, arcs) = (struct model_arc){
		.site = site, .callee = procedure_of(c, call, true), .how = ARC_MEASURED,
	};
	GROW(k->has_outer, k->m->nr_arcs, k->has_outer_alloc);
	k->has_outer[arc] = false;
	return arc;
}

static void
count_calls(struct maker *k, uint32_t *arc)
{
	for (size_t i = 0; i < k->c->calls.nr; i++) {
		struct model_arc *a;
		struct model_site *s;

		arc[i] = arc_of(k, i);
		a = &k->m->arcs[arc[i]];
		s = &k->m->sites[a->site - 1];
		a->count = a->lo = a->hi = a->measured = count_add(a->count, k->c->count[i]);
		s->count = count_add(s->count, k->c->count[i]);
		s->lacking = 0;
		k->has_outer[arc[i]] |= !k->totals->nested[i];
	}
}

/* Calls within recursion are within what others cost that led to it, if those are of the same
 * arc. Without any, an arc has no more than either of the two. */
static void
make_calls(struct maker *k)
{
	const struct costs *c = k->c;
	uint32_t *arc = xcalloc(c->calls.nr + 1, sizeof(*arc));
	size_t i;

	count_calls(k, arc);
	for (i = 0; i < c->calls.nr; i++)
		if (!k->totals->nested[i] || !k->has_outer[arc[i]])
			add_figures(k, &k->m->arcs[arc[i]].figures,
				    c->of_calls.values + i * c->room, true);
	free(arc);
	for (i = 0; i < k->m->nr_arcs; i++) {
		struct model_arc *a = &k->m->arcs[i];
		struct model_site *s = &k->m->sites[a->site - 1];

		cap_figures(k, &a->figures, total_of(k, a->callee));
		cap_figures(k, &a->figures, total_of(k, s->procedure));
		for (unsigned e = 0; a->figures && e < k->m->nr_measures; e++) {
			int64_t total = figures_get(a->figures, true, e);

			figures_set(&k->m->arena, &a->figures, false, e, total); /* of the pair */
			figure_total(k->m, &s->figures, e, total);
		}
	}
	for (i = 0; i < k->m->nr_sites; i++)
		cap_figures(k, &k->m->sites[i].figures, total_of(k, k->m->sites[i].procedure));
}

/* ---- the run ---- */

static const char *
program_of(const struct costs *c)
{
	const char *program = "";

	for (size_t i = 0; i < c->procedures.nr; i++) {
		const uint32_t *of = c->procedures.items[i].of;
		const char *object = c->texts[of[0]];

		if (!strcmp(c->texts[of[2]], "main") && *object)
			return object;
		if (!*program && *object == '/' && !strstr(object, ".so"))
			program = object;
	}
	return program;
}

/* Returns the build id of the file PATH; "": it is not there, or newer than the profile. */
static const char *
build_id_of(struct maker *k, const char *path, struct owners *owners)
{
	struct error ignored = ERROR_INIT;
	struct strbuf id = STRBUF_INIT;
	const char *kept;
	struct elf elf;

	if (*path != '/' || places_open(&elf, path, owners, &ignored))
		return "";
	for (size_t i = 0; elf.mtime_ns <= k->written_ns && i < elf.build_id_length; i++)
		strbuf_fmt(&id, "%02x", elf.build_id[i]);
	elf_close(&elf);
	kept = arena_strdup(&k->m->arena, id.buf);
	strbuf_release(&id);
	return kept;
}

static void
add_modules(struct maker *k, struct owners *owners)
{
	bool *known = xcalloc(k->c->nr_texts, sizeof(*known));

	for (size_t i = 0; i < k->c->procedures.nr; i++) {
		uint32_t object = k->c->procedures.items[i].of[0];
		const char *path = k->c->texts[object];

		if (object && !known[object])
			*MODEL_ADD(k->m, modules) = (struct model_module){
				.path = arena_strdup(&k->m->arena, path),
				.build_id = build_id_of(k, path, owners),
			};
		known[object] = true;
	}
	free(known);
}

static uint32_t
number_32(uint64_t n)
{
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static void
make_run(struct maker *k, const char *path)
{
	const struct costs *c = k->c;
	struct model *m = k->m;
	struct model_run *run = MODEL_ADD(m, runs);
	struct keys pids = KEYS_INIT;
	bool is_new;
	size_t i;

	*run = (struct model_run){
		.directory = "", .build_id = "", .host = "", .exit_status = -1,
		.program = arena_strdup(&m->arena, program_of(c)),
		.tool = arena_strdup(&m->arena, c->tool && *c->tool ? c->tool
							      : "callgrind's format"),
		.command = arena_strdup(&m->arena, c->command ? c->command : path),
	};
	for (i = 0; i < m->nr_modules && strcmp(m->modules[i].path, run->program); i++)
		;
	run->build_id = i < m->nr_modules ? m->modules[i].build_id : "";
	for (i = 0; i < c->nr_threads; i++) {
		keys_number(&pids, KEY(number_32(c->threads[i].pid)), &is_new);
		if (c->threads[i].thread)
			*MODEL_ADD(m, threads) = (struct model_thread){
				.run = 1, .pid = number_32(c->threads[i].pid),
				.tid = number_32(c->threads[i].thread), .name = "",
			};
	}
	run->processes = pids.nr ? (uint32_t)pids.nr : 1;
	keys_release(&pids);
	parts_of_whole(m);
}

int
costs_finish(struct costs *c, const char *path, const struct stat *st, struct model *m,
	     struct error *err)
{
	struct maker k = { .c = c, .m = m, .rows = LINE_ROWS_INIT(m) };
	struct owners owners = { .nr = 0 };

	if (!c->lines.nr && !c->calls.nr)
		return error_set(err, "%s has no costs: there is nothing to show", path);
	k.written_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
	k.files = xcalloc(c->nr_texts, sizeof(*k.files));
	k.totals = costs_totals(c);
	owners_add(&owners, st->st_uid);
	sources_init(&k.sources, m);
	cost_measures_add(c, c->calls.nr > 0, m, &k.slots);
	make_procedures(&k);
	make_lines(&k);
	make_calls(&k);
	drop_places(m);
	add_modules(&k, &owners);
	make_run(&k, path);
	if (c->saturated)
		model_note(m, "counts", "some numbers are too great to be added up: they stop at "
			   "the greatest one");
	sources_read(&k.sources, &owners);
	definitions_find(m, k.begins_unknown);
	line_rows_set_columns(m);
	sources_release(&k.sources);
	owners_release(&owners);
	line_rows_release(&k.rows);
	keys_release(&k.arcs);
	cost_totals_free(k.totals);
	free(k.has_outer);
	free(k.begins_unknown);
	free(k.files);
	return 0;
}
