#include "tui/trail.h"

#include <string.h>

#include "tui/browser.h"
#include "util/text/name.h"
#include "util/text/safe.h"

void
trail_begin(struct trail *t, struct subject at)
{
	memset(t, 0, sizeof(*t));
	t->entries[t->nr++] = (struct trail_entry){ at, 1 };
}

struct subject
trail_end(const struct trail *t)
{
	return t->nr ? t->entries[t->nr - 1].at : (struct subject){ 0 };
}

bool
trail_is_walked(const struct trail *t)
{
	return t->nr > 1 || (t->nr && t->entries[0].times > 1);
}

bool
trail_has(const struct trail *t, struct subject procedure)
{
	for (uint32_t i = 0; i < t->nr; i++)
		if (subject_is(t->entries[i].at, procedure))
			return true;
	return false;
}

/* Makes room for one more at the end. */
static void
leave_out(struct trail *t)
{
	struct trail_entry *e = &t->entries[TRAIL_HALF];

	/* What follows takes its place. */
	t->left_out += e->times;
	memmove(e, e + 1, (TRAIL_ENTRIES - TRAIL_HALF - 1) * sizeof(*e));
	t->nr--;
}

bool
trail_step(struct trail *t, struct subject to, bool up)
{
	bool again;

	if (up != t->up || !t->nr)
		trail_begin(t, trail_end(t));
	t->up = up;
	again = trail_has(t, to);
	if (subject_is(trail_end(t), to)) {
		t->entries[t->nr - 1].times++;
		return again;
	}
	if (t->nr == TRAIL_ENTRIES)
		leave_out(t);
	t->entries[t->nr++] = (struct trail_entry){ to, 1 };
	return again;
}

/* ---- as text ---- */

enum { INNER_NAME = 24 /* columns of a name, but for the present one */ };

/* Returns the entry I, callers before callees. */
static const struct trail_entry *
entry(const struct trail *t, uint32_t i)
{
	return &t->entries[t->up ? t->nr - 1 - i : i];
}

static int
text_width(const struct strbuf *s)
{
	return safe_width(s->buf, s->len);
}

/* Appends entry I in at most WIDTH columns. */
static void
add_entry(struct browser *b, const struct trail *t, uint32_t i, int width, struct strbuf *out)
{
	const struct trail_entry *e = entry(t, i);
	struct strbuf times = STRBUF_INIT;
	struct procedure_row row;

	if (e->times > 1)
		strbuf_fmt(&times, " %s%u", draw_glyph(GLYPH_TIMES), e->times);
	if (compare_row(b, e->at, &row))
		name_fit(out, row.name, strlen(row.name), width - text_width(&times),
			 draw_glyph(GLYPH_DOTS));
	else
		strbuf_char(out, '-');
	strbuf_str(out, times.buf);
	strbuf_release(&times);
}

/* Appends "3" between dots: so many steps are left out there. */
static void
add_gap(const struct trail *t, uint32_t from, uint32_t end, struct strbuf *out)
{
	uint32_t steps = t->left_out;

	for (uint32_t i = from; i < end; i++)
		steps += entry(t, i)->times;
	strbuf_fmt(out, "%s%u%s", draw_glyph(GLYPH_DOTS), steps, draw_glyph(GLYPH_DOTS));
}

/* Appends PART behind an arrow, unless it is the first one. */
static void
join(const struct strbuf *part, struct strbuf *out)
{
	if (out->len)
		strbuf_fmt(out, " %s ", draw_glyph(GLYPH_CALLER));
	strbuf_add(out, part->buf, part->len);
}

/* From both ends on, the present procedure first, as many are taken as there is room for. */
void
trail_print(struct browser *b, const struct trail *t, int width, struct strbuf *out)
{
	enum { ARROW = 3, GAP = ARROW + 5 };
	uint32_t from = 0, end = t->nr; /* not taken */
	struct strbuf names[TRAIL_ENTRIES], path = STRBUF_INIT, gap = STRBUF_INIT;
	bool first = t->up;
	int used = 0;

	for (uint32_t i = 0; i < TRAIL_ENTRIES; i++)
		strbuf_init(&names[i]);
	for (; from < end; first = !first) {
		uint32_t i = first ? from : end - 1;
		int room = width - used - (end - from > 1 || t->left_out ? GAP : 0), w;

		add_entry(b, t, i, used ? INNER_NAME : room > 1 ? room : 1, &names[i]);
		w = text_width(&names[i]);
		if (used && w > room)
			break;
		used += w + ARROW;
		from += first;
		end -= !first;
	}
	for (uint32_t i = 0; i < from; i++)
		join(&names[i], &path);
	if (from < end || t->left_out) {
		add_gap(t, from, end, &gap);
		join(&gap, &path);
	}
	for (uint32_t i = end; i < t->nr; i++)
		join(&names[i], &path);
	strbuf_add(out, path.buf, path.len);
	for (uint32_t i = 0; i < TRAIL_ENTRIES; i++)
		strbuf_release(&names[i]);
	strbuf_release(&path);
	strbuf_release(&gap);
}
