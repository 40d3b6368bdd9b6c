#include "tui/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/browser.h"
#include "tui/human.h"
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
print_count(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	uint64_t n = number(t, row, c->source);

	human_count_fit(out, n, width);
	if (!n)
		*role = ROLE_DIM;
}

static void
print_time(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out, enum role *role)
{
	uint64_t ns = number(t, row, c->source);

	(void)width;
	if (ns) {
		human_ns(out, ns, draw_ascii());
		return;
	}
	strbuf_char(out, '-');
	*role = ROLE_DIM;
}

/* Zero means that it is not known. */
static void
print_known(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	if (number(t, row, c->source)) {
		print_count(t, c, row, width, out, role);
		return;
	}
	strbuf_char(out, '-');
	*role = ROLE_DIM;
}

/* Time per entry. */
static void
print_each(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out, enum role *role)
{
	uint64_t ns = number(t, row, c->second), calls = number(t, row, "calls");

	(void)width;
	*role = ROLE_DIM;
	if (ns && calls)
		human_each(out, ns, calls, draw_ascii());
	else
		strbuf_char(out, '-');
}

static uint64_t
whole_of(const struct table *t)
{
	return t->whole ? t->whole : t->browser->totals->self_ns;
}

static void
print_percent(const struct table *t, const struct column *c, const struct list_row *row, int width,
	      struct strbuf *out, enum role *role)
{
	uint64_t part = number(t, row, c->source);

