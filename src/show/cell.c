/* Makes cells from the columns of a listing: one function for each style. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/elf/demangle.h"
#include "db/store/texts.h"
#include "show/columns.h"
#include "show/human.h"
#include "show/value.h"
#include "util/text/name.h"
#include "util/text/safe.h"

enum { ROOM_FOR_LINE = 7 };   /* kept behind a path, so that all paths are cut alike */

struct source {              /* where a cell comes from */
	const struct cell_context *x;
	const struct column *c;
	const struct list_row *row;
	int width;
	enum role *role;
};

/* Returns the cell; NULL: it is null, there is no such column, or the row is damaged. */
static const struct cell *
cell_of(const struct source *s, const char *name)
{
	int i = profile_column_find(s->x->profile, s->x->kind, name);

	return !s->row || i < 0 || s->row->cells[i].null ? NULL : &s->row->cells[i];
}

static const struct list_column *
column_of(const struct source *s)
{
	const struct cell_context *x = s->x;

	return &profile_columns(x->profile, x->kind)
		[profile_column_find(x->profile, x->kind, s->c->source)];
}

static uint64_t
number(const struct source *s, const char *name)
{
	const struct cell *cell = cell_of(s, name);

	return cell && cell->number > 0 ? (uint64_t)cell->number : 0;
}

/* Returns a figure of the row, which can be below 0. */
static int64_t
figure(const struct source *s, const char *name)
{
	const struct cell *cell = cell_of(s, name);

	return cell ? cell->number : 0;
}

static const char *
text(const struct source *s, const char *name)
{
	const struct cell *cell = cell_of(s, name);

	return cell && cell->text ? cell->text : "";
}

static const char *
dots(const struct source *s)
{
	return s->x->ascii ? "~" : "\342\200\246";
}

/* ---- figures ---- */

/* What threads that ended in a loop did there is not in these counts (plugin/sums.c). */
static void
put_count(struct strbuf *out, const struct source *s, enum column_unit unit, int64_t n)
{
	bool counts = !strcmp(s->c->source, "count") || !strcmp(s->c->source, "calls") ||
		      !strcmp(s->c->source, "blocks_executed");
	int mark = counts && number(s, "lacking") ? value_mark(out, "lacking", s->x->ascii) : 0;

	value_whole(out, unit, n, s->width - mark, s->x->ascii);
}

static void
put_value(struct strbuf *out, const struct source *s)
{
	enum column_unit unit = column_of(s)->unit;
	int64_t n = figure(s, s->c->source);

	if ((unit == UNIT_NS && !n) || (unit == UNIT_COUNT && !cell_of(s, s->c->source)))
		strbuf_char(out, '-'); /* never sampled: not that it took no time; or unknown */
	else if (unit != UNIT_NUMBER || cell_of(s, s->c->source))
		put_count(out, s, unit, n);
	if (!n)
		*s->role = ROLE_DIM;
}

static void
put_known(struct strbuf *out, const struct source *s)
{
	if (figure(s, s->c->source)) {
		put_value(out, s);
		return;
	}
	strbuf_char(out, '-');
	*s->role = ROLE_DIM;
}

static void
put_least(struct strbuf *out, const struct source *s)
{
	uint64_t n = number(s, s->c->source);

	if (!n) {
		put_known(out, s);
		return;
	}
	value_whole(out, column_of(s)->unit, n,
		    s->width - value_mark(out, "lacking", s->x->ascii), s->x->ascii);
}

static void
put_cost(struct strbuf *out, const struct source *s)
{
	if (!cell_of(s, s->c->source))
		return;
	value_whole(out, s->x->unit, figure(s, s->c->source), s->width, s->x->ascii);
}

/* Adds a mark where the time from the counts of calls and that from the stacks disagree: the second
 * is measured, so it never has one. It stands alone where counts bring none. */
static void
put_propagated(struct strbuf *out, const struct source *s)
{
	bool differs = number(s, s->c->second);

	if (differs)
		strbuf_str(out, s->x->ascii ? "!" : "\342\211\240");
	if (!differs || number(s, s->c->source))
		put_value(out, s);
}

