#include "tui/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/value.h"
#include "tui/browser.h"
#include "util/name.h"
#include "util/safe.h"

enum { ROOM_FOR_LINE = 7 };   /* behind a path, whatever the number, so that all are cut alike */

/* ---- cells ---- */

static uint64_t
number(const struct table *t, const struct list_row *row, const char *name)
{
	int64_t n = table_number(t, row, name);

	return n > 0 ? (uint64_t)n : 0;
}

static void
print_value(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	enum list_kind kind = t->kind->list;
	uint64_t n = number(t, row, c->source);

	value_whole(out, list_columns(kind)[list_column_find(kind, c->source)].unit, n, width,
		    draw_ascii());
	if (!n)
		*role = ROLE_DIM;
}

/* Zero means that it is not known. */
static void
print_known(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	if (number(t, row, c->source)) {
		print_value(t, c, row, width, out, role);
		return;
	}
	strbuf_char(out, '-');
	*role = ROLE_DIM;
}

/* Of how many runs. */
static void
print_without(const struct table *t, const struct column *c, const struct list_row *row, int width,
	      struct strbuf *out, enum role *role)
{
	uint64_t n = number(t, row, c->source);

	(void)width;
	*role = n ? ROLE_WARNING : ROLE_DIM;
	if (n)
		strbuf_fmt(out, "%" PRIu64 "/%u", n, t->browser->totals->nr_runs);
	else
		strbuf_char(out, '-');
}

/* Time per execution. */
static void
print_each(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out, enum role *role)
{
	bool calls_there = list_column_find(t->kind->list, "calls") >= 0;

	(void)width;
	*role = ROLE_DIM;
	human_each(out, number(t, row, c->second), number(t, row, calls_there ? "calls" : "count"),
		   draw_ascii());
}

static uint64_t
whole_of(const struct table *t)
{
	return t->whole ? t->whole : t->browser->totals->self_ns;
}

static void
add_share(uint64_t part, uint64_t whole, struct strbuf *out, enum role *role)
{
	human_percent(out, part, whole);
	if (!part)
		*role = ROLE_DIM;
}

/* Share of a count in that of all rows there are. */
static void
print_count_percent(const struct table *t, const struct column *c, const struct list_row *row,
		    int width, struct strbuf *out, enum role *role)
{
	enum list_kind kind = t->kind->list;

	(void)width;
	add_share(number(t, row, c->source),
		  profile_whole(t->browser->profile, kind, list_column_find(kind, c->source)), out,
		  role);
}

static void
print_percent(const struct table *t, const struct column *c, const struct list_row *row, int width,
	      struct strbuf *out, enum role *role)
{
	(void)width;
	add_share(number(t, row, c->source), whole_of(t), out, role);
}

/* Share of the lines with code that were executed. */
static void
print_executed_percent(const struct table *t, const struct column *c, const struct list_row *row,
		       int width, struct strbuf *out, enum role *role)
{
	(void)width;
	(void)role;
	human_percent(out, number(t, row, c->second), number(t, row, "lines"));
}

static void
print_bar(const struct table *t, const struct column *c, const struct list_row *row, int width,
	  struct strbuf *out, enum role *role)
{
	uint64_t whole = whole_of(t);

	*role = ROLE_BAR;
	if (whole)
		human_bar(out, (double)number(t, row, c->second) / (double)whole, width,
			  draw_ascii());
}

static void
print_error(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	(void)width;
	*role = ROLE_DIM;
	human_error(out, number(t, row, c->second));
}

void
column_print_name(const struct table *t, const struct column *c, const struct list_row *row,
		  int width, struct strbuf *out, enum role *role)
{
	const char *s = table_text(t, row, c->source);

	strbuf_str(out, s ? s : "");
	name_cut(out, width, draw_glyph(GLYPH_DOTS));
	*role = ROLE_NAME;
}

enum { LEAST_NAME = 9 };

