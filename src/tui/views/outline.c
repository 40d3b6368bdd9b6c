/* Lists the procedures of one file, in the order of its text, or those of one place. */
#include <stdlib.h>

#include "show/columns.h"
#include "show/human.h"
#include "tui/views.h"

struct outline {
	struct table table; /* first: view_table() */
	const struct profile_file *file;
};

static void
outline_title(struct view *v, struct title *title)
{
	struct outline *o = v->data;

	strbuf_str(&title->left, o->table.query.line ? "copies in " : "procedures of ");
	path_tail(&title->left, o->file->path, v->area.w / 2, draw_ascii());
	table_view_title(v, title);
}

static void
outline_empty(struct view *v, struct strbuf *out)
{
	if (!table_view_explain(v, out))
		strbuf_str(out, "No procedure is defined in this file.\n");
}

static unsigned
outline_act(struct view *v, enum action action, size_t count)
{
	struct outline *o = v->data;
	const struct list_row *row = table_row(&o->table, v->cursor);
	struct browser *b = v->browser;
	struct target target = { .site = 0 };
	struct procedure_row procedure;

	if (action != ACTION_OPEN)
		return table_act(v, &o->table, action, count);
	if (!row || !profile_procedure(b->profile, (model_id)table_id(row), &procedure))
		return EFFECT_DONE;
	target.procedure.id = procedure.id;
	target.place = source_name_place(&b->docs, &procedure.place);
	browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

static const struct view_ops outline_ops = {
	.name = "outline",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = outline_title,
	.empty = outline_empty,
	.act = outline_act,
};

/* Opens the outline of the file, or only of the COPIES of the procedure here. */
static struct view *
open_outline(struct browser *b, bool copies)
{
	struct view *source = b->panes[PANE_SOURCE], *v;
	const struct profile_file *file =
		profile_file(b->profile, compare_file(b, source_file(source)));
	struct procedure_copies same = { .nr = 0 };
	struct procedure_row here;
	struct outline *o;
	bool found;

	if (!file) {
		browser_say(b, ROLE_MESSAGE, "no source is shown: %s chooses a file",
			    action_key(KEYMAP_GENERIC, ACTION_FILES));
		return NULL;
	}
	found = !source_file(source).first &&
		source_procedure_at(source, (uint32_t)source->cursor + 1, &here);
	if (found && copies)
		profile_procedure_copies(b->profile, &here.place, here.id, &same);
	if (copies && same.nr < 2) {
		browser_say(b, ROLE_MESSAGE, "this code is in the program once");
		return NULL;
	}
	o = xcalloc(1, sizeof(*o));
	v = view_new(&outline_ops, b, o);
	o->file = file;
	table_init(&o->table, b, &outline_kind);
	o->table.query.file = file->id;
	if (copies) {
		o->table.query.line = here.place.line;
		o->table.query.column = here.place.column;
	}
	table_open(v, &o->table);
	if (found)
		table_seek(v, &o->table, here.id);
	return v;
}

struct view *
outline_new(struct browser *b)
{
	return open_outline(b, false);
}

struct view *
copies_new(struct browser *b)
{
	return open_outline(b, true);
}