static void
put_number(struct strbuf *out, const struct source *s)
{
	uint64_t n = number(s, s->c->source);

	if (n)
		strbuf_fmt(out, "%" PRIu64, n);
	else if (s->c->cell == CELL_NUMBER)
		*s->role = ROLE_DIM;
}

static void
put_exit(struct strbuf *out, const struct source *s)
{
	if (cell_of(s, s->c->second))
		strbuf_fmt(out, "signal %" PRIu64, number(s, s->c->second));
	else if (cell_of(s, s->c->source))
		put_value(out, s);
	else
		strbuf_char(out, '?');
}

static void
put_when(struct strbuf *out, const struct source *s)
{
	human_when(out, (int64_t)number(s, s->c->source));
}

static void
put_without(struct strbuf *out, const struct source *s)
{
	uint64_t n = number(s, s->c->source);

	*s->role = n ? ROLE_WARNING : ROLE_DIM;
	if (n)
		strbuf_fmt(out, "%" PRIu64 "/%" PRIu32, n, s->x->totals->nr_runs);
	else
		strbuf_char(out, '-');
}

static void
put_each(struct strbuf *out, const struct source *s)
{
	bool calls_there = list_column_find(s->x->kind, "calls") >= 0;

	if (number(s, s->c->second))
		human_each(out, number(s, s->c->second),
			   number(s, calls_there ? "calls" : "count"), s->x->ascii);
	else
		strbuf_char(out, '-');
}

static void
put_error(struct strbuf *out, const struct source *s)
{
	const struct profile_totals *t = s->x->totals;

	human_error(out, profile_samples(t, number(s, s->c->source), number(s, s->c->second)),
		    profile_samples(t, t->self_samples, t->self_ns));
}

static void
put_paths_error(struct strbuf *out, const struct source *s)
{
	human_error(out, number(s, s->c->source), number(s, s->c->second));
}

static void
put_bounds(struct strbuf *out, const struct source *s)
{
	uint64_t lo = number(s, s->c->source), hi = number(s, s->c->second);

	if (lo < hi)
		value_between(out, column_of(s)->unit, lo, hi, s->width, s->x->ascii);
}

static void
put_within(struct strbuf *out, const struct source *s)
{
	uint64_t lo = number(s, s->c->source);

	if (lo == number(s, s->c->second))
		value_whole(out, column_of(s)->unit, lo, s->width, s->x->ascii);
	else
		put_bounds(out, s);
}

/* ---- shares ---- */

static uint64_t
whole_of(const struct source *s)
{
	return s->x->whole ? s->x->whole : s->x->totals->self_ns;
}

static void
add_share(struct strbuf *out, const struct source *s, uint64_t whole)
{
	int64_t part = figure(s, s->c->source);

	if (part) {
		human_percent(out, part, whole);
		return;
	}
	strbuf_char(out, '-');
	*s->role = ROLE_DIM;
}

static void
put_percent(struct strbuf *out, const struct source *s)
{
	add_share(out, s, whole_of(s));
}

static void
put_time_percent(struct strbuf *out, const struct source *s)
{
	add_share(out, s, s->x->totals->self_ns);
}

static void
put_count_percent(struct strbuf *out, const struct source *s)
{
	int column = profile_column_find(s->x->profile, s->x->kind, s->c->source);

	add_share(out, s, profile_whole(s->x->profile, s->x->kind, column));
}

static void
put_whole_percent(struct strbuf *out, const struct source *s)
{
	human_percent(out, figure(s, s->c->source), s->x->whole);
}

static void
put_part_percent(struct strbuf *out, const struct source *s)
{
	human_percent(out, number(s, s->c->second), number(s, "lines"));
}

static void
put_covered(struct strbuf *out, const struct source *s)
{
	char executed[32], uncounted[32];

	snprintf(executed, sizeof(executed), "executed_%s", s->c->second);
	snprintf(uncounted, sizeof(uncounted), "uncounted_%s", s->c->second);
	human_percent(out, figure(s, executed), number(s, s->c->second) - number(s, uncounted));
}