/* Behind the name in OUT: TAIL if both fit into WIDTH, else BRIEF, for which the name is cut.
 * False: too little of it would be left, and all is as it was. */
static bool
add_tail(struct strbuf *out, const char *tail, const char *brief, int width)
{
	int used = safe_width(out->buf, out->len), room = width - safe_width(brief, strlen(brief));

	if (used + safe_width(tail, strlen(tail)) <= width) {
		strbuf_str(out, tail);
		return true;
	}
	if (used > room) {
		if (room < LEAST_NAME)
			return false;
		name_cut(out, room, draw_glyph(GLYPH_DOTS));
	}
	strbuf_str(out, brief);
	return true;
}

/* As gprof writes it: "parse <cycle 1>"; without room "parse <1>". */
static void
add_cycle(struct strbuf *out, int64_t cycle, int width)
{
	char tail[48], brief[32];

	if (cycle <= 0)
		return;
	snprintf(tail, sizeof(tail), " <cycle %lld>", (long long)cycle);
	snprintf(brief, sizeof(brief), " <%lld>", (long long)cycle);
	add_tail(out, tail, brief, width);
}

/* "compare (through qsort)"; without room "compare (qsort)". */
static void
add_through(struct strbuf *out, const char *through, int width)
{
	char *tail = xasprintf(" (through %s)", through), *brief = xasprintf(" (%s)", through);

	if (!add_tail(out, tail, brief, width))
		strbuf_str(out, brief);
	free(tail);
	free(brief);
}

static void
print_procedure(const struct table *t, const struct column *c, const struct list_row *row,
		int width, struct strbuf *out, enum role *role)
{
	column_print_name(t, c, row, WIDTH_WHOLE, out, role);
	add_cycle(out, table_number(t, row, "cycle"), width);
	name_cut(out, width, draw_glyph(GLYPH_DOTS));
}

/* How far a time can move within what the counts allow. */
static void
print_between(const struct table *t, const struct column *c, const struct list_row *row, int width,
	      struct strbuf *out, enum role *role)
{
	uint64_t lo = number(t, row, c->source), hi = number(t, row, c->second);

	*role = ROLE_ESTIMATE;
	if (lo < hi)
		value_between(out, UNIT_NS, lo, hi, width, draw_ascii());
}

/* Nothing where it is the same. */
static void
print_by_root(const struct table *t, const struct column *c, const struct list_row *row, int width,
	      struct strbuf *out, enum role *role)
{
	if (number(t, row, c->source) != number(t, row, c->second))
		print_value(t, c, row, width, out, role);
}

static void
print_text(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out, enum role *role)
{
	const char *s = table_text(t, row, c->source);

	(void)width;
	(void)role;
	strbuf_str(out, s ? s : "");
}

/* Of a file's text: what is not as it should be stands out. */
static void
print_state(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	const char *s = table_text(t, row, c->source);

	print_text(t, c, row, width, out, role);
	*role = s && !strcmp(s, "stored") ? ROLE_DIM : ROLE_WARNING;
}

/* One end of an arc; the anonymous one has a name too. The call knows more of what is outside, and
 * who got the address of the callee: "by_value (through qsort)". */
static void
print_end(const struct table *t, const struct column *c, const struct list_row *row, int width,
	  struct strbuf *out, enum role *role)
{
	bool called = !strcmp(c->source, "callee");
	const char *target = called ? table_text(t, row, "target") : NULL;
	const char *through = table_text(t, row, "through");
	model_id id = (model_id)table_number(t, row, c->second);
	struct procedure_row end;

