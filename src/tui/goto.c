#include "tui/goto.h"

#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "tui/busy.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/text/fuzzy.h"
#include "util/text/name.h"
#include "util/text/path.h"
#include "util/text/safe.h"

/* Columns of the screen; a narrow one has names alone. */
enum { FIGURE = 10, COUNT = 16, GAP = 2, NAME_LEAST = 20 };
enum { NAME_AT = 1 + FIGURE + GAP + COUNT + GAP };
enum { NAME_BYTES = 1000 };

/* What one can go to: a procedure, or a file if its place is that of no line. */
struct spot {
	const char *name;
	model_id id;
	struct place place;
	uint64_t calls, self_ns;
};

struct hit {
	uint32_t spot;
	int32_t score;
};

struct goto_list {
	struct browser *browser;
	struct arena arena;      /* names */
	struct spot *spots;
	size_t nr_spots, spots_alloc;
	struct job *reading;     /* spots; NULL: that are all */
	struct job *matching;    /* NULL: HITS are all, in order */
	char *wanted;            /* a part of a name, heap */
	uint32_t line;           /* 0: none is wanted */
	struct hit *hits, *shown; /* as they are found; as they are on the screen */
	size_t nr_hits, hits_alloc, nr_shown, shown_alloc;
	struct fuzzy *fuzzy;
};

static bool
is_file(const struct spot *s)
{
	return !s->place.line && s->place.file;
}

/* ---- reading ---- */

static void
take_name(void *list, const struct name_row *row)
{
	struct goto_list *g = list;
	size_t n = row->length < NAME_BYTES ? row->length : NAME_BYTES;

	GROW(g->spots, g->nr_spots + 1, g->spots_alloc);
	g->spots[g->nr_spots++] = (struct spot){
		.name = arena_strndup(&g->arena, row->name, n), .id = row->id,
		.place = row->place, .calls = row->calls, .self_ns = row->self_ns,
	};
}

static void
read_spots(void *list)
{
	struct goto_list *g = list;
	const struct profile_file *file;
	model_id nr = profile_totals(g->browser->profile)->nr_files;

	for (model_id id = 1; id <= nr; id++, job_pause(1)) {
		file = profile_file(g->browser->profile, id);
		if (!file)
			continue;
		GROW(g->spots, g->nr_spots + 1, g->spots_alloc);
		g->spots[g->nr_spots++] = (struct spot){
			.name = arena_strdup(&g->arena, file->path), .id = id, .place.file = id,
		};
	}
	profile_names(g->browser->profile, take_name, g);
}

/* ---- matching ---- */

/* The best first; of equal ones the hottest, then the shortest. */
static int
compare_hits(const void *a, const void *b, void *list)
{
	const struct goto_list *g = list;
	const struct hit *x = a, *y = b;
	const struct spot *s = &g->spots[x->spot], *t = &g->spots[y->spot];

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (s->self_ns != t->self_ns)
		return s->self_ns > t->self_ns ? -1 : 1;
	if (s->calls != t->calls)
		return s->calls > t->calls ? -1 : 1;
	return (x->spot > y->spot) - (x->spot < y->spot);
}

static void
match(void *list)
{
	struct goto_list *g = list;

	g->nr_hits = 0;
	for (size_t i = 0; i < g->nr_spots; i++, job_pause(1)) {
		const struct spot *s = &g->spots[i];
		int score;

		if (g->line && !is_file(s))
			continue;
		/* Of a path what is typed is mostly the end. */
		score = fuzzy_score(g->fuzzy, g->wanted, is_file(s) && !strchr(g->wanted, '/')
				    ? path_base(s->name) : s->name);
		if (score < 0)
			continue;
		GROW(g->hits, g->nr_hits + 1, g->hits_alloc);
		g->hits[g->nr_hits++] = (struct hit){ (uint32_t)i, score };
	}
	if (g->nr_hits)
		job_sort(g->hits, g->nr_hits, sizeof(*g->hits), compare_hits, g);
}

/* Shows what was found. */
static void
show_hits(struct view *v)
{
	struct goto_list *g = v->data;
	struct hit *hits = g->shown;
	size_t alloc = g->shown_alloc;

	g->shown = g->hits;
	g->shown_alloc = g->hits_alloc;
	g->nr_shown = g->nr_hits;
	g->hits = hits;
	g->hits_alloc = alloc;
	g->nr_hits = 0;
	view_move_to(v, 0);
}

/* Works for the slice that has begun. */
static unsigned
work(struct view *v)
{
	struct goto_list *g = v->data;

	if (g->reading) {
		if (!busy_run(v->browser, &g->reading))
			return WORK_MORE;
		g->matching = job_new(match, g);
	}
	if (!g->matching)
		return 0;
	if (!busy_run(v->browser, &g->matching))
		return WORK_MORE;
	show_hits(v);
	return WORK_NEW;
}

static unsigned
goto_idle(struct view *v)
{
	busy_slice(v->browser, SLICE_IDLE);
	return work(v);
}