static void
put_covered_of(struct strbuf *out, const struct source *s)
{
	if (cell_of(s, s->c->source))
		strbuf_fmt(out, "%" PRIu64 "/%" PRIu64, number(s, s->c->source),
			   number(s, s->c->second));
	else
		strbuf_char(out, '-');
}

static void
put_bar(struct strbuf *out, const struct source *s)
{
	struct profile *p = s->x->profile;
	int column = s->x->whole ? -1 : profile_column_find(p, s->x->kind, s->c->second);
	uint64_t whole = column < 0 ? whole_of(s) : profile_whole(p, s->x->kind, column);
	uint64_t part = figure_size(figure(s, s->c->second));

	whole = s->x->full ? s->x->full : whole;
	if (whole)
		human_bar(out, (double)part / (double)whole, s->width, s->x->ascii);
}

/* ---- texts ---- */

static void
put_text(struct strbuf *out, const struct source *s)
{
	strbuf_str(out, text(s, s->c->source));
}

/* Appends "77", or "1,000 in turn: 80, 81, ..."; of a group of rows "1,000 threads". */
static void
put_tids(struct strbuf *out, const struct source *s)
{
	if (number(s, s->c->second) > 1) {
		human_count(out, number(s, s->c->second));
		strbuf_str(out, *text(s, s->c->source) ? " in turn: " : " threads");
	}
	put_text(out, s);
}

/* States that need attention are made visible. */
static void
put_state(struct strbuf *out, const struct source *s)
{
	bool here = !strcmp(text(s, s->c->source), "stored");

	strbuf_str(out, here ? "in profile" : text(s, s->c->source));
	*s->role = here ? ROLE_DIM : ROLE_WARNING;
}

static void
put_saved(struct strbuf *out, const struct source *s)
{
	put_text(out, s);
	if (out->len)
		return;
	strbuf_str(out, "not saved");
	*s->role = ROLE_WARNING;
}

static void
put_name(struct strbuf *out, const struct source *s)
{
	put_text(out, s);
	name_cut(out, s->width, dots(s));
}

enum { LEAST_NAME = 9 };

/* Appends TAIL behind the name in OUT if both fit into WIDTH, else BRIEF behind the cut name.
 * Returns false, with nothing changed, when too little of the name would be left. */
static bool
add_tail(struct strbuf *out, const struct source *s, const char *tail, const char *brief)
{
	int used = safe_width(out->buf, out->len);
	int room = s->width - safe_width(brief, strlen(brief));

	if (used <= s->width - safe_width(tail, strlen(tail))) {
		strbuf_str(out, tail);
		return true;
	}
	if (used > room) {
		if (room < LEAST_NAME)
			return false;
		name_cut(out, room, dots(s));
	}
	strbuf_str(out, brief);
	return true;
}

/* Appends "<cycle 1>", as gprof writes it; without room "<1>". */
static void
add_cycle(struct strbuf *out, const struct source *s, uint64_t cycle)
{
	char tail[48], brief[32];

	if (!cycle)
		return;
	snprintf(tail, sizeof(tail), " <cycle %" PRIu64 ">", cycle);
	snprintf(brief, sizeof(brief), " <%" PRIu64 ">", cycle);
	add_tail(out, s, tail, brief);
}

/* Appends "(through qsort)"; without room "(qsort)". */
static void
add_through(struct strbuf *out, const struct source *s, const char *through)
{
	char *tail = xasprintf(" (through %s)", through), *brief = xasprintf(" (%s)", through);

	if (!add_tail(out, s, tail, brief))
		strbuf_str(out, brief);
	free(tail);
	free(brief);
}

static void
put_procedure(struct strbuf *out, const struct source *s)
{
	put_text(out, s);
	add_cycle(out, s, number(s, "cycle"));
	name_cut(out, s->width, dots(s));
}

