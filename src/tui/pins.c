/* The arcs that are held, from which each can be changed or released. */
#include <inttypes.h>

#include "show/columns.h"
#include "show/human.h"
#include "tui/table.h"
#include "tui/views.h"

static const struct model *
pins_model(struct view *v)
{
	struct arc_dial *t = &v->browser->arc_dial;

	return t->dial ? dial_model(t->dial) : NULL;
}

static size_t
pins_rows(struct view *v)
{
	const struct model *m = pins_model(v);

	return m ? m->nr_pins : 0;
}

/* Returns the arc that pin number ROW holds, or 0. */
static model_id
arc_of(struct view *v, size_t row)
{
	const struct model *m = pins_model(v);
	const struct model_pin *p = m && row < m->nr_pins ? &m->pins[row] : NULL;

	for (size_t i = 0; p && i < m->nr_arcs; i++)
		if (m->arcs[i].site == p->site && m->arcs[i].callee == p->callee &&
		    !m->arcs[i].through)
			return (model_id)(i + 1);
	return 0;
}

static void
pins_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct model *m = pins_model(v);
	model_id arc = arc_of(v, row);

	if (!arc)
		return;
	arc_dial_arc_name(out, m, arc);
	strbuf_fmt(out, "\n%s\n", m->pins[row].name);
}

static struct fixed_columns
pins_columns(void)
{
	struct fixed_columns f = { table_kinds[LIST_PIN].columns, 0, 2, 2, 100, -1, 0 };

	while (f.columns[f.nr].head)
		f.nr++;
	return f;
}

static void
pins_draw_head(struct view *v, int i, const struct line *line)
{
	const struct fixed_columns columns = pins_columns();

	(void)v;
	(void)i;
	fixed_draw_head(&columns, line);
}

static void
pins_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct fixed_columns columns = pins_columns();
	const struct cell_context context = { .kind = LIST_PIN, .ascii = draw_ascii() };
	const struct model *m = pins_model(v);
	model_id arc = arc_of(v, row);
	struct strbuf call = STRBUF_INIT;
	struct list_row cells;

	if (!arc)
		return;
	arc_dial_arc_name(&call, m, arc);
	list_row_empty(&cells);
	list_row_put_number(&cells, LIST_PIN, "count", m->arcs[arc - 1].count);
	list_row_put_number(&cells, LIST_PIN, "lo", m->arcs[arc - 1].lo);
	list_row_put_number(&cells, LIST_PIN, "hi", m->arcs[arc - 1].hi);
	list_row_put_text(&cells, LIST_PIN, "how", "pinned");
	list_row_put_text(&cells, LIST_PIN, "name", m->pins[row].name);
	list_row_put_text(&cells, LIST_PIN, "call", call.buf);
	fixed_draw_row(&columns, &context, &cells, line);
	strbuf_release(&call);
}

static void
pins_title(struct view *v, struct title *title)
{
	strbuf_str(&title->left, "pins: arcs that are held");
	human_count(&title->right, pins_rows(v));
}

static void
pins_empty(struct view *v, struct strbuf *out)
{
	(void)v;
	strbuf_str(out, "Nothing is pinned.\n"
		   "Among callers and callees + - = change an arc that is estimated, and hold "
		   "it.\n");
}

static unsigned
pins_open(struct view *v)
{
	const struct model *m = pins_model(v);
	model_id arc = arc_of(v, v->cursor), site = arc ? m->arcs[arc - 1].site : 0;
	struct target target = { .procedure = 0 };
	struct browser *b = v->browser;
	struct site_row row;

	if (!site || !profile_site(b->profile, site, &row))
		return EFFECT_DONE;
	target.place = row.place;
	target.procedure.id = row.procedure;
	target.site = site;
	browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

static unsigned
pins_act(struct view *v, enum action action, size_t count)
{
	unsigned effect;

	if (action == ACTION_OPEN)
		return pins_open(v);
	if (action < ACTION_ARC_MORE || action > ACTION_PIN)
		return EFFECT_REFUSED;
	effect = arc_dial_act(v->browser, arc_of(v, v->cursor), action, count);
	view_clamp(v);
	return effect;
}

static void
pins_write(struct view *v, FILE *out)
{
	const struct model *m = pins_model(v);
	struct strbuf s = STRBUF_INIT;

	for (size_t i = 0; m && i < m->nr_pins; i++) {
		model_id arc = arc_of(v, i);

		strbuf_clear(&s);
		if (arc)
			arc_dial_arc_name(&s, m, arc);
		fprintf(out, "%s = %" PRIu64 "\n", s.buf, m->pins[i].count);
	}
	strbuf_release(&s);
}

static const struct view_ops pins_ops = {
	.name = "pins",
	.keymap = KEYMAP_PINS,
	.rows = pins_rows,
	.head_lines = view_one_head_line,
	.draw_head = pins_draw_head,
	.draw_row = pins_draw_row,
	.title = pins_title,
	.row_text = pins_row_text,
	.empty = pins_empty,
	.act = pins_act,
	.write = pins_write,
};

struct view *
pins_new(struct browser *b)
{
	return arc_dial_model(b) ? view_new(&pins_ops, b, NULL) : NULL;
}
