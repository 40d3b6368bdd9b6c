/* Who gave back what whom made: pairs, those that gave back, those that wanted blocks. */
#include <stdlib.h>

#include "show/human.h"
#include "tui/filter.h"
#include "tui/table.h"
#include "tui/views.h"

struct disposals_view {
	struct table table; /* first: view_table() */
};

static const struct { enum list_kind kind; const char *title; } kinds[] = {
	{ LIST_PAIR, "who frees what whom made" }, { LIST_DISPOSER, "who frees" },
	{ LIST_LIFETIME, "how long blocks live, by who made them" },
	{ LIST_PRODUCER, "what each call got, by size" }, { LIST_TYPE, "what was got, by type" },
	{ LIST_SIZE, "what was got, by size" },
	{ LIST_POOL, "what each call got of pools" },
	{ LIST_BIOGRAPHY, "how long memory is kept after its last use (drag), by who made it" },
};
enum { NR_KINDS = sizeof(kinds) / sizeof(*kinds) };

static int
kind_of(const struct table *t)
{
	for (int i = 0; i < NR_KINDS; i++) {
		if (kinds[i].kind == t->kind->list)
			return i;
	}
	return 0;
}

static void
disposals_close(struct view *v)
{
	struct disposals_view *d = v->data;

	table_release(&d->table);
	free(d);
}

static void
disposals_title(struct view *v, struct title *title)
{
	struct disposals_view *d = v->data;
	size_t rows = table_view_rows(v);

	strbuf_str(&title->left, kinds[kind_of(&d->table)].title);
	filter_describe(&d->table, &title->middle);
	human_count(&title->right, rows ? v->cursor + 1 : 0);
	strbuf_char(&title->right, '/');
	human_count(&title->right, rows);
}

static void
disposals_empty(struct view *v, struct strbuf *out)
{
	struct disposals_view *d = v->data;
	const char *error = profile_error(v->browser->profile);

	if (error)
		strbuf_fmt(out, "%s\n", error);
	else if (table_is_restricted(&d->table))
		filter_explain(&d->table, out);
	else if (d->table.kind->list == LIST_BIOGRAPHY)
		strbuf_str(out, "No block was watched: cgview record --space=drag watches some, "
			   "to tell how long memory is kept after its last use.\n");
	else if (d->table.kind->list == LIST_POOL)
		strbuf_str(out, "No block of a pool was counted: cgcc --cgview-flags=alloc=GLOB "
			   "names the procedures that give them out.\n");
	else
		strbuf_str(out, "Nothing was allocated.\n");
}

/* The place of the row's other end, BY whom blocks were given back, or of who made them. */
static bool
find_target(struct table *t, const struct list_row *row, bool by, struct target *target)
{
	const enum list_kind kind = t->kind->list;
	bool has = kind == LIST_PAIR || (by ? kind == LIST_DISPOSER :
					 kind == LIST_LIFETIME || kind == LIST_PRODUCER ||
					 kind == LIST_POOL);

	*target = (struct target){ .procedure = { .id = 0 } };
	if (!has)
		return false;
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

static unsigned
next_kind(struct view *v, int by)
{
	struct disposals_view *d = v->data;
	int next = (kind_of(&d->table) + by + NR_KINDS) % NR_KINDS;

	table_set_kind(&d->table, &table_kinds[kinds[next].kind]);
	table_open(v, &d->table);
	table_layout(&d->table, v->area.w);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
disposals_act(struct view *v, enum action action, size_t count)
{
	struct disposals_view *d = v->data;

	switch (action) {
	case ACTION_OPEN:
		return go_to_end(v, d->table.kind->list == LIST_DISPOSER);
	case ACTION_FREED_AT:
		return go_to_end(v, true);
	case ACTION_SUMMARY_NEXT:
		return next_kind(v, 1);
	case ACTION_SUMMARY_PREVIOUS:
		return next_kind(v, -1);
	default:
		return table_act(v, &d->table, action, count);
	}
}

static const struct view_ops disposals_ops = {
	.name = "disposals",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.close = disposals_close,
	.title = disposals_title,
	.empty = disposals_empty,
	.act = disposals_act,
};

struct view *
disposals_new(struct browser *b)
{
	struct disposals_view *d;
	struct view *v;

	if (!profile_has_disposals(b->profile)) {
		browser_say(b, ROLE_MESSAGE, "allocations were not counted: record with --space");
		return NULL;
	}
	d = xcalloc(1, sizeof(*d));
	v = view_new(&disposals_ops, b, d);
	table_init(&d->table, b, &table_kinds[LIST_PAIR]);
	table_open(v, &d->table);
	return v;
}
