/* Shows the callers of a procedure, and the callees of a procedure or a call site. */
#include <stdlib.h>
#include <string.h>

#include "db/lists/arc_sums.h"
#include "show/columns.h"
#include "show/human.h"
#include "tui/busy.h"
#include "tui/filter.h"
#include "tui/trail.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/text/name.h"
#include "util/text/safe.h"

struct arcs {
	struct table table; /* first: view_table() */
	enum arcs_side side;
	struct subject procedure;
	model_id site;
	char name[1024];    /* of the procedure */
	struct place place; /* of the site */
	uint64_t entries;   /* of the procedure */
	bool uncounted;     /* they are not known, as only samples were taken */
	uint64_t whole;     /* all calls; 0: not known yet */
	bool shown;         /* the sum that is wanted */
	struct arc_sum *sum; /* sums up all arcs until that is done; else NULL */
	int64_t *open;      /* ids of rows that are followed by their arcs */
	size_t nr_open, open_alloc;
	size_t back_to;     /* row that the cursor goes to when there are rows, from 1; 0: none */
};

static void
arcs_close(struct view *v)
{
	struct arcs *a = v->data;

	arc_sum_end(a->sum);
	table_release(&a->table);
	free(a->open);
	free(a);
}

/* Puts "callers of NAME" into OUT, with room for the text at the right if both have enough; or the
 * path that was walked along to it on this side. */
static void
name_title(struct view *v, const char *what, const char *name, struct strbuf *out)
{
	enum { OTHERS = 34, WITHOUT_RIGHT = 17, ENOUGH = 20 };
	const struct arcs *a = v->data;
	const struct trail *t = &v->browser->trail;
	int room = v->area.w - OTHERS;
	bool walked = t->up == (a->side == ARCS_CALLERS) && trail_is_walked(t) &&
		      subject_is(trail_end(t), a->procedure);

	strbuf_fmt(out, "%s of ", what);
	if (walked || room < ENOUGH)
		room = v->area.w - WITHOUT_RIGHT;
	if (walked)
		trail_print(v->browser, t, room, out);
	else
		name_fit(out, name, strlen(name), room, draw_glyph(GLYPH_DOTS));
}

static bool
is_compared(const struct arcs *a)
{
	return a->table.kind->list == LIST_COMPARISON;
}

/* Another tool may know nothing of calls, or nothing of those that come from outside. */
static bool
are_unknown(const struct profile *p, const struct arcs *a)
{
	return profile_without_callers(p) ||
	       (a->side == ARCS_CALLERS && profile_counts_only_calls(p));
}

static void
arcs_title(struct view *v, struct title *title)
{
	struct arcs *a = v->data;
	const char *what = a->side == ARCS_CALLERS ? "callers" : "callees";

	if (!a->procedure.id) {
		strbuf_str(&title->left, what);
		return;
	}
	if (a->site)
		strbuf_fmt(&title->left, "called at %u:%u", a->place.line, a->place.column);
	else
		name_title(v, what, a->name, &title->left);
	filter_describe(&a->table, &title->middle);
	if (is_compared(a)) {
		human_count(&title->right, table_view_rows(v) - (a->table.listing
				? listing_inner_rows(a->table.listing) : 0));
		strbuf_str(&title->right, " compared");
		return;
	}
	if (!a->whole && (a->sum || a->uncounted || are_unknown(v->browser->profile, a)))
		return;
	human_count(&title->right, a->whole);
	strbuf_str(&title->right, a->whole == 1 ? " call" : " calls");
}

/* Of what is watched by samples no looks tell who called. */
static bool
is_sampled(const struct browser *b)
{
	return b->live.from && !b->totals->nr_arcs && profile_is_uncounted(b->profile);
}

static void
explain_unknown(struct view *v, struct strbuf *out)
{
	if (is_sampled(v->browser)) {
		strbuf_str(out, "Not known while it is watched: it is in the\n"
				"profile that is saved at the end.\n");
		return;
	}
	strbuf_str(out, "Not known: the profile is of ");
	safe_str(out, profile_without_callers(v->browser->profile));
	strbuf_str(out, ",\nwhich does not tell who called what.\n");
}

