#include "collect/import/counts/build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/entries.h"
#include "collect/import/elf/namesakes.h"
#include "collect/raw.h"

struct place_key {
	const char *module, *name, *linkage_name;
	model_id file;
	uint32_t line, column;
	bool is_static;
};

void
builder_init(struct builder *b, struct model *m, struct sources *s)
{
	*b = (struct builder){ .m = m, .sources = s };
	lines_init(&b->lines, m);
}

void
builder_release(struct builder *b)
{
	lines_release(&b->lines);
	index_release(&b->by_place);
	counts_release(&b->counts);
	lacking_release(&b->lacking);
	free(b->shapes);
	free(b->noted);
	held_release(&b->held);
	free(b->first_shape);
	free(b->last_unit);
	*b = (struct builder){ .m = NULL };
}

static struct place
model_place(const struct table_place *p, const model_id *files)
{
	return (struct place){
		.file = p->line ? files[p->file] : 0, .line = p->line, .column = p->column,
		.end_line = p->end_line, .end_column = p->end_column,
	};
}

/* ---- procedures ---- */

/* What is a unit's own may have another linkage name in each: lambdas outside of procedures are
 * numbered there. */
static bool
place_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct builder *b = ctx;
	const struct model_procedure *p = &b->m->procedures[item];
	const struct place_key *k = key;

	if (p->place.file != k->file || p->place.line != k->line ||
	    p->place.column != k->column || p->module != k->module || strcmp(p->name, k->name))
		return false;
	return namesakes_same(p->linkage_name, k->linkage_name) ||
	       (k->is_static && p->flags & PROCEDURE_STATIC && b->last_unit[item] != b->unit);
}

static model_id
find_procedure(struct builder *b, const struct module *mod, const struct table_procedure *t,
	       const model_id *files)
{
	struct model *m = b->m;
	struct place place = model_place(&t->place, files);
	struct place_key key = {
		.module = mod->path, .name = t->name, .file = place.file, .line = place.line,
		.column = place.column, .linkage_name = t->linkage_name,
		.is_static = t->flags & PROCEDURE_STATIC,
	};
	const uint32_t flags = t->flags | (t->wrapper ? PROCEDURE_WRAPPER : 0);
	struct model_procedure *p;
	uint64_t h = hash_text(HASH_START, t->name);
	uint32_t i;

	h = hash_number(hash_number(hash_number(h, place.file), place.line), place.column);
	i = index_find(&b->by_place, h, place_equal, b, &key);
	if (i != INDEX_NONE) {
		b->last_unit[i] = b->unit;
		m->procedures[i].flags |= flags;
		return i + 1;
	}
	i = (uint32_t)m->nr_procedures;
	p = MODEL_ADD(m, procedures);
	p->name = arena_strdup(&m->arena, t->name);
	p->linkage_name = arena_strdup(&m->arena, t->linkage_name);
	p->module = mod->path;
	p->place = place;
	p->flags = flags;
	GROW(b->first_shape, m->nr_procedures, b->first_shape_alloc);
	b->first_shape[i] = 0;
	GROW(b->last_unit, m->nr_procedures, b->last_unit_alloc);
	b->last_unit[i] = b->unit;
	index_add(&b->by_place, h, i);
	return i + 1;
}

/* ---- shapes ---- */

static uint64_t
hash_place(uint64_t h, const struct table_place *p, const model_id *files)
{
	h = hash_number(h, (uint64_t)files[p->file] << 32 | p->line);
	h = hash_number(h, (uint64_t)p->column << 32 | p->end_line);
	return hash_number(h, p->end_column);
}

static uint64_t
hash_shape(const struct table_procedure *t, const model_id *files)
{
	uint64_t h = hash_number(HASH_START, (uint64_t)t->nr_blocks << 32 | t->nr_edges);
	uint32_t i, k;

	for (i = 0; i < t->nr_blocks; i++) {
		h = hash_number(h, t->blocks[i].nr_ranges);
		for (k = 0; k < t->blocks[i].nr_ranges; k++) {
			h = hash_number(h, t->blocks[i].ranges[k].kind);
			h = hash_place(h, &t->blocks[i].ranges[k].place, files);
		}
	}
	for (i = 0; i < t->nr_edges; i++)
		h = hash_number(h, (uint64_t)t->edges[i].from << 32 | t->edges[i].to);
	for (i = 0; i < t->nr_sites; i++) {
		h = hash_number(h, (uint64_t)t->sites[i].block << 32 | t->sites[i].kind);
		h = hash_text(hash_place(h, &t->sites[i].place, files), t->sites[i].target);
	}
	for (i = 0; i < t->nr_branches; i++) {
		h = hash_number(h, (uint64_t)t->branches[i].nr_edges << 32 | t->branches[i].kind);
		h = hash_place(h, &t->branches[i].place, files);
	}
	return h;
}

