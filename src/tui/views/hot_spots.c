/* The hot spots of the source, hottest first, and where in their lines they are. */
#include <math.h>
#include <stdlib.h>

#include "show/value.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "tui/views/source_view.h"
#include "tui/views/table.h"
#include "tui/walk.h"

void
source_forget_hot(struct source *s)
{
	listing_close(s->hot);
	s->hot = NULL;
	s->hot_at = 0;
	s->hot_wanted = 0;
}

/* Returns the listing that has spots of the metric. */
static enum list_kind
hot_kind(const struct browser *b)
{
	return b->heat.metric->total ? LIST_SITE : LIST_LINE;
}

/* Returns the listing's column of how hot a spot is; -1: P has none. */
static int
hot_column(const struct browser *b, const struct profile *p)
{
	return profile_column_find(p, hot_kind(b), b->heat.metric->column);
}

static bool
is_large(struct profile *p, model_id file)
{
	enum { LARGE = 3000 /* lines */ };
	const struct profile_file *f = profile_file(p, file);

	return f && f->lines > LARGE;
}

/* Begins to look for spots. Those of a large file are found soon among those of all files, if an
 * index has these in their order; else by looking at all of its lines, which may take long. */
static struct listing *
begin_hot(struct browser *b, struct profile *p, model_id file)
{
	struct list_query q = {
		.kind = hot_kind(b), .sort = hot_column(b, p), .descending = true, .file = file,
		.hottest = is_large(p, file) };

	return q.sort < 0 ? NULL : listing_begin(p, &q);
}

static int64_t
figure_of_cell(const struct metric *metric, const struct cell *cell)
{
	if (!metric->formula)
		return cell->number;
	return cell->null ? 0 : figure_of_value(cell->whole ? (double)cell->number : cell->real);
}

static uint32_t
hot_line(struct browser *b, const struct profile *p, struct listing *hot, size_t i,
	 int64_t *figure)
{
	const struct list_row *row = hot ? listing_row(hot, i) : NULL;

	*figure = 0;
	if (!row)
		return 0;
	*figure = figure_of_cell(b->heat.metric, &row->cells[hot_column(b, p)]);
	return (uint32_t)row->cells[list_column_find(hot_kind(b), "line")].number;
}

uint32_t
source_hottest_line(struct browser *b, model_id file)
{
	struct listing *hot = begin_hot(b, b->profile, file);
	int64_t figure;
	uint32_t line = 0;

	busy_slice(b, SLICE_KEY);
	if (hot && listing_work(hot, is_large(b->profile, file) ? busy_over : NULL, b))
		line = hot_line(b, b->profile, hot, 0, &figure);
	listing_close(hot);
	return line ? line : 1;
}

/* Returns the hottest line from FIRST to LAST, or the one that differs most; 0: none is known. */
static uint32_t
hottest_of_lines(struct view *v, uint32_t first, uint32_t last)
{
	struct source *s = v->data;
	const struct metric *metric = v->browser->heat.metric;
	bool calls = metric->total;
	uint64_t most = 0;
	int64_t figure;
	uint32_t hottest = 0;
	struct line_row *lines = NULL;
	struct site_row *sites = NULL;
	size_t i, nr;

	if (compare_is_on(v->browser))
		return compare_hottest_line(v->browser,
					    &(struct compare_source){ s->file, first, last });
	nr = calls ? profile_sites(source_profile(v), s->file.id, first, last, &sites)
		   : profile_lines(source_profile(v), s->file.id, first, last, &lines);
	for (i = 0; i < nr; i++) {
		figure = calls ? metric_of_site(metric, &sites[i])
			       : metric_of_line(metric, &lines[i]);
		if (figure_size(figure) <= most)
			continue;
		most = figure_size(figure);
		hottest = calls ? sites[i].place.line : lines[i].line;
	}
	free(sites);
	free(lines);
	return hottest;
}

void
source_show_hottest(struct view *v)
{
	enum { MOST_LINES = 10000 /* the most lines looked at */ };
	struct source *s = v->data;
	uint32_t head = (uint32_t)v->cursor + 1, height = (uint32_t)view_body_height(v), line;
	struct procedure_row row;

	if (!source_doc(v) || !height ||
	    !profile_procedure_at(source_profile(v), s->file.id, head, &row))
		return;
	line = row.place.end_line - head < MOST_LINES ? row.place.end_line : head + MOST_LINES;
	line = hottest_of_lines(v, head, line);
	if (line <= v->top + height)
		return;
	if (line - head < height)
		v->top = line - height;
	else
		source_show(v, s->file, line, NULL);
}

