#include "collect/import/elf/places.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

static struct {
	const char *root;          /* without a slash at its end; NULL: they are where they were */
	const char **debug;
	size_t nr_debug, debug_alloc;
} places;

static const char *
without_slash(const char *directory)
{
	size_t n = strlen(directory);

	while (n && directory[n - 1] == '/')
		n--;
	return xstrndup(directory, n);
}

void
places_set_root(const char *directory)
{
	places.root = without_slash(directory);
}

void
places_add_debug(const char *directory)
{
	GROW(places.debug, places.nr_debug + 1, places.debug_alloc);
	places.debug[places.nr_debug++] = without_slash(directory);
}

char *
places_path(const char *path)
{
	return xasprintf("%s%s", places.root && *path == '/' ? places.root : "", path);
}

int
places_open(struct elf *e, const char *path, struct owners *owners, struct error *err)
{
	char *place = places_path(path);
	int status = elf_open_for(e, place, owners, err);

	free(place);
	return status;
}

bool
places_are_copies(void)
{
	return places.root != NULL;
}

const char *
places_recorded(const char *path)
{
	size_t n = places.root ? strlen(places.root) : 0;

	return n && !strncmp(path, places.root, n) && path[n] == '/' ? path + n : path;
}

char *
places_debug(size_t number)
{
	if (number < places.nr_debug)
		return xstrdup(places.debug[number]);
	return number == places.nr_debug ? places_path(DEBUG_ROOT) : NULL;
}
