/* The parts that the formats of `cgview diff` share. */
#ifndef CGVIEW_PRINT_DIFF
#define CGVIEW_PRINT_DIFF

#include <stdbool.h>
#include <stddef.h>

#include "compare/verdict.h"
#include "db/store/texts.h"
#include "print/record.h"
#include "util/mem.h"

enum { DIFF_JUDGED = 4 };
struct diff {
	struct comparison *c;
	struct compared *t;
	const char *expression_name;  /* of a named expression, or NULL */
	const char *normalise;        /* or NULL */
	const char *fail_if;          /* or NULL; then: */
	enum figure judged[DIFF_JUDGED]; /* what else the condition is about */
	size_t nr_judged;
	bool all_fails;               /* it holds for the whole program */
	bool tells_chance;            /* how many rows differ beyond chance: */
	struct discoveries chance;
	size_t *rows;                 /* those to be printed, in order */
	size_t nr_rows, rows_alloc;
	size_t limit;
	struct arena *texts;          /* names of what is called outside are put there */
};

/* The rows that pass a filter and a glob, as in struct list_query. */
struct diff_filter {
	const struct diff *d;
	struct listing *list;         /* NULL: all rows */
	size_t at;
};
/* Opens a filter over all rows of D; a NULL FILTER, a NULL GLOB lets all pass. */
void diff_filter_open(struct diff_filter *f, struct diff *d, const char *filter, const char *glob);
/* Puts into *I the first row from there on that passes. Returns false when there is none. */
bool diff_filter_next(struct diff_filter *f, size_t *i);
/* Closes the filter; warns of long texts. */
void diff_filter_close(struct diff_filter *f);

/* The place of a row, in the last profile that has it. */
struct diff_place {
	size_t profile;
	struct place place;      /* file 0: none */
	const char *path;        /* "" without a file */
	const char *procedure;   /* "" when it has none; "outside" */
	const char *callee;      /* of calls; "", "outside"; see compared_callee() */
	const char *kind;
	const char *type;        /* of blocks; "": it is not known, or they are none */
	uint64_t size_class;     /* of blocks; 0: it is not known, or they are none */
};
void diff_place(const struct diff *d, size_t row, struct diff_place *out);

/* Fields of a row that may be missing: "", a line or column 0, a size 0. */
void diff_put_place(struct record *out, const char *name, uint32_t n);
void diff_put_text(struct record *out, const char *name, const char *text);
void diff_put_size(struct record *out, const char *name, uint64_t size);

/* Do the profiles match so little that they may be of different programs? Appends what to say. */
bool diff_hardly_matches(const struct diff *d, struct strbuf *out);

/* Prints to stdout. */
void diff_text(const struct diff *d);
/* Prints a table in Markdown, of ten rows if there is no limit. */
enum { DIFF_MARKDOWN_ROWS = 10 };
void diff_markdown(const struct diff *d);
/* Prints in FORMAT: csv or json. */
void diff_data(const struct diff *d, const char *format);

/* Prints the profiles, a line for each, and how much of them found its counterpart. */
void diff_profiles(const struct diff *d);
void diff_matched(const struct diff *d);
/* Prints whether samples and counts are of the same work, where there are such. */
void diff_agreement(const struct diff *d);
/* Prints how many rows differ beyond chance, if that is known. */
void diff_chance(const struct diff *d);
void diff_print_discoveries(const struct discoveries *found, enum compare_by by);

/* Are its values rates of times, whose samples have errors? */
bool diff_is_sampled_rate(const struct diff *d);

/* The source text of rows, as people read it. */
struct diff_sources { struct texts *texts; size_t nr; };
/* Have things of this kind a text? */
bool diff_has_source(enum compare_by by);
/* Appends the text, cut to fit beside other columns. SOURCES is zeroed before the first call. */
void diff_source(struct diff_sources *sources, struct comparison *c, const struct diff_place *at,
		 enum compare_by by, struct strbuf *out);
void diff_sources_release(struct diff_sources *sources);

/* Appends what the blocks of a row are: "point, <= 16 B"; nothing of other things. */
void diff_blocks(struct strbuf *out, const struct diff_place *at, enum compare_by by);

/* Appends a verdict, and what would have been seen of what is unresolved, if that is known:
 * "unresolved <1.20 ms"; SCALE is what this amount is multiplied with. */
void diff_put_verdict(struct strbuf *out, const struct diff *d, const struct row_verdict *v,
		      double scale, bool ascii);

/* Appends file:line, with columns where things have some. */
void diff_where(struct strbuf *out, const struct diff_place *at, enum compare_by by);

#endif
