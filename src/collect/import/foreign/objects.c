#include "collect/import/foreign/objects.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/import/elf/places.h"

/* The kernel's code in each process is in no file: ours, as one. */
static int
open_vdso(struct elf *e)
{
	const char *at = (const char *)getauxval(AT_SYSINFO_EHDR); // NOLINT: the kernel's word
	int fd = at ? memfd_create("vdso", MFD_CLOEXEC) : -1, status = -1;
	struct error ignored = ERROR_INIT;
	const Elf64_Ehdr *h = (const void *)at;
	char path[64];
	size_t size;

	if (fd < 0)
		return -1;
	size = h->e_shoff + (size_t)h->e_shnum * h->e_shentsize;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, at, size) == (ssize_t)size)
		status = elf_open(e, path, &ignored);
	close(fd);
	return status;
}

enum object_found
object_open(struct elf *e, const char *path, const struct object_id *id, struct owners *owners)
{
	struct error ignored = ERROR_INIT;

	*e = (struct elf){ .fd = -1 };
	if (!strcmp(path, "[vdso]") ? open_vdso(e)
				    : *path != '/' || places_open(e, path, owners, &ignored))
		return places_open_copy(e, path, id->bytes, id->length, owners) ? OBJECT_FOUND
										 : OBJECT_NONE;
	if (places_build_is(e, id->bytes, id->length))
		return OBJECT_FOUND;
	elf_close(e);
	return places_open_copy(e, path, id->bytes, id->length, owners) ? OBJECT_FOUND
									 : OBJECT_OTHER;
}
