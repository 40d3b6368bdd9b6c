#include "print/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/record.h"
#include "print/report.h"
#include "show/tree_columns.h"
#include "util/text/path.h"
#include "util/text/safe.h"

/* ---- rows ---- */

static const struct tree_node *
node_of(const struct tree_report *r, uint32_t id)
{
	return tree_node(r->rows->tree, id);
}

static bool
is_too_small(const struct tree_report *r, uint32_t id)
{
	const struct tree_node *n = node_of(r, id);

	return n->kind != TREE_RECURSION && tree_weight(r->rows->tree, n) < r->min;
}

/* Finds the place of a procedure, or of the call by which a caller has it. */
static void
node_place(const struct tree_report *r, const struct tree_node *n, struct place *place)
{
	struct procedure_row procedure;
	struct site_row site;

	memset(place, 0, sizeof(*place));
	if (r->want.bottom_up && n->site && profile_site(r->p, n->site, &site))
		*place = site.place;
	else if (n->procedure && profile_procedure(r->p, n->procedure, &procedure))
		*place = procedure.place;
}

/* ---- text ---- */

struct printer {
	struct tree_report *r;
	struct column_set columns;
	struct cell_context context;
};

/* Prints the columns before the tree, as wide as on a wide screen, then the tree's LINES and NAMES.
 * ROW NULL: the heads. */
static void
print_line(const struct printer *t, const struct list_row *row, const char *lines,
	   const char *names)
{
	struct strbuf cell = STRBUF_INIT;
	enum role role;

	for (const struct column *c = t->columns.items; c->width; c++) {
		int width = c->width + c->grow;

		if (c->cell == CELL_BAR)
			continue;
		strbuf_clear(&cell);
		if (row)
			cell_print(&cell, &t->context, c, row, width, &role);
		else
			strbuf_str(&cell, c->head);
		printf("%*s%s  ", width - safe_width(cell.buf, cell.len), "", cell.buf);
	}
	printf("%s%s\n", lines, names);
	strbuf_release(&cell);
}

static void
print_row(const struct printer *t, size_t row)
{
	struct tree_report *r = t->r;
	struct strbuf lines = STRBUF_INIT, names = STRBUF_INIT, safe = STRBUF_INIT;
	uint32_t id = r->rows->rows[row].node;
	bool ascii = report_ascii();
	struct list_row cells;
	struct place place;
	const struct profile_file *file;

	tree_cells(r->rows, id, &cells);
	tree_rows_lines(r->rows, row, 80, ascii, &lines);
	tree_rows_names(r->rows, id, ascii, 0, &names);
	safe_text(&safe, names.buf, names.len);
	node_place(r, node_of(r, tree_rows_place(r->rows, id)), &place);
	file = place.file ? profile_file(r->p, place.file) : NULL;
	if (file) {
		strbuf_str(&safe, "  ");
		safe_str(&safe, path_base(file->path));
		strbuf_fmt(&safe, ":%" PRIu32, place.line);
	}
	print_line(t, &cells, lines.buf, safe.buf);
	strbuf_release(&lines);
	strbuf_release(&names);
	strbuf_release(&safe);
}

/* Prints one line for the siblings from ROW on that are too small. */
static void
print_small(const struct printer *t, size_t row)
{
	struct tree_report *r = t->r;
	uint32_t id = r->rows->rows[row].node, i;
	const struct tree_node *up = node_of(r, node_of(r, id)->parent);
	struct strbuf lines = STRBUF_INIT, names = STRBUF_INIT;
	uint64_t weight = 0, nr = 0;
	int64_t total = 0, self = 0;
	struct tree_row was = r->rows->rows[row];
	struct list_row cells;

	for (i = id; i < up->first + up->nr && node_of(r, i)->kind != TREE_RECURSION; i++, nr++) {
		weight += tree_weight(r->rows->tree, node_of(r, i));
		total += node_of(r, i)->total;
		self += node_of(r, i)->self;
	}
	list_row_empty(&cells);
	list_row_put_number(&cells, LIST_TREE, "weight", weight);
	/* Bottom-up of all procedures, their totals overlap. */
	if (!r->want.bottom_up || r->want.procedure)
		list_row_put_number(&cells, LIST_TREE, "total", total);
	list_row_put_number(&cells, LIST_TREE, "self", self);
	if (!r->want.bottom_up && total != self)
		list_row_put_number(&cells, LIST_TREE, "below", total - self);
	r->rows->rows[row].last = i == up->first + up->nr;
	tree_rows_lines(r->rows, row, 80, report_ascii(), &lines);
	r->rows->rows[row] = was;
	strbuf_fmt(&names, "(%" PRIu64 " more with less than %s%% each)", nr, r->min_text);
	print_line(t, &cells, lines.buf, names.buf);
	strbuf_release(&lines);
	strbuf_release(&names);
}

