#include "show/tree_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/value.h"
#include "util/text/safe.h"

struct maker {
	struct column_set *columns;
	const struct tree_want *want;
	const struct tree *tree;
	const struct tree_compared *compared;
	bool ascii;
};

/* Has the tree this column? */
static bool
has_column(const struct maker *k, const struct column *c)
{
	bool joined = k->compared->nr, first = c->source && !strcmp(c->source, "a");
	size_t middle = compare_middle(c->source);

	if (joined)
		return first || middle + 1 < k->compared->nr;
	if (c->source && !strcmp(c->source, "below") && k->want->bottom_up)
		return false;
	if (c->needs == NEEDS_SEVERAL)
		return k->want->uneven;
	if (c->cell == CELL_ESTIMATE)
		return !k->want->measure || k->want->source == TREE_ARCS;
	if (c->cell == CELL_PATHS_ERROR)
		return tree_has_paths(k->tree);
	/* Without time there are only calls. */
	return tree_has_time(k->tree) || c->cell == CELL_NAME || c->cell == CELL_PLACE;
}

/* Returns "total bytes", "bytes", as in other tables. */
static const char *
measure_head(const struct maker *k, const struct column *c)
{
	const struct model_measure *m = tree_measure(k->tree);
	const char *text, *unit = measure_head_unit(m, &k->columns->texts);
	struct strbuf head = STRBUF_INIT;

	if (strcmp(c->source, "self"))
		strbuf_fmt(&head, "%s ", c->source);
	safe_str(&head, m->label ? m->label : m->name);
	strbuf_str(&head, unit ? " " : "");
	strbuf_str(&head, unit ? unit : "");
	text = arena_strdup(&k->columns->texts, head.buf);
	strbuf_release(&head);
	return text;
}

static const char *
estimated_head(const struct maker *k, const char *head)
{
	struct strbuf marked = STRBUF_INIT;
	const char *text;

	value_mark(&marked, "estimated", k->ascii);
	strbuf_str(&marked, head);
	text = arena_strdup(&k->columns->texts, marked.buf);
	strbuf_release(&marked);
	return text;
}

static const char *
head_of(const struct maker *k, const struct column *c)
{
	bool arcs = k->want->source == TREE_ARCS, up = k->want->bottom_up;
	bool cost = c->cell == CELL_COST;
	const char *head = column_heading(c, k->compared->nr, k->ascii);

	if (cost && k->want->measure && (arcs || tree_has_paths(k->tree)))
		return estimated_head(k, measure_head(k, c));
	if (cost && k->want->measure)
		return measure_head(k, c);
	if (arcs && (cost || (c->cell == CELL_FIGURE && k->compared->timed)))
		return estimated_head(k, head);
	if (c->cell == CELL_WHOLE_PERCENT && up && !k->want->procedure)
		return "self%";
	if (c->cell == CELL_ESTIMATE && !arcs)
		return "samples";
	if (c->cell == CELL_NAME)
		return up ? "procedure, callers below" : "procedure, callees below";
	return c->cell == CELL_PLACE && up ? "call" : head;
}

/* Is it of less use than how evenly ranks have it? Then it wants a wider screen. */
enum { FOR_UNEVEN = 110 };
static bool
gives_way(const struct column *c)
{
	return c->cell == CELL_ESTIMATE || c->cell == CELL_PLACE ||
	       (c->source && !strcmp(c->source, "below"));
}

void
tree_columns_make(struct column_set *c, const struct tree_rows *o,
		  const struct tree_compared *compared, bool ascii)
{
	struct maker k = { c, tree_wanted(o->tree), o->tree, compared, ascii };
	const struct column *all =
		(compared->nr ? &joined_tree_kind : &table_kinds[LIST_TREE])->columns;

	c->nr = 0;
	for (; all->head; all++) {
		struct column *to = &c->items[c->nr];
		int length;

		if (!has_column(&k, all))
			continue;
		*to = *all;
		to->head = head_of(&k, all);
		length = (int)strlen(to->head);
		if (k.want->measure && to->width && to->width < length)
			to->width = length;
		if (!compared->nr && !tree_has_time(o->tree) && to->cell == CELL_ESTIMATE)
			to->rank = 0;
		if (k.want->uneven && gives_way(to))
			to->rank += FOR_UNEVEN;
		c->nr++;
	}
	c->items[c->nr].head = NULL;
}

struct cell_context
tree_cell_context(const struct tree_rows *o, bool ascii)
{
	uint64_t whole = tree_rows_whole(o);

	return (struct cell_context){
		.kind = LIST_TREE, .whole = whole ? whole : 1, .directory = "",
		.ascii = ascii, .unit = tree_unit(o->tree),
	};
}

/* OF: "self" or "total". E may be NULL: the cells are empty. */
static void
put_evenness(struct list_row *row, const char *of, const struct evenness *e)
{
	double mean = e ? deviation_mean(&e->of) : 0;
	const struct { const char *name; double value; } cells[] = {
		{ "over_ns", e ? fmax(0, (double)e->most - mean) : 0 },
		{ "least_ns", e ? (double)e->least : 0 }, { "least_at", e ? e->least_at : 0 },
		{ "mean_ns", mean },
		{ "most_ns", e ? (double)e->most : 0 }, { "most_at", e ? e->most_at : 0 },
		{ "sd_ns", e ? deviation_of(&e->of) : 0 },
	};
	char name[32];

	for (size_t i = 0; e && i < sizeof(cells) / sizeof(*cells); i++) {
		snprintf(name, sizeof(name), "%s_%s", of, cells[i].name);
		list_row_put_number(row, LIST_TREE, name, (int64_t)(cells[i].value + 0.5));
	}
	snprintf(name, sizeof(name), "%s_imbalance", of);
	list_row_put_real(row, LIST_TREE, name, e ? evenness_imbalance(e) : NAN);
}

void
tree_put_evenness(struct list_row *row, struct tree_evenness e)
{
	put_evenness(row, "total", e.total);
	put_evenness(row, "self", e.self);
}

void
tree_cells(struct tree_rows *o, uint32_t node, struct list_row *row)
{
	bool back = tree_rows_goes_back(o, node);
	int64_t below, own = tree_rows_own(o, node, &below);
	const struct tree_node *n = tree_node(o->tree, back ? tree_rows_tail(o, node) : node);
	int64_t weight = (int64_t)tree_weight(o->tree, n);
	bool guessed = tree_wanted(o->tree)->source == TREE_ARCS && !n->exact;

	list_row_empty(row);
	row->inner = back;
	list_row_put_number(row, LIST_TREE, "weight", n->total < 0 ? -weight : weight);
	list_row_put_number(row, LIST_TREE, "total", n->total);
	list_row_put_number(row, LIST_TREE, "self", own);
	if (below)
		list_row_put_number(row, LIST_TREE, "below", below);
	list_row_put_text(row, LIST_TREE, "how", guessed ? "estimated" : "solved");
	if (n->number)
		list_row_put_number(row, LIST_TREE, "count", n->number);
	if (!back)
		tree_put_evenness(row, (struct tree_evenness){
			tree_evenness(o->tree, tree_node(o->tree, tree_rows_tail(o, node))).self,
			tree_evenness(o->tree, n).total,
		});
	if (tree_has_paths(o->tree)) {
		list_row_put_number(row, LIST_TREE, "paths", tree_paths(o->tree, n->total));
		list_row_put_number(row, LIST_TREE, "all_paths",
				    tree_paths(o->tree, tree_node(o->tree, 0)->total));
	}
}
