/* What the formats of `cgview report` share. */
#ifndef CGVIEW_PRINT_REPORT
#define CGVIEW_PRINT_REPORT

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/comparison.h"
#include "db/profile.h"
#include "show/columns.h"
#include "util/mem.h"

struct report_view {
	const char *name;
	const struct table_kind *table;
	const char *sort;                /* the default */
	const char *data;                /* columns of csv and json; NULL: all but ids */
};

/* What --by comparison shows; see report_compared.c. */
struct report_compared {
	enum compare_by by;
	char *expression;
	enum column_unit unit;            /* of its value */
	enum figure figure;              /* what a and b are */
	size_t nr_profiles;
};

enum { REPORT_THINGS = 1 /* list_query.things of a comparison */ };

struct report {
	struct profile *p;
	const struct report_view *view;
	const struct list_column *columns;
	struct column_set heads;        /* those of the view's table */
	struct listing *list;
	const char *caller, *callee;     /* NULL: all */
	int caller_column, callee_column;
	const struct report_compared *compared; /* NULL: the view is another one */
	size_t limit;
	struct column chosen[COLUMNS_MAX]; /* instead of the view's */
	int nr_chosen;                   /* 0: the view's */
	bool by_centre;                  /* time is charged by cost centre */
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
/* Are its rows calls? */
bool report_compared_calls(const struct report_compared *c);
/* The name in a cell of a procedure, "outside", or "" where rows have none. */
const char *report_compared_name(const struct report_compared *c, const struct cell *name);

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
