#include "print/export/export_stacks.h"

#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

int64_t
export_context_self(const struct model_context *c, unsigned id)
{
	switch (id) {
	case MEASURE_SAMPLES:
		return count_figure(c->self_samples);
	case MEASURE_TIME:
		return count_figure(c->self_ns);
	case MEASURE_WAIT:
		return count_figure(c->self.wait_ns);
	default:
		return figures_get(c->figures, false, id - NR_BUILTIN_MEASURES - 1);
	}
}

static bool
has_any(const struct export *e, unsigned id)
{
	for (size_t i = 0; i < e->m.nr_contexts; i++)
		if (export_context_self(&e->m.contexts[i], id))
			return true;
	return false;
}

size_t
export_stack_measures(const struct export *e, struct export_measure *found)
{
	static const struct export_measure own[] = {
		{ MEASURE_SAMPLES, "samples", "samples", "samples" },
		{ MEASURE_TIME, "time", "time", "ns" }, { MEASURE_WAIT, "wait", "wait", "ns" },
	};
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (has_any(e, own[i].id))
			found[nr++] = own[i];
	for (size_t i = 0; i < e->m.nr_measures; i++) {
		const struct model_measure *m = &e->m.measures[i];
		unsigned id = (unsigned)(NR_BUILTIN_MEASURES + 1 + i);

		if (!m->formula && has_any(e, id))
			found[nr++] = (struct export_measure){
				id, m->name, m->label ? m->label : m->name, m->unit };
	}
	return nr;
}

int
export_choose_measure(const struct export *e, unsigned first, struct export_measure *chosen,
		      struct error *err)
{
	struct export_measure found[EXPORT_MOST_MEASURES];
	size_t nr = export_stack_measures(e, found), best = nr;
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		if (e->measure ? !strcmp(e->measure, found[i].name) : found[i].id == first)
			best = i;
		strbuf_fmt(&names, "%s%s", i ? ", " : "", found[i].name);
	}
	if (best == nr && !e->measure)
		best = 0;
	if (best < nr)
		*chosen = found[best];
	else if (e->measure && nr)
		error_set(err, "--measure %s: with the stacks of %s it is one of %s", e->measure,
			  profile_name(e->p), names.buf);
	else
		error_set(err, "the stacks of %s have no figures", profile_name(e->p));
	strbuf_release(&names);
	return best < nr ? 0 : -1;
}

/* ---- frames ---- */

/* Returns the line of PLACE if it is in the procedure's own file: a frame has no other one. */
static uint32_t
line_of(const struct export *e, model_id procedure, const struct place *place)
{
	const struct model_procedure *p = export_procedure(e, procedure);

	return p && place->file == p->place.file ? place->line : 0;
}

const struct export_frame *
export_frames_read(struct export_frames *f, const struct export *e, const struct model_context *c)
{
	const struct model *m = &e->m;
	static const struct place nowhere;
	const struct place *place = c->block ? &m->blocks[c->block - 1].place : &nowhere;

	f->nr = 0;
	for (; c; c = c->parent ? &m->contexts[c->parent - 1] : NULL) {
		const struct model_site *site = c->site ? &m->sites[c->site - 1] : NULL;

		GROW(f->items, f->nr + 1, f->alloc);
		f->items[f->nr++] = (struct export_frame){
			c->procedure, line_of(e, c->procedure, place),
			site && site->kind == SITE_INLINED && c->parent,
		};
		place = site ? &site->place : &nowhere;
	}
	return f->items;
}

/* ---- times ---- */

/* Returns the line ID if it is one of the procedure that CONTEXT ends in; else 0. */
static uint32_t
leaf_line(const struct export *e, model_id context, model_id id)
{
	const struct model_line *line = id && id <= e->m.nr_lines ? &e->m.lines[id - 1] : NULL;
	const struct model_procedure *p =
		context ? export_procedure(e, e->m.contexts[context - 1].procedure) : NULL;

	return line && p && line->file == p->place.file && line->line >= p->place.line &&
	       line->line <= p->place.end_line ? line->line : 0;
}

