#include "tui/views/tree_view.h"

#include <stdlib.h>
#include <string.h>

#include "show/value.h"
#include "tui/busy.h"
#include "tui/views.h"
#include "tui/views/table.h"

/* ---- state ---- */

/* Do both want the same tree, whatever the counts are? */
static bool
same_tree(const struct tree_want *a, const struct tree_want *b)
{
	return a->source == b->source && a->bottom_up == b->bottom_up && a->measure == b->measure &&
	       a->procedure == b->procedure;
}

static bool
same_want(const struct tree_want *a, const struct tree_want *b)
{
	return same_tree(a, b) && a->changed == b->changed && a->uneven == b->uneven;
}

/* Drops the work on the rows that are shown. */
static void
drop_jobs(struct browser *b)
{
	tree_job_stop(b);
	busy_drop(&b->tree->looking);
	busy_drop(&b->tree->laying_out);
}

/* Drops a tree, and keeps only what was expanded in it. */
static void
forget(struct browser *b, struct tree_rows **kept)
{
	struct tree_state *s = b->tree;
	const struct tree_want *want;
	bool shown = *kept == s->rows;

	if (!*kept)
		return;
	if (shown)
		drop_jobs(b);
	want = tree_wanted((*kept)->tree);
	tree_marks_free(s->gone[want->source][want->bottom_up].marks);
	s->gone[want->source][want->bottom_up].marks =
		tree_marks_take(*kept, shown ? s->node : TREE_NONE);
	s->gone[want->source][want->bottom_up].want = *want;
	tree_rows_close(*kept);
	*kept = NULL;
	if (shown)
		s->rows = NULL;
}

/* Drops marks that come from another tree than these rows. */
static void
check_marks(struct tree_state *s, const struct tree_rows *rows)
{
	const struct tree_want *want = tree_wanted(rows->tree);
	struct tree_marks **marks = &s->gone[want->source][want->bottom_up].marks;

	if (*marks && same_tree(&s->gone[want->source][want->bottom_up].want, want))
		return;
	tree_marks_free(*marks);
	*marks = NULL;
}

/* Shows ROWS. */
static void
arrive(struct browser *b, struct tree_rows *rows)
{
	struct tree_state *s = b->tree;

	drop_jobs(b);
	s->rows = rows;
	if (rows->unfolded != s->unfolded)
		tree_rows_fold(rows, s->unfolded);
	s->node = rows->nr ? rows->rows[0].node : 0;
	check_marks(s, rows);
	tree_job_arrive(b);
}

static void
stop_reading(struct tree_state *s)
{
	busy_drop(&s->reading);
	tree_close(s->next);
	s->next = NULL;
}

/* A tree that is not shown is kept, with what was expanded in it, unless it is so large that it is
 * better read again. */
enum { KEPT_BYTES = 1 << 20 };
/* A larger tree is dropped, too, before another one is read: there is no memory for both. */
enum { SHOWN_BYTES = 4 << 20 };

static void
forget_large(struct browser *b)
{
	struct tree_state *s = b->tree;

	for (int i = 0; i < 4; i++) {
		struct tree_rows **kept = &s->kept[i / 2][i % 2];

		if (*kept && *kept != s->rows && tree_bytes((*kept)->tree) >= KEPT_BYTES)
			forget(b, kept);
	}
}

/* Reorders a tree by the current comparison; a larger one is better read again (false). */
enum { REORDERED_AT_ONCE = 1000 /* nodes */ };

static bool
reorder(struct browser *b, struct tree_rows *rows)
{
	struct tree_state *s = b->tree;
	const struct tree_want *want = tree_wanted(rows->tree);
	unsigned *generation = &s->generation[want->source][want->bottom_up];
	uint32_t node = rows == s->rows ? s->node : 0;

	if (!tree_is_joined(rows->tree) || *generation == b->compare.generation)
		return true;
	if (tree_nr_nodes(rows->tree) > REORDERED_AT_ONCE) {
		forget(b, &s->kept[want->source][want->bottom_up]);
		return false;
	}
	if (rows == s->rows)
		drop_jobs(b);
	*generation = b->compare.generation;
	node = tree_rows_reorder(rows, node);
	s->node = rows == s->rows ? node : s->node;
	return true;
}

