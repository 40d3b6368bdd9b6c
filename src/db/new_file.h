/* A file that takes the place of another when it is complete: until then it has a temporary name
 * beside that one, and a lock (flock) that tells that its writer lives. */
#ifndef CGVIEW_DB_NEW_FILE_H
#define CGVIEW_DB_NEW_FILE_H

#include <stdbool.h>

#include "util/error.h"

struct new_file {
	char *target;      /* the file that is meant: links are followed, so that they stay */
	char *name;        /* of the new one: TARGET.PID-N.tmp; NULL: it is in its place */
	int fd;            /* -1, or it holds the lock */
};

/* Make the file that is to become PATH, empty and with the permissions that umask gives. What
 * killed writers of PATH left is removed: files with such names that are the caller's and that
 * nobody locks. -1 and ERR: nothing was made. Either way new_file_end() is called in the end. */
int new_file_begin(struct new_file *f, const char *path, struct error *err);

/* It is complete: it goes to the disk, then takes the place of PATH. KEEP: what was there is
 * PATH.old from then on (beside the file that a symbolic link stands for). -1 and ERR, also when it
 * cannot be kept: PATH is as it was, or the directory could not be written to disk. */
int new_file_put(struct new_file *f, bool keep, struct error *err);

/* Release F; the file is removed when it was not put in its place. */
void new_file_end(struct new_file *f);

#endif