static void
add_ranges(struct builder *b, const struct table_block *block, model_id id, const model_id *files)
{
	struct model *m = b->m;
	struct model_range *r;
	uint32_t i;

	for (i = 0; i < block->nr_ranges; i++) {
		if (!block->ranges[i].place.line)
			continue;
		r = MODEL_ADD(m, ranges);
		r->block = id;
		r->kind = block->ranges[i].kind;
		r->place = model_place(&block->ranges[i].place, files);
		if (!m->blocks[id - 1].place.file)
			m->blocks[id - 1].place = r->place;
	}
}

/* A signature as it is shown: any pointer is p. Linkage names have no braces. */
static const char *
without_pointees(struct arena *arena, const char *target)
{
	char *text = arena_strdup(arena, target), *to = text;

	for (const char *s = text; *s; s += *s != '\0') {
		size_t n = strcspn(s, "{");

		memmove(to, s, n);
		to += n;
		s += n;
		s += strcspn(s, "}");
	}
	*to = '\0';
	return text;
}

static void
add_blocks(struct builder *b, struct shape *s, model_id procedure, const model_id *files)
{
	struct model *m = b->m;
	struct model_block *block;
	struct model_site *site;
	uint32_t i;

	s->first_block = (model_id)m->nr_blocks + 1;
	s->first_range = (model_id)m->nr_ranges + 1;
	s->first_site = (model_id)m->nr_sites + 1;
	for (i = 0; i < s->table->nr_blocks; i++) {
		block = MODEL_ADD(m, blocks);
		block->procedure = procedure;
		block->number = i;
		add_ranges(b, &s->table->blocks[i], (model_id)m->nr_blocks, files);
	}
	s->nr_ranges = (uint32_t)(m->nr_ranges + 1 - s->first_range);
	for (i = 0; i < s->table->nr_sites; i++) {
		site = MODEL_ADD(m, sites);
		site->procedure = procedure;
		site->block = s->first_block + s->table->sites[i].block;
		site->kind = s->table->sites[i].kind ? SITE_INDIRECT : SITE_DIRECT;
		site->place = model_place(&s->table->sites[i].place, files);
		site->target = without_pointees(&m->arena, s->table->sites[i].target);
		if (s->table->sites[i].made)
			site->type = arena_strdup(&m->arena, s->table->sites[i].made);
	}
}

static void
add_branches(struct model *m, struct shape *s, model_id procedure, const model_id *files)
{
	s->first_branch = (model_id)m->nr_branches + 1;
	for (uint32_t i = 0; i < s->table->nr_branches; i++) {
		const struct table_branch *b = &s->table->branches[i];
		model_id first = (model_id)m->nr_branches;

		for (uint32_t way = 0; way < b->nr_ways; way++)
			*MODEL_ADD(m, branches) = (struct model_branch){
				.procedure = procedure, .kind = (enum branch_kind)b->kind,
				.place = model_place(&b->place, files), .number = b->number,
				.way = way,
			};
		for (uint32_t k = 0; k < b->nr_edges; k++) {
			m->branches[first + b->edges[k].way].to_line = b->edges[k].line;
			m->branches[first + b->edges[k].way].to_column = b->edges[k].column;
		}
	}
}

static struct shape *
find_shape(struct builder *b, model_id procedure, const struct table_procedure *t,
	   const model_id *files)
{
	uint64_t h = hash_shape(t, files);
	uint32_t i;
	struct shape *s;

	for (i = b->first_shape[procedure - 1]; i; i = b->shapes[i - 1].next) {
		s = &b->shapes[i - 1];
		if (s->hash == h && s->table->nr_blocks == t->nr_blocks &&
		    s->table->nr_sites == t->nr_sites &&
		    s->table->nr_branches == t->nr_branches)
			return s;
	}
	GROW(b->shapes, b->nr_shapes + 1, b->shapes_alloc);
	s = &b->shapes[b->nr_shapes++];
	*s = (struct shape){
		.table = t, .hash = h, .next = b->first_shape[procedure - 1],
	};
	b->first_shape[procedure - 1] = (uint32_t)b->nr_shapes;
	add_blocks(b, s, procedure, files);
	add_branches(b->m, s, procedure, files);
	return s;
}

