/* The summary (procedures, expressions, call sites, lines, files, directories); choosing a file. */
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"
#include "show/human.h"
#include "tui/views.h"
#include "tui/views/table.h"

struct summary {
	struct table table; /* first: view_table() */
	int kind;           /* enum summary_kind */
};

static void
summary_title(struct view *v, struct title *title)
{
	struct summary *s = v->data;

	strbuf_str(&title->left, s->table.kind->name);
	if (s->table.kind->list == LIST_COMPARISON)
		compare_title(v->browser, (enum compare_by)(s->table.kind->things - 1),
			      &title->left);
	if (v->browser->self_by && s->table.kind->list == LIST_PROCEDURE)
		strbuf_str(&title->left, v->browser->self_by == SELF_BY_OWN
			   ? ", own time" : ", time by cost centre");
	table_view_title(v, title);
	if (table_grows(&s->table))
		strbuf_str(&title->right, draw_glyph(GLYPH_DOTS));
	if (!table_is_restricted(&s->table))
		return;
	strbuf_str(&title->right, " of ");
	human_count(&title->right, table_all_rows(&s->table));
}

static void
summary_empty(struct view *v, struct strbuf *out)
{
	struct summary *s = v->data;

	if (!table_view_explain(v, out))
		strbuf_fmt(
			out,
			"This profile has no %s.\n"
			"It holds what was compiled with cgcc: make CC=cgcc, then record again.\n"
			"%s tells more about what is in it.\n",
			s->table.kind->name, action_key(v->ops->keymap, ACTION_DIAGNOSTICS));
}

/* Returns the kind, with the columns of a comparison while there is one. */
static const struct table_kind *
kind_of_table(const struct browser *b, enum summary_kind kind)
{
	return compare_is_on(b) ? &compared_kinds[kind] : &table_kinds[kind];
}

/* Returns procedures, unless a comparison was stored without them. */
static enum summary_kind
first_kind(const struct browser *b)
{
	int kind = SUMMARY_PROCEDURES;

	while (compare_is_on(b) && kind < SUMMARY_NR &&
	       compared_kinds[kind].things != (int)b->compare.begin + 1)
		kind++;
	return kind < SUMMARY_NR ? (enum summary_kind)kind : SUMMARY_PROCEDURES;
}

void
summary_show(struct view *v, int kind, int64_t row_id)
{
	struct summary *s = v->data;

	if (kind != s->kind || !s->table.listing) {
		s->kind = kind;
		table_set_kind(&s->table, kind_of_table(v->browser, (enum summary_kind)kind));
		table_open(v, &s->table);
		table_layout(&s->table, v->area.w);
	}
	if (row_id >= 0)
		table_seek(v, &s->table, row_id);
}

bool
summary_show_procedure(struct view *v, struct subject procedure)
{
	struct summary *s = v->data;
	bool compared = s->table.kind->list == LIST_COMPARISON;
	int64_t id = procedure.id;

	if (s->kind != SUMMARY_PROCEDURES || !procedure.id || !s->table.listing ||
	    (procedure.first && !compared))
		return false;
	if (compared)
		id = compare_row_of(v->browser, procedure);
	if (id >= 0 && summary_selected(v) != id)
		table_seek(v, &s->table, id);
	return table_busy(&s->table) || summary_selected(v) == id;
}

void
summary_self_by(struct view *v)
{
	struct summary *s = v->data;
	int64_t row = s->kind == SUMMARY_PROCEDURES ? summary_selected(v) : -1;

	s->kind = SUMMARY_NR; /* none, so that every kind is made anew */
	summary_show(v, SUMMARY_PROCEDURES, row);
}

int
summary_kind(const struct view *v)
{
	const struct summary *s = v->data;

	return s->kind;
}

int64_t
summary_selected(struct view *v)
{
	struct summary *s = v->data;
	const struct list_row *row = table_row(&s->table, v->cursor);

	return row ? table_id(row) : -1;
}

