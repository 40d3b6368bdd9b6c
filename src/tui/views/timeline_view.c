/* The run along time, a row for each thread: a strip above the panes, in which a span is chosen.
 * All views then show its samples. */
#include <stdlib.h>
#include <string.h>

#include "db/lists/time_line.h"
#include "show/human.h"
#include "tui/browser.h"
#include "tui/busy.h"
#include "tui/threads.h"
#include "tui/views.h"
#include "util/job.h"
#include "util/text/safe.h"

enum { LABELS = 14, LEAST_WIDTH = 10, HEAD_LINES = 2, LEAST_CELL_US = 10 };

struct timeline {
	struct time_line line;
	struct profile *profile;     /* that it is of */
	struct job *job;             /* reads it; NULL: that is done */
	struct error failed;
	struct time_span window;     /* that is shown */
	uint64_t cursor_us;          /* the begin of the cell that the cursor is on */
	uint64_t mark_us;            /* the other end of a span; UINT64_MAX: none */
};

static int
width(const struct view *v)
{
	return v->area.w - LABELS - 1;
}

static int
column(const struct view *v, uint64_t us)
{
	const struct timeline *d = v->data;

	return time_line_column(&d->window, us, width(v));
}

/* Puts the cursor on cell X of the window. */
static void
go_to_cell(struct view *v, int x)
{
	struct timeline *d = v->data;

	d->cursor_us = time_line_begin(&d->window, x, width(v));
}

/* Sets SPAN to what was marked, both cells included, or to what is shown. False: that is all. */
static bool
chosen_span(const struct view *v, struct time_span *span)
{
	const struct timeline *d = v->data;
	int from = column(v, d->cursor_us), to = column(v, d->mark_us);

	*span = d->window;
	if (d->mark_us == UINT64_MAX)
		return span->from_us || span->to_us < d->line.end_us;
	span->from_us = time_line_begin(&d->window, from < to ? from : to, width(v));
	span->to_us = time_line_begin(&d->window, (from < to ? to : from) + 1, width(v));
	/* A mark outside of what is shown is where it was set. */
	if (d->mark_us < d->window.from_us)
		span->from_us = d->mark_us;
	if (d->mark_us >= d->window.to_us)
		span->to_us = d->mark_us + 1;
	return true;
}

/* ---- the picture ---- */

static size_t
timeline_rows(struct view *v)
{
	const struct timeline *d = v->data;

	return d->job ? 0 : d->line.nr;
}

static void
timeline_empty(struct view *v, struct strbuf *out)
{
	const struct timeline *d = v->data;

	strbuf_fmt(out, "%s\n", d->job ? "Reading when samples were taken..." : d->failed.text);
}

static int
timeline_head_lines(struct view *v)
{
	return v->area.h > HEAD_LINES + 2 ? HEAD_LINES : 0;
}

static int
timeline_foot_lines(struct view *v)
{
	return v->area.h > HEAD_LINES + 2 ? 1 : 0;
}

/* Neighbours are far from each other in the order of heat. */
static enum role
letter_role(unsigned letter)
{
	static const int levels[TIME_LINE_HOT] = { 7, 3, 5, 1, 6, 2, 4, 0 };

	return letter < TIME_LINE_HOT ? (enum role)(ROLE_HEAT_1 + levels[letter]) : ROLE_DIM;
}

static void
put_letter(const struct line *line, int x, enum role role, char letter)
{
	const char text[] = { letter, '\0' };

	line_text(line, x, 1, ALIGN_LEFT, role, text, -1);
}

/* A cell that was busy for half of its time or more has a capital. */
static void
put_cell(const struct line *line, int x, enum time_kind kind, unsigned letter, int eighths)
{
	bool half = eighths >= 4;

	if (kind == TIME_CPU)
		put_letter(line, x, letter_role(letter), (char)((half ? 'A' : 'a') +
			   (letter < TIME_LINE_HOT ? (int)letter : 'o' - 'a')));
	else if (kind == TIME_KERNEL)
		put_letter(line, x, ROLE_STRONG, half ? 'S' : 's');
	else if (kind == TIME_WAITS)
		put_letter(line, x, ROLE_DIM, '.');
}

static void
put_label(const struct view *v, const struct lane *lane, const struct line *line)
{
	const struct timeline *d = v->data;
	struct strbuf text = STRBUF_INIT;

	if (d->line.lanes[d->line.nr - 1].run > 1)
		strbuf_fmt(&text, "%u: ", lane->run);
	if (*lane->name)
		strbuf_str(&text, lane->name);
	else
		strbuf_fmt(&text, "%u", lane->tid);
	line_text(line, 1, LABELS - 2, ALIGN_LEFT, ROLE_NAME, text.buf, (ptrdiff_t)text.len);
	strbuf_release(&text);
}

