#include "collect/import/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/targets.h"
#include "collect/import/errors/defects.h"
#include "collect/import/merge_tables.h"
#include "collect/import/space/merge_heaps.h"
#include "db/model/order.h"
#include "db/model/tracks.h"
#include "util/order.h"

/* ---- parts ---- */

/* Makes TO what part P of FROM counts, in INTO's ids. */
static int
map_part(const struct merger *g, const struct model_part *p, struct model_part *to,
	 struct error *err)
{
	struct part_entries e = { .items = NULL };
	bool packed = packed_is_there(&p->data);
	int status = 0;

	if (packed)
		status = part_unpack(p, g->from, &e, err);
	else
		part_of_model(g->from, &e);
	if (!status && packed && g->same) {
		*to = *p;
		status = packed_copy(&to->data, g->from, g->into, err);
	} else {
		part_entries_map(&e, &g->ids, g->slots);
		*to = (struct model_part){ .run = p->run, .rank = p->rank };
		if (!status)
			status = part_store(g->into, to, &e, err);
	}
	part_entries_release(&e);
	return status;
}

/* A part that was alone has all counts; it is not alone any more. To be called while INTO has only
 * what it had. */
static int
pack_alone(struct model *m, struct error *err)
{
	struct part_entries e = { .items = NULL };
	int status;

	if (m->nr_parts != 1 || packed_is_there(&m->parts->data))
		return 0;
	part_of_model(m, &e);
	status = part_store(m, &m->parts[0], &e, err);
	part_entries_release(&e);
	return status;
}

/* FROM's come first, as its runs do. When one of both does not know its parts, nobody does. */
static int
merge_parts(const struct merger *g, struct error *err)
{
	struct model *m = g->into;
	const struct model *from = g->from;
	size_t i, nr = m->nr_parts;
	int status = 0;

	if ((m->nr_runs && !nr) || (from->nr_runs && !from->nr_parts)) {
		m->nr_parts = 0;
		for (i = 0; i < m->nr_threads; i++)
			m->threads[i].part = 0;
		return 0;
	}
	GROW(m->parts, nr + from->nr_parts, m->parts_alloc);
	memmove(m->parts + from->nr_parts, m->parts, nr * sizeof(*m->parts));
	m->nr_parts = nr + from->nr_parts;
	for (i = 0; i < nr; i++)
		m->parts[from->nr_parts + i].run += (model_id)from->nr_runs;
	for (i = 0; i < m->nr_threads; i++)
		if (m->threads[i].part)
			m->threads[i].part += (model_id)from->nr_parts;
	for (i = 0; i < from->nr_parts && !status; i++)
		status = map_part(g, &from->parts[i], &m->parts[i], err);
	return status;
}

/* ---- runs, threads, notes, arcs: these have no likes ---- */

/* Runs of one program have most texts in common. */
static const char *
share(const struct merger *g, const char *s, const char *other)
{
	return s && other && !strcmp(s, other) ? other : merge_own(g, s);
}

static void
own_run(const struct merger *g, struct model_run *r, const struct model_run *other)
{
	r->command = share(g, r->command, other->command);
	r->directory = share(g, r->directory, other->directory);
	r->program = share(g, r->program, other->program);
	r->build_id = share(g, r->build_id, other->build_id);
	r->host = share(g, r->host, other->host);
	r->tool = share(g, r->tool, other->tool);
	r->label = share(g, r->label, other->label);
	r->job = share(g, r->job, other->job);
	r->baseline_program = share(g, r->baseline_program, other->baseline_program);
	r->clock = share(g, r->clock, other->clock);
	r->raws = merge_own(g, r->raws);
}

