/* Who called whom, as the script of a page gets it. */
#include <stdlib.h>
#include <string.h>

#include "print/export/html/parts.h"
#include "show/human.h"
#include "show/tree_rows.h"
#include "show/value.h"
#include "util/text/safe.h"

/* ---- arcs ---- */

/* Ends and places are written as numbers; the text of a call is in the source. */
static void
leave_out_texts(struct page_columns *c)
{
	int nr = 0;

	for (int i = 0; i < c->nr; i++) {
		enum cell_style cell = c->items[i].cell;

		if (cell != CELL_END && cell != CELL_PLACE && cell != CELL_SOURCE)
			c->items[nr++] = c->items[i];
	}
	c->nr = nr;
}

struct ends {
	int ids[2];              /* columns of the caller and of the callee */
	int count, site, through;
};

static struct ends
find_ends(void)
{
	return (struct ends){
		.ids = { list_column_find(LIST_ARC, "caller_id"),
			 list_column_find(LIST_ARC, "callee_id") },
		.count = list_column_find(LIST_ARC, "count"),
		.site = list_column_find(LIST_ARC, "site_id"),
		.through = list_column_find(LIST_ARC, "through"),
	};
}

/* Has the row any figure? What is only possible has none. */
static bool
happened(const struct page_columns *c, const struct list_row *row)
{
	for (int i = 0; i < c->nr; i++) {
		int k = c->items[i].source ? profile_column_find(c->g->p, LIST_ARC,
								 c->items[i].source) : -1;
		const struct cell *cell = k < 0 ? NULL : &row->cells[k];

		if (cell && !cell->null && (cell->number || cell->real != 0))
			return true;
	}
	return false;
}

/* Writes the id of an end; 0 and its text where that says more than the procedure's name. */
static void
put_ends(struct page_json *j, const struct page_columns *c, const struct ends *e,
	 const struct list_row *row)
{
	static const char *const names[] = { "caller", "callee" };
	const char *through = row->cells[e->through].text;

	for (int k = 0; k < 2; k++) {
		int64_t id = row->cells[e->ids[k]].null ? 0 : row->cells[e->ids[k]].number;
		struct column column = { .source = names[k], .cell = CELL_END,
					 .second = k ? "callee_id" : "caller_id" };
		struct strbuf text = STRBUF_INIT;

		page_json_whole(j, id);
		if (!id || (through && *through))
			page_cell(&text, &c->x, &column, row);
		page_json_str(j, text.buf);
		strbuf_release(&text);
	}
}

/* Notes what a site has called, if nothing else was called more. */
static void
note_callee(struct page *g, uint64_t *counts, const struct ends *e, const struct list_row *row)
{
	const struct cell *site = &row->cells[e->site], *count = &row->cells[e->count];
	const struct cell *callee = &row->cells[e->ids[1]];

	if (site->null || callee->null || (size_t)site->number >= g->nr_sites)
		return;
	if (g->called[site->number] && (count->null ||
					(uint64_t)count->number <= counts[site->number]))
		return;
	counts[site->number] = count->null ? 0 : (uint64_t)count->number;
	g->called[site->number] = (model_id)callee->number;
}

void
page_calls(struct page *g, struct page_json *j)
{
	struct listing *list = page_rows(g, LIST_ARC);
	struct ends ends = find_ends();
	const struct list_row *row;
	struct page_columns c;
	size_t nr = 0, most = g->e->all ? SIZE_MAX : PAGE_MOST_CALLS;
	uint64_t *counts;

	g->nr_sites = g->totals->nr_sites + 1;
	g->called = xcalloc(g->nr_sites, sizeof(*g->called));
	counts = xcalloc(g->nr_sites, sizeof(*counts));
	page_columns_open(&c, g, &table_kinds[LIST_ARC]);
	leave_out_texts(&c);
	page_json_name(j, "calls");
	page_json_begin(j, '{');
	page_json_name(j, "rows");
	page_json_begin(j, '[');
	for (size_t i = 0; (row = listing_row(list, i)) && nr <= most; i++) {
		if (!happened(&c, row) || nr++ == most)
			continue;
		note_callee(g, counts, &ends, row);
		page_json_begin(j, '[');
		page_columns_row(j, &c, row);
		put_ends(j, &c, &ends, row);
		page_json_end(j, ']');
	}
	page_json_end(j, ']');
	page_json_name(j, "cut");
	page_json_whole(j, nr > most);
	page_columns_heads(j, &c);
	page_json_end(j, '}');
	page_columns_close(&c);
	free(counts);
	listing_close(list);
}

/* ---- the tree ---- */

/* Nodes with less than this share of all are left out, and those behind so many. */
enum { LEAST_PPM = 100, MOST_NODES = 6000 };

struct tree_page {
	struct page *g;
	struct tree_rows *rows;
	struct tree *tree;
	uint64_t least;
	uint32_t *nodes, *parents; /* those that are written, and which of these is above */
	size_t nr;
	bool cut;                /* there are more */
};

