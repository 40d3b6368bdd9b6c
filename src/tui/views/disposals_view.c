/* Tables of blocks: by pair of maker and disposer, by disposer, by maker, and others. */
#include <stdlib.h>

#include "show/human.h"
#include "tui/views.h"
#include "tui/views/table.h"

struct disposals_view {
	struct table table; /* first: view_table() */
	bool compared;      /* kinds that can be compared are */
};

/* In the order of the key; COMPARED: as rows of a comparison, NULL: they have none. */
static const struct {
	const struct table_kind *alone, *compared;
	const char *title;
} kinds[] = {
	{ &table_kinds[LIST_PAIR], NULL, "who made and who freed" },
	{ &table_kinds[LIST_DISPOSER], &compared_disposers_kind, "who frees" },
	{ &table_kinds[LIST_LIFETIME], NULL, "how long blocks live, by who made them" },
	{ &table_kinds[LIST_PRODUCER], &compared_producers_kind, "what each call got, by size" },
	{ &table_kinds[LIST_TYPE], &compared_types_kind, "what was got, by type" },
	{ &table_kinds[LIST_SIZE], &compared_sizes_kind, "what was got, by size" },
	{ &table_kinds[LIST_POOL], &compared_pools_kind, "what each call got of pools" },
};
enum { NR_KINDS = sizeof(kinds) / sizeof(*kinds) };

static int
kind_of(const struct table *t)
{
	for (int i = 0; i < NR_KINDS; i++) {
		if (kinds[i].alone == t->kind || kinds[i].compared == t->kind)
			return i;
	}
	return 0;
}

static bool
is_compared(const struct table *t)
{
	return t->kind->list == LIST_COMPARISON;
}

static enum compare_by
compared_by_of(const struct table *t)
{
	return (enum compare_by)(t->kind->things - 1);
}

static void
disposals_title(struct view *v, struct title *title)
{
	struct disposals_view *d = v->data;

	strbuf_str(&title->left, kinds[kind_of(&d->table)].title);
	if (is_compared(&d->table))
		compare_title(v->browser, compared_by_of(&d->table), &title->left);
	else if (compare_is_on(v->browser))
		strbuf_fmt(&title->left, ": only of %s",
			   sides_name(compare_side(&v->browser->compare, false)));
	table_view_title(v, title);
}

static void
disposals_empty(struct view *v, struct strbuf *out)
{
	struct disposals_view *d = v->data;

	if (table_view_explain(v, out))
		return;
	if (d->table.kind->list == LIST_POOL)
		strbuf_str(out, "No block of a pool was counted: cgcc --cgview-flags=alloc=GLOB "
			   "names the procedures that give them out.\n");
	else
		strbuf_str(out, "Nothing was allocated.\n");
}

/* Finds the place of one end of the row: of the disposer (BY), or of the maker. */
static bool
find_target(struct table *t, const struct list_row *row, bool by, struct target *target)
{
	const enum list_kind kind = kinds[kind_of(t)].alone->list;
	bool has = kind == LIST_PAIR || (by ? kind == LIST_DISPOSER :
					 kind == LIST_LIFETIME || kind == LIST_PRODUCER ||
					 kind == LIST_POOL);

	*target = (struct target){ .procedure = { .id = 0 } };
	if (!has)
		return false;
	if (is_compared(t)) {
		compare_row_target(t, row, target);
		return target->place.file;
	}
	target->place = by ? table_disposer_place(t, row) : table_place(t, row);
	target->procedure.id = (model_id)table_number(t, row, by ? "by_id" : "procedure_id");
	return target->place.file;
}