static void
merge_runs(const struct merger *g)
{
	static const struct model_run none;
	struct model *m = g->into;
	const struct model *from = g->from;
	size_t i, nr = m->nr_runs;

	GROW(m->runs, nr + from->nr_runs + 1, m->runs_alloc);
	memmove(m->runs + from->nr_runs, m->runs, nr * sizeof(*m->runs));
	m->nr_runs = nr + from->nr_runs;
	for (i = from->nr_runs; i--;) {
		m->runs[i] = from->runs[i];
		own_run(g, &m->runs[i], i + 1 < m->nr_runs ? &m->runs[i + 1] : &none);
	}
}

static void
merge_threads(const struct merger *g)
{
	struct model *m = g->into;
	const struct model *from = g->from;
	struct model_thread *t;
	size_t i;

	for (i = 0; i < m->nr_threads; i++)
		m->threads[i].run += (model_id)from->nr_runs;
	GROW(m->threads, m->nr_threads + from->nr_threads + 1, m->threads_alloc);
	memmove(m->threads + from->nr_threads, m->threads, m->nr_threads * sizeof(*m->threads));
	m->nr_threads += from->nr_threads;
	for (i = 0; i < from->nr_threads; i++) {
		t = &m->threads[i];
		*t = from->threads[i];
		t->name = share(g, t->name, i ? t[-1].name : NULL);
		if (!m->nr_parts)
			t->part = 0;
	}
}

/* As threads. To be called when the parts have been added. */
static int
merge_tracks(const struct merger *g, struct error *err)
{
	struct model *m = g->into;
	const struct model *from = g->from;
	size_t i, nr = m->nr_tracks;
	int status = 0;

	GROW(m->tracks, nr + from->nr_tracks + 1, m->tracks_alloc);
	if (nr)
		memmove(m->tracks + from->nr_tracks, m->tracks, nr * sizeof(*m->tracks));
	m->nr_tracks = nr + from->nr_tracks;
	for (i = from->nr_tracks; i < m->nr_tracks; i++) {
		struct model_track *t = &m->tracks[i];

		t->run += (model_id)from->nr_runs;
		t->part = t->part && m->nr_parts ? t->part + (model_id)from->nr_parts : 0;
	}
	for (i = 0; i < from->nr_tracks && !status; i++) {
		struct model_track *t = &m->tracks[i];

		*t = from->tracks[i];
		t->name = share(g, t->name, i ? t[-1].name : NULL);
		t->part = m->nr_parts ? t->part : 0;
		status = track_move(&from->tracks[i], from, t, m, &g->ids, err);
	}
	return status;
}

static void
merge_modules(const struct merger *g)
{
	struct model *m = g->into;
	const struct model_module *from;
	size_t i, k;

	for (i = 0; i < g->from->nr_modules; i++) {
		from = &g->from->modules[i];
		for (k = 0; k < m->nr_modules; k++)
			if (!strcmp(m->modules[k].path, from->path) &&
			    !strcmp(m->modules[k].build_id, from->build_id))
				break;
		if (k == m->nr_modules)
			*MODEL_ADD(m, modules) = (struct model_module){
				merge_own(g, from->path), merge_own(g, from->build_id)
			};
	}
}

/* Notes about calls that did not fit are not taken: they are found anew. */
static void
merge_notes(const struct merger *g)
{
	const struct model_note *n;
	size_t i;

	for (i = 0; i < g->from->nr_notes; i++) {
		n = &g->from->notes[i];
		if (strcmp(n->kind, "flow") && strcmp(n->kind, "builds"))
			model_note_once(g->into, n->kind, n->text);
	}
}

static int
compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	COMPARE(x->site, y->site);
	COMPARE(x->callee, y->callee);
	return x->through - y->through;
}

/* Each once: there are no more than the program has, however many are added. */
static void
unite_arcs(struct model *m, struct candidates *c)
{
	size_t i, n;

	if (c->nr)
		qsort(c->items, c->nr, sizeof(*c->items), compare_candidates);
	for (i = n = 0; i < c->nr; i++)
		if (!n || compare_candidates(&c->items[n - 1], &c->items[i]))
			c->items[n++] = c->items[i];
	c->nr = n;
	targets_unite_arcs(m);
}

