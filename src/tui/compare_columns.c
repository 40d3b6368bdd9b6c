/* The columns of tables of a comparison. */
#include <math.h>
#include <string.h>

#include "show/value.h"
#include "tui/browser.h"
#include "tui/columns.h"

static struct compare_kind *
kind_of(const struct table *t)
{
	return compare_kind(t->browser, (enum compare_by)(t->kind->things - 1));
}

/* A figure of one side; of what is not there none. */
static void
print_figure(const struct table *t, const struct column *c, const struct list_row *row, int width,
	     struct strbuf *out, enum role *role)
{
	double value = table_real(t, row, c->source);

	if (isnan(value) || value == 0)
		*role = ROLE_DIM;
	if (!isnan(value) && table_number(t, row, "estimated") > 0)
		width -= value_mark(out, "estimated", draw_ascii());
	value_real(out, figure_unit(kind_of(t)->figure), value, width, VALUE_PLAIN, draw_ascii());
}

static enum role
role_of(const struct table *t, const struct list_row *row)
{
	return compare_role(t->browser, kind_of(t), table_real(t, row, "value"),
			    compare_is_unsure(table_real(t, row, "significance")));
}

static void
print_value(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	double value = table_real(t, row, c->source);

	*role = role_of(t, row);
	if (*role == ROLE_COLD)
		*role = ROLE_DIM;
	value_real(out, kind_of(t)->unit, value, width, VALUE_SIGNED, draw_ascii());
}

/* Where nothing but brightness tells, an arrow says which way. */
static void
print_direction(const struct table *t, const struct column *c, const struct list_row *row,
		int width, struct strbuf *out, enum role *role)
{
	int level = compare_level(t->browser, kind_of(t), table_real(t, row, "value"));

	(void)c;
	(void)width;
	*role = role_of(t, row) == ROLE_UNSURE ? ROLE_DIM : level < 0 ? ROLE_PLACE : ROLE_BAR;
	strbuf_str(out, !level ? "" : draw_glyph(level < 0 ? GLYPH_DOWN : GLYPH_UP));
}

static void
print_significance(const struct table *t, const struct column *c, const struct list_row *row,
		   int width, struct strbuf *out, enum role *role)
{
	(void)width;
	*role = ROLE_DIM;
	value_errors(out, table_real(t, row, c->source));
}

static void
print_sides(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	const char *sides = table_text(t, row, c->source);

	(void)width;
	*role = ROLE_ESTIMATE;
	if (!sides || !strcmp(sides, "both") || !strcmp(sides, "all"))
		return;
	strbuf_fmt(out, "%s%s", sides[1] ? "" : "only ", sides);
}

static void
print_spark(const struct table *t, const struct column *c, const struct list_row *row, int width,
	    struct strbuf *out, enum role *role)
{
	const char *s = table_text(t, row, c->source);

	(void)width;
	*role = ROLE_BAR;
	strbuf_str(out, s ? s : "");
}

/* An end of a call; the one without a name is outside. */
static void
print_end(const struct table *t, const struct column *c, const struct list_row *row, int width,
	  struct strbuf *out, enum role *role)
{
	column_print_name(t, c, row, width, out, role);
	if (out->len)
		return;
	*role = ROLE_DIM;
	strbuf_str(out, "(outside)");
}

#define L ALIGN_LEFT
#define R ALIGN_RIGHT
/* Head, source, print, align, width, grow, drop, second, help. */
#define MIDDLE(source, drop)                                                                 \
	{ source, source, print_figure, R, 9, 0, drop, NULL,                                 \
	  "The figure in a profile between the first and the last", 0 }
#define FIGURES                                                                              \
	{ "a", "a", print_figure, R, 9, 0, 2, NULL,                                          \
	  "The figure in the first profile", 0 },                                            \
	MIDDLE("m1", 10), MIDDLE("m2", 11), MIDDLE("m3", 12), MIDDLE("m4", 13),              \
	MIDDLE("m5", 14), MIDDLE("m6", 15), MIDDLE("m7", 16), MIDDLE("m8", 17),              \
	{ "b", "b", print_figure, R, 9, 0, 1, NULL,                                          \
	  "The figure in the last profile", 0 },                                             \
	{ "result", "value", print_value, R, 10, 0, 0, NULL,                                 \
	  "The value of the expression; sorts by its amount", 0 },                           \
	{ "", NULL, print_direction, L, 1, 0, 7, NULL, "More or less", 0 },                  \
	{ "series", "spark", print_spark, L, 8, 0, 3, NULL,                                  \
	  "The figure of each run of a series", 0 },                                         \
	{ "signed", "signed", print_value, R, 10, 0, 9, NULL,                                \
	  "The value; sorts by it with its sign", COLUMN_OFF },                              \
	{ "signif", "significance", print_significance, R, 6, 0, 6, NULL,                    \
	  "Significance, where times are sampled: the difference in standard errors; "       \
	  "below 2 it may be chance", 0 },                                                   \
	{ "in", "sides", print_sides, L, 7, 0, 3, NULL,                                      \
	  "Only in one of them, or its text has changed", 0 }
