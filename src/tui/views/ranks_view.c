/* The ranks of a parallel program, with what each did in a procedure; and the procedures that are
 * uneven over ranks or runs. */
#include <stdlib.h>

#include "db/lists/wings.h"
#include "tui/threads.h"
#include "tui/views.h"
#include "tui/views/table.h"

static bool
is_imbalance(const struct table *t)
{
	return t->kind->list == LIST_IMBALANCE;
}

static void
ranks_title(struct view *v, struct title *title)
{
	struct browser *b = v->browser;
	struct procedure_row of;

	strbuf_str(&title->left, is_imbalance(v->data) ? "imbalance over ranks, or runs" : "ranks");
	if (!is_imbalance(v->data) && b->ranked && profile_procedure(b->profile, b->ranked, &of))
		strbuf_fmt(&title->left, ": what each did in %s", of.name);
	table_view_title(v, title);
}

static void
ranks_empty(struct view *v, struct strbuf *out)
{
	const struct table *t = v->data;
	enum wing_id missing = wing_missing(v->browser->profile, t->kind->list);

	if (!table_view_explain(v, out))
		strbuf_fmt(out, "This profile has no %s: %s.\n", wings[missing].what,
			   wings[missing].how);
}

/* Shows what only the rank of the row did. */
static unsigned
show_rank(struct view *v, struct table *t, const struct list_row *row)
{
	struct browser *b = v->browser;
	struct list_query q = {
		.kind = LIST_THREAD, .sort = list_column_find(LIST_THREAD, "id"),
	};
	struct profile *whole = threads_whole(b);
	struct listing *threads = listing_open(whole, &q);
	size_t nr = (size_t)profile_rows(whole, LIST_THREAD);
	bool *keep = xcalloc(nr + 1, sizeof(*keep));
	int64_t rank = table_number(t, row, "rank");
	int id = list_column_find(LIST_THREAD, "id"), of = list_column_find(LIST_THREAD, "rank");
	unsigned effect;

	for (size_t i = 0; i < listing_rows(threads); i++) {
		const struct list_row *r = listing_row(threads, i);

		if (r && !r->cells[of].null && r->cells[of].number == rank &&
		    r->cells[id].number > 0 && (uint64_t)r->cells[id].number <= nr)
			keep[r->cells[id].number - 1] = true;
	}
	listing_close(threads);
	browser_pop(b); /* V is gone */
	effect = threads_show(b, keep, nr);
	free(keep);
	return effect | EFFECT_LAYOUT;
}

static unsigned
ranks_act(struct view *v, enum action action, size_t count)
{
	struct table *t = v->data;
	const struct list_row *row = action == ACTION_OPEN ? table_row(t, v->cursor) : NULL;
	struct target target = { .procedure = { 0, false } };
	struct browser *b = v->browser;
	unsigned effect;

	if (!row)
		return table_act(v, t, action, count);
	if (!is_imbalance(t))
		return show_rank(v, t, row);
	target.procedure.id = (model_id)table_number(t, row, "id");
	target.place.file = (model_id)table_number(t, row, "file_id");
	target.place.line = (uint32_t)table_number(t, row, "line");
	effect = browser_go(b, &target, true);
	while (b->depth)
		effect |= browser_pop(b);
	return effect;
}

static const struct view_ops ranks_ops = {
	.name = "ranks",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = ranks_title,
	.empty = ranks_empty,
	.act = ranks_act,
};

static struct view *
open_view(struct browser *b, enum list_kind kind)
{
	struct view *v = table_view_new(&ranks_ops, b, &table_kinds[kind], &listing_source);

	table_open(v, v->data);
	return v;
}

struct view *
imbalance_new(struct browser *b)
{
	return open_view(b, LIST_IMBALANCE);
}

struct view *
ranks_new(struct browser *b, model_id procedure)
{
	b->ranked = procedure;
	if (procedure)
		profile_ranks_of(b->profile, procedure);
	return open_view(b, LIST_RANK);
}