static void
file_target(struct browser *b, model_id file, struct target *target)
{
	target->place.file = file;
	target->place.line = source_hottest_line(b, file);
	target->place.column = 0;
}

static bool
compared_target(struct view *v, const struct list_row *row, struct target *target)
{
	struct summary *s = v->data;

	compare_row_target(&s->table, row, target);
	if (s->kind == SUMMARY_PROCEDURES)
		target->place = source_name_place(compare_docs(v->browser, target->first),
						  &target->place);
	if (s->kind == SUMMARY_FILES)
		target->place.line = 1;
	return true;
}

bool
summary_target(struct view *v, struct target *target)
{
	struct summary *s = v->data;
	const struct list_row *row = table_row(&s->table, v->cursor);

	memset(target, 0, sizeof(*target));
	if (!row)
		return false;
	target->hottest = s->kind == SUMMARY_PROCEDURES;
	if (s->table.kind->list == LIST_COMPARISON)
		return compared_target(v, row, target);
	target->place = table_place(&s->table, row);
	if (s->kind == SUMMARY_PROCEDURES)
		target->procedure.id = (model_id)table_id(row);
	else
		target->procedure.id = (model_id)table_number(&s->table, row, "procedure_id");
	if (s->kind == SUMMARY_SITES)
		target->site = (model_id)table_id(row);
	if (s->kind == SUMMARY_FILES)
		file_target(v->browser, (model_id)table_id(row), target);
	else if (s->kind == SUMMARY_PROCEDURES)
		target->place = source_name_place(&v->browser->docs, &target->place);
	return true;
}

/* Shows the files of the directory. */
static unsigned
open_directory(struct view *v)
{
	struct summary *s = v->data;
	const struct list_row *row = table_row(&s->table, v->cursor);

	restrict_set(&s->table.to, RESTRICT_FILE, NULL);
	restrict_set(&s->table.to, RESTRICT_DIRECTORY,
		     row ? table_text(&s->table, row, "directory") : NULL);
	summary_show(v, SUMMARY_FILES, -1);
	return EFFECT_DONE | EFFECT_MOVED;
}

unsigned
summary_follow(struct view *v)
{
	struct target target;

	if (!summary_target(v, &target) || !target.place.file) {
		browser_say(v->browser, ROLE_MESSAGE, "this row has no place in a source text");
		return EFFECT_DONE;
	}
	return browser_go(v->browser, &target, true);
}

static unsigned
summary_open(struct view *v)
{
	struct summary *s = v->data;
	struct view *growth;

	if (s->kind == SUMMARY_DIRECTORIES)
		return open_directory(v);
	growth = growth_new(v->browser);
	return growth ? browser_push(v->browser, growth) : summary_follow(v);
}

static unsigned
next_kind(struct view *v, int by)
{
	struct summary *s = v->data;
	int kind = (s->kind + by + SUMMARY_NR) % SUMMARY_NR;

	/* Directories are added up once. */
	if (kind == SUMMARY_DIRECTORIES && v->browser->live.from)
		kind = (kind + by + SUMMARY_NR) % SUMMARY_NR;
	summary_show(v, kind, -1);
	return EFFECT_DONE | EFFECT_MOVED;
}

static unsigned
summary_act(struct view *v, enum action action, size_t count)
{
	struct summary *s = v->data;

	switch (action) {
	case ACTION_OPEN:
		return summary_open(v);
	case ACTION_SUMMARY_NEXT:
		return next_kind(v, 1);
	case ACTION_SUMMARY_PREVIOUS:
		return next_kind(v, -1);
	default:
		return table_act(v, &s->table, action, count);
	}
}

static const struct view_ops summary_ops = {
	.name = "summary",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = summary_title,
	.empty = summary_empty,
	.act = summary_act,
};

struct view *
summary_new(struct browser *b)
{
	struct summary *s = xcalloc(1, sizeof(*s));
	struct view *v = view_new(&summary_ops, b, s);

	s->kind = first_kind(b);
	table_init(&s->table, b, kind_of_table(b, (enum summary_kind)s->kind));
	table_open(v, &s->table);
	return v;
}

