#include "tui/remarks.h"

#include <string.h>

#include "show/columns.h"
#include "tui/arc_dial.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "tui/views/table.h"

/* ---- the list ---- */

static void
list_title(struct view *v, struct title *title)
{
	strbuf_str(&title->left, "remarks");
	table_view_title(v, title);
}

static void
list_empty(struct view *v, struct strbuf *out)
{
	if (!table_view_explain(v, out))
		strbuf_fmt(out, "There are no remarks.\n%s in the source writes one on this line, "
			   "elsewhere on the procedure; it is kept in the profile.\n",
			   action_key(KEYMAP_SOURCE, ACTION_REMARK));
}

/* Finds the remark of the row under the cursor; NULL: there is none. */
static const struct model_remark *
remark_of_row(struct view *v)
{
	const struct remarks *r = &v->browser->docs.remarks;
	struct table *t = v->data;
	const struct list_row *row = table_row(t, v->cursor);
	const struct model_remark *m;
	model_id file;

	if (!row)
		return NULL;
	file = (model_id)table_number(t, row, "file_id");
	for (size_t i = 0; i < r->nr; i++) {
		m = &r->items[i];
		if (m->place.file == file &&
		    (file ? m->place.line : m->path_line) ==
		    (uint32_t)table_number(t, row, "line") &&
		    m->place.column == (uint32_t)table_number(t, row, "column") &&
		    m->procedure == (model_id)table_number(t, row, "procedure_id") &&
		    !strcmp(m->text, row->cells[list_column_find(LIST_REMARK, "text")].text))
			return m;
	}
	return NULL;
}

static unsigned
list_act(struct view *v, enum action action, size_t count)
{
	const struct model_remark *r = action == ACTION_OPEN ? remark_of_row(v) : NULL;
	struct browser *b = v->browser;
	struct target target;
	unsigned effect;

	if (action != ACTION_OPEN)
		return table_act(v, v->data, action, count);
	if (!r)
		return EFFECT_DONE;
	if (!r->place.file) {
		browser_say(b, ROLE_MESSAGE, "%s is not in this profile any more",
			    r->path ? r->path : "its source");
		return EFFECT_DONE;
	}
	target = (struct target){ .place = r->place, .procedure = { r->procedure, false } };
	effect = browser_go(b, &target, true);
	while (b->depth)
		effect |= browser_pop(b);
	return effect;
}

static const struct view_ops list_ops = {
	.name = "remarks",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = list_title,
	.empty = list_empty,
	.act = list_act,
	.again = remarks_new,
};

struct view *
remarks_new(struct browser *b)
{
	struct view *v = table_view_new(&list_ops, b, &table_kinds[LIST_REMARK], &listing_source);

	table_open(v, v->data);
	return v;
}

/* ---- writing ---- */

/* May remarks be written now? A message tells why not. */
static bool
may_write(struct browser *b)
{
	const char *why = NULL;

	if (b->live.from)
		why = "not while it is watched: write it into the profile that is saved";
	else if (compare_is_on(b))
		why = "remarks are of one profile: ~ leaves the comparison";
	else if (profile_only(b->profile))
		why = "remarks are of the whole profile: T, then A shows all threads";
	else if (b->arc_dial.dial && dial_changed(b->arc_dial.dial))
		why = "changed arcs are not saved: \":pin NAME\" saves them, then write";
	if (why)
		browser_say(b, ROLE_MESSAGE, "%s", why);
	return !why;
}

/* Finds what the cursor is on. Returns false after a message. */
static bool
find_here(struct browser *b, struct model_remark *here)
{
	struct view *v = browser_view(b), *source = b->panes[PANE_SOURCE];
	const struct model_remark *of_row;
	struct procedure_row row;

	*here = (struct model_remark){ .text = "" };
	if (v->ops == &list_ops) {
		of_row = remark_of_row(v);
		if (of_row)
			*here = *of_row;
		return of_row;
	}
	if (v == source) {
		here->place = source_selected(source);
		if (!here->place.line)
			here->place = (struct place){ .line = (uint32_t)source->cursor + 1,
						      .end_line = (uint32_t)source->cursor + 1 };
		here->place.file = source_file(source).id;
		if (here->place.file && view_rows(source))
			return true;
	} else if (b->procedure.id && profile_procedure(b->profile, b->procedure.id, &row) &&
		   row.place.file) {
		here->procedure = row.id;
		here->place = (struct place){ .file = row.place.file, .line = row.place.line,
					      .end_line = row.place.line };
		return true;
	}
	browser_say(b, ROLE_MESSAGE, "no source is here that a remark could be on");
	return false;
}

/* Finds the remark that is at HERE already; NULL: none. */
static const struct model_remark *
present(const struct browser *b, const struct model_remark *here)
{
	const struct remarks *r = &b->docs.remarks;

	for (size_t i = 0; i < r->nr; i++)
		if (place_same(&r->items[i].place, &here->place) &&
		    r->items[i].procedure == here->procedure &&
		    (!*here->text || !strcmp(r->items[i].text, here->text)))
			return &r->items[i];
	return NULL;
}

/* The texts of HERE and WAS are those of b->docs, and are used before that is read again. */
static unsigned
write_remark(struct browser *b, struct model_remark here, const char *text)
{
	bool listed = browser_view(b)->ops == &list_ops;
	const struct model_remark *was = present(b, &here);
	struct error err = ERROR_INIT;
	size_t cursor = browser_view(b)->cursor;

	if (!was && !*text)
		return EFFECT_DONE;
	here.text = text;
	if (remark_write(b->profile, &here, was ? was->text : NULL, &err) < 0) {
		browser_say(b, ROLE_ERROR, "%s", err.text);
		return EFFECT_DONE;
	}
	arc_dial_release(b);
	if (browser_reopen(b, &err) < 0) {
		browser_say(b, ROLE_ERROR, "written, but: %s", err.text);
		return EFFECT_DONE;
	}
	if (listed) {
		browser_push(b, remarks_new(b));
		table_return(browser_view(b), browser_view(b)->data, cursor);
	}
	browser_say(b, ROLE_MESSAGE, "%s %s", *text ? "written in" : "removed from",
		    profile_path(b->profile));
	return EFFECT_DONE | EFFECT_LAYOUT;
}

unsigned
remark_ask(struct browser *b, enum action action, size_t count)
{
	const struct model_remark *was;

	(void)action;
	(void)count;
	if (!may_write(b) || !find_here(b, &b->remark_asked))
		return EFFECT_DONE;
	was = present(b, &b->remark_asked);
	if (was)
		b->remark_asked = *was;
	prompt_open(&b->prompt, PROMPT_REMARK, was ? was->text : "");
	return EFFECT_DONE;
}

unsigned
remark_typed(struct browser *b, const char *text)
{
	return write_remark(b, b->remark_asked, text);
}

unsigned
remark_command(struct browser *b, const char *text)
{
	struct model_remark here;

	if (!*text)
		return remark_ask(b, ACTION_REMARK, 0);
	if (!may_write(b) || !find_here(b, &here))
		return EFFECT_DONE;
	return write_remark(b, here, text);
}

/* ---- in the source ---- */

void
remark_draw(const struct browser *b, model_id file, uint32_t number, const struct line *line,
	    int x)
{
	enum { LEAST_ROOM = 8 };
	struct strbuf text = STRBUF_INIT;

	docs_put_remarks(&text, &b->docs, file, number);
	if (text.len && x + LEAST_ROOM <= line->w)
		line_text(line, x, line->w - x, ALIGN_LEFT, ROLE_STRONG, text.buf, -1);
	strbuf_release(&text);
}
