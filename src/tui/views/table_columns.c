/* The columns of a table: which there are, which of them are shown, and where. */
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "tui/browser.h"
#include "tui/keys/preference.h"
#include "tui/views/table.h"
#include "util/mem.h"

/* ---- the choice ---- */

static unsigned char
show_at_first(const struct column *c)
{
	return c->flags & COLUMN_OFF ? SHOW_NEVER : SHOW_WITH_ROOM;
}

void
column_choice_reset(struct column_choice *choice)
{
	for (int i = 0; i < choice->columns.nr; i++) {
		choice->order[i] = (unsigned char)i;
		choice->show[i] = show_at_first(&choice->columns.items[i]);
	}
	preference_columns_apply(choice);
}

/* Returns the choice for KIND in this browser. */
static struct column_choice *
choice_of(struct browser *b, const struct table_kind *kind)
{
	struct column_choice *choice;
	size_t i;

	for (i = 0; i < b->nr_choices; i++)
		if (b->choices[i]->kind == kind)
			return b->choices[i];
	choice = xcalloc(1, sizeof(*choice));
	choice->kind = kind;
	column_set_make(&choice->columns, kind, b->profile);
	column_choice_reset(choice);
	GROW(b->choices, b->nr_choices + 1, b->choices_alloc);
	b->choices[b->nr_choices++] = choice;
	return choice;
}

void
column_choice_renew(struct column_choice *choice, struct profile *p)
{
	const struct column_choice old = *choice;
	const struct column_set *before = &old.columns, *now = &choice->columns;
	bool same;

	column_set_make(&choice->columns, choice->kind, p);
	same = now->nr == before->nr;
	for (int i = 0; same && i < now->nr; i++)
		same = !strcmp(now->items[i].head, before->items[i].head);
	if (same)
		return;
	column_choice_reset(choice);
	for (int i = 0; i < now->nr; i++) {
		int k = columns_headed(before->items, before->nr, column_name(&now->items[i]),
				       false);

		choice->show[i] = k < 0 ? choice->show[i] : old.show[k];
	}
}

void
column_choice_free(struct column_choice *choice)
{
	column_set_release(&choice->columns);
	free(choice);
}

/* ---- the columns ---- */

static enum self_by
self_by_of(const struct table *t)
{
	return t->kind->list == LIST_PROCEDURE ? t->browser->self_by : SELF_BY_PC;
}

const char *
table_self_by(const struct table *t, const char *source)
{
	return column_self_by(source, self_by_of(t));
}

void
table_take_columns(struct table *t)
{
	const char *sorted = t->query.sort ? table_listed(t, t->query.sort)->name : "";
	const char *head = t->choice && t->choice->kind == t->kind && t->sort >= 0
			   ? t->columns[t->sort].head : "";
	int i;

	t->choice = choice_of(t->browser, t->kind);
	t->nr_columns = t->choice->columns.nr;
	for (i = 0; i < t->nr_columns; i++) {
		struct column *c = &t->columns[i];

		*c = t->choice->columns.items[t->choice->order[i]];
		c->head = column_heading(c, t->browser->compare.nr, draw_ascii());
		column_set_self_by(c, self_by_of(t));
	}
	/* Several columns may show what sorts the rows. */
	t->sort = table_column(t, head, true);
	if (t->sort < 0 || !t->columns[t->sort].source ||
	    strcmp(t->columns[t->sort].source, sorted))
		t->sort = table_column(t, sorted, true);
}

void
table_change_profile(struct table *t, const struct profile *old)
{
	enum list_kind list = t->kind->list;
	int sort = table_find(t, profile_columns(old, list)[t->query.sort].name);

	if (sort < 0)
		sort = table_find(t, table_kind_sort(t->kind, t->browser->profile));
	t->query.sort = sort;
	t->settled.column = t->query.sort;
	table_take_columns(t);
}

int
table_find(const struct table *t, const char *name)
{
	return profile_column_find(t->browser->profile, t->kind->list, name);
}

const struct list_column *
table_listed(const struct table *t, int column)
{
	return &profile_columns(t->browser->profile, t->kind->list)[column];
}

int
table_column(const struct table *t, const char *name, bool sort)
{
	return columns_called(t->columns, t->nr_columns, name, sort);
}

struct cell_context
table_context(const struct table *t)
{
	struct browser *b = t->browser;
	struct cell_context x = {
		.profile = b->profile, .totals = b->totals, .optional = &b->optional,
		.kind = t->kind->list, .whole = t->whole, .full = t->full,
		.directory = b->directory,
		.self_by = self_by_of(t), .ascii = draw_ascii(), .calls = true,
	};

	if (x.kind == LIST_COMPARISON)
		compare_add_context(t, &x);
	return x;
}

