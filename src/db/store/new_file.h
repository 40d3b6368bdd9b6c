/* A file that replaces another one when it is complete. Until then it has a temporary name beside
 * that one, and a lock (flock) that shows that its writer lives. Several programs may write one
 * file: each can note at the start which file stands there, so that it replaces no other one, and a
 * program that adds to a file holds a lock from its reading to its writing. */
#ifndef CGVIEW_DB_NEW_FILE_H
#define CGVIEW_DB_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "util/error.h"

struct new_file {
	char *target;      /* the file that is meant: links are followed, and so they stay */
	char *name;        /* of the new file: TARGET.PID-N.tmp; NULL: it is in its place,
			    * or has none yet */
	int fd;            /* -1, or it holds the lock */
	bool passing;      /* need not be on the disk when the machine stops */
};

/* What stands at a path at one time. Profiles are replaced, not changed: a file is the same as long
 * as device, inode and the time of its writing are. */
struct file_seen { bool there; dev_t device; ino_t inode; struct timespec written; };

void file_see(struct file_seen *s, const char *path);
/* Is the same file still there; or, if there was none, still nothing? */
bool file_is_as_seen(const struct file_seen *s, const char *path);

/* Makes the file that is to become PATH, empty and for its owner alone (0600, less what umask takes
 * away). Removes what killed writers of PATH left: the caller's files with such names that nobody
 * has locked. Returns -1 and ERR when nothing was made. Either way the caller calls
 * new_file_end(). */
int new_file_begin(struct new_file *f, const char *path, struct error *err);

/* The same, but the file has no name (NAME is NULL) until new_file_put() gives it one: when its
 * writer is killed nothing is left. Where the file system knows no such files it is as
 * new_file_begin() makes it. */
int new_file_begin_unnamed(struct new_file *f, const char *path, struct error *err);

/* Writes the complete file to the disk, then lets it replace its target, but only the one that was
 * SEEN (NULL: any). KEEP renames what was there to TARGET.old (beside the file that a symbolic link
 * stands for). Returns 1 when something else is there: nothing was done, and F can be put
 * elsewhere; -1 and ERR, also when the old one cannot be kept: the target is as it was, or the
 * directory could not be written to disk. Where SEEN is a file, only the lock below excludes that
 * another one comes between looking and replacing; where it is nothing, nothing can. */
int new_file_put(struct new_file *f, bool keep, const struct file_seen *seen, struct error *err);

/* The way for every file that the user names and that is written at once: WRITE gets a stream to a
 * file without a name (see new_file_begin_unnamed()), which takes its place when it is complete.
 * -1 and ERR: it is as it was. */
enum new_file_how { NEW_FILE_OVER, NEW_FILE_ONLY_NEW, NEW_FILE_PASSING };
typedef int new_file_writer(void *context, FILE *out, struct error *err);
int new_file_write(const char *path, enum new_file_how how, new_file_writer *write, void *context,
		   struct error *err);

/* Gives F another target, in the same directory. */
void new_file_aim(struct new_file *f, const char *target);

/* Releases F; removes the file when it was not put in its place. */
void new_file_end(struct new_file *f);

/* Makes an empty file of a new name in $TMPDIR, for its owner alone. Returns its name (heap); the
 * file is the caller's, too. NULL and ERR: none can be made. */
char *new_file_temporary(struct error *err);

/* Returns the file that PATH stands for, heap; its name begins with "/" or "./", as SQLite would
 * take "file:x" for a URI. NULL and ERR: PATH is empty, not a regular file, or a link that another
 * user (but root) made. */
char *file_meant(const char *path, struct error *err);

/* The right to replace a target, as long as it is held: a lock (fcntl, which NFS knows, and which
 * ends with the process) on the file TARGET.cgview-lock. */
struct file_lock { char *name; int fd; };

/* Waits until nobody else holds it. Calls WAITING (may be NULL) once when that takes longer than a
 * second. Returns -1 and ERR when the file cannot be made. Where the file system has no locks,
 * there is none: 0, and new_file_put() is all that helps. */
int file_lock_take(struct file_lock *l, const char *target, void (*waiting)(const char *target),
		   struct error *err);
/* Releases a lock that was taken; one that is all zero is none. */
void file_lock_release(struct file_lock *l);

#endif
