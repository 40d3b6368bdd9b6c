/* Stores a profile. */
#ifndef CGVIEW_DB_WRITER_H
#define CGVIEW_DB_WRITER_H

#include "db/model/model.h"
#include "util/error.h"
#include "util/progress.h"

/* Writes the whole model to PATH: to a temporary name beside it, fsync, rename. On failure returns
 * -1 and ERR, PATH is as it was, and nothing is left behind; what a killed writer left, the next
 * one to PATH removes. PROGRESS (may be NULL) is called now and then with the share done, 0..1. The
 * result is one self-contained SQLite file, rollback journal. */
int profile_write(const char *path, const struct model *m, const struct progress *progress,
		  struct error *err);

/* Writes M into PATH, an empty file that is the caller's alone; messages name TARGET instead. */
int profile_store(const char *path, const struct model *m, const struct progress *progress,
		  const char *target, struct error *err);

/* The same into the open FD, an empty file that may have no name. It stays open. */
int profile_store_open(int fd, const struct model *m, const struct progress *progress,
		       const char *target, struct error *err);

/* Gives TABLE of the profile PATH, a file that is the caller's alone and of VERSION, the rows of M,
 * whose ids are those of the profile; the file has the tables of this version then. Messages name
 * TARGET. -1 and ERR: the file is of no use any more. */
int profile_store_table(const char *path, uint32_t version, const struct model *m,
			enum table_id table, const char *target, struct error *err);

#endif
