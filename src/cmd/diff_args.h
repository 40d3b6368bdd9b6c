/* Arguments of the commands that compare. */
#ifndef CGVIEW_CMD_DIFF_ARGS
#define CGVIEW_CMD_DIFF_ARGS

#include "compare/comparison.h"

enum { MAX_RENAMES = 100 };

struct diff_args {
	double sizes[MAX_PROFILES];
	size_t nr_sizes;
	const char *size_rule;   /* of diff_sizes_rule(), in place of these; NULL: none */
	char *size_name;         /* what the rule's sizes are, heap; NULL: nothing is known */
	struct match_rename renames[MAX_RENAMES]; /* point into the arguments */
	size_t nr_renames;
	const char *normalise;
};

/* Reads --size N,M... and --rename REGEX=NEW. COMMAND is named in messages; a wrong argument ends
 * it. */
void diff_args_sizes(struct diff_args *a, const char *command, const char *text);
void diff_args_rename(struct diff_args *a, const char *command, char *text);

/* Returns the size that TEXT is; ends COMMAND when it is none. */
double diff_args_size(const char *command, const char *option, const char *text);

/* Checks that A, which is complete, fits NR profiles; ends the program if not. */
void diff_args_check(const struct diff_args *a, const char *command, size_t nr);

struct comparison_options diff_args_options(const struct diff_args *a);

#endif
