#include "db/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/model/table.h"

void
model_init(struct model *m)
{
	memset(m, 0, sizeof(*m));
	m->arena = (struct arena)ARENA_INIT;
}

void
model_release(struct model *m)
{
	for (int i = 0; i < NR_TABLES; i++)
		if (tables[i].items)
			free(*(void **)((char *)m + tables[i].items));
	arena_release(&m->arena);
	model_init(m);
}

void
model_note(struct model *m, const char *kind, const char *format, ...)
{
	struct model_note *note = MODEL_ADD(m, notes);
	va_list ap;
	char *text;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	note->kind = arena_strdup(&m->arena, kind);
	note->text = n < 0 ? "" : arena_strdup(&m->arena, text);
	if (n >= 0)
		free(text);
}

void
model_note_once(struct model *m, const char *kind, const char *text)
{
	size_t i;

	for (i = 0; i < m->nr_notes; i++)
		if (!strcmp(m->notes[i].text, text))
			return;
	model_note(m, kind, "%s", text);
}

void
model_drop_notes(struct model *m, const char *kind)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nr_notes; i++) {
		if (strcmp(m->notes[i].kind, kind))
			m->notes[n++] = m->notes[i];
	}
	m->nr_notes = n;
}

bool
place_same(const struct place *a, const struct place *b)
{
	return a->file == b->file && a->line == b->line && a->column == b->column &&
	       a->end_line == b->end_line && a->end_column == b->end_column;
}

bool
place_holds(const struct place *outer, const struct place *inner)
{
	bool begins = inner->line > outer->line ||
		      (inner->line == outer->line && inner->column >= outer->column);
	bool ends = inner->end_line < outer->end_line ||
		    (inner->end_line == outer->end_line && inner->end_column <= outer->end_column);

	return begins && ends && inner->file == outer->file;
}

size_t
model_arc_find(const struct model *m, model_id site, model_id callee)
{
	size_t lo = 0, hi = m->nr_arcs, mid;

	while (lo < hi) {
		const struct model_arc *a;

		mid = lo + (hi - lo) / 2;
		a = &m->arcs[mid];
		if (a->site < site || (a->site == site && a->callee < callee))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->nr_arcs && m->arcs[lo].site == site && m->arcs[lo].callee == callee ?
	       lo : m->nr_arcs;
}