/* The first visit begins with the hottest spot of the current procedure. Returns false when the
 * slice ended before it was found. */
static bool
hot_in_procedure(struct view *v)
{
	enum { MOST = 2000 };
	struct source *s = v->data;
	struct procedure_row row;
	int64_t figure;
	uint32_t line;
	bool over = false;

	if (!profile_procedure_at(source_profile(v), s->file.id, (uint32_t)v->cursor + 1, &row))
		return true;
	for (; s->hot_looked < MOST && !over; s->hot_looked++) {
		line = hot_line(v->browser, source_profile(v), s->hot, s->hot_looked, &figure);
		if (!line || !figure)
			return true;
		if (line >= row.place.line && line <= row.place.end_line) {
			s->hot_at = s->hot_looked;
			return true;
		}
		over = busy_over(v->browser);
	}
	return !over;
}

/* Takes PLACE, if it is on LINE and has more than *MOST. */
static void
take_hotter(const struct place *place, uint32_t line, double figure, double *most,
	    struct place *hottest)
{
	if (place->line != line || !(figure > *most))
		return;
	*most = figure;
	*hottest = *place;
}

/* Returns the expression of LINE that is hottest, or differs most; line 0: none is known. */
static struct place
hottest_place(struct view *v, struct doc *doc, uint32_t line)
{
	const struct metric *metric = v->browser->heat.metric;
	struct source *s = v->data;
	struct place hottest = { .line = 0 };
	double most = 0;
	size_t nr, i;

	if (compare_is_on(v->browser)) {
		const struct compare_value *values =
			compare_values(v->browser, BY_RANGE,
				       &(struct compare_source){ s->file, line, line }, &nr);

		for (i = 0; i < nr; i++)
			if (values[i].kind != RANGE_PROCEDURE)
				take_hotter(&values[i].place, line, fabs(values[i].heat), &most,
					    &hottest);
		return hottest;
	}
	source_window(v, line, line);
	for (i = 0; metric->total && i < doc->nr_sites; i++)
		take_hotter(&doc->sites[i].place, line,
			    (double)figure_size(metric_of_site(metric, &doc->sites[i])), &most,
			    &hottest);
	for (i = 0; !metric->total && i < doc->nr_ranges; i++)
		if (doc->ranges[i].kind != RANGE_PROCEDURE &&
		    doc->ranges[i].kind != RANGE_MACRO_DEFINITION)
			take_hotter(&doc->ranges[i].place, line,
				    (double)figure_size(metric_of_range(metric, &doc->ranges[i])),
				    &most, &hottest);
	return hottest;
}

/* Scrolls sideways to what is hot of LINE, or its begin. */
static void
reveal_hottest(struct view *v, uint32_t line)
{
	struct doc *doc = source_doc(v);
	struct place p = { .line = 0 };

	if (doc)
		p = hottest_place(v, doc, line);
	source_reveal(v, line, p.column ? p.column - 1 : 0,
		      p.end_line == line ? p.end_column : p.column);
}

/* Returns the file with a text that comes after FILE, or before (BY -1), hottest first; 0: none. */
static model_id
hot_file(struct browser *b, struct profile *p, model_id file, int by)
{
	struct list_query q = { .kind = LIST_FILE, .descending = true,
				.sort = profile_column_find(p, LIST_FILE, b->heat.metric->column) };
	struct listing *l = q.sort < 0 ? NULL : listing_open(p, &q);
	size_t nr = l ? listing_rows(l) : 0, i;
	model_id last = 0, found = 0;
	bool passed = false;

	for (i = 0; i < nr && !found; i++) {
		const struct list_row *row = listing_row(l, i);
		model_id id = row ? (model_id)row->cells[list_column_find(LIST_FILE, "id")].number
				  : 0;
		const struct profile_file *f = id ? profile_file(p, id) : NULL;

		if (!f || !figure_of_cell(b->heat.metric, &row->cells[q.sort]))
			break;
		if (id == file && by < 0)
			break;
		if (id != file && f->state == FILE_STORED) {
			found = passed ? id : 0;
			last = id;
		}
		passed |= id == file;
	}
	listing_close(l);
	return by > 0 ? found : last;
}

