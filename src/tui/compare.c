#include "tui/compare.h"

#include <stdlib.h>
#include <string.h>

#include "db/compared.h"
#include "tui/browser.h"
#include "tui/busy.h"
#include "tui/layout.h"
#include "tui/views.h"

/* ---- life ---- */

static void
forget_window(struct compare_window *w)
{
	free(w->values);
	*w = (struct compare_window){ .values = NULL };
}

/* No listing reads the rows any more. */
static void
unlist(struct compare *x)
{
	for (int i = 0; i < NR_COMPARE_BY; i++) {
		if (x->kinds[i].listed)
			profile_compared_set(x->profiles[x->nr - 1], i + 1, NULL);
		x->kinds[i].listed = false;
	}
}

static void
forget_kinds(struct compare *x)
{
	unlist(x);
	for (int i = 0; i < NR_COMPARE_BY; i++) {
		struct compare_kind *k = &x->kinds[i];

		series_release(&k->series);
		free(k->exponents);
		ends_release(&k->ends);
		free(k->expression);
		*k = (struct compare_kind){ .state = COMPARE_NEW };
		forget_window(&x->windows[false][i]);
		forget_window(&x->windows[true][i]);
	}
	compare_tree_forget(x);
}

static void
forget_lines(struct compare *x)
{
	free(x->lines.pairs);
	free(x->lines.of_a);
	free(x->lines.of_b);
	side_by_side_free(x->lines.work);
	x->lines = (struct paired_lines){ .nr = 0 };
}

void
compare_release(struct compare *x)
{
	forget_kinds(x);
	forget_lines(x);
	comparison_close(x->c);
	if (x->nr)
		docs_release(&x->docs);
	for (size_t i = 0; i < x->nr; i++)
		if (x->opened[i])
			profile_close(x->profiles[i]);
	free(x->absent);
	free(x->expression);
	free(x->before);
	free(x->normalise);
	memset(x, 0, sizeof(*x));
}

/* What takes a while is told. */
static void
tell(const struct compare *x)
{
	enum { MOST_UNTOLD = 200000 /* ranges */ };

	if (profile_totals(x->profiles[x->nr - 1])->nr_ranges > MOST_UNTOLD)
		layout_draw_busy("comparing procedures ...");
}

/* All anew; what was is kept when that fails. */
static int
restart(struct compare *x, const char *normalise, struct error *err)
{
	struct comparison *c;

	x->options.normalise = normalise;
	tell(x);
	c = comparison_open(x->profiles, x->nr, &x->options, err);
	x->options.normalise = NULL;
	if (!c)
		return -1;
	forget_kinds(x);
	forget_lines(x);
	comparison_close(x->c);
	x->c = c;
	compare_tree_rescale(x);
	return 0;
}

/* Has the profile been recorded again, or added to? */
static bool
is_another_run(struct profile *p, const struct stored_side *side)
{
	const struct profile_totals *t = profile_totals(p);

	return t->run.started_ns != side->started_ns || t->self_ns != side->self_ns ||
	       t->blocks_executed != side->blocks_executed;
}

/* The profiles of a stored comparison, if they are as they were. */
static bool
open_sides(struct compare *x, const struct stored_side *sides, size_t nr, struct error *err)
{
	for (size_t i = 0; i + 1 < nr; i++) {
		const char *id;

		x->profiles[i] = profile_open(sides[i].path, err);
		if (!x->profiles[i])
			return false;
		x->opened[i] = true;
		id = profile_totals(x->profiles[i])->run.build_id;
		if (strcmp(id ? id : "", sides[i].build_id)) {
			error_set(err, "%s is of another build now", sides[i].path);
			return false;
		}
		if (is_another_run(x->profiles[i], &sides[i])) {
			error_set(err, "%s has been recorded again since", sides[i].path);
			return false;
		}
		if (sides[i].count_scale != 1 || sides[i].time_scale != 1) {
			error_set(err, "it was normalised");
			return false;
		}
	}
	return true;
}