int
export_track_read(struct export_track *t, const struct export *e, const struct model *tracks,
		  size_t i, struct error *err)
{
	*t = (struct export_track){ .row = &tracks->tracks[i] };
	if (track_unpack(t->row, tracks, &t->track, err))
		return -1;
	t->contexts = xcalloc(t->track.nr_stacks + 1, sizeof(*t->contexts));
	t->lines = xcalloc(t->track.nr_stacks + 1, sizeof(*t->lines));
	for (size_t s = 0; s < t->track.nr_stacks; s++) {
		model_id line = 0;

		for (size_t k = track_begin(&t->track, s); k < t->track.ends[s]; k++) {
			const struct track_entry *entry = &t->track.entries[k];

			if (entry->column == PART_CONTEXT_SAMPLES && entry->id <= e->m.nr_contexts)
				t->contexts[s] = entry->id;
			if (entry->column == PART_LINE_SAMPLES)
				line = entry->id;
		}
		t->lines[s] = leaf_line(e, t->contexts[s], line);
	}
	return 0;
}

void
export_track_release(struct export_track *t)
{
	track_release(&t->track);
	free(t->contexts);
	free(t->lines);
}

/* ---- paths ---- */

struct path_map {
	uint32_t *slots;           /* node + 1; 0: free */
	size_t mask;
};

static size_t
slot_of(const struct path_map *map, const struct export_paths *t, uint32_t parent,
	model_id procedure)
{
	uint64_t hash = ((uint64_t)parent << 32 | procedure) * 0x9e3779b97f4a7c15;
	size_t i = (size_t)(hash >> 20) & map->mask;

	while (map->slots[i] && (t->parent[map->slots[i] - 1] != parent ||
				 t->procedure[map->slots[i] - 1] != procedure))
		i = (i + 1) & map->mask;
	return i;
}

void
export_paths_make(struct export_paths *t, const struct export *e)
{
	size_t nr = e->m.nr_contexts, room = 16;
	struct path_map map;

	while (room < 2 * nr)
		room *= 2;
	map = (struct path_map){ xcalloc(room, sizeof(*map.slots)), room - 1 };
	t->nr = 0;
	t->parent = xcalloc(nr + 1, sizeof(*t->parent));
	t->procedure = xcalloc(nr + 1, sizeof(*t->procedure));
	t->of_context = xcalloc(nr + 1, sizeof(*t->of_context));
	for (size_t i = 0; i < nr; i++) {
		const struct model_context *c = &e->m.contexts[i];
		uint32_t parent = c->parent ? t->of_context[c->parent - 1] + 1 : 0;
		size_t slot = slot_of(&map, t, parent, c->procedure);

		if (!map.slots[slot]) {
			t->parent[t->nr] = parent;
			t->procedure[t->nr] = c->procedure;
			map.slots[slot] = (uint32_t)++t->nr;
		}
		t->of_context[i] = map.slots[slot] - 1;
	}
	free(map.slots);
}

void
export_paths_release(struct export_paths *t)
{
	free(t->parent);
	free(t->procedure);
	free(t->of_context);
}

int64_t *
export_paths_self(const struct export_paths *t, const struct export *e, unsigned id)
{
	int64_t *self = xcalloc(t->nr + 1, sizeof(*self));

	for (size_t i = 0; i < e->m.nr_contexts; i++) {
		int64_t *at = &self[t->of_context[i]];

		*at = measure_combine(COMBINE_SUM, *at,
				      export_context_self(&e->m.contexts[i], id));
	}
	return self;
}

void
export_path_of(struct export_path *path, const struct export_paths *t, uint32_t node)
{
	path->nr = 0;
	for (uint32_t at = node + 1; at; at = t->parent[at - 1]) {
		GROW(path->procedures, path->nr + 1, path->alloc);
		path->procedures[path->nr++] = t->procedure[at - 1];
	}
	for (size_t i = 0, j = path->nr; i + 1 < j; i++) {
		model_id last = path->procedures[--j];

		path->procedures[j] = path->procedures[i];
		path->procedures[i] = last;
	}
}
