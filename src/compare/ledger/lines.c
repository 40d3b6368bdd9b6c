/* Lines: those that both profiles have, and the one of a row that has changed most. */
#include <math.h>
#include <stdlib.h>

#include "compare/ledger/parts.h"
#include "db/store/bulk.h"
#include "util/order.h"

struct reading { struct ledger *l; size_t side; };

static void
add_line(void *context, const struct bulk_row *row)
{
	struct reading *r = context;
	struct ledger_side *s = &r->l->sides[r->side];
	struct side *side = &r->l->m->sides[r->side];
	const struct side_span *span = side_span_at(side, row->place.file, row->place.line);

	if (!span || row->uncounted)
		return;
	GROW(s->lines, s->nr_lines + 1, s->lines_alloc);
	s->lines[s->nr_lines++] = (struct ledger_line){
		.procedure = side->procedures[span->procedure - 1].entity,
		.file = row->place.file, .line = row->place.line,
		.count = (double)row->figures[FIGURE_COUNT] / s->runs,
		.ns = (double)row->figures[r->l->of == LEDGER_WAIT ? FIGURE_SELF_WAIT_NS
								 : FIGURE_SELF_NS] / s->runs,
	};
}

static int
compare_lines(const void *pa, const void *pb)
{
	const struct ledger_line *a = pa, *b = pb;

	COMPARE(a->procedure, b->procedure);
	COMPARE(a->file, b->file);
	COMPARE(a->line, b->line);
	return 0;
}

static void
order_lines(struct ledger *l, struct ledger_side *s)
{
	size_t at = 0;

	if (s->nr_lines)
		qsort(s->lines, s->nr_lines, sizeof(*s->lines), compare_lines);
	s->first_line = xcalloc(l->nr + 1, sizeof(*s->first_line));
	for (size_t e = 0; e <= l->nr; e++) {
		while (at < s->nr_lines && s->lines[at].procedure < e)
			at++;
		s->first_line[e] = at;
	}
}

/* Returns the position of a line of E on side 0, + 1; 0: there is none. */
static uint32_t
find_line(const struct ledger *l, entity_id e, model_id file, uint32_t line)
{
	const struct ledger_side *s = &l->sides[0];
	struct ledger_line key = { .procedure = e, .file = file, .line = line };
	const struct ledger_line *found = NULL;

	if (s->first_line[e] < s->first_line[e + 1])
		found = bsearch(&key, s->lines + s->first_line[e],
				s->first_line[e + 1] - s->first_line[e], sizeof(key),
				compare_lines);
	return found ? (uint32_t)(found - s->lines) + 1 : 0;
}

void
ledger_join_lines(struct ledger *l, entity_id e)
{
	struct ledger_side *b = &l->sides[1];

	if (e + 1 > l->nr)
		return;
	for (size_t i = b->first_line[e]; i < b->first_line[e + 1]; i++) {
		struct matched_place at;

		if (b->lines[i].pair)
			continue;
		match_line(l->m, 1, b->lines[i].file, b->lines[i].line, &at);
		b->lines[i].pair = at.home ? 0 : find_line(l, e, at.place.file, at.place.line);
		if (b->lines[i].pair)
			l->sides[0].lines[b->lines[i].pair - 1].pair = (uint32_t)i + 1;
		job_pause(1);
	}
}

static void
count_lines(struct ledger *l, entity_id e)
{
	struct ledger_procedure *p = &l->procedures[e];

	for (size_t k = 0; k < 2; k++) {
		const struct ledger_side *s = &l->sides[k];

		for (size_t i = s->first_line[e]; i < s->first_line[e + 1]; i++)
			*(s->lines[i].pair ? &p->matched[k] : &p->single[k]) += s->lines[i].count;
	}
}

