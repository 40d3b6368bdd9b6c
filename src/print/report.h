/* What the formats of `cgview report` share. */
#ifndef CGVIEW_PRINT_REPORT
#define CGVIEW_PRINT_REPORT

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/comparison.h"
#include "db/profile.h"
#include "util/mem.h"

/* How a column of the text format is made of one or two columns of the listing. Those that are not
 * always there leave their column out when nothing is in it. */
enum text_style {
	TEXT_PLAIN,      /* the text */
	TEXT_REMARK,     /* the same, not always there */
	TEXT_PROCEDURE,  /* the text, and the cycle that another column tells */
	TEXT_CALLEE,     /* the text; behind "outside" what is known to be called */
	TEXT_COUNT,      /* 1,234,567 */
	TEXT_SOME,       /* the same, not always there: when all are 0 it is not */
	TEXT_WITHOUT,    /* likewise: so many of the runs */
	TEXT_NUMBER,     /* 1234567 */
	TEXT_ESTIMATE,   /* 1,234,567, with a mark when the row says "estimated" or "pinned" */
	TEXT_INTERVAL,   /* lo..hi of such a row */
	TEXT_DIFFERS,    /* not always there: of a flagged arc, its share of samples */
	TEXT_NS,         /* 12.3 ms */
	TEXT_SOME_NS,    /* the same, not always there, as above */
	TEXT_OTHER_NS,   /* the same, not always there: where the other column differs */
	TEXT_BETWEEN,    /* not always there: 12.3 ms..14 ms, where the two differ */
	TEXT_SHARE,      /* percent of all self time */
	TEXT_PARTS,      /* percent of another column */
	TEXT_ERROR,      /* sampling error of so many samples */
	TEXT_PER,        /* time per execution */
	TEXT_PLACE,      /* file:line */
	TEXT_RANGE,      /* file:line:column-line:column */
	TEXT_SOURCE,     /* not always there: the text of such a range in the file of an id */
	TEXT_LINE,       /* the same of a line */
	TEXT_TIME,       /* 2026-01-31 12:00:00, in UTC */
	TEXT_EXIT,       /* exit status, or the signal in the other column */
	TEXT_FIGURE,     /* of a comparison: with a mark when the other column is not 0 */
	TEXT_VALUE,      /* what its expression gives */
	TEXT_SIGMA,      /* not always there: standard errors */
	TEXT_END,        /* not always there: a procedure, or outside */
};

struct text_column {
	const char *header;
	enum text_style style;
	const char *column, *other;
	bool sum;        /* adds up: shown in the last line */
};

struct report_view {
	const char *name;
	const char *noun, *plural;       /* one row, and more */
	enum list_kind kind;
	const char *sort;                /* the default */
	const struct text_column *text;  /* ends with a NULL header */
	const char *data;                /* columns of csv and json; NULL: all but ids */
};

/* What --by comparison shows; see report_compared.c. */
struct report_compared {
	enum compare_by by;
	char *expression;
	enum column_unit unit;            /* of its value */
	enum figure figure;              /* what a and b are */
};

enum { REPORT_MAX_COLUMNS = 24, REPORT_THINGS = 1 /* list_query.things of a comparison */ };

struct report {
	struct profile *p;
	const struct report_view *view;
	const struct list_column *columns;
	struct listing *list;
	const char *caller, *callee;     /* NULL: all */
	int caller_column, callee_column;
	const struct report_compared *compared; /* NULL: the view is another one */
	size_t limit;
	struct text_column chosen[REPORT_MAX_COLUMNS]; /* instead of the view's */
	int nr_chosen;                   /* 0: the view's */
};

/* Rows that pass the filters, from *I on; *I is then behind it. NULL: no more. */
const struct list_row *report_next(const struct report *r, size_t *i);

/* Ids are numbers of the database's own; names and places say the same. */
bool report_is_public(const struct report_view *view, const struct list_column *c);

/* The rows of a comparison that is stored in P, of the kind OF (enum compare_by, -1: the first
 * there is); without one the program ends with 1. They are those of REPORT_THINGS. */
void report_compared_open(struct report_compared *c, struct profile *p, int of);
void report_compared_release(struct report_compared *c);
/* The profiles that were compared, and by what; and one line that tells that there is a comparison,
 * if so. To stdout. */
void report_compared_title(const struct report_compared *c, struct profile *p);
void report_compared_hint(struct profile *p);
/* The name in a cell of a procedure, "outside", or "" where rows have none. */
const char *report_compared_name(const struct report_compared *c, const struct cell *name);
/* Of a cell of UNIT_VALUE. */
struct scalar_value report_value(const struct cell *cell);

/* The procedure called NAME; none ends the program with 1. 0: the profile cannot be read. */
model_id report_procedure(struct profile *p, const char *name);

/* Print to stdout; the callers look for write errors. */
void report_text(const struct report *r);
/* FORMAT: csv or json. */
void report_data(const struct report *r, const char *format);

/* Print the rows of the query SQL on the profile PATH in FORMAT (text, csv or json), at most LIMIT
 * of them; SECONDS of CPU time for it. False: told on the standard error output. */
bool report_sql(const char *path, const char *sql, const char *format, size_t limit,
		unsigned seconds);

/* What was measured, as the title of the browser says it; one or two lines and an empty one. */
void report_title(struct profile *p);
/* Append the beginning of that: the profile's name, the command, CPU time and blocks. */
void report_run(struct strbuf *out, struct profile *p);
/* Is the character set of the output other than UTF-8? */
bool report_ascii(void);

/* cgview report --by tree has options of its own: are these ARGV its? */
bool report_tree_wanted(int argc, char **argv);
int report_tree(int argc, char **argv);

/* Ends the program unless PATTERN is one for --filter. */
void report_check_filter(const char *command, const char *pattern);
/* Warn that a filter left out NR rows with more source text than it looks at; 0: there are none. */
void report_tell_cut(const char *command, uint64_t nr);

#endif
