/* Profiles of the version before: read as they are now. */
#ifndef CGVIEW_DB_CONVERT_H
#define CGVIEW_DB_CONVERT_H

#include "db/profile.h"
#include "util/error.h"

/* Copies OLD, which is of SCHEMA_VERSION_BEFORE and whose schema was checked, to a temporary file
 * of this version, *PATH: heap, the caller's, as is the file. -1 and ERR: it cannot be written, or
 * OLD is damaged. */
int profile_convert(struct profile *old, char **path, struct error *err);

#endif
