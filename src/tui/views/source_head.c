/* Draws what is above the source text: a banner, the margin's heads, the legend of the heat. */
#include <stdlib.h>

#include "db/lists/wings.h"
#include "show/value.h"
#include "tui/browser.h"
#include "tui/compare/compare_source.h"
#include "tui/screen/legend.h"
#include "tui/views.h"
#include "tui/views/source_view.h"
#include "util/text/safe.h"

enum { LEAST_TEXT = 3 /* rows that the legend leaves for the text */ };

static bool
has_banner(struct view *v)
{
	const struct doc *doc = source_doc(v);

	return doc && doc->text && doc->disk == DISK_DIFFERS;
}

/* ---- the steps ---- */

/* Adds the steps from much less to much more: where each begins. */
static void
add_differences(struct legend *l, struct browser *b)
{
	bool glyphs = draw_palette_now() == PALETTE_MONO || draw_palette_now() == PALETTE_FEW;
	const struct compare_kind *k = compare_kind(b, BY_RANGE);
	struct strbuf text = STRBUF_INIT;
	bool narrow = l->one_row && l->width - l->x < 100;
	int level, step = !narrow ? 1 : glyphs ? COMPARE_LEVELS : 2;

	if (!k->differs) {
		legend_add(l, ROLE_COLD, "", "no difference");
		return;
	}
	for (level = -COMPARE_LEVELS; level <= COMPARE_LEVELS; level++) {
		if (!level || level % step)
			continue;
		strbuf_clear(&text);
		if (level == -1 || level == 1)
			strbuf_str(&text, level < 0 ? "less" : "more");
		else
			value_real(&text, k->unit, compare_step(b, k, level), 9, VALUE_SIGNED,
				   draw_ascii());
		legend_add(l, (enum role)(level < 0 ? ROLE_LESS_1 - level - 1
						    : ROLE_MORE_1 + level - 1),
			   !glyphs ? "" : draw_glyph(level < 0 ? GLYPH_DOWN : GLYPH_UP), text.buf);
	}
	strbuf_release(&text);
	legend_add(l, ROLE_COLD, "", "same");
	legend_add(l, ROLE_UNSURE, "", "may be chance");
}

static void
full_differences(struct legend *l, struct browser *b)
{
	legend_add(l, ROLE_NO_CODE, "", "no code");
	legend_add(l, ROLE_NEVER, "", "never executed");
	add_differences(l, b);
	legend_add(l, ROLE_ESTIMATE, "~", "another text there");
	legend_add(l, ROLE_STRONG, "-", "only in a");
	legend_add(l, ROLE_STRONG, "+", "only here");
}

/* Adds what there is room for beside the head of the margin. */
static void
brief_legend(struct legend *l, const struct heat *heat, bool counted)
{
	bool mono = draw_palette_now() == PALETTE_MONO || draw_palette_now() == PALETTE_FEW;

	l->one_row = true;
	if (counted)
		legend_add(l, ROLE_NEVER, draw_glyph(GLYPH_NEVER), "never");
	if (counted && heat->metric->cold)
		legend_add(l, ROLE_COLD, "", "run");
	legend_add_heat(l, heat, false, mono);
}

/* The calls of the procedure are underlined, as they are in the text. */
static void
add_call(struct legend *l)
{
	static const char text[] = "its calls";
	int x = l->x;

	legend_add(l, ROLE_TEXT, "", text);
	if (l->line && l->row == l->y && l->x > x)
		line_overlay(l->line, l->x - (int)sizeof(text), (int)sizeof(text) - 1,
			     OVERLAY_CALL);
}