	column_print_name(t, c, row, WIDTH_WHOLE, out, role);
	if (id && t->browser->totals->nr_cycles &&
	    profile_procedure(t->browser->profile, id, &end))
		add_cycle(out, end.cycle, width);
	if (id && through)
		add_through(out, through, width);
	name_cut(out, width, draw_glyph(GLYPH_DOTS));
	if (id)
		return;
	strbuf_clear(out);
	*role = ROLE_DIM;
	if (through)
		strbuf_fmt(out, "(through %s)", through);
	else if (target && *target)
		strbuf_str(out, target);
	else
		strbuf_str(out, "(outside)");
	if (!through && target && *target)
		add_tail(out, " (outside)", "", width);
}

void
column_print_place(const struct table *t, const struct column *c, const struct list_row *row,
		   int width, struct strbuf *out, enum role *role)
{
	const char *path = table_text(t, row, c->source);
	int64_t line = c->second ? table_number(t, row, c->second) : 0;
	const char *cut = PATH_CUT(draw_ascii());
	struct strbuf tail = STRBUF_INIT;
	const char *end;
	size_t drop = 0;

	*role = ROLE_PLACE;
	if (!path || !*path)
		return;
	if (!strncmp(path, t->browser->directory, strlen(t->browser->directory)))
		path += strlen(t->browser->directory);
	path_tail(&tail, path, c->second ? width - ROOM_FOR_LINE : width, draw_ascii());
	if (line > 0)
		strbuf_fmt(&tail, ":%lld", (long long)line);
	/* Better no mark than no line number. */
	if (safe_width(tail.buf, tail.len) > width && !strncmp(tail.buf, cut, strlen(cut)))
		drop = strlen(cut);
	if (line > 0 && safe_width(tail.buf + drop, tail.len - drop) > width) {
		end = strrchr(tail.buf, ':');
		name_fit(out, tail.buf + drop, (size_t)(end - tail.buf) - drop,
			 width - (int)strlen(end), draw_glyph(GLYPH_DOTS));
		strbuf_str(out, end);
	} else {
		strbuf_str(out, tail.buf + drop);
	}
	strbuf_release(&tail);
}

/* With its slash; without the directory that all files are in. */
static void
print_directory(const struct table *t, const struct column *c, const struct list_row *row,
		int width, struct strbuf *out, enum role *role)
{
	const char *path = table_text(t, row, c->source);
	size_t n = strlen(t->browser->directory);
	struct strbuf s = STRBUF_INIT;

	*role = ROLE_PLACE;
	if (!path || !*path)
		return;
	strbuf_str(&s, path);
	if (strcmp(path, "/"))
		strbuf_char(&s, '/');
	path = s.len > n && !strncmp(s.buf, t->browser->directory, n) ? s.buf + n : s.buf;
	if (safe_width(path, strlen(path)) <= width) {
		strbuf_str(out, path);
	} else {
		s.buf[--s.len] = '\0';
		path_tail(out, path, width - 1, draw_ascii());
		strbuf_char(out, '/');
	}
	strbuf_release(&s);
}

/* Zero: none. */
static void
print_number(const struct table *t, const struct column *c, const struct list_row *row, int width,
	     struct strbuf *out, enum role *role)
{
	int64_t n = table_number(t, row, c->source);

	(void)width;
	if (n > 0)
		strbuf_fmt(out, "%lld", (long long)n);
	else
		*role = ROLE_DIM;
}

static void
print_line(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out, enum role *role)
{
	int64_t line = table_number(t, row, c->source);

	(void)width;
	*role = ROLE_PLACE;
	if (line > 0)
		strbuf_fmt(out, "%lld", (long long)line);
}

/* The text that the row's place is in; of what is only in the first profile of a comparison that
 * one's. */
static struct doc *
doc_of(const struct table *t, const struct list_row *row)
{
	model_id file = (model_id)table_number(t, row, "file_id");
	bool first = t->kind->list == LIST_COMPARISON && !file && t->browser->compare.c;

	if (first)
		file = (model_id)table_number(t, row, "first_file");
	return docs_get(first ? &t->browser->compare.docs : &t->browser->docs, file);
}

/* The text of the row's range, or of its line when it has no columns. Cut somewhere beyond WIDTH.
 */
