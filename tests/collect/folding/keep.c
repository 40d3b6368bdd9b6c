/* Linked into a program: before main() it gives the process's raw profile another name, in the
 * directory $KEEP. So the test has all of them, whatever record removes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void __attribute__((constructor))
keep(void)
{
	const char *run = getenv("CGVIEW_RUN"), *to = getenv("KEEP");
	const char *prefix = run ? strrchr(run, ':') : NULL;
	char from[4096], other[4096];

	if (!prefix || !to)
		return;
	snprintf(from, sizeof(from), "%s.%d.raw", prefix + 1, (int)getpid());
	for (int i = 0; i < 100; i++) {
		snprintf(other, sizeof(other), "%s/%d.%d.raw", to, (int)getpid(), i);
		if (!link(from, other))
			return;
	}
	perror(from);
}
