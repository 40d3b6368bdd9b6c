/* The columns before a source line, as data for the source view and `cgview annotate`. */
#ifndef CGVIEW_SHOW_MARGIN
#define CGVIEW_SHOW_MARGIN

#include <stdbool.h>
#include <stdint.h>

#include "show/doc.h"
#include "show/metric.h"

/* The columns of every profile; those of its further measures stand behind them. */
enum {
	MARGIN_COUNT, MARGIN_SELF, MARGIN_PERCENT, MARGIN_ERROR, MARGIN_SAMPLES, MARGIN_BELOW,
	MARGIN_WAIT, MARGIN_EACH, NR_BUILTIN_MARGINS,
	MARGINS_MAX = NR_BUILTIN_MARGINS + METRICS_MAX
};
/* The bit of a column in a set. */
#define MARGIN_BIT(column) ((uint64_t)1 << (column))

struct margin_cell;
struct margin_column {
	const char *name;  /* as typed; also the head, cut to the width */
	const char *help;  /* one line */
	int width;         /* 0: as the greatest count needs */
	const struct metric *metric; /* whose figures it shows */
	/* Appends nothing where there is nothing to show. */
	void (*print)(struct strbuf *out, const struct margin_cell *c);
};
struct margins {
	struct margin_column columns[MARGINS_MAX];
	int nr;
	const struct metric *first;    /* see struct metrics */
};

/* Makes the margins of METRICS, which must stay where they are. */
void margins_of(struct margins *m, const struct metrics *metrics);

/* The figures of a line or an expression: rows of a document, valid as long as it has them. */
struct margin_figures {
	const struct doc *doc;
	uint32_t line;                 /* of a line */
	const struct line_row *of_line;
	const struct range_row *range; /* NULL: it is a line */
	uint64_t count;
	const struct condition *one_way; /* a condition there that never went one of its ways; of a
				  * line the first; NULL: there is none */
	bool never;        /* known not to be executed, nor any expression partly on it */
};

/* Finds the figures of LINE, in DOC's window; false: no code is there. */
bool figures_of_line(const struct doc *doc, uint32_t line, struct margin_figures *f);
void figures_of_range(const struct doc *doc, const struct range_row *r, struct margin_figures *f);

/* Appends how many conditions on F's line never went one of their ways, and which of the first:
 * "9: never false", "9: never false, and 1 more"; of an expression of its own: "never false". */
void margin_put_one_way(struct strbuf *out, const struct margin_figures *f);

/* Appends column C of F, at most WIDTH wide; nothing for a time of 0. ALL: the profile's. */
void margin_print(struct strbuf *out, const struct margin_column *c,
		  const struct margin_figures *f, const struct profile_totals *all, int width,
		  bool ascii);

/* Appends its head, in WIDTH columns at the right. */
void margin_put_head(struct strbuf *out, const struct margin_column *c, int width);

/* Returns the columns that a profile begins with: a set of MARGIN_BIT. */
uint64_t margin_default(const struct margins *m);
/* Returns the column of METRIC. */
int margin_of_metric(const struct margins *m, const struct metric *metric);

/* Returns the digits of the widest count of PROFILE with commas, within a margin's room. */
int margin_count_width(const struct profile_totals *totals);

/* Returns the column of this name, or -1. */
int margin_find(const struct margins *m, const char *name, size_t length);

#endif
