/* Files of other tools are read by a process of their own, with limits: whoever made them may have
 * meant harm, and even a file that is only damaged can end no more than that process. */
#ifndef CGVIEW_CMD_MAKE_APART
#define CGVIEW_CMD_MAKE_APART

#include <stddef.h>

#include "util/error.h"

struct make_options;

/* What make_profile() does, for files of O's format. The other process reads them, makes the model
 * and writes the database, into a file that this one has made and puts in place. When either is
 * killed nothing is left. */
int make_apart(const char *const *paths, size_t nr, const struct make_options *o,
	       struct error *err);

#endif