/* Returns what the nodes of a tree call it. */
static model_id
name_in_tree(struct browser *b, struct subject procedure)
{
	return compare_has_tree(b) ? compare_entity(b, procedure) : procedure.id;
}

static const char *
name_of_entity(void *context, model_id entity)
{
	const struct browser *b = context;

	return match_name(comparison_match(b->compare.c), entity);
}

/* The tree that was read replaces the one like it. */
static void
take_next(struct browser *b)
{
	struct tree_state *s = b->tree;
	const struct tree_want *want = tree_wanted(s->next);
	struct tree_rows **kept = &s->kept[want->source][want->bottom_up];

	if (tree_error(s->next)) {
		stop_reading(s);
		return;
	}
	forget(b, kept);
	*kept = tree_rows_open(b->profile, s->next);
	(*kept)->enough = busy_over;
	(*kept)->context = b;
	if (tree_is_joined(s->next))
		(*kept)->name = name_of_entity;
	s->generation[want->source][want->bottom_up] = b->compare.generation;
	s->next = NULL;
	arrive(b, *kept);
	forget_large(b);
}

static void
read_next(void *tree)
{
	tree_read(tree);
}

static bool
read_on(struct browser *b, unsigned milliseconds)
{
	busy_slice(b, milliseconds);
	if (!busy_run(b, &b->tree->reading))
		return false;
	take_next(b);
	return true;
}

/* Can the tree tell how evenly ranks, or runs, have what is in it? */
static bool
knows_ranks(const struct browser *b, const struct tree_want *want)
{
	return want->source == TREE_CONTEXTS && !want->bottom_up && !want->measure &&
	       b->optional.several && !b->live.from && !compare_has_tree(b);
}

/* Shows the tree that is wanted: at once if it was shown before, else when it has been read. */
static void
show(struct browser *b, const struct tree_want *wanted, enum tree_arrival arrival,
     model_id procedure)
{
	struct tree_want want = *wanted;
	struct tree_state *s = b->tree;
	struct tree_rows *kept = s->kept[want.source][want.bottom_up];

	want.changed = want.source == TREE_ARCS && arc_dial_is_shown(b);
	if (want.source == TREE_ARCS && !want.measure)
		want.measure = tree_arcs_measure(b->profile);
	want.uneven = s->uneven && knows_ranks(b, &want);
	s->want = want;
	s->arrival = arrival;
	s->procedure = procedure;
	if (s->next && !same_want(tree_wanted(s->next), &want))
		stop_reading(s);
	if (!s->next && kept && same_want(tree_wanted(kept->tree), &want) && reorder(b, kept)) {
		busy_slice(b, SLICE_KEY);
		arrive(b, kept);
		return;
	}
	if (!s->next && s->rows && tree_bytes(s->rows->tree) > SHOWN_BYTES)
		forget(b, &s->kept[tree_wanted(s->rows->tree)->source]
				  [tree_wanted(s->rows->tree)->bottom_up]);
	if (!s->next) {
		s->next = compare_has_tree(b) ? compare_tree_begin(b, &want)
					      : tree_begin(b->profile, &want);
		s->reading = s->next ? job_new(read_next, s->next) : NULL;
	}
	if (s->next)
		read_on(b, SLICE_KEY);
}

void
tree_arcs_changed(struct browser *b)
{
	struct tree_state *s = b->tree;
	bool reading;

	if (!s)
		return;
	reading = s->next && tree_wanted(s->next)->source == TREE_ARCS;
	if (reading)
		stop_reading(s);
	forget(b, &s->kept[TREE_ARCS][false]);
	forget(b, &s->kept[TREE_ARCS][true]);
	if (s->rows && !reading)
		return;
	for (int i = 0; i < b->depth; i++) {
		if (!is_tree(b->stack[i]))
			continue;
		show(b, &s->want, ARRIVE_AGAIN, 0);
		view_return(b->stack[i], s->node);
	}
}