/* ---- choosing a file ---- */

static unsigned
files_act(struct view *v, enum action action, size_t count)
{
	struct summary *s = v->data;
	const struct list_row *row = table_row(&s->table, v->cursor);
	struct target target = { .procedure = 0 };
	struct browser *b = v->browser;

	if (action != ACTION_OPEN)
		return table_act(v, &s->table, action, count);
	if (!row)
		return EFFECT_DONE;
	file_target(b, (model_id)table_id(row), &target);
	browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

static void
files_title(struct view *v, struct title *title)
{
	summary_title(v, title);
	strbuf_clear(&title->left);
	strbuf_str(&title->left, "choose a file");
}

static const struct view_ops files_ops = {
	.name = "files",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = files_title,
	.empty = summary_empty,
	.act = files_act,
};

/* The cursor begins on the current file. */
struct view *
files_new(struct browser *b)
{
	struct summary *s = xcalloc(1, sizeof(*s));
	struct view *v = view_new(&files_ops, b, s);
	ptrdiff_t at;

	s->kind = SUMMARY_FILES;
	table_init(&s->table, b, &files_kind);
	table_open(v, &s->table);
	at = s->table.listing ? listing_find(s->table.listing,
					     compare_file(b, source_file(b->panes[PANE_SOURCE])))
				: -1;
	v->cursor = at > 0 ? (size_t)at : 0;
	return v;
}

/* ---- cycles, and the members of one ---- */

static unsigned
members_act(struct view *v, enum action action, size_t count)
{
	struct summary *s = v->data;
	struct browser *b = v->browser;
	struct target target;

	if (action != ACTION_OPEN)
		return table_act(v, &s->table, action, count);
	if (!summary_target(v, &target))
		return EFFECT_DONE;
	while (b->depth)
		browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

static void
members_title(struct view *v, struct title *title)
{
	struct summary *s = v->data;

	summary_title(v, title);
	strbuf_clear(&title->left);
	strbuf_fmt(&title->left, "members of cycle %u", s->table.query.cycle);
}

static const struct view_ops members_ops = {
	.name = "members",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = members_title,
	.empty = summary_empty,
	.act = members_act,
};

static struct view *
members_new(struct browser *b, uint32_t cycle)
{
	struct summary *s = xcalloc(1, sizeof(*s));
	struct view *v = view_new(&members_ops, b, s);

	s->kind = SUMMARY_PROCEDURES;
	table_init(&s->table, b, &table_kinds[SUMMARY_PROCEDURES]);
	s->table.query.cycle = cycle;
	table_open(v, &s->table);
	return v;
}

static unsigned
cycles_act(struct view *v, enum action action, size_t count)
{
	struct summary *s = v->data;
	const struct list_row *row = table_row(&s->table, v->cursor);

	if (action != ACTION_OPEN)
		return table_act(v, &s->table, action, count);
	return row ? browser_push(v->browser, members_new(v->browser, (uint32_t)table_id(row)))
		   : EFFECT_DONE;
}

static void
cycles_empty(struct view *v, struct strbuf *out)
{
	if (!table_view_explain(v, out))
		strbuf_str(out, "No procedures call each other in a circle.\n");
}

static const struct view_ops cycles_ops = {
	.name = "cycles",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = summary_title,
	.empty = cycles_empty,
	.act = cycles_act,
};

/* The cursor begins on the cycle of the current procedure. */
struct view *
cycles_new(struct browser *b)
{
	struct summary *s = xcalloc(1, sizeof(*s));
	struct view *v = view_new(&cycles_ops, b, s);
	struct procedure_row subject;

	s->kind = SUMMARY_NR;
	table_init(&s->table, b, &table_kinds[LIST_CYCLE]);
	table_open(v, &s->table);
	if (!b->procedure.first && profile_procedure(b->profile, b->procedure.id, &subject) &&
	    subject.cycle)
		table_seek(v, &s->table, subject.cycle);
	return v;
}
