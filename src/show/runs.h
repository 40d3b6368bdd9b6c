/* What the runs of a profile have in common, and how much they differ. */
#ifndef CGVIEW_SHOW_RUNS
#define CGVIEW_SHOW_RUNS

#include "db/profile.h"
#include "util/mem.h"

/* Of the rows of LIST_RUN, two or more: "8 runs: cpu 8.34 ms ± 110 µs, wall ...", mean and standard
 * deviation of one run. If their commands differ there is nothing to average: "2 runs of different
 * commands". Else nothing is appended. */
void runs_spread(struct strbuf *out, struct listing *runs, bool ascii);

/* What was measured, in the titles of the browser and of reports: "1.911 s cpu   27.9 M blocks". */
void runs_measured(struct strbuf *out, const struct profile_totals *t, bool ascii);

#endif