/* ---- counts ---- */

/* setjmp() comes back more often than it was called. */
static bool
returns_twice(const struct table_procedure *t)
{
	uint32_t i;

	for (i = 0; i < t->nr_sites; i++)
		if (t->sites[i].flags & SITE_RETURNS_TWICE)
			return true;
	return false;
}

/* Where a thread ended in a loop whose sums are stored behind it, as many rounds are missing as one
 * has been entered more often than left. */
static void
note_inconsistency(struct builder *b, const struct counts *c, const struct table_procedure *t,
		   const struct lacking *lacking)
{
	b->nr_unsolved += c->unsolved;
	if (!returns_twice(t))
		b->extra_returns = count_add(b->extra_returns, c->extra_returns);
	if (!c->nr_negative || lacking->blocks)
		return;
	b->nr_negative++;
	if (c->most_negative > b->most_negative) {
		b->most_negative = c->most_negative;
		b->negative_procedure = t->name;
	}
}

/* The block that an arc's counter tells of: that of an edge, the one it leads to. */
static const struct table_block *
block_of_arc(const struct table_procedure *t, uint32_t arc)
{
	uint32_t to;

	if (arc < t->nr_blocks)
		return &t->blocks[arc];
	to = t->edges[arc - t->nr_blocks].to;
	return to ? &t->blocks[(to - 1) / 2] : NULL;
}

static uint32_t
counter_of_arc(const struct table_procedure *t, uint32_t arc)
{
	return arc < t->nr_blocks ? t->blocks[arc].counter
				  : t->edges[arc - t->nr_blocks].counter;
}

/* LACKING: of T's counters. The first line of what lacks counts is told, and of how many runs of a
 * loop. */
static void
tell_lacking(struct builder *b, const struct table_procedure *t, const uint64_t *lacking,
	     const model_id *files)
{
	const struct table_place *place = &t->place;
	const struct table_block *block;
	uint32_t arc, counter;
	uint64_t runs = 0;

	for (arc = 0; arc < t->nr_blocks + t->nr_edges; arc++) {
		counter = counter_of_arc(t, arc);
		block = block_of_arc(t, arc);
		if (!counter || counter > t->nr_counters || !lacking[counter - 1])
			continue;
		if (block && block->nr_ranges && block->ranges[0].place.line &&
		    (!runs || block->ranges[0].place.line < place->line))
			place = &block->ranges[0].place;
		runs = lacking[counter - 1] > runs ? lacking[counter - 1] : runs;
	}
	if (runs && place->line)
		model_note(b->m, "counts", "%s: %s:%" PRIu32 ": a loop was not left, in %" PRIu64
			   " run%s: the thread died in it, or left it from a handler of a signal, "
			   "or was still there at the end of the program; what it did there in "
			   "such a run is not counted", t->name,
			   b->m->files[files[place->file] - 1].path, place->line, runs,
			   runs == 1 ? "" : "s");
}

/* COUNTERS: the unit's. Returns what was added; NULL: there are no words. */
static struct noted_site *
add_noted(struct builder *b, const struct module *mod, const struct unit *u, uint32_t words,
	  const uint64_t *counters)
{
	struct noted_site *noted;

	if (!words)
		return NULL;
	GROW(b->noted, b->nr_noted + 1, b->noted_alloc);
	noted = &b->noted[b->nr_noted++];
	*noted = (struct noted_site){
		.mod = mod, .address = u->counters_address + 8 * ((uint64_t)words - 1),
		.other = counters[words - 1 + offsetof(struct raw_target_words, others) / 8],
	};
	return noted;
}

/* Returns the number + 1 of the unit's first variable. */
static uint32_t
add_held(struct builder *b, const struct module *mod, uint32_t unit, const uint64_t *counters)
{
	const struct unit *u = &mod->tables.units[unit];
	uint32_t first = held_add_unit(&b->held, mod, unit);
	struct noted_site *noted;

	for (uint32_t i = 0; i < u->nr_held; i++)
		for (uint32_t k = 0; k < u->held[i].nr_words; k++) {
			noted = add_noted(b, mod, u, u->held[i].words[k], counters);
			if (noted)
				noted->variable = first + i;
			if (!noted || noted->other)
				held_open(&b->held, first + i);
		}
	return first;
}