/* Whether a row has others below it, or is one of these. */
static void
add_depth(struct strbuf *out, const struct source *s)
{
	if (s->row->arcs)
		strbuf_str(out, s->row->open ? s->x->ascii ? "- " : "\342\226\276 "
					     : s->x->ascii ? "+ " : "\342\226\270 ");
	else if (s->row->inner)
		strbuf_str(out, "  ");
}

/* "parse (3 call sites)", "puts (outside, 3 call sites)"; without room "parse (3)". */
static void
add_arcs(struct strbuf *out, const struct source *s, const char *before)
{
	char tail[48], brief[32];

	snprintf(tail, sizeof(tail), " (%s%" PRIu64 " call sites)", before, s->row->arcs);
	snprintf(brief, sizeof(brief), " (%" PRIu64 ")", s->row->arcs);
	add_tail(out, s, tail, brief);
}

static void
add_symbol(struct strbuf *out, const char *symbol)
{
	if (!demangle(out, symbol, DEMANGLE_SHORT))
		strbuf_str(out, symbol);
}

/* The end of an arc that is outside has a name, too. The call knows more of it, and the procedure
 * that got the callee's address: "by_value (through qsort)". */
static void
put_end(struct strbuf *out, const struct source *s)
{
	const char *target = !strcmp(s->c->source, "callee") ? text(s, "target") : "";
	const char *through = text(s, "through");
	model_id id = (model_id)number(s, s->c->second);
	struct procedure_row end;

	add_depth(out, s);
	if (id) {
		put_text(out, s);
		if (s->x->totals->nr_cycles && profile_procedure(s->x->profile, id, &end))
			add_cycle(out, s, end.cycle);
		if (s->row->arcs)
			add_arcs(out, s, "");
		else if (*through)
			add_through(out, s, through);
		name_cut(out, s->width, dots(s));
		return;
	}
	*s->role = ROLE_DIM;
	if (*through)
		strbuf_fmt(out, "(through %s)", through);
	else if (*target)
		add_symbol(out, target);
	else
		strbuf_str(out, "(outside)");
	if (s->row->arcs)
		add_arcs(out, s, "outside, ");
	else if (!*through && *target)
		add_tail(out, s, " (outside)", "");
}

/* Appends NAME without its mark, and returns whether it has one. */
static bool
add_called(struct strbuf *out, const char *name)
{
	size_t n = strlen(name), mark = strlen(MARK_OUTSIDE);
	bool outside = n >= mark && !strcmp(name + n - mark, MARK_OUTSIDE);

	strbuf_add(out, name, outside ? n - mark : n);
	return outside;
}

void
cell_called(struct strbuf *out, const char *name)
{
	size_t before = out->len;

	if (add_called(out, name))
		strbuf_str(out, out->len > before ? " (outside)" : "outside");
}

/* A function that is outside of the profiles has a name, too. */
static void
put_compared_end(struct strbuf *out, const struct source *s)
{
	const char *name = text(s, s->c->source);
	bool outside;

	add_depth(out, s);
	outside = add_called(out, *name || !s->x->calls ? name : "(outside)" MARK_OUTSIDE);
	*s->role = outside ? ROLE_DIM : *s->role;
	if (s->row->arcs)
		add_arcs(out, s, outside && *name ? "outside, " : "");
	else if (outside && *name)
		add_tail(out, s, " (outside)", "");
	name_cut(out, s->width, dots(s));
}

void
cell_sides(struct strbuf *out, const char *sides)
{
	if (!*sides || !strcmp(sides, "both") || !strcmp(sides, "all"))
		return;
	strbuf_str(out, sides[1] ? "" : "only ");
	safe_str(out, sides);
	if (!strncmp(sides, "uses ", strlen("uses ")))
		strbuf_str(out, ", which has changed");
}

static void
put_sides(struct strbuf *out, const struct source *s)
{
	cell_sides(out, text(s, s->c->source));
}

/* ---- places ---- */

/* The number in NAME of the place that a row has besides that of its line, "by_line". */
static uint64_t
beside_line(const struct source *s, const char *name)
{
	char whole[40];

	snprintf(whole, sizeof(whole), "%.*s%s", (int)(strlen(s->c->second) - strlen("line")),
		 s->c->second, name);
	return cell_of(s, whole) ? number(s, whole) : 0;
}