/* Does it name what has no counterpart? */
static bool
is_lost(const struct merger *g, const struct model_arc *a)
{
	return (a->site && !merge_id(g, TABLE_SITE, a->site)) ||
	       (a->through && !merge_id(g, TABLE_SITE, a->through)) ||
	       (a->callee && !merge_id(g, TABLE_PROCEDURE, a->callee));
}

static void
merge_arcs(const struct merger *g, struct candidates *c)
{
	const struct model_arc *a;
	size_t i;

	for (i = 0; i < g->from->nr_arcs; i++) {
		a = &g->from->arcs[i];
		if ((!a->site && !a->callee) || a->how == ARC_SAMPLED || is_lost(g, a))
			continue;
		if (a->measured) {
			struct model_arc *to = MODEL_ADD(g->into, arcs);

			to->site = merge_id(g, TABLE_SITE, a->site);
			to->callee = merge_id(g, TABLE_PROCEDURE, a->callee);
			to->measured = a->measured;
			figures_combine(g->into, &to->figures, a->figures, g->slots);
		}
		GROW(c->items, c->nr + 1, c->alloc);
		c->items[c->nr++] = (struct candidate){
			.site = merge_id(g, TABLE_SITE, a->through ? a->through : a->site),
			.callee = merge_id(g, TABLE_PROCEDURE, a->callee),
			.through = a->through != 0, .unlike = a->unlike,
		};
	}
}

static void
merge_pins(const struct merger *g)
{
	for (size_t i = 0; i < g->from->nr_pins; i++) {
		const struct model_pin *p = &g->from->pins[i];

		*MODEL_ADD(g->into, pins) = (struct model_pin){
			merge_own(g, p->name), merge_id(g, TABLE_SITE, p->site),
			merge_id(g, TABLE_PROCEDURE, p->callee),
			p->count,
		};
	}
}

/* What has no counterpart in INTO is as if it were not in the profile. */
static void
merge_defects(const struct merger *g)
{
	const struct model *from = g->from;
	size_t first = 0, end;

	for (size_t i = 0; i < from->nr_defects; i++, first = end) {
		struct model_defect d = from->defects[i];
		struct model_defect_frame *frames;

		for (end = first; end < from->nr_defect_frames &&
		     from->defect_frames[end].defect == i + 1; end++)
			;
		frames = xcalloc(end - first + 1, sizeof(*frames));
		for (size_t k = first; k < end; k++) {
			frames[k - first] = from->defect_frames[k];
			frames[k - first].procedure =
				merge_id(g, TABLE_PROCEDURE, frames[k - first].procedure);
			merge_partial_place(g, &frames[k - first].place);
		}
		d.procedure = merge_id(g, TABLE_PROCEDURE, d.procedure);
		merge_partial_place(g, &d.place);
		defects_unite(g->into, &d, frames, end - first);
		free(frames);
	}
}

/* What has its like in FROM gets its ids, the rest those behind. */
static int
number_as_from(struct merger *g, struct candidates *c, struct error *err)
{
	struct row_ids ids = { .of = { NULL } };
	int status;

	/* Also where FROM has no rows, as one that was too short for a sample has no contexts:
	 * INTO's parts have entries of them. */
	for (int t = 0; t < NR_TABLES; t++) {
		size_t nr = rows_count(g->from, (enum table_id)t), next;
		size_t all = rows_count(g->into, (enum table_id)t);

		if (nr && !g->ids.of[t][1])
			nr = 0; /* they are added otherwise: INTO's keep their numbers */
		if (!all)
			continue;
		next = nr;
		ids.of[t] = xcalloc(all + 1, sizeof(model_id));
		for (size_t i = 1; i <= nr; i++)
			ids.of[t][g->ids.of[t][i]] = (model_id)i;
		for (size_t i = 1; i <= all; i++)
			if (!ids.of[t][i])
				ids.of[t][i] = (model_id)++next;
		for (size_t i = 1; i <= nr; i++)
			g->ids.of[t][i] = (model_id)i;
	}
	for (size_t i = 0; i < c->nr; i++) {
		c->items[i].site = ids.of[TABLE_SITE] ? ids.of[TABLE_SITE][c->items[i].site]
						      : c->items[i].site;
		c->items[i].callee = ids.of[TABLE_PROCEDURE]
			? ids.of[TABLE_PROCEDURE][c->items[i].callee] : c->items[i].callee;
	}
	status = model_renumber(g->into, &ids, err);
	row_ids_release(&ids);
	g->same = true;
	for (unsigned i = 0; i < g->from->nr_measures; i++)
		g->same &= g->slots[i] == i;
	return status;
}

