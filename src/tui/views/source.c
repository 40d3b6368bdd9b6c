/* The source view: text, cursor and selection, hot spots, following calls. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/value.h"
#include "show/paint.h"
#include "tui/browser.h"
#include "tui/views/source_view.h"
#include "tui/screen/text_line.h"
#include "tui/views.h"
#include "tui/walk.h"
#include "util/order.h"
#include "util/text/safe.h"

/* Return the texts and the profile that the view shows. */
static struct docs *
docs_of(const struct view *v)
{
	const struct source *s = v->data;

	return compare_docs(v->browser, s->file.first);
}

struct profile *
source_profile(const struct view *v)
{
	return docs_of(v)->profile;
}

struct doc *
source_doc(struct view *v)
{
	struct source *s = v->data;

	return s->file.id ? docs_get(docs_of(v), s->file.id) : NULL;
}

static void
source_close(struct view *v)
{
	source_forget_hot(v->data);
	source_forget_strip(v->data);
	free(v->data);
}

static size_t
source_rows(struct view *v)
{
	struct doc *doc = source_doc(v);

	return doc && doc->text ? doc->nr_lines : 0;
}

static void
source_resize(struct view *v)
{
	struct source *s = v->data;

	s->count_width = margin_count_width(v->browser->totals);
	s->lineno_width = text_line_digits((uint32_t)source_rows(v));
	source_fit_margin(v);
}

void
source_window(struct view *v, uint32_t first, uint32_t last)
{
	struct doc *doc = source_doc(v);

	if (doc)
		doc_window(docs_of(v), doc, first, last);
}

/* Gets the figures of what is about to be drawn. */
static void
fetch(struct view *v)
{
	uint32_t first = (uint32_t)v->top + 1;

	source_window(v, first, first + (uint32_t)view_body_height(v));
}

/* ---- selection ---- */

struct subject
source_file(const struct view *v)
{
	const struct source *s = v->data;

	return s->file;
}

struct place
source_selected(const struct view *v)
{
	const struct source *s = v->data;

	return s->selected;
}

void
source_unselect(struct view *v)
{
	struct source *s = v->data;

	memset(&s->selected, 0, sizeof(s->selected));
}

void
source_reveal(struct view *v, uint32_t line, size_t from, size_t end)
{
	struct doc *doc = source_doc(v);
	int width = source_text_width(v), a, b;

	if (!doc || width < 4)
		return;
	a = doc_column(doc, line, from);
	b = doc_column(doc, line, end);
	if (b < width - 1)
		v->left = 0;
	else if (a < v->left || b > v->left + width - 1)
		v->left = a > width / 3 ? a - width / 3 : 0;
}

static void
select_place(struct view *v, const struct place *p)
{
	struct source *s = v->data;

	s->selected = *p;
	source_reveal(v, p->line, p->column ? p->column - 1 : 0,
	       p->end_line == p->line ? p->end_column : p->column);
}

void
source_show(struct view *v, struct subject file, uint32_t line, const struct place *selected)
{
	struct source *s = v->data;
	int height;

	if (!subject_is(file, s->file)) {
		s->file = file;
		v->cursor = v->top = 0;
		v->left = 0;
		source_forget_hot(s);
		source_forget_strip(s);
		if (v->area.w)
			source_resize(v);
	}
	source_unselect(v);
	height = view_body_height(v);
	/* Jumps leave more room below than above: code is read downward. */
	if (line && (line - 1 < v->top + 1 || line - 1 + 3 > v->top + (size_t)height))
		v->top = line - 1 > (uint32_t)height / 4 ? line - 1 - (uint32_t)height / 4 : 0;
	v->cursor = line ? line - 1 : 0;
	view_clamp(v);
	if (selected && selected->line)
		select_place(v, selected);
}

uint64_t
source_margins(const struct view *v)
{
	const struct source *s = v->data;

	return s->chosen;
}