	(void)width;
	if (part) {
		human_percent(out, part, whole_of(t));
		return;
	}
	strbuf_char(out, '-');
	*role = ROLE_DIM;
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

static void
print_name(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out, enum role *role)
{
	const char *s = table_text(t, row, c->source);

	(void)width;
	strbuf_str(out, s ? s : "");
	*role = ROLE_NAME;
}

enum { LEAST_NAME = 9 };

/* Behind the name in OUT: TAIL if both fit into WIDTH, else BRIEF, for which the name is cut.
 * False: too little of it would be left, and all is as it was. */
static bool
add_tail(struct strbuf *out, const char *tail, const char *brief, int width)
{
	struct strbuf cut = STRBUF_INIT;
	int used = safe_width(out->buf, out->len), room = width - safe_width(brief, strlen(brief));

	if (used + safe_width(tail, strlen(tail)) <= width) {
		strbuf_str(out, tail);
		return true;
	}
	if (used > room) {
		if (room < LEAST_NAME)
			return false;
		safe_fit(&cut, out->buf, out->len, room);
		strbuf_clear(out);
		strbuf_add(out, cut.buf, cut.len);
		strbuf_release(&cut);
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
	print_name(t, c, row, width, out, role);
	add_cycle(out, table_number(t, row, "cycle"), width);
}

/* How far a time can move within what the counts allow. */
static void
print_between(const struct table *t, const struct column *c, const struct list_row *row, int width,
	      struct strbuf *out, enum role *role)
{
	uint64_t lo = number(t, row, c->source), hi = number(t, row, c->second);

	(void)width;
	*role = ROLE_ESTIMATE;
	if (lo >= hi)
		return;
	human_ns(out, lo, draw_ascii());
	strbuf_str(out, "..");
	human_ns(out, hi, draw_ascii());
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

	print_name(t, c, row, width, out, role);
	if (id && t->browser->totals->nr_cycles &&
	    profile_procedure(t->browser->profile, id, &end))
		add_cycle(out, end.cycle, width);
	if (id && through)
		add_through(out, through, width);
	if (id)
		return;
	strbuf_clear(out);
	*role = ROLE_DIM;
	if (through)
		strbuf_fmt(out, "(through %s)", through);
	else if (target && *target)
		strbuf_fmt(out, "%s (outside)", target);
	else
		strbuf_str(out, "(outside)");
}

static void
print_place(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	const char *path = table_text(t, row, c->source);
	int64_t line = c->second ? table_number(t, row, c->second) : 0;
	const char *cut = PATH_CUT(draw_ascii());
	struct strbuf tail = STRBUF_INIT;
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
	strbuf_str(out, tail.buf + drop);
	strbuf_release(&tail);
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

/* Append bytes FROM..TO of S, white space as one blank. *BLANK: the text so far ends in one. */
static void
squeeze(struct strbuf *out, const char *s, size_t from, size_t to, size_t most, bool *blank)
{
	size_t i;
	bool space;

	for (i = from; i < to && out->len < most; i++) {
		space = s[i] == ' ' || s[i] == '\t';
		if (!space || !*blank)
			strbuf_char(out, space ? ' ' : s[i]);
		*blank = space;
	}
	if (!*blank)
		strbuf_char(out, ' ');
	*blank = true;
}

/* The text of the row's range, or of its line when it has no columns. Cut somewhere beyond WIDTH.
 */
static void
add_source(const struct table *t, const struct column *c, const struct list_row *row, int width,
	   struct strbuf *out)
{
	struct doc *doc = docs_get(&t->browser->docs, (model_id)table_number(t, row, "file_id"));
	uint32_t line = (uint32_t)table_number(t, row, "line");
	uint32_t column = c->second ? (uint32_t)table_number(t, row, "column") : 0;
	uint32_t end = c->second ? (uint32_t)table_number(t, row, c->second) : line;
	uint32_t end_column = c->second ? (uint32_t)table_number(t, row, "end_column") : UINT32_MAX;
	size_t n, most = out->len + (size_t)width * 4;
	bool blank = true;
	const char *s;

	if (!doc || !line)
		return;
	for (; line <= end && line <= doc->nr_lines && out->len < most; line++, column = 1) {
		s = doc_line(doc, line, &n);
		squeeze(out, s, column ? column - 1 : 0,
			line == end && end_column < n ? end_column : n, most, &blank);
	}
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

static void
print_source(const struct table *t, const struct column *c, const struct list_row *row, int width,
	     struct strbuf *out, enum role *role)
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

static bool
how_is(const struct table *t, const struct list_row *row, const char *wanted)
{
	const char *how = table_text(t, row, "how");

	return how && !strcmp(how, wanted);
}

static void
print_arc_count(const struct table *t, const struct column *c, const struct list_row *row,
		int width, struct strbuf *out, enum role *role)
{
	bool pinned = how_is(t, row, "pinned");

	if (pinned || how_is(t, row, "estimated")) {
		strbuf_str(out, draw_glyph(pinned ? GLYPH_PINNED : GLYPH_APPROX));
		strbuf_char(out, ' ');
		width -= 2;
		*role = pinned ? ROLE_STRONG : ROLE_ESTIMATE;
	}
	human_count_fit(out, number(t, row, c->source), width);
}

/* "8,200" or "8.20k": without the blank that would tear the interval apart. */
static void
add_bound(struct strbuf *out, uint64_t n, int width)
{
	struct strbuf s = STRBUF_INIT;
	const char *p;

	human_count_fit(&s, n, width);
	for (p = s.buf; *p; p++)
		if (*p != ' ')
			strbuf_char(out, *p);
	strbuf_release(&s);
}

static void
print_interval(const struct table *t, const struct column *c, const struct list_row *row, int width,
	       struct strbuf *out, enum role *role)
{
	(void)c;
	if (!how_is(t, row, "estimated") && !how_is(t, row, "pinned")) {
		strbuf_str(out, how_is(t, row, "measured") ? "measured" : "exact");
		*role = ROLE_DIM;
		return;
	}
	add_bound(out, number(t, row, "lo"), width / 2 - 1);
	strbuf_str(out, "..");
	add_bound(out, number(t, row, "hi"), width - (int)out->len);
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

static const struct column procedure_columns[] = {
	{ "self%", "self_ns", print_percent, R, 5, 0, 0, NULL },
	{ "", NULL, print_bar, L, 8, 0, 5, "self_ns" },
	{ "self", "self_ns", print_time, R, 8, 0, 0, NULL },
	{ "\302\261", NULL, print_error, R, 4, 0, 6, "self_samples" },
	{ "total%", "total_ns", print_percent, R, 6, 0, 2, NULL },
	{ "total", "total_ns", print_time, R, 8, 0, 3, NULL },
	{ "between", "total_lo_ns", print_between, R, 18, 0, 11, "total_hi_ns" },
	{ "by root", "root_total_ns", print_time, R, 8, 0, 12, NULL },
	{ "sampled", "total_sampled_ns", print_time, R, 8, 0, 10, NULL },
	{ "wait", "self_wait_ns", print_time, R, 8, 0, 0, NULL },
	{ "total wait", "total_wait_ns", print_time, R, 10, 0, 3, NULL },
	{ "calls", "calls", print_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "recursive", "self_calls", print_count, R, 9, 0, 13, NULL },
	{ "self/call", NULL, print_each, R, 9, 0, 7, "self_ns" },
	{ "bytes", "code_bytes", print_known, R, 7, 0, 9, NULL },
	{ "procedure", "procedure", print_procedure, L, 16, 3, 0, NULL },
	{ "where", "file", print_place, L, 14, 2, 4, "line" },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

/* The same for a profile with cost centres, ... */
static const struct column both_columns[] = {
	{ "self%", "self_ns", print_percent, R, 5, 0, 0, NULL },
	{ "", NULL, print_bar, L, 8, 0, 5, "self_ns" },
	{ "self", "self_ns", print_time, R, 8, 0, 0, NULL },
	{ "\302\261", NULL, print_error, R, 4, 0, 6, "self_samples" },
	{ "centre", "centre_ns", print_time, R, 8, 0, 4, NULL },
	{ "total%", "total_ns", print_percent, R, 6, 0, 2, NULL },
	{ "total", "total_ns", print_time, R, 8, 0, 3, NULL },
	{ "between", "total_lo_ns", print_between, R, 18, 0, 11, "total_hi_ns" },
	{ "by root", "root_total_ns", print_time, R, 8, 0, 12, NULL },
	{ "sampled", "total_sampled_ns", print_time, R, 8, 0, 10, NULL },
	{ "wait", "self_wait_ns", print_time, R, 8, 0, 0, NULL },
	{ "total wait", "total_wait_ns", print_time, R, 10, 0, 3, NULL },
	{ "calls", "calls", print_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "recursive", "self_calls", print_count, R, 9, 0, 13, NULL },
	{ "self/call", NULL, print_each, R, 9, 0, 7, "self_ns" },
	{ "bytes", "code_bytes", print_known, R, 7, 0, 9, NULL },
	{ "procedure", "procedure", print_procedure, L, 16, 3, 0, NULL },
	{ "where", "file", print_place, L, 14, 2, 4, "line" },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

/* ... and charged by them. */
static const struct column centre_columns[] = {
	{ "self%", "centre_ns", print_percent, R, 5, 0, 0, NULL },
	{ "", NULL, print_bar, L, 8, 0, 5, "centre_ns" },
	{ "self", "centre_ns", print_time, R, 8, 0, 0, NULL },
	{ "\302\261", NULL, print_error, R, 4, 0, 6, "centre_samples" },
	{ "by pc", "self_ns", print_time, R, 8, 0, 4, NULL },
	{ "total%", "centre_total_ns", print_percent, R, 6, 0, 2, NULL },
	{ "total", "centre_total_ns", print_time, R, 8, 0, 3, NULL },
	{ "wait", "self_wait_ns", print_time, R, 8, 0, 0, NULL },
	{ "total wait", "total_wait_ns", print_time, R, 10, 0, 3, NULL },
	{ "calls", "calls", print_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "recursive", "self_calls", print_count, R, 9, 0, 13, NULL },
	{ "self/call", NULL, print_each, R, 9, 0, 7, "centre_ns" },
	{ "bytes", "code_bytes", print_known, R, 7, 0, 9, NULL },
	{ "procedure", "procedure", print_procedure, L, 16, 3, 0, NULL },
	{ "where", "file", print_place, L, 14, 2, 4, "line" },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

static const struct column block_columns[] = {
	{ "self%", "self_ns", print_percent, R, 5, 0, 3, NULL },
	{ "", NULL, print_bar, L, 8, 0, 5, "self_ns" },
	{ "self", "self_ns", print_time, R, 8, 0, 0, NULL },
	{ "\302\261", NULL, print_error, R, 4, 0, 6, "self_samples" },
	{ "wait", "self_wait_ns", print_time, R, 8, 0, 0, NULL },
	{ "count", "count", print_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "expression", NULL, print_source, L, 20, 5, 0, "end_line" },
	{ "procedure", "procedure", print_name, L, 14, 1, 2, NULL },
	{ "where", "file", print_place, L, 14, 1, 4, "line" },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

static const struct column site_columns[] = {
	{ "total%", "total_ns", print_percent, R, 6, 0, 3, NULL },
	{ "", NULL, print_bar, L, 8, 0, 5, "total_ns" },
	{ "total", "total_ns", print_time, R, 8, 0, 0, NULL },
	{ "\302\261", NULL, print_error, R, 4, 0, 6, "total_samples" },
	{ "by calls", "propagated_ns", print_time, R, 8, 0, 8, NULL },
	{ "wait", "total_wait_ns", print_time, R, 8, 0, 0, NULL },
	{ "count", "count", print_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "call", NULL, print_call, L, 20, 5, 0, "end_line" },
	{ "in", "procedure", print_name, L, 14, 1, 2, NULL },
	{ "kind", "kind", print_text, L, 8, 0, 7, NULL },
	{ "where", "file", print_place, L, 14, 1, 4, "line" },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

static const struct column cycle_columns[] = {
	{ "cycle", "id", print_line, R, 5, 0, 0, NULL },
	{ "total%", "total_ns", print_percent, R, 6, 0, 2, NULL },
	{ "total", "total_ns", print_time, R, 8, 0, 0, NULL },
	{ "self", "self_ns", print_time, R, 8, 0, 3, NULL },
	{ "from without", "outer_calls", print_count, R, 12, 0, 4, NULL },
	{ "within", "inner_calls", print_count, R, WIDTH_COUNT, 0, 5, NULL },
	{ "recursive", "self_calls", print_count, R, 9, 0, 6, NULL },
	{ "procedures", "procedures", print_count, R, 10, 0, 1, NULL },
	{ "members", "members", print_name, L, 16, 1, 0, NULL },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

static const struct column line_columns[] = {
	{ "self%", "self_ns", print_percent, R, 5, 0, 3, NULL },
	{ "", NULL, print_bar, L, 8, 0, 5, "self_ns" },
	{ "self", "self_ns", print_time, R, 8, 0, 0, NULL },
	{ "\302\261", NULL, print_error, R, 4, 0, 6, "self_samples" },
	{ "wait", "self_wait_ns", print_time, R, 8, 0, 0, NULL },
	{ "count", "count", print_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "source", NULL, print_source, L, 20, 5, 0, NULL },
	{ "where", "file", print_place, L, 16, 1, 4, "line" },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

/* The procedures of one file, in its order. */
static const struct column outline_columns[] = {
	{ "line", "line", print_line, R, 7, 0, 0, NULL },
	{ "self%", "self_ns", print_percent, R, 5, 0, 3, NULL },
	{ "", NULL, print_bar, L, 8, 0, 5, "self_ns" },
	{ "self", "self_ns", print_time, R, 8, 0, 0, NULL },
	{ "\302\261", NULL, print_error, R, 4, 0, 6, "self_samples" },
	{ "total", "total_ns", print_time, R, 8, 0, 2, NULL },
	{ "wait", "self_wait_ns", print_time, R, 8, 0, 0, NULL },
	{ "calls", "calls", print_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "bytes", "code_bytes", print_known, R, 7, 0, 7, NULL },
	{ "procedure", "procedure", print_procedure, L, 16, 1, 0, NULL },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

static const struct column file_columns[] = {
	{ "self%", "self_ns", print_percent, R, 5, 0, 0, NULL },
	{ "", NULL, print_bar, L, 8, 0, 5, "self_ns" },
	{ "self", "self_ns", print_time, R, 8, 0, 0, NULL },
	{ "wait", "self_wait_ns", print_time, R, 8, 0, 0, NULL },
	{ "procedures", "procedures", print_count, R, 10, 0, 4, NULL },
	{ "lines", "lines", print_count, R, 8, 0, 3, NULL },
	{ "executed", "executed", print_count, R, 8, 0, 0, NULL },
	{ "%", NULL, print_executed_percent, R, 5, 0, 2, "executed" },
	{ "file", "file", print_place, L, 20, 1, 0, NULL },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

static const struct column caller_columns[] = {
	{ "calls", "count", print_arc_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "%", NULL, print_share, R, 5, 0, 4, "count" },
	{ "samples%", "differs", print_sampled, R, 8, 0, 5, NULL },
	{ "time", "time_ns", print_time, R, 8, 0, 3, NULL },
	{ "caller", "caller", print_end, L, 12, 3, 0, "caller_id" },
	{ "line", "line", print_line, R, 5, 0, 1, NULL },
	{ HOW_SURE, "how", print_interval, L, 12, 1, 5, NULL },
	{ "call", NULL, print_source, L, 18, 4, 6, "end_line" },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

static const struct column callee_columns[] = {
	{ "calls", "count", print_arc_count, R, WIDTH_COUNT, 0, 0, NULL },
	{ "%", NULL, print_share, R, 5, 0, 4, "count" },
	{ "samples%", "differs", print_sampled, R, 8, 0, 5, NULL },
	{ "time", "time_ns", print_time, R, 8, 0, 3, NULL },
	{ "callee", "callee", print_end, L, 12, 3, 0, "callee_id" },
	{ "line", "line", print_line, R, 5, 0, 1, NULL },
	{ HOW_SURE, "how", print_interval, L, 12, 1, 5, NULL },
	{ "call", NULL, print_source, L, 18, 4, 6, "end_line" },
	{ NULL, NULL, NULL, L, 0, 0, 0, NULL },
};

static const struct table_kind summary_kinds[SUMMARY_NR] = {
	[SUMMARY_PROCEDURES] = {"procedures", LIST_PROCEDURE, procedure_columns, "self_ns", true,
				"procedure"},
	[SUMMARY_BLOCKS] = {"expressions", LIST_BLOCK, block_columns, "self_ns", true,
			    "expression"},
	[SUMMARY_SITES] = {"call sites", LIST_SITE, site_columns, "total_ns", true, "call site"},
	[SUMMARY_LINES] = {"lines", LIST_LINE, line_columns, "self_ns", true, "line"},
	[SUMMARY_FILES] = {"files", LIST_FILE, file_columns, "self_ns", true, "file"},
};

static const struct table_kind both_kind = {"procedures", LIST_PROCEDURE, both_columns,
					    "self_ns",	  true,		  "procedure"};
static const struct table_kind centre_kind = {
	"procedures, charged by cost centre", LIST_PROCEDURE, centre_columns, "centre_ns", true,
	"procedure"};

const struct table_kind *
summary_table_kind(const struct browser *b, enum summary_kind kind)
{
	if (kind != SUMMARY_PROCEDURES || !b->totals->run.centre_samples)
		return &summary_kinds[kind];
	return b->by_centre ? &centre_kind : &both_kind;
}

const struct table_kind callers_kind = {"callers", LIST_ARC, caller_columns,
					"count",   true,     "caller"};
const struct table_kind callees_kind = {"callees", LIST_ARC, callee_columns,
					"count",   true,     "callee"};
const struct table_kind files_kind = { "files", LIST_FILE, file_columns, "file", false, "file" };
const struct table_kind outline_kind = { "procedures", LIST_PROCEDURE, outline_columns, "line",
					 false, "procedure" };
const struct table_kind cycles_kind = { "cycles", LIST_CYCLE, cycle_columns, "total_ns", true,
					"cycle" };

const struct table_kind *
table_kind_at(int i)
{
	static const struct table_kind *const others[] = {
		&both_kind, &centre_kind, &callers_kind, &callees_kind, &files_kind, &cycles_kind,
		NULL,
	};

	return i < SUMMARY_NR ? &summary_kinds[i] : others[i - SUMMARY_NR];
}

unsigned
column_bit(const struct table_kind *kind, const char *head)
{
	int i = 0;

	while (kind->columns[i].head && strcmp(kind->columns[i].head, head))
		i++;
	return kind->columns[i].head ? 1u << i : 0;
}
