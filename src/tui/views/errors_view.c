/* Errors that other tools found, the stacks of one, and the way from one to the next. */
#include <stdlib.h>

#include "show/human.h"
#include "tui/unrecorded.h"
#include "tui/views.h"
#include "tui/views/errors.h"
#include "tui/views/table.h"
#include "util/order.h"

static void
errors_title(struct view *v, struct title *title)
{
	struct table *t = v->data;

	if (t->query.defect)
		strbuf_fmt(&title->left, "stacks of error %u", t->query.defect);
	else
		strbuf_str(&title->left, "errors");
	table_view_title(v, title);
}

static void
errors_empty(struct view *v, struct strbuf *out)
{
	if (!table_view_explain(v, out))
		strbuf_str(out, "Nothing is known of its stacks.\n");
}

/* Goes to TARGET, where error number I is, or one of its stacks. */
static unsigned
show_error(struct browser *b, const struct target *target, size_t i)
{
	unsigned effect = browser_go(b, target, true);

	b->errors.at = i;
	b->errors.shown = target->place;
	return effect;
}

/* Returns the position of the error with this id; nr: there is none. */
static size_t
error_with(const struct errors *e, int64_t id)
{
	size_t i = 0;

	while (i < e->nr && e->items[i].id != id)
		i++;
	return i;
}

static unsigned
go_to(struct view *v, const struct list_row *row)
{
	struct table *t = v->data;
	struct browser *b = v->browser;
	struct target target = { .place = table_place(t, row) };
	model_id of = t->query.defect;
	size_t error = error_with(&b->errors, of ? of : table_id(row));
	unsigned effect;

	target.procedure.id = (model_id)table_number(t, row, "procedure_id");
	if (!target.place.file) {
		browser_say(b, ROLE_MESSAGE, "this is in no source of the profile");
		return EFFECT_DONE;
	}
	browser_pop(b); /* V is gone */
	if (of)
		browser_pop(b); /* and the errors below it */
	effect = show_error(b, &target, error);
	b->errors.walked = true;
	return effect;
}

static struct view *errors_of(struct browser *b, model_id defect);

