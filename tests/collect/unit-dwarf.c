/* Inlined chains and positions of addresses, compared with what addr2line says about this very
 * program, and with its line tables as objdump prints them; and a damaged file, which must be told
 * and not believed. unit-dwarf PROGRAM REFERENCE NAME: those of PROGRAM, with what is said about
 * REFERENCE, the same code with symbols. unit-dwarf PROGRAM TEXTS: without addr2line; a line of the
 * file TEXTS is a procedure and the file that its text is in. */
#include "collect/import/dwarf/dwarf.h"

#include <ctype.h>
#include <sys/wait.h>

#include "collect/fixture.h"
#include "collect/import/dwarf/line_table.h"
#include "collect/import/elf/elf.h"
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

/* Which file an address is in, addr2line does not know where the table has not set one. Of code
 * without debug information, as in libiberty.a, it names the symbol, and no line. */
static bool
same(const struct dwarf_address *a, const struct expected *e, size_t nr)
{
	size_t i;

	if (!a->nr_frames && nr == 1 && !e[0].line)
		return true;
	if (a->nr_frames != nr)
		return false;
	for (i = 0; i < nr; i++)
		if (strcmp(a->frames[i].name, e[i].function) || a->frames[i].line != e[i].line ||
		    (i && e[i].line && !is_artificial(e[i].file) &&
		     strcmp(base_name(a->frames[i].file), base_name(e[i].file))))
			return false;
	return true;
}

/* ---- files ---- */

struct piece { unsigned long long begin, end; unsigned line; char file[4096]; };

static bool
ends_in(const char *path, const char *end)
{
	size_t n = strlen(path), k = strlen(end);

	return n >= k && !strcmp(path + n - k, end) && (n == k || end[0] == '/' ||
							  path[n - k - 1] == '/');
}

static size_t
position_is(struct dwarf_address *a, size_t nr, const struct piece *p, size_t *good)
{
	size_t i, asked = 0;

	for (i = 0; i < nr; i++) {
		if (a[i].address < p->begin || a[i].address >= p->end || !a[i].nr_frames)
			continue;
		asked++;
		if (a[i].frames->line == p->line && ends_in(a[i].frames->file, p->file))
			++*good;
		else if (asked - *good < 4)
			printf("# 0x%llx: %s:%u, ours %s:%u\n",
			       (unsigned long long)a[i].address, p->file, p->line,
			       a[i].frames->file, a[i].frames->line);
	}
	return asked;
}

static void
compare_rows(const char *reference, struct dwarf_address *a, size_t nr)
{
	char *command = xasprintf("python3 \"${TOP:-.}\"/tests/collect/line_rows.py '%s'",
				  reference);
	FILE *f = popen(command, "r");
	static struct piece p;
	size_t asked = 0, good = 0;

	must(f != NULL, command);
	while (fscanf(f, "%llx %llx %u %4095[^\n]", &p.begin, &p.end, &p.line, p.file) == 4)
		asked += position_is(a, nr, &p, &good);
	pclose(f);
	free(command);
	printf("# %zu of %zu addresses in the file that objdump says\n", good, asked);
	check("positions are those of the line table", asked > 10 && asked == good);
}