static void
print_head(const struct printer *t)
{
	const struct tree_report *r = t->r;
	struct strbuf origin = STRBUF_INIT;

	report_title(r->p);
	strbuf_str(&origin, r->want.bottom_up ? "callers of " : "calls");
	if (r->want.bottom_up)
		strbuf_str(&origin, r->procedure ? r->procedure
						 : "each procedure, by self time");
	strbuf_str(&origin, ", ");
	tree_rows_origin(r->rows, &origin);
	puts(origin.buf);
	print_line(t, NULL, "", "procedure");
	strbuf_release(&origin);
}

void
tree_text(struct tree_report *r)
{
	const struct tree_compared none = { .nr = 0 };
	struct printer t = { .r = r, .context = tree_cell_context(r->rows, report_ascii()) };
	size_t nr = r->rows->nr;
	uint32_t small_of = TREE_NONE;

	tree_columns_make(&t.columns, r->rows, &none, report_ascii());
	print_head(&t);
	for (size_t i = 0; i < nr && report_can_write(); i++) {
		uint32_t id = r->rows->rows[i].node;

		if (!is_too_small(r, id)) {
			print_row(&t, i);
		} else if (node_of(r, id)->parent != small_of) {
			small_of = node_of(r, id)->parent;
			print_small(&t, i);
		}
	}
	if (!nr)
		puts("nothing: no calls and no samples");
	if (r->rows->cut & TREE_CUT_ROWS)
		puts("(lower levels are left out: --limit and --depth tell how many)");
	column_set_release(&t.columns);
}

/* ---- lines ---- */

/* Appends "total% 12.1, total 1.20 s". */
static void
put_figures(const struct printer *t, uint32_t id, struct strbuf *out)
{
	struct strbuf cell = STRBUF_INIT;
	struct list_row cells;
	enum role role;
	bool began = false;

	tree_cells(t->r->rows, id, &cells);
	for (const struct column *c = t->columns.items; c->width; c++) {
		if (c->cell == CELL_BAR)
			continue;
		strbuf_clear(&cell);
		cell_print(&cell, &t->context, c, &cells, c->width + c->grow, &role);
		while (cell.len && cell.buf[cell.len - 1] == ' ')
			cell.buf[--cell.len] = '\0';
		if (!cell.len || !strcmp(cell.buf, "-"))
			continue;
		strbuf_str(out, began ? ", " : "");
		strbuf_add(out, c->head, strcspn(c->head, " "));
		strbuf_char(out, ' ');
		safe_text(out, cell.buf, cell.len);
		began = true;
	}
	strbuf_release(&cell);
}

/* Finds where a row is: its call, else its procedure. */
static void
call_place(const struct tree_report *r, const struct tree_node *n, struct place *place)
{
	struct site_row site;

	if (n->site && profile_site(r->p, n->site, &site) && site.place.file)
		*place = site.place;
	else
		node_place(r, n, place);
}

void
tree_lines(struct tree_report *r)
{
	const struct tree_compared none = { .nr = 0 };
	bool ascii = report_ascii();
	struct printer t = { .r = r, .context = tree_cell_context(r->rows, ascii) };
	struct strbuf out = STRBUF_INIT, names = STRBUF_INIT;
	uint64_t without = 0;

	tree_columns_make(&t.columns, r->rows, &none, ascii);
	for (size_t i = 0; i < r->rows->nr && report_can_write(); i++) {
		uint32_t id = r->rows->rows[i].node;
		const struct profile_file *file;
		struct place place;

		if (is_too_small(r, id))
			continue;
		call_place(r, node_of(r, id), &place);
		file = place.file ? profile_file(r->p, place.file) : NULL;
		without += !file;
		if (!file)
			continue;
		strbuf_clear(&out);
		strbuf_clear(&names);
		report_put_place(&out, file->path, place.line, place.column);
		tree_rows_names(r->rows, id, ascii, 0, &names);
		safe_text(&out, names.buf, names.len);
		strbuf_fmt(&out, ": depth %" PRIu32 ", ", (uint32_t)node_of(r, id)->depth);
		put_figures(&t, id, &out);
		puts(out.buf);
	}
	report_tell_without_place(without);
	column_set_release(&t.columns);
	strbuf_release(&names);
	strbuf_release(&out);
}

/* ---- csv, json ---- */

static const char *const kind_names[] = {
	[TREE_ALL] = "all", [TREE_PROCEDURE] = "procedure", [TREE_CYCLE] = "cycle",
	[TREE_RECURSION] = "recursion", [TREE_OUTSIDE] = "outside",
};

