/* Inlined chains and positions of addresses, compared with what addr2line says about this very
 * program; and a damaged file, which must be told and not believed. unit-dwarf PROGRAM REFERENCE
 * NAME: those of PROGRAM, with what addr2line says about REFERENCE, the same code with symbols. */
#include "collect/dwarf.h"

#include <ctype.h>
#include <sys/wait.h>

#include "collect/elf.h"
#include "collect/fixture.h"
#include "util/sanitizer.h"

enum { MAX_ADDRESSES = 4000 };
#ifdef __OPTIMIZE__
enum { LEAST_INLINED = 100 };
#else
enum { LEAST_INLINED = 20 }; /* only what must be */
#endif

/* Something to be inlined, two deep. */
static inline __attribute__((always_inline)) unsigned
inner(unsigned x)
{
	for (unsigned i = 0; i < x % 7; i++)
		x = x * 31 + i;
	return x;
}

static inline __attribute__((always_inline)) unsigned
outer(unsigned x)
{
	return inner(x + 1) ^ inner(x * 3);
}

__attribute__((noinline)) unsigned
deep(unsigned x)
{
	return outer(x) + outer(x + 7);
}

/* Addresses in procedures of our own code, in order. */
static size_t
pick_addresses(const char *path, struct dwarf_address *out)
{
	struct elf_symbol *symbols;
	struct elf e;
	struct error err = ERROR_INIT;
	ptrdiff_t nr, i;
	size_t used = 0;
	uint64_t a, last = 0;

	must(!elf_open(&e, path, &err), err.text);
	nr = elf_symbols(&e, &symbols, &err);
	must(nr > 5, "symbols");
	for (i = 0; i < nr; i++) {
		/* The C library's start-up code has no line numbers on either side. */
		if (symbols[i].name[0] == '_' || symbols[i].size < 16)
			continue;
		for (a = symbols[i].address; a < symbols[i].address + symbols[i].size; a += 13)
			if (a > last && used < MAX_ADDRESSES) {
				out[used++] = (struct dwarf_address){ .address = a };
				last = a;
			}
	}
	free(symbols);
	elf_close(&e);
	return used;
}

struct expected { char function[200], file[4096]; unsigned line; };

