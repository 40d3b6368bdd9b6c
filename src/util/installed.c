#include "util/installed.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/mem.h"

/* The makefile tells them: what is installed below one PREFIX is found from the program, so that
 * all of it can be moved. */
const char installed_version[] = CGVIEW_VERSION;
static const char *const places[] = { "lib/cgview", CGVIEW_PARTS };

char *
installed_folder(const char *part)
{
	char self[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n <= 0)
		return NULL;
	self[n] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		char *folder = *places[i] == '/' ? xstrdup(places[i])
						 : xasprintf("%s/%s", self, places[i]);
		char *path = xasprintf("%s/%s", folder, part);
		bool here = access(path, R_OK) == 0;

		free(path);
		if (here)
			return folder;
		free(folder);
	}
	return NULL;
}
