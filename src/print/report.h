/* The parts that the formats of `cgview report` share. */
#ifndef CGVIEW_PRINT_REPORT
#define CGVIEW_PRINT_REPORT

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/comparison.h"
#include "db/store/profile.h"
#include "show/columns.h"
#include "util/mem.h"

/* The rows that --by comparison shows; see report_compared.c. */
struct report_compared {
	enum compare_by by;
	char *expression;
	enum column_unit unit;            /* of its value */
	enum figure figure, of_a, of_b; /* what a and b are */
	size_t nr_profiles;
};

enum { REPORT_THINGS = 1 /* list_query.things of a comparison */ };

struct report {
	struct profile *p;
	enum list_kind kind;
	const struct list_column *columns;
	struct column_set heads;        /* those of the kind's table */
	struct listing *list;
	const char *facts;               /* a line of text above the rows; NULL: none */
	const char *caller, *callee;     /* NULL: all */
	int caller_column, callee_column;
	const struct report_compared *compared; /* NULL: other rows are shown */
	size_t limit;
	struct column chosen[COLUMNS_MAX]; /* instead of the kind's */
	int nr_chosen;                   /* 0: the kind's */
	enum self_by self_by;              /* of the time of procedures */
};

/* Returns the next row that passes the filters, from *I on; *I is then behind it. NULL: the end. */
const struct list_row *report_next(const struct report *r, size_t *i);

/* Is the column public? Ids are the database's own; names and places say the same. */
bool report_is_public(enum list_kind kind, const struct list_column *c);
/* The columns of a comparison, for programs. */
extern const char report_compared_data[];

/* Opens the rows of the comparison that is stored in P, of the kind OF (enum compare_by, -1: the
 * first there is), as those of REPORT_THINGS. Without a comparison the program ends with 1. */
void report_compared_open(struct report_compared *c, struct profile *p, int of);
void report_compared_release(struct report_compared *c);
/* Print to stdout the profiles that were compared, and by what; and, if there is a comparison, a
 * line that says so. */
void report_compared_title(const struct report_compared *c, struct profile *p);
void report_compared_hint(struct profile *p);
/* Prints how many of all rows differ beyond chance; nothing where none is sampled. */
void report_compared_chance(const struct report_compared *c, struct profile *p);
/* Are its rows calls? */
bool report_compared_calls(const struct report_compared *c);
/* Returns the name in a cell of a procedure, "outside", or "" where rows have none. */
const char *report_compared_name(const struct report_compared *c, const struct cell *name);

/* Returns the procedure called NAME; without one the program ends with 1. 0: unreadable profile. */
model_id report_procedure(struct profile *p, const char *name);

/* Prints to stdout; the caller checks for write errors. */
void report_text(const struct report *r);
/* Prints "FILE:LINE:COLUMN: what" for each row that has a place, which editors read; the others are
 * counted on the standard error output. */
void report_lines(const struct report *r);
/* Have rows of KIND a place, at least some of them? */
bool report_has_places(enum list_kind kind);
/* Appends the beginning of such a line, "words.c:12:3: ", safe for a terminal. Line or column 0 is
 * none, and printed as 1. */
void report_put_place(struct strbuf *out, const char *path, uint64_t line, uint64_t column);
/* Tells how many rows were left out as they have no place. */
void report_tell_without_place(uint64_t nr);

/* Fills X with what cells of R are printed with; OPTIONAL and DIRECTORY ("": paths are whole) stay
 * the caller's. */
void report_context(const struct report *r, struct cell_context *x,
		    struct profile_optional *optional, const char *directory);
/* Prints in FORMAT: csv or json. */
void report_data(const struct report *r, const char *format);

/* Prints at most LIMIT rows of the query SQL on the profile PATH in FORMAT (text, csv or json),
 * within SECONDS of CPU time. Returns false after a message on the standard error output. */
bool report_sql(const char *path, const char *sql, const char *format, size_t limit,
		unsigned seconds);

/* Prints what was measured, as in the browser's title; one or two lines and an empty one. */
void report_title(struct profile *p);
/* Appends that, but for the hint at a comparison and the empty line. */
void report_put_title(struct strbuf *out, struct profile *p);
/* Appends the beginning of that: the profile's name, the command, CPU time and blocks. */
void report_run(struct strbuf *out, struct profile *p);
/* Is the character set of the output other than UTF-8? */
bool report_ascii(void);

/* Is ARGV for cgview report --by tree, which has options of its own? */
bool report_tree_wanted(int argc, char **argv);
int report_tree(int argc, char **argv);

/* Ends the program unless PATTERN can be given to --filter. */
void report_check_filter(const char *command, const char *pattern);
/* Warns that a filter left out NR rows with more source text than it searches; 0: there are
 * none. */
void report_tell_cut(const char *command, uint64_t nr);

#endif