/* The cursor's column stands out, and what is marked. */
static void
put_marks(const struct view *v, const struct line *line)
{
	const struct timeline *d = v->data;
	int x = column(v, d->cursor_us);

	line_overlay(line, LABELS + x, 1, OVERLAY_CURSOR_IDLE);
	if (d->mark_us != UINT64_MAX)
		line_overlay(line, LABELS + column(v, d->mark_us), 1, OVERLAY_MATCH);
}

static void
timeline_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct timeline *d = v->data;
	const struct lane *lane = &d->line.lanes[row];
	int w = width(v), eighths;
	struct time_cell *cells;
	unsigned letter;

	put_label(v, lane, line);
	if (w < LEAST_WIDTH)
		return;
	cells = xcalloc((size_t)w, sizeof(*cells));
	time_line_cells(&d->line, lane, &d->window, w, cells);
	for (int x = 0; x < w; x++) {
		uint64_t us = time_line_begin(&d->window, x + 1, w) -
			      time_line_begin(&d->window, x, w);
		enum time_kind kind = time_cell_kind(&cells[x], us, &letter, &eighths);

		put_cell(line, LABELS + x, kind, letter, eighths);
	}
	free(cells);
	put_marks(v, line);
}

static void
add_time(struct strbuf *out, uint64_t us)
{
	human_ns(out, us * 1000, draw_ascii());
}

/* Which letter is what, as far as there is room. */
static void
draw_legend(struct view *v, const struct line *line)
{
	const struct timeline *d = v->data;
	struct profile *p = threads_whole(v->browser);
	struct procedure_row row;
	struct strbuf text = STRBUF_INIT;
	static const char others[] = "O others  S system  . waiting";
	int x = 1, w;

	for (unsigned i = 0; i < d->line.nr_hot; i++) {
		const struct time_hot *hot = &d->line.hot[i];

		strbuf_clear(&text);
		if (!profile_procedure(p, hot->procedure, &row))
			continue;
		strbuf_fmt(&text, "%s ", row.name);
		human_percent(&text, (int64_t)hot->ns, d->line.span_ns);
		strbuf_char(&text, '%');
		w = safe_width(text.buf, text.len);
		if (x + w + 4 + (int)sizeof(others) > line->w)
			break;
		put_letter(line, x, letter_role(hot->letter), (char)('A' + hot->letter));
		x += 2 + line_text(line, x + 2, w, ALIGN_LEFT, ROLE_TEXT, text.buf,
				   (ptrdiff_t)text.len) + 2;
	}
	line_text(line, x, line->w - x, ALIGN_LEFT, ROLE_DIM, others, -1);
	strbuf_release(&text);
}

/* Appends what the thread of the cursor did there: not every letter has room above the rows. */
static void
add_here(const struct view *v, struct strbuf *text)
{
	const struct timeline *d = v->data;
	int w = width(v), x = column(v, d->cursor_us), eighths;
	struct procedure_row row;
	struct time_cell *cells;
	enum time_kind kind;
	unsigned letter, i = 0;

	if (w < LEAST_WIDTH || v->cursor >= d->line.nr)
		return;
	cells = xcalloc((size_t)w, sizeof(*cells));
	time_line_cells(&d->line, &d->line.lanes[v->cursor], &d->window, w, cells);
	kind = time_cell_kind(&cells[x], 1, &letter, &eighths);
	free(cells);
	while (i < d->line.nr_hot && d->line.hot[i].letter != letter)
		i++;
	if (kind == TIME_CPU && i == d->line.nr_hot)
		strbuf_str(text, ": others");
	else if (kind == TIME_CPU && profile_procedure(threads_whole(v->browser),
						       d->line.hot[i].procedure, &row))
		strbuf_fmt(text, ": %s", row.name);
	else if (kind == TIME_KERNEL || kind == TIME_WAITS)
		strbuf_str(text, kind == TIME_KERNEL ? ": system" : ": waiting");
}

static void
draw_facts(struct view *v, const struct line *line)
{
	const struct timeline *d = v->data;
	struct strbuf text = STRBUF_INIT;
	struct time_span span;

	strbuf_str(&text, "at ");
	add_time(&text, d->cursor_us);
	add_here(v, &text);
	if (chosen_span(v, &span)) {
		strbuf_str(&text, d->mark_us == UINT64_MAX ? ", shown " : ", marked ");
		add_time(&text, span.from_us);
		strbuf_str(&text, " to ");
		add_time(&text, span.to_us);
		strbuf_str(&text, ": Enter shows its samples everywhere");
	}
	line_text(line, 1, line->w - 1, ALIGN_LEFT, ROLE_HEAD, text.buf, (ptrdiff_t)text.len);
	strbuf_release(&text);
}