/* The position of a frame, and what declares its procedure, are in the file with its text. */
static void
compare_texts(const char *texts, const struct dwarf_address *a, size_t nr)
{
	char name[200], file[4000];
	size_t asked = 0, good = 0;
	FILE *f = fopen(texts, "r");

	must(f != NULL, texts);
	while (fscanf(f, "%199s %3999s", name, file) == 2) {
		size_t before = asked;

		for (size_t i = 0; i < nr; i++)
			for (size_t k = 0; k < a[i].nr_frames; k++) {
				const struct dwarf_frame *x = &a[i].frames[k];

				if (strcmp(x->name, name) || !x->line)
					continue;
				asked++;
				if (ends_in(x->file, file) && ends_in(x->declared_file, file))
					good++;
				else if (asked - good < 4)
					printf("# %s is in %s: ours %s, declared in %s\n", name,
					       file, x->file, x->declared_file);
			}
		if (before == asked)
			printf("# %s was not seen\n", name);
	}
	fclose(f);
	printf("# %zu of %zu frames in the file of their procedure\n", good, asked);
	check("frames are in the files of their texts", asked > 10 && asked == good);
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
resolve(const char *path, struct dwarf_address *a, size_t nr, struct arena *arena)
{
	struct dwarf_module m = { .path = path, .addresses = a, .nr_addresses = nr };
	struct error err = ERROR_INIT;

	check("the debug information is read to its end", !dwarf_resolve(&m, 1, arena, &err));
	if (err.set)
		printf("# %s\n", err.text);
}

static void
compare(const char *path, const char *reference, struct dwarf_address *a, size_t nr, size_t least)
{
	struct arena arena = ARENA_INIT;
	struct expected e[64];
	size_t i, k, good = 0, inlined = 0, n;
	char line[8192];
	FILE *f;

	resolve(path, a, nr, &arena);
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
	compare_rows(reference, a, nr);
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

static struct bytes
section_bytes(const struct elf *e, const char *name)
{
	const struct elf_section *s = elf_section(e, name);
	struct error err = ERROR_INIT;
	struct bytes b = { NULL, NULL };

	if (s) {
		b.at = elf_read(e, s, &err);
		must(b.at != NULL, name);
		b.end = b.at + s->size;
	}
	return b;
}

/* Bytes of the line tables are overwritten, most of them in a head: whatever is said, it ends, and
 * is read from what is there (which the sanitizer sees). */
static void
test_damaged_tables(const char *path)
{
	struct line_sections s;
	struct line_span span;
	struct line_table t;
	struct error err = ERROR_INIT;
	struct elf e;
	size_t size, i, k, damaged = 0, wrong = 0;
	uint8_t *line, *whole;

	must(!elf_open(&e, path, &err), err.text);
	s.line = section_bytes(&e, ".debug_line");
	s.line_str = section_bytes(&e, ".debug_line_str");
	s.str = section_bytes(&e, ".debug_str");
	elf_close(&e);
	size = (size_t)(s.line.end - s.line.at);
	whole = (uint8_t *)s.line.at;
	line = xcalloc(size, 1);
	s.line = (struct bytes){ line, line + size };
	srandom(1);
	for (i = 0; i < 3000; i++) {
		memcpy(line, whole, size);
		for (k = 0; k < 1 + i % 5; k++)
			line[(size_t)random() % (i % 3 ? 120 : size)] =
				(uint8_t)(random() % 3 ? random() : 255);
		if (!line_table_open(&t, &s, i % 4 ? 0 : (uint64_t)random() % (size + 9)))
			while (line_table_next(&t, &span))
				wrong += span.begin >= span.end;
		damaged += t.damaged;
		line_table_release(&t);
	}
	printf("# %zu of %zu damaged line tables are told\n", damaged, i);
	check("damaged line tables end", damaged > 100 && damaged < i && !wrong);
	free(line);
	free(whole);
	free((void *)s.line_str.at);
	free((void *)s.str.at);
}

int
main(int argc, char **argv)
{
	static struct dwarf_address a[MAX_ADDRESSES];
	struct arena arena = ARENA_INIT;
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	size_t nr;

	must(n > 0, "/proc/self/exe");
	path[n] = '\0';
	if (system("addr2line --version > /dev/null 2>&1 && python3 -V > /dev/null 2>&1")) {
		printf("skip - unit-dwarf: addr2line or python3 is not installed\n");
		return 0;
	}
	if (argc == 3) {
		nr = pick_addresses(argv[1], a);
		resolve(argv[1], a, nr, &arena);
		compare_rows(argv[1], a, nr);
		compare_texts(argv[2], a, nr);
		arena_release(&arena);
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
	test_damaged_tables(path);
	return 0;
}