/* Goes on to the hottest spot of another file. */
static unsigned
go_to_file(struct view *v, int by)
{
	struct source *s = v->data;
	struct browser *b = v->browser;
	struct target target = { .first = s->file.first };

	target.place.file = hot_file(b, source_profile(v), s->file.id, by);
	target.place.line = 1;
	if (!target.place.file) {
		browser_say(b, ROLE_MESSAGE, by > 0 ? "no further spot with %s in any file"
						    : "this is the hottest spot of all with %s",
			    b->heat.metric->title);
		return EFFECT_DONE;
	}
	return browser_go(b, &target, false) | source_want_hot(v, 1);
}

static unsigned
go_hot(struct view *v, int by)
{
	struct source *s = v->data;
	struct browser *b = v->browser;
	struct strbuf text = STRBUF_INIT;
	int64_t figure;
	uint32_t line;
	size_t to;

	if (by < 0 && s->hot_at < 2)
		return go_to_file(v, by);
	to = by > 0 ? s->hot_at : s->hot_at - 2;
	line = hot_line(b, source_profile(v), s->hot, to, &figure);
	if (!line || !figure)
		return go_to_file(v, by);
	s->hot_at = to + 1;
	source_show(v, s->file, line, NULL);
	reveal_hottest(v, line);
	metric_print(&text, b->heat.metric, figure, VALUE_WIDE, draw_ascii());
	browser_say(b, ROLE_MESSAGE, "hot spot %zu of this file: %s %s", s->hot_at, text.buf,
		    b->heat.metric->title);
	strbuf_release(&text);
	return EFFECT_DONE | EFFECT_MOVED;
}

/* Goes on looking in the slice that has begun; then goes to the spot that is wanted. */
static unsigned
find_hot(struct view *v)
{
	struct source *s = v->data;
	int by = s->hot_wanted;

	s->hot_at = 0;
	if (s->hot && (!listing_work(s->hot, busy_over, v->browser) ||
		       (by > 0 && !hot_in_procedure(v)))) {
		browser_say(v->browser, ROLE_MESSAGE, "looking for hot spots...");
		return EFFECT_DONE;
	}
	s->hot_wanted = 0;
	return go_hot(v, by);
}

/* In a comparison the spots are what differs; the line of the cursor tells which is the next one.
 * The first is that of the procedure, if it has any. */
static unsigned
go_differing(struct view *v, int by)
{
	struct source *s = v->data;
	uint32_t line = (uint32_t)v->cursor + 1, *lines;
	const struct compare_source file = { s->file, 1, UINT32_MAX };
	size_t nr = compare_hot_lines(v->browser, &file, &lines), at = 0;
	struct procedure_row row;
	uint32_t first = 0;

	while (at < nr && lines[at] != line)
		at++;
	if (at == nr && by > 0 &&
	    profile_procedure_at(source_profile(v), s->file.id, line, &row))
		first = compare_hottest_line(v->browser, &(struct compare_source){
			s->file, row.place.line, row.place.end_line });
	if (first)
		for (at = 0; lines[at] != first;)
			at++;
	else
		at = at < nr ? at + (size_t)by : by > 0 ? 0 : nr;
	if (at < nr) {
		source_show(v, s->file, lines[at], NULL);
		reveal_hottest(v, lines[at]);
		browser_say(v->browser, ROLE_MESSAGE, "%zu of %zu lines of this file that differ",
			    at + 1, nr);
	} else {
		browser_say(v->browser, ROLE_MESSAGE, !nr ? "no line of this file differs"
			    : by > 0 ? "no further line of this file differs"
			    : "this is the greatest difference of this file");
	}
	free(lines);
	return at < nr ? EFFECT_DONE | EFFECT_MOVED : EFFECT_DONE;
}

unsigned
source_want_hot(struct view *v, int by)
{
	struct source *s = v->data;

	if (compare_is_on(v->browser) && compare_has_places(v->browser, BY_LINE, s->file.first))
		return go_differing(v, by);
	if (s->hot_at)
		return go_hot(v, by);
	if (!s->hot)
		s->hot = begin_hot(v->browser, source_profile(v), s->file.id);
	s->hot_wanted = by;
	s->hot_looked = 0;
	busy_slice(v->browser, SLICE_KEY);
	return find_hot(v);
}

unsigned
source_idle(struct view *v)
{
	struct source *s = v->data;
	unsigned effect;

	if (!s->hot_wanted)
		return source_strip_work(v);
	busy_slice(v->browser, SLICE_IDLE);
	effect = find_hot(v);
	if (s->hot_wanted)
		return WORK_MORE;
	if (effect & EFFECT_MOVED)
		walk_follow_cursor(v->browser, v);
	return WORK_NEW;
}
