#include "tui/views/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/compared.h"
#include "show/human.h"
#include "tui/browser.h"
#include "tui/filter.h"
#include "tui/keys/preference.h"
#include "tui/views.h"
#include "util/text/safe.h"

/* Returns the column that first sorts rows of KIND; arcs by their counts where nothing has time. */
static const char *
first_sort(const struct table *t, const struct table_kind *kind)
{
	const char *sort = table_kind_sort(kind, t->browser->profile);

	if (sort == kind->sort && kind->list == LIST_ARC &&
	    (!totals_have_time(t->browser->totals) || t->browser->live.from))
		return "count";
	return table_self_by(t, sort);
}

void
table_set_kind(struct table *t, const struct table_kind *kind)
{
	int sort;

	t->kind = kind;
	sort = table_find(t, first_sort(t, kind));
	t->query.kind = kind->list;
	t->query.sort = sort > 0 ? sort : 0;
	t->query.descending = kind->descending;
	t->query.things = kind->things;
	t->needed = NULL;
	table_take_columns(t);
	preference_sort_apply(t);
	table_forget(t);
}

void
table_init(struct table *t, struct browser *browser, const struct table_kind *kind)
{
	memset(t, 0, sizeof(*t));
	t->browser = browser;
	t->source = &listing_source;
	t->seek = -1;
	table_set_kind(t, kind);
}

void
table_release(struct table *t)
{
	table_forget(t);
	restrict_release(&t->to);
	memset(t, 0, sizeof(*t));
}

const struct list_row *
table_row(struct table *t, size_t row)
{
	return t->source->row(t, row);
}

bool
table_is_restricted(const struct table *t)
{
	return restrict_any(&t->to, t->browser->profile, t->kind->list);
}

static const struct cell *
cell_named(const struct table *t, const struct list_row *row, const char *name)
{
	int i = table_find(t, name);

	return i < 0 || row->cells[i].null ? NULL : &row->cells[i];
}

const char *
table_text(const struct table *t, const struct list_row *row, const char *name)
{
	const struct cell *c = cell_named(t, row, name);

	return c ? c->text : NULL;
}

int64_t
table_number(const struct table *t, const struct list_row *row, const char *name)
{
	const struct cell *c = cell_named(t, row, name);

	return c ? c->number : 0;
}

double
table_real(const struct table *t, const struct list_row *row, const char *name)
{
	const struct cell *c = cell_named(t, row, name);

	return c ? c->real : NAN;
}

/* Reads a place. NAMES: of the file, line, column, end line, end column. */
static struct place
place_of(const struct table *t, const struct list_row *row, const char *const names[5])
{
	return (struct place){
		.file = (model_id)table_number(t, row, names[0]),
		.line = (uint32_t)table_number(t, row, names[1]),
		.column = (uint32_t)table_number(t, row, names[2]),
		.end_line = (uint32_t)table_number(t, row, names[3]),
		.end_column = (uint32_t)table_number(t, row, names[4]),
	};
}

struct place
table_place(const struct table *t, const struct list_row *row)
{
	static const char *const names[] = { "file_id", "line", "column", "end_line",
					     "end_column" };

	return place_of(t, row, names);
}

struct place
table_disposer_place(const struct table *t, const struct list_row *row)
{
	static const char *const names[] = { "by_file_id", "by_line", "by_column", "by_end_line",
					     "by_end_column" };

	return place_of(t, row, names);
}

struct place
table_first_place(const struct table *t, const struct list_row *row)
{
	static const char *const names[] = { "first_file", "first_line", "first_column",
					     "first_end_line", "first_end_column" };

	return place_of(t, row, names);
}

int64_t
table_id(const struct list_row *row)
{
	return row->cells[0].number;
}

/* ---- drawing ---- */

enum align
column_align(const struct column *c)
{
	return cell_is_left(c->cell) ? ALIGN_LEFT : ALIGN_RIGHT;
}

