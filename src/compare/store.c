#include "compare/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/verdict.h"
#include "db/model/table.h"
#include "util/order.h"

const char *
compared_kind(const struct compared *t, const struct compared_row *row)
{
	switch (compared_by(t)) {
	case BY_RANGE:
		return stored_range_kinds[row->kind];
	case BY_ARC:
	case BY_PAIR:
		return stored_arc_hows[row->kind];
	case BY_DISPOSER:
		return stored_disposal_hows[row->kind];
	default:
		return compare_by_name(compared_by(t));
	}
}

void
comparison_store(const struct comparison *c, const double *sizes, struct model *m)
{
	/* The rows that an earlier comparison left are about other profiles. */
	m->nr_compared = m->nr_metrics = m->nr_comparisons = 0;
	for (size_t k = 0; k < comparison_profiles(c); k++) {
		struct profile *p = comparison_profile(c, k);
		const struct model_run *run = &profile_totals(p)->run;
		struct comparison_scale scale = comparison_scale(c, k);

		*MODEL_ADD(m, compared) = (struct model_compared){
			.name = arena_strdup(&m->arena, sides_name(k)),
			.path = arena_strdup(&m->arena, profile_name(p)),
			.command = arena_strdup(&m->arena, run->command),
			.build_id = arena_strdup(&m->arena, run->build_id),
			.size = sizes[k], .count_scale = scale.count, .time_scale = scale.time,
			.started_ns = run->started_ns,
			.blocks_executed = profile_totals(p)->blocks_executed,
			.self_ns = profile_totals(p)->self_ns,
		};
	}
}

/* A procedure by its id in the last profile, or by its name. */
static void
set_procedure(const struct match *match, struct arena *arena, entity_id entity, model_id *id,
	      const char **name)
{
	if (!entity)
		return;
	*id = match_procedure(match, entity, match_profiles(match) - 1);
	if (!*id)
		*name = arena_strdup(arena, match_name(match, entity));
}

/* Sets the place in the last profile, else where it is. */
static void
set_place(const struct compared *t, const struct match *match, size_t i, struct arena *arena,
	  struct model_comparison *row)
{
	size_t last = match_profiles(match) - 1, k = compared_holder(t, i, &row->place);
	enum compare_by by = compared_by(t);

	if (k != last && row->place.file) {
		row->path = arena_strdup(arena, match_path(match, k, row->place.file));
		row->place.file = 0;
	}
	if (by == BY_LINE)
		row->place.column = row->place.end_column = 0;
	if (by == BY_FILE)
		row->place = (struct place){ .file = row->place.file };
}

static struct scalar_value
figure_on(const struct compared *t, size_t i, size_t profile, const struct sides *sides)
{
	if (!sides_have(sides, profile))
		return (struct scalar_value){ .type = SCALAR_NULL };
	return compared_value(t, i, profile, compared_figure_of(t, profile));
}

const char *
compared_callee(const struct compared *t, size_t i, const struct compared_row *r,
		struct arena *arena)
{
	enum compare_by by = compared_by(t);
	struct strbuf name = STRBUF_INIT;
	struct place place;
	const char *text;
	size_t k;

	if (r->callee || !compare_by_is_called(by))
		return NULL;
	k = compared_holder(t, i, &place);
	profile_called_name(compared_profile(t, k), compare_by_is_arcs(by), compared_id(t, i, k),
			    &name);
	text = name.len ? arena_strdup(arena, name.buf) : NULL;
	strbuf_release(&name);
	return text;
}

/* Fills ROW with row I of T as it is stored, but for its metric; texts are in ARENA. */
static void
stored_row(const struct compared *t, size_t i, struct arena *arena,
		struct model_comparison *row)
{
	const struct match *match = compared_match(t);
	struct compared_row r;
	struct strbuf sides = STRBUF_INIT;

	compared_row(t, i, &r);
	*row = (struct model_comparison){ .metric = 0 };
	set_procedure(match, arena, r.entity, &row->procedure, &row->procedure_name);
	row->callee_name = compared_callee(t, i, &r, arena);
	set_procedure(match, arena, r.callee, &row->callee, &row->callee_name);
	set_place(t, match, i, arena, row);
	row->kind = compared_kind(t, &r);
	row->type = *r.type ? arena_strdup(arena, r.type) : NULL;
	row->size_class = r.size_class ? r.size_class : COUNT_UNKNOWN;
	row->a = figure_on(t, i, 0, &r.sides);
	row->b = figure_on(t, i, match_profiles(match) - 1, &r.sides);
	row->value = r.value;
	compared_sides(t, &r, &sides);
	row->sides = arena_strdup(arena, sides.buf);
	strbuf_release(&sides);
	row->significance = r.significance;
	row->arcs = r.arcs;
}

