/* The columns before a source line: as data, for the source view and `cgview annotate`. */
#ifndef CGVIEW_SHOW_MARGIN
#define CGVIEW_SHOW_MARGIN

#include <stdbool.h>
#include <stdint.h>

#include "show/doc.h"
#include "show/metric.h"

/* The first ones of every profile; the others are metrics of its further measures. */
enum {
	MARGIN_COUNT, MARGIN_SELF, MARGIN_PERCENT, MARGIN_ERROR, MARGIN_SAMPLES, MARGIN_BELOW,
	MARGIN_WAIT, MARGIN_EACH, NR_BUILTIN_MARGINS,
	MARGINS_MAX = NR_BUILTIN_MARGINS + METRICS_MAX
};
/* In a set of columns. */
#define MARGIN_BIT(column) ((uint64_t)1 << (column))

struct margin_cell;
struct margin_column {
	const char *name;  /* as typed, and as the head, which is cut to the width */
	const char *help;  /* one line */
	int width;         /* 0: as the greatest count needs */
	const struct metric *metric; /* what it is of */
	/* Appends nothing where there is nothing to tell. */
	void (*print)(struct strbuf *out, const struct margin_cell *c);
};
struct margins {
	struct margin_column columns[MARGINS_MAX];
	int nr;
};

/* Of METRICS, which must stay where they are. */
void margins_of(struct margins *m, const struct metrics *metrics);

/* What a line or an expression has: of rows of a document, as long as it has them. */
struct margin_figures {
	const struct doc *doc;
	uint32_t line;                 /* of a line */
	const struct line_row *of_line;
	const struct range_row *range; /* NULL: it is a line */
	uint64_t count;
	bool never;        /* not executed, nor was any expression that is there in part */
};

/* Of LINE, which DOC has in its window; false: no code there. */
bool figures_of_line(const struct doc *doc, uint32_t line, struct margin_figures *f);
void figures_of_range(const struct doc *doc, const struct range_row *r, struct margin_figures *f);

/* Append column C of F, at most WIDTH wide; nothing for a time of 0. ALL: of the profile. */
void margin_print(struct strbuf *out, const struct margin_column *c,
		  const struct margin_figures *f, const struct profile_totals *all, int width,
		  bool ascii);

/* Append its head, in WIDTH columns at the right. */
void margin_put_head(struct strbuf *out, const struct margin_column *c, int width);

/* What to begin with for a profile: a set of MARGIN_BIT. */
uint64_t margin_default(const struct margins *m);
/* The column of METRIC. */
int margin_of_metric(const struct margins *m, const struct metric *metric);

/* The widest count of PROFILE as digits with commas, within what a margin has room for. */
int margin_count_width(const struct profile_totals *totals);

/* The column of this name, or -1. */
int margin_find(const struct margins *m, const char *name, size_t length);

#endif