/* Another copy may have callers. */
static void
explain_no_caller(struct view *v, struct strbuf *out)
{
	struct arcs *a = v->data;
	struct profile *p = v->browser->profile;
	struct procedure_copies copies = { .nr = 0 };
	struct procedure_row row;

	if (profile_without_callers(p) || is_sampled(v->browser))
		return explain_unknown(v, out);
	if (!is_compared(a) && profile_procedure(p, a->procedure.id, &row))
		profile_procedure_copies(p, &row.place, row.id, &copies);
	if (copies.nr < 2)
		strbuf_fmt(out, "Nobody called %s.\n", a->name);
	else
		strbuf_fmt(out, "This copy of it was not called: %s.\n%s lists all %u copies.\n",
			   a->name, action_key(KEYMAP_ARCS, ACTION_COPIES), copies.nr);
}

static void
arcs_empty(struct view *v, struct strbuf *out)
{
	struct arcs *a = v->data;

	if (!a->procedure.id)
		strbuf_str(out, "No procedure here.\n");
	else if (a->table.waits)
		compare_explain_work(v->browser, (enum compare_by)(a->table.waits - 1), out);
	else if (table_is_restricted(&a->table))
		filter_explain(&a->table, out);
	else if (a->side == ARCS_CALLERS)
		explain_no_caller(v, out);
	else if (profile_without_callers(v->browser->profile) || is_sampled(v->browser))
		explain_unknown(v, out);
	else if (a->site)
		strbuf_str(out, "This call was never made.\n");
	else
		strbuf_fmt(out, "%s called nothing that is profiled.\n", a->name);
}

/* Finds what follows from all arcs: whether any is estimated (then intervals are shown), and for
 * callees what shares refer to. */
static bool
sum_up_on(struct view *v)
{
	struct arcs *a = v->data;
	struct browser *b = v->browser;
	struct arc_sums sums;

	if (!arc_sum_work(a->sum, busy_over, b, &sums))
		return false;
	arc_sum_end(a->sum);
	a->sum = NULL;
	a->table.needed = sums.estimated ? COLUMN_INTERVAL : NULL;
	a->table.most = sums.count;
	a->whole = a->side == ARCS_CALLERS ? a->entries : sums.count;
	a->table.whole = a->whole ? a->whole : 1;
	table_layout(&a->table, v->area.w);
	return true;
}

/* The shares of callers refer to the entries of the procedure; those of callees to the calls that
 * left the site or procedure. */
void
arcs_sum_up(struct view *v)
{
	struct arcs *a = v->data;
	struct browser *b = v->browser;
	struct procedure_row subject;

	arc_sum_end(a->sum);
	a->sum = NULL;
	if (is_compared(a) || !a->procedure.id) {
		table_layout(&a->table, v->area.w);
		return;
	}
	a->table.needed = NULL;
	a->table.most = 0;
	if (profile_procedure(b->profile, a->procedure.id, &subject)) {
		a->entries = subject.self[MEASURE_CALLS];
		a->uncounted = subject.uncounted;
	}
	a->whole = a->table.whole = a->side == ARCS_CALLERS ? a->entries : 0;
	a->table.entered = a->side == ARCS_CALLERS ? a->entries : 0;
	a->sum = arc_sum_begin(b->profile, &a->table.query);
	busy_slice(b, SLICE_ASIDE);
	/* Rows that are not there yet have had the key's time. */
	if (table_busy(&a->table) || !sum_up_on(v))
		table_layout(&a->table, v->area.w);
}

/* Goes to the row that was left, when there are rows. */
static void
go_back_to(struct view *v)
{
	struct arcs *a = v->data;

	if (!a->back_to || table_busy(&a->table))
		return;
	view_move_to(v, a->back_to - 1);
	a->back_to = 0;
}