/* The source text is that of the place which listings show. */
static void
set_holder(const struct compared *t, size_t i, struct compared_record *r)
{
	bool first = !r->row.place.file && r->first.file;
	struct place place = r->first;
	size_t k = first ? 0 : compared_holder(t, i, &place);

	r->held_file = place.file;
	if (r->held_file)
		r->holder = compared_profile(t, k);
}

void
compared_listed(const struct compared *t, size_t i, bool first, struct arena *arena,
		struct compared_record *r)
{
	enum compare_by by = compared_by(t);
	struct row_verdict verdict = compared_verdict(t, i);
	struct compared_row row;

	stored_row(t, i, arena, &r->row);
	compared_row(t, i, &row);
	r->owner = row.entity;
	r->estimated = row.estimated;
	r->verdict = verdict.verdict ? verdict_word(verdict.verdict) : NULL;
	r->least = verdict.least;
	if (compare_by_is_arcs(by)) {
		r->caller = row.entity;
		r->callee = row.callee;
		r->arcs = row.arcs;
	}
	if (first && compared_place(t, i, 0, &r->first) && r->first.file)
		r->first_path = match_path(compared_match(t), 0, r->first.file);
	if (by != BY_PROCEDURE && by != BY_FILE)
		set_holder(t, i, r);
	if (by == BY_FILE)
		r->first = (struct place){ .file = r->first.file };
	if (by == BY_LINE)
		r->first.column = r->first.end_column = 0;
}

/* ---- arcs and their pairs ---- */

/* A stored row of arcs or pairs: the ends, and the number of the row. */
struct stored_call { entity_id caller, callee; const char *outside; uint32_t row; };

static int
compare_calls(const void *pa, const void *pb)
{
	const struct stored_call *a = pa, *b = pb;

	COMPARE(a->caller, b->caller);
	COMPARE(a->callee, b->callee);
	return strcmp(a->outside, b->outside);
}

/* Returns the calls that rows FIRST.. of M, which are those of T, stand for; heap, the caller's. */
static struct stored_call *
stored_calls(const struct compared *t, const struct model *m, size_t first)
{
	size_t nr = compared_rows(t);
	struct stored_call *calls = xcalloc(nr, sizeof(*calls));

	for (size_t i = 0; i < nr; i++) {
		const char *outside = m->comparisons[first + i].callee_name;
		struct compared_row r;

		compared_what(t, i, &r);
		calls[i] = (struct stored_call){
			.caller = r.entity, .callee = r.callee,
			.outside = outside && !r.callee ? outside : "",
			.row = (uint32_t)(first + i),
		};
	}
	return calls;
}

static size_t
first_of_metric(const struct model *m, enum compare_by by)
{
	for (size_t i = 0; i < m->nr_comparisons; i++) {
		if (!strcmp(m->metrics[m->comparisons[i].metric - 1].things, compare_by_name(by)))
			return i;
	}
	return m->nr_comparisons;
}

void
compared_store_pairs(const struct compared *arcs, const struct compared *pairs, struct model *m)
{
	size_t nr_arcs = compared_rows(arcs), nr_pairs = compared_rows(pairs);
	struct stored_call *arc = stored_calls(arcs, m, first_of_metric(m, BY_ARC));
	struct stored_call *pair = stored_calls(pairs, m, first_of_metric(m, BY_PAIR));

	qsort(pair, nr_pairs, sizeof(*pair), compare_calls);
	for (size_t i = 0; i < nr_arcs; i++) {
		const struct stored_call *of =
			bsearch(&arc[i], pair, nr_pairs, sizeof(*pair), compare_calls);

		if (of)
			m->comparisons[arc[i].row].pair = of->row + 1;
	}
	free(arc);
	free(pair);
}

void
compared_store(const struct compared *t, const char *name, struct model *m)
{
	const char *text = expression_text(compared_expression(t));

	*MODEL_ADD(m, metrics) = (struct model_metric){
		.name = arena_strdup(&m->arena, name ? name : text),
		.expression = arena_strdup(&m->arena, text),
		.things = compare_by_name(compared_by(t)),
		.figure = figure_name(compared_figure(t)),
	};
	for (size_t i = 0; i < compared_rows(t); i++) {
		struct model_comparison *row = MODEL_ADD(m, comparisons);
		struct compared_row r;

		stored_row(t, i, &m->arena, row);
		compared_row(t, i, &r);
		/* Several calls have several places. */
		if (r.arcs > 1) {
			row->place = (struct place){ .file = 0 };
			row->path = NULL;
		}
		row->metric = (model_id)m->nr_metrics;
	}
}