static struct tree *
open_tree(struct page *g)
{
	struct tree_want want = { .source = tree_is_possible(g->p, TREE_CONTEXTS)
					    ? TREE_CONTEXTS : TREE_ARCS };

	if (want.source == TREE_ARCS)
		want.measure = tree_arcs_measure(g->p);
	return tree_open(g->p, &want);
}

/* Appends a figure, with a mark where it is an estimate. */
static void
put_figure(struct strbuf *out, const struct tree_page *t, const struct tree_node *n, int64_t figure)
{
	bool arcs = tree_wanted(t->tree)->source == TREE_ARCS;

	if (tree_has_paths(t->tree) || (arcs && !n->exact))
		value_mark(out, "estimated", false);
	value_whole(out, tree_unit(t->tree), figure, VALUE_WIDE, false);
}

/* Writes a node: above, procedure, weight, share, total, self, calls or samples; the name where it
 * is no procedure's. */
static void
put_node(struct tree_page *t, struct page_json *j, size_t i)
{
	const struct tree_node *n = tree_node(t->tree, t->nodes[i]);
	const struct tree_node *all = tree_node(t->tree, 0);
	bool named = n->kind == TREE_PROCEDURE && n->procedure;
	struct strbuf text = STRBUF_INIT;

	page_json_begin(j, '[');
	page_json_whole(j, i ? (int64_t)t->parents[i] : -1);
	page_json_whole(j, named ? n->procedure : 0);
	page_json_whole(j, (int64_t)tree_weight(t->tree, n));
	human_percent(&text, n->total, figure_size(all->total));
	page_json_str(j, text.buf);
	strbuf_clear(&text);
	put_figure(&text, t, n, n->total);
	page_json_str(j, text.buf);
	strbuf_clear(&text);
	put_figure(&text, t, n, n->self);
	page_json_str(j, text.buf);
	strbuf_clear(&text);
	if (n->number && !tree_has_paths(t->tree))
		human_count(&text, n->number);
	page_json_str(j, text.buf);
	strbuf_clear(&text);
	if (!named && i) {
		struct strbuf name = STRBUF_INIT;

		tree_rows_name(t->rows, t->nodes[i], false, &name);
		safe_text(&text, name.buf, name.len);
		page_json_str(j, text.buf);
		strbuf_release(&name);
	}
	page_json_end(j, ']');
	strbuf_release(&text);
}

/* Notes the children of node I that weigh enough, the heaviest first. */
static void
note_children(struct tree_page *t, size_t i)
{
	const struct tree_node *n = tree_children(t->tree, t->nodes[i]);
	uint32_t first = n->first, nr = n->nr;

	for (uint32_t k = first; k < first + nr; k++) {
		const struct tree_node *child = tree_node(t->tree, k);

		if (child->kind == TREE_RECURSION)
			continue;
		if (t->nr == MOST_NODES || tree_weight(t->tree, child) < t->least) {
			t->cut = true;
			continue;
		}
		t->nodes[t->nr] = k;
		t->parents[t->nr++] = (uint32_t)i;
	}
}

static void
put_nodes(struct tree_page *t, struct page_json *j)
{
	struct strbuf origin = STRBUF_INIT;
	const struct tree_node *all = tree_node(t->tree, 0);

	t->least = figure_size(all->total) / 1000000 * LEAST_PPM;
	t->least += !t->least;
	t->nodes = xcalloc(MOST_NODES, sizeof(*t->nodes));
	t->parents = xcalloc(MOST_NODES, sizeof(*t->parents));
	t->nr = 1; /* node 0 stands for all */
	for (size_t i = 0; i < t->nr; i++)
		note_children(t, i);
	tree_rows_origin(t->rows, &origin);
	page_json_name(j, "tree");
	page_json_begin(j, '{');
	page_json_name(j, "origin");
	page_json_str(j, origin.buf);
	page_json_name(j, "number");
	page_json_str(j, tree_wanted(t->tree)->source == TREE_ARCS ? "calls" : "samples");
	page_json_name(j, "cut");
	page_json_whole(j, t->cut);
	page_json_name(j, "nodes");
	page_json_begin(j, '[');
	for (size_t i = 0; i < t->nr; i++)
		put_node(t, j, i);
	page_json_end(j, ']');
	page_json_end(j, '}');
	strbuf_release(&origin);
	free(t->nodes);
	free(t->parents);
}

void
page_tree(struct page *g, struct page_json *j)
{
	struct tree_page t = { .g = g, .tree = open_tree(g) };

	if (!t.tree)
		return;
	t.rows = tree_rows_open(g->p, t.tree);
	if (tree_has_time(t.tree) && tree_node(t.tree, 0)->total > 0)
		put_nodes(&t, j);
	tree_rows_close(t.rows);
}