#define WHERE                                                                                \
	{ "where", "file", column_print_place, L, 12, 2, 4, "line",                          \
	  "Where it is, in the last profile that has it", 0 }
#define PROCEDURE                                                                            \
	{ "procedure", "procedure", column_print_name, L, 12, 3, 0, NULL,                    \
	  "The procedure", 0 }
#define END { NULL, NULL, NULL, L, 0, 0, 0, NULL, NULL, 0 }

static const struct column procedure_columns[] = { FIGURES, PROCEDURE, WHERE, END };
#define SOURCE(head)                                                                         \
	{ head, "file", column_print_source, L, 20, 5, 0, "end_line",                        \
	  "Its source text; sorts in the order of the source", COLUMN_IN_SOURCE }
static const struct column place_columns[] = {
	FIGURES, SOURCE("expression"), WHERE,
	{ "procedure", "procedure", column_print_name, L, 12, 3, 3, NULL, "The procedure", 0 }, END
};
static const struct column site_columns[] = {
	FIGURES, SOURCE("call"), WHERE,
	{ "callee", "callee", print_end, L, 12, 3, 3, NULL, "What is called", 0 },
	{ "procedure", "procedure", column_print_name, L, 12, 3, 5, NULL, "Who calls", 0 }, END
};
static const struct column line_columns[] = {
	FIGURES,
	{ "source", "file", column_print_source, L, 20, 5, 0, NULL,
	  "The source text of the line; sorts in the order of the source", COLUMN_IN_SOURCE },
	WHERE, END
};
static const struct column file_columns[] = {
	FIGURES,
	{ "file", "file", column_print_place, L, 12, 3, 0, NULL, "The file", 0 }, END
};
#define CALL                                                                                 \
	{ "call", "file", column_print_source, L, 18, 4, 8, "end_line",                      \
	  "The source text of the call; sorts in the order of the source", COLUMN_IN_SOURCE }
static const struct column arc_columns[] = {
	FIGURES,
	{ "caller", "procedure", print_end, L, 12, 3, 0, NULL, "Who calls", 0 },
	{ "callee", "callee", print_end, L, 12, 3, 0, NULL, "What is called", 0 }, WHERE, CALL,
	END
};
static const struct column caller_columns[] = {
	FIGURES, { "caller", "procedure", print_end, L, 12, 3, 0, NULL, "Who called", 0 }, WHERE,
	CALL, END
};
static const struct column callee_columns[] = {
	FIGURES, { "callee", "callee", print_end, L, 12, 3, 0, NULL, "What was called", 0 }, WHERE,
	CALL, END
};

static const struct table_kind kinds[SUMMARY_NR] = {
	[SUMMARY_PROCEDURES] = { "compared procedures", LIST_COMPARISON, procedure_columns, "value",
				 true, "procedure", "procedures", true, BY_PROCEDURE + 1 },
	[SUMMARY_BLOCKS] = { "compared expressions", LIST_COMPARISON, place_columns, "value", true,
			     "expression", "expressions", true, BY_RANGE + 1 },
	[SUMMARY_SITES] = { "compared call sites", LIST_COMPARISON, site_columns, "value", true,
			    "call site", "call sites", true, BY_SITE + 1 },
	[SUMMARY_LINES] = { "compared lines", LIST_COMPARISON, line_columns, "value", true, "line",
			    "lines", true, BY_LINE + 1 },
	[SUMMARY_FILES] = { "compared files", LIST_COMPARISON, file_columns, "value", true, "file",
			    "files", true, BY_FILE + 1 },
	[SUMMARY_DIRECTORIES] = { "compared calls", LIST_COMPARISON, arc_columns, "value", true,
				  "arc", "arcs", true, BY_ARC + 1 },
};

const struct table_kind compare_callers_kind = {
	"compared callers", LIST_COMPARISON, caller_columns, "value", true, "caller", "callers",
	false, BY_ARC + 1
};
const struct table_kind compare_callees_kind = {
	"compared callees", LIST_COMPARISON, callee_columns, "value", true, "callee", "callees",
	false, BY_ARC + 1
};

const struct table_kind *
compare_table_kind(enum summary_kind kind)
{
	return &kinds[kind];
}

/* ---- whose figures a column has ---- */

static const char letters[MAX_PROFILES][2] = {
	"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
	"n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
};

const char *
compare_letter(size_t profile)
{
	return letters[profile];
}

/* Of m1, m2 .. 1, 2 ..; 0: it is none of these. */
static size_t
middle_of(const char *source)
{
	return source && source[0] == 'm' && source[1] >= '1' && source[1] <= '9' && !source[2]
		       ? (size_t)(source[1] - '0') : 0;
}

const char *
compare_column_head(const struct browser *b, const struct column *c)
{
	if (middle_of(c->source))
		return letters[middle_of(c->source)];
	return c->source && !strcmp(c->source, "b") ? letters[b->compare.nr - 1] : c->head;
}

bool
compare_column_known(const struct browser *b, const struct column *c)
{
	return !middle_of(c->source) ||
	       (b->compare.c && middle_of(c->source) + 1 < b->compare.nr);
}
