#include "collect/import/dwarf/debug_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "collect/import/elf/places.h"
#include "util/input.h"

/* 1: it is of the same build. -1 and ERR: it could not be read. */
static int
is_of(const struct elf *e, const struct elf *program, uint32_t checksum, struct error *err)
{
	enum { CHUNK = 1 << 16 };
	uint8_t *chunk;
	uLong sum = crc32(0, NULL, 0);
	uint64_t at;
	ssize_t got = 1;

	if (e->build_id_length && program->build_id_length)
		return e->build_id_length == program->build_id_length &&
		       !memcmp(e->build_id, program->build_id, e->build_id_length);
	if (!checksum)
		return 0;
	chunk = xmalloc(CHUNK);
	for (at = 0; at < e->size && got > 0; at += (uint64_t)got) {
		got = input_read_at(e->fd, at, chunk, CHUNK);
		if (got > 0)
			sum = crc32(sum, chunk, (uInt)got);
	}
	free(chunk);
	if (got < 0)
		return input_failed(e->path, errno, err);
	return at == e->size && sum == checksum;
}

/* Like debug_file_open(); takes PATH, which is freed. */
static int
try(struct elf *e, const struct elf *program, char *path, uint32_t checksum, struct error *err)
{
	struct error why = ERROR_INIT;
	int found = 0;

	if (!elf_open_for(e, path, program->owners, &why)) {
		found = is_of(e, program, checksum, &why);
		if (found <= 0 || !elf_section(e, ".debug_info")) {
			elf_close(e);
			found = found < 0 ? -1 : 0;
		}
	}
	free(path);
	return why.unread ? error_copy(err, &why) : found;
}

/* DIR: of the program, with the slash. */
static int
try_named(struct elf *e, const struct elf *program, int dir, const char *name, uint32_t checksum,
	  struct error *err)
{
	const char *p = program->path, *recorded = places_recorded(p);
	int found = try(e, program, xasprintf("%.*s%s", dir, p, name), checksum, err);
	char *root;

	if (!found)
		found = try(e, program, xasprintf("%.*s.debug/%s", dir, p, name), checksum, err);
	dir -= (int)(recorded - p);
	for (size_t i = 0; !found && *recorded == '/' && (root = places_debug(i)); i++) {
		found = try(e, program, xasprintf("%s%.*s%s", root, dir, recorded, name), checksum,
			    err);
		if (!found)
			found = try(e, program, xasprintf("%s/%s", root, name), checksum, err);
		free(root);
	}
	return found;
}

/* The name, NUL, padding to 4, the checksum of the file. */
static int
try_link(struct elf *e, const struct elf *program, struct error *err)
{
	const struct elf_section *s = elf_section(program, ".gnu_debuglink");
	const char *slash = strrchr(program->path, '/');
	struct error why = ERROR_INIT;
	uint32_t checksum;
	uint8_t *data;
	size_t n;
	int found = 0;

	data = s ? elf_read(program, s, &why) : NULL;
	if (why.unread)
		return error_copy(err, &why);
	if (!data)
		return 0;
	n = (strnlen((char *)data, s->size) + 4) / 4 * 4;
	if (n + sizeof(checksum) <= s->size && *data && !strchr((char *)data, '/')) {
		memcpy(&checksum, data + n, sizeof(checksum));
		found = try_named(e, program, slash ? (int)(slash + 1 - program->path) : 0,
				  (char *)data, checksum, err);
	}
	free(data);
	return found;
}

static int
try_build_id(struct elf *e, const struct elf *program, struct error *err)
{
	struct strbuf name = STRBUF_INIT;
	int found = 0;
	char *root;

	if (program->build_id_length < 2)
		return 0;
	for (size_t i = 0; i < program->build_id_length; i++)
		strbuf_fmt(&name, i ? "%02x" : "%02x/", program->build_id[i]);
	for (size_t i = 0; !found && (root = places_debug(i)); i++) {
		found = try(e, program, xasprintf("%s/.build-id/%s.debug", root, name.buf), 0, err);
		free(root);
	}
	strbuf_release(&name);
	return found;
}

/* What debuginfod's client has fetched before: nothing is fetched here. */
static int
try_fetched(struct elf *e, const struct elf *program, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	char *fetched = places_fetched();

	if (program->build_id_length < 2 || !fetched) {
		free(fetched);
		return 0;
	}
	strbuf_fmt(&path, "%s/", fetched);
	free(fetched);
	for (size_t i = 0; i < program->build_id_length; i++)
		strbuf_fmt(&path, "%02x", program->build_id[i]);
	strbuf_str(&path, "/debuginfo");
	return try(e, program, strbuf_take(&path), 0, err);
}

int
debug_file_open(struct elf *e, const struct elf *program, struct error *err)
{
	int found;

	if (elf_section(program, ".debug_info") || elf_section(program, ".zdebug_info"))
		return 0;
	found = try_link(e, program, err);
	if (!found)
		found = try_build_id(e, program, err);
	return found ? found : try_fetched(e, program, err);
}

/* 1: E is the file PATH, which is freed, and has the build id ID. */
static int
try_common(struct elf *e, const struct elf *of, char *path, const uint8_t *id, size_t length,
	   struct error *err)
{
	struct error why = ERROR_INIT;
	int found = !elf_open_for(e, path, of->owners, &why);

	free(path);
	if (found && (e->build_id_length != length || memcmp(e->build_id, id, length) != 0)) {
		elf_close(e);
		found = 0;
	}
	return why.unread ? error_copy(err, &why) : found;
}

/* The name, which may be relative to the file that has it, NUL, the build id. */
int
debug_file_open_common(struct elf *e, const struct elf *of, struct error *err)
{
	const struct elf_section *s = elf_section(of, ".gnu_debugaltlink");
	const char *slash = strrchr(of->path, '/');
	struct error why = ERROR_INIT;
	uint8_t *data = s ? elf_read(of, s, &why) : NULL;
	size_t n = data ? strnlen((char *)data, s->size) + 1 : 0;
	struct strbuf name = STRBUF_INIT;
	int found = 0;
	char *root;

	if (why.unread)
		return error_copy(err, &why);
	if (!data || n + 2 > s->size) {
		free(data);
		return 0;
	}
	for (size_t i = n; i < s->size; i++)
		strbuf_fmt(&name, i > n ? "%02x" : "%02x/", data[i]);
	if (*data == '/')
		found = try_common(e, of, places_path((char *)data), data + n, s->size - n, err);
	else if (slash)
		found = try_common(e, of, xasprintf("%.*s/%s", (int)(slash - of->path), of->path,
						    (char *)data), data + n, s->size - n, err);
	for (size_t i = 0; !found && (root = places_debug(i)); i++) {
		found = try_common(e, of, xasprintf("%s/.build-id/%s.debug", root, name.buf),
				   data + n, s->size - n, err);
		free(root);
	}
	strbuf_release(&name);
	free(data);
	return found;
}
