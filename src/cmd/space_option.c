#include "cmd/space_option.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/left_behind.h"
#include "collect/elf.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/path.h"

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

/* Does the program need a library whose allocator must come first? */
static bool
has_sanitizer(const char *path)
{
	static const char *const names[] = {
		"__asan_init", "__hwasan_init", "__tsan_init", "__msan_init", "liblsan.so.0",
	};
	const struct elf_section *section;
	uint8_t *texts = NULL;
	bool has = false;
	struct elf e;

	if (elf_open(&e, path, NULL))
		return false;
	section = elf_section(&e, ".dynstr");
	texts = section ? elf_read(&e, section, NULL) : NULL;
	for (size_t i = 0; texts && i < sizeof(names) / sizeof(*names); i++)
		has |= memmem(texts, section->size, names[i], strlen(names[i]) + 1) != NULL;
	free(texts);
	elf_close(&e);
	return has;
}

char *
space_preload(const char *program)
{
	const char *before = getenv("LD_PRELOAD");
	char *library = find_library(), *path = find_program(program), *all;

	if (path && has_sanitizer(path))
		die(2, "--space: %s was built with a sanitizer, whose allocator must come first: "
		    "record it without --space, or build it without the sanitizer", program);
	if (library[strcspn(library, " :")])
		die(1, "--space: LD_PRELOAD cannot name %s, which has a space or a colon in its "
		    "path", library);
	free(path);
	if (!before || !*before)
		return library;
	all = xasprintf("%s:%s", library, before);
	free(library);
	return all;
}
