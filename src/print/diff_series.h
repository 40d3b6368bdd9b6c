/* cgview diff --series: prints the growth of things over runs with larger and larger inputs. */
#ifndef CGVIEW_PRINT_DIFF_SERIES
#define CGVIEW_PRINT_DIFF_SERIES

#include "print/diff.h"

/* Reads SIZES (NR) from FILE: a line for each profile with its size, in the order of PATHS, or
 * "PROFILE SIZE" in any order; '#' begins a comment. An error ends the program. */
void series_read_sizes(const char *file, char *const *paths, size_t nr, double *sizes);

struct series_options {
	const double *sizes;
	const char *expression;  /* a value over figures of `a`; NULL: series_default() */
	double at;               /* a size for which values are foretold; 0: none */
	const char *format;      /* text, csv, json */
	bool plot;               /* a picture of each row, below the table */
	unsigned kinds;          /* mask of 1 << enum compare_by */
	size_t limit;
};

/* Prints to stdout; the caller checks for write errors. Returns -1 and ERR when the expression
 * cannot be used. */
int series_print(struct comparison *c, const struct series_options *o,
		 struct expression_error *err);

#endif
