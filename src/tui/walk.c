/* Walking: from place to place, back, forward, marks; panes that follow others. */
#include <stdlib.h>
#include <string.h>

#include "tui/browser.h"
#include "tui/layout.h"
#include "tui/trail.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/walk.h"

void
browser_subject(struct browser *b, struct subject procedure, model_id site)
{
	/* A procedure that only the first profile has means nothing while nothing is compared. */
	if (procedure.first && !compare_is_on(b))
		procedure = (struct subject){ 0 };
	arcs_show(b->panes[PANE_CALLERS], procedure, 0);
	arcs_show(b->panes[PANE_CALLEES], procedure, site);
	b->procedure = procedure;
	b->site = site;
	b->peeks = false;
	b->strayed = !summary_show_procedure(b->panes[PANE_SUMMARY], procedure);
	if (!subject_is(trail_end(&b->trail), procedure))
		trail_begin(&b->trail, procedure);
}

static void
show_target(struct browser *b, const struct target *target)
{
	const struct place *p = &target->place;

	source_of(b->panes[PANE_SOURCE], target->procedure);
	source_show(b->panes[PANE_SOURCE], (struct subject){ p->file, target->first }, p->line,
		    p->column ? p : NULL);
	if (target->hottest)
		source_show_hottest(b->panes[PANE_SOURCE]);
}

/* Shows TARGET in the source pane without remembering the present place (following a cursor). */
static void
follow_target(struct browser *b, const struct target *target)
{
	struct subject procedure = target->procedure;
	model_id site;

	show_target(b, target);
	b->errors.walked = false;
	if (!procedure.id)
		source_subject(b->panes[PANE_SOURCE], &procedure, &site);
	browser_subject(b, procedure, target->site);
	/* What was scrolled into view should stay there. */
	if (layout_fit(b))
		show_target(b, target);
}

unsigned
browser_focus(struct browser *b, enum pane pane)
{
	b->focus = pane;
	return EFFECT_DONE | EFFECT_LAYOUT;
}

unsigned
browser_go(struct browser *b, const struct target *target, bool focus)
{
	struct location here;

	walk_here(b, &here);
	history_leave(&b->history, &here);
	browser_leave_causes(b);
	/* Where the source cannot be seen beside this pane, it takes its place. */
	if (focus || !b->panes[PANE_SOURCE]->area.h)
		browser_focus(b, PANE_SOURCE);
	/* The source must have its size before the place can be scrolled into view. */
	layout(b);
	follow_target(b, target);
	return EFFECT_DONE | EFFECT_LAYOUT;
}

/* The trail ends where the panes are. A procedure that is on it already is told: the screen may
 * look as it did then. */
unsigned
browser_step(struct browser *b, const struct target *target, bool up, bool focus)
{
	struct trail trail = b->trail;
	struct procedure_row row;
	unsigned effect = browser_go(b, target, focus);
	bool again = trail_step(&trail, b->procedure, up);

	b->trail = trail;
	arcs_lead_away(b->panes[up ? PANE_CALLERS : PANE_CALLEES]);
	if (again && compare_row(b, b->procedure, &row))
		browser_say(b, ROLE_MESSAGE, "recursion: %s is on the path already", row.name);
	return effect;
}

/* ---- locations ---- */

void
walk_here(struct browser *b, struct location *here)
{
	struct view *source = b->panes[PANE_SOURCE];

	memset(here, 0, sizeof(*here));
	here->set = true;
	here->focus = (int)b->focus;
	here->zoom = b->zoom;
	here->summary = summary_kind(b->panes[PANE_SUMMARY]);
	here->summary_row = summary_selected(b->panes[PANE_SUMMARY]);
	here->file = source_file(source);
	here->cursor = source->cursor;
	here->top = source->top;
	here->left = source->left;
	here->selected = source_selected(source);
	here->procedure = b->procedure;
	here->site = b->site;
	here->caller_row = b->panes[PANE_CALLERS]->cursor;
	here->callee_row = b->panes[PANE_CALLEES]->cursor;
	here->again = b->depth ? b->stack[b->depth - 1]->ops->again : NULL;
	here->errors = b->errors.walked;
	here->strayed = b->strayed || b->peeks;
	here->trail = b->trail;
}

