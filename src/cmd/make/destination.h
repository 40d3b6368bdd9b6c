/* Finds where a command writes its profile. Several recorders may have the same destination: none
 * replaces another's file that it did not know of. */
#ifndef CGVIEW_CMD_DESTINATION
#define CGVIEW_CMD_DESTINATION

#include <stdbool.h>
#include <stddef.h>

#include "db/model/model.h"
#include "db/store/new_file.h"
#include "util/error.h"
#include "util/progress.h"

struct destination {
	const char *path;          /* as the user names it */
	char *target;              /* the file that it stands for */
	char *ranked;              /* where a process with a rank puts it when TARGET was written by
				    * another one; NULL: it has no rank */
	struct file_seen seen, ranked_seen;
	struct file_lock lock;
	char *put;                 /* where the profile is, as it is to be shown; NULL: not yet */
};

/* Opens D at the start of the command. Remembers what is there, so that destination_put() knows
 * what came since. -1 and ERR: its directory cannot be written, or there is something that must not
 * be replaced (a directory, a device, a file that is no profile), also as PATH.old. Either way
 * destination_close() is called in the end. */
int destination_open(struct destination *d, const char *path, struct error *err);

/* Would writing D do away with one of the profiles INPUTS that are read for it? -1 and ERR: it is
 * one of them, whatever its name (unless the command ADDS to it: then it is in the sum and kept as
 * PATH.old), or one of them is PATH.old. */
int destination_check_inputs(const struct destination *d, bool adds, const char *const *inputs,
			     size_t nr, struct error *err);

/* Is D one of INPUTS? */
bool destination_among(const struct destination *d, const char *const *inputs, size_t nr);

/* Before D is read to be added to: nobody else writes it until destination_close(), and what is
 * there now is what is replaced. Waits, with a word on a terminal when that takes long. */
int destination_lock(struct destination *d, struct error *err);

/* Write the profile; what was there is kept as PATH.old. When another program has written it since
 * it was opened (or, where there are no locks, locked), the profile gets a name of its own and a
 * line says so: with a rank 0 is returned, else 1. ADDS: the profile is of no use there, as it
 * holds what it was to be added to; that is an error. -1 and ERR: nothing was written. */
int destination_put(struct destination *d, const struct model *m, bool adds,
		    const struct progress *progress, struct error *err);

/* The same in two steps: F is made, to be filled; then it is put in place. The caller calls
 * new_file_end() in the end. */
int destination_begin(const struct destination *d, struct new_file *f, struct error *err);
int destination_put_file(struct destination *d, struct new_file *f, bool adds, struct error *err);

void destination_close(struct destination *d);

#endif