static bool
tree_busy(const struct browser *b)
{
	return b->tree && b->tree->next;
}

static unsigned
read_idle(struct view *v)
{
	if (!read_on(v->browser, SLICE_IDLE))
		return WORK_MORE;
	view_return(v, v->browser->tree->node);
	return WORK_NEW | WORK_MOVED | WORK_MORE;
}

/* The tree that is shown is wanted again. */
static bool
give_up_reading(struct browser *b)
{
	if (!tree_busy(b) || !b->tree->rows)
		return false;
	b->tree->uneven &= !b->tree->want.uneven;
	stop_reading(b->tree);
	b->tree->want = *tree_wanted(b->tree->rows->tree);
	return true;
}

bool
tree_give_up(struct browser *b)
{
	if (give_up_reading(b))
		return true;
	if (!b->tree || !b->tree->rows || !tree_job_stop(b))
		return false;
	browser_say(b, ROLE_MESSAGE, "stopped");
	return true;
}

void
tree_refresh(struct browser *b)
{
	struct tree_state *s = b->tree;
	struct view *v = browser_view(b);

	if (!s || !s->rows)
		return;
	if (is_tree(v))
		view_place(v); /* notes where the cursor is */
	if (!reorder(b, s->rows))
		show(b, &s->want, ARRIVE_AGAIN, 0);
	if (is_tree(v) && s->rows)
		view_return(v, s->node);
}

void
tree_state_free(struct tree_state *s)
{
	if (!s)
		return;
	stop_reading(s);
	busy_drop(&s->job.job);
	busy_drop(&s->looking);
	busy_drop(&s->laying_out);
	for (int i = 0; i < 4; i++) {
		tree_rows_close(s->kept[i / 2][i % 2]);
		tree_marks_free(s->gone[i / 2][i % 2].marks);
	}
	free(s);
}

static bool
has_samples(const struct browser *b)
{
	return compare_has_tree(b) ? compare_tree_possible(b, TREE_CONTEXTS)
				   : tree_is_possible(b->profile, TREE_CONTEXTS);
}

static bool
is_on(const struct tree_state *s, model_id procedure)
{
	return s->rows && s->node && s->node < tree_nr_nodes(s->rows->tree) &&
	       tree_node(s->rows->tree, s->node)->procedure == procedure;
}

static struct view *
new_view(struct browser *b)
{
	return b->tree->icicle ? tree_icicle_new(b) : tree_list_new(b);
}

/* Has it a measure MEASURE besides time? */
static bool
can_show(struct browser *b, unsigned measure)
{
	return measure && tree_has_measure(b->profile, measure) &&
	       (!compare_has_tree(b) || compare_tree_has_measure(b, measure));
}

/* Chooses the first tree to show. */
static void
choose_want(struct browser *b, struct tree_want *want)
{
	unsigned measure = metric_tree_measure(b->heat.metric);

	want->source = has_samples(b) ? TREE_CONTEXTS : TREE_ARCS;
	if (can_show(b, measure))
		*want = (struct tree_want){ .source = tree_source_of(b->profile, measure),
					    .measure = measure };
}

struct view *
tree_new(struct browser *b)
{
	model_id procedure = name_in_tree(b, b->procedure);
	struct tree_want want;

	if (!b->tree) {
		b->tree = xcalloc(1, sizeof(*b->tree));
		choose_want(b, &b->tree->want);
	}
	/* Another tree was being read when the view was left. */
	give_up_reading(b);
	want = b->tree->want;
	if (!want.bottom_up && is_on(b->tree, procedure))
		return new_view(b);
	want.bottom_up = false;
	want.procedure = 0;
	show(b, &want, ARRIVE_FIND, procedure);
	return new_view(b);
}

struct view *
tree_new_icicle(struct browser *b)
{
	struct view *v = tree_new(b);

	if (b->tree->icicle)
		return v;
	view_free(v);
	b->tree->icicle = true;
	return new_view(b);
}