/* Tells how much of FROM was found, by its counts. */
static void
tell_found(const struct merger *g, const char *name)
{
	uint64_t executions = 0, found = 0, ns = 0, found_ns = 0;
	const struct model *m = g->from;
	char *text;
	size_t i;

	for (i = 0; i < m->nr_blocks; i++) {
		executions = count_add(executions, m->blocks[i].count);
		if (merge_id(g, TABLE_BLOCK, i + 1))
			found = count_add(found, m->blocks[i].count);
	}
	for (i = 0; i < m->nr_procedures; i++) {
		ns = count_add(ns, m->procedures[i].self_ns);
		if (merge_id(g, TABLE_PROCEDURE, i + 1))
			found_ns = count_add(found_ns, m->procedures[i].self_ns);
	}
	text = xasprintf("%s is of another build: %" PRIu64 " of %" PRIu64 " block executions and "
			 "%.3f of %.3f ms were found by the source, the rest is left out", name,
			 found, executions, (double)found_ns / 1e6, (double)ns / 1e6);
	model_note_once(g->into, "merge", text);
	complain("%s", text);
	free(text);
}

/* ONTO: see model_merge_onto(). */
static int
merge(struct model *into, const struct model *from, const struct merge_source *source,
      const char *name, bool onto, struct candidates *c, struct error *err)
{
	struct merger g = {
		.source = source,
		.into = into, .from = from,
	};
	const char *other;
	int status = 0;

	if (!measures_unite(into, from, g.slots, &other))
		status = error_set(err, "the measure %s is another one in both, or there are too "
					"many: profiles with different measures of one name cannot "
					"be added", other);
	if (!status)
		status = pack_alone(into, err);
	if (!status) {
		const bool others = into->nr_runs && (into->nr_spreads || from->nr_spreads);

		merge_tables(&g);
		if (others) {
			model_note_once(into, "merge", SPREADS_LEFT_OUT);
			into->nr_spreads = 0;
		}
		status = onto ? number_as_from(&g, c, err) : 0;
	}
	if (!status) {
		status = merge_parts(&g, err);
		if (!status)
			status = merge_tracks(&g, err);
		merge_runs(&g);
		merge_threads(&g);
		merge_heaps(&g);
		if (!source) /* else rows stay those of INTO's builds */
			merge_modules(&g);
		merge_notes(&g);
		merge_arcs(&g, c);
		merge_pins(&g);
		merge_defects(&g);
		unite_arcs(into, c);
		parts_settle(into);
		if (source)
			tell_found(&g, name);
	}
	row_ids_release(&g.ids);
	return status;
}

int
model_merge(struct model *into, const struct model *from, struct candidates *c, struct error *err)
{
	return merge(into, from, NULL, NULL, false, c, err);
}

int
model_merge_onto(struct model *into, const struct model *from, struct candidates *c,
		 struct error *err)
{
	return merge(into, from, NULL, NULL, true, c, err);
}

int
model_merge_by_source(struct model *into, const struct model *from,
		      const struct merge_source *source, const char *name, struct candidates *c,
		      struct error *err)
{
	return merge(into, from, source, name, false, c, err);
}