/* "file.c:123" wants a line of a file. */
static uint32_t
take_line(char *text)
{
	char *colon = strrchr(text, ':');
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;

	if (!colon || colon == text || colon[1 + digits] || colon[-1] == ':' || digits > 9)
		return 0;
	*colon = '\0';
	return (uint32_t)strtoul(colon + 1, NULL, 10);
}

static void
want(struct view *v, const char *text)
{
	struct goto_list *g = v->data;

	busy_drop(&g->matching);
	free(g->wanted);
	g->wanted = xstrdup(text);
	g->line = take_line(g->wanted);
	if (!g->reading)
		g->matching = job_new(match, g);
	busy_slice(v->browser, SLICE_KEY);
	work(v);
}

/* ---- the view ---- */

static void
goto_close(struct view *v)
{
	struct goto_list *g = v->data;

	busy_drop(&g->matching);
	busy_drop(&g->reading);
	arena_release(&g->arena);
	free(g->spots);
	free(g->hits);
	free(g->shown);
	free(g->wanted);
	free(g->fuzzy);
	free(g);
}

static size_t
goto_rows(struct view *v)
{
	const struct goto_list *g = v->data;

	return g->nr_shown;
}

static void
goto_title(struct view *v, struct title *title)
{
	const struct goto_list *g = v->data;

	strbuf_str(&title->left, "go to");
	if (g->reading || g->matching)
		strbuf_str(&title->middle, "looking");
	title_place(title, v);
}

static void
goto_empty(struct view *v, struct strbuf *out)
{
	const struct goto_list *g = v->data;

	if (profile_error(v->browser->profile))
		strbuf_fmt(out, "%s\n", profile_error(v->browser->profile));
	else if (!g->reading && !g->matching)
		strbuf_str(out, g->line ? "No file has a name like this.\n"
			   : "No procedure and no file has a name like this.\n"
			     "FILE:LINE goes to a line; commands have no blank before them.\n");
}

/* The letters that were typed stand out, where all of the name is to be seen. */
static void
draw_name(const struct goto_list *g, const struct spot *s, const struct line *line, int x, int w)
{
	struct strbuf fitted = STRBUF_INIT;
	size_t at[FUZZY_WANTED], nr;
	const char *name = s->name;
	size_t skip = 0;

	if (is_file(s))
		path_tail(&fitted, name, w, draw_ascii());
	else
		name_fit(&fitted, name, strlen(name), w, draw_glyph(GLYPH_DOTS));
	line_text(line, x, w, ALIGN_LEFT, is_file(s) ? ROLE_PLACE : ROLE_NAME, fitted.buf, -1);
	if (strcmp(fitted.buf, name)) {
		/* The last part of a path is always there. */
		if (!is_file(s) || !safe_width(fitted.buf, fitted.len) ||
		    strcmp(path_base(fitted.buf), path_base(name)))
			goto out;
	}
	if (is_file(s) && !strchr(g->wanted, '/')) {
		skip = (size_t)(path_base(fitted.buf) - fitted.buf);
		name = path_base(name);
	} else if (strcmp(fitted.buf, name)) {
		goto out;
	}
	nr = fuzzy_places(g->fuzzy, g->wanted, name, at);
	for (size_t i = 0; i < nr; i++)
		line_overlay(line, x + safe_width(fitted.buf, skip + at[i]), 1, OVERLAY_MATCH);
out:
	strbuf_release(&fitted);
}

static void
draw_figures(const struct spot *s, const struct line *line)
{
	struct strbuf text = STRBUF_INIT;

	if (s->self_ns)
		human_ns(&text, s->self_ns, draw_ascii());
	else
		strbuf_char(&text, '-');
	line_text(line, 1, FIGURE, ALIGN_RIGHT, ROLE_TEXT, text.buf, -1);
	strbuf_clear(&text);
	human_count(&text, s->calls);
	line_text(line, 1 + FIGURE + GAP, COUNT, ALIGN_RIGHT, s->calls ? ROLE_TEXT : ROLE_NEVER,
		  text.buf, -1);
	strbuf_release(&text);
}

static bool
has_figures(const struct line *line)
{
	return line->w - NAME_AT - 1 >= NAME_LEAST;
}

static void
goto_draw_head(struct view *v, int i, const struct line *line)
{
	bool figures = has_figures(line);

	(void)v, (void)i;
	if (figures) {
		line_text(line, 1, FIGURE, ALIGN_RIGHT, ROLE_HEAD, "self", -1);
		line_text(line, 1 + FIGURE + GAP, COUNT, ALIGN_RIGHT, ROLE_HEAD, "calls", -1);
	}
	line_text(line, figures ? NAME_AT : 1, NAME_LEAST, ALIGN_LEFT, ROLE_HEAD, "name", -1);
}