int
ledger_read_lines(struct ledger *l)
{
	uint64_t figures = FIGURE_BIT(FIGURE_COUNT) | FIGURE_BIT(FIGURE_SELF_NS) |
			   FIGURE_BIT(FIGURE_SELF_WAIT_NS);

	for (size_t k = 0; k < 2; k++) {
		struct reading r = { l, k };
		struct profile *p = l->sides[k].p;

		if (profile_bulk(p, BULK_LINE, figures, add_line, &r))
			return error_set(&l->error, "%s", profile_error(p));
		order_lines(l, &l->sides[k]);
		job_pause(JOB_LOOK);
	}
	for (entity_id e = 1; e < l->nr; e++)
		if (l->changed[e]) {
			ledger_join_lines(l, e);
			count_lines(l, e);
		}
	return 0;
}

/* ---- the line of a row ---- */

/* Is a site a call that ITEM is about? */
static bool
is_of_item(const struct ledger *l, size_t k, const struct ledger_site *at,
	   const struct ledger_item *item)
{
	if (item->kind == LEDGER_LIBRARY)
		return at->cell && at->cell != POINTER_CELL &&
		       l->cells[at->cell - 1].name == item->name;
	return at->cell == POINTER_CELL ||
	       (at->callee && at->callee == match_entity(l->m, k, item->callee[k]));
}

/* Returns how often the calls on a line that ITEM is about are executed; -1: there are none. */
static double
calls_on(const struct ledger *l, size_t k, const struct ledger_line *line,
	 const struct ledger_item *item)
{
	const struct ledger_side *s = &l->sides[k];
	double calls = -1;

	for (size_t i = line ? s->first_site[line->procedure] : 0;
	     line && i < s->first_site[line->procedure + 1]; i++) {
		const struct ledger_site *at = &s->sites[i];

		if (at->file == line->file && at->line == line->line &&
		    is_of_item(l, k, at, item))
			calls = fmax(calls, 0) + at->count;
	}
	return calls;
}

/* Of work the largest change of a count, of a price that of time. */
static double
change_of(const struct ledger *l, const struct ledger_item *item, const struct ledger_line *a,
	  const struct ledger_line *b)
{
	bool own = item->kind == LEDGER_OWN || item->kind == LEDGER_LINES;
	double calls[2] = { 0, 0 };

	if (!own) {
		calls[0] = calls_on(l, 0, a, item);
		calls[1] = calls_on(l, 1, b, item);
		if (calls[0] < 0 && calls[1] < 0)
			return 0;
	}
	if (item->price)
		return fabs((b ? b->ns : 0) - (a ? a->ns : 0));
	if (!own)
		return fabs(fmax(calls[1], 0) - fmax(calls[0], 0));
	return fabs((b ? b->count : 0) - (a ? a->count : 0));
}

static void
set_place(struct place *at, const struct ledger_line *line)
{
	*at = line ? (struct place){ line->file, line->line, 1, line->line, 1 }
		   : (struct place){ .file = 0 };
}

static void
look(const struct ledger *l, struct ledger_made *row, const struct ledger_item *item,
     const struct ledger_line *a, const struct ledger_line *b, double *most)
{
	double change = change_of(l, item, a, b);

	if (!(change > *most))
		return;
	*most = change;
	set_place(&row->row.at[0], a);
	set_place(&row->row.at[1], b);
}

void
ledger_find_line(struct ledger *l, struct ledger_made *row)
{
	const struct ledger_side *a = &l->sides[0], *b = &l->sides[1];
	entity_id e = row->procedure;
	double most = 0;

	if (!e || !row->row.nr_items || row->cycle || row->row.items[0].kind == LEDGER_BYTES)
		return;
	ledger_join_lines(l, e);
	for (size_t i = b->first_line[e]; i < b->first_line[e + 1]; i++)
		look(l, row, &row->row.items[0],
		     b->lines[i].pair ? &a->lines[b->lines[i].pair - 1] : NULL, &b->lines[i],
		     &most);
	for (size_t i = a->first_line[e]; i < a->first_line[e + 1]; i++)
		if (!a->lines[i].pair)
			look(l, row, &row->row.items[0], &a->lines[i], NULL, &most);
}
