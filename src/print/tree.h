/* Prints the calls as a tree: cgview report --by tree. */
#ifndef CGVIEW_PRINT_TREE
#define CGVIEW_PRINT_TREE

#include <stdint.h>

#include "show/tree_rows.h"

struct tree_report {
	struct profile *p;
	struct tree_want want;
	const char *procedure;   /* NULL: all */
	struct tree_rows *rows;
	uint64_t min;            /* smaller rows are left out; as it was typed, in percent */
	const char *min_text;
};

/* Print to stdout; the caller checks for write errors. FORMAT: csv or json. Lines are those of
 * report_lines(), with the place of the call by which a row has its procedure, if it is known. */
void tree_text(struct tree_report *r);
void tree_lines(struct tree_report *r);
void tree_data(struct tree_report *r, const char *format);

#endif
