/* Reports of errors by other tools, which go into a profile that is being made. */
#ifndef CGVIEW_CMD_ERROR_LOGS_H
#define CGVIEW_CMD_ERROR_LOGS_H

#include "collect/import/errors/defects.h"

struct error_logs {
	size_t read, left_out;     /* reports */
	size_t errors;             /* in those that were read */
	struct defects_found found;
};

/* Adds what the reports PATHS say to M. One that cannot be read is left out with a complaint when
 * KEEP_GOING is set; else -1 and ERR. */
int error_logs_add(struct error_logs *l, struct model *m, const char *const *paths, size_t nr,
		   bool keep_going, struct error *err);
/* Tells on stderr, in one line, how many errors PROFILE has got, unless no report was read. */
void error_logs_tell(const struct error_logs *l, const char *profile);

#endif
