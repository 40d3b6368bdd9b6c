/* Owners are the users on whose behalf the files are read that a raw profile names: programs,
 * libraries, sources. Whoever wrote a raw profile and its program chose these names, so importing
 * it may open nothing that he could not read himself: else a file that only the importer may read
 * gets into a profile. */
#ifndef CGVIEW_COLLECT_OWNERS_H
#define CGVIEW_COLLECT_OWNERS_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "util/error.h"

struct owners {                    /* of the raw files of one import; all zero: none yet */
	struct owner *items;       /* those whose rights are not ours */
	size_t nr, alloc;
};

/* Notes that a raw file of UID is imported. We ourselves and root have no less rights than we have.
 * For others, root starts a process that has become that user (user and groups); who is not root
 * cannot, and reads only what anybody may read, or what is that user's. */
void owners_add(struct owners *o, uid_t uid);
void owners_release(struct owners *o);

/* Opens as input_open(), but -1, ERR and EACCES for what one of the owners may not read. Without
 * owners (O may be NULL) our own rights are all that counts. */
int owners_open(struct owners *o, const char *path, struct stat *st, struct error *err);

#endif