void
arcs_return(struct view *v, size_t row)
{
	struct arcs *a = v->data;

	a->back_to = row + 1;
	go_back_to(v);
}

/* Runs when the table's own work is done. */
static unsigned
arcs_idle(struct view *v)
{
	struct arcs *a = v->data;

	if (a->back_to) {
		if (!v->cursor)
			go_back_to(v);
		a->back_to = 0;
		return WORK_NEW | WORK_MOVED | WORK_MORE;
	}
	if (!a->sum)
		return 0;
	busy_slice(v->browser, SLICE_IDLE);
	return sum_up_on(v) ? WORK_NEW | WORK_MORE : WORK_MORE;
}

/* Rows are pairs, unless a stored comparison has arcs alone. */
static const struct table_kind *
kind_of(const struct arcs *a, struct browser *b)
{
	bool callers = a->side == ARCS_CALLERS;

	if (!compare_is_on(b))
		return callers ? &callers_kind : &callees_kind;
	if (!b->compare.c && !compare_kind(b, BY_PAIR)->expression)
		return callers ? &stored_callers_kind : &stored_callees_kind;
	return callers ? &compare_callers_kind : &compare_callees_kind;
}

void
arcs_forget(struct view *v)
{
	struct arcs *a = v->data;

	a->shown = false;
	a->nr_open = a->table.query.nr_open = 0;
	arc_sum_end(a->sum);
	a->sum = NULL;
	table_forget(&a->table);
	table_set_kind(&a->table, kind_of(a, v->browser));
}

/* Returns the things that follow rows that are open; 0: they are not there. */
static int
opens_to(const struct arcs *a, struct browser *b)
{
	bool arcs = b->compare.c || compare_kind(b, BY_ARC)->expression;

	return arcs && a->table.kind->things == BY_PAIR + 1 ? BY_ARC + 1 : 0;
}

/* In a comparison the procedure may be only in the first profile. */
static void
show_compared(struct view *v, struct subject procedure)
{
	struct arcs *a = v->data;
	uint32_t entity = procedure.id ? compare_entity(v->browser, procedure) : 0;
	struct procedure_row row;
	bool known = compare_row(v->browser, procedure, &row) && entity;

	a->procedure = known ? procedure : (struct subject){ 0 };
	a->site = 0;
	snprintf(a->name, sizeof(a->name), "%s", known ? row.name : "-");
	a->table.query.callee = a->side == ARCS_CALLERS ? entity : 0;
	a->table.query.caller = a->side == ARCS_CALLEES ? entity : 0;
	a->table.query.site = 0;
	a->table.query.group = GROUP_NOTHING;
	a->table.query.opens = opens_to(a, v->browser);
}

static void
show_arcs(struct view *v, model_id procedure, model_id site)
{
	struct arcs *a = v->data;
	struct procedure_row row = { .id = 0 };
	struct site_row site_row;
	struct browser *b = v->browser;

	a->procedure.first = false;
	a->procedure.id = profile_procedure(b->profile, procedure, &row) ? procedure : 0;
	a->site = site && profile_site(b->profile, site, &site_row) ? site : 0;
	if (a->site)
		a->place = site_row.place;
	snprintf(a->name, sizeof(a->name), "%s", a->procedure.id ? row.name : "-");
	a->table.query.callee = a->side == ARCS_CALLERS ? a->procedure.id : 0;
	a->table.query.caller = a->side == ARCS_CALLEES && !a->site ? a->procedure.id : 0;
	a->table.query.site = a->site;
	a->table.query.group = a->side == ARCS_CALLERS ? GROUP_BY_CALLER : GROUP_BY_CALLEE;
	a->table.query.opens = 0;
}