static void
add_source(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out)
{
	struct doc *doc = doc_of(t, row);
	uint32_t line = (uint32_t)table_number(t, row, "line");
	struct place place = { .line = line, .end_line = line, .end_column = UINT32_MAX };

	if (c->second) {
		place.column = (uint32_t)table_number(t, row, "column");
		place.end_line = (uint32_t)table_number(t, row, c->second);
		place.end_column = (uint32_t)table_number(t, row, "end_column");
	}
	if (doc)
		doc_excerpt(out, doc, &place, (size_t)width * 4);
}

void
column_print_source(const struct table *t, const struct column *c, const struct list_row *row,
		    int width, struct strbuf *out, enum role *role)
{
	(void)role;
	add_source(t, c, row, width, out);
}

/* Where the text is not known, what is called is. */
static void
print_call(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out, enum role *role)
{
	add_source(t, c, row, width, out);
	if (out->len)
		return;
	print_text(t, &(struct column){ .source = "target" }, row, width, out, role);
	*role = ROLE_DIM;
}

static const char *
how_of(const struct table *t, const struct list_row *row)
{
	const char *how = table_text(t, row, "how");

	return how ? how : "";
}

static void
print_arc_count(const struct table *t, const struct column *c, const struct list_row *row,
		int width, struct strbuf *out, enum role *role)
{
	const char *how = how_of(t, row);
	int mark = value_mark(out, how, draw_ascii());

	if (mark)
		*role = !strcmp(how, "pinned") ? ROLE_STRONG : ROLE_ESTIMATE;
	value_whole(out, UNIT_COUNT, number(t, row, c->source), width - mark, draw_ascii());
}

static void
print_interval(const struct table *t, const struct column *c, const struct list_row *row, int width,
	       struct strbuf *out, enum role *role)
{
	const char *how = how_of(t, row);

	(void)c;
	if (strcmp(how, "estimated") && strcmp(how, "pinned")) {
		strbuf_str(out, !strcmp(how, "measured") ? how : "exact");
		*role = ROLE_DIM;
		return;
	}
	value_between(out, UNIT_COUNT, number(t, row, "lo"), number(t, row, "hi"), width,
		      draw_ascii());
	*role = ROLE_ESTIMATE;
}

/* Where the samples contradict the calls: the share that the samples say. Those of a cycle come
 * together at all its members, and are no share of one. */
static void
print_sampled(const struct table *t, const struct column *c, const struct list_row *row, int width,
	      struct strbuf *out, enum role *role)
{
	struct procedure_row callee;
	model_id id = (model_id)table_number(t, row, "callee_id");

	(void)width;
	if (!table_number(t, row, c->source))
		return;
	*role = ROLE_ESTIMATE;
	strbuf_str(out, draw_glyph(GLYPH_DIFFERS));
	if (!profile_procedure(t->browser->profile, id, &callee) || callee.cycle)
		return;
	strbuf_char(out, ' ');
	human_percent(out, number(t, row, "samples"),
		      profile_samples_into(t->browser->profile, id));
}

static void
print_share(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	(void)width;
	(void)role;
	human_percent(out, number(t, row, c->second), t->whole);
}

/* ---- columns ---- */

#define L ALIGN_LEFT
#define R ALIGN_RIGHT
#define END { .head = NULL }
#define OFF COLUMN_OFF

#define BAR(column) { "", NULL, print_bar, L, 8, 0, 5, column, "The same as a bar", 0 }
#define SELF_PERCENT(drop) \
	{ "self%", "self_ns", print_percent, R, 5, 0, drop, NULL, "Share of all self time", 0 }
#define SELF                                                                                    \
	{ "self", "self_ns", print_value, R, 8, 0, 0, NULL,                                      \
	  "Time in the code itself, and in what is not profiled and was called by it", 0 }
