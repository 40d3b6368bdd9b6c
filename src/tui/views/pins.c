/* The arcs that are held, from which each can be changed or released. */
#include <inttypes.h>

#include "show/columns.h"
#include "show/human.h"
#include "tui/views.h"
#include "tui/views/table.h"

static const struct model *
pins_model(struct browser *b)
{
	return b->arc_dial.dial ? dial_model(b->arc_dial.dial) : NULL;
}

static size_t
pins_rows(struct table *t)
{
	const struct model *m = pins_model(t->browser);

	return m ? m->nr_pins : 0;
}

/* Returns the arc that pin number ROW holds, or 0. */
static model_id
arc_of(const struct model *m, size_t row)
{
	const struct model_pin *p = m && row < m->nr_pins ? &m->pins[row] : NULL;

	for (size_t i = 0; p && i < m->nr_arcs; i++)
		if (m->arcs[i].site == p->site && m->arcs[i].callee == p->callee &&
		    !m->arcs[i].through)
			return (model_id)(i + 1);
	return 0;
}

static const struct list_row *
pins_row(struct table *t, size_t row)
{
	static struct list_row cells;
	static struct strbuf call = STRBUF_INIT;
	const struct model *m = pins_model(t->browser);
	model_id arc = arc_of(m, row);

	list_row_empty(&cells);
	if (!arc)
		return &cells;
	strbuf_clear(&call);
	arc_dial_arc_name(&call, m, arc);
	list_row_put_number(&cells, LIST_PIN, "count", m->arcs[arc - 1].count);
	list_row_put_number(&cells, LIST_PIN, "lo", m->arcs[arc - 1].lo);
	list_row_put_number(&cells, LIST_PIN, "hi", m->arcs[arc - 1].hi);
	list_row_put_text(&cells, LIST_PIN, "how", "pinned");
	list_row_put_text(&cells, LIST_PIN, "name", m->pins[row].name);
	list_row_put_text(&cells, LIST_PIN, "call", call.buf);
	return &cells;
}

static const struct row_source pins_source = { .rows = pins_rows, .row = pins_row };

static void
pins_title(struct view *v, struct title *title)
{
	strbuf_str(&title->left, "pins: arcs that are held");
	human_count(&title->right, view_rows(v));
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
	const struct model *m = pins_model(v->browser);
	model_id arc = arc_of(m, v->cursor), site = arc ? m->arcs[arc - 1].site : 0;
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
	effect = arc_dial_act(v->browser, arc_of(pins_model(v->browser), v->cursor), action,
			      count);
	view_clamp(v);
	return effect;
}

static const struct view_ops pins_ops = {
	.name = "pins",
	.keymap = KEYMAP_PINS,
	TABLE_VIEW_OPS,
	.title = pins_title,
	.empty = pins_empty,
	.act = pins_act,
};

struct view *
pins_new(struct browser *b)
{
	return arc_dial_model(b) ? table_view_new(&pins_ops, b, &table_kinds[LIST_PIN],
						  &pins_source) : NULL;
}