void
arcs_show(struct view *v, struct subject procedure, model_id site)
{
	struct arcs *a = v->data;

	if (a->side == ARCS_CALLERS || is_compared(a))
		site = 0;
	if (a->shown && (a->table.listing || a->table.next) &&
	    subject_is(procedure, a->procedure) && site == a->site)
		return;
	a->shown = true;
	if (is_compared(a))
		show_compared(v, procedure);
	else
		show_arcs(v, procedure.id, site);
	a->table.query.only_possible = true;
	restrict_release(&a->table.to);
	table_forget(&a->table);
	v->cursor = v->top = a->back_to = 0;
	if (a->procedure.id)
		table_open(v, &a->table);
	arcs_sum_up(v);
}

bool
arcs_may_turn(struct view *v)
{
	struct arcs *a = v->data;
	const struct list_row *row = table_row(&a->table, v->cursor);
	const char *how = row ? table_text(&a->table, row, "how") : NULL;

	return how && !row->arcs && (!strcmp(how, "estimated") || !strcmp(how, "pinned"));
}

bool
arcs_target(struct view *v, struct target *target)
{
	struct arcs *a = v->data;
	const struct list_row *row = table_row(&a->table, v->cursor);

	memset(target, 0, sizeof(*target));
	if (!row)
		return false;
	target->place = table_place(&a->table, row);
	if (is_compared(a)) {
		if (!target->place.file && table_number(&a->table, row, "first_file")) {
			target->first = true;
			target->place = table_first_place(&a->table, row);
		}
		target->procedure = compare_of_entity(
			v->browser, (uint32_t)table_number(&a->table, row, "caller_entity"));
		return target->place.file != 0;
	}
	target->procedure.id = (model_id)table_number(&a->table, row, "caller_id");
	target->site = (model_id)table_number(&a->table, row, "site_id");
	return target->place.file != 0;
}

static unsigned
outside(struct view *v, const char *what)
{
	browser_say(v->browser, ROLE_MESSAGE, "%s outside of the profile: not compiled with cgcc, "
		    "as the C library", what);
	return EFFECT_DONE;
}

/* Returns the procedure at the other end of the calls of ROW; 0: it is outside. */
static struct subject
other_end(struct view *v, const struct list_row *row)
{
	struct arcs *a = v->data;
	bool callers = a->side == ARCS_CALLERS;

	if (is_compared(a))
		return compare_of_entity(v->browser, (uint32_t)table_number(&a->table, row,
				callers ? "caller_entity" : "callee_entity"));
	return (struct subject){ .id = (model_id)table_number(&a->table, row, callers
							      ? "caller_id" : "callee_id") };
}

void
arcs_lead_away(struct view *v)
{
	enum { MOST = 50 /* rows that are looked at */ };
	struct arcs *a = v->data;
	const struct list_row *row;
	struct subject end;

	for (size_t i = 0; i < MOST && (row = table_row(&a->table, i)) != NULL; i++) {
		end = other_end(v, row);
		if (!end.id || trail_has(&v->browser->trail, end))
			continue;
		view_move_to(v, i);
		return;
	}
}

/* Opens the callee, in whichever profile it is. */
static unsigned
open_compared(struct view *v, const struct list_row *row)
{
	struct browser *b = v->browser;
	struct target target = { .site = 0 };
	struct procedure_row callee;

	target.procedure = other_end(v, row);
	if (!compare_row(b, target.procedure, &callee))
		return outside(v, "this is");
	target.first = target.procedure.first;
	target.place = source_name_place(compare_docs(b, target.first), &callee.place);
	return browser_step(b, &target, false, false);
}

static unsigned
open_or_close(struct view *v, int64_t id)
{
	struct arcs *a = v->data;
	size_t i = 0;

	while (i < a->nr_open && a->open[i] != id)
		i++;
	if (i < a->nr_open) {
		a->open[i] = a->open[--a->nr_open];
	} else {
		GROW(a->open, a->nr_open + 1, a->open_alloc);
		a->open[a->nr_open++] = id;
	}
	a->table.query.open = a->open;
	a->table.query.nr_open = a->nr_open;
	table_open(v, &a->table);
	return EFFECT_DONE | EFFECT_MOVED;
}

