#include "cmd/diff_except.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "util/error.h"
#include "util/mem.h"
#include "util/text/list.h"

/* Marks the procedures that PATTERN stands for. Returns whether there is one. */
static bool
mark(const struct match *m, const char *pattern, bool *entities)
{
	size_t nr = match_entities(m);
	bool found = false;

	for (entity_id e = 1; e <= nr; e++) {
		if (fnmatch(pattern, match_name(m, e), 0))
			continue;
		entities[e] = found = true;
	}
	return found;
}

bool *
diff_except_read(const char *file, const struct match *m)
{
	struct error err = ERROR_INIT;
	char *text = list_read(file, &err), *next = text, *pattern;
	bool *entities = xcalloc(match_entities(m) + 1, sizeof(*entities));
	int line = 0;

	if (!text)
		die(2, "diff: --except: %s", err.text);
	while ((pattern = list_next(&next, &line)))
		if (!mark(m, pattern, entities))
			complain("diff: --except: %s:%d: no procedure is called %s", file, line,
				 pattern);
	free(text);
	return entities;
}
