#include "tui/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "db/lists/compared.h"
#include "solve/subset.h"
#include "tui/browser.h"
#include "tui/busy.h"
#include "tui/layout.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/job.h"

/* ---- life ---- */

static void
forget_window(struct compare_window *w)
{
	free(w->values);
	*w = (struct compare_window){ .values = NULL };
}

/* Makes the listings stop reading the rows. */
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
		free(k->degrees);
		job_free(k->finding);
		job_free(k->judging);
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
	free(x->lines.of[false].pair);
	free(x->lines.of[true].pair);
	side_by_side_free(x->lines.work);
	x->lines = (struct paired_lines){ .nr = 0 };
}

void
compare_release(struct compare *x)
{
	forget_kinds(x);
	forget_lines(x);
	compare_ledger_forget(x);
	comparison_close(x->c);
	fit_sizes_release(&x->fit_sizes);
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

/* Tells the user that this takes a while. */
static void
say_busy(const struct compare *x)
{
	enum { MOST_UNTOLD = 200000 /* ranges */ };

	if (profile_totals(x->profiles[x->nr - 1])->nr_ranges > MOST_UNTOLD)
		layout_draw_busy("comparing procedures ...");
}

/* Begins a new comparison; keeps the old one when that fails. */
static int
restart(struct compare *x, const char *normalise, struct error *err)
{
	struct comparison *c;

	x->options.normalise = normalise;
	say_busy(x);
	c = comparison_open(x->profiles, x->nr, &x->options, err);
	x->options.normalise = NULL;
	if (!c)
		return -1;
	forget_kinds(x);
	forget_lines(x);
	compare_ledger_forget(x);
	comparison_close(x->c);
	x->c = c;
	x->same_work = comparison_same_work(c);
	x->agreement = comparison_agreement(c);
	compare_tree_rescale(x);
	return 0;
}

/* Was the profile recorded again, or added to? */
static bool
is_another_run(struct profile *p, const struct stored_side *side)
{
	const struct profile_totals *t = profile_totals(p);

	return t->run.started_ns != side->started_ns || t->self_ns != side->self_ns ||
	       t->blocks_executed != side->blocks_executed;
}

/* Opens the profiles of a stored comparison, if they are as they were. */
static bool
open_sides(struct compare *x, const struct stored_side *sides, size_t nr, struct error *err)
{
	for (size_t i = 0; i + 1 < nr; i++) {
		const char *id;

		x->profiles[i] = subset_open_named(sides[i].path, err);
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
		if (x->series)
			fit_sizes_init(&x->fit_sizes, x->sizes, x->nr);
		x->expression = options->expression ? xstrdup(options->expression) : NULL;
		x->normalise = options->options.normalise ? xstrdup(options->options.normalise)
							  : NULL;
		x->on = true;
		x->c = options->comparison;
		x->same_work = comparison_same_work(x->c);
		x->agreement = comparison_agreement(x->c);
	}
	if (x->nr)
		docs_init(&x->docs, x->profiles[0]);
}

/* Ends the comparison, as nothing can be compared any more: the panes show the last profile
 * alone. */
static void
end_comparing(struct browser *b, const struct error *err)
{
	struct view *source = b->panes[PANE_SOURCE];

	if (source_file(source).first)
		source_show(source, (struct subject){ 0 }, 0, NULL);
	compare_release(&b->compare);
	compare_refresh(b);
	browser_say(b, ROLE_ERROR, "no longer compared: %s", err->text);
}

/* The procedure that it is normalised by may be missing in the new profile. */
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

/* Notes what the cursor is on, before the rows go. */
static void
hold(struct browser *b)
{
	struct view *v = compare_rows_view(b);
	struct table *t = view_table(v);
	const struct list_row *row = b->compare.held.known ? NULL : table_row(t, v->cursor);

	if (row && t->kind->list == LIST_COMPARISON)
		b->compare.held = compare_row_to_hold(t, row);
}

int
compare_set(struct browser *b, enum compare_by by, const char *text, struct expression_error *err)
{
	struct compare *x = &b->compare;
	struct expression_context context;
	struct expression *e;

	if (!x->c)
		return error_set(&err->error, "only what was saved can be shown: %s", x->absent);
	if (text) {
		comparison_context(x->c, by, &context);
		if (x->series)
			context.nr_profiles = 1;
		e = expression_compile(expression_meant(text, by == BY_PROCEDURE), &context, err);
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
		return error_set(err, "only what was saved can be shown: %s", x->absent);
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

/* Lists the rows anew in the views over the panes. */
static void
refresh_views(struct browser *b)
{
	for (int i = 0; i < b->depth; i++) {
		struct view *v = b->stack[i];
		struct table *t = view_table(v);

		if (!t || t->kind->list != LIST_COMPARISON)
			continue;
		table_set_kind(t, t->kind);
		v->cursor = v->top = 0;
		table_open(v, t);
		table_layout(t, v->area.w);
	}
}

void
compare_refresh(struct browser *b)
{
	struct view *v = b->panes[PANE_SUMMARY];
	struct table *t = view_table(v);
	struct subject procedure = b->procedure;

	hold(b);
	if (b->arc_dial.dial)
		arc_dial_show(b);
	table_forget(t);
	compare_resume(b);
	summary_show(v, summary_kind(v), -1);
	refresh_views(b);
	busy_slice(b, SLICE_KEY);
	compare_seek(b);
	b->procedure = (struct subject){ 0 };
	arcs_forget(b->panes[PANE_CALLERS]);
	arcs_forget(b->panes[PANE_CALLEES]);
	browser_subject(b, procedure, 0);
	source_refresh(b->panes[PANE_SOURCE]);
	tree_refresh(b);
}

/* ---- procedures, files, lines of either profile ---- */

size_t
compare_side(const struct compare *x, bool first)
{
	return first ? 0 : x->nr - 1;
}

struct docs *
compare_docs(struct browser *b, bool first)
{
	return first ? &b->compare.docs : &b->docs;
}

bool
subject_is(struct subject a, struct subject b)
{
	return a.id == b.id && a.first == b.first;
}

struct subject
compare_procedure(struct browser *b, struct subject procedure)
{
	struct compare *x = &b->compare;
	struct subject here = { 0 };
	entity_id entity;

	if (!x->c || !procedure.first)
		return procedure;
	entity = compare_entity(b, procedure);
	if (entity)
		here.id = match_procedure(comparison_match(x->c), entity, compare_side(x, false));
	return here.id ? here : procedure;
}

struct subject
compare_of_entity(struct browser *b, uint32_t entity)
{
	struct compare *x = &b->compare;
	struct subject s = { .id = entity }; /* see profile_stored_rows() */
	struct match *m;

	if (!x->c || !entity)
		return s;
	m = comparison_match(x->c);
	s.id = match_procedure(m, entity, compare_side(x, false));
	if (!s.id)
		s = (struct subject){ match_procedure(m, entity, 0), true };
	return s;
}

uint32_t
compare_entity(struct browser *b, struct subject procedure)
{
	struct compare *x = &b->compare;

	if (!x->c)
		return procedure.id; /* see profile_stored_rows() */
	return match_entity(comparison_match(x->c), compare_side(x, procedure.first),
			    procedure.id);
}

bool
compare_row(struct browser *b, struct subject procedure, struct procedure_row *row)
{
	return profile_procedure(compare_docs(b, procedure.first)->profile, procedure.id, row);
}

struct subject
compare_other_file(struct browser *b, struct subject file)
{
	struct compare *x = &b->compare;
	struct subject other = { .first = !file.first };
	uint32_t number;

	if (!x->c || !file.id)
		return other;
	number = match_file(comparison_match(x->c), compare_side(x, file.first), file.id);
	if (number)
		other.id = match_file_in(comparison_match(x->c), number,
					 compare_side(x, other.first));
	return other;
}

model_id
compare_file(struct browser *b, struct subject file)
{
	return file.first ? compare_other_file(b, file).id : file.id;
}

uint32_t
compare_line_of(const struct line_pair *pair, bool first)
{
	return first ? pair->a : pair->b;
}

static void
index_lines(struct paired_lines *l, bool first)
{
	uint32_t *of, most = 0;

	for (size_t i = 0; i < l->nr; i++) {
		uint32_t line = compare_line_of(&l->pairs[i], first);

		most = line > most ? line : most;
	}
	of = xcalloc((size_t)most + 1, sizeof(*of));
	for (size_t i = 0; i < l->nr; i++)
		of[compare_line_of(&l->pairs[i], first)] = (uint32_t)i + 1;
	l->of[first].pair = of;
	l->of[first].nr = most;
}

bool
compare_same_text(struct browser *b, model_id first, model_id last)
{
	struct compare *x = &b->compare;

	return match_same_file(comparison_match(x->c), 0, first, compare_side(x, false), last);
}

/* Pairs line by line; the texts need not be read for that. */
static void
pair_same(struct browser *b)
{
	struct paired_lines *l = &b->compare.lines;
	const struct doc *doc = docs_get(&b->docs, l->of[false].file);

	l->nr = doc ? doc->nr_lines : 0;
	l->pairs = xcalloc(l->nr, sizeof(*l->pairs));
	for (uint32_t i = 0; i < l->nr; i++)
		l->pairs[i] = (struct line_pair){ i + 1, i + 1, false };
}

/* Pairs lines until the slice is over. Returns true when they are there. */
static bool
pair_lines(struct browser *b)
{
	struct paired_lines *l = &b->compare.lines;

	if (!side_by_side_work(l->work, busy_over, b))
		return false;
	l->nr = side_by_side_take(l->work, &l->pairs);
	side_by_side_free(l->work);
	l->work = NULL;
	index_lines(l, true);
	index_lines(l, false);
	return true;
}

bool
compare_lines(struct browser *b, model_id first, model_id last, const struct line_pair **pairs,
	      size_t *nr)
{
	struct compare *x = &b->compare;
	struct paired_lines *l = &x->lines;

	*pairs = NULL;
	*nr = 0;
	if (!x->c || !first || !last)
		return true;
	if (l->of[true].file != first || l->of[false].file != last) {
		forget_lines(x);
		l->of[true].file = first;
		l->of[false].file = last;
		if (compare_same_text(b, first, last)) {
			pair_same(b);
		} else {
			l->work = side_by_side_begin(comparison_match(x->c), 0, first,
						     compare_side(x, false), last);
			if (b->busy.patient)
				pair_lines(b);
		}
	}
	*nr = l->nr;
	*pairs = l->pairs;
	return !l->work;
}

int
compare_lines_percent(const struct browser *b)
{
	return b->compare.lines.work ? side_by_side_percent(b->compare.lines.work) : 100;
}

/* The other text was asked for before the corresponding line was known. */
static void
follow_line(struct browser *b)
{
	struct paired_lines *l = &b->compare.lines;
	struct view *source = b->panes[PANE_SOURCE];
	struct subject file = source_file(source);
	struct subject other = { l->of[!file.first].file, !file.first };
	uint32_t from = l->from, line;
	enum compare_mark mark;

	l->from = 0;
	if (!from || source->cursor + 1 != from || file.id != l->of[file.first].file)
		return;
	line = compare_other_line(b, other, from, &mark);
	if (line)
		source_show(source, file, line, NULL);
}

unsigned
compare_lines_idle(struct browser *b)
{
	if (!b->compare.lines.work)
		return 0;
	busy_slice(b, SLICE_IDLE);
	if (!pair_lines(b))
		return WORK_MORE;
	follow_line(b);
	return WORK_MORE | WORK_NEW;
}

const char *
compare_uses(const struct browser *b, bool first, model_id procedure)
{
	const struct compare *x = &b->compare;
	const struct match *m = x->c ? comparison_match(x->c) : NULL;
	size_t side = m ? compare_side(x, first) : 0;
	entity_id e = m ? match_entity(m, side, procedure) : 0;

	for (size_t k = 0; e && k < match_profiles(m); k++)
		if (*match_uses(m, e, k))
			return match_uses(m, e, k);
	return "";
}

uint32_t
compare_other_line(struct browser *b, struct subject file, uint32_t line, enum compare_mark *mark)
{
	struct compare *x = &b->compare;
	struct subject other = compare_other_file(b, file);
	model_id first = file.first ? file.id : other.id, last = file.first ? other.id : file.id;
	const struct line_pair *pairs;
	uint32_t at, there;
	size_t nr;

	*mark = SAME_TEXT;
	if (!x->c)
		return 0;
	if (other.id && compare_same_text(b, first, last))
		return line;
	if (!compare_lines(b, first, last, &pairs, &nr)) {
		*mark = NOT_KNOWN_YET;
		return 0;
	}
	at = !nr || line > x->lines.of[file.first].nr ? 0 : x->lines.of[file.first].pair[line];
	there = at ? compare_line_of(&pairs[at - 1], other.first) : 0;
	if (nr && !there)
		*mark = ONLY_HERE;
	else if (nr && pairs[at - 1].changed)
		*mark = CHANGED_TEXT;
	return there;
}
