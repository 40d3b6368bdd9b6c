/* record --memcheck: the program once more, under valgrind. */
#ifndef CGVIEW_CMD_MEMCHECK_H
#define CGVIEW_CMD_MEMCHECK_H

#include <stddef.h>

struct memcheck {
	char **arguments;          /* what to run; ends with NULL */
	char **reports;            /* paths, one for each process */
	size_t nr_reports, reports_alloc;
};

/* Ends this program with one line unless there is a valgrind. */
void memcheck_check(void);
/* Makes what runs PROGRAM (its NR arguments) so that it leaves its reports in DIRECTORY. */
void memcheck_begin(struct memcheck *c, const char *directory, char **program, size_t nr);
/* Finds the reports; complains if there are none. */
void memcheck_end(struct memcheck *c, const char *directory);
/* Removes them. */
void memcheck_remove(const struct memcheck *c);

#endif
