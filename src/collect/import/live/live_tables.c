#include "collect/import/live/live_tables.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/candidates.h"
#include "db/model/order.h"
#include "db/model/parts.h"
#include "util/order.h"

/* ---- lines ---- */

static int
compare_entries(const void *a, const void *b)
{
	const struct line_entry *x = a, *y = b;

	COMPARE(x->line, y->line);
	COMPARE(x->file, y->file);
	COMPARE(x->at_line, y->at_line);
	COMPARE(x->at_column, y->at_column);
	COMPARE(x->compiled, y->compiled);
	return x->group < y->group ? -1 : x->group > y->group;
}

/* The lines of a block of OF, compilation COMPILED, which counts in SLOT. */
static void
add_lines(struct live_tables *t, const struct live *l, const struct table_procedure *of,
	  const model_id *files, const struct table_block *block, uint32_t compiled, uint32_t slot)
{
	const struct line_counts *lines = &l->builder.lines;
	model_id file = of->place.line ? files[of->place.file] : 0;

	for (uint32_t i = 0; i < block->nr_lines; i++) {
		const struct table_line *note = &block->lines[i];
		const struct model_line *line = note->line
			? lines_find(lines, files[note->file], note->line) : NULL;
		struct line_entry *e;

		if (!line)
			continue;
		GROW(t->entries, t->nr_entries + 1, t->entries_alloc);
		e = &t->entries[t->nr_entries++];
		*e = (struct line_entry){ .line = (uint32_t)(line - l->m.lines),
					  .compiled = compiled, .group = note->group,
					  .slot = slot };
		if (file == line->file && of->place.line <= line->line &&
		    line->line <= of->place.end_line) {
			e->file = file;
			e->at_line = of->place.line;
			e->at_column = of->place.column;
		}
	}
}

static void
add_unit_lines(struct live_tables *t, const struct live *l, size_t module, size_t number,
	       uint32_t *compiled)
{
	const struct module *mod = &l->modules[module];
	const struct unit *u = &mod->tables.units[number];

	for (uint32_t i = 0; i < u->nr_procedures; i++) {
		const struct table_procedure *of = &u->procedures[i];
		size_t slot = l->of[module].units[number][i].first_slot;

		++*compiled;
		for (uint32_t k = 0; k < of->nr_blocks; k++)
			add_lines(t, l, of, mod->files[number], &of->blocks[k], *compiled,
				  (uint32_t)(slot + k));
	}
}

static void
index_lines(struct live_tables *t, const struct live *l)
{
	uint32_t compiled = 0;
	size_t k = 0;

	for (size_t i = 0; l->sampled && i < l->nr_slots; i++) {
		GROW(t->entries, t->nr_entries + 1, t->entries_alloc);
		t->entries[t->nr_entries++] = (struct line_entry){
			.line = live_sampled_line(l, i), .slot = (uint32_t)i,
		};
	}
	for (size_t i = 0; i < l->nr_modules; i++)
		for (size_t unit = 0; l->modules[i].usable && unit < l->modules[i].tables.nr;
		     unit++)
			add_unit_lines(t, l, i, unit, &compiled);
	if (t->nr_entries)
		qsort(t->entries, t->nr_entries, sizeof(*t->entries), compare_entries);
	t->first_entries = xcalloc(l->m.nr_lines + 1, sizeof(*t->first_entries));
	for (size_t i = 0; i <= l->m.nr_lines; i++) {
		while (k < t->nr_entries && t->entries[k].line < i)
			k++;
		t->first_entries[i] = k;
	}
}