static void
print_cell(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out, enum role *role)
{
	struct cell_context x = table_context(t);

	cell_print(out, &x, c, row, width, role);
	if (x.kind == LIST_COMPARISON)
		compare_colour_cell(t, c, row, out, role);
}

bool
table_is_sorted_by(const struct table *t, int i)
{
	const char *source = t->columns[i].source;

	return t->sort >= 0 && source && t->columns[t->sort].source &&
	       !strcmp(source, t->columns[t->sort].source);
}

/* Returns the column that has the arrow: another one where there is no room for the one chosen. */
static int
arrow_at(const struct table *t)
{
	for (int i = 0; t->sort >= 0 && !t->layout[t->sort].shown && i < t->nr_columns; i++)
		if (t->layout[i].shown && table_is_sorted_by(t, i))
			return i;
	return t->sort;
}

void
table_view_draw_head(struct view *v, int line_number, const struct line *line)
{
	struct table *t = v->data;
	struct strbuf text = STRBUF_INIT;
	const struct column *c = t->columns;
	int i, x, w, arrow = arrow_at(t);

	(void)line_number;
	for (i = 0; i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		strbuf_clear(&text);
		column_put_head(&text, &c[i], c[i].head);
		x = t->layout[i].x;
		w = t->layout[i].w;
		if (i == arrow) {
			/* The arrow takes the gap when there is no room in the column. */
			strbuf_str(&text, draw_glyph(t->query.descending !=
						     !!(c[i].flags & COLUMN_INVERSE)
						     ? GLYPH_DOWN : GLYPH_UP));
			if (!cell_is_left(c[i].cell)) {
				x--;
				w++;
			}
		}
		line_text(line, x, w, column_align(&c[i]),
			  table_is_sorted_by(t, i) ? ROLE_HEAD_SORT : ROLE_HEAD, text.buf,
			  (ptrdiff_t)text.len);
	}
	strbuf_release(&text);
}

static void
mark_hits(struct table *t, const struct line *line, int x, int w, const char *s, size_t n)
{
	size_t from = 0, start, end;

	while (search_find(&t->browser->search, s, n, from, &start, &end)) {
		int a = safe_width(s, start), b = safe_width(s, end);

		if (a >= w)
			return;
		line_overlay(line, x + a, (b < w ? b : w) - a, OVERLAY_MATCH);
		from = end;
	}
}

enum { TEXT_AT = 2 /* also the mark */ };

/* Draws a row that has no cells. */
static void
draw_text(struct table *t, size_t row, const struct line *line)
{
	struct strbuf text = STRBUF_INIT;
	enum role role = ROLE_TEXT;

	t->source->text(t, row, &text, &role);
	line_text(line, TEXT_AT, line->w - 2 * TEXT_AT, ALIGN_LEFT, role, text.buf, -1);
	strbuf_release(&text);
}

static bool
is_marked(struct table *t, size_t row)
{
	return t->source->marked && t->source->marked(t, row);
}

void
table_view_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct table *t = v->data;
	const struct column *c = t->columns;
	const struct list_row *r = table_row(t, row);
	struct strbuf text = STRBUF_INIT;
	enum role role;
	int i;

	if (!r && t->source->text)
		draw_text(t, row, line);
	if (is_marked(t, row))
		line_text(line, TEXT_AT, 1, ALIGN_LEFT, ROLE_KEY, "*", -1);
	for (i = 0; r && i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		strbuf_clear(&text);
		role = ROLE_TEXT;
		print_cell(t, &c[i], r, t->layout[i].w, &text, &role);
		line_text(line, t->layout[i].x, t->layout[i].w, column_align(&c[i]), role, text.buf,
			  (ptrdiff_t)text.len);
		if (cell_is_left(c[i].cell) && t->browser->search.pattern)
			mark_hits(t, line, t->layout[i].x, t->layout[i].w, text.buf, text.len);
	}
	strbuf_release(&text);
}

