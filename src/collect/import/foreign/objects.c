#include "collect/import/foreign/objects.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/import/elf/places.h"

/* An identifier may be told with zeros behind it. */
static bool
is_build(const struct elf *e, const struct object_id *id)
{
	size_t n = e->build_id_length;

	if (!id->length || !n)
		return true;
	if (id->length < n || memcmp(id->bytes, e->build_id, n) != 0)
		return false;
	for (; n < id->length; n++)
		if (id->bytes[n])
			return false;
	return true;
}

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

/* Copies that other tools keep by build id: perf, and the client of debuginfod. */
static bool
open_kept(struct elf *e, const struct object_id *id, struct owners *owners)
{
	const char *home = getenv("HOME");
	struct error ignored = ERROR_INIT;
	struct strbuf hex = STRBUF_INIT;
	bool found = false;

	for (size_t i = 0; i < id->length; i++)
		strbuf_fmt(&hex, "%02x", id->bytes[i]);
	for (size_t i = 0; home && *home == '/' && hex.len > 2 && i < 2 && !found; i++) {
		const char *rest = i ? hex.buf : hex.buf + 2;
		char *path = i ? xasprintf("%s/.cache/debuginfod_client/%s/executable", home, rest)
			       : xasprintf("%s/.debug/.build-id/%.2s/%s/elf", home, hex.buf, rest);

		found = !elf_open_for(e, path, owners, &ignored);
		if (found && !is_build(e, id)) {
			elf_close(e);
			found = false;
		}
		free(path);
	}
	strbuf_release(&hex);
	return found;
}

enum object_found
object_open(struct elf *e, const char *path, const struct object_id *id, struct owners *owners)
{
	struct error ignored = ERROR_INIT;

	*e = (struct elf){ .fd = -1 };
	if (!strcmp(path, "[vdso]") ? open_vdso(e)
				    : *path != '/' || places_open(e, path, owners, &ignored))
		return open_kept(e, id, owners) ? OBJECT_FOUND : OBJECT_NONE;
	if (is_build(e, id))
		return OBJECT_FOUND;
	elf_close(e);
	return open_kept(e, id, owners) ? OBJECT_FOUND : OBJECT_OTHER;
}