/* The next answer of addr2line -a -i -f: its frames, innermost first. */
static size_t
next_answer(FILE *f, char *line, size_t size, struct expected *frames, size_t most)
{
	size_t nr = 0;
	char *colon;

	while (fgets(line, (int)size, f) && strncmp(line, "0x", 2)) {
		must(nr < most, "frames");
		line[strcspn(line, "\n")] = '\0';
		snprintf(frames[nr].function, sizeof(frames->function), "%.199s", line);
		must(fgets(line, (int)size, f) != NULL, "addr2line");
		line[strcspn(line, " \n")] = '\0';
		colon = strrchr(line, ':');
		must(colon != NULL, "addr2line's position");
		*colon = '\0';
		snprintf(frames[nr].file, sizeof(frames->file), "%.4000s", line);
		frames[nr++].line = (unsigned)atoi(colon + 1);
	}
	return nr;
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The name of a unit that -flto made: not that of the file, which we tell. */
static bool
is_artificial(const char *file)
{
	return !strcmp(base_name(file), "<artificial>");
}

static bool
same(const struct dwarf_address *a, const struct expected *e, size_t nr)
{
	size_t i;

	if (a->nr_frames != nr)
		return false;
	for (i = 0; i < nr; i++)
		if (strcmp(a->frames[i].name, e[i].function) || a->frames[i].line != e[i].line ||
		    (e[i].line && !is_artificial(e[i].file) &&
		     strcmp(base_name(a->frames[i].file), base_name(e[i].file))))
			return false;
	return true;
}

static FILE *
ask_addr2line(const char *path, const struct dwarf_address *a, size_t nr)
{
	char *list = scratch("addresses"), *command;
	FILE *f = fopen(list, "w");
	size_t i;

	must(f != NULL, list);
	for (i = 0; i < nr; i++)
		fprintf(f, "0x%llx\n", (unsigned long long)a[i].address);
	fclose(f);
	command = xasprintf("addr2line -a -i -f -e '%s' < '%s'", path, list);
	f = popen(command, "r");
	must(f != NULL, command);
	free(command);
	free(list);
	return f;
}

static void
compare(const char *path, const char *reference, struct dwarf_address *a, size_t nr, size_t least)
{
	struct arena arena = ARENA_INIT;
	struct dwarf_module m = { .path = path, .addresses = a, .nr_addresses = nr };
	struct expected e[64];
	struct error err = ERROR_INIT;
	size_t i, k, good = 0, inlined = 0, n;
	char line[8192];
	FILE *f;

	check("the debug information is read to its end", !dwarf_resolve(&m, 1, &arena, &err));
	if (err.set)
		printf("# %s\n", err.text);
	f = ask_addr2line(reference, a, nr);
	must(fgets(line, sizeof(line), f) != NULL, "addr2line's first line");
	for (i = 0; i < nr; i++) {
		n = next_answer(f, line, sizeof(line), e, 64);
		inlined += n > 1;
		if (same(&a[i], e, n)) {
			good++;
			continue;
		}
		if (i - good > 3)
			continue;
		printf("# 0x%llx:\n", (unsigned long long)a[i].address);
		for (k = 0; k < n; k++)
			printf("#   addr2line %s %s:%u\n", e[k].function, e[k].file, e[k].line);
		for (k = 0; k < a[i].nr_frames; k++)
			printf("#   ours      %s %s:%u\n", a[i].frames[k].name, a[i].frames[k].file,
			       a[i].frames[k].line);
	}
	pclose(f);
	printf("# %zu of %zu addresses as addr2line says, %zu of them in inlined code\n", good, nr,
	       inlined);
	check("positions and inlined calls are those of addr2line",
	      good == nr && inlined > least);
	arena_release(&arena);
}

/* Where the head of SECTION is, of our own units: the sanitizer's has a line table before them. */
static uint64_t
head_of(const struct elf *e, const char *section, FILE *f)
{
	uint64_t at = elf_section(e, section)->offset;
#ifdef __SANITIZE_ADDRESS__
	uint32_t length;

	if (!strcmp(section, ".debug_line")) {
		must(pread(fileno(f), &length, 4, (off_t)at) == 4, section);
		at += 4 + length;
	}
#endif
	(void)f;
	return at;
}

/* Overwrite the heads of its sections: libdwarf of 2021 crashes on some of these. */
static void
test_damage(const char *path, struct dwarf_address *a, size_t nr)
{
	static const char *const sections[] = { ".debug_rnglists", ".debug_info", ".debug_line",
						".debug_abbrev" };
	char *copy = scratch("damaged");
	char *command = xasprintf("cp '%s' '%s'", path, copy);
	struct arena arena = ARENA_INIT;
	struct dwarf_module m = { .path = copy, .addresses = a, .nr_addresses = nr };
	struct error err;
	int told = 0, i;
	struct elf e;
	FILE *f;

	for (i = 0; i < 4; i++) {
		err = (struct error)ERROR_INIT;
		must(!system(command) && !elf_open(&e, copy, &err), copy);
		must(elf_section(&e, sections[i]) != NULL, sections[i]);
		f = fopen(copy, "r+");
		must(f != NULL, copy);
		must(!fseek(f, (long)head_of(&e, sections[i], f), SEEK_SET), copy);
		for (int k = 0; k < 64; k++)
			fputc(k % 3 ? 0xff : 0x7f, f);
		fclose(f);
		elf_close(&e);
		dwarf_resolve(&m, 1, &arena, &err);
		told += err.set;
		printf("# %s: %s\n", sections[i], err.set ? err.text : "nothing");
	}
	check("damaged debug information ends in a message", told == 4);
	unlink(copy);
	free(copy);
	free(command);
	arena_release(&arena);
}

int
main(int argc, char **argv)
{
	static struct dwarf_address a[MAX_ADDRESSES];
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	size_t nr;

	must(n > 0, "/proc/self/exe");
	path[n] = '\0';
	if (system("addr2line --version > /dev/null 2>&1")) {
		printf("skip - unit-dwarf: addr2line is not installed\n");
		return 0;
	}
	if (argc == 4) {
		printf("# %s\n", argv[3]);
		compare(argv[1], argv[2], a, pick_addresses(argv[2], a), 4);
		return 0;
	}
	must(deep(3) != 0, "deep");
	nr = pick_addresses(path, a);
	compare(path, path, a, nr, LEAST_INLINED);
	test_damage(path, a, nr);
	return 0;
}