/* Have the rows anything to show in C? */
static bool
has_rows(const struct table *t, const struct column *c)
{
	if (t->kind->list == LIST_COMPARISON)
		return compare_column_known(t, c);
	return t->source == &listing_source || !c->source ||
	       t->sums.of[table_find(t, c->source)];
}

bool
table_column_known(const struct table *t, int i)
{
	struct cell_context x = table_context(t);

	/* What is watched would be compared anew at each look. */
	if (t->columns[i].needs == NEEDS_SEVERAL && t->browser->live.from)
		return false;
	return column_known(&x, &t->columns[i]) &&
	       (t->columns[i].needs != NEEDS_ROWS || has_rows(t, &t->columns[i]));
}

/* ---- layout ---- */

static int
count_width(const struct table *t)
{
	struct strbuf s = STRBUF_INIT;
	const struct profile_totals *totals = t->browser->totals;
	/* The sum at the foot wants its digits, too. */
	uint64_t max = t->kind->sums ? totals->blocks_executed : totals->max_block_count;
	uint64_t calls = t->most ? t->most : totals->calls;
	int w;

	human_count(&s, t->kind->list == LIST_ARC ? calls : max);
	w = (int)s.len + (t->kind->list == LIST_ARC ? 2 : 0);
	strbuf_release(&s);
	return w < 7 ? 7 : w > 15 ? 15 : w;
}

static int
least_width(const struct table *t, const struct column *c)
{
	return c->width == WIDTH_COUNT ? count_width(t)
	     : c->width == WIDTH_SIDES ? compare_sides_width(t) : c->width;
}

/* Returns how many cells the texts of a label fill; 0: that is not known. */
static int
texts_width(const struct table *t, const struct column *c)
{
	const struct browser *b = t->browser;

	switch (c->cell) {
	case CELL_NAME:
	case CELL_PROCEDURE:
	case CELL_END:
	case CELL_COMPARED_END:
		return b->optional.names;
	case CELL_PLACE:
	case CELL_DIRECTORY:
		return b->optional.paths - (int)strlen(b->directory);
	default:
		return 0;
	}
}

static enum column_show
show_of(const struct table *t, int i)
{
	enum column_show show = (enum column_show)t->choice->show[t->choice->order[i]];

	return show == SHOW_NEVER && i == t->sort ? SHOW_WITH_ROOM : show;
}

void
table_layout(struct table *t, int width)
{
	for (int i = 0; i < t->nr_columns; i++) {
		const struct column *c = &t->columns[i];

		t->layout[i] = (struct column_room){
			.wanted = table_column_known(t, i) && show_of(t, i) != SHOW_NEVER,
			.always = show_of(t, i) == SHOW_ALWAYS, .sorts = table_is_sorted_by(t, i),
			.rank = t->needed && !strcmp(c->head, t->needed) ? 0 : c->rank,
			.most = texts_width(t, c), .w = least_width(t, c),
		};
	}
	columns_lay_out(t->columns, t->layout, t->nr_columns, width);
}

bool
table_wants_uneven(const struct table *t)
{
	for (int i = 0; i < t->nr_columns; i++) {
		if (t->columns[i].needs == NEEDS_SEVERAL && show_of(t, i) != SHOW_NEVER &&
		    table_column_known(t, i))
			return true;
	}
	return false;
}

void
table_hide_uneven(struct table *t)
{
	for (int i = 0; i < t->nr_columns; i++)
		if (t->columns[i].needs == NEEDS_SEVERAL)
			t->choice->show[t->choice->order[i]] = SHOW_NEVER;
}

/* ---- rows that are made ---- */

/* Returns the width of a column that has one, with the gap behind it. */
static int
fixed_width(const struct fixed_columns *f, int screen, int i)
{
	const struct column *c = &f->columns[i];

	if (!c->width || screen < c->rank)
		return 0;
	return c->width + (screen >= f->wide ? c->grow : 0) + f->gap;
}

int
fixed_place(const struct fixed_columns *f, int screen, int i, int *width)
{
	int x = f->x, rest = screen - f->x;
	bool fixed = f->columns[i].width;

	for (int k = 0; k < f->nr; k++)
		rest -= fixed_width(f, screen, k);
	for (int k = 0; k < i; k++)
		x += f->columns[k].width ? fixed_width(f, screen, k) : rest + f->gap;
	*width = fixed ? fixed_width(f, screen, i) - f->gap : rest - 2 * f->apart;
	return fixed ? x : x + f->apart;
}

void
fixed_draw_head(const struct fixed_columns *f, const struct line *line)
{
	for (int i = 0, x, w; i < f->nr; i++) {
		x = fixed_place(f, line->w, i, &w);
		if (w > 0)
			line_text(line, x, w, column_align(&f->columns[i]),
				  ROLE_HEAD, f->columns[i].head, -1);
	}
}
