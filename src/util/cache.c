#include "util/cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/mem.h"

char *
cache_path(void)
{
	const char *dir = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	/* The specification ignores a path that is not absolute. */
	if (dir && *dir == '/')
		return xasprintf("%s/cgview", dir);
	return home && *home == '/' ? xasprintf("%s/.cache/cgview", home) : NULL;
}

bool
cache_is_ours(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

bool
cache_make_directory(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
	return cache_is_ours(path);
}
