#include "util/text/list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

enum { MOST_BYTES = 1 << 20 };

char *
list_read(const char *path, struct error *err)
{
	FILE *in = fopen(path, "re");
	char *text;
	bool failed;
	size_t n;

	if (!in) {
		error_set(err, "cannot open %s: %s", path, strerror(errno));
		return NULL;
	}
	text = xmalloc(MOST_BYTES + 1);
	n = fread(text, 1, MOST_BYTES + 1, in);
	failed = ferror(in);
	if (failed)
		error_set(err, "cannot read %s: %s", path, strerror(errno));
	fclose(in);
	text[n <= MOST_BYTES ? n : 0] = '\0';
	if (!failed && n > MOST_BYTES)
		error_set(err, "%s is larger than %d KiB: it is no list", path, MOST_BYTES >> 10);
	else if (!failed && strlen(text) < n)
		error_set(err, "%s is no list: there is a zero byte in it", path);
	if (!err->set)
		return text;
	free(text);
	return NULL;
}

char *
list_next(char **next, int *number)
{
	char *line, *end;

	while ((line = strsep(next, "\n"))) {
		++*number;
		line += strspn(line, " \t\r");
		line[strcspn(line, "#")] = '\0';
		end = line + strlen(line);
		while (end > line && strchr(" \t\r", end[-1]))
			*--end = '\0';
		if (*line)
			return line;
	}
	return NULL;
}
