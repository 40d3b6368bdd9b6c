#include "util/file_kind.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/input.h"
#include "util/mem.h"

/* A kind is known by MAGIC at its begin, and by TEXT anywhere in what is looked at; one of them may
 * be missing. */
static const struct kind {
	const char *magic;
	size_t length;
	const char *text, *what, *advice; /* %s: the path */
} kinds[] = {
#define M(bytes) bytes, sizeof(bytes) - 1
	{ M("gmon"), NULL, "a profile of gprof, of another version than 1",
	  "look at it with 'gprof PROGRAM %s'" },
	{ M("cgviewS1"), NULL, "a sum of raw profiles",
	  "make a profile of it with 'cgview import %s'" },
	{ M("oncg"), NULL, "gcov's notes of a compiled file", "look at them with 'gcov %s'" },
	{ M("<?xml"), "<valgrindoutput>", "valgrind's report of errors",
	  "add it to a profile with 'cgview import %s'" },
	{ M("\x1f\x8b"), NULL, "a compressed file (gzip), and no profile that is known",
	  "look at it with 'gzip -dc %s'" },
	{ M("\x28\xb5\x2f\xfd"), NULL, "a compressed file (zstd), and no profile that is known",
	  "look at it with 'zstd -dc %s'" },
	{ M("heap profile: "), NULL, "a heap profile of Go as text", "take it without debug=1" },
	{ M("!<arch>\n"), NULL, "a library of object files", "link a program with it by cgcc" },
	{ M("#!"), NULL, "a script", "record what it runs with 'cgview record -- %s'" },
#undef M
};

/* The little of ELF that is looked at here (its readers are in src/collect). */
enum { ET_REL = 1, ET_EXEC, ET_DYN, ET_CORE, PT_INTERP = 3, ELFCLASS64 = 2, EI_CLASS = 4 };
enum { AT_TYPE = 16, AT_PHOFF = 32, AT_PHNUM = 56, SIZE_OF_PHDR = 56, SIZE_OF_HEADER = 64 };

/* By e_type */
static const struct kind elf_kinds[] = {
	[ET_REL] = { .what = "an object file", .advice = "link a program of it with cgcc" },
	[ET_EXEC] = { .what = "a program", .advice = "record it with 'cgview record -- %s'" },
	[ET_DYN] = { .what = "a library (or a static program)",
		     .advice = "record a program with 'cgview record -- %s'" },
	[ET_CORE] = { .what = "a core dump", .advice = "look at it with 'gdb -c %s'" },
};

static char *
kind_text(const struct kind *k, const char *path)
{
	const char *at = strstr(k->advice, "%s");
	const char *here = strchr(path, '/') || !strstr(k->advice, "cgview record") ? "" : "./";

	if (!at)
		return xasprintf("%s is %s: %s", path, k->what, k->advice);
	return xasprintf("%s is %s: %.*s%s%s%s", path, k->what, (int)(at - k->advice), k->advice,
			 here, path, at + 2);
}

/* Is there an interpreter among the program's headers, so that it is no library? */
static bool
has_interpreter(const unsigned char *head, size_t n)
{
	uint64_t offset;
	uint32_t type;
	uint16_t nr;

	if (n < SIZE_OF_HEADER || head[EI_CLASS] != ELFCLASS64)
		return false;
	memcpy(&offset, head + AT_PHOFF, sizeof(offset));
	memcpy(&nr, head + AT_PHNUM, sizeof(nr));
	for (; nr && offset <= n && n - offset >= SIZE_OF_PHDR; nr--, offset += SIZE_OF_PHDR) {
		memcpy(&type, head + offset, sizeof(type));
		if (type == PT_INTERP)
			return true;
	}
	return false;
}

static bool
is(const struct kind *k, const void *head, size_t n)
{
	return n >= k->length && !memcmp(head, k->magic, k->length) &&
	       (!k->text || memmem(head, n, k->text, strlen(k->text)));
}

char *
file_kind_told(const char *path, const void *head, size_t n)
{
	const unsigned char *bytes = head;
	size_t type;

	if (n > AT_TYPE && !memcmp(head, "\177ELF", 4)) {
		type = has_interpreter(bytes, n) ? ET_EXEC : bytes[AT_TYPE];
		if (type < sizeof(elf_kinds) / sizeof(elf_kinds[0]) && elf_kinds[type].what)
			return kind_text(&elf_kinds[type], path);
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (is(&kinds[i], head, n))
			return kind_text(&kinds[i], path);
	return NULL;
}

char *
file_kind_of(const char *path)
{
	unsigned char head[FILE_KIND_HEAD];
	struct error err = ERROR_INIT;
	struct stat st;
	int fd = input_open(path, &st, &err);
	ssize_t n = fd < 0 ? -1 : input_read_at(fd, 0, head, sizeof(head));

	if (fd >= 0)
		close(fd);
	return n < 0 ? NULL : file_kind_told(path, head, (size_t)n);
}
