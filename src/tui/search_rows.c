#include "tui/search_rows.h"

#include "tui/browser.h"
#include "tui/busy.h"
#include "tui/views.h"
#include "tui/views/table.h"

bool
hits_stop(struct browser *b)
{
	bool looked = b->hits.view != NULL;

	b->hits.view = NULL;
	return looked;
}

void
hits_stop_in(struct view *v)
{
	if (v->browser && v->browser->hits.view == v)
		hits_stop(v->browser);
}

static bool
row_has_hit(struct view *v, size_t row, struct strbuf *text, size_t *start)
{
	size_t end;

	strbuf_clear(text);
	v->ops->row_text(v, row, text);
	return search_find(&v->browser->search, text->buf, text->len, 0, start, &end);
}

static void
found(struct hits *l, size_t row, size_t start)
{
	struct view *v = l->view;

	view_move_to(v, row);
	if (v->ops->found)
		v->ops->found(v, row, start);
	if (!l->times) {
		l->view = NULL;
		return;
	}
	l->times--;
	l->from = l->backward ? row + view_rows(v) - 1 : row + 1;
	l->done = 0;
	l->back = row;
}

static size_t
row_at(const struct hits *l, size_t rows)
{
	size_t from = l->from % rows;

	return l->backward ? (from + rows - l->done) % rows : (from + l->done) % rows;
}

enum went { WENT_ON, WENT_TO_HIT, WENT_ROUND };

/* Goes some rows further. All of them must be known by now. */
static enum went
look_on(struct browser *b)
{
	enum { LOOK = 8 /* rows */ };
	struct hits *l = &b->hits;
	struct view *v = l->view;
	struct strbuf text = STRBUF_INIT;
	size_t rows = view_rows(v), row, start;
	enum went went = WENT_ROUND;

	for (; went == WENT_ROUND && l->done < rows; l->done++) {
		row = row_at(l, rows);
		if (row_has_hit(v, row, &text, &start))
			went = WENT_TO_HIT;
		else if (l->done % LOOK == LOOK - 1 && busy_over(b))
			went = WENT_ON;
	}
	strbuf_release(&text);
	if (went == WENT_TO_HIT)
		found(l, row, start);
	return went;
}

/* Goes to the hit that is wanted, as far as there is time. */
static enum went
look_far(struct browser *b)
{
	enum went went = WENT_ON;

	while (b->hits.view) {
		went = look_on(b);
		if (went != WENT_TO_HIT)
			break;
	}
	if (went == WENT_ROUND) {
		view_move_to(b->hits.view, b->hits.back);
		hits_stop(b);
	}
	return went;
}

bool
hits_find(struct view *v, bool backward, size_t from, size_t back, size_t times)
{
	struct browser *b = v->browser;
	struct table *t = view_table(v);

	hits_stop(b);
	if (v->ops->search && b->search.pattern)
		return v->ops->search(v, &b->search, backward, from, true);
	if (!v->ops->row_text || !b->search.pattern)
		return false;
	b->hits = (struct hits){ .view = v, .from = from, .back = back, .times = times,
				 .backward = backward };
	/* Waits for rows that are not known yet. */
	if (t && table_busy(t))
		return true;
	busy_slice(b, SLICE_KEY);
	return look_far(b) != WENT_ROUND;
}

bool
hits_next(struct view *v, bool backward, size_t times)
{
	size_t rows = view_rows(v), at = v->cursor, i;

	for (i = 0; v->ops->search && i <= times; i++)
		if (!v->ops->search(v, &v->browser->search, backward, view_place(v), false))
			return false;
	if (!rows || v->ops->search)
		return rows && i;
	return hits_find(v, backward,
			backward ? (at ? at - 1 : rows - 1) : at + 1 < rows ? at + 1 : 0, at,
			times);
}

unsigned
hits_idle(struct view *v)
{
	struct browser *b = v->browser;

	if (!b->search.pattern)
		hits_stop(b);
	if (b->hits.view != v)
		return 0;
	busy_slice(b, SLICE_IDLE);
	switch (look_far(b)) {
	case WENT_ON:
		return WORK_MORE;
	case WENT_ROUND:
		if (b->prompt.kind == PROMPT_NONE)
			browser_say(b, ROLE_MESSAGE, "not found: %s", b->search.pattern);
		break;
	case WENT_TO_HIT:
		break;
	}
	return WORK_NEW | WORK_MOVED | WORK_MORE;
}

void
hits_describe(const struct view *v, struct strbuf *out)
{
	struct hits *l = &v->browser->hits;
	size_t rows;

	if (l->view != v)
		return;
	rows = view_rows(l->view);
	strbuf_fmt(out, "%ssearching %zu%%", out->len ? "  " : "",
		   rows ? l->done * 100 / rows : 0);
}
