#include "print/export/export_coverage.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is there ---- */

/* Is it known how often, or whether, it was executed? */
static bool
is_told(uint64_t count, uint64_t lacking)
{
	return count || !lacking;
}

static bool
has_function(const struct model_procedure *p)
{
	return p->place.file && !(p->flags & PROCEDURE_FOREIGN) && is_told(p->calls, p->lacking);
}

static const char *
name_of(const struct model_procedure *p)
{
	return p->linkage_name && *p->linkage_name ? p->linkage_name : p->name;
}

static int
order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
by_function(const void *a, const void *b, void *model)
{
	const struct model *m = model;
	const struct model_procedure *p = &m->procedures[*(const uint32_t *)a],
				     *q = &m->procedures[*(const uint32_t *)b];
	int c = order(p->place.file, q->place.file);

	c = c ? c : order(p->place.line, q->place.line);
	c = c ? c : strcmp(name_of(p), name_of(q));
	return c ? c : order(*(const uint32_t *)a, *(const uint32_t *)b);
}

static int
by_line(const void *a, const void *b, void *model)
{
	const struct model *m = model;
	const struct model_line *p = &m->lines[*(const uint32_t *)a],
				*q = &m->lines[*(const uint32_t *)b];
	int c = order(p->file, q->file);

	return c ? c : order(p->line, q->line);
}

static int
by_block(const void *a, const void *b, void *model)
{
	const struct model *m = model;
	const struct place *p = &m->blocks[*(const uint32_t *)a].place,
			   *q = &m->blocks[*(const uint32_t *)b].place;
	int c = order(p->file, q->file);

	return c ? c : order(p->line, q->line);
}

static void
count_blocks(struct export_coverage *c)
{
	const struct model *m = &c->e->m;

	for (uint32_t i = 0; i < m->nr_blocks; i++) {
		const struct model_block *b = &m->blocks[i];

		if (!is_told(b->count, b->lacking))
			continue;
		c->nr_of[b->procedure - 1]++;
		c->executed_of[b->procedure - 1] += b->count > 0;
		if (!b->count && b->place.file)
			c->blocks[c->nr_blocks++] = i;
	}
}

void
export_coverage_init(struct export_coverage *c, const struct export *e)
{
	const struct model *m = &e->m;

	*c = (struct export_coverage){ .e = e };
	c->functions = xcalloc(m->nr_procedures + 1, sizeof(*c->functions));
	c->lines = xcalloc(m->nr_lines + 1, sizeof(*c->lines));
	c->blocks = xcalloc(m->nr_blocks + 1, sizeof(*c->blocks));
	c->nr_of = xcalloc(m->nr_procedures + 1, sizeof(*c->nr_of));
	c->executed_of = xcalloc(m->nr_procedures + 1, sizeof(*c->executed_of));
	for (uint32_t i = 0; i < m->nr_procedures; i++)
		if (has_function(&m->procedures[i]))
			c->functions[c->nr_functions++] = i;
	for (uint32_t i = 0; i < m->nr_lines; i++)
		if (is_told(m->lines[i].count, m->lines[i].lacking))
			c->lines[c->nr_lines++] = i;
	count_blocks(c);
	c->nr_conditions = profile_conditions(e->p, &c->conditions);
	qsort_r(c->functions, c->nr_functions, sizeof(*c->functions), by_function, (void *)m);
	qsort_r(c->lines, c->nr_lines, sizeof(*c->lines), by_line, (void *)m);
	qsort_r(c->blocks, c->nr_blocks, sizeof(*c->blocks), by_block, (void *)m);
}

void
export_coverage_rewind(struct export_coverage *c)
{
	c->at = 0;
	c->function_at = c->line_at = c->block_at = c->condition_at = 0;
}

void
export_coverage_release(struct export_coverage *c)
{
	free(c->file.functions);
	free(c->file.lines);
	free(c->file.conditions);
	free(c->functions);
	free(c->lines);
	free(c->blocks);
	free(c->nr_of);
	free(c->executed_of);
}

/* ---- a file ---- */