static void
timeline_draw_head(struct view *v, int i, const struct line *line)
{
	if (!((struct timeline *)v->data)->line.end_us)
		return;
	if (i)
		draw_legend(v, line);
	else
		draw_facts(v, line);
}

/* The time below the rows, with the signs of the span whose samples are shown. */
static void
timeline_draw_foot(struct view *v, int i, const struct line *line)
{
	const struct timeline *d = v->data;
	const struct threads *t = &v->browser->threads;
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT;
	int w = width(v), length;

	(void)i;
	if (!d->line.end_us)
		return;
	add_time(&from, d->window.from_us);
	add_time(&to, d->window.to_us);
	line_text(line, 0, LABELS - 1, ALIGN_RIGHT, ROLE_HEAD, from.buf, (ptrdiff_t)from.len);
	line_fill(line, LABELS, w, ROLE_RULE, GLYPH_HLINE);
	length = safe_width(to.buf, to.len);
	line_text(line, LABELS + w - length, length, ALIGN_LEFT, ROLE_HEAD, to.buf,
		  (ptrdiff_t)to.len);
	if (t->has_span && t->span.from_us >= d->window.from_us &&
	    t->span.from_us < d->window.to_us)
		put_letter(line, LABELS + column(v, t->span.from_us), ROLE_STRONG, '[');
	if (t->has_span && t->span.to_us > d->window.from_us && t->span.to_us <= d->window.to_us)
		put_letter(line, LABELS + column(v, t->span.to_us - 1), ROLE_STRONG, ']');
	if (d->mark_us != UINT64_MAX)
		put_letter(line, LABELS + column(v, d->mark_us), ROLE_STRONG, '|');
	put_letter(line, LABELS + column(v, d->cursor_us), ROLE_STRONG, '^');
	strbuf_release(&from);
	strbuf_release(&to);
}

static void
timeline_title(struct view *v, struct title *title)
{
	const struct timeline *d = v->data;

	strbuf_str(&title->left, "time line");
	if (d->job) {
		strbuf_fmt(&title->middle, "reading %u%%", job_percent(d->job));
		return;
	}
	add_time(&title->middle, d->window.from_us);
	strbuf_str(&title->middle, " to ");
	add_time(&title->middle, d->window.to_us);
	strbuf_str(&title->middle, " of ");
	add_time(&title->middle, d->line.end_us);
	strbuf_fmt(&title->right, "%zu thread%s sampled", d->line.nr,
		   d->line.nr == 1 ? "" : "s");
}

static void
timeline_row_text(struct view *v, size_t row, struct strbuf *out)
{
	strbuf_str(out, ((struct timeline *)v->data)->line.lanes[row].name);
}

/* Each lane as it is shown. */
static void
timeline_write(struct view *v, FILE *out)
{
	const struct timeline *d = v->data;
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < d->line.nr; i++) {
		strbuf_clear(&name);
		safe_str(&name, d->line.lanes[i].name);
		fprintf(out, "%u\t%u\t%s\t%.3f\n", d->line.lanes[i].run, d->line.lanes[i].tid,
			name.buf, (double)d->line.lanes[i].cpu_ns / 1e6);
	}
	strbuf_release(&name);
}

static void
timeline_close(struct view *v)
{
	struct timeline *d = v->data;

	busy_drop(&d->job);
	time_line_release(&d->line);
	free(d);
}

/* ---- keys ---- */

/* Moves the cursor by STEPS cells; at the end of the window that moves, too. */
static void
move(struct view *v, int64_t steps)
{
	struct timeline *d = v->data;
	int w = width(v), x;
	uint64_t length = d->window.to_us - d->window.from_us, by;
	int64_t to = column(v, d->cursor_us) + steps;

	if (to < 0) {
		by = (uint64_t)((double)length * (double)-to / w);
		by = by < d->window.from_us ? by : d->window.from_us;
		d->window.from_us -= by;
		d->window.to_us -= by;
		to = 0;
	} else if (to >= w) {
		by = (uint64_t)((double)length * (double)(to - w + 1) / w) + 1;
		by = by < d->line.end_us - d->window.to_us ? by : d->line.end_us - d->window.to_us;
		d->window.from_us += by;
		d->window.to_us += by;
		to = w - 1;
	}
	x = (int)to;
	go_to_cell(v, x);
}

