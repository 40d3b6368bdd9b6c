/* The ranks of a parallel program: with what each did in a procedure; and as a strip of cells. And
 * the procedures that are uneven over ranks or runs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/wings.h"
#include "show/human.h"
#include "show/value.h"
#include "tui/busy.h"
#include "tui/screen/legend.h"
#include "tui/threads.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/job.h"
#include "util/text/safe.h"

static bool
is_imbalance(const struct table *t)
{
	return t->kind->list == LIST_IMBALANCE;
}

static void
ranks_title(struct view *v, struct title *title)
{
	struct browser *b = v->browser;
	struct procedure_row of;

	strbuf_str(&title->left, is_imbalance(v->data) ? "imbalance over ranks, or runs" : "ranks");
	if (!is_imbalance(v->data) && b->ranked && profile_procedure(b->profile, b->ranked, &of))
		strbuf_fmt(&title->left, ": what each did in %s", of.name);
	table_view_title(v, title);
}

static void
ranks_empty(struct view *v, struct strbuf *out)
{
	const struct table *t = v->data;
	enum wing_id missing = wing_missing(v->browser->profile, t->kind->list);

	if (!table_view_explain(v, out))
		strbuf_fmt(out, "This profile has no %s: %s.\n", wings[missing].what,
			   wings[missing].how);
}

/* Shows what only this rank did. */
static unsigned
show_rank(struct view *v, int64_t rank)
{
	struct browser *b = v->browser;
	struct list_query q = {
		.kind = LIST_THREAD, .sort = list_column_find(LIST_THREAD, "id"),
	};
	struct profile *whole = threads_whole(b);
	struct listing *threads = listing_open(whole, &q);
	size_t nr = (size_t)profile_rows(whole, LIST_THREAD);
	bool *keep = xcalloc(nr + 1, sizeof(*keep));
	int id = list_column_find(LIST_THREAD, "id"), of = list_column_find(LIST_THREAD, "rank");
	unsigned effect;

	for (size_t i = 0; i < listing_rows(threads); i++) {
		const struct list_row *r = listing_row(threads, i);

		if (r && !r->cells[of].null && r->cells[of].number == rank &&
		    r->cells[id].number > 0 && (uint64_t)r->cells[id].number <= nr)
			keep[r->cells[id].number - 1] = true;
	}
	listing_close(threads);
	browser_pop(b); /* V is gone */
	effect = threads_show(b, keep, nr);
	free(keep);
	return effect | EFFECT_LAYOUT;
}

static unsigned
ranks_act(struct view *v, enum action action, size_t count)
{
	struct table *t = v->data;
	const struct list_row *row = action == ACTION_OPEN ? table_row(t, v->cursor) : NULL;
	struct target target = { .procedure = { 0, false } };
	struct browser *b = v->browser;
	unsigned effect;

	if (!row)
		return table_act(v, t, action, count);
	if (!is_imbalance(t))
		return show_rank(v, table_number(t, row, "rank"));
	target.procedure.id = (model_id)table_number(t, row, "id");
	target.place.file = (model_id)table_number(t, row, "file_id");
	target.place.line = (uint32_t)table_number(t, row, "line");
	effect = browser_go(b, &target, true);
	while (b->depth)
		effect |= browser_pop(b);
	return effect;
}

static const struct view_ops ranks_ops = {
	.name = "ranks",
	.keymap = KEYMAP_TABLE,
	TABLE_VIEW_OPS,
	.title = ranks_title,
	.empty = ranks_empty,
	.act = ranks_act,
};

/* FULL: what a full bar is; 0: all. */
static struct view *
open_view(struct browser *b, const struct table_kind *kind, uint64_t full)
{
	struct view *v = table_view_new(&ranks_ops, b, kind, &listing_source);
	struct table *t = v->data;

	t->full = full;
	table_open(v, t);
	return v;
}

struct view *
imbalance_new(struct browser *b)
{
	return open_view(b, &table_kinds[LIST_IMBALANCE], 0);
}

struct view *
ranks_new(struct browser *b, model_id procedure)
{
	uint64_t most = procedure ? profile_ranks_of(b->profile, procedure) : 0;

	b->ranked = procedure;
	return open_view(b, procedure ? &table_kinds[LIST_RANK] : &plain_ranks_kind, most);
}