/* Fills the cells of the row's place, if it has one. */
static void
set_place(struct list_row *row, const struct tree_report *r, const char *file_column,
	  const char *line_column, const struct place *place)
{
	const struct profile_file *file = place->file ? profile_file(r->p, place->file) : NULL;

	if (!file)
		return;
	list_row_put_text(row, LIST_TREE, file_column, file->path);
	list_row_put_number(row, LIST_TREE, line_column, place->line);
}

/* Fills OUT with what csv and json have of node N, but for what its place in the output is. TO: the
 * procedure, whose name it points to. */
static void
data_cells(const struct tree_report *r, const struct tree_node *n, struct procedure_row *to,
	   struct list_row *out)
{
	bool back = n->kind == TREE_RECURSION, arcs = r->want.source == TREE_ARCS;
	bool paths = tree_has_paths(r->rows->tree);
	struct site_row site;

	list_row_empty(out);
	list_row_put_number(out, LIST_TREE, "depth", n->depth);
	list_row_put_text(out, LIST_TREE, "kind", kind_names[n->kind]);
	if (n->procedure && profile_procedure(r->p, n->procedure, to)) {
		list_row_put_text(out, LIST_TREE, "procedure", to->name);
		set_place(out, r, "file", "line", &to->place);
	}
	if (n->site && profile_site(r->p, n->site, &site))
		set_place(out, r, "call_file", "call_line", &site.place);
	if (!back || !arcs)
		list_row_put_number(out, LIST_TREE, "total", n->total);
	if (!back)
		list_row_put_number(out, LIST_TREE, "self", n->self);
	if (arcs)
		list_row_put_number(out, LIST_TREE, "calls", n->number);
	else if (!r->want.measure)
		list_row_put_number(out, LIST_TREE, "samples", n->number);
	else if (paths)
		list_row_put_number(out, LIST_TREE, "samples",
				    tree_paths(r->rows->tree, n->total));
	if (n->cycle)
		list_row_put_number(out, LIST_TREE, "cycle", n->cycle);
	tree_put_evenness(out, tree_evenness(r->rows->tree, n));
	list_row_put_number(out, LIST_TREE, "estimated",
			    paths || (arcs && (!n->exact || n->total || n->self)));
}

/* Appends the name of a field: figures are called as in the table of contexts. */
static void
field_name(const struct tree_report *r, const struct list_column *c, struct strbuf *out)
{
	const struct model_measure *m = tree_measure(r->rows->tree);

	strbuf_clear(out);
	strbuf_str(out, c->name);
	if (strcmp(c->name, "total") && strcmp(c->name, "self"))
		return;
	strbuf_fmt(out, "_%s%s", m ? m->name : "ns",
		   r->want.measure == MEASURE_WAIT ? "_ns" : "");
}

/* Writes a row, or with NULL its heads. */
static void
put_row(struct record *out, const struct tree_report *r, const struct list_row *row)
{
	const struct list_column *columns = list_columns(LIST_TREE);
	struct strbuf name = STRBUF_INIT;

	for (int i = 0; columns[i].name; i++) {
		if (!(columns[i].flags & LIST_DATA) &&
		    !(columns[i].flags & LIST_UNEVEN && r->want.uneven))
			continue;
		field_name(r, &columns[i], &name);
		if (row)
			record_cell(out, name.buf, columns[i].unit, &row->cells[i]);
		else
			record_none(out, name.buf);
	}
	strbuf_release(&name);
}

/* Prints the rows that are not too small; a row's parent is before it, and not smaller. */
void
tree_data(struct tree_report *r, const char *format)
{
	size_t *numbers = xcalloc(r->rows->nr, sizeof(*numbers)), shown = 0;
	struct procedure_row procedure;
	struct list_row row;
	struct record out;

	record_open(&out, "tree", format);
	record_text(&out, "by", "tree");
	if (profile_only(r->p))
		record_text(&out, "only", profile_only(r->p));
	record_text(&out, "from", r->want.source == TREE_ARCS ? "arcs" : "contexts");
	record_bool(&out, "bottom_up", r->want.bottom_up);
	record_heads(&out, NULL);
	put_row(&out, r, NULL);
	record_list(&out, "rows");
	for (size_t i = 0; i < r->rows->nr && report_can_write(); i++) {
		uint32_t parent = r->rows->rows[i].parent;

		if (is_too_small(r, r->rows->rows[i].node))
			continue;
		numbers[i] = ++shown;
		data_cells(r, node_of(r, r->rows->rows[i].node), &procedure, &row);
		list_row_put_number(&row, LIST_TREE, "row", shown);
		if (parent != TREE_NONE)
			list_row_put_number(&row, LIST_TREE, "parent", numbers[parent]);
		record_begin(&out);
		put_row(&out, r, &row);
		record_end(&out);
	}
	free(numbers);
	record_close(&out);
}