static void
add_function(struct export_coverage *c, uint32_t i)
{
	const struct model_procedure *p = &c->e->m.procedures[i];
	struct export_covered_file *file = &c->file;
	struct export_function *f = file->nr_functions ? &file->functions[file->nr_functions - 1]
						       : NULL;

	if (!f || f->of->place.line != p->place.line || strcmp(f->name, name_of(p))) {
		GROW(file->functions, file->nr_functions + 1, file->functions_alloc);
		f = &file->functions[file->nr_functions++];
		*f = (struct export_function){ .of = p, .name = name_of(p) };
	}
	f->calls = count_add(f->calls, p->calls);
	f->at_least |= p->lacking != 0;
	f->blocks += c->nr_of[i];
	f->blocks_executed += c->executed_of[i];
}

/* Is there code on LINE that was never executed? Lines come in their order. */
static bool
has_unexecuted(struct export_coverage *c, uint32_t line)
{
	const struct model *m = &c->e->m;

	for (; c->block_at < c->nr_blocks; c->block_at++) {
		const struct place *p = &m->blocks[c->blocks[c->block_at]].place;

		if (p->file > c->at || (p->file == c->at && p->line > line))
			return false;
		if (p->file == c->at && p->line == line)
			return true;
	}
	return false;
}

static void
add_line(struct export_coverage *c, const struct model_line *l)
{
	struct export_covered_file *file = &c->file;

	GROW(file->lines, file->nr_lines + 1, file->lines_alloc);
	file->lines[file->nr_lines++] = (struct export_line){
		.line = l->line, .count = l->count, .at_least = l->lacking != 0,
		.part_unexecuted = has_unexecuted(c, l->line),
	};
	file->lines_hit += l->count > 0;
}

/* Gives the lines of the file their conditions. */
static void
add_conditions(struct export_coverage *c)
{
	struct export_covered_file *file = &c->file;
	size_t at = 0;

	file->nr_conditions = file->ways = file->ways_taken = 0;
	for (; c->condition_at < c->nr_conditions; c->condition_at++) {
		const struct condition *it = &c->conditions[c->condition_at];
		struct export_line *l;

		if (it->place.file > c->at)
			break;
		if (it->place.file < c->at || it->uncounted || !file->nr_lines ||
		    file->lines[0].line > it->place.line)
			continue;
		while (at + 1 < file->nr_lines && file->lines[at + 1].line <= it->place.line)
			at++;
		l = &file->lines[at];
		GROW(file->conditions, file->nr_conditions + 1, file->conditions_alloc);
		l->first = l->nr_conditions++ ? l->first : file->nr_conditions;
		file->conditions[file->nr_conditions++] = it;
		l->ways += it->ways;
		l->ways_taken += it->taken;
		file->ways += it->ways;
		file->ways_taken += it->taken;
	}
}

bool
export_coverage_next(struct export_coverage *c)
{
	const struct model *m = &c->e->m;
	struct export_covered_file *file = &c->file;

	file->nr_functions = file->nr_lines = file->functions_hit = file->lines_hit = 0;
	while (!file->nr_functions && !file->nr_lines) {
		if (c->at == m->nr_files)
			return false;
		c->at++;
		for (; c->function_at < c->nr_functions; c->function_at++) {
			uint32_t i = c->functions[c->function_at];

			if (m->procedures[i].place.file != c->at)
				break;
			add_function(c, i);
		}
		for (; c->line_at < c->nr_lines; c->line_at++) {
			const struct model_line *l = &m->lines[c->lines[c->line_at]];

			if (l->file != c->at)
				break;
			add_line(c, l);
		}
	}
	add_conditions(c);
	file->path = export_path(c->e, c->at);
	for (size_t i = 0; i < file->nr_functions; i++)
		file->functions_hit += file->functions[i].calls > 0;
	return true;
}

const struct export_function *
export_function_at(const struct export_covered_file *file, uint32_t line)
{
	size_t low = 0, high = file->nr_functions;

	/* The last one that begins at LINE or before; one that ends before LINE is none. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->functions[middle].of->place.line <= line)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t looked = 0; low-- > 0 && looked < 64; looked++)
		if (file->functions[low].of->place.end_line >= line)
			return &file->functions[low];
	return NULL;
}
