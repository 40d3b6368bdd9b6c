#include "cmd/run/preload.h"

#include <stdlib.h>
#include <string.h>

#include "util/error.h"
#include "util/installed.h"
#include "util/mem.h"

char *
preload_library(const char *name)
{
	char *folder = installed_folder(name), *path = xasprintf("%s/%s", folder ?: "", name);
	char *real = folder ? realpath(path, NULL) : NULL;

	free(path);
	free(folder);
	return real;
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
