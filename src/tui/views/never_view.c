/* What was never executed: procedures and files that have most of it, and the way from one stretch
 * to the next, across files. */
#include "show/columns.h"
#include "show/human.h"
#include "tui/views.h"
#include "tui/views/table.h"

static bool
of_files(const struct table *t)
{
	return t->kind == &never_files_kind;
}

static void
never_title(struct view *v, struct title *title)
{
	struct table *t = v->data;

	strbuf_fmt(&title->left, "never executed, by %s", t->kind->of_row);
	table_view_title(v, title);
}

static void
never_empty(struct view *v, struct strbuf *out)
{
	if (table_view_explain(v, out))
		return;
	if (profile_lines_are_uncounted(v->browser->profile))
		strbuf_str(out, "No line was counted: samples and costs do not tell what never "
				"ran.\n");
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
	struct table *t = v->data;
	const struct list_row *row = table_row(t, v->cursor);
	struct browser *b = v->browser;
	const struct never_region *regions;
	size_t nr, i = 0;
	model_id file, procedure = 0;
	uint32_t line = 1;
	unsigned effect;

	if (!row)
		return EFFECT_DONE;
	b->never.row = v->cursor;
	b->never.files = of_files(t);
	file = (model_id)table_number(t, row, of_files(t) ? "id" : "file_id");
	if (!of_files(t)) {
		line = (uint32_t)table_number(t, row, "line");
		procedure = (model_id)table_number(t, row, "procedure_id");
	}
	nr = profile_never(b->profile, &regions);
	while (i < nr && regions[i].file != file)
		i++;
	if (of_files(t) && i < nr)
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
	struct table *t = v->data;

	switch (action) {
	case ACTION_OPEN:
		return open_row(v);
	case ACTION_SUMMARY_NEXT:
	case ACTION_SUMMARY_PREVIOUS:
		table_set_kind(t, of_files(t) ? &table_kinds[LIST_NEVER] : &never_files_kind);
		table_open(v, t);
		table_layout(t, v->area.w);
		return EFFECT_DONE;
	default:
		return table_act(v, t, action, count);
	}
}

static const struct view_ops never_ops = {
	.name = "never",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = never_title,
	.empty = never_empty,
	.act = never_act,
	.again = never_new,
};

struct view *
never_new(struct browser *b)
{
	struct view *v = table_view_new(&never_ops, b, b->never.files ? &never_files_kind
								      : &table_kinds[LIST_NEVER],
					&listing_source);

	table_open(v, v->data);
	table_return(v, v->data, b->never.row);
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
