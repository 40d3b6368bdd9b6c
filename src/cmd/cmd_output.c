#include "cmd/cmd_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "util/error.h"

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

int
output_finish_profile(const char *command, const struct profile *p)
{
	int status = output_finish(command);

	if (!profile_error(p))
		return status;
	complain("%s", profile_error(p));
	return 1;
}