static unsigned
go_to_end(struct view *v, bool by)
{
	struct disposals_view *d = v->data;
	const struct list_row *row = table_row(&d->table, v->cursor);
	struct browser *b = v->browser;
	struct target target;

	if (!row)
		return EFFECT_DONE;
	if (!find_target(&d->table, row, by, &target)) {
		browser_say(b, ROLE_MESSAGE, by ? "it is not known where these were given back"
						: "it is not known where these were made");
		return EFFECT_DONE;
	}
	browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

/* SEEK: the id of the row that the cursor goes to; -1: to the first one. */
static void
show_kind(struct view *v, int i, int64_t seek)
{
	struct disposals_view *d = v->data;

	table_set_kind(&d->table, d->compared && kinds[i].compared ? kinds[i].compared
								   : kinds[i].alone);
	if (seek >= 0)
		v->cursor = 0;
	d->table.seek = seek;
	table_open(v, &d->table);
	table_layout(&d->table, v->area.w);
}

static unsigned
next_kind(struct view *v, int by)
{
	struct disposals_view *d = v->data;

	show_kind(v, (kind_of(&d->table) + by + NR_KINDS) % NR_KINDS, -1);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
open_matrix(struct view *v)
{
	struct disposals_view *d = v->data;
	const struct list_row *row = table_row(&d->table, v->cursor);
	bool of_pairs = d->table.kind->list == LIST_PAIR;

	return browser_push(v->browser, matrix_new(v->browser, &d->table.to, row && of_pairs
						   ? (model_id)table_id(row) : 0));
}

static unsigned
disposals_act(struct view *v, enum action action, size_t count)
{
	struct disposals_view *d = v->data;

	switch (action) {
	case ACTION_OPEN:
		return go_to_end(v, kinds[kind_of(&d->table)].alone->list == LIST_DISPOSER);
	case ACTION_FREED_AT:
		return go_to_end(v, true);
	case ACTION_MATRIX:
		return open_matrix(v);
	case ACTION_SUMMARY_NEXT:
		return next_kind(v, 1);
	case ACTION_SUMMARY_PREVIOUS:
		return next_kind(v, -1);
	default:
		return table_act(v, &d->table, action, count);
	}
}

static const enum action hints[NR_HINTS] = {
	ACTION_OPEN, ACTION_FREED_AT, ACTION_MATRIX, ACTION_SUMMARY_NEXT, ACTION_SORT, ACTION_HELP,
	ACTION_SEARCH, ACTION_QUIT, ACTION_FILTER, ACTION_COLUMNS,
};

static const struct view_ops disposals_ops = {
	.name = "disposals",
	.keymap = KEYMAP_TABLE,
	.hints = hints,
	TABLE_VIEW_OPS,
	.title = disposals_title,
	.empty = disposals_empty,
	.act = disposals_act,
};

/* Can all profiles be compared in this? If not the user is told why. */
static bool
can_compare(struct browser *b)
{
	struct error err = ERROR_INIT;

	if (!compare_is_on(b))
		return false;
	if (!b->compare.c || !comparison_check_space(b->compare.c, BY_PRODUCER, &err))
		return true;
	browser_say(b, ROLE_MESSAGE, "not compared: %s", err.text);
	return false;
}

/* Returns pairs; in a comparison producers, or what is stored. */
static int
first_kind(const struct browser *b, bool compared)
{
	int things = compare_by_is_space(b->compare.begin) ? (int)b->compare.begin + 1
							   : compared_producers_kind.things;
	int i = 0;

	while (compared && (!kinds[i].compared || kinds[i].compared->things != things))
		i++;
	return i;
}

struct view *
disposals_new(struct browser *b)
{
	struct disposals_view *d = xcalloc(1, sizeof(*d));
	struct view *v = view_new(&disposals_ops, b, d);

	d->compared = can_compare(b);
	table_init(&d->table, b, kinds[0].alone);
	show_kind(v, first_kind(b, d->compared), -1);
	return v;
}

unsigned
disposals_show_pair(struct browser *b, model_id pair)
{
	struct view *v = browser_view(b);
	struct disposals_view *d;

	if (!b->depth || v->ops != &disposals_ops) {
		v = disposals_new(b);
		if (!v)
			return EFFECT_DONE;
		browser_push(b, v);
	}
	d = v->data;
	if (d->table.kind->list != LIST_PAIR)
		show_kind(v, 0, pair);
	else
		table_seek(v, &d->table, pair);
	return EFFECT_DONE | EFFECT_MOVED | EFFECT_LAYOUT;
}

void
disposals_leave(struct browser *b)
{
	if (b->depth && browser_view(b)->ops == &disposals_ops)
		browser_pop(b);
}
