/* What the kernel tells of a process: proc(5), /proc/PID/stat. */
#ifndef CGVIEW_UTIL_PROCESS_H
#define CGVIEW_UTIL_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t parent;
	char state;              /* 'R', 'S', ...; 'Z', 'X': it has ended */
	uint64_t started;        /* in ticks (_SC_CLK_TCK) since the machine was */
	uint64_t image;          /* changes with another program: where code and stack begin */
};

/* Sets *P. Returns false when there is no such process. */
bool process_look(pid_t pid, struct process *p);

#endif
