#include "cmd/run/preload.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/error.h"
#include "util/mem.h"
#include "util/text/path.h"

char *
preload_library(const char *name)
{
	static const char *const places[] = { "lib/cgview", "../lib/cgview" };
	char self[PATH_MAX], real[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; n > 0 && i < sizeof(places) / sizeof(*places); i++) {
		char *path = xasprintf("%.*s/%s/%s", (int)path_directory(self), self, places[i],
				       name);
		bool here = realpath(path, real);

		free(path);
		if (here)
			return xstrdup(real);
	}
	return NULL;
}

char *
preload_with(char *library, const char *asked)
{
	const char *before = getenv("LD_PRELOAD");
	char *all;

	if (library[strcspn(library, " :")])
		die(1, "%s: LD_PRELOAD cannot name %s, which has a space or a colon in its path",
		    asked, library);
	if (!before || !*before)
		return library;
	all = xasprintf("%s:%s", library, before);
	free(library);
	return all;
}
