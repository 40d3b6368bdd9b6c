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
static const char *const parts[] = { "lib/cgview", CGVIEW_PARTS, NULL };
static const char *const shared[] = { "share/cgview", "../share/cgview", NULL };

/* The first of PLACES, seen from this program, that has the file NAME; heap. */
static char *
folder_with(const char *name, const char *const *places)
{
	char self[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n <= 0)
		return NULL;
	self[n] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	for (; *places; places++) {
		char *folder = **places == '/' ? xstrdup(*places)
					       : xasprintf("%s/%s", self, *places);
		char *path = xasprintf("%s/%s", folder, name);
		bool here = access(path, R_OK) == 0;

		free(path);
		if (here)
			return folder;
		free(folder);
	}
	return NULL;
}

char *
installed_folder(const char *part)
{
	return folder_with(part, parts);
}

char *
installed_shared(const char *name)
{
	char *folder = folder_with(name, shared);
	char *path = folder ? xasprintf("%s/%s", folder, name) : NULL;

	free(folder);
	return path;
}