/* Appends ":12", or ":12:3-14:20". */
static void
add_line(struct strbuf *out, const struct source *s)
{
	uint64_t line = s->c->second ? number(s, s->c->second) : 0;

	if (!line)
		return;
	strbuf_fmt(out, ":%" PRIu64, line);
	if (s->x->columns && beside_line(s, "end_column"))
		strbuf_fmt(out, ":%" PRIu64 "-%" PRIu64 ":%" PRIu64, beside_line(s, "column"),
			   beside_line(s, "end_line"), beside_line(s, "end_column"));
}

/* Returns PATH as seen from where the program was run; NULL: it is elsewhere. */
static const char *
below_run(const struct profile_totals *t, const char *path)
{
	size_t n = t->run.directory ? strlen(t->run.directory) : 0;

	return n > 1 && !strncmp(path, t->run.directory, n) && path[n] == '/' ? path + n + 1 : NULL;
}

/* What is in no common directory, as the two checkouts of a comparison, is seen from there. */
static const char *
without_directory(const struct source *s, const char *path)
{
	size_t n = strlen(s->x->directory);
	const char *below = NULL;

	if (n && !strncmp(path, s->x->directory, n))
		return path + n;
	if (s->x->kind == LIST_COMPARISON && s->x->totals)
		below = below_run(s->x->totals, path);
	if (!below && s->x->kind == LIST_COMPARISON && s->x->first)
		below = below_run(profile_totals(s->x->first), path);
	return below ? below : path;
}

static void
put_place(struct strbuf *out, const struct source *s)
{
	const char *path = without_directory(s, text(s, s->c->source));
	const char *cut = s->x->ascii ? PATH_CUT(true) : PATH_CUT(false);
	struct strbuf line = STRBUF_INIT, tail = STRBUF_INIT;
	size_t drop = 0;
	int room;

	add_line(&line, s);
	room = (int)line.len > ROOM_FOR_LINE ? (int)line.len : ROOM_FOR_LINE;
	if (*path)
		path_tail(&tail, path, s->c->second ? s->width - room : s->width, s->x->ascii);
	room = s->width - (int)line.len;
	/* The mark gives way to the line number. */
	if (safe_width(tail.buf, tail.len) > room && !strncmp(tail.buf, cut, strlen(cut)))
		drop = strlen(cut);
	if (line.len && !s->x->columns &&
	    safe_width(tail.buf + drop, tail.len - drop) > room)
		name_fit(out, tail.buf + drop, tail.len - drop, room, dots(s));
	else if (*path)
		strbuf_str(out, tail.buf + drop);
	if (*path)
		strbuf_add(out, line.buf, line.len);
	strbuf_release(&line);
	strbuf_release(&tail);
}

/* Appends the path with its slash, without the directory that all files are in. */
static void
put_directory(struct strbuf *out, const struct source *s)
{
	const char *path = text(s, s->c->source);
	struct strbuf whole = STRBUF_INIT;

	if (!*path)
		return;
	strbuf_str(&whole, path);
	if (strcmp(path, "/"))
		strbuf_char(&whole, '/');
	path = without_directory(s, whole.buf);
	if (!*path)
		path = whole.buf;
	if (safe_width(path, strlen(path)) <= s->width) {
		strbuf_str(out, path);
	} else {
		whole.buf[--whole.len] = '\0';
		path_tail(out, path, s->width - 1, s->x->ascii);
		strbuf_char(out, '/');
	}
	strbuf_release(&whole);
}

/* Appends the text at the row's place; what is only in the first profile of a comparison has its
 * text there. */
static void
put_source(struct strbuf *out, const struct source *s)
{
	struct profile *p = s->x->profile;
	uint32_t line = (uint32_t)number(s, "line");
	struct place place = {
		.file = (model_id)number(s, "file_id"),
		.line = line, .end_line = line, .end_column = UINT32_MAX,
	};

	if (s->c->second) {
		place.column = (uint32_t)number(s, "column");
		place.end_line = (uint32_t)number(s, s->c->second);
		place.end_column = (uint32_t)number(s, "end_column");
	}
	if (!place.file && s->x->first) {
		p = s->x->first;
		place.file = (model_id)number(s, "first_file");
	}
	if (place.file)
		texts_excerpt(profile_texts(p), out, &place, s->width);
}

