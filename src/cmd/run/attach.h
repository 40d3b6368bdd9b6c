/* record -p: a process that runs already is sampled. */
#ifndef CGVIEW_CMD_ATTACH
#define CGVIEW_CMD_ATTACH

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "util/error.h"

struct recorded;

struct attach {
	pid_t pid;
	size_t seconds;            /* 0: until it ends */
	size_t hz;
	bool watched;              /* by cgview watch, which reads the file meanwhile */
	char **words;              /* its command, heap */
	size_t nr_words;
};

/* Reads PID's command. The program ends when there is no such process. */
void attach_look(struct attach *a);
/* Samples it into a new file PATH until it ends, the time is over, or an interrupt comes; fills
 * what is known of the run. -1 and ERR: it may not. */
int attach_run(struct attach *a, const char *path, struct recorded *run, struct error *err);

#endif