uint32_t
builder_ways(const struct table_procedure *t, const struct counts *c, uint64_t **counts)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < t->nr_branches; i++)
		nr += t->branches[i].nr_ways;
	*counts = xcalloc(nr, sizeof(**counts));
	nr = 0;
	for (uint32_t i = 0; i < t->nr_branches; i++) {
		const struct table_branch *b = &t->branches[i];

		for (uint32_t k = 0; k < b->nr_edges; k++) {
			uint64_t *to = &(*counts)[nr + b->edges[k].way];

			*to = count_add(*to, c->edges[b->edges[k].edge]);
		}
		nr += b->nr_ways;
	}
	return nr;
}

/* A way may lack what the block lacks that it leads from. */
static void
branches_lack(struct model *m, const struct shape *s, const struct table_procedure *t,
	      const uint64_t *blocks)
{
	model_id first = s->first_branch - 1;

	for (uint32_t i = 0; i < t->nr_branches; first += t->branches[i++].nr_ways)
		for (uint32_t k = 0; k < t->branches[i].nr_edges; k++) {
			const struct table_branch_edge *e = &t->branches[i].edges[k];
			struct model_branch *b = &m->branches[first + e->way];

			if (t->edges[e->edge].from)
				b->lacking = count_add(b->lacking,
						       blocks[(t->edges[e->edge].from - 1) / 2]);
		}
}

/* What T's counts lack, in the model. */
static void
add_lacking(struct builder *b, const struct shape *s, const struct table_procedure *t,
	    const struct lacking *lacking, const model_id *files)
{
	struct model_block *block;
	struct model_site *site;
	uint32_t i;

	if (!lacking->blocks)
		return;
	for (i = 0; i < t->nr_blocks; i++) {
		block = &b->m->blocks[s->first_block - 1 + i];
		block->lacking = count_add(block->lacking, lacking->blocks[i]);
	}
	for (i = 0; i < t->nr_sites; i++) {
		site = &b->m->sites[s->first_site - 1 + i];
		site->lacking = count_add(site->lacking, lacking->blocks[t->sites[i].block]);
	}
	branches_lack(b->m, s, t, lacking->blocks);
	lines_lack(&b->lines, t, lacking->blocks, files);
}

static model_id
add_procedure(struct builder *b, const struct module *mod, const struct unit *u,
	      const struct table_procedure *t, const uint64_t *counters, uint64_t calls,
	      const struct lacking *lacking, const model_id *files, uint32_t first_held,
	      model_id *first_block, model_id *first_branch)
{
	struct model *m = b->m;
	model_id procedure = find_procedure(b, mod, t, files);
	const struct shape *s = find_shape(b, procedure, t, files);
	const struct counts *c = counts_solve(&b->counts, t, counters + t->first_counter,
					      calls);
	struct model_block *block;
	struct noted_site *noted;
	struct model_site *site;
	uint64_t *ways;
	uint32_t i, nr_ways = builder_ways(t, c, &ways);

	*first_block = s->first_block;
	*first_branch = s->first_branch;
	for (i = 0; i < nr_ways; i++) {
		struct model_branch *branch = &m->branches[s->first_branch - 1 + i];

		branch->count = count_add(branch->count, ways[i]);
	}
	free(ways);
	note_inconsistency(b, c, t, lacking);
	m->procedures[procedure - 1].calls = count_add(m->procedures[procedure - 1].calls,
						       c->calls);
	m->procedures[procedure - 1].lacking = count_add(m->procedures[procedure - 1].lacking,
							 lacking->calls);
	for (i = 0; i < t->nr_blocks; i++) {
		block = &m->blocks[s->first_block - 1 + i];
		block->count = count_add(block->count, c->blocks[i]);
	}
	for (i = 0; i < t->nr_sites; i++) {
		site = &m->sites[s->first_site - 1 + i];
		site->count = count_add(site->count, c->blocks[t->sites[i].block]);
		held_add_reading(&b->held, s->first_site + i, &t->sites[i], first_held);
		noted = add_noted(b, mod, u, t->sites[i].words, counters);
		if (noted)
			noted->site = s->first_site + i;
	}
	lines_add(&b->lines, t, c, files);
	add_lacking(b, s, t, lacking, files);
	return procedure;
}