struct view *
tree_again(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (!s)
		return NULL;
	if (!s->rows && !s->next)
		show(b, &s->want, ARRIVE_AGAIN, 0);
	return new_view(b);
}

/* ---- where ---- */

/* Finds the call that connects a caller to its callee; in a joined tree one in the last profile
 * that has the path. */
static bool
call_target(struct browser *b, const struct tree_rows *rows, uint32_t id, struct target *target)
{
	const struct tree_node *n = tree_node(rows->tree, id);
	struct compare *x = &b->compare;
	bool joined = tree_is_joined(rows->tree);
	size_t side = joined ? tree_last_side(rows->tree, id) : 0;
	struct profile *p = joined ? x->profiles[side] : b->profile;
	struct site_row site;

	if (!n->site || (joined && side && side + 1 < x->nr) || !profile_site(p, n->site, &site))
		return false;
	target->first = joined && !side;
	target->place = site.place;
	target->procedure = compare_procedure(b, (struct subject){ site.procedure, target->first });
	target->site = target->first ? 0 : n->site;
	return true;
}

bool
tree_node_target(struct browser *b, struct tree_rows *rows, uint32_t id, bool name,
		 struct target *target)
{
	uint32_t at = tree_rows_place(rows, id);
	const struct tree_node *n = tree_node(rows->tree, at);
	struct procedure_row row;

	memset(target, 0, sizeof(*target));
	if (tree_wanted(rows->tree)->bottom_up && call_target(b, rows, at, target))
		return target->place.file != 0;
	target->procedure = tree_is_joined(rows->tree) ? compare_of_entity(b, n->procedure)
						       : (struct subject){ .id = n->procedure };
	if (!compare_row(b, target->procedure, &row))
		return false;
	target->first = target->procedure.first;
	target->place = row.place;
	if (name)
		target->place = source_name_place(compare_docs(b, target->first), &row.place);
	return target->place.file != 0;
}

/* Finds the source of the cursor's node: for a caller (bottom-up) the call, else the procedure. */
static bool
target_of_cursor(struct browser *b, struct target *target)
{
	struct tree_state *s = b->tree;

	memset(target, 0, sizeof(*target));
	return s->rows && s->rows->nr && s->node &&
	       tree_node_target(b, s->rows, s->node, true, target);
}

bool
is_tree(const struct view *v)
{
	return v->ops->keymap == KEYMAP_TREE || v->ops->keymap == KEYMAP_ICICLE;
}

bool
tree_target(struct view *v, struct target *target)
{
	/* Code that uses the cursor notes it first. */
	view_place(v);
	return target_of_cursor(v->browser, target);
}

static unsigned
open_source(struct browser *b)
{
	struct target target;
	unsigned effect;

	if (!target_of_cursor(b, &target)) {
		browser_say(b, ROLE_MESSAGE, "this row has no place in a source text");
		return EFFECT_DONE;
	}
	/* The view is left only now, so that the place to come back to is the tree. */
	effect = browser_go(b, &target, true);
	while (b->depth)
		effect |= browser_pop(b);
	return effect;
}

/* ---- actions ---- */

static void
invert(struct browser *b, bool all)
{
	struct tree_state *s = b->tree;
	struct tree_want want = *tree_wanted(s->rows->tree);
	uint32_t tail = s->node ? tree_rows_tail(s->rows, s->node) : 0;
	model_id procedure = tree_node(s->rows->tree, tail)->procedure;

	want.bottom_up = all ? !(want.bottom_up && !want.procedure) : !want.bottom_up;
	want.procedure = all || !want.bottom_up ? 0 : procedure;
	if (want.bottom_up && !all && !procedure) {
		browser_say(b, ROLE_MESSAGE, "this is no procedure whose callers could be shown");
		return;
	}
	show(b, &want, !want.bottom_up ? ARRIVE_FIND : all ? ARRIVE_FIND_IF_THERE : ARRIVE_EXPAND,
	     procedure);
}