#define SELF_ERROR(flags)                                                                       \
	{ "\302\261", "self_samples", print_error, R, 4, 0, 6, "self_samples",                  \
	  "Sampling error of self: one standard deviation, in percent of it",                   \
	  COLUMN_INVERSE | (flags) }
#define SAMPLES                                                                                 \
	{ "samples", "self_samples", print_value, R, 7, 0, 8, NULL,                             \
	  "How many samples self is made of", OFF }
#define WAIT(drop)                                                                              \
	{ "wait", "self_wait_ns", print_value, R, 8, 0, drop, NULL,                              \
	  "Time that threads waited there", 0 }
#define TOTAL(drop)                                                                             \
	{ "total", "total_ns", print_value, R, 8, 0, drop, NULL,                                 \
	  "Self time and that of all callees, carried up the calls by their counts", 0 }
#define CALLS                                                                                   \
	{ "calls", "calls", print_value, R, WIDTH_COUNT, 0, 0, NULL,                            \
	  "How often it was entered: exact", 0 }
#define BYTES(drop)                                                                             \
	{ "bytes", "code_bytes", print_known, R, 7, 0, drop, NULL, "Size of its machine code", 0 }
#define COUNT(what)                                                                             \
	{ "count", "count", print_value, R, WIDTH_COUNT, 0, 0, NULL,                            \
	  "How often " what " executed: exact", 0 }
#define COUNT_PERCENT(what)                                                                     \
	{ "count%", "count", print_count_percent, R, 6, 0, 8, NULL,                             \
	  "Share of the count in that of all " what, OFF }
#define SELF_EACH(head, of)                                                                     \
	{ head, "self_each_ns", print_each, R, 9, 0, 7, "self_ns", "Self time of each " of, OFF }
#define CODE_LINES(drop)                                                                        \
	{ "lines", "lines", print_value, R, 8, 0, drop, NULL, "Lines with code", 0 }
#define EXECUTED                                                                                \
	{ "executed", "executed", print_value, R, 8, 0, 0, NULL,                                \
	  "Lines with code that were executed", 0 },                                            \
	{ "%", "executed_percent", print_executed_percent, R, 5, 0, 2, "executed",              \
	  "Share of the lines with code that were executed", 0 }
/* Beside a figure of all runs, as it is one of a part of them. */
#define WITHOUT                                                                                 \
	{ "without", "runs_without", print_without, R, 7, 0, 1, NULL,                           \
	  "So many of the runs are of builds that have it not: its figures are of the others", 0 }
#define PROCEDURES_IN(drop)                                                                     \
	{ "procedures", "procedures", print_value, R, 10, 0, drop, NULL,                        \
	  "Procedures defined there", 0 }
#define PLACE(width, grow)                                                                      \
	{ "where", "file", column_print_place, L, width, grow, 4, "line", "File and line", 0 }
#define IN_PROCEDURE(head)                                                                      \
	{ head, "procedure", column_print_name, L, 14, 1, 2, NULL, "The procedure it is in", 0 }