/* ---- the strip ---- */

struct strip_rank {
	int64_t rank;
	uint64_t figure;
	const char *host;
};
struct strip {
	struct job *reading;     /* NULL: all is there */
	struct profile *profile;
	struct listing *listing; /* while it is read */
	struct strip_rank *ranks;
	size_t nr;
	size_t column;           /* of the cursor, in its line */
	size_t wide, each;       /* cells in a line, and ranks in a cell: as few as fit */
	uint64_t least, most;
	bool timed;              /* figures are CPU time, and not blocks */
	struct arena hosts;
};
enum { STRIP_LABEL = 10, STRIP_HEADS = 2, STRIP_ROUND = 16 };

static void
read_strip(void *strip)
{
	struct strip *s = strip;
	struct list_query q = {
		.kind = LIST_RANK, .sort = list_column_find(LIST_RANK, "rank"),
	};
	int rank = q.sort, host = list_column_find(LIST_RANK, "host");
	int figure = list_column_find(LIST_RANK, s->timed ? "cpu_ns" : "blocks_executed");
	size_t nr;

	s->listing = listing_open(s->profile, &q);
	nr = listing_rows(s->listing);
	s->ranks = xcalloc(nr + 1, sizeof(*s->ranks));
	for (size_t i = 0; i < nr; i++) {
		const struct list_row *row = listing_row(s->listing, i);
		struct strip_rank *r = &s->ranks[i];

		if (!row)
			break;
		r->rank = row->cells[rank].number;
		r->figure = row->cells[figure].number > 0 ? (uint64_t)row->cells[figure].number : 0;
		r->host = i && !strcmp(r[-1].host, row->cells[host].text)
				  ? r[-1].host : arena_strdup(&s->hosts, row->cells[host].text);
		s->least = r->figure && (!s->least || r->figure < s->least) ? r->figure : s->least;
		s->most = r->figure > s->most ? r->figure : s->most;
		s->nr = i + 1;
		job_progress((double)i, (double)nr);
		job_pause(1);
	}
	listing_close(s->listing);
	s->listing = NULL;
}

static size_t
nr_cells(const struct strip *s)
{
	return (s->nr + s->each - 1) / s->each;
}

static size_t
cell_here(const struct view *v)
{
	const struct strip *s = v->data;
	size_t cell = v->cursor * s->wide + s->column;

	return cell < nr_cells(s) ? cell : nr_cells(s) - 1;
}

/* Fits the cells to the room; the cursor stays with its ranks. Lines have a round number. */
static void
strip_resize(struct view *v)
{
	struct strip *s = v->data;
	size_t room = v->area.w > STRIP_LABEL + 2 ? (size_t)v->area.w - STRIP_LABEL - 1 : 1;
	size_t high = v->area.h > STRIP_HEADS + 2 ? (size_t)v->area.h - STRIP_HEADS - 1 : 1;
	size_t at = s->nr ? cell_here(v) * s->each : 0;

	s->wide = room < STRIP_ROUND ? room : room - room % STRIP_ROUND;
	s->each = (s->nr + s->wide * high - 1) / (s->wide * high);
	s->each = s->each ? s->each : 1;
	v->cursor = at / s->each / s->wide;
	s->column = at / s->each % s->wide;
}

static size_t
strip_rows(struct view *v)
{
	const struct strip *s = v->data;

	return s->reading ? 0 : (nr_cells(s) + s->wide - 1) / s->wide;
}

/* Returns the first rank of CELL, and in *END the one behind the last. */
static size_t
cell_begin(const struct view *v, size_t cell, size_t *end)
{
	const struct strip *s = v->data;
	size_t begin = cell * s->each;

	*end = begin + s->each < s->nr ? begin + s->each : s->nr;
	return begin;
}

/* Returns the rank of those in CELL that has most. */
static const struct strip_rank *
most_in(const struct view *v, size_t cell)
{
	const struct strip *s = v->data;
	size_t end, i = cell_begin(v, cell, &end);
	const struct strip_rank *most = &s->ranks[i];

	for (; i < end; i++)
		most = s->ranks[i].figure > most->figure ? &s->ranks[i] : most;
	return most;
}

