/* What was never executed: procedures and files that have most of it, and the way from one stretch
 * to the next, across files. */
#include <stdlib.h>

#include "show/columns.h"
#include "show/human.h"
#include "tui/filter.h"
#include "tui/table.h"
#include "tui/views.h"

struct never_view {
	struct table table; /* first: view_table() */
};

static bool
of_files(const struct never_view *n)
{
	return n->table.kind == &never_files_kind;
}

static void
never_close(struct view *v)
{
	struct never_view *n = v->data;

	table_release(&n->table);
	free(n);
}

static void
never_title(struct view *v, struct title *title)
{
	struct never_view *n = v->data;
	size_t rows = table_view_rows(v);

	strbuf_fmt(&title->left, "never executed, by %s", n->table.kind->of_row);
	filter_describe(&n->table, &title->middle);
	human_count(&title->right, rows ? v->cursor + 1 : 0);
	strbuf_char(&title->right, '/');
	human_count(&title->right, rows);
}

static void
never_empty(struct view *v, struct strbuf *out)
{
	struct never_view *n = v->data;

	if (profile_error(v->browser->profile))
		strbuf_fmt(out, "%s\n", profile_error(v->browser->profile));
	else if (table_is_restricted(&n->table))
		filter_explain(&n->table, out);
	else
		strbuf_str(out, "Every line that has code was executed.\n");
}

/* Goes to the first line of FILE that was never executed, from LINE on. */
static unsigned
go_to(struct browser *b, model_id file, uint32_t line, model_id procedure)
{
	struct target target = { .procedure = { procedure, false } };

	target.place.file = file;
	target.place.line = line;
	return browser_go(b, &target, true);
}

static unsigned
open_row(struct view *v)
{
	struct never_view *n = v->data;
	const struct list_row *row = table_row(&n->table, v->cursor);
	struct browser *b = v->browser;
	const struct never_region *regions;
	size_t nr, i = 0;
	model_id file, procedure = 0;
	uint32_t line = 1;
	unsigned effect;

	if (!row)
		return EFFECT_DONE;
	b->never.row = v->cursor;
	b->never.files = of_files(n);
	file = (model_id)table_number(&n->table, row, of_files(n) ? "id" : "file_id");
	if (!of_files(n)) {
		line = (uint32_t)table_number(&n->table, row, "line");
		procedure = (model_id)table_number(&n->table, row, "procedure_id");
	}
	nr = profile_never(b->profile, &regions);
	while (i < nr && regions[i].file != file)
		i++;
	if (of_files(n) && i < nr)
		line = regions[i].line;
	/* The view is left only now, so that the place to come back to is the list. */
	effect = go_to(b, file, line, procedure);
	while (b->depth)
		effect |= browser_pop(b);
	return effect;
}

static unsigned
never_act(struct view *v, enum action action, size_t count)
{
	struct never_view *n = v->data;

	switch (action) {
	case ACTION_OPEN:
		return open_row(v);
	case ACTION_SUMMARY_NEXT:
	case ACTION_SUMMARY_PREVIOUS:
		table_set_kind(&n->table, of_files(n) ? &table_kinds[LIST_NEVER]
						      : &never_files_kind);
		table_open(v, &n->table);
		table_layout(&n->table, v->area.w);
		return EFFECT_DONE;
	default:
		return table_act(v, &n->table, action, count);
	}
}

static const struct view_ops never_ops = {
	.name = "never",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.close = never_close,
	.title = never_title,
	.empty = never_empty,
	.act = never_act,
	.again = never_new,
};

struct view *
never_new(struct browser *b)
{
	struct never_view *n = xcalloc(1, sizeof(*n));
	struct view *v = view_new(&never_ops, b, n);

	table_init(&n->table, b, b->never.files ? &never_files_kind : &table_kinds[LIST_NEVER]);
	table_open(v, &n->table);
	table_return(v, &n->table, b->never.row);
	return v;
}

/* ---- from one stretch to the next ---- */

/* The first of the NR REGIONS behind LINE of FILE; NR: there is none. */
static size_t
behind(const struct never_region *regions, size_t nr, model_id file, uint32_t line)
{
	size_t from = 0, to = nr, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (regions[middle].file < file ||
		    (regions[middle].file == file && regions[middle].line <= line))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

unsigned
never_step(struct browser *b, enum action action, size_t count)
{
	const struct never_region *regions, *r;
	struct view *source = b->panes[PANE_SOURCE];
	model_id file = compare_file(b, source_file(source));
	uint32_t line = (uint32_t)source->cursor + 1;
	size_t nr = profile_never(b->profile, &regions), steps = count ? count : 1, i;
	struct strbuf text = STRBUF_INIT;
	unsigned effect;

	if (!nr) {
		browser_say(b, ROLE_MESSAGE, "every line that has code was executed");
		return EFFECT_DONE;
	}
	i = behind(regions, nr, file, action == ACTION_NEVER_NEXT ? line : line - 1);
	/* Round and round: behind the last one is the first. */
	if (action == ACTION_NEVER_NEXT)
		i = (i + (steps - 1) % nr) % nr;
	else
		i = (i + nr - 1 - (steps - 1) % nr) % nr;
	r = &regions[i];
	effect = go_to(b, r->file, r->line, r->procedure);
	while (b->depth)
		effect |= browser_pop(b);
	human_count(&text, i + 1);
	strbuf_str(&text, " of ");
	human_count(&text, nr);
	browser_say(b, ROLE_MESSAGE, "never executed: %u line%s, %s", r->lines,
		    r->lines == 1 ? "" : "s", text.buf);
	strbuf_release(&text);
	return effect;
}