static void
put_call(struct strbuf *out, const struct source *s)
{
	put_source(out, s);
	if (out->len)
		return;
	add_symbol(out, text(s, "target"));
	*s->role = ROLE_DIM;
}

/* ---- arcs ---- */

/* Do the stacks contradict the estimate of an arc's calls? */
static bool
is_contradicted(const struct source *s)
{
	return cell_of(s, "differs") && number(s, "differs") &&
	       !strcmp(text(s, "how"), "estimated");
}

static void
put_estimate(struct strbuf *out, const struct source *s)
{
	const char *how = text(s, "how");
	int mark;

	if (!cell_of(s, s->c->source)) {
		put_value(out, s);
		return;
	}
	mark = value_mark(out, is_contradicted(s) ? "contradicted" : how, s->x->ascii);
	if (mark)
		*s->role = !strcmp(how, "pinned") ? ROLE_STRONG : ROLE_ESTIMATE;
	else if (number(s, "lacking"))
		mark = value_mark(out, "lacking", s->x->ascii);
	value_whole(out, UNIT_COUNT, number(s, s->c->source), s->width - mark, s->x->ascii);
}

static void
put_carried(struct strbuf *out, const struct source *s, const char *otherwise)
{
	enum column_unit unit = column_of(s)->unit;
	uint64_t n = number(s, s->c->source);
	bool is_estimate = n && (!s->c->second || number(s, s->c->second));
	int mark = n ? value_mark(out, is_estimate ? "estimated" : otherwise, s->x->ascii) : 0;

	value_whole(out, unit, n, s->width - mark, s->x->ascii);
	*s->role = is_estimate ? ROLE_ESTIMATE : n ? ROLE_TEXT : ROLE_DIM;
}

static void
put_shared(struct strbuf *out, const struct source *s)
{
	put_carried(out, s, "");
}

static void
put_shared_least(struct strbuf *out, const struct source *s)
{
	put_carried(out, s, "lacking");
}

static void
put_interval(struct strbuf *out, const struct source *s)
{
	static const char words[] = ", the stacks say otherwise";
	const char *how = text(s, s->c->source);

	if (strcmp(how, "estimated") && strcmp(how, "pinned")) {
		strbuf_str(out, !strcmp(how, "measured") ? how
			   : !strcmp(how, "sampled") ? "unknown" : "exact");
		*s->role = ROLE_DIM;
		return;
	}
	value_between(out, UNIT_COUNT, number(s, "lo"), number(s, "hi"), s->width, s->x->ascii);
	if (is_contradicted(s) && (int)(safe_width(out->buf, out->len) + strlen(words)) <= s->width)
		strbuf_str(out, words);
}

/* ---- comparisons, and formulas ---- */

struct scalar_value
cell_value(const struct cell *cell)
{
	if (!cell || cell->null)
		return (struct scalar_value){ .type = SCALAR_NULL };
	if (cell->whole)
		return (struct scalar_value){ .type = SCALAR_INTEGER, .integer = cell->number };
	return (struct scalar_value){ .type = SCALAR_REAL, .real = cell->real };
}

/* A thing that is not there has no figure. */
static void
put_figure(struct strbuf *out, const struct source *s)
{
	struct scalar_value v = cell_value(cell_of(s, s->c->source));
	int width = s->width;

	if (v.type == SCALAR_NULL || scalar_number(&v) == 0)
		*s->role = ROLE_DIM;
	if (v.type != SCALAR_NULL && number(s, "estimated"))
		width -= value_mark(out, "estimated", s->x->ascii);
	value_print(out, figure_unit(!strcmp(s->c->source, "a") ? s->x->of_a
				     : !strcmp(s->c->source, "b") ? s->x->of_b : s->x->figure),
		    &v, width, VALUE_PLAIN, s->x->ascii);
}