static void
open_stored(struct browser *b)
{
	struct compare *x = &b->compare;
	struct stored_side sides[MAX_PROFILES];
	size_t nr = profile_stored_sides(b->profile, sides, MAX_PROFILES);
	struct error err = ERROR_INIT;
	bool normalised = false;

	if (nr < 2)
		return;
	x->nr = nr;
	for (size_t i = 0; i < nr; i++) {
		x->options.sizes[i] = x->sizes[i] = sides[i].size;
		normalised |= sides[i].count_scale != 1 || sides[i].time_scale != 1;
	}
	x->profiles[nr - 1] = b->profile;
	x->on = true;
	for (int by = 0; by < NR_COMPARE_BY && !x->expression; by++) {
		x->begin = (enum compare_by)by;
		x->expression = profile_stored_expression(b->profile, compare_by_name(x->begin));
	}
	if (normalised)
		error_set(&err, "it was normalised");
	else if (open_sides(x, sides, nr, &err) && !restart(x, NULL, &err))
		return;
	x->absent = xstrdup(err.text);
}

void
compare_open(struct browser *b, const struct tui_compare *options)
{
	struct compare *x = &b->compare;

	if (!options) {
		open_stored(b);
	} else {
		x->nr = options->nr;
		memcpy(x->profiles, options->profiles, x->nr * sizeof(*x->profiles));
		x->options = options->options;
		memcpy(x->sizes, options->options.sizes, sizeof(x->sizes));
		x->series = options->series;
		x->expression = options->expression ? xstrdup(options->expression) : NULL;
		x->normalise = options->options.normalise ? xstrdup(options->options.normalise)
							  : NULL;
		x->on = true;
		x->c = options->comparison;
	}
	if (x->nr)
		docs_init(&x->docs, x->profiles[0]);
}

/* There is nothing to compare with any more: the panes are those of the last profile alone. */
static void
end_comparing(struct browser *b, const struct error *err)
{
	struct view *source = b->panes[PANE_SOURCE];

	if (source_is_first(source))
		source_show(source, false, 0, 0, NULL);
	compare_release(&b->compare);
	compare_refresh(b);
	browser_say(b, ROLE_ERROR, "no longer compared: %s", err->text);
}

/* What it is normalised by may have nothing in the profile that there is now. */
static int
restart_somehow(struct compare *x, struct error *err)
{
	x->unscaled = false;
	if (!restart(x, x->normalise, err))
		return 0;
	if (!x->normalise)
		return -1;
	x->unscaled = true;
	*err = (struct error)ERROR_INIT;
	return restart(x, NULL, err);
}

void
compare_take(struct browser *b)
{
	struct compare *x = &b->compare;
	struct error err = ERROR_INIT;

	if (!x->nr)
		return;
	unlist(x);
	x->profiles[x->nr - 1] = b->profile;
	if (!x->c)
		forget_kinds(x);
	else if (restart_somehow(x, &err))
		end_comparing(b, &err);
}

bool
compare_is_on(const struct browser *b)
{
	return b->compare.on;
}

/* ---- changes ---- */

/* What a row is about, whatever its number. */
static struct row_subject
subject_of(const struct table *t, const struct list_row *row)
{
	return (struct row_subject){
		.known = true, .owner = table_number(t, row, "owner"),
		.place = table_place(t, row), .first = table_first_place(t, row),
	};
}

/* Note what the cursor is on, before the rows go. */
static void
hold(struct browser *b)
{
	struct view *v = b->panes[PANE_SUMMARY];
	struct table *t = view_table(v);
	const struct list_row *row = b->compare.held.known ? NULL : table_row(t, v->cursor);

	if (row && t->kind->list == LIST_COMPARISON)
		b->compare.held = subject_of(t, row);
}

int
compare_set(struct browser *b, enum compare_by by, const char *text, struct expression_error *err)
{
	struct compare *x = &b->compare;
	const struct named_expression *named = text ? expression_find(text) : NULL;
	struct expression_context context;
	struct expression *e;

	if (!x->c)
		return error_set(&err->error, "only what is stored can be shown: %s", x->absent);
	if (text) {
		comparison_context(x->c, by, &context);
		if (x->series)
			context.nr_profiles = 1;
		e = expression_compile(named ? named->expression : text, &context, err);
		if (!e)
			return -1;
		expression_free(e);
	}
	hold(b);
	free(x->expression);
	x->expression = text ? xstrdup(text) : NULL;
	forget_kinds(x);
	return 0;
}