/* Shows half of the time, or twice as much; the cursor keeps its place on the screen. */
static void
zoom(struct view *v, bool in)
{
	struct timeline *d = v->data;
	int w = width(v), x = column(v, d->cursor_us);
	uint64_t length = d->window.to_us - d->window.from_us, before, at = d->cursor_us;

	length = in ? length / 2 : length * 2;
	if (length < (uint64_t)w * LEAST_CELL_US)
		return;
	if (length >= d->line.end_us) {
		d->window = (struct time_span){ 0, d->line.end_us };
	} else {
		before = (uint64_t)((double)length * x / w);
		d->window.from_us = at > before ? at - before : 0;
		if (d->window.from_us + length > d->line.end_us)
			d->window.from_us = d->line.end_us - length;
		d->window.to_us = d->window.from_us + length;
	}
	go_to_cell(v, column(v, at));
}

static unsigned
show(struct view *v)
{
	struct browser *b = v->browser;
	struct time_span span;

	if (!chosen_span(v, &span)) {
		browser_say(b, ROLE_MESSAGE, "%s marks where a span begins; then move, and Enter",
			    action_key(KEYMAP_TIMELINE, ACTION_TIMELINE_MARK));
		return EFFECT_DONE;
	}
	browser_pop(b); /* V is gone */
	return threads_show_span(b, &span) | EFFECT_LAYOUT;
}

static unsigned
timeline_act(struct view *v, enum action action, size_t count)
{
	struct timeline *d = v->data;
	const struct time_span before = d->window;
	int64_t steps = count ? (int64_t)(count < INT32_MAX ? count : INT32_MAX) : 1;
	struct browser *b = v->browser;

	if ((width(v) < LEAST_WIDTH || d->job || !d->line.nr) && action != ACTION_ALL)
		return EFFECT_REFUSED;
	switch (action) {
	case ACTION_SCROLL_LEFT:
		move(v, -steps);
		break;
	case ACTION_SCROLL_RIGHT:
		move(v, steps);
		break;
	case ACTION_SCROLL_BEGIN:
		move(v, -INT32_MAX);
		break;
	case ACTION_SCROLL_END:
		move(v, INT32_MAX);
		break;
	case ACTION_TIMELINE_IN:
	case ACTION_TIMELINE_OUT:
		zoom(v, action == ACTION_TIMELINE_IN);
		break;
	case ACTION_TIMELINE_MARK:
		d->mark_us = d->mark_us == UINT64_MAX ? d->cursor_us : UINT64_MAX;
		break;
	case ACTION_SHOW:
		return show(v);
	case ACTION_ALL:
		browser_pop(b); /* V is gone */
		return threads_show_span(b, NULL) | EFFECT_LAYOUT;
	default:
		return EFFECT_REFUSED;
	}
	if (d->window.from_us != before.from_us || d->window.to_us != before.to_us)
		time_line_heat(&d->line, &d->window);
	return EFFECT_DONE;
}

/* ---- reading ---- */

static void
read_line(void *timeline)
{
	struct timeline *d = timeline;

	time_line_read(&d->line, d->profile, &d->failed);
}

/* Reads on in the slice that has begun. True: that is done. */
static bool
read_on(struct browser *b, struct timeline *d)
{
	if (!busy_run(b, &d->job))
		return false;
	d->window = (struct time_span){ 0, d->line.end_us };
	return true;
}

static unsigned
timeline_idle(struct view *v)
{
	struct timeline *d = v->data;

	if (!d->job)
		return 0;
	busy_slice(v->browser, SLICE_IDLE);
	return read_on(v->browser, d) ? WORK_NEW : WORK_MORE;
}

static const struct view_ops timeline_ops = {
	.name = "timeline",
	.keymap = KEYMAP_TIMELINE,
	.cursor = CURSOR_MARK,
	.strip = true,
	.close = timeline_close,
	.rows = timeline_rows,
	.head_lines = timeline_head_lines,
	.draw_head = timeline_draw_head,
	.foot_lines = timeline_foot_lines,
	.draw_foot = timeline_draw_foot,
	.draw_row = timeline_draw_row,
	.title = timeline_title,
	.row_text = timeline_row_text,
	.empty = timeline_empty,
	.act = timeline_act,
	.write = timeline_write,
	.idle = timeline_idle,
};

struct view *
timeline_new(struct browser *b)
{
	struct timeline *d = xcalloc(1, sizeof(*d));

	d->failed = (struct error)ERROR_INIT;
	d->profile = threads_whole(b);
	d->mark_us = UINT64_MAX;
	d->job = job_new(read_line, d);
	busy_slice(b, SLICE_KEY);
	if (read_on(b, d) && d->failed.set) {
		browser_say(b, ROLE_MESSAGE, "%s", d->failed.text);
		free(d);
		return NULL;
	}
	return view_new(&timeline_ops, b, d);
}