static const struct column procedure_columns[] = {
	SELF_PERCENT(0), BAR("self_ns"), SELF, SELF_ERROR(0), SAMPLES,
	{ "spread", "self_sd_ns", print_value, R, 8, 0, 5, NULL,
	  "Standard deviation of the self time of one run, over the runs", 0 },
	{ "centre", "centre_ns", print_value, R, 8, 0, 4, NULL,
	  "Self time as charged the other way: by cost centre, or by program counter",
	  COLUMN_CENTRES },
	{ "total%", "total_ns", print_percent, R, 6, 0, 2, NULL,
	  "Share of all time that was spent in it and in what it calls", 0 },
	TOTAL(3),
	{ "between", "total_lo_ns", print_between, R, 18, 0, 11, "total_hi_ns",
	  "How far total can move within what the counts of calls allow", 0 },
	{ "by root", "root_total_ns", print_by_root, R, 8, 0, 12, "total_ns",
	  "Total when a cycle is charged to the procedure that it is entered by: where it "
	  "differs", 0 },
	{ "sampled%", "total_sampled_ns", print_percent, R, 8, 0, 9, NULL,
	  "Share of all time in it and what it calls, from the sampled stacks", OFF },
	{ "sampled", "total_sampled_ns", print_value, R, 8, 0, 10, NULL,
	  "Total from the sampled stacks: needs no shares of calls, has a sampling error", 0 },
	WAIT(0),
	{ "total wait", "total_wait_ns", print_value, R, 10, 0, 3, NULL,
	  "Time that threads waited in it and in what it calls", 0 },
	CALLS, WITHOUT,
	{ "calls%", "calls", print_count_percent, R, 6, 0, 8, NULL, "Share of all calls", OFF },
	{ "recursive", "self_calls", print_value, R, 9, 0, 13, NULL,
	  "How often it was called by itself, directly", 0 },
	{ "self/call", "self_each_ns", print_each, R, 9, 0, 7, "self_ns",
	  "Self time of each call", 0 },
	BYTES(9),
	{ "cycle", "cycle", print_number, R, 5, 0, 9, NULL,
	  "The number of the cycle that it is in: procedures that call each other", OFF },
	{ "procedure", "procedure", print_procedure, L, 16, 3, 0, NULL, "Its name", 0 },
	{ "symbol", "linkage_name", print_text, L, 16, 1, 9, NULL,
	  "Its name for the linker, where that is another one", OFF },
	PLACE(14, 2), END
};

/* The procedures of one file, in its order. */
static const struct column outline_columns[] = {
	{ "line", "line", print_line, R, 7, 0, 0, NULL, "The line that it begins at", 0 },
	SELF_PERCENT(3), BAR("self_ns"), SELF, SELF_ERROR(0), TOTAL(2), WAIT(0), CALLS, BYTES(7),
	{ "procedure", "procedure", print_procedure, L, 16, 1, 0, NULL, "Its name", 0 },
	END
};

static const struct column block_columns[] = {
	SELF_PERCENT(3), BAR("self_ns"), SELF, SELF_ERROR(0), SAMPLES, WAIT(0),
	COUNT("it was"), WITHOUT, COUNT_PERCENT("expressions"), SELF_EACH("self/each", "execution"),
	{ "expression", "file", column_print_source, L, 20, 5, 0, "end_line",
	  "Its source text, of those executed together the hottest; sorts as the source",
	  COLUMN_IN_SOURCE },
	IN_PROCEDURE("procedure"), PLACE(14, 1), END
};

static const struct column site_columns[] = {
	{ "total%", "total_ns", print_percent, R, 6, 0, 3, NULL,
	  "Share of all time that was spent below this call", 0 },
	BAR("total_ns"),
	{ "total", "total_ns", print_value, R, 8, 0, 0, NULL,
	  "Time below this call, from the sampled stacks", 0 },
	{ "\302\261", "total_samples", print_error, R, 4, 0, 6, "total_samples",
	  "Sampling error of total: one standard deviation, in percent of it", COLUMN_INVERSE },
	{ "samples", "total_samples", print_value, R, 7, 0, 8, NULL,
	  "How many samples total is made of", OFF },
	{ "by calls%", "propagated_ns", print_percent, R, 9, 0, 9, NULL,
	  "Share of all time that the callees bring, by counts of calls", OFF },
	{ "by calls", "propagated_ns", print_value, R, 8, 0, 8, NULL,
	  "What the callees bring of their total time, by counts of calls", 0 },
	{ "wait", "total_wait_ns", print_value, R, 8, 0, 0, NULL,
	  "Time that threads waited below this call", 0 },
	{ "count", "count", print_value, R, WIDTH_COUNT, 0, 0, NULL,
	  "How often the call was made: exact", 0 },
	WITHOUT, COUNT_PERCENT("calls"),
	{ "total/each", "total_each_ns", print_each, R, 10, 0, 7, "total_ns",
	  "Time below each of the calls", OFF },
	{ "call", "file", print_call, L, 20, 5, 0, "end_line",
	  "Its source text; sorts in the order of the source", COLUMN_IN_SOURCE },
	IN_PROCEDURE("in"),
	{ "kind", "kind", print_text, L, 8, 0, 7, NULL, "Direct, or through a pointer", 0 },
	{ "target", "target", print_text, L, 16, 1, 8, NULL,
	  "What a direct call calls; else the type of what can be called", OFF },
	PLACE(14, 1), END
};