int
compare_normalise(struct browser *b, const char *what, struct error *err)
{
	struct compare *x = &b->compare;
	char *copy = what ? xstrdup(what) : NULL;

	if (!x->c) {
		free(copy);
		return error_set(err, "only what is stored can be shown: %s", x->absent);
	}
	hold(b);
	if (restart(x, what, err)) {
		free(copy);
		return -1;
	}
	free(x->normalise);
	x->normalise = copy;
	x->unscaled = false;
	return 0;
}

void
compare_refresh(struct browser *b)
{
	struct view *v = b->panes[PANE_SUMMARY];
	struct table *t = view_table(v);
	model_id procedure = b->procedure;

	hold(b);
	if (b->turn.dial)
		turn_show(b);
	table_forget(t);
	compare_resume(b);
	summary_show(v, summary_kind(v), -1);
	busy_slice(b, SLICE_KEY);
	compare_seek(b);
	b->procedure = 0;
	arcs_forget(b->panes[PANE_CALLERS]);
	arcs_forget(b->panes[PANE_CALLEES]);
	browser_subject(b, procedure, 0);
	source_refresh(b->panes[PANE_SOURCE]);
	tree_refresh(b);
}

/* ---- procedures, files, lines of either profile ---- */

static size_t
last(const struct compare *x)
{
	return x->nr - 1;
}

model_id
compare_procedure(struct browser *b, bool first, model_id procedure)
{
	struct compare *x = &b->compare;
	struct match *m;
	entity_id entity;
	model_id here;

	if (!x->c || !first || !procedure)
		return procedure;
	m = comparison_match(x->c);
	entity = match_entity(m, 0, procedure);
	here = entity ? match_procedure(m, entity, last(x)) : 0;
	return here ? here : procedure | COMPARE_FIRST;
}

model_id
compare_of_entity(struct browser *b, uint32_t entity)
{
	struct compare *x = &b->compare;
	model_id first, here;

	if (!x->c || !entity)
		return entity;
	here = match_procedure(comparison_match(x->c), entity, last(x));
	first = here ? 0 : match_procedure(comparison_match(x->c), entity, 0);
	return here ? here : first ? first | COMPARE_FIRST : 0;
}

uint32_t
compare_entity(struct browser *b, model_id procedure)
{
	struct compare *x = &b->compare;

	if (!x->c)
		return procedure; /* see profile_stored_rows() */
	if (procedure & COMPARE_FIRST)
		return match_entity(comparison_match(x->c), 0, procedure & ~COMPARE_FIRST);
	return match_entity(comparison_match(x->c), last(x), procedure);
}

const char *
compare_name(struct browser *b, model_id procedure, struct place *place, bool *first)
{
	static struct procedure_row row;

	*first = procedure & COMPARE_FIRST;
	if (!*first && procedure & COMPARE_ENTITY) {
		*place = (struct place){ .file = 0 };
		return match_name(comparison_match(b->compare.c), procedure & ~COMPARE_ENTITY);
	}
	if (!profile_procedure(*first ? b->compare.profiles[0] : b->profile,
			       procedure & ~COMPARE_FIRST, &row))
		return NULL;
	*place = row.place;
	return row.name;
}

model_id
compare_other_file(struct browser *b, bool first, model_id file)
{
	struct compare *x = &b->compare;
	struct match *m;
	uint32_t number;

	if (!x->c || !file)
		return 0;
	m = comparison_match(x->c);
	number = match_file(m, first ? 0 : last(x), file);
	return number ? match_file_in(m, number, first ? last(x) : 0) : 0;
}

static uint32_t *
index_lines(const struct line_pair *pairs, size_t nr, bool first, uint32_t *most)
{
	uint32_t *of;

	*most = 0;
	for (size_t i = 0; i < nr; i++) {
		uint32_t line = first ? pairs[i].a : pairs[i].b;

		*most = line > *most ? line : *most;
	}
	of = xcalloc((size_t)*most + 1, sizeof(*of));
	for (size_t i = 0; i < nr; i++)
		of[first ? pairs[i].a : pairs[i].b] = (uint32_t)i + 1;
	return of;
}

bool
compare_same_text(struct browser *b, model_id file_a, model_id file_b)
{
	struct compare *x = &b->compare;

	return match_same_file(comparison_match(x->c), 0, file_a, last(x), file_b);
}