static struct heat
heat_of(const struct view *v)
{
	const struct strip *s = v->data;
	struct heat heat;

	heat_init(&heat, s->timed ? UNIT_NS : UNIT_COUNT, v->browser->linear,
		  v->browser->linear || !s->least ? 1 : s->least, s->most);
	return heat;
}

static void
put_figure(const struct strip *s, uint64_t figure, struct strbuf *out)
{
	value_whole(out, s->timed ? UNIT_NS : UNIT_COUNT, figure, VALUE_WIDE, draw_ascii());
	strbuf_str(out, s->timed ? "" : " blocks");
}

static void
strip_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct strip *s = v->data;
	struct heat heat = heat_of(v);
	bool plain = draw_palette_now() <= PALETTE_FEW;
	struct strbuf label = STRBUF_INIT;
	size_t end;

	human_count(&label, (uint64_t)s->ranks[cell_begin(v, row * s->wide, &end)].rank);
	line_text(line, 0, STRIP_LABEL - 1, ALIGN_RIGHT, ROLE_PLACE, label.buf, -1);
	strbuf_release(&label);
	for (size_t i = 0; i < s->wide && row * s->wide + i < nr_cells(s); i++) {
		uint64_t figure = most_in(v, row * s->wide + i)->figure;
		enum role role = heat_role(&heat, 1, false, (int64_t)figure);
		char level[] = { (char)('0' + heat_level(&heat, (int64_t)figure)), '\0' };

		line_text(line, STRIP_LABEL + (int)i, 1, ALIGN_LEFT, role, plain ? level : " ", -1);
		if (row * s->wide + i == cell_here(v))
			line_overlay(line, STRIP_LABEL + (int)i, 1, OVERLAY_SELECT);
	}
}

static int
strip_head_lines(struct view *v)
{
	return v->area.h > STRIP_HEADS + 2 && strip_rows(v) ? STRIP_HEADS : 0;
}

/* Which ranks the cursor's cell has. */
static void
draw_cell_facts(struct view *v, const struct line *line)
{
	const struct strip *s = v->data;
	struct strbuf text = STRBUF_INIT;
	size_t end, begin = cell_begin(v, cell_here(v), &end);
	const struct strip_rank *most = most_in(v, cell_here(v));

	if (end - begin > 1)
		strbuf_fmt(&text, "ranks %" PRId64 " to %" PRId64 ": at most ",
			   s->ranks[begin].rank, s->ranks[end - 1].rank);
	else
		strbuf_fmt(&text, "rank %" PRId64 ": ", most->rank);
	put_figure(s, most->figure, &text);
	if (end - begin > 1)
		strbuf_fmt(&text, ", rank %" PRId64, most->rank);
	if (*most->host)
		strbuf_fmt(&text, ", on %s", most->host);
	line_text(line, 1, line->w - 2, ALIGN_LEFT, ROLE_TEXT, text.buf, (ptrdiff_t)text.len);
	strbuf_release(&text);
}

static void
strip_draw_head(struct view *v, int i, const struct line *line)
{
	const struct strip *s = v->data;
	struct legend l = { .line = line, .width = line->w, .x0 = 1, .x = 1, .one_row = true };
	struct heat heat = heat_of(v);

	if (!i) {
		draw_cell_facts(v, line);
		return;
	}
	legend_add(&l, ROLE_TEXT, "", s->timed ? "CPU time" : "blocks");
	legend_add_heat(&l, &heat, false, false);
}

static void
strip_title(struct view *v, struct title *title)
{
	const struct strip *s = v->data;

	strbuf_str(&title->left, "ranks");
	if (s->reading)
		strbuf_fmt(&title->middle, "reading %u%%", job_percent(s->reading));
	else if (s->each > 1)
		strbuf_fmt(&title->middle, "a cell is %zu ranks: the most of them", s->each);
	human_count(&title->right, s->nr);
	strbuf_str(&title->right, " ranks");
}

static void
strip_empty(struct view *v, struct strbuf *out)
{
	const char *error = profile_error(v->browser->profile);

	strbuf_fmt(out, "%s\n", error ? error : "Not read yet.");
}

/* Searching finds lines by the ranks in them. */
static void
strip_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct strip *s = v->data;
	size_t end, i = cell_begin(v, row * s->wide, &end);

	for (size_t k = 0; k < s->wide * s->each && i + k < s->nr; k++)
		strbuf_fmt(out, "%" PRId64 " %s\n", s->ranks[i + k].rank, s->ranks[i + k].host);
}