static const struct column cycle_columns[] = {
	{ "cycle", "id", print_line, R, 5, 0, 0, NULL, "Its number", 0 },
	{ "total%", "total_ns", print_percent, R, 6, 0, 2, NULL, "Share of all time", 0 },
	{ "total", "total_ns", print_value, R, 8, 0, 0, NULL,
	  "Self time of its members and that of all that they call", 0 },
	{ "self", "self_ns", print_value, R, 8, 0, 3, NULL, "Self time of its members", 0 },
	{ "from without", "outer_calls", print_value, R, 12, 0, 4, NULL,
	  "Calls of its members by others", 0 },
	{ "within", "inner_calls", print_value, R, WIDTH_COUNT, 0, 5, NULL,
	  "Calls of one member by another", 0 },
	{ "recursive", "self_calls", print_value, R, 9, 0, 6, NULL,
	  "Calls of a member by itself", 0 },
	{ "procedures", "procedures", print_value, R, 10, 0, 1, NULL, "How many members", 0 },
	{ "members", "members", column_print_name, L, 16, 1, 0, NULL, "The first few, by time", 0 },
	END
};

static const struct column line_columns[] = {
	SELF_PERCENT(3), BAR("self_ns"), SELF, SELF_ERROR(0), SAMPLES, WAIT(0),
	COUNT("control reached it, as gcov counts"), WITHOUT, COUNT_PERCENT("lines"),
	SELF_EACH("self/each", "time that it is reached"),
	{ "source", "file", column_print_source, L, 20, 5, 0, NULL,
	  "Its text; sorts in the order of the source", COLUMN_IN_SOURCE },
	PLACE(16, 1), END
};

static const struct column file_columns[] = {
	SELF_PERCENT(0), BAR("self_ns"), SELF, SELF_ERROR(OFF), SAMPLES, WAIT(0),
	PROCEDURES_IN(4), CODE_LINES(3), EXECUTED,
	{ "blocks", "count", print_value, R, WIDTH_COUNT, 0, 8, NULL,
	  "How often basic blocks were executed, in sum", OFF },
	{ "text", "state", print_state, L, 10, 0, 1, NULL,
	  "Whether its text is in the profile, and is the one that was compiled", 0 },
	{ "file", "file", column_print_place, L, 20, 1, 0, NULL, "Its path", 0 },
	END
};

static const struct column directory_columns[] = {
	{ "total%", "total_ns", print_percent, R, 6, 0, 2, NULL,
	  "Share of all self time in its files and in the directories below", 0 },
	BAR("total_ns"),
	{ "total", "total_ns", print_value, R, 8, 0, 0, NULL,
	  "Self time in its files and in the directories below", 0 },
	SELF_PERCENT(3), SELF, SELF_ERROR(OFF), SAMPLES, WAIT(0),
	{ "files", "files", print_value, R, 6, 0, 5, NULL, "Files in the directory itself", 0 },
	PROCEDURES_IN(6), CODE_LINES(7), EXECUTED,
	{ "blocks", "count", print_value, R, WIDTH_COUNT, 0, 8, NULL,
	  "How often basic blocks were executed, in sum", OFF },
	{ "directory", "directory", print_directory, L, 20, 1, 0, NULL, "Its path", 0 },
	END
};