/* Search looks at the texts of the row, also at those that there is no room for. */
void
table_view_row_text(struct view *v, size_t row, struct strbuf *out)
{
	struct table *t = v->data;
	const struct column *c = t->columns;
	const struct list_row *r = table_row(t, row);
	struct strbuf text = STRBUF_INIT;
	enum role role = ROLE_TEXT;
	int i;

	if (!r && t->source->text)
		t->source->text(t, row, out, &role);
	for (i = 0; r && i < t->nr_columns; i++) {
		if (!cell_is_left(c[i].cell) || !c[i].head[0])
			continue;
		strbuf_clear(&text);
		print_cell(t, &c[i], r, WIDTH_WHOLE, &text, &role);
		strbuf_add(out, text.buf, text.len);
		strbuf_char(out, '\n');
	}
	strbuf_release(&text);
}

void
table_row_line(struct table *t, size_t row, struct strbuf *out)
{
	const struct list_row *r = table_row(t, row);
	const struct column *c = t->columns;
	struct strbuf text = STRBUF_INIT;
	enum role role = ROLE_TEXT;
	bool first = true;
	int i;

	for (i = 0; r && i < t->nr_columns; i++) {
		if (!t->layout[i].shown || !c[i].head[0])
			continue;
		strbuf_clear(&text);
		print_cell(t, &c[i], r, WIDTH_WHOLE, &text, &role);
		strbuf_str(out, first ? "" : "\n");
		strbuf_add(out, text.buf, text.len);
		first = false;
	}
	strbuf_release(&text);
}

/* ---- the line at the foot ---- */

bool
table_sum_up(struct table *t)
{
	if (t->summed_up || !t->listing || table_grows(t) || !t->kind->sums)
		return false;
	t->summed_up = listing_sums(t->listing, &t->sums);
	return t->summed_up;
}

uint64_t
table_all_rows(const struct table *t)
{
	return t->kind->list == LIST_COMPARISON
		       ? profile_compared_rows(t->browser->profile, t->kind->things)
		       : profile_rows(t->browser->profile, t->kind->list);
}

/* Adds, for callers, the calls of the procedure that no arc is known for. */
static void
add_unknown(const struct table *t, struct strbuf *out)
{
	uint64_t sum = t->sums.of[list_column_find(LIST_ARC, "count")];

	if (!t->summed_up || table_is_restricted(t) || sum >= t->entered)
		return;
	strbuf_str(out, ", ");
	human_count(out, t->entered - sum);
	strbuf_fmt(out, " call%s from nobody known", t->entered - sum == 1 ? "" : "s");
}

/* Appends "12 of 143 procedures". */
static void
add_label(const struct table *t, struct strbuf *out)
{
	uint64_t rows = listing_rows(t->listing) - listing_inner_rows(t->listing);
	/* Arcs always belong to one procedure or call. */
	uint64_t all = t->kind->list == LIST_ARC ? rows : table_all_rows(t);

	human_count(out, rows);
	if (table_grows(t))
		strbuf_str(out, draw_glyph(GLYPH_DOTS));
	if (all > rows) {
		strbuf_str(out, " of ");
		human_count(out, all);
	}
	strbuf_fmt(out, " %s", rows == 1 && all <= rows ? t->kind->of_row : t->kind->of_rows);
	if (t->kind->list == LIST_ARC)
		add_unknown(t, out);
	if (t->kind->list == LIST_COMPARISON)
		compare_add_chance(t->browser, (enum compare_by)(t->kind->things - 1), out);
}

/* The widest visible column of text names the line. */
static bool
has_label(const struct table *t, int i)
{
	int k, widest = -1;

	for (k = 0; k < t->nr_columns; k++)
		if (t->layout[k].shown && cell_is_left(t->columns[k].cell) &&
		    t->columns[k].head[0] &&
		    (widest < 0 || t->layout[k].w > t->layout[widest].w))
			widest = k;
	return i == widest;
}

static bool
adds_up(const struct table *t, int i)
{
	return t->kind->list == LIST_COMPARISON
		       ? compare_adds_up(t, &t->columns[i])
		       : column_adds_up(t->browser->profile, t->kind->list, &t->columns[i]);
}

