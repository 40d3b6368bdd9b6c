/* Adds up, while a program still runs, what those of its processes have left that have ended: so
 * neither the disk that record needs nor what is to be done at the end grows with their number. It
 * is another process, of low priority. What is added is in a partial sum
 * (cmd/make/partial_sums.h). */
#ifndef CGVIEW_CMD_FOLDER
#define CGVIEW_CMD_FOLDER

#include <stdbool.h>
#include <stddef.h>

struct folder_task {
	const char *directory;     /* absolute, from mkdtemp() */
	size_t run;                /* whose raw files are DIRECTORY/runN.*.raw */
	size_t most;               /* of them there may be, where they have room */
	bool some_uncounted;       /* raw files may be of programs that count nothing; these stay */
};

struct folder;
/* Returns NULL when no process can be started: then all is added at the end. */
struct folder *folder_start(const struct folder_task *t);
/* Ends it; NULL is allowed. What it has not yet added is in raw files. */
void folder_end(struct folder *f);

#endif