/* Line by line; the texts need not be read for that. */
static void
pair_same(struct browser *b)
{
	struct compare *x = &b->compare;
	const struct doc *doc = docs_get(&b->docs, x->lines.b);

	x->lines.nr = doc ? doc->nr_lines : 0;
	x->lines.pairs = xcalloc(x->lines.nr, sizeof(*x->lines.pairs));
	for (uint32_t i = 0; i < x->lines.nr; i++)
		x->lines.pairs[i] = (struct line_pair){ i + 1, i + 1, false };
}

/* Until the slice is over. True: they are there. */
static bool
pair_lines(struct browser *b)
{
	struct compare *x = &b->compare;

	if (!side_by_side_work(x->lines.work, busy_over, b))
		return false;
	x->lines.nr = side_by_side_take(x->lines.work, &x->lines.pairs);
	side_by_side_free(x->lines.work);
	x->lines.work = NULL;
	x->lines.of_a = index_lines(x->lines.pairs, x->lines.nr, true, &x->lines.nr_a);
	x->lines.of_b = index_lines(x->lines.pairs, x->lines.nr, false, &x->lines.nr_b);
	return true;
}

bool
compare_lines(struct browser *b, model_id file_a, model_id file_b, const struct line_pair **pairs,
	      size_t *nr)
{
	struct compare *x = &b->compare;

	*pairs = NULL;
	*nr = 0;
	if (!x->c || !file_a || !file_b)
		return true;
	if (x->lines.a != file_a || x->lines.b != file_b) {
		forget_lines(x);
		x->lines.a = file_a;
		x->lines.b = file_b;
		if (compare_same_text(b, file_a, file_b)) {
			pair_same(b);
		} else {
			x->lines.work = side_by_side_begin(comparison_match(x->c), 0, file_a,
							   last(x), file_b);
			if (b->busy.patient)
				pair_lines(b);
		}
	}
	*nr = x->lines.nr;
	*pairs = x->lines.pairs;
	return !x->lines.work;
}

int
compare_lines_percent(const struct browser *b)
{
	return b->compare.lines.work ? side_by_side_percent(b->compare.lines.work) : 100;
}

/* The other text was asked for before it was known which of its lines corresponds. */
static void
follow_line(struct browser *b)
{
	struct compare *x = &b->compare;
	struct view *source = b->panes[PANE_SOURCE];
	bool first = source_is_first(source);
	uint32_t from = x->lines.from, line;
	enum compare_mark mark;

	x->lines.from = 0;
	if (!from || source->cursor + 1 != from ||
	    source_file(source) != (first ? x->lines.a : x->lines.b))
		return;
	line = compare_other_line(b, !first, first ? x->lines.b : x->lines.a, from, &mark);
	if (line)
		source_show(source, first, source_file(source), line, NULL);
}

unsigned
compare_lines_idle(struct browser *b)
{
	struct compare *x = &b->compare;

	if (!x->lines.work)
		return 0;
	busy_slice(b, SLICE_IDLE);
	if (!pair_lines(b))
		return WORK_MORE;
	follow_line(b);
	return WORK_MORE | WORK_NEW;
}

uint32_t
compare_other_line(struct browser *b, bool first, model_id file, uint32_t line,
		   enum compare_mark *mark)
{
	struct compare *x = &b->compare;
	model_id other = compare_other_file(b, first, file);
	const struct line_pair *pairs;
	uint32_t at, there;
	size_t nr;

	*mark = SAME_TEXT;
	if (!x->c)
		return 0;
	if (other && compare_same_text(b, first ? file : other, first ? other : file))
		return line;
	if (!compare_lines(b, first ? file : other, first ? other : file, &pairs, &nr)) {
		*mark = NOT_KNOWN_YET;
		return 0;
	}
	at = !nr || line > (first ? x->lines.nr_a : x->lines.nr_b) ? 0
	     : first ? x->lines.of_a[line] : x->lines.of_b[line];
	there = !at ? 0 : first ? pairs[at - 1].b : pairs[at - 1].a;
	if (nr && !there)
		*mark = ONLY_HERE;
	else if (nr && pairs[at - 1].changed)
		*mark = CHANGED_TEXT;
	return there;
}