void
walk_to(struct browser *b, const struct location *to)
{
	struct view *source = b->panes[PANE_SOURCE], *over;
	struct subject file = to->file;

	b->focus = (enum pane)to->focus;
	b->zoom = to->zoom;
	layout(b);
	summary_show(b->panes[PANE_SUMMARY], to->summary, to->summary_row);
	if (!compare_is_on(b))
		file = (struct subject){ compare_file(b, file), false };
	source_show(source, file, (uint32_t)to->cursor + 1, &to->selected);
	source_of(source, to->procedure);
	source->top = to->top;
	source->left = to->left;
	view_clamp(source);
	browser_subject(b, to->procedure, to->site);
	b->strayed = to->strayed;
	b->trail = to->trail;
	arcs_return(b->panes[PANE_CALLERS], to->caller_row);
	arcs_return(b->panes[PANE_CALLEES], to->callee_row);
	b->errors.walked = to->errors;
	while (b->depth)
		browser_pop(b);
	over = to->again ? to->again(b) : NULL;
	if (over)
		browser_push(b, over);
}

unsigned
walk_back(struct browser *b, size_t count)
{
	struct location here, to;
	size_t i;

	for (i = 0; i < (count ? count : 1); i++) {
		walk_here(b, &here);
		if (!history_back(&b->history, &here, &to))
			break;
		walk_to(b, &to);
	}
	if (!i)
		browser_say(b, ROLE_MESSAGE, "this is where you began");
	return EFFECT_DONE | EFFECT_LAYOUT;
}

unsigned
walk_forward(struct browser *b, size_t count)
{
	struct location here, to;
	size_t i;

	for (i = 0; i < (count ? count : 1); i++) {
		walk_here(b, &here);
		if (!history_forward(&b->history, &here, &to))
			break;
		walk_to(b, &to);
	}
	if (!i)
		browser_say(b, ROLE_MESSAGE, "nothing ahead");
	return EFFECT_DONE | EFFECT_LAYOUT;
}

/* ---- marks ---- */

unsigned
walk_mark(struct browser *b, enum action action, tui_key letter)
{
	struct location here;

	if (letter < 'a' || letter > 'z') {
		browser_say(b, ROLE_MESSAGE, "marks have the letters a to z");
		return EFFECT_DONE;
	}
	walk_here(b, &here);
	if (action == ACTION_MARK_SET) {
		b->marks[letter - 'a'] = here;
		browser_say(b, ROLE_MESSAGE, "'%c brings you back here", (char)letter);
		return EFFECT_DONE;
	}
	if (!b->marks[letter - 'a'].set) {
		browser_say(b, ROLE_MESSAGE, "nothing is marked %c", (char)letter);
		return EFFECT_DONE;
	}
	history_leave(&b->history, &here);
	walk_to(b, &b->marks[letter - 'a']);
	return EFFECT_DONE | EFFECT_LAYOUT;
}

/* ---- following ---- */

void
walk_follow_cursor(struct browser *b, struct view *moved)
{
	struct target target;
	struct subject procedure;
	model_id site;

	if (is_tree(moved)) {
		if (tree_target(moved, &target))
			follow_target(b, &target);
	} else if (is_ledger(moved)) {
		if (ledger_target(moved, &target))
			follow_target(b, &target);
	} else if (moved == b->panes[PANE_SUMMARY]) {
		if (summary_target(moved, &target))
			follow_target(b, &target);
		b->strayed = false;
	} else if (moved == b->panes[PANE_SOURCE]) {
		source_subject(moved, &procedure, &site);
		browser_subject(b, procedure, site);
	} else if (moved == b->panes[PANE_CALLERS] || moved == b->panes[PANE_CALLEES]) {
		/* Shows the call; the pane keeps the callers of its procedure. */
		if (arcs_target(moved, &target))
			show_target(b, &target);
		b->peeks = true;
	}
}

void
walk_arrived(struct browser *b)
{
	struct view *v = browser_view(b);
	struct target target;

	if (v == b->panes[PANE_SOURCE] && b->peeks)
		walk_follow_cursor(b, v);
	if (v != b->panes[PANE_SUMMARY] || table_busy(view_table(v)))
		return;
	if (b->strayed || b->peeks ||
	    (summary_kind(v) == SUMMARY_PROCEDURES && summary_target(v, &target) &&
	     !subject_is(target.procedure, b->procedure)))
		walk_follow_cursor(b, v);
}