static void
say_origin(struct browser *b)
{
	struct strbuf origin = STRBUF_INIT;

	if (!b->tree->rows)
		return;
	tree_rows_origin(b->tree->rows, &origin);
	browser_say(b, ROLE_MESSAGE, "%s", origin.buf);
	strbuf_release(&origin);
}

static void
switch_source(struct browser *b)
{
	struct tree_state *s = b->tree;
	struct tree_want want = *tree_wanted(s->rows->tree);
	uint32_t tail = s->node ? tree_rows_tail(s->rows, s->node) : 0;
	model_id procedure = tree_node(s->rows->tree, tail)->procedure;

	if (want.source == TREE_ARCS && !has_samples(b)) {
		browser_say(b, ROLE_MESSAGE, "no stacks were sampled: there are only arcs");
		return;
	}
	want.source = want.source == TREE_ARCS ? TREE_CONTEXTS : TREE_ARCS;
	want.measure = 0;
	show(b, &want, procedure && !want.procedure ? ARRIVE_FIND : ARRIVE_FIRST, procedure);
	if (s->next)
		return;
	say_origin(b);
}

static void
show_measure(struct browser *b, unsigned measure)
{
	struct tree_want want = *tree_wanted(b->tree->rows->tree);

	want.measure = measure;
	want.source = measure ? tree_source_of(b->profile, measure)
		    : has_samples(b) ? TREE_CONTEXTS : TREE_ARCS;
	show(b, &want, want.bottom_up ? ARRIVE_FIRST : ARRIVE_FIND, 0);
}

static void
switch_measure(struct browser *b)
{
	unsigned now = tree_wanted(b->tree->rows->tree)->measure, measure = now;

	do
		measure = tree_next_measure(b->profile, measure);
	while (measure && !can_show(b, measure));
	if (measure != now)
		show_measure(b, measure);
	else
		browser_say(b, ROLE_MESSAGE, compare_has_tree(b)
			    ? "the stacks of all profiles have no other measure in common"
			    : "nobody looked who waits: cgview record --wall does");
}

void
tree_show_measure(struct browser *b, unsigned measure)
{
	if (b->tree && b->tree->rows && (!measure || can_show(b, measure)))
		show_measure(b, measure);
}

bool
tree_switch_uneven(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (!b->depth || !is_tree(browser_view(b)))
		return false;
	if (!knows_ranks(b, &s->want)) {
		browser_say(b, ROLE_MESSAGE, "imbalance is told of several ranks or runs of one "
			    "profile, of the time of stacks from the callers down");
		return true;
	}
	s->uneven = !s->uneven;
	show(b, &s->want, ARRIVE_AGAIN, 0);
	return true;
}

static unsigned
switch_view(struct browser *b)
{
	b->tree->icicle = !b->tree->icicle;
	browser_pop(b); /* the view that we are called for */
	return browser_push(b, new_view(b)) | EFFECT_MOVED;
}

static void
zoom(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (s->rows->top == s->node) {
		tree_common_undo(browser_view(b));
		return;
	}
	if (!tree_rows_has_children(s->rows, s->node)) {
		browser_say(b, ROLE_MESSAGE, "nothing is below this");
		return;
	}
	tree_rows_zoom(s->rows, s->node);
	tree_job_expand(b, s->node);
	browser_say(b, ROLE_MESSAGE, "shares are of this now; %s shows all again",
		    action_key(KEYMAP_TREE, ACTION_ESCAPE));
}

bool
tree_leaves(enum action action)
{
	return action == ACTION_OPEN || action == ACTION_TREE_ICICLE;
}

void
tree_stop_looking(struct browser *b)
{
	busy_drop(&b->tree->looking);
}

/* Nodes below this share are not expanded by `*`. */
enum { ALL_PER_MILLE = 1 };

