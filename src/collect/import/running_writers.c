#include "collect/import/running_writers.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/process.h"

/* The runtime maps the raw file, and a child of fork has its parent's mappings from its first
 * instruction on: earlier than the child has entered itself into the file. A process that has
 * executed another program has none any more. */
static bool
maps_raw(const char *pid, const char *tag)
{
	char *path = xasprintf("/proc/%s/maps", pid), *line = NULL;
	FILE *f = fopen(path, "re");
	size_t room = 0;
	bool found = false;

	while (f && !found && getline(&line, &room, f) >= 0)
		found = strstr(line, tag) != NULL;
	if (f)
		fclose(f);
	free(line);
	free(path);
	return found;
}

size_t
living_processes(const char *directory)
{
	const char *dash = strrchr(directory, '-');
	char *tag = xasprintf("%s/", dash ? dash : directory);
	struct process own, other;
	DIR *d = process_look(getpid(), &own) ? opendir("/proc") : NULL;
	struct dirent *e;
	size_t nr = 0;

	while (d && (e = readdir(d)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' &&
		    process_look(atoi(e->d_name), &other) && other.started >= own.started)
			nr += maps_raw(e->d_name, tag);
	if (d)
		closedir(d);
	free(tag);
	return nr;
}
