#include "collect/import/perf/kernel_symbols.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "util/order.h"

struct kernel_symbol { uint64_t address; const char *name; };

/* The build of the kernel that runs. */
static void
read_running(struct object_id *id)
{
	FILE *f = fopen("/sys/kernel/notes", "re");
	uint8_t notes[4096];
	size_t n = f ? fread(notes, 1, sizeof(notes), f) : 0, at = 0;
	Elf64_Nhdr h;

	if (f)
		fclose(f);
	id->length = 0;
	while (n - at >= sizeof(h)) {
		size_t name = at + sizeof(h), desc;

		memcpy(&h, notes + at, sizeof(h));
		desc = name + (h.n_namesz + 3u) / 4 * 4;
		if (h.n_namesz > n || h.n_descsz > n || desc + h.n_descsz > n)
			return;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(notes + name, "GNU", 4) && h.n_descsz <= sizeof(id->bytes)) {
			memcpy(id->bytes, notes + desc, h.n_descsz);
			id->length = h.n_descsz;
			return;
		}
		at = desc + (h.n_descsz + 3u) / 4 * 4;
		if (at > n)
			return;
	}
}

static bool
is_running(const struct object_id *id, const char *release)
{
	struct object_id now;
	struct utsname u;

	if (!id->length)
		return !*release || (!uname(&u) && !strcmp(u.release, release));
	read_running(&now);
	return now.length && now.length <= id->length &&
	       !memcmp(now.bytes, id->bytes, now.length);
}

static int
compare_symbols(const void *a, const void *b)
{
	const struct kernel_symbol *x = a, *y = b;

	COMPARE(x->address, y->address);
	return strcmp(x->name, y->name);
}

void
kernel_symbols_read(struct kernel_symbols *k, const struct object_id *id, const char *release)
{
	FILE *f = is_running(id, release) ? fopen("/proc/kallsyms", "re") : NULL;
	char *line = NULL;
	size_t room = 0;

	*k = (struct kernel_symbols){ .arena = ARENA_INIT };
	while (f && getline(&line, &room, f) > 0) {
		char kind, name[512];
		unsigned long long address;

		if (sscanf(line, "%llx %c %511s", &address, &kind, name) != 3 || !address ||
		    !strchr("tTwW", kind))
			continue;
		if (!strcmp(name, "_text") || (!k->text && !strcmp(name, "_stext")))
			k->text = address;
		GROW(k->items, k->nr + 1, k->alloc);
		k->items[k->nr++] = (struct kernel_symbol){ address,
							    arena_strdup(&k->arena, name) };
	}
	free(line);
	if (f)
		fclose(f);
	if (k->nr)
		qsort(k->items, k->nr, sizeof(*k->items), compare_symbols);
}

void
kernel_symbols_release(struct kernel_symbols *k)
{
	free(k->items);
	arena_release(&k->arena);
}

const char *
kernel_symbol_at(const struct kernel_symbols *k, uint64_t address)
{
	size_t lo = 0, hi = k->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (k->items[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Of several names of one place the first. */
	while (lo > 1 && k->items[lo - 2].address == k->items[lo - 1].address)
		lo--;
	return lo && lo < k->nr ? k->items[lo - 1].name : NULL;
}