/* Goes to the next row, or the one before, around the end. */
static unsigned
step_in_list(struct view *v, bool backward)
{
	size_t rows = table_view_rows(v);

	if (rows)
		view_move_to(v, (v->cursor + (backward ? rows - 1 : 1)) % rows);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned step_in_stacks(struct view *v, bool backward);

static unsigned
errors_act(struct view *v, enum action action, size_t count)
{
	struct table *t = v->data;
	const struct list_row *row = table_row(t, v->cursor);
	bool backward = action == ACTION_HOT_PREVIOUS;

	if (action == ACTION_HOT_NEXT || backward)
		return t->query.defect ? step_in_stacks(v, backward)
					     : step_in_list(v, backward);
	if (row && action == ACTION_OPEN)
		return go_to(v, row);
	if (row && action == ACTION_STACKS && !t->query.defect)
		return browser_push(v->browser,
				    errors_of(v->browser, (model_id)table_id(row)));
	return table_act(v, t, action, count);
}

static const enum action hints[NR_HINTS] = {
	ACTION_OPEN, ACTION_STACKS, ACTION_HOT_NEXT, ACTION_HELP, ACTION_SEARCH, ACTION_QUIT,
	ACTION_SORT, ACTION_FILTER, ACTION_COLUMNS,
};

#define ERRORS_OPS(called)                                                                      \
	.name = called, .keymap = KEYMAP_TABLE, .hints = hints, TABLE_VIEW_OPS,                 \
	.title = errors_title, .empty = errors_empty, .act = errors_act
/* They differ so that one can lie over the other. */
static const struct view_ops errors_ops = { ERRORS_OPS("errors") };
static const struct view_ops stacks_ops = { ERRORS_OPS("stacks") };

bool
is_errors(const struct view *v)
{
	return v->ops == &errors_ops || v->ops == &stacks_ops;
}

/* Shows the stacks of the next error of the list below. */
static unsigned
step_in_stacks(struct view *v, bool backward)
{
	struct table *t = v->data, *all;
	struct browser *b = v->browser;
	struct view *list = b->depth > 1 ? b->stack[b->depth - 2] : NULL;
	const struct list_row *row;

	if (!list || list->ops != &errors_ops) {
		browser_say(b, ROLE_MESSAGE, "the list of errors is closed: %s opens it",
			    action_key(KEYMAP_TABLE, ACTION_ERRORS));
		return EFFECT_DONE;
	}
	all = list->data;
	step_in_list(list, backward);
	row = table_row(all, list->cursor);
	if (!row)
		return EFFECT_DONE;
	t->query.defect = (model_id)table_id(row);
	table_forget(t);
	v->cursor = v->top = 0;
	table_open(v, t);
	table_layout(t, v->area.w);
	return EFFECT_DONE | EFFECT_MOVED;
}

/* Opens the stacks of DEFECT; 0: all errors. */
static struct view *
errors_of(struct browser *b, model_id defect)
{
	struct view *v = table_view_new(defect ? &stacks_ops : &errors_ops, b,
					&table_kinds[defect ? LIST_FRAME : LIST_DEFECT],
					&listing_source);
	struct table *t = v->data;

	t->query.defect = defect;
	table_open(v, t);
	return v;
}

struct view *
errors_new(struct browser *b)
{
	return errors_of(b, 0);
}

/* ---- from one to the next ---- */

static uint32_t
number(const struct list_row *row, const char *name)
{
	const struct cell *c = &row->cells[list_column_find(LIST_DEFECT, name)];

	return c->null || c->number < 0 || c->number > INT32_MAX ? 0 : (uint32_t)c->number;
}

static int
compare_places(const struct place *a, const struct place *b)
{
	COMPARE(a->file, b->file);
	COMPARE(a->line, b->line);
	COMPARE(a->column, b->column);
	return 0;
}

static int
compare_errors(const void *a, const void *b)
{
	const struct error_place *x = a, *y = b;

	return compare_places(&x->place, &y->place);
}

void
errors_read(struct errors *e, struct profile *p)
{
	struct list_query q = { .kind = LIST_DEFECT,
				.sort = list_column_find(LIST_DEFECT, "file") };
	int what = list_column_find(LIST_DEFECT, "what");
	struct listing *l = listing_open(p, &q);
	const struct list_row *row;
	size_t alloc = 0;

	errors_release(e);
	for (size_t i = 0; i < listing_rows(l) && (row = listing_row(l, i)); i++) {
		GROW(e->items, e->nr + 1, alloc);
		e->items[e->nr++] = (struct error_place){
			(model_id)table_id(row),
			{ number(row, "file_id"), number(row, "line"), number(row, "column"),
			  number(row, "end_line"), number(row, "end_column") },
			number(row, "procedure_id"), xstrdup(row->cells[what].text),
		};
	}
	listing_close(l);
	if (e->nr)
		qsort(e->items, e->nr, sizeof(*e->items), compare_errors);
}

void
errors_release(struct errors *e)
{
	for (size_t i = 0; i < e->nr; i++)
		free(e->items[i].what);
	free(e->items);
	*e = (struct errors){ .items = NULL };
}

/* Returns the position of the first error at PLACE or behind it; nr: there is none. */
static size_t
first_from(const struct errors *e, const struct place *place)
{
	size_t lo = 0, hi = e->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (compare_places(&e->items[mid].place, place) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Returns the position of the first error on LINE of FILE, or on a line behind it. */
static size_t
first_on(const struct errors *e, model_id file, uint32_t line)
{
	return first_from(e, &(struct place){ .file = file, .line = line });
}

bool
errors_on(const struct errors *e, model_id file, uint32_t line)
{
	size_t i = first_on(e, file, line);

	return file && i < e->nr && e->items[i].place.file == file &&
	       e->items[i].place.line == line;
}

/* Returns the position of the next error with a place, or the one before, around the end: from the
 * one that was gone to last if LINE of FILE is where that is shown, as others may be there, too;
 * else behind LINE, or before it. nr: there is none. */
static size_t
next_error(const struct errors *e, model_id file, uint32_t line, bool backward)
{
	size_t first = first_on(e, 1, 0); /* those before are in no source */
	bool here = file && e->shown.file == file && e->shown.line == line;
	size_t i = here ? e->at + !backward : first_on(e, file, backward ? line : line + 1);

	if (first == e->nr)
		return e->nr;
	if (backward)
		return i > first && i <= e->nr ? i - 1 : e->nr - 1;
	return i < e->nr && i >= first ? i : first;
}

unsigned
errors_step(struct browser *b, enum action action, size_t count)
{
	struct view *source = b->panes[PANE_SOURCE];
	struct subject file = source_file(source);
	const struct errors *e = &b->errors;
	struct target target = { .site = 0 };
	size_t i, first = first_on(e, 1, 0);
	bool walked = e->walked;
	unsigned effect;

	(void)count;
	if (unrecorded(b, action))
		return EFFECT_DONE;
	i = next_error(e, file.first ? 0 : file.id, (uint32_t)source->cursor + 1,
		       action == ACTION_ERROR_PREVIOUS);
	if (i == e->nr) {
		browser_say(b, ROLE_MESSAGE, "no error is in a source of the profile");
		return EFFECT_DONE;
	}
	target.place = e->items[i].place;
	target.procedure.id = e->items[i].procedure;
	browser_say(b, ROLE_MESSAGE, "error %zu of %zu: %s", i - first + 1, e->nr - first,
		    e->items[i].what);
	effect = show_error(b, &target, i);
	b->errors.walked = walked;
	return effect;
}
