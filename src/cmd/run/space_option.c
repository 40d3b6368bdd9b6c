#include "cmd/run/space_option.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/run/left_behind.h"
#include "cmd/run/preload.h"
#include "collect/import/elf/elf.h"
#include "collect/recorder.h"
#include "util/error.h"
#include "util/mem.h"

/* Is one of NAMES among the strings in this section of a program? */
static bool
has_name(const struct elf *e, const char *strings, const char *const *names)
{
	const struct elf_section *section = elf_section(e, strings);
	uint8_t *texts = section ? elf_read(e, section, NULL) : NULL;
	bool has = false;

	for (; texts && *names; names++)
		has |= memmem(texts, section->size, *names, strlen(*names) + 1) != NULL;
	free(texts);
	return has;
}

enum { SANITIZED = 1, HAS_SPACE = 2, IS_STATIC = 4 };

/* Does the program need a library whose allocator must come first? Has it the one of --space
 * already, or can it have none? */
static unsigned
look_at(const char *path)
{
	static const char *const sanitizers[] = {
		"__asan_init", "__hwasan_init", "__tsan_init", "__msan_init", "liblsan.so.0", NULL
	};
	static const char *const ours[] = { "__cgview_space_attach", NULL };
	unsigned found = 0;
	struct elf e;

	if (elf_open(&e, path, NULL))
		return 0;
	if (has_name(&e, ".dynstr", sanitizers))
		found |= SANITIZED;
	if (has_name(&e, ".dynstr", ours) || has_name(&e, ".strtab", ours))
		found |= HAS_SPACE;
	if (!elf_section(&e, ".interp") && elf_section(&e, "cgview_rt"))
		found |= IS_STATIC;
	elf_close(&e);
	return found;
}

char *
space_preload(const char *program)
{
	char *path = find_program(program), *library;
	unsigned found = path ? look_at(path) : 0;

	free(path);
	if (found & SANITIZED)
		die(2, "--space: %s was built with a sanitizer, whose allocator must come first: "
		    "record it without --space, or build it without the sanitizer", program);
	if (found & HAS_SPACE)
		return NULL;
	if (found & IS_STATIC)
		complain("--space: %s is static: link it with cgcc --cgview-flags=space, else its "
			"allocations are not counted", program);
	library = preload_library("libcgview_space.so");
	if (!library)
		die(1, "--space: lib/cgview/libcgview_space.so is not beside cgview; build or "
		    "install cgview again");
	return preload_with(library, "--space");
}

size_t
space_every_option(const char *bytes)
{
	char *end;
	size_t every;

	errno = 0;
	every = strtoull(bytes, &end, 10);
	if (*bytes < '0' || *bytes > '9' || *end || errno || every >= RECORDER_MOST ||
	    (every && every < RECORDER_SPACE_LEAST))
		die(2, "--space-every %s: it is a number of bytes from %d on, or 0", bytes,
		    RECORDER_SPACE_LEAST);
	return every ? every : RECORDER_SPACE_SITES;
}
