/* A file that takes the place of another when it is complete: until then it has a temporary name
 * beside that one, and a lock (flock) that tells that its writer lives. Several programs may want
 * to write one file: what stood there can be seen at the start and is then not replaced by mistake,
 * and who adds to it takes a lock from its reading to its writing. */
#ifndef CGVIEW_DB_NEW_FILE_H
#define CGVIEW_DB_NEW_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "util/error.h"

struct new_file {
	char *target;      /* the file that is meant: links are followed, so that they stay */
	char *name;        /* of the new one: TARGET.PID-N.tmp; NULL: it is in its place */
	int fd;            /* -1, or it holds the lock */
};

/* What stands at a path at one time. Profiles are replaced, not changed: it is the same as long as
 * device, inode and the time of its writing are. */
struct file_seen { bool there; dev_t device; ino_t inode; struct timespec written; };

void file_see(struct file_seen *s, const char *path);
/* Is it still there, and the same; or is there still nothing? */
bool file_is_as_seen(const struct file_seen *s, const char *path);

/* Make the file that is to become PATH, empty and for its owner alone (0600, less what umask takes
 * away). What killed writers of PATH left is removed: files with such names that are the caller's
 * and that nobody locks. -1 and ERR: nothing was made. Either way new_file_end() is called in the
 * end. */
int new_file_begin(struct new_file *f, const char *path, struct error *err);

/* It is complete: it goes to the disk, then takes the place of its target. SEEN (NULL: whatever is
 * there): only of what was seen there. KEEP: what was there is TARGET.old from then on (beside the
 * file that a symbolic link stands for). 1: something else is there, nothing was done and F can be
 * put elsewhere. -1 and ERR, also when the old one cannot be kept: the target is as it was, or the
 * directory could not be written to disk. Where SEEN is a file, only the lock below makes sure that
 * nothing comes between looking and replacing; where it is nothing, nothing ever does. */
int new_file_put(struct new_file *f, bool keep, const struct file_seen *seen, struct error *err);

/* Give F another target, in the same directory. */
void new_file_aim(struct new_file *f, const char *target);

/* Release F; the file is removed when it was not put in its place. */
void new_file_end(struct new_file *f);

/* An empty file of a new name in $TMPDIR, for its owner alone: its name, heap, the caller's, as is
 * the file. NULL and ERR: none can be made. */
char *new_file_temporary(struct error *err);

/* The file that PATH stands for: a name that begins with "/" or "./", as SQLite would take "file:x"
 * for a URI. Heap; NULL and ERR: it is empty, or something that is no regular file. */
char *file_meant(const char *path, struct error *err);

/* The right to replace a target, as long as it is held: a lock (fcntl, which NFS knows, and which
 * ends with the process) on the file TARGET.cgview-lock. */
struct file_lock { char *name; int fd; };

/* Wait until nobody else has it. WAITING (may be NULL) is called once when that takes longer than a
 * second. -1 and ERR: the file cannot be made. Where the file system has no locks, there is none:
 * 0, and new_file_put() is all that helps. */
int file_lock_take(struct file_lock *l, const char *target, void (*waiting)(const char *target),
		   struct error *err);
/* Of one that was taken or is all zero. */
void file_lock_release(struct file_lock *l);

#endif
