#include "collect/import/elf/places.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

static struct {
	const char *root;          /* without a slash at its end; NULL: they are where they were */
	const char **debug, **programs;
	size_t nr_debug, debug_alloc, nr_programs, programs_alloc;
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

void
places_add_programs(const char *directory)
{
	places_add_debug(directory);
	GROW(places.programs, places.nr_programs + 1, places.programs_alloc);
	places.programs[places.nr_programs++] = without_slash(directory);
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

char *
places_fetched(void)
{
	const char *dir = getenv("DEBUGINFOD_CACHE_PATH");
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (dir && *dir == '/')
		return xstrdup(dir);
	if (cache && *cache == '/')
		return xasprintf("%s/debuginfod_client", cache);
	return home && *home == '/' ? xasprintf("%s/.cache/debuginfod_client", home) : NULL;
}

bool
places_build_is(const struct elf *e, const uint8_t *id, size_t length)
{
	size_t n = e->build_id_length;

	if (!length || !n)
		return true;
	if (length < n || memcmp(id, e->build_id, n) != 0)
		return false;
	for (; n < length; n++)
		if (id[n])
			return false;
	return true;
}

static bool
is_exactly(const struct elf *e, const uint8_t *id, size_t length)
{
	return e->build_id_length == length && !memcmp(e->build_id, id, length);
}

/* E is the file of the heap's PATH, and that build? */
static bool
try_copy(struct elf *e, char *path, const uint8_t *id, size_t length, struct owners *owners)
{
	struct error ignored = ERROR_INIT;
	bool found = !elf_open_for(e, path, owners, &ignored);

	if (found && (!e->build_id_length || !places_build_is(e, id, length))) {
		elf_close(e);
		found = false;
	}
	free(path);
	return found;
}

bool
places_open_copy(struct elf *e, const char *path, const uint8_t *id, size_t length,
		 struct owners *owners)
{
	const char *home = getenv("HOME"), *name = strrchr(path, '/'), *hex;
	char *fetched = places_fetched();
	struct strbuf text = STRBUF_INIT;
	bool found = false;

	for (size_t i = 0; i < length; i++)
		strbuf_fmt(&text, "%02x", id[i]);
	hex = text.buf;
	name = name ? name + 1 : path;
	for (size_t i = 0; length > 1 && !found && i < places.nr_programs; i++) {
		const char *dir = places.programs[i];

		found = try_copy(e, xasprintf("%s/.build-id/%.2s/%s", dir, hex, hex + 2), id,
				 length, owners) ||
			try_copy(e, xasprintf("%s/%s/executable", dir, hex), id, length, owners) ||
			try_copy(e, xasprintf("%s/%s", dir, name), id, length, owners);
	}
	if (length > 1 && !found && home && *home == '/')
		found = try_copy(e, xasprintf("%s/.debug/.build-id/%.2s/%s/elf", home, hex,
					      hex + 2), id, length, owners);
	if (length > 1 && !found && fetched)
		found = try_copy(e, xasprintf("%s/%s/executable", fetched, hex), id, length,
				 owners);
	strbuf_release(&text);
	free(fetched);
	return found;
}

int
places_open_build(struct elf *e, const char *path, const uint8_t *id, size_t length,
		  struct owners *owners, struct error *err)
{
	int status = places_open(e, path, owners, err);

	if (!status && is_exactly(e, id, length))
		return 0;
	if (status && err->unread)
		return status;
	if (!status)
		elf_close(e);
	if (places_open_copy(e, path, id, length, owners)) {
		*err = (struct error)ERROR_INIT;
		return 0;
	}
	return status ? status
		      : error_set(err, "%s: the program was rebuilt since this profile was "
				  "recorded (its build-id differs): record again", path);
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