static int
add_unit(struct builder *b, struct module *mod, size_t number, struct error *err)
{
	const struct unit *u = &mod->tables.units[number];
	const struct table_procedure *t;
	uint64_t first = (u->counters_address - mod->counters_address) / 8;
	struct entries_lacking lacking = { .room = &b->lacking };
	struct lacking of_one;
	uint64_t *calls;
	model_id *files;
	uint32_t i, first_held;

	if (u->nr_counters && (u->counters_address < mod->counters_address ||
			       (u->counters_address - mod->counters_address) % 8 ||
			       first > mod->nr_counters ||
			       u->nr_counters > mod->nr_counters - first))
		return error_set(err, "%s: its tables are damaged: unit %zu has counters outside "
				 "of the section cgview_cnt; build it anew", mod->path, number + 1);
	b->unit++;
	if (!u->nr_counters)
		first = 0;
	files = arena_alloc(&b->m->arena, u->nr_files * sizeof(*files));
	mod->files[number] = files;
	for (i = 0; i < u->nr_files; i++)
		files[i] = sources_add(b->sources, u->directory, u->files[i], mod->elf.mtime_ns);
	sources_together(b->sources, files, u->nr_files);
	mod->procedures[number] = arena_alloc(&b->m->arena,
					      u->nr_procedures * sizeof(model_id));
	mod->first_blocks[number] = arena_alloc(&b->m->arena,
						u->nr_procedures * sizeof(model_id));
	mod->first_branches[number] = arena_alloc(&b->m->arena,
						  u->nr_procedures * sizeof(model_id));
	first_held = add_held(b, mod, (uint32_t)number, mod->counters + first);
	calls = xcalloc(u->nr_procedures, sizeof(*calls));
	lacking.counters = mod->lacking + first;
	lacking.calls = xcalloc(u->nr_procedures, sizeof(*lacking.calls));
	b->nr_unsolved += entries_find(&b->counts, u, mod->counters + first, calls, &lacking);
	for (i = 0; i < u->nr_procedures; i++) {
		t = &u->procedures[i];
		of_one = lacking_find(&b->lacking, t, lacking.counters + t->first_counter,
				      lacking.calls[i]);
		mod->procedures[number][i] = add_procedure(b, mod, u, t, mod->counters + first,
							   calls[i], &of_one, files, first_held,
							   &mod->first_blocks[number][i],
							   &mod->first_branches[number][i]);
		tell_lacking(b, t, lacking.counters + t->first_counter, files);
	}
	free(lacking.calls);
	free(calls);
	return 0;
}

int
builder_add(struct builder *b, struct module *mod, struct error *err)
{
	size_t i;

	mod->procedures = arena_alloc(&b->m->arena, mod->tables.nr * sizeof(*mod->procedures));
	mod->first_blocks = arena_alloc(&b->m->arena,
					mod->tables.nr * sizeof(*mod->first_blocks));
	mod->first_branches = arena_alloc(&b->m->arena,
					  mod->tables.nr * sizeof(*mod->first_branches));
	mod->files = arena_alloc(&b->m->arena, mod->tables.nr * sizeof(*mod->files));
	for (i = 0; i < mod->tables.nr; i++)
		if (add_unit(b, mod, i, err))
			return -1;
	return 0;
}

void
builder_finish(struct builder *b)
{
	lines_finish(&b->lines);
	namesakes_tell_apart(b->m);
}

void
builder_tell(struct builder *b, bool forked)
{
	if (b->extra_returns && !forked)
		model_note(b->m, "counts", "%" PRIu64 " calls returned that were never made: "
			   "memory was overwritten, or the counters were shared by other means "
			   "than fork",
			   b->extra_returns);
	if (b->nr_negative)
		model_note(b->m, "counts", "the counts of %" PRIu64 " procedures do not add up, by "
			   "up to %" PRIu64 " (%s): a process was killed inside of them, or memory "
			   "was overwritten; what came out below 0 is shown as 0",
			   b->nr_negative, b->most_negative, b->negative_procedure);
	if (b->nr_unsolved)
		model_note(b->m, "tables", "the tables of %" PRIu64 " procedures do not determine "
			   "their counts; those left open are shown as 0", b->nr_unsolved);
}
