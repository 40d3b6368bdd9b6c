/* The metrics that colours, hot spots and columns of the margin can show: a measure's figure of a
 * line or an expression by itself, or with all that is called there. */
#ifndef CGVIEW_SHOW_METRIC_H
#define CGVIEW_SHOW_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/store/profile.h"
#include "util/mem.h"

/* The metrics of every profile; those of its further measures stand behind them. */
enum {
	METRIC_SELF, METRIC_COUNT, METRIC_TOTAL, METRIC_WAIT, METRIC_TOTAL_WAIT,
	METRIC_TOTAL_WORK,
	METRIC_CODE,             /* which is shown beside others where it is asked for */
	NR_BUILTIN_METRICS,
	METRICS_MAX = NR_BUILTIN_METRICS + 2 * MEASURES_MAX,
};
enum { METRIC_NAME_MAX = MEASURE_NAME_MAX + 6, METRIC_TITLE_WIDTH = 40 };

struct metric {
	char name[METRIC_NAME_MAX + 1]; /* as typed */
	char title[4 * METRIC_TITLE_WIDTH + 1]; /* as shown; fit for a terminal */
	const char *cold;        /* code that was executed and has none; NULL: there is none */
	char column[METRIC_NAME_MAX + 1]; /* of lines; for a total, of call sites */
	enum column_unit unit;
	bool total;              /* with what is called: it belongs to calls */
	unsigned measure;        /* the id of its figures in struct range_row and so on */
	bool there;              /* the profile measured it */
	uint64_t least, max;     /* the smallest figure that means something; the greatest */
	bool formula;            /* its figures are those of figure_of_value() */
	bool carried;            /* a total that call sites may have as an estimate (shared) */
	bool detail;             /* is shown when it is asked for by its name */
	bool of_lines;           /* expressions have none of it */
	bool at_least;           /* there may be more of it, see measure_is_least() */
};

struct metrics {
	struct metric items[METRICS_MAX];
	size_t nr, first;        /* first: the one to begin with, as time, or what leads */
};

void metrics_of(struct metrics *m, struct profile *p);
/* Returns the position of the one to begin with: time, or counts, or the first measure of a profile
 * that has neither. */
int metrics_first(const struct metrics *m, const struct profile_totals *t);
/* Returns the position of the metric with the name (LENGTH bytes); -1: there is none. */
int metrics_find(const struct metrics *m, const char *name, size_t length);

/* Appends the names of the metrics that are there: "self, count or total". */
void metrics_names(const struct metrics *m, struct strbuf *out);

/* Appends FIGURE, which is not 0, in M's unit; see value_whole(). */
void metric_print(struct strbuf *out, const struct metric *m, int64_t figure, int width,
		  bool ascii);

/* These return, also for a total, what ranges and lines have by themselves. */
int64_t metric_of_range(const struct metric *m, const struct range_row *r);
int64_t metric_of_line(const struct metric *m, const struct line_row *l);
int64_t metric_of_procedure(const struct metric *m, const struct procedure_row *p);
/* Returns the total of a call. */
int64_t metric_of_site(const struct metric *m, const struct site_row *s);
/* Returns the measure that a tree of calls shows for it; 0: the one that it shows anyhow. */
unsigned metric_tree_measure(const struct metric *m);

#endif