static int
compare_arcs(const void *a, const void *b)
{
	const struct model_arc *x = a, *y = b;

	COMPARE(x->site, y->site);
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void
add_arc(struct model *m, model_id site, model_id callee)
{
	struct model_arc *a = MODEL_ADD(m, arcs);

	a->site = site;
	a->callee = callee;
}

/* Each that can be: what the tables tell of a site, else what is outside, and what it was seen to
 * call; from outside each procedure that others can name, or were given the address of. */
static void
find_arcs(struct live_tables *t, struct live *l)
{
	struct model *m = &t->m;
	bool *seen = xcalloc(m->nr_sites + 1, sizeof(*seen));
	struct candidates c;
	size_t n = 0;

	candidates_find(&c, &l->builder, &l->names, l->modules, l->nr_modules);
	for (size_t i = 0; i < c.nr; i++) {
		if (c.items[i].through || !c.items[i].site)
			continue;
		seen[c.items[i].site] = true;
		add_arc(m, c.items[i].site, c.items[i].callee);
	}
	candidates_release(&c);
	for (size_t i = 0; i < l->nr_noted; i++) {
		seen[l->noted[i].site] = true;
		add_arc(m, l->noted[i].site, l->noted[i].callee);
	}
	for (model_id i = 1; i <= m->nr_sites; i++)
		if (!seen[i])
			add_arc(m, i, 0);
	for (model_id i = 1; i <= m->nr_procedures; i++) {
		uint32_t flags = m->procedures[i - 1].flags;

		if (!(flags & PROCEDURE_STATIC) || flags & (PROCEDURE_TAKEN | PROCEDURE_MAIN))
			add_arc(m, 0, i);
	}
	free(seen);
	if (m->nr_arcs)
		qsort(m->arcs, m->nr_arcs, sizeof(*m->arcs), compare_arcs);
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (!n || compare_arcs(&m->arcs[n - 1], &m->arcs[i]))
			m->arcs[n++] = m->arcs[i];
	m->nr_arcs = n;
}

static void
index_words(struct live_tables *t, const struct builder *b)
{
	t->words = xcalloc(b->m->nr_sites + 1, sizeof(*t->words));
	t->next_words = xcalloc(b->nr_noted + 1, sizeof(*t->next_words));
	for (size_t i = 0; i < b->nr_noted; i++) {
		model_id site = b->noted[i].site;

		/* A direct call notes what it hands out. */
		if (!site || b->m->sites[site - 1].kind == SITE_DIRECT)
			continue;
		t->next_words[i] = t->words[site];
		t->words[site] = (uint32_t)i + 1;
	}
}

/* ---- what belongs to a row ---- */

static model_id
callee_of(const struct live_tables *t, uint32_t arc)
{
	return t->m.arcs[arc].callee;
}

static model_id
file_of_line(const struct live_tables *t, uint32_t line)
{
	return t->l->m.lines[line].file;
}

static model_id
file_of_block(const struct live_tables *t, uint32_t block)
{
	return t->l->m.blocks[block].place.file;
}

typedef model_id key_function(const struct live_tables *t, uint32_t number);

/* Sorts by key(number), then by number. */
struct numbering { const struct live_tables *t; key_function *key; };

static int
compare_numbers(const void *a, const void *b, void *numbering)
{
	const struct numbering *n = numbering;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	COMPARE(n->key(n->t, x), n->key(n->t, y));
	return x < y ? -1 : x > y;
}

static uint32_t *
numbers_by(const struct live_tables *t, size_t nr, key_function *key)
{
	struct numbering n = { t, key };
	uint32_t *numbers = xcalloc(nr + 1, sizeof(*numbers));

	for (uint32_t i = 0; i < nr; i++)
		numbers[i] = i;
	qsort_r(numbers, nr, sizeof(*numbers), compare_numbers, &n);
	return numbers;
}

/* Returns the first of those ALL NUMBERS whose key is WANTED; *NR: how many there are. */
static const uint32_t *
numbers_of(const struct live_tables *t, const uint32_t *numbers, size_t all, key_function *key,
	   model_id wanted, size_t *nr)
{
	size_t lo = 0, hi = all;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (key(t, numbers[mid]) < wanted)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (hi < all && key(t, numbers[hi]) == wanted)
		hi++;
	*nr = hi - lo;
	return numbers + lo;
}

const uint32_t *
live_tables_arcs_to(const struct live_tables *t, model_id callee, size_t *nr)
{
	return numbers_of(t, t->by_callee, t->m.nr_arcs, callee_of, callee, nr);
}

const uint32_t *
live_tables_blocks_in(const struct live_tables *t, model_id file, size_t *nr)
{
	return numbers_of(t, t->blocks_by_file, t->m.nr_blocks, file_of_block, file, nr);
}

const uint32_t *
live_tables_lines_in(const struct live_tables *t, model_id file, size_t *nr)
{
	return numbers_of(t, t->by_file, t->m.nr_lines, file_of_line, file, nr);
}

bool
live_tables_lack_arcs(struct live_tables *t, const struct live *l)
{
	bool more = false;

	for (size_t i = 0; t->nr_noted != l->nr_noted && i < l->nr_noted && !more; i++) {
		const struct model_arc key = { .site = l->noted[i].site,
					       .callee = l->noted[i].callee };

		more = !bsearch(&key, t->m.arcs, t->m.nr_arcs, sizeof(key), compare_arcs);
	}
	if (!more)
		t->nr_noted = l->nr_noted;
	return more;
}

/* ---- all of it ---- */

static void
tell_lacks(struct model *m, bool sampled)
{
	model_drop_notes(m, "live");
	if (sampled) {
		model_note(m, "live", "nothing is counted: times are estimates, by samples. Those "
			   "of a procedure include what was inlined there; those of a line are of "
			   "code that stands there, without what it calls");
		model_note(m, "live", "all else (callers, the tree) is in the profile that is "
			   "saved at the end");
		return;
	}
	model_note(m, "live", "figures are those of the last look. Of each procedure that is "
		   "active in a thread one call may be missing, and of a loop that keeps its "
		   "counts in registers at most 4,096 rounds (marked)");
	model_note(m, "live", "times are estimates: those of a procedure include what was inlined "
		   "there, and what other code did for it. Lines and expressions have counts, no "
		   "times");
	model_note(m, "live", "where a call through a pointer can reach several procedures its "
		   "calls are shared out by how often these were called, with an interval");
	model_note(m, "live", "all else (the tree, memory, branches, what never ran) is "
		   "in the profile that is saved at the end");
}

static struct live_tables *
new_tables(const struct live *l)
{
	struct live_tables *t = xcalloc(1, sizeof(*t));

	t->l = l;
	t->m = l->m;
	t->m.arcs = NULL;
	t->m.nr_arcs = t->m.arcs_alloc = 0;
	t->m.nr_branches = 0; /* their ways are not counted in looks */
	t->nr_modules = l->nr_named;
	t->nr_noted = l->nr_noted;
	return t;
}

struct live_tables *
live_tables_make(struct live *l)
{
	struct live_tables *t;

	if (l->sampled) {
		live_sampled_shown(l);
	} else {
		model_drop_notes(&l->m, "source");
		sources_read(&l->sources, &l->owners);
	}
	tell_lacks(&l->m, l->sampled);
	parts_of_whole(&l->m);
	t = new_tables(l);
	if (!l->sampled)
		find_arcs(t, l);
	index_lines(t, l);
	index_words(t, &l->builder);
	t->files = model_stored_files(&l->m);
	t->lines = model_stored_lines(&l->m, t->files);
	t->by_callee = numbers_by(t, t->m.nr_arcs, callee_of);
	t->by_file = numbers_by(t, t->m.nr_lines, file_of_line);
	t->blocks_by_file = numbers_by(t, t->m.nr_blocks, file_of_block);
	return t;
}

void
live_tables_renew(struct live_tables *t)
{
	const struct model *from = &t->l->m;

	t->m.procedures = from->procedures;
	t->m.blocks = from->blocks;
	t->m.ranges = from->ranges;
	t->m.lines = from->lines;
	t->m.files = from->files;
}

struct live_tables *
live_tables_of_procedures(const struct live *l)
{
	struct live_tables *t = new_tables(l);

	t->m.nr_blocks = t->m.nr_ranges = t->m.nr_sites = t->m.nr_lines = 0;
	t->nr_modules = 0;     /* others are to be made */
	t->files = model_stored_files(&l->m);
	return t;
}

void
live_tables_free(struct live_tables *t)
{
	if (!t)
		return;
	free(t->m.arcs);
	free(t->entries);
	free(t->first_entries);
	free(t->by_callee);
	free(t->words);
	free(t->next_words);
	free(t->files);
	free(t->lines);
	free(t->by_file);
	free(t->blocks_by_file);
	free(t);
}
