/* Processes that are watched: one, and those that it has started; and the raw files that they count
 * into, which they have mapped. */
#ifndef CGVIEW_CMD_WATCHED
#define CGVIEW_CMD_WATCHED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/error.h"

struct watched {
	pid_t pid;
	bool beside;               /* all raw files are watched that lie beside the first one */
	char *directory;           /* of that */
	struct watched_process {
		pid_t pid;
		uint64_t started, image; /* in ticks; what changes with another program */
		bool counts;       /* its raw file is known */
		bool seen;         /* in this search */
	} *processes;
	size_t nr_processes, processes_alloc;
	pid_t *others;             /* of the last search: that are not watched, as /proc has them */
	size_t nr_others, others_alloc;
	unsigned searches;
	struct watched_file {      /* open, as it may be removed */
		int fd;
		dev_t device;
		ino_t inode;
		char *name;        /* without directories */
	} *files;
	char **paths;              /* to open each file anew by */
	size_t nr_files, files_alloc, paths_alloc;
	size_t nr_alive;           /* of the processes that count */
	char *samples;             /* the file that PID, a recorder, writes samples into; NULL: it
				    * is not known */
};

/* Checks that W's process is there and may be watched. -1 and ERR. */
int watched_check(const struct watched *w, struct error *err);
/* Searches the processes, and their raw files; files that were found stay. -1 and ERR: the first
 * reason why a process that counts cannot be watched. */
int watched_search(struct watched *w, struct error *err);
/* Returns whether the recorder's samples are known; it looks for them. */
bool watched_find_samples(struct watched *w);
/* Does the process see other files than we do? */
bool watched_elsewhere(pid_t pid);
void watched_release(struct watched *w);

/* Copies all files, or if there are none the samples, into DIRECTORY, as they are now; *COPIES are
 * their paths, heap, then NULL. -1 and ERR. */
int watched_copy(const struct watched *w, const char *directory, char ***copies,
		 struct error *err);

#endif
