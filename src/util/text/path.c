#include "util/text/path.h"

#include <fnmatch.h>
#include <string.h>

bool
path_matches(const char *glob, const char *path)
{
	for (const char *p = path; fnmatch(glob, p, 0); p++) {
		p = strchr(p, '/');
		if (!p)
			return false;
	}
	return true;
}

bool
path_is_in(const char *directory, const char *path)
{
	size_t n = strlen(directory);

	if (!strcmp(directory, "."))
		return *path != '/';
	if (!strcmp(directory, "/"))
		return *path == '/';
	return !strncmp(path, directory, n) && path[n] == '/';
}

size_t
path_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
}

const char *
path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}