static void
put_formula(struct strbuf *out, const struct source *s)
{
	struct scalar_value v = cell_value(cell_of(s, s->c->source));
	const struct list_column *c = column_of(s);

	if (v.type == SCALAR_NULL)
		*s->role = ROLE_DIM;
	value_print(out, c->measure ? measure_unit(c->measure) : c->unit, &v, s->width,
		    VALUE_PLAIN, s->x->ascii);
}

static void
put_difference(struct strbuf *out, const struct source *s)
{
	struct scalar_value v = cell_value(cell_of(s, s->c->source));

	value_print(out, s->x->unit, &v, s->width, VALUE_SIGNED, s->x->ascii);
}

static void
put_change(struct strbuf *out, const struct source *s)
{
	struct scalar_value a = cell_value(cell_of(s, "a")), b = cell_value(cell_of(s, "b"));

	/* Where nothing has changed the result says so. */
	if (scalar_number(&a) != scalar_number(&b))
		value_change(out, &a, &b);
}

static void
put_errors(struct strbuf *out, const struct source *s)
{
	struct scalar_value v = cell_value(cell_of(s, s->c->source));

	if (v.type != SCALAR_NULL)
		value_errors(out, scalar_number(&v));
}

static void
put_half(struct strbuf *out, const struct source *s)
{
	struct scalar_value v = cell_value(cell_of(s, s->c->source));

	if (v.type == SCALAR_NULL)
		return;
	strbuf_str(out, s->x->ascii ? "+-" : "\302\261");
	value_print(out, s->x->unit, &v, s->width - 2, VALUE_PLAIN, s->x->ascii);
}

/* The browser draws it, which knows what much is. */
static void
put_direction(struct strbuf *out, const struct source *s)
{
	(void)out;
	(void)s;
}

/* ---- any format ---- */

static const struct {
	void (*put)(struct strbuf *out, const struct source *s);
	bool left;
	enum role role;
} styles[NR_CELL_STYLES] = {
	[CELL_TEXT] = { put_text, true, ROLE_TEXT },
	[CELL_NAME] = { put_name, true, ROLE_NAME },
	[CELL_PROCEDURE] = { put_procedure, true, ROLE_NAME },
	[CELL_END] = { put_end, true, ROLE_NAME },
	[CELL_COMPARED_END] = { put_compared_end, true, ROLE_NAME },
	[CELL_PLACE] = { put_place, true, ROLE_PLACE },
	[CELL_DIRECTORY] = { put_directory, true, ROLE_PLACE },
	[CELL_SOURCE] = { put_source, true, ROLE_TEXT },
	[CELL_CALL] = { put_call, true, ROLE_TEXT },
	[CELL_STATE] = { put_state, true, ROLE_TEXT },
	[CELL_SAVED] = { put_saved, true, ROLE_TEXT },
	[CELL_SIDES] = { put_sides, true, ROLE_ESTIMATE },
	[CELL_SPARK] = { put_text, true, ROLE_BAR },
	[CELL_TIDS] = { put_tids, true, ROLE_DIM },
	[CELL_WHEN] = { put_when, true, ROLE_TEXT },
	[CELL_BAR] = { put_bar, true, ROLE_BAR },
	[CELL_DIRECTION] = { put_direction, true, ROLE_BAR },
	[CELL_VALUE] = { put_value, false, ROLE_TEXT },
	[CELL_KNOWN] = { put_known, false, ROLE_TEXT },
	[CELL_LEAST] = { put_least, false, ROLE_TEXT },
	[CELL_COST] = { put_cost, false, ROLE_TEXT },
	[CELL_PROPAGATED] = { put_propagated, false, ROLE_TEXT },
	[CELL_NUMBER] = { put_number, false, ROLE_TEXT },
	[CELL_LINE] = { put_number, false, ROLE_PLACE },
	[CELL_EXIT] = { put_exit, false, ROLE_TEXT },
	[CELL_WITHOUT] = { put_without, false, ROLE_TEXT },
	[CELL_EACH] = { put_each, false, ROLE_DIM },
	[CELL_FORMULA] = { put_formula, false, ROLE_TEXT },
	[CELL_PERCENT] = { put_percent, false, ROLE_TEXT },
	[CELL_TIME_PERCENT] = { put_time_percent, false, ROLE_TEXT },
	[CELL_COUNT_PERCENT] = { put_count_percent, false, ROLE_TEXT },
	[CELL_WHOLE_PERCENT] = { put_whole_percent, false, ROLE_TEXT },
	[CELL_PART_PERCENT] = { put_part_percent, false, ROLE_TEXT },
	[CELL_COVERED_OF] = { put_covered_of, false, ROLE_TEXT },
	[CELL_COVERED] = { put_covered, false, ROLE_TEXT },
	[CELL_ERROR] = { put_error, false, ROLE_DIM },
	[CELL_BOUNDS] = { put_bounds, false, ROLE_ESTIMATE },
	[CELL_WITHIN] = { put_within, false, ROLE_TEXT },
	[CELL_ESTIMATE] = { put_estimate, false, ROLE_TEXT },
	[CELL_SHARED] = { put_shared, false, ROLE_TEXT },
	[CELL_SHARED_LEAST] = { put_shared_least, false, ROLE_TEXT },
	[CELL_INTERVAL] = { put_interval, true, ROLE_ESTIMATE },
	[CELL_FIGURE] = { put_figure, false, ROLE_TEXT },
	[CELL_DIFFERENCE] = { put_difference, false, ROLE_TEXT },
	[CELL_CHANGE] = { put_change, false, ROLE_TEXT },
	[CELL_PATHS_ERROR] = { put_paths_error, false, ROLE_DIM },
	[CELL_ERRORS] = { put_errors, false, ROLE_DIM },
	[CELL_HALF] = { put_half, false, ROLE_DIM },
};

