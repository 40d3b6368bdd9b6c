#include "tui/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tui/browser.h"
#include "tui/columns.h"
#include "tui/human.h"
#include "tui/preference.h"
#include "util/safe.h"

static int
nr_columns(const struct table_kind *kind)
{
	int n = 0;

	while (kind->columns[n].head && n < TABLE_MAX_COLUMNS)
		n++;
	return n;
}

/* The first column of the screen that shows the listing's column NAME. */
static int
column_showing(const struct table_kind *kind, const char *name)
{
	int i;

	for (i = 0; kind->columns[i].head && i < TABLE_MAX_COLUMNS; i++)
		if (kind->columns[i].source && !strcmp(kind->columns[i].source, name))
			return i;
	return -1;
}

void
table_set_kind(struct table *t, const struct table_kind *kind)
{
	int sort = list_column_find(kind->list, kind->sort);

	t->kind = kind;
	t->nr_columns = nr_columns(kind);
	t->query.kind = kind->list;
	t->query.sort = sort > 0 ? sort : 0;
	t->query.descending = kind->descending;
	t->sort = column_showing(kind, kind->sort);
	t->kept = 0;
	preference_apply(t);
	listing_close(t->listing);
	t->listing = NULL;
}

void
table_init(struct table *t, struct browser *browser, const struct table_kind *kind)
{
	memset(t, 0, sizeof(*t));
	t->browser = browser;
	table_set_kind(t, kind);
}

void
table_release(struct table *t)
{
	listing_close(t->listing);
	free(t->filter);
	memset(t, 0, sizeof(*t));
}

void
table_open(struct view *v, struct table *t)
{
	const struct list_row *row = t->listing ? table_row(t, v->cursor) : NULL;
	int64_t id = row ? table_id(row) : -1;
	ptrdiff_t at = -1;

	listing_close(t->listing);
	t->query.filter = t->filter;
	t->listing = listing_open(t->browser->profile, &t->query);
	if (id >= 0 && t->listing)
		at = listing_find(t->listing, id);
	v->cursor = v->top = 0;
	if (at > 0)
		view_move_to(v, (size_t)at);
	view_clamp(v);
}

void
table_set_filter(struct view *v, struct table *t, const char *filter)
{
	char *new = filter && *filter ? xstrdup(filter) : NULL;
	bool same = !strcmp(new ? new : "", t->filter ? t->filter : "");

	free(t->filter);
	t->filter = new;
	t->query.filter = new;
	if (!same)
		table_open(v, t);
}

const struct list_row *
table_row(struct table *t, size_t row)
{
	if (!t->listing)
		return NULL;
	return turn_row(&t->browser->turn, t->kind->list, listing_row(t->listing, row),
			&t->turned);
}

