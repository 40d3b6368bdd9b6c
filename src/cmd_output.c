#include "cmd_output.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "util/error.h"

bool
output_path_matches(const char *glob, const char *path)
{
	for (const char *p = path; fnmatch(glob, p, 0); p++) {
		p = strchr(p, '/');
		if (!p)
			return false;
	}
	return true;
}

int
output_finish(const char *command)
{
	int error;

	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	error = errno ? errno : EIO;
	__fpurge(stdout);
	clearerr(stdout);
	if (error != EPIPE)
		complain("%s: cannot write the output: %s", command, strerror(error));
	return 1;
}
