/* The columns before a source line: as data, for the source view and `cgview annotate`. */
#ifndef CGVIEW_SHOW_MARGIN
#define CGVIEW_SHOW_MARGIN

#include <stdbool.h>
#include <stdint.h>

#include "show/doc.h"

enum margin {
	MARGIN_COUNT, MARGIN_SELF, MARGIN_PERCENT, MARGIN_ERROR, MARGIN_SAMPLES, MARGIN_BELOW,
	MARGIN_WAIT, MARGIN_EACH, MARGIN_NR
};

struct margin_column {
	const char *name;  /* as typed, and as the head */
	const char *help;  /* one line */
	int width;         /* 0: as the greatest count needs */
};
extern const struct margin_column margin_columns[MARGIN_NR];

/* What a line or an expression has. */
struct margin_figures {
	uint64_t count, self_ns, samples, wait_ns;
	uint64_t below_ns; /* sampled below its costliest call */
	bool never;        /* not executed, nor was any expression that is there in part */
};

/* Of LINE, which DOC has in its window; false: no code there. */
bool figures_of_line(const struct doc *doc, uint32_t line, struct margin_figures *f);
void figures_of_range(const struct doc *doc, const struct range_row *r, struct margin_figures *f);

/* Append column M of F, at most WIDTH wide; nothing for a time of 0. WHOLE: all self time. */
void margin_print(struct strbuf *out, enum margin m, const struct margin_figures *f, uint64_t whole,
		  int width, bool ascii);

/* What to begin with for a profile: a set of 1 << enum margin. */
unsigned margin_default(const struct profile_totals *totals);

/* The widest count of PROFILE as digits with commas, within what a margin has room for. */
int margin_count_width(const struct profile_totals *totals);

/* The column of this name, or -1. */
int margin_find(const char *name, size_t length);

#endif