static void
goto_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct goto_list *g = v->data;
	const struct spot *s = &g->spots[g->shown[row].spot];
	const struct profile_file *file = profile_file(v->browser->profile, s->place.file);
	int x = has_figures(line) ? NAME_AT : 1, w = line->w - x - 1, place;
	struct strbuf where = STRBUF_INIT;

	place = w >= 2 * NAME_LEAST && !is_file(s) ? w * 2 / 5 : 0;
	if (x > 1 && !is_file(s))
		draw_figures(s, line);
	else if (x > 1)
		line_text(line, 1, FIGURE + GAP + COUNT, ALIGN_RIGHT, ROLE_DIM, "file", -1);
	draw_name(g, s, line, x, w - (place ? place + GAP : 0));
	if (place && file) {
		path_tail(&where, file->path, place - 12, draw_ascii());
		strbuf_fmt(&where, ":%u", s->place.line);
		line_text(line, x + w - place, place, ALIGN_LEFT, ROLE_PLACE, where.buf, -1);
	}
	strbuf_release(&where);
}

static void
goto_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct goto_list *g = v->data;

	strbuf_str(out, g->spots[g->shown[row].spot].name);
}

/* What is above the panes is left last, so that the place to come back to may be a tree. */
static unsigned
go(struct browser *b, const struct spot *s, uint32_t line)
{
	struct target target = { .place = s->place };
	unsigned effect;

	if (is_file(s)) {
		target.place.line = line ? line : source_hottest_line(b, s->place.file);
	} else {
		target.procedure.id = s->id;
		target.place = source_name_place(&b->docs, &s->place);
		target.hottest = s->place.file;
	}
	effect = browser_go(b, &target, s->place.file);
	while (b->depth)
		effect |= browser_pop(b);
	/* Code without a text has callers. */
	return s->place.file ? effect : effect | browser_focus(b, PANE_CALLERS);
}

/* Goes to the row under the cursor. */
static unsigned
follow(struct view *v)
{
	struct goto_list *g = v->data;
	struct browser *b = v->browser;
	struct spot spot;
	uint32_t line = g->line;

	if (g->reading || g->matching) { /* what is best is not known before */
		busy_slice(b, 0);
		work(v);
		work(v);
	}
	if (v->cursor >= g->nr_shown) {
		browser_pop(b);
		browser_say(b, ROLE_MESSAGE, "nothing has a name like this");
		return EFFECT_DONE | EFFECT_LAYOUT;
	}
	spot = g->spots[g->shown[v->cursor].spot];
	browser_pop(b); /* V is gone */
	return go(b, &spot, line);
}

static unsigned
goto_act(struct view *v, enum action action, size_t count)
{
	(void)count;
	return action == ACTION_OPEN ? follow(v) : EFFECT_REFUSED;
}

static const struct view_ops goto_ops = {
	.name = "goto",
	.keymap = KEYMAP_GENERIC,
	.close = goto_close,
	.rows = goto_rows,
	.head_lines = view_one_head_line,
	.draw_head = goto_draw_head,
	.draw_row = goto_draw_row,
	.title = goto_title,
	.row_text = goto_row_text,
	.empty = goto_empty,
	.act = goto_act,
	.idle = goto_idle,
};

unsigned
goto_ask(struct browser *b, const char *text)
{
	struct goto_list *g = xcalloc(1, sizeof(*g));
	struct view *v = view_new(&goto_ops, b, g);
	unsigned effect;

	g->browser = b;
	g->fuzzy = xcalloc(1, sizeof(*g->fuzzy));
	g->reading = job_new(read_spots, g);
	effect = browser_push(b, v);
	if (browser_view(b) != v)
		return effect;
	prompt_open(&b->prompt, PROMPT_GOTO, text);
	want(v, text);
	return effect;
}

unsigned
goto_prompt(struct browser *b, int event)
{
	struct view *v = browser_view(b);

	switch (event) {
	case PROMPT_CANCELLED:
		return browser_pop(b) | EFFECT_LAYOUT;
	case PROMPT_ACCEPTED:
		return follow(v);
	case PROMPT_NEXT:
	case PROMPT_PREVIOUS:
		return view_act(v, event == PROMPT_NEXT ? ACTION_DOWN : ACTION_UP, 0);
	case PROMPT_CHANGED:
		want(v, b->prompt.text.buf);
		return EFFECT_DONE;
	default:
		return EFFECT_DONE;
	}
}

/* Finds the file whose path ends in TEXT; 0: none, or several. */
static model_id
only_file(struct browser *b, const char *text)
{
	model_id nr = profile_totals(b->profile)->nr_files, found = 0;

	for (model_id id = 1; id <= nr; id++) {
		const struct profile_file *file = profile_file(b->profile, id);

		if (!file || strcmp(path_base(file->path), path_base(text)) ||
		    !path_matches(text, file->path))
			continue;
		if (found)
			return 0;
		found = id;
	}
	return found;
}

bool
goto_exactly(struct browser *b, const char *text, unsigned *effect)
{
	struct procedure_row procedure = { .id = 0 };
	char *name = xstrdup(text);
	uint32_t line = take_line(name);
	struct spot spot = { .place.line = 0 };

	spot.place.file = only_file(b, name);
	if (!spot.place.file && profile_procedure_named(b->profile, text, &procedure))
		spot = (struct spot){ .id = procedure.id, .place = procedure.place };
	free(name);
	if (!spot.place.file && !spot.id)
		return false;
	*effect = go(b, &spot, line);
	return true;
}
