/* Tells what the runs of a profile have in common, and how much they differ. */
#ifndef CGVIEW_SHOW_RUNS
#define CGVIEW_SHOW_RUNS

#include "db/profile.h"
#include "util/mem.h"

/* Appends about two or more rows of LIST_RUN: "8 runs: cpu 8.34 ms ± 110 µs, wall ...", mean and
 * standard deviation of one run; if their commands differ "2 runs of different commands", as there
 * is no average. Otherwise nothing is appended. */
void runs_spread(struct strbuf *out, struct listing *runs, bool ascii);

/* Appends what was measured, for titles of browser and reports: "1.911 s cpu 27.9 M blocks". */
void runs_measured(struct strbuf *out, const struct profile_totals *t, bool ascii);

#endif
