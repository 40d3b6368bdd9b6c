#include "cmd/run/space_option.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/run/left_behind.h"
#include "collect/import/elf/elf.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/text/path.h"

/* Beside the program, built or installed: lib/cgview, ../lib/cgview. */
static char *
find_library(void)
{
	static const char *const places[] = { "lib/cgview", "../lib/cgview" };
	char self[PATH_MAX], real[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; n > 0 && i < sizeof(places) / sizeof(*places); i++) {
		char *path = xasprintf("%.*s/%s/libcgview_space.so", (int)path_directory(self),
				       self, places[i]);
		bool here = realpath(path, real);

		free(path);
		if (here)
			return xstrdup(real);
	}
	die(1, "--space: lib/cgview/libcgview_space.so is not beside %s; build or install cgview "
	    "again", self);
}

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
	const char *before = getenv("LD_PRELOAD");
	char *path = find_program(program), *library, *all;
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
	library = find_library();
	if (library[strcspn(library, " :")])
		die(1, "--space: LD_PRELOAD cannot name %s, which has a space or a colon in its "
		    "path", library);
	if (!before || !*before)
		return library;
	all = xasprintf("%s:%s", library, before);
	free(library);
	return all;
}