/* To the right: open the row, or go into it; to the left: out of it, or close it. */
static unsigned
fold(struct view *v, bool expand)
{
	struct arcs *a = v->data;
	const struct list_row *row = table_row(&a->table, v->cursor);
	size_t outer;

	if (!row || (!row->arcs && !row->inner)) {
		browser_say(v->browser, ROLE_MESSAGE, "this is one call site");
		return EFFECT_DONE;
	}
	if (row->arcs && row->open != expand)
		return open_or_close(v, table_id(row));
	outer = listing_outer_row(a->table.listing, v->cursor);
	if (row->arcs && expand)
		view_move_to(v, v->cursor + 1);
	else if (row->inner && !expand)
		view_move_to(v, outer);
	return EFFECT_DONE | EFFECT_MOVED;
}

/* Goes from callers to the call, from callees to the procedure. The keyboard stays here, so that
 * Enter, Enter, Enter walks up or down. Stored rows of several calls have no place, but open. */
static unsigned
arcs_open(struct view *v)
{
	struct arcs *a = v->data;
	const struct list_row *row = table_row(&a->table, v->cursor);
	struct procedure_row callee;
	struct target target;

	if (!row)
		return EFFECT_DONE;
	if (a->side == ARCS_CALLERS) {
		if (!arcs_target(v, &target))
			return row->arcs ? fold(v, true) : outside(v, "from");
		return browser_step(v->browser, &target, true, false);
	}
	memset(&target, 0, sizeof(target));
	if (is_compared(a))
		return open_compared(v, row);
	target.procedure.id = (model_id)table_number(&a->table, row, "callee_id");
	if (!profile_procedure(v->browser->profile, target.procedure.id, &callee))
		return outside(v, "this is");
	target.place = source_name_place(&v->browser->docs, &callee.place);
	return browser_step(v->browser, &target, false, false);
}

static unsigned
change(struct view *v, enum action action, size_t count)
{
	struct arcs *a = v->data;
	const struct list_row *row = table_row(&a->table, v->cursor);

	if (row && row->arcs) {
		browser_say(v->browser, ROLE_MESSAGE, "these are several call sites: %s opens "
			    "them, each can be changed",
			    action_key(KEYMAP_ARCS, ACTION_TREE_EXPAND));
		return EFFECT_DONE;
	}
	return arc_dial_act(v->browser, row ? (model_id)table_id(row) : 0, action, count);
}

static unsigned
arcs_act(struct view *v, enum action action, size_t count)
{
	struct arcs *a = v->data;

	if (action == ACTION_OPEN)
		return arcs_open(v);
	if (action == ACTION_TREE_EXPAND || action == ACTION_TREE_COLLAPSE)
		return fold(v, action == ACTION_TREE_EXPAND);
	if (action >= ACTION_ARC_MORE && action <= ACTION_PIN && is_compared(a)) {
		browser_say(v->browser, ROLE_MESSAGE, "arcs are changed in one profile: %s leaves "
			    "the comparison, and comes back",
			    action_key(KEYMAP_GENERIC, ACTION_COMPARE_OFF));
		return EFFECT_DONE;
	}
	if (action >= ACTION_ARC_MORE && action <= ACTION_PIN)
		return change(v, action, count);
	return table_act(v, &a->table, action, count);
}

static const struct view_ops arcs_ops = {
	.name = "arcs",
	.keymap = KEYMAP_ARCS,
	TABLE_PANE_OPS,
	.close = arcs_close,
	.title = arcs_title,
	.empty = arcs_empty,
	.act = arcs_act,
	.idle = arcs_idle,
};

struct view *
arcs_new(struct browser *b, enum arcs_side side)
{
	struct arcs *a = xcalloc(1, sizeof(*a));
	struct view *v = view_new(&arcs_ops, b, a);

	a->side = side;
	snprintf(a->name, sizeof(a->name), "-");
	table_init(&a->table, b, side == ARCS_CALLERS ? &callers_kind : &callees_kind);
	a->table.aside = true;
	if (compare_is_on(b))
		arcs_forget(v);
	return v;
}