unsigned
tree_common_act(struct view *v, enum action action, size_t count)
{
	struct browser *b = v->browser;
	struct tree_state *s = b->tree;

	if (!s->rows || !s->rows->nr) {
		bool other = action == ACTION_TREE_SOURCE || action == ACTION_TREE_WAIT;

		if (action == ACTION_TREE_SOURCE && s->rows)
			switch_source(b);
		else if (other && s->rows)
			switch_measure(b);
		return other ? EFFECT_DONE : EFFECT_REFUSED;
	}
	switch (action) {
	case ACTION_OPEN:
		return open_source(b);
	case ACTION_TREE_ALL:
		tree_job_all(b, s->node, count ? count < 100 ? (unsigned)count * 10 : 1000
					       : ALL_PER_MILLE);
		break;
	case ACTION_TREE_NONE:
		tree_rows_collapse_all(s->rows, s->node);
		break;
	case ACTION_TREE_HOTTEST:
		tree_job_hottest(b, s->node);
		break;
	case ACTION_TREE_ZOOM:
		zoom(b);
		break;
	case ACTION_TREE_INVERT:
	case ACTION_TREE_INVERT_ALL:
		invert(b, action == ACTION_TREE_INVERT_ALL);
		break;
	case ACTION_TREE_SOURCE:
		switch_source(b);
		break;
	case ACTION_TREE_WAIT:
		switch_measure(b);
		break;
	case ACTION_TREE_CHAINS:
		s->unfolded = !s->unfolded;
		tree_rows_fold(s->rows, s->unfolded);
		break;
	case ACTION_TREE_ICICLE:
		return switch_view(b);
	default:
		return EFFECT_REFUSED;
	}
	return EFFECT_DONE | EFFECT_MOVED;
}

bool
tree_common_undo(struct view *v)
{
	struct tree_rows *rows = v->browser->tree->rows;

	if (!rows || !rows->top)
		return false;
	tree_rows_zoom(rows, 0);
	tree_rows_reveal(rows, v->browser->tree->node);
	return true;
}

/* ---- search: in the whole tree, also in what is collapsed ---- */

size_t
tree_common_place(struct view *v)
{
	return v->browser->tree->node;
}

static bool
matches(void *context, const char *name, size_t n)
{
	size_t start, end;

	return search_find(context, name, n, 0, &start, &end);
}

static void
look(void *browser)
{
	struct browser *b = browser;

	tree_rows_look(b->tree->rows, &b->tree->look, matches, &b->search);
}

/* Goes on; returns true when the search is over, and the cursor where it led to. */
static bool
look_on(struct browser *b)
{
	struct tree_state *s = b->tree;

	if (!busy_run(b, &s->looking))
		return false;
	if (s->look.part)
		browser_say(b, ROLE_MESSAGE, "searched in a part of this tree only: "
			    "it is very large");
	if (s->look.found == TREE_NONE)
		return true;
	tree_rows_reveal(s->rows, s->look.found);
	s->node = s->look.found;
	return true;
}

/* A search that takes longer than a key goes on while nobody types. */
bool
tree_common_search(struct view *v, const struct search *search, bool backward, size_t from,
		   bool here)
{
	struct browser *b = v->browser;
	struct tree_state *s = b->tree;
	uint32_t node = (uint32_t)from;

	(void)search; /* the browser's */
	busy_drop(&s->looking);
	if (s->rows)
		tree_job_stop(b);
	if (!s->rows || !s->rows->nr || !from || from >= tree_nr_nodes(s->rows->tree))
		return false;
	s->look = (struct tree_look){ .from = node, .here = here, .backward = backward };
	s->looking = job_new(look, b);
	busy_slice(b, SLICE_KEY);
	return !look_on(b) || s->look.found != TREE_NONE;
}

static unsigned
look_idle(struct view *v)
{
	struct browser *b = v->browser;
	struct tree_state *s = b->tree;

	busy_slice(b, SLICE_IDLE);
	if (!b->search.pattern || !s->rows)
		busy_drop(&s->looking);
	else if (!look_on(b))
		return WORK_MORE;
	else if (s->look.found == TREE_NONE && b->prompt.kind == PROMPT_NONE && !s->look.part)
		browser_say(b, ROLE_MESSAGE, "not found: %s", b->search.pattern);
	if (s->look.found == TREE_NONE)
		s->node = s->look.from;
	view_return(v, s->node);
	return WORK_NEW | WORK_MOVED | WORK_MORE;
}

