/* Profiles to compare. */
#ifndef CGVIEW_TESTS_COMPARE_MAKE_H
#define CGVIEW_TESTS_COMPARE_MAKE_H

#include <stdio.h>
#include <stdlib.h>

#include "db/store/profile.h"
#include "util/mem.h"

/* What make-profile makes of OPTIONS, in TMP_DIR; without it the test ends. */
static inline struct profile *
make(const char *name, const char *options)
{
	struct error err = ERROR_INIT;
	char *command = xasprintf("\"$BUILD/tests/make-profile\" \"$TMP_DIR/%s\" %s", name,
				  options);
	char *path = xasprintf("%s/%s", getenv("TMP_DIR"), name);
	struct profile *p = system(command) ? NULL : profile_open(path, &err);

	if (!p) {
		printf("not ok - %s: %s\n", name, err.text);
		exit(1);
	}
	free(command);
	free(path);
	return p;
}

#endif
