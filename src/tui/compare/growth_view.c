/* How a row of a series grows: its points and the model, as large as the screen. */
#include <math.h>
#include <string.h>

#include "db/lists/compared.h"
#include "show/plot.h"
#include "show/value.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "tui/views/text_view.h"

/* The series and the row that the cursor of the summary is on; NULL: none. */
static const struct series_row *
row_here(struct browser *b, struct compare_kind **kind)
{
	struct view *v = b->panes[PANE_SUMMARY];
	struct table *t = view_table(v);
	const struct list_row *row = t ? table_row(t, v->cursor) : NULL;

	if (!b->compare.on || !b->compare.series || !row || t->kind->list != LIST_COMPARISON)
		return NULL;
	*kind = compare_kind(b, (enum compare_by)(t->kind->things - 1));
	return compare_series_row(b, t->kind->things, row);
}

static void
add_head(struct view *v)
{
	struct view *summary = v->browser->panes[PANE_SUMMARY];
	struct table *t = view_table(summary);
	const char *name = table_text(t, table_row(t, summary->cursor), "procedure");
	struct strbuf text = STRBUF_INIT;

	strbuf_fmt(&text, "%s%s%s goes to its source", name ? name : "", name ? ": " : "",
		   action_key(KEYMAP_TEXT, ACTION_OPEN));
	text_add(v, ROLE_STRONG, NULL, text.buf);
	strbuf_release(&text);
}

static void
add_facts(struct view *v, const struct series *s, const struct series_row *row,
	  const struct fit *f)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_str(&text, expression_text(s->expressions[row->by]));
	strbuf_str(&text, " grows as ");
	fit_name(f, &text);
	strbuf_fmt(&text, ": %.4g", f->coefficient);
	if (f->growth != GROWTH_1) {
		strbuf_str(&text, draw_ascii() ? " * " : " · ");
		fit_name(f, &text);
	}
	if (f->growth != GROWTH_1 && fabs(f->constant) > 1e-6)
		strbuf_fmt(&text, " %c %.4g", f->constant < 0 ? '-' : '+', fabs(f->constant));
	strbuf_fmt(&text, ". The error of the coefficient is %.2g", f->coefficient_error);
	if (f->growth != GROWTH_1)
		strbuf_fmt(&text, ", R2 %.3f", f->model_r2);
	strbuf_fmt(&text, "; a run that is left out is predicted within %.1f%%.",
		   100 * f->cv_error);
	if (f->from > 0)
		strbuf_fmt(&text, " Sizes below %.6g have nothing.", f->from);
	text_add(v, ROLE_TEXT, NULL, text.buf);
	strbuf_release(&text);
}

static void
add_others(struct view *v, const struct fit *f)
{
	struct strbuf text = STRBUF_INIT;

	for (int g = GROWTH_1; g < NR_GROWTHS; g++) {
		if (f->also & 1u << g && g != (int)f->growth)
			strbuf_fmt(&text, "%s%s", text.len ? ", " : "As well it may be ",
				   growth_name((enum growth)g));
	}
	if (text.len)
		text_add(v, ROLE_TEXT, NULL, text.buf);
	strbuf_release(&text);
}

static void
add_lines(struct view *v, struct strbuf *lines)
{
	char *next = lines->buf, *line;

	while ((line = strsep(&next, "\n")))
		text_add(v, ROLE_TEXT, NULL, line);
}

static void
build(struct view *v)
{
	enum { MOST_WIDTH = 96, TEXT_ROWS = 6 };
	struct compare_kind *k;
	const struct series_row *row = row_here(v->browser, &k);
	struct strbuf lines = STRBUF_INIT;
	double values[MAX_PROFILES];
	struct error err = ERROR_INIT;
	struct fit fit;
	struct plot plot = {
		.sizes = row ? &k->series.sizes : NULL, .values = values, .fit = &fit,
		.width = v->area.w - 4, .height = view_body_height(v) - TEXT_ROWS,
		.ascii = draw_ascii(),
	};

	if (!row || series_values(&k->series, row, values, &err))
		return;
	fit_values(&k->series.sizes, values, &fit);
	plot.unit = expression_unit(k->series.expressions[row->by]);
	if (plot.width > MOST_WIDTH)
		plot.width = MOST_WIDTH;
	if (plot.width >= PLOT_LEAST_WIDTH && plot.height >= PLOT_LEAST_HEIGHT)
		plot_draw(&lines, &plot);
	add_head(v);
	if (lines.len)
		add_lines(v, &lines);
	strbuf_release(&lines);
	if (fit.growth == GROWTH_NONE)
		text_add(v, ROLE_TEXT, NULL, "Fewer than three sizes have something: no growth "
			 "can be told.");
	else
		add_facts(v, &k->series, row, &fit);
	add_others(v, &fit);
}

static unsigned
follow(struct browser *b)
{
	browser_pop(b);
	return summary_follow(b->panes[PANE_SUMMARY]) | EFFECT_LAYOUT;
}

struct view *
growth_new(struct browser *b)
{
	struct compare_kind *k;
	struct view *v;

	if (!row_here(b, &k))
		return NULL;
	v = text_new(b, "growth", 0, build);
	text_open(v, follow);
	return v;
}