static void
sums_of(const struct table *t, struct list_row *row)
{
	if (t->kind->list == LIST_COMPARISON)
		compare_sums(t, row);
	else
		columns_sums(t->browser->profile, t->kind->list, &t->sums, row);
}

static bool
shows_sum(const struct table *t, int i)
{
	return t->layout[i].shown && adds_up(t, i);
}

struct span { int x, w; };

/* Returns where the label in column I, WIDTH wide, stands: it may extend over neighbours without a
 * sum, at first to the right. */
static struct span
label_span(const struct table *t, int i, int width)
{
	int begin = t->layout[i].x, end = begin + t->layout[i].w, k;
	int x = begin;

	for (k = i + 1; k < t->nr_columns && !shows_sum(t, k); k++)
		end = t->layout[k].shown ? t->layout[k].x + t->layout[k].w : end;
	for (k = i - 1; k >= 0 && !shows_sum(t, k); k--)
		begin = t->layout[k].shown ? t->layout[k].x : begin;
	if (x + width > end)
		x = end - width > begin ? end - width : begin;
	return (struct span){ x, end - x };
}

static void
sum_cell(const struct table *t, int i, const struct list_row *row, struct strbuf *out,
	 enum role *role)
{
	const struct column *c = &t->columns[i];

	*role = ROLE_TEXT;
	if (has_label(t, i)) {
		add_label(t, out);
		*role = ROLE_STRONG;
	} else if (!adds_up(t, i)) {
		return;
	} else if (t->summed_up && !t->sums_are_old) {
		print_cell(t, c, row, t->layout[i].w, out, role);
		*role = ROLE_STRONG;
	} else {
		strbuf_str(out, draw_glyph(GLYPH_DOTS));
		*role = ROLE_DIM;
	}
}

static void
write_cell(const struct table *t, int i, const char *s, size_t n, struct strbuf *out)
{
	struct strbuf safe = STRBUF_INIT;
	int used = safe_fit(&safe, s, n, t->layout[i].w);
	int pad = t->layout[i].w - used;

	strbuf_fmt(out, "%*s", t->columns[i].head[0] ? 2 : 1, "");
	if (!cell_is_left(t->columns[i].cell))
		strbuf_fmt(out, "%*s%s", pad, "", safe.buf);
	else
		strbuf_fmt(out, "%s%*s", safe.buf, pad, "");
	strbuf_release(&safe);
}

enum line_kind { LINE_HEADS, LINE_ROW, LINE_SUMS };

/* Writes one line of cells: row R, sums, or heads. */
static void
write_line(struct table *t, enum line_kind kind, const struct list_row *r, FILE *out)
{
	const struct column *c = t->columns;
	struct strbuf line = STRBUF_INIT, text = STRBUF_INIT;
	enum role role = ROLE_TEXT;
	int i;

	for (i = 0; i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		strbuf_clear(&text);
		if (kind == LINE_SUMS)
			sum_cell(t, i, r, &text, &role);
		else if (kind == LINE_ROW)
			print_cell(t, &c[i], r, t->layout[i].w, &text, &role);
		else
			column_put_head(&text, &c[i], c[i].head);
		write_cell(t, i, text.buf, text.len, &line);
	}
	while (line.len && line.buf[line.len - 1] == ' ')
		line.buf[--line.len] = '\0';
	fprintf(out, "%s\n", line.buf);
	strbuf_release(&text);
	strbuf_release(&line);
}

static void
write_row(struct table *t, size_t i, FILE *out)
{
	const struct list_row *r = table_row(t, i);
	struct strbuf text = STRBUF_INIT, safe = STRBUF_INIT;
	enum role role;

	if (is_marked(t, i))
		fputc('*', out);
	if (r || !t->source->text) {
		write_line(t, LINE_ROW, r, out);
		return;
	}
	t->source->text(t, i, &text, &role);
	safe_text(&safe, text.buf, text.len);
	fprintf(out, "%s\n", safe.buf);
	strbuf_release(&text);
	strbuf_release(&safe);
}

