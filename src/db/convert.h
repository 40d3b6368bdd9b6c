/* Makes profiles of the version before readable as those of this version. */
#ifndef CGVIEW_DB_CONVERT_H
#define CGVIEW_DB_CONVERT_H

#include <sqlite3.h>
#include <stdint.h>

#include "db/profile.h"
#include "util/error.h"

/* Copies OLD, which is of SCHEMA_VERSION_BEFORE and whose schema was checked, to a temporary file
 * of this version, which has no name. Returns the connection to it, which the caller
 * closes; NULL and ERR when it cannot be written, or OLD is damaged. */
sqlite3 *profile_convert(struct profile *old, struct error *err);

#endif
