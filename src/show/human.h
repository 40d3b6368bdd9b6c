/* Prints numbers as people read them. All functions append to a strbuf; none fails. */
#ifndef CGVIEW_SHOW_HUMAN
#define CGVIEW_SHOW_HUMAN

#include <stdbool.h>
#include <stdint.h>

#include "util/deviation.h"
#include "util/mem.h"

/* 1204331 -> "1,204,331". */
void human_count(struct strbuf *out, uint64_t n);

/* 812345678 -> "812 M": three digits and k, M, G, T, P, E. */
void human_short(struct strbuf *out, uint64_t n);

/* Bytes: 999 -> "999 B", 1204331 -> "1.20 MB": at most 7 columns. */
void human_bytes(struct strbuf *out, uint64_t n);

/* human_count() when it fits in WIDTH columns, else human_short(). */
void human_count_fit(struct strbuf *out, uint64_t n, int width);

/* Nanoseconds -> "1.323 s", "549 ms", "1.10 µs", "35 ns"; ASCII: "us" for "µs". At most 8 columns
 * below 100,000 s. */
void human_ns(struct strbuf *out, uint64_t ns, bool ascii);

/* The CPU time of a program with and without profiling: "instrumented 1.190 s user, plain 1.000 s:
 * ×1.19"; without the factor when one is too short for it. */
void human_baseline(struct strbuf *out, uint64_t ns, uint64_t plain_ns, bool ascii);

/* Nanoseconds since 1970 -> "2026-01-31 12:00:00", in UTC; nothing for 0. */
void human_when(struct strbuf *out, int64_t ns);

/* NS shared out over N, to the nearest: "<1 ns" when that is none; "-" when N is 0. */
void human_each(struct strbuf *out, uint64_t ns, uint64_t n, bool ascii);

/* Mean and standard deviation of nanoseconds -> "8.34 ms ± 110 µs". */
void human_deviation(struct strbuf *out, const struct deviation *d, bool ascii);

/* Share of PART in WHOLE in percent: "41.2", "100"; "-" when WHOLE is 0. */
void human_percent(struct strbuf *out, int64_t part, uint64_t whole);

/* Sampling error of a figure that SAMPLES of ALL samples make: half of the interval that holds the
 * true figure with 95 %, as a share of the figure in percent: 2500 of 25000 -> "4%"; "-" for no
 * samples. (Agresti and Coull 1998; what all samples make is known from the clock.) */
void human_error(struct strbuf *out, uint64_t samples, uint64_t all);
/* The same as a share of the figure: 0.04; NAN for no samples. */
double human_error_share(uint64_t samples, uint64_t all);
/* An error that is known: 0.04 -> "4%"; NAN -> "-". */
void human_share(struct strbuf *out, double share);

/* A bar of at most WIDTH columns for SHARE (0..1), in eighths of a column; ASCII: whole columns. */
void human_bar(struct strbuf *out, double share, int width, bool ascii);

/* Appends PATH if it fits into WIDTH columns; else PATH_CUT, its last part, and as many parts
 * before that as fit. The last part is always there, even when it is too wide. */
void path_tail(struct strbuf *out, const char *path, int width, bool ascii);

/* Stands for the directories that path_tail() left out. */
#define PATH_CUT(ascii) ((ascii) ? ".../" : "\342\200\246/")

#endif