static void
full_legend(struct legend *l, const struct heat *heat, enum disk_state disk, bool errors,
	    bool branches, bool remarks)
{
	static const char *const on_disk[] = {
		[DISK_SAME] = "the file on disk is the same",
		[DISK_ABSENT] = "text of the profile: no such file here",
		[DISK_DIFFERS] = "text of the profile: the file on disk differs",
		[DISK_UNREADABLE] = "text of the profile: the file on disk cannot be read",
	};

	legend_add(l, ROLE_NO_CODE, "", "no code");
	legend_add(l, ROLE_NEVER, draw_glyph(GLYPH_NEVER), "never executed");
	if (branches)
		legend_add(l, ROLE_NEVER, draw_glyph(GLYPH_ONE_WAY), "one way only");
	if (heat->metric->cold)
		legend_add(l, ROLE_COLD, "", heat->metric->cold);
	legend_add_heat(l, heat, true, true);
	legend_add(l, ROLE_KEY, draw_glyph(GLYPH_CALLER), "calls the procedure here");
	if (errors)
		legend_add(l, ROLE_ERROR, "!", "an error that a tool found");
	if (remarks)
		legend_add(l, ROLE_KEY, "\"", "a remark");
	add_call(l);
	legend_add(l, ROLE_DIM, "", on_disk[disk]);
	legend_add(l, ROLE_DIM, "", "figures: of all copies of the line");
}

/* ---- rows ---- */

static enum disk_state
disk_of(struct view *v)
{
	const struct doc *doc = source_doc(v);

	return doc ? doc->disk : DISK_ABSENT;
}

static void
draw_full(struct view *v, struct legend *l)
{
	const struct source *s = v->data;

	if (s->compared)
		full_differences(l, v->browser);
	else
		full_legend(l, &v->browser->heat, disk_of(v), v->browser->errors.nr != 0,
			    wing_is_there(v->browser->profile, WING_BRANCHES),
			    v->browser->docs.remarks.nr != 0);
}

static int
legend_rows(struct view *v)
{
	struct source *s = v->data;
	struct legend l = { .x0 = 2, .x = 2, .width = v->area.w };

	if (!s->legend)
		return 0;
	draw_full(v, &l);
	return l.y + 1;
}

int
source_head_lines(struct view *v)
{
	int room = v->area.h - 3, legend = legend_rows(v);

	if (legend > room - 1 - has_banner(v) - LEAST_TEXT)
		legend = 0;
	return (room > 0) + (room > 1 && has_banner(v)) + legend;
}

static void
draw_columns_head(struct view *v, const struct line *line)
{
	struct source *s = v->data;
	struct legend l = { .line = line, .width = line->w, .x = source_margin(s) - 1 };
	int x = MARGIN_START;

	for (int i = 0; i < s->nr_cells; i++) {
		line_text(line, x, s->cells[i].width, ALIGN_RIGHT, ROLE_HEAD, s->cells[i].head, -1);
		x += s->cells[i].width + 1;
	}
	line_text(line, x, 1, ALIGN_LEFT, ROLE_RULE, draw_glyph(GLYPH_VLINE), -1);
	if (s->compared && source_head_lines(v) <= 1 + has_banner(v)) {
		l.one_row = true;
		add_differences(&l, v->browser);
	} else if (source_head_lines(v) <= 1 + has_banner(v))
		brief_legend(&l, &v->browser->heat,
			     v->browser->metrics.items[METRIC_COUNT].there);
}

void
source_draw_head(struct view *v, int i, const struct line *line)
{
	int heads = source_head_lines(v), banner = heads > 1 && has_banner(v);
	struct legend l = { .line = line, .row = i - banner, .x0 = 2, .x = 2, .width = line->w };

	if (i < banner) {
		line_fill(line, 0, line->w, ROLE_WARNING, GLYPH_SPACE);
		line_text(line, 1, line->w - 2, ALIGN_LEFT, ROLE_WARNING,
			  "The file on disk differs: this is the text that was profiled.", -1);
	} else if (!view_rows(v)) {
		return;
	} else if (i == heads - 1) {
		draw_columns_head(v, line);
	} else {
		draw_full(v, &l);
	}
}

void
source_toggle_legend(struct view *v)
{
	struct source *s = v->data;

	s->legend = !s->legend;
	if (!s->legend || source_head_lines(v) > 1 + has_banner(v))
		return;
	s->legend = false;
	browser_say(v->browser, ROLE_MESSAGE, "no room here for the legend: %s shows the source "
		    "alone", action_key(KEYMAP_SOURCE, ACTION_ZOOM));
}