#define ARC_COLUMNS(end, end_id, end_help)                                                      \
	{ "calls", "count", print_arc_count, R, WIDTH_COUNT, 0, 0, NULL,                        \
	  "How often: exact, or an estimate with a mark", 0 },                                  \
	{ "%", "count", print_share, R, 5, 0, 4, "count", "Share of all calls that are shown",  \
	  0 },                                                                                  \
	{ "samples%", "differs", print_sampled, R, 8, 0, 5, NULL,                               \
	  "Share of the samples, where that contradicts the share of the calls", 0 },           \
	{ "time", "time_ns", print_value, R, 8, 0, 3, NULL,                                      \
	  "What the calls bring of the callee's total time", 0 },                               \
	{ end, end, print_end, L, 12, 3, 0, end_id, end_help, 0 },                              \
	{ "line", "line", print_line, R, 6, 0, 1, NULL, "The line of the call", 0 },            \
	{ HOW_SURE, "how", print_interval, L, 12, 1, 7, NULL,                                   \
	  "Exact, measured, or the interval that the counts leave open", 0 },                   \
	{ "call", "file", column_print_source, L, 18, 4, 6, "end_line",                         \
	  "The source text of the call; sorts in the order of the source", COLUMN_IN_SOURCE },  \
	END

static const struct column caller_columns[] = {
	ARC_COLUMNS("caller", "caller_id", "Who called")
};

static const struct column callee_columns[] = {
	ARC_COLUMNS("callee", "callee_id", "What was called")
};

static const struct table_kind summary_kinds[SUMMARY_NR] = {
	[SUMMARY_PROCEDURES] = { "procedures", LIST_PROCEDURE, procedure_columns, "self_ns", true,
				 "procedure", "procedures", true, 0 },
	[SUMMARY_BLOCKS] = { "expressions", LIST_BLOCK, block_columns, "self_ns", true,
			     "expression", "expressions", true, 0 },
	[SUMMARY_SITES] = { "call sites", LIST_SITE, site_columns, "total_ns", true, "call site",
			    "call sites", true, 0 },
	[SUMMARY_LINES] = { "lines", LIST_LINE, line_columns, "self_ns", true, "line", "lines",
			    true, 0 },
	[SUMMARY_FILES] = { "files", LIST_FILE, file_columns, "self_ns", true, "file", "files",
			    true, 0 },
	[SUMMARY_DIRECTORIES] = { "directories", LIST_DIRECTORY, directory_columns, "total_ns",
				  true, "directory", "directories", true, 0 },
};

const struct table_kind *
summary_table_kind(enum summary_kind kind)
{
	return &summary_kinds[kind];
}

const struct table_kind callers_kind = { "callers", LIST_ARC, caller_columns, "count", true,
					 "caller", "callers", true, 0 };
const struct table_kind callees_kind = { "callees", LIST_ARC, callee_columns, "count", true,
					 "callee", "callees", true, 0 };
const struct table_kind files_kind = { "files", LIST_FILE, file_columns, "file", false, "file",
				       "files", true, 0 };
const struct table_kind outline_kind = { "outline", LIST_PROCEDURE, outline_columns, "line",
					 false, "procedure", "procedures", true, 0 };
const struct table_kind cycles_kind = { "cycles", LIST_CYCLE, cycle_columns, "total_ns", true,
					"cycle", "cycles", true, 0 };

const struct table_kind *
table_kind_at(int i)
{
	static const struct table_kind *const others[] = {
		&callers_kind, &callees_kind, &files_kind, &outline_kind, &cycles_kind,
		&compare_callers_kind, &compare_callees_kind, NULL,
	};

	if (i < SUMMARY_NR)
		return &summary_kinds[i];
	i -= SUMMARY_NR;
	return i < SUMMARY_NR ? compare_table_kind((enum summary_kind)i) : others[i - SUMMARY_NR];
}