void
table_view_write(struct view *v, FILE *out)
{
	enum { COMFORTABLE = 160 };
	struct table *t = v->data;
	size_t i, rows;
	struct list_row sums;

	table_finish(v, t);
	rows = view_rows(v);
	table_layout(t, COMFORTABLE);
	write_line(t, LINE_HEADS, NULL, out);
	for (i = 0; i < rows; i++)
		write_row(t, i, out);
	if (t->kind->sums && t->listing) {
		table_sum_up(t);
		sums_of(t, &sums);
		write_line(t, LINE_SUMS, &sums, out);
	}
	table_layout(t, v->area.w);
}

/* ---- sorting ---- */

/* Tells the new order. */
static void
tell_sort(const struct table *t, const struct column *c)
{
	bool descending = t->query.descending != !!(c->flags & COLUMN_INVERSE);
	enum column_unit unit = table_listed(t, t->query.sort)->unit;
	const char *order = unit == UNIT_TEXT ? descending ? "from the last" : "from the first"
					      : descending ? "largest first" : "smallest first";

	if (c->flags & COLUMN_IN_SOURCE)
		browser_say(t->browser, ROLE_MESSAGE, "in the order of the source%s",
			    descending ? ", from the end" : "");
	else
		browser_say(t->browser, ROLE_MESSAGE, "sorted by %s, %s", column_name(c), order);
}

/* Do people want to see the column from the greatest down first? */
static bool
descends_first(const struct table *t, const struct column *c, int column)
{
	return unit_descends(table_listed(t, column)->unit) !=
	       !!(c->flags & COLUMN_INVERSE);
}

unsigned
table_sort(struct view *v, struct table *t, int i)
{
	int column = table_find(t, t->columns[i].source);

	if (column < 0)
		return EFFECT_DONE;
	t->query.descending = t->query.sort == column ? !t->query.descending
						      : descends_first(t, &t->columns[i], column);
	t->query.sort = column;
	t->sort = i;
	table_open(v, t);
	table_layout(t, v->area.w);
	tell_sort(t, &t->columns[i]);
	return EFFECT_DONE | EFFECT_MOVED;
}

static bool
sortable(const struct table *t, int i)
{
	return t->layout[i].shown && t->columns[i].source;
}

/* Returns the next column to the right that sorts otherwise. Errors are left out: they fall as the
 * figures rise. */
static int
next_sort(const struct table *t)
{
	int n, i;

	for (n = 1; n <= t->nr_columns; n++) {
		i = (t->sort + n) % t->nr_columns;
		if (i >= 0 && sortable(t, i) && !table_is_sorted_by(t, i) &&
		    !(t->columns[i].flags & COLUMN_INVERSE))
			return i;
	}
	return -1;
}

/* Returns the COUNTth sortable column from the left. */
static int
sort_number(const struct table *t, size_t count)
{
	int i;

	for (i = 0; i < t->nr_columns; i++)
		if (sortable(t, i) && !--count)
			return i;
	return -1;
}

static unsigned
reverse(struct view *v, struct table *t)
{
	if (t->sort >= 0)
		return table_sort(v, t, t->sort);
	t->query.descending = !t->query.descending;
	table_open(v, t);
	return EFFECT_DONE | EFFECT_MOVED;
}

unsigned
table_act(struct view *v, struct table *t, enum action action, size_t count)
{
	int i;

	if (action == ACTION_SORT_REVERSE)
		return reverse(v, t);
	if (action != ACTION_SORT)
		return filter_act(v, t, action, count);
	i = count ? sort_number(t, count) : next_sort(t);
	if (i < 0) {
		browser_say(t->browser, ROLE_MESSAGE, "there is no such column");
		return EFFECT_DONE;
	}
	return table_sort(v, t, i);
}

