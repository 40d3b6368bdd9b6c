#include "tui/screen/legend.h"

#include "util/text/safe.h"

void
legend_add(struct legend *l, enum role role, const char *glyph, const char *text)
{
	struct strbuf s = STRBUF_INIT;
	int w;

	strbuf_fmt(&s, " %s%s%s ", glyph, *glyph ? " " : "", text);
	w = safe_width(s.buf, s.len);
	if (l->x + w > l->width && l->one_row)
		l->full = true;
	else if (l->x + w > l->width && l->x > l->x0) {
		l->x = l->x0;
		l->y++;
	}
	if (!l->full && l->line && l->row == l->y)
		line_text(l->line, l->x, w, ALIGN_LEFT, role, s.buf, (ptrdiff_t)s.len);
	if (!l->full)
		l->x += w;
	strbuf_release(&s);
}

void
legend_add_heat(struct legend *l, const struct heat *heat, bool bounds, bool glyphs)
{
	bool narrow = l->one_row && !bounds && l->width - l->x < 90;
	/* With glyphs fewer fit; the hottest is among them. */
	int level = narrow && glyphs ? 2 : 1, step = !narrow ? 1 : glyphs ? 3 : 2;
	struct strbuf text = STRBUF_INIT;

	for (; level <= HEAT_LEVELS; level += step) {
		if (!heat_from(heat, level))
			continue;
		strbuf_clear(&text);
		if (bounds)
			heat_print_step(&text, heat, level, draw_ascii());
		else
			heat_print_from(&text, heat, level, draw_ascii());
		legend_add(l, (enum role)(ROLE_HEAT_1 + level - 1),
			   glyphs ? draw_column(level) : "", text.buf);
	}
	strbuf_release(&text);
}
