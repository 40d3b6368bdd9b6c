/* Makes profiles of the version before readable as those of this version. */
#ifndef CGVIEW_DB_CONVERT_H
#define CGVIEW_DB_CONVERT_H

#include "db/profile.h"
#include "util/error.h"

/* Copies OLD, which is of SCHEMA_VERSION_BEFORE and whose schema was checked, to a temporary file
 * of this version. *PATH is its name; name (heap) and file are the caller's. Returns -1 and ERR
 * when it cannot be written, or OLD is damaged. */
int profile_convert(struct profile *old, char **path, struct error *err);

#endif