/* Prints a figure of a tree's row that is counted above; all others have none there. */
static void
put_counted(struct strbuf *out, struct source *s)
{
	bool figure = s->c->cell == CELL_COST || s->c->cell == CELL_FIGURE;
	const struct cell *cell = figure ? cell_of(s, s->c->source) : NULL;

	if (!cell || (!cell->number && cell->real == 0))
		return;
	strbuf_char(out, '(');
	s->width -= 2;
	styles[s->c->cell].put(out, s);
	strbuf_char(out, ')');
	*s->role = ROLE_DIM;
}

/* Is it about what is counted in the row of a tree? */
static bool
is_counted(enum cell_style style)
{
	return style != CELL_ESTIMATE && style != CELL_PLACE && style != CELL_SIDES &&
	       style != CELL_NAME;
}

void
cell_print(struct strbuf *out, const struct cell_context *x, const struct column *column,
	   const struct list_row *row, int width, enum role *role)
{
	struct source s = { x, column, row, width, role };
	bool of_call = column->cell == CELL_LINE || column->cell == CELL_SOURCE;

	*role = styles[column->cell].role;
	/* Several calls have several places. */
	if (of_call && row && row->arcs)
		return;
	if (x->kind == LIST_TREE && row && row->inner && is_counted(column->cell))
		put_counted(out, &s);
	else if (x->kind != LIST_TREE || column->cell != CELL_ESTIMATE ||
		 cell_of(&s, column->source))
		styles[column->cell].put(out, &s);
}

bool
cell_is_left(enum cell_style style)
{
	return styles[style].left;
}

static bool
is_zero(const struct cell_context *x, const struct list_row *row, const char *name)
{
	int i = name ? profile_column_find(x->profile, x->kind, name) : -1;

	return i < 0 || row->cells[i].null ||
	       (profile_columns(x->profile, x->kind)[i].unit != UNIT_TEXT &&
		!row->cells[i].number && row->cells[i].real == 0);
}

bool
cell_is_nothing(const struct cell_context *x, const struct column *column,
		const struct list_row *row, const struct strbuf *cell)
{
	return !cell->len || (is_zero(x, row, column->source) && is_zero(x, row, column->second));
}