static unsigned
job_idle(struct view *v)
{
	struct browser *b = v->browser;

	view_place(v); /* notes where the cursor is */
	busy_slice(b, SLICE_IDLE);
	if (!busy_run(b, &b->tree->job.job))
		return WORK_MORE;
	view_return(v, b->tree->node);
	return WORK_NEW | WORK_MOVED | WORK_MORE;
}

unsigned
tree_common_idle(struct view *v)
{
	struct tree_state *s = v->browser->tree;

	if (tree_busy(v->browser))
		return read_idle(v);
	if (s->looking)
		return look_idle(v);
	if (s->rows && s->job.job)
		return job_idle(v);
	if (!s->rows || !s->rows->unready)
		return 0;
	/* Drawing asked for more than there was time for: it is done again. */
	s->rows->unready = false;
	return WORK_NEW | WORK_MORE;
}

/* ---- text ---- */

static const char *
what_is_read(const struct tree_state *s)
{
	return tree_wanted(s->next)->source == TREE_ARCS ? "calls" : "stacks";
}

static void
describe_reading(const struct tree_state *s, struct title *title)
{
	if (s->next)
		strbuf_fmt(&title->middle, "reading the %s %u%%", what_is_read(s),
			   job_percent(s->reading));
}

void
tree_common_title(struct view *v, struct title *title)
{
	struct tree_state *s = v->browser->tree;
	const struct tree_want *want;

	if (!s->rows) {
		strbuf_str(&title->left, "call tree");
		describe_reading(s, title);
		return;
	}
	want = tree_wanted(s->rows->tree);
	strbuf_str(&title->left, tree_is_joined(s->rows->tree) ? "compared " : "");
	strbuf_str(&title->left, want->bottom_up ? "callers" : "call tree");
	if (want->procedure && s->rows->nr) {
		strbuf_str(&title->left, " of ");
		tree_rows_name(s->rows, tree_node(s->rows->tree, 0)->first, draw_ascii(),
			       &title->left);
	} else if (want->bottom_up) {
		strbuf_str(&title->left, " of all");
	}
	if (s->rows->top && !want->procedure) {
		strbuf_str(&title->left, want->bottom_up ? " from " : " below ");
		tree_rows_name(s->rows, s->rows->top, draw_ascii(), &title->left);
	}
	if (tree_is_joined(s->rows->tree))
		compare_tree_title(v->browser, s->rows->tree, &title->left);
	if (s->next)
		describe_reading(s, title);
	else if (s->job.job)
		tree_job_describe(s, &title->middle);
	else if (s->looking)
		strbuf_fmt(&title->middle, "searching, %u rows so far", s->look.nr);
	else
		tree_rows_origin(s->rows, &title->middle);
}

void
tree_common_empty(struct view *v, struct strbuf *out)
{
	const char *error = compare_has_tree(v->browser) ? compare_tree_error(v->browser)
							 : profile_error(v->browser->profile);
	struct tree_rows *rows = v->browser->tree->rows;

	if (error)
		strbuf_fmt(out, "%s\n", error);
	else if (tree_busy(v->browser))
		strbuf_fmt(out, "Reading the %s...\n", what_is_read(v->browser->tree));
	else if (rows && tree_wanted(rows->tree)->measure == MEASURE_WAIT)
		strbuf_str(out, "Nobody waited.\n");
	else
		strbuf_fmt(out, "There is nothing to make a tree of.\n"
			   "No stacks were sampled and no calls counted: %s tells why.\n",
			   action_key(KEYMAP_TREE, ACTION_DIAGNOSTICS));
}

void
tree_print_number(const struct tree_rows *rows, const struct tree_node *n, int width,
		  struct strbuf *out)
{
	if (!n->number)
		return;
	if (tree_wanted(rows->tree)->source == TREE_ARCS && !n->exact)
		width -= value_mark(out, "estimated", draw_ascii());
	value_whole(out, UNIT_COUNT, n->number, width, draw_ascii());
}
