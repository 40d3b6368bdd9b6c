/* Tells what the runs of a profile have in common, and how much they differ. */
#ifndef CGVIEW_SHOW_RUNS
#define CGVIEW_SHOW_RUNS

#include "db/store/profile.h"
#include "util/mem.h"

/* Appends about two or more rows of LIST_RUN: "8 runs: cpu 8.34 ms ± 110 µs, wall ...", mean and
 * standard deviation of one run; if their commands differ "2 runs of different commands", as there
 * is no average. Otherwise nothing is appended. */
void runs_spread(struct strbuf *out, struct listing *runs, bool ascii);

/* Returns what the time of RUN is: "cpu", or "time" where another tool measured another one. */
const char *runs_time_word(const struct model_run *run);

/* Appends what was measured, for titles of browser and reports: "1.911 s cpu 27.9 M blocks",
 * with a mark before the blocks if some of what was executed was not counted. Without time, the
 * first of the other measures stands for it. */
void runs_measured(struct strbuf *out, struct profile *p, bool ascii);

#endif
