#include "collect/import/running_writers.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/process.h"

/* A line of maps tells of NAME; a file has several mappings, one behind the other. */
static void
add_name(struct mapped_raws *m, const char *name)
{
	size_t n = strcspn(name, " \n");

	if (m->nr && !strncmp(m->names[m->nr - 1], name, n) && !m->names[m->nr - 1][n])
		return;
	GROW(m->names, m->nr + 1, m->alloc);
	m->names[m->nr++] = xstrndup(name, n);
}

/* The runtime maps the raw file, and a child of fork has its parent's mappings from its first
 * instruction on: earlier than the child has entered itself into the file. A process that has
 * executed another program has none any more. */
static void
add_process(struct mapped_raws *m, const char *pid, const char *tag)
{
	char *path = xasprintf("/proc/%s/maps", pid), *line = NULL;
	FILE *f = fopen(path, "re");
	size_t room = 0;
	bool found = false;

	m->some_hidden |= !f && errno != ENOENT && errno != ESRCH;
	while (f && getline(&line, &room, f) >= 0) {
		const char *at = strstr(line, tag);

		if (!at)
			continue;
		found = true;
		add_name(m, at + strlen(tag));
	}
	m->nr_processes += found;
	if (f)
		fclose(f);
	free(line);
	free(path);
}

void
mapped_raws_find(struct mapped_raws *m, const char *directory)
{
	const char *dash = strrchr(directory, '-');
	char *tag = xasprintf("%s/", dash ? dash : directory);
	struct process own, other;
	DIR *d = process_look(getpid(), &own) ? opendir("/proc") : NULL;
	struct dirent *e;

	m->some_hidden |= !d;
	while (d && (e = readdir(d)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' &&
		    process_look(atoi(e->d_name), &other) && other.started >= own.started)
			add_process(m, e->d_name, tag);
	if (d)
		closedir(d);
	free(tag);
}

bool
mapped_raws_has(const struct mapped_raws *m, const char *name)
{
	for (size_t i = 0; i < m->nr; i++)
		if (!strcmp(m->names[i], name))
			return true;
	return false;
}

void
mapped_raws_release(struct mapped_raws *m)
{
	for (size_t i = 0; i < m->nr; i++)
		free(m->names[i]);
	free(m->names);
	*m = (struct mapped_raws){ .nr = 0 };
}

size_t
living_processes(const char *directory)
{
	struct mapped_raws m = { .nr = 0 };
	size_t nr;

	mapped_raws_find(&m, directory);
	nr = m.nr_processes;
	mapped_raws_release(&m);
	return nr;
}