bool
table_keep(struct view *v, struct table *t, const char *name)
{
	int i = table_column(t, name, false);
	unsigned char *show;

	if (i < 0)
		return false;
	show = &t->choice->show[t->choice->order[i]];
	*show = *show == SHOW_ALWAYS ? SHOW_WITH_ROOM : SHOW_ALWAYS;
	table_columns_chosen(v, t);
	if (!table_column_known(t, i))
		browser_say(t->browser, ROLE_MESSAGE, "this profile has nothing to show under %s",
			    column_name(&t->columns[i]));
	else
		browser_say(t->browser, ROLE_MESSAGE, *show == SHOW_ALWAYS
			    ? "%s is shown" : "%s is shown where there is room",
			    column_name(&t->columns[i]));
	return true;
}

bool
table_sort_by(struct view *v, struct table *t, const char *name)
{
	int i = table_column(t, name, true);

	if (i < 0)
		return false;
	table_sort(v, t, i);
	return true;
}

/* ---- views ---- */

struct view *
table_view_new(const struct view_ops *ops, struct browser *b, const struct table_kind *kind,
	       const struct row_source *source)
{
	struct table *t = xcalloc(1, sizeof(*t));

	table_init(t, b, kind);
	t->source = source;
	return view_new(ops, b, t);
}

void
table_view_close(struct view *v)
{
	table_release(v->data);
	free(v->data);
}

void
table_view_title(struct view *v, struct title *title)
{
	filter_describe(v->data, &title->middle);
	title_place(title, v);
}

struct table *
view_table(struct view *v)
{
	struct table *t = v->ops->draw_row == table_view_draw_row ? v->data : NULL;

	return t && t->source->open ? t : NULL;
}

bool
table_view_explain(struct view *v, struct strbuf *out)
{
	const struct table *t = v->data;
	const char *error = profile_error(v->browser->profile);

	if (error)
		strbuf_fmt(out, "%s\n", error);
	else if (t->waits)
		compare_explain_work(v->browser, (enum compare_by)(t->waits - 1), out);
	else if (table_is_restricted(t))
		filter_explain(t, out);
	else if (t->kind->list == LIST_COMPARISON)
		compare_explain(v->browser, (enum compare_by)(t->kind->things - 1), out);
	return out->len;
}

void
table_view_resize(struct view *v)
{
	table_layout(v->data, v->area.w);
}

size_t
table_view_rows(struct view *v)
{
	struct table *t = v->data;

	return t->source->rows(t);
}

/* There is a foot only where enough rows are left. */
int
table_view_foot_lines(struct view *v)
{
	struct table *t = v->data;

	if (t->kind->list == LIST_ARC && !table_view_rows(v))
		return 0;
	return t->kind->sums && t->source == &listing_source && v->area.h > 7;
}

void
table_view_draw_foot(struct view *v, int line_number, const struct line *line)
{
	struct table *t = v->data;
	struct strbuf text = STRBUF_INIT;
	struct list_row row;
	struct span at;
	enum role role;
	int i;

	(void)line_number;
	if (!t->listing)
		return;
	sums_of(t, &row);
	for (i = 0; i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		strbuf_clear(&text);
		sum_cell(t, i, &row, &text, &role);
		if (!text.len)
			continue;
		at = (struct span){ t->layout[i].x, t->layout[i].w };
		if (has_label(t, i))
			at = label_span(t, i, safe_width(text.buf, text.len));
		line_text(line, at.x, at.w, column_align(&t->columns[i]), role, text.buf,
			  (ptrdiff_t)text.len);
	}
	strbuf_release(&text);
}

unsigned
table_view_click(struct view *v, int head, int x)
{
	struct table *t = v->data;
	int i;

	(void)head;
	for (i = 0; i < t->nr_columns; i++)
		if (sortable(t, i) && x >= t->layout[i].x - 1 &&
		    x <= t->layout[i].x + t->layout[i].w)
			return table_sort(v, t, i);
	return EFFECT_NONE;
}