void
source_set_margins(struct view *v, uint64_t set)
{
	struct source *s = v->data;

	s->chosen = set;
	source_fit_margin(v);
}

bool
source_toggle_margin(struct view *v, const char *name)
{
	int m = margin_find(&v->browser->margins, name, strlen(name));

	if (m >= 0)
		source_set_margins(v, source_margins(v) ^ MARGIN_BIT(m));
	return m >= 0;
}

void
source_renew_figures(struct view *v)
{
	source_forget_hot(v->data);
	source_forget_strip(v->data);
	source_fit_margin(v);
}

void
source_refresh(struct view *v)
{
	struct doc *doc = source_doc(v);

	source_renew_figures(v);
	if (doc)
		doc_check_disk(doc);
}

struct place
source_name_place(struct docs *docs, const struct place *place)
{
	struct doc *doc = docs_get(docs, place->file);
	struct place p = *place;
	size_t n, i;
	const char *s;

	p.end_line = p.line;
	p.end_column = p.column;
	if (!doc || !p.column)
		return p;
	s = doc_line(doc, p.line, &n);
	for (i = p.column; i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'); i++)
		p.end_column++;
	return p;
}

/* ---- which procedure ---- */

void
source_of(struct view *v, struct subject procedure)
{
	struct source *s = v->data;

	if (procedure.id)
		s->copy = procedure.first ? 0 : procedure.id;
}

bool
source_procedure_at(struct view *v, uint32_t line, struct procedure_row *row)
{
	struct profile *p = source_profile(v);
	struct source *s = v->data;
	struct procedure_copies copies;
	model_id id;

	if (!profile_procedure_at(p, s->file.id, line, row))
		return false;
	profile_procedure_copies(p, &row->place, s->file.first ? 0 : s->copy, &copies);
	id = copies.at ? s->copy : copies.hottest;
	return copies.nr < 2 || id == row->id || profile_procedure(p, id, row);
}

/* ---- expressions of the cursor line ---- */

/* Orders for selection: by begin, the shorter first. */
static int
compare_places(const struct place *a, const struct place *b)
{
	COMPARE(a->column, b->column);
	COMPARE(a->end_line, b->end_line);
	COMPARE(a->end_column, b->end_column);
	return 0;
}

static void
consider(const struct place *p, const struct place *from, bool next, struct place *best)
{
	if (from->line && (next ? compare_places(p, from) <= 0 : compare_places(p, from) >= 0))
		return;
	if (!best->line || (next ? compare_places(p, best) < 0 : compare_places(p, best) > 0))
		*best = *p;
}

/* Finds the expression after or before the selected one. */
static bool
neighbour(struct view *v, struct doc *doc, bool next, struct place *found)
{
	struct source *s = v->data;
	uint32_t line = (uint32_t)v->cursor + 1;
	struct place p;
	size_t i;

	memset(found, 0, sizeof(*found));
	for (i = 0; i < doc->nr_ranges; i++) {
		p = doc->ranges[i].place;
		if (p.line != line || doc->ranges[i].kind == RANGE_MACRO_DEFINITION)
			continue;
		if (doc->ranges[i].kind == RANGE_PROCEDURE)
			p = source_name_place(docs_of(v), &p);
		consider(&p, &s->selected, next, found);
	}
	for (i = 0; i < doc->nr_sites; i++)
		if (doc->sites[i].place.line == line)
			consider(&doc->sites[i].place, &s->selected, next, found);
	return found->line != 0;
}

static unsigned
select_neighbour(struct view *v, bool next)
{
	struct doc *doc = source_doc(v);
	struct place found;

	if (!doc)
		return EFFECT_DONE;
	fetch(v);
	if (!neighbour(v, doc, next, &found)) {
		browser_say(v->browser, ROLE_MESSAGE, next ? "no further expression on this line"
							   : "no expression before on this line");
		return EFFECT_DONE;
	}
	select_place(v, &found);
	return EFFECT_DONE | EFFECT_MOVED;
}

static bool
same_begin(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->column == b->column;
}

/* Returns the selected call: exactly, else the first within the selection; without a selection the
 * first on the line, if ANY. */
static const struct site_row *
site_here(struct view *v, struct doc *doc, bool any)
{
	struct source *s = v->data;
	const struct site_row *first = NULL, *same = NULL;
	uint32_t line = (uint32_t)v->cursor + 1;
	struct procedure_row row = { .id = 0 };
	size_t i;

	source_procedure_at(v, line, &row);
	/* Each copy has calls of its own at a place. */
	for (i = 0; i < doc->nr_sites; i++) {
		const struct site_row *site = &doc->sites[i];

		if (s->selected.line && place_same(&site->place, &s->selected) &&
		    (!same || site->procedure == row.id))
			same = site;
		if (first && (first->procedure == row.id || site->procedure != row.id ||
			      !place_same(&first->place, &site->place)))
			continue;
		if (s->selected.line ? place_holds(&s->selected, &site->place)
				     : any && site->place.line == line)
			first = site;
	}
	return same ? same : first;
}

bool
source_subject(struct view *v, struct subject *procedure, model_id *site)
{
	struct source *s = v->data;
	struct doc *doc = source_doc(v);
	struct procedure_row row;
	const struct site_row *here;

	if (s->selected.line && s->selected.line != v->cursor + 1)
		source_unselect(v);
	*procedure = (struct subject){ 0 };
	*site = 0;
	if (!doc ||
	    !source_procedure_at(v, (uint32_t)v->cursor + 1, &row))
		return false;
	*procedure = compare_procedure(v->browser, (struct subject){ row.id, s->file.first });
	fetch(v);
	if (s->file.first)
		return true;
	here = s->selected.line ? site_here(v, doc, false) : NULL;
	if (here && here->procedure == row.id)
		*site = here->id;
	return true;
}

/* ---- following calls ---- */

/* Returns the only procedure that SITE calls; 0: several, or none with a source. *NR: how many. */
static model_id
only_callee(struct profile *p, model_id site, size_t *nr)
{
	struct list_query q = { .kind = LIST_ARC, .site = site };
	struct listing *l = listing_open(p, &q);
	const struct list_row *row;
	model_id callee = 0;

	*nr = l ? listing_rows(l) : 0;
	row = *nr == 1 ? listing_row(l, 0) : NULL;
	if (row)
		callee = (model_id)row->cells[list_column_find(LIST_ARC, "callee_id")].number;
	listing_close(l);
	return callee;
}

static bool
on_procedure_name(struct view *v, struct procedure_row *row)
{
	return source_procedure_at(v, (uint32_t)v->cursor + 1, row) &&
	       row->place.line == v->cursor + 1;
}

static unsigned
follow(struct view *v)
{
	struct browser *b = v->browser;
	struct doc *doc = source_doc(v);
	const struct site_row *site;
	struct procedure_row row;
	struct target target = { .first = source_file(v).first };
	struct subject procedure = { .first = target.first };
	size_t nr;

	if (!doc)
		return EFFECT_DONE;
	fetch(v);
	site = site_here(v, doc, true);
	if (!site) {
		if (on_procedure_name(v, &row))
			return browser_focus(b, PANE_CALLERS);
		browser_say(b, ROLE_MESSAGE, "no call on this line: c shows who runs it");
		return EFFECT_DONE;
	}
	procedure.id = only_callee(source_profile(v), site->id, &nr);
	if (compare_row(b, procedure, &row)) {
		target.place = source_name_place(docs_of(v), &row.place);
		target.procedure = compare_procedure(b, procedure);
		return browser_step(b, &target, false, true);
	}
	if (nr > 1) {
		select_place(v, &site->place);
		procedure.id = site->procedure;
		browser_subject(b, compare_procedure(b, procedure),
				procedure.first ? 0 : site->id);
		return browser_focus(b, PANE_CALLEES);
	}
	browser_say(b, ROLE_MESSAGE, "%s is outside of the profile: it was not compiled with cgcc",
		    site->kind == SITE_DIRECT ? site->target : "what is called here");
	return EFFECT_DONE;
}

/* ---- the view ---- */

/* Tells the metric of the colours, unless every title has it. SHARED: a carried one is an
 * estimate. */
static void
metric_title(const struct browser *b, int64_t figure, bool shared, struct strbuf *out)
{
	if (!figure || b->metric < METRIC_WAIT || compare_is_on(b))
		return;
	strbuf_fmt(out, "  %s ", b->heat.metric->name);
	if (shared && b->heat.metric->carried)
		value_mark(out, "estimated", draw_ascii());
	metric_print(out, b->heat.metric, figure, VALUE_WIDE, draw_ascii());
}

/* The cursor is on the procedure's name: adds the procedure's figures. */
static void
procedure_title(struct view *v, struct strbuf *out)
{
	struct source *s = v->data;
	struct procedure_row row;

	if (!on_procedure_name(v, &row) || !same_begin(&row.place, &s->selected))
		return;
	strbuf_str(out, "  ");
	if (!row.uncounted) {
		human_count(out, row.self[MEASURE_CALLS]);
		strbuf_str(out, draw_glyph(GLYPH_TIMES));
		strbuf_str(out, "  ");
	}
	if (v->browser->metrics.items[METRIC_TOTAL].there) {
		strbuf_str(out, "total ");
		human_ns(out, row.total[MEASURE_TIME], draw_ascii());
	}
	metric_title(v->browser, metric_of_procedure(v->browser->heat.metric, &row), row.shared,
		     out);
}

/* Appends the figures of the selected expression: "362:9 9,633,118 x 410 ms ±5%". */
static void
selection_title(struct view *v, struct doc *doc, struct strbuf *out)
{
	struct source *s = v->data;
	const struct range_row *r = NULL;
	const struct site_row *site = site_here(v, doc, false);
	const struct metric *metric = v->browser->heat.metric;
	const struct profile_totals *t = v->browser->totals;
	struct margin_figures f;
	size_t i;

	for (i = 0; i < doc->nr_ranges; i++)
		if (doc->ranges[i].kind != RANGE_PROCEDURE &&
		    place_same(&doc->ranges[i].place, &s->selected))
			r = &doc->ranges[i];
	strbuf_fmt(out, "%u:%u", s->selected.line, s->selected.column);
	if (!r && !site) {
		procedure_title(v, out);
		return;
	}
	strbuf_str(out, "  ");
	if (!(r ? r->uncounted : site->uncounted)) {
		human_count(out, r ? r->self[MEASURE_COUNT] : site->total[MEASURE_COUNT]);
		strbuf_str(out, draw_glyph(GLYPH_TIMES));
	}
	if (r && r->self[MEASURE_TIME]) {
		strbuf_str(out, "  self ");
		human_ns(out, r->self[MEASURE_TIME], draw_ascii());
		strbuf_fmt(out, " %s", draw_glyph(GLYPH_PLUS_MINUS));
		human_error(out, profile_samples(t, r->self[MEASURE_SAMPLES],
						 r->self[MEASURE_TIME]),
			    profile_samples(t, t->self_samples, t->self_ns));
	}
	if (r) {
		figures_of_range(doc, r, &f);
		strbuf_str(out, f.one_way ? "  " : "");
		margin_put_one_way(out, &f);
	}
	if (r && r->procedures > 1)
		strbuf_fmt(out, "  in %u copies", r->procedures);
	if (site && site->total[MEASURE_TIME]) {
		strbuf_str(out, "  in callees ");
		human_ns(out, site->total[MEASURE_TIME], draw_ascii());
	}
	if (metric->total ? site != NULL : r != NULL)
		metric_title(v->browser, metric->total ? metric_of_site(metric, site)
						       : metric_of_range(metric, r),
			     metric->total && site->shared, out);
}

/* Callers and callees belong to one copy, the figures of the text are sums over all. */
static void
procedure_name(struct view *v, const struct procedure_row *row, struct strbuf *out)
{
	struct source *s = v->data;
	struct procedure_copies copies;

	strbuf_str(out, row->name);
	profile_procedure_copies(source_profile(v), &row->place, row->id, &copies);
	if (copies.nr < 2)
		return;
	if (row->id == s->copy)
		strbuf_fmt(out, " (copy %u of %u", copies.at, copies.nr);
	else
		strbuf_fmt(out, " (hottest of %u copies", copies.nr);
	strbuf_str(out, "; counts here: sum)");
}

static void
source_title(struct view *v, struct title *title)
{
	struct source *s = v->data;
	struct doc *doc = source_doc(v);
	struct margin_figures figures;
	struct procedure_row row;
	const char *uses;

	fetch(v);
	if (!doc) {
		strbuf_str(&title->left, "source");
		return;
	}
	if (compare_is_on(v->browser))
		strbuf_fmt(&title->left, "%s ",
			   sides_name(compare_side(&v->browser->compare, s->file.first)));
	path_tail(&title->left, doc->file->path, v->area.w / 3, draw_ascii());
	if (source_procedure_at(v, (uint32_t)v->cursor + 1, &row)) {
		procedure_name(v, &row, &title->middle);
		uses = compare_uses(v->browser, s->file.first, row.id);
		if (*uses)
			strbuf_fmt(&title->middle, ": uses changed %s", uses);
	}
	title->names = true;
	if (!doc->nr_lines)
		return;
	if (s->selected.line) {
		selection_title(v, doc, &title->right);
		return;
	}
	if (!compare_is_on(v->browser) &&
	    figures_of_line(doc, (uint32_t)v->cursor + 1, &figures))
		margin_put_one_way(&title->right, &figures);
	if (title->right.len)
		strbuf_str(&title->right, "   ");
	title_place(title, v);
}

static void
source_row_text(struct view *v, size_t row, struct strbuf *out)
{
	struct doc *doc = source_doc(v);
	size_t n;
	const char *s = doc_line(doc, (uint32_t)row + 1, &n);

	strbuf_add(out, s, n);
}

static void
source_found(struct view *v, size_t row, size_t start)
{
	source_unselect(v);
	source_reveal(v, (uint32_t)row + 1, start, start + v->browser->search.length);
}

static const struct {
	const char *why, *what;
} not_stored[] = {
	[FILE_STORED] = {"is empty.", ""},
	[FILE_MISSING] = {"is not in this profile: it was not found when the profile was made.",
			  "Record where the sources are, at the path that the compiler was given."},
	[FILE_UNREADABLE] =
		{"is not in this profile: it could not be read when the profile was made.",
		 "Make it readable and record again."},
	[FILE_TOO_LARGE] = {"is not in this profile: it is larger than a profile takes in.",
			    "The diagnostics tell the limit."},
	[FILE_WITHHELD] = {"is not in this profile: it was made without sources, or by somebody "
			   "who may read more than the program's user.",
			   "Record without --sources none to keep it."},
	[FILE_STALE] = {"is not in this profile: it had changed since the program was built.",
			"Build and record again."},
};

static void
source_empty(struct view *v, struct strbuf *out)
{
	struct doc *doc = source_doc(v);
	unsigned state;

	if (!doc) {
		strbuf_str(out, "No source: the selected row has no place in a file.\n");
		return;
	}
	state = doc->file->state <= FILE_WITHHELD ? doc->file->state : FILE_MISSING;
	strbuf_fmt(out, "%s\n%s\n", doc->file->path, not_stored[state].why);
	if (state == FILE_WITHHELD)
		strbuf_fmt(out, "%s opens the file in the editor. ",
			   action_key(KEYMAP_GENERIC, ACTION_EDIT));
	strbuf_fmt(out, "%s\n", not_stored[state].what);
	strbuf_fmt(out, "%s in the summary all the same.\n",
		   profile_lines_are_uncounted(v->browser->profile) ? "Its costs are"
								    : "Counts and times are");
}

static unsigned
goto_line(struct view *v, size_t count)
{
	if (!count) {
		prompt_open(&v->browser->prompt, PROMPT_LINE, "");
		return EFFECT_DONE;
	}
	source_show(v, source_file(v),
		    count > UINT32_MAX ? UINT32_MAX : (uint32_t)count, NULL);
	return EFFECT_DONE | EFFECT_MOVED;
}

/* Scrolls no farther than the end of the longest visible line. */
static unsigned
scroll_right(struct view *v, int by)
{
	struct doc *doc = source_doc(v);
	uint32_t line = (uint32_t)v->top + 1, end = line + (uint32_t)view_body_height(v);
	int most = 0, column;
	size_t n;

	for (; doc && line < end && line <= doc->nr_lines; line++) {
		doc_line(doc, line, &n);
		column = doc_column(doc, line, n);
		most = column > most ? column : most;
	}
	if (v->left + by < most)
		v->left += by;
	else
		browser_say(v->browser, ROLE_MESSAGE, "no line here goes farther");
	return EFFECT_DONE;
}

/* Shows the end of the cursor's line at the right edge. */
static unsigned
scroll_end(struct view *v)
{
	struct doc *doc = source_doc(v);
	uint32_t line = (uint32_t)v->cursor + 1;
	int width = source_text_width(v);
	size_t n = 0;

	if (!doc)
		return EFFECT_DONE;
	doc_line(doc, line, &n);
	v->left = doc_column(doc, line, n) - width + 1;
	if (v->left < 0)
		v->left = 0;
	return EFFECT_DONE;
}

static unsigned
source_act(struct view *v, enum action action, size_t count)
{
	((struct source *)v->data)->hot_wanted = 0; /* any other key is wanted instead */
	switch (action) {
	case ACTION_OPEN:
		return follow(v);
	case ACTION_EXPRESSION_NEXT:
		return select_neighbour(v, true);
	case ACTION_EXPRESSION_PREVIOUS:
		return select_neighbour(v, false);
	case ACTION_GOTO_LINE:
		return goto_line(v, count);
	case ACTION_SCROLL_RIGHT:
		return scroll_right(v, count && count < 10000 ? (int)count : 8);
	case ACTION_SCROLL_BEGIN:
		v->left = 0;
		return EFFECT_DONE;
	case ACTION_SCROLL_END:
		return scroll_end(v);
	case ACTION_COLUMNS:
		return browser_push(v->browser, margin_new(v->browser));
	case ACTION_HOT_NEXT:
		return source_want_hot(v, 1);
	case ACTION_HOT_PREVIOUS:
		return source_want_hot(v, -1);
	default:
		return EFFECT_REFUSED;
	}
}

static const struct view_ops source_ops = {
	.name = "source",
	.keymap = KEYMAP_SOURCE,
	.cursor = CURSOR_MARK,
	.close = source_close,
	.resize = source_resize,
	.rows = source_rows,
	.head_lines = source_head_lines,
	.draw_head = source_draw_head,
	.draw_row = source_draw_row,
	.title = source_title,
	.row_text = source_row_text,
	.empty = source_empty,
	.act = source_act,
	.idle = source_idle,
	.pick = source_pick,
	.found = source_found,
	.write = source_write,
};

struct view *
source_new(struct browser *b)
{
	struct source *s = xcalloc(1, sizeof(*s));

	s->margins = &b->margins;
	s->chosen = margin_default(s->margins);
	return view_new(&source_ops, b, s);
}