static const struct cell *
cell_named(const struct table *t, const struct list_row *row, const char *name)
{
	int i = list_column_find(t->kind->list, name);

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

int64_t
table_id(const struct list_row *row)
{
	return row->cells[0].number;
}

/* ---- layout ---- */

static int
count_width(const struct table *t)
{
	struct strbuf s = STRBUF_INIT;
	uint64_t max = t->browser->totals->max_block_count;
	int w;

	human_count(&s, max);
	w = (int)s.len + (t->kind->list == LIST_ARC ? 2 : 0);
	strbuf_release(&s);
	return w < 7 ? 7 : w > 15 ? 15 : w;
}

static int
least_width(const struct table *t, int i)
{
	int w = t->kind->columns[i].width;

	return w == WIDTH_COUNT ? count_width(t) : w;
}

/* Between two columns. */
enum { GAP = 2 };

static int
width_needed(const struct table *t)
{
	int i, sum = 1;

	for (i = 0; i < t->nr_columns; i++)
		if (t->layout[i].shown)
			sum += least_width(t, i) + (t->kind->columns[i].head[0] ? GAP : 1);
	return sum;
}

static bool
may_drop(const struct table *t, int i)
{
	const struct column *c = &t->kind->columns[i];

	return t->layout[i].shown && c->drop > 0 && !(t->kept >> i & 1);
}

static bool
drop_one(struct table *t)
{
	int i, worst = -1;

	for (i = 0; i < t->nr_columns; i++)
		if (may_drop(t, i) &&
		    (worst < 0 || t->kind->columns[i].drop > t->kind->columns[worst].drop))
			worst = i;
	if (worst < 0)
		return false;
	t->layout[worst].shown = false;
	return true;
}

static bool
has_waiting(const struct table *t)
{
	return t->browser->totals->run.wall_interval_ns;
}

static bool
has_bounds(const struct table *t)
{
	return t->browser->optional.bounds;
}

static bool
has_cycles(const struct table *t)
{
	return t->browser->totals->nr_cycles;
}

static bool
has_recursion(const struct table *t)
{
	return t->browser->optional.recursion;
}

static bool
has_differences(const struct table *t)
{
	return t->differs;
}

/* Columns that are only there where they have something to say. */
static const struct {
	const char *source;
	bool (*known)(const struct table *t);
} optional_columns[] = {
	{ "self_wait_ns", has_waiting }, { "total_wait_ns", has_waiting },
	{ "total_lo_ns", has_bounds }, { "root_total_ns", has_cycles },
	{ "self_calls", has_recursion }, { "differs", has_differences },
};

static bool
is_known(const struct table *t, const struct column *c)
{
	size_t i;

	for (i = 0; i < sizeof(optional_columns) / sizeof(optional_columns[0]); i++)
		if (c->source && !strcmp(c->source, optional_columns[i].source))
			return optional_columns[i].known(t);
	return true;
}

void
table_layout(struct table *t, int width)
{
	const struct column *c = t->kind->columns;
	int i, x, left, shares = 0, extra;

	for (i = 0; i < t->nr_columns; i++)
		t->layout[i].shown = is_known(t, &c[i]);
	while (width_needed(t) > width && drop_one(t))
		;
	for (i = 0; i < t->nr_columns; i++)
		shares += t->layout[i].shown ? c[i].grow : 0;
	left = width - width_needed(t);
	for (i = 0, x = 1; i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		extra = 0;
		if (shares > 0 && c[i].grow) {
			extra = left * c[i].grow / shares;
			shares -= c[i].grow;
			left -= extra;
		}
		x += c[i].head[0] ? GAP : 1;
		t->layout[i].x = x;
		t->layout[i].w = least_width(t, i) + extra;
		/* With nothing left to leave out, what could grow shrinks. */
		if (t->layout[i].w < 4)
			t->layout[i].w = 4;
		x += t->layout[i].w;
	}
}

/* ---- drawing ---- */

static bool
is_sorted_by(const struct table *t, int i)
{
	const char *source = t->kind->columns[i].source;

	return t->sort >= 0 && source && t->kind->columns[t->sort].source &&
	       !strcmp(source, t->kind->columns[t->sort].source);
}

void
table_draw_head(struct table *t, const struct line *line)
{
	struct strbuf text = STRBUF_INIT;
	const struct column *c = t->kind->columns;
	int i, x, w;

	for (i = 0; i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		strbuf_clear(&text);
		strbuf_str(&text, draw_ascii() && (unsigned char)c[i].head[0] > 0x7f
				  ? draw_glyph(GLYPH_PLUS_MINUS) : c[i].head);
		x = t->layout[i].x;
		w = t->layout[i].w;
		if (i == t->sort) {
			/* The arrow takes the gap when there is no room in the column. */
			strbuf_str(&text, draw_glyph(t->query.descending ? GLYPH_DOWN : GLYPH_UP));
			if (c[i].align == ALIGN_RIGHT) {
				x--;
				w++;
			}
		}
		line_text(line, x, w, c[i].align, is_sorted_by(t, i) ? ROLE_HEAD_SORT : ROLE_HEAD,
			  text.buf, (ptrdiff_t)text.len);
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

void
table_draw_row(struct table *t, size_t row, const struct line *line)
{
	const struct column *c = t->kind->columns;
	const struct list_row *r = table_row(t, row);
	struct strbuf text = STRBUF_INIT;
	enum role role;
	int i;

	for (i = 0; r && i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		strbuf_clear(&text);
		role = ROLE_TEXT;
		c[i].print(t, &c[i], r, t->layout[i].w, &text, &role);
		line_text(line, t->layout[i].x, t->layout[i].w, c[i].align, role, text.buf,
			  (ptrdiff_t)text.len);
		if (c[i].align == ALIGN_LEFT && t->browser->search.pattern)
			mark_hits(t, line, t->layout[i].x, t->layout[i].w, text.buf, text.len);
	}
	strbuf_release(&text);
}

/* Search looks at what the eye sees: the texts of the row. */
void
table_row_text(struct table *t, size_t row, struct strbuf *out)
{
	const struct column *c = t->kind->columns;
	const struct list_row *r = table_row(t, row);
	struct strbuf text = STRBUF_INIT;
	enum role role = ROLE_TEXT;
	int i;

	for (i = 0; r && i < t->nr_columns; i++) {
		if (c[i].align != ALIGN_LEFT || !c[i].head[0])
			continue;
		strbuf_clear(&text);
		c[i].print(t, &c[i], r, t->layout[i].shown ? t->layout[i].w : 20, &text, &role);
		strbuf_add(out, text.buf, text.len);
		strbuf_char(out, '\n');
	}
	strbuf_release(&text);
}

void
table_row_line(struct table *t, size_t row, struct strbuf *out)
{
	const struct list_row *r = table_row(t, row);
	const struct column *c = t->kind->columns;
	struct strbuf text = STRBUF_INIT;
	enum role role = ROLE_TEXT;
	bool first = true;
	int i;

	for (i = 0; r && i < t->nr_columns; i++) {
		if (!t->layout[i].shown || !c[i].head[0])
			continue;
		strbuf_clear(&text);
		c[i].print(t, &c[i], r, 200, &text, &role);
		strbuf_str(out, first ? "" : "\n");
		strbuf_add(out, text.buf, text.len);
		first = false;
	}
	strbuf_release(&text);
}

static void
write_cell(const struct table *t, int i, const char *s, size_t n, struct strbuf *out)
{
	struct strbuf safe = STRBUF_INIT;
	int used = safe_fit(&safe, s, n, t->layout[i].w);
	int pad = t->layout[i].w - used;

	strbuf_fmt(out, "%*s", t->kind->columns[i].head[0] ? GAP : 1, "");
	if (t->kind->columns[i].align == ALIGN_RIGHT)
		strbuf_fmt(out, "%*s%s", pad, "", safe.buf);
	else
		strbuf_fmt(out, "%s%*s", safe.buf, pad, "");
	strbuf_release(&safe);
}

/* One line of cells: row R, or the heads for NULL. */
static void
write_line(struct table *t, const struct list_row *r, FILE *out)
{
	const struct column *c = t->kind->columns;
	struct strbuf line = STRBUF_INIT, text = STRBUF_INIT;
	enum role role = ROLE_TEXT;
	int i;

	for (i = 0; i < t->nr_columns; i++) {
		if (!t->layout[i].shown)
			continue;
		strbuf_clear(&text);
		if (r)
			c[i].print(t, &c[i], r, t->layout[i].w, &text, &role);
		else
			strbuf_str(&text, c[i].head);
		write_cell(t, i, text.buf, text.len, &line);
	}
	while (line.len && line.buf[line.len - 1] == ' ')
		line.buf[--line.len] = '\0';
	fprintf(out, "%s\n", line.buf);
	strbuf_release(&text);
	strbuf_release(&line);
}

void
table_write(struct table *t, FILE *out)
{
	size_t i, rows = t->listing ? listing_rows(t->listing) : 0;
	struct table wide = *t;

	table_layout(&wide, 160);
	write_line(&wide, NULL, out);
	for (i = 0; i < rows; i++)
		write_line(&wide, table_row(&wide, i), out);
}

/* ---- sorting ---- */

static unsigned
sort_by_column(struct view *v, struct table *t, int i)
{
	int column = list_column_find(t->kind->list, t->kind->columns[i].source);
	const struct list_column *columns = list_columns(t->kind->list);

	if (column < 0)
		return EFFECT_DONE;
	if (t->query.sort == column)
		t->query.descending = !t->query.descending;
	else
		t->query.descending = columns[column].unit != UNIT_TEXT &&
				      columns[column].unit != UNIT_NUMBER;
	t->query.sort = column;
	t->sort = i;
	table_open(v, t);
	browser_say(t->browser, ROLE_MESSAGE, "sorted by %s, %s first",
		    t->kind->columns[i].head, t->query.descending ? "largest" : "smallest");
	return EFFECT_DONE | EFFECT_MOVED;
}

static bool
sortable(const struct table *t, int i)
{
	return t->layout[i].shown && t->kind->columns[i].source;
}

/* Next sortable column to the right that would change the order. */
static int
next_sort(const struct table *t)
{
	int n, i;

	for (n = 1; n <= t->nr_columns; n++) {
		i = (t->sort + n) % t->nr_columns;
		if (i >= 0 && sortable(t, i) && !is_sorted_by(t, i))
			return i;
	}
	return -1;
}

/* The COUNTth sortable column from the left. */
static int
sort_number(const struct table *t, size_t count)
{
	int i;

	for (i = 0; i < t->nr_columns; i++)
		if (sortable(t, i) && !--count)
			return i;
	return -1;
}

unsigned
table_act(struct view *v, struct table *t, enum action action, size_t count)
{
	int i;

	if (action == ACTION_SORT_REVERSE) {
		t->query.descending = !t->query.descending;
		table_open(v, t);
		return EFFECT_DONE | EFFECT_MOVED;
	}
	if (action != ACTION_SORT)
		return EFFECT_REFUSED;
	i = count ? sort_number(t, count) : next_sort(t);
	if (i < 0) {
		browser_say(t->browser, ROLE_MESSAGE, "there is no such column");
		return EFFECT_DONE;
	}
	return sort_by_column(v, t, i);
}

bool
table_keep(struct view *v, struct table *t, const char *name)
{
	const struct column *c = t->kind->columns;
	int i = 0;

	while (i < t->nr_columns && (!c[i].head[0] || (strcasecmp(c[i].head, name) &&
				     (!c[i].source || strcasecmp(c[i].source, name)))))
		i++;
	if (i == t->nr_columns)
		return false;
	t->kept ^= 1u << i;
	table_layout(t, v->area.w);
	if (!is_known(t, &c[i]))
		browser_say(t->browser, ROLE_MESSAGE, "this profile has nothing to show under %s",
			    c[i].head);
	else
		browser_say(t->browser, ROLE_MESSAGE, t->kept >> i & 1
			    ? "%s is shown" : "%s is shown where there is room", c[i].head);
	return true;
}

bool
table_sort_by(struct view *v, struct table *t, const char *name)
{
	const struct column *c = t->kind->columns;
	int i;

	for (i = 0; i < t->nr_columns; i++) {
		if (!c[i].source || (strcasecmp(c[i].head, name) && strcasecmp(c[i].source, name)))
			continue;
		sort_by_column(v, t, i);
		return true;
	}
	return false;
}

/* ---- views ---- */

void
table_view_resize(struct view *v)
{
	table_layout(v->data, v->area.w);
}

size_t
table_view_rows(struct view *v)
{
	struct table *t = v->data;

	return t->listing ? listing_rows(t->listing) : 0;
}

int
table_view_head_lines(struct view *v)
{
	return v->area.h > 3;
}

void
table_view_draw_head(struct view *v, int i, const struct line *line)
{
	(void)i;
	table_draw_head(v->data, line);
}

void
table_view_draw_row(struct view *v, size_t row, const struct line *line)
{
	table_draw_row(v->data, row, line);
}

void
table_view_row_text(struct view *v, size_t row, struct strbuf *out)
{
	table_row_text(v->data, row, out);
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
			return sort_by_column(v, t, i);
	return EFFECT_NONE;
}

void
table_view_write(struct view *v, FILE *out)
{
	table_write(v->data, out);
}
