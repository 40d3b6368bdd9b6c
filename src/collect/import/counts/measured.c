#include "collect/import/counts/measured.h"

#include <string.h>

#include "db/model/measure.h"

/* Returns the text at *AT and goes behind it; NULL: it does not end before END. */
static const char *
next_text(const uint8_t **at, const uint8_t *end, struct arena *arena)
{
	const uint8_t *from = *at, *nul = from < end ? memchr(from, 0, (size_t)(end - from)) : NULL;

	if (!nul)
		return NULL;
	*at = nul + 1;
	return arena_strdup(arena, (const char *)from);
}

int
measured_read(struct module *mod, const uint8_t *data, size_t size, struct arena *arena,
	      struct error *err)
{
	enum { MOST = 4096 };
	const uint8_t *at = data, *end = data + size;
	struct measured_word word = {.slot = -1};
	uint64_t address;
	bool good = true;

	while (end - at >= (ptrdiff_t)sizeof(address) && mod->nr_measured < MOST) {
		memcpy(&address, at, sizeof(address));
		at += sizeof(address);
		word.number = (address - mod->counters_address) / 8;
		word.procedure = next_text(&at, end, arena);
		word.measure = next_text(&at, end, arena);
		word.title = next_text(&at, end, arena);
		word.unit = next_text(&at, end, arena);
		good = word.unit && address >= mod->counters_address && !(address % 8) &&
		       word.number < mod->nr_counters && measure_name_is_good(word.measure);
		if (!good)
			return error_set(err, "%s: its tables are damaged: entry %zu of the "
					 "section cgview_msr; build it anew", mod->path,
					 mod->nr_measured + 1);
		GROW(mod->measured, mod->nr_measured + 1, mod->measured_alloc);
		mod->measured[mod->nr_measured++] = word;
		at += -(at - data) & 7;
		at = at < end ? at : end;
	}
	return 0;
}

/* The statement that adds: the first call of T, which is procedure NUMBER of UNIT. */
static void
find_place(struct measured_word *w, const struct module *mod, const struct model *m, size_t unit,
	   uint32_t number)
{
	const struct table_procedure *t = &mod->tables.units[unit].procedures[number];
	const struct table_site *s = t->sites;
	model_id block, file;

	if (!t->nr_sites)
		return;
	block = mod->first_blocks[unit][number] + s->block;
	file = mod->files[unit][s->place.file];
	for (size_t i = 0; i < m->nr_ranges && !w->range; i++)
		if (m->ranges[i].block == block && m->ranges[i].place.line == s->place.line)
			w->range = (model_id)i + 1;
	for (size_t i = 0; i < m->nr_lines && !w->line; i++)
		if (m->lines[i].file == file && m->lines[i].line == s->place.line)
			w->line = (model_id)i + 1;
}

static void
find_procedure(struct measured_word *w, const struct module *mod, const struct model *m)
{
	for (size_t u = 0; u < mod->tables.nr; u++) {
		const struct unit *unit = &mod->tables.units[u];

		for (uint32_t i = 0; i < unit->nr_procedures; i++) {
			if (strcmp(unit->procedures[i].linkage_name, w->procedure))
				continue;
			w->row = mod->procedures[u][i];
			find_place(w, mod, m, u, i);
			return;
		}
	}
}

void
measured_add(struct module *mod, struct model *m)
{
	for (size_t i = 0; i < mod->nr_measured; i++) {
		struct measured_word *w = &mod->measured[i];
		const struct model_measure measure = {
			.name = w->measure, .title = w->title, .unit = w->unit,
			.combine = COMBINE_SUM, .inclusive = INCLUSIVE_ARCS, .exact = true,
		};
		int64_t value = count_figure(mod->counters[w->number]);

		find_procedure(w, mod, m);
		w->slot = w->row ? measure_add(m, &measure) : -1;
		if (w->slot < 0)
			continue;
		figure_self(m, &m->procedures[w->row - 1].figures, (unsigned)w->slot, value);
		if (w->range) {
			struct model_range *r = &m->ranges[w->range - 1];

			figure_self(m, &r->figures, (unsigned)w->slot, value);
			figure_self(m, &m->blocks[r->block - 1].figures, (unsigned)w->slot, value);
		}
		if (w->line)
			figure_self(m, &m->lines[w->line - 1].figures, (unsigned)w->slot, value);
	}
}

void
measured_add_part(const struct module *mod, const uint64_t *counters, struct part_entries *e)
{
	for (size_t i = 0; i < mod->nr_measured; i++) {
		const struct measured_word *w = &mod->measured[i];
		uint64_t value = (uint64_t)count_figure(counters[w->number]);

		if (w->slot < 0)
			continue;
		part_add(e, part_figure((unsigned)w->slot, FIGURE_OF_PROCEDURE), w->row, value);
		if (w->range)
			part_add(e, part_figure((unsigned)w->slot, FIGURE_OF_RANGE), w->range,
				 value);
		if (w->line)
			part_add(e, part_figure((unsigned)w->slot, FIGURE_OF_LINE), w->line, value);
	}
}