static void
strip_write(struct view *v, FILE *out)
{
	const struct strip *s = v->data;
	struct strbuf host = STRBUF_INIT;

	for (size_t i = 0; i < s->nr; i++) {
		strbuf_clear(&host);
		safe_str(&host, s->ranks[i].host);
		fprintf(out, "%" PRId64 "\t%" PRIu64 "\t%s\n", s->ranks[i].rank, s->ranks[i].figure,
			host.buf);
	}
	strbuf_release(&host);
}

static unsigned
move_to_cell(struct view *v, size_t cell)
{
	struct strip *s = v->data;

	cell = cell < nr_cells(s) ? cell : nr_cells(s) - 1;
	s->column = cell % s->wide;
	view_move_to(v, cell / s->wide);
	return EFFECT_DONE;
}

static unsigned
open_cell(struct view *v)
{
	const struct strip *s = v->data;
	size_t end, begin = cell_begin(v, cell_here(v), &end);

	if (end - begin == 1)
		return show_rank(v, s->ranks[begin].rank);
	return browser_push(v->browser, threads_of_ranks(v->browser, s->ranks[begin].rank,
							 s->ranks[end - 1].rank));
}

static unsigned
strip_act(struct view *v, enum action action, size_t count)
{
	struct strip *s = v->data;
	struct browser *b = v->browser;
	size_t by = count ? count : 1, cell;

	if (s->reading || !s->nr)
		return EFFECT_REFUSED;
	cell = cell_here(v);
	switch (action) {
	case ACTION_SHOW:
	case ACTION_OPEN:
		return open_cell(v);
	case ACTION_ALL:
		browser_pop(b); /* V is gone */
		return threads_show(b, NULL, 0) | EFFECT_LAYOUT;
	case ACTION_TREE_COLLAPSE:
		return move_to_cell(v, cell > by ? cell - by : 0);
	case ACTION_TREE_EXPAND:
		return move_to_cell(v, cell + by);
	default:
		return EFFECT_REFUSED;
	}
}

/* Puts the cursor on the cell at X. */
static void
strip_pick(struct view *v, size_t row, int x)
{
	struct strip *s = v->data;
	size_t column = x > STRIP_LABEL ? (size_t)(x - STRIP_LABEL) : 0;

	move_to_cell(v, row * s->wide + (column < s->wide ? column : s->wide - 1));
}

static unsigned
strip_idle(struct view *v)
{
	struct strip *s = v->data;

	if (!s->reading)
		return 0;
	if (!busy_run(v->browser, &s->reading))
		return WORK_MORE;
	strip_resize(v);
	view_clamp(v);
	return WORK_NEW;
}

static void
strip_close(struct view *v)
{
	struct strip *s = v->data;

	busy_drop(&s->reading);
	listing_close(s->listing);
	free(s->ranks);
	arena_release(&s->hosts);
	free(s);
}

static const enum action strip_hints[NR_HINTS] = {
	ACTION_SHOW, ACTION_ALL, ACTION_SEARCH, ACTION_HELP, ACTION_QUIT,
};
static const struct view_ops strip_ops = {
	.name = "ranks",
	.keymap = KEYMAP_THREADS,
	.hints = strip_hints,
	.cursor = CURSOR_MARK,
	.close = strip_close,
	.resize = strip_resize,
	.rows = strip_rows,
	.head_lines = strip_head_lines,
	.draw_head = strip_draw_head,
	.draw_row = strip_draw_row,
	.title = strip_title,
	.row_text = strip_row_text,
	.empty = strip_empty,
	.act = strip_act,
	.pick = strip_pick,
	.write = strip_write,
	.idle = strip_idle,
};

struct view *
strip_new(struct browser *b)
{
	struct strip *s = xcalloc(1, sizeof(*s));
	struct view *v = view_new(&strip_ops, b, s);
	struct list_sums sums = { .rows = 0 };

	s->profile = threads_whole(b);
	s->wide = s->each = 1;
	profile_sums(s->profile, LIST_RANK, &sums);
	s->timed = sums.of[list_column_find(LIST_RANK, "cpu_ns")];
	s->reading = job_new(read_strip, s);
	busy_slice(b, SLICE_KEY);
	strip_idle(v);
	return v;
}
