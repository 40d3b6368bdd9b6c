/* Reading ELF files, as much as a profile needs. Bounded: every offset and size is checked against
 * the file, nothing is mapped, so a file that shrinks meanwhile cannot kill us. */
#ifndef CGVIEW_COLLECT_ELF_H
#define CGVIEW_COLLECT_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"
#include "util/mem.h"

struct owners;

enum { BUILD_ID_MAX = 64 };

struct elf_section {
	const char *name;
	uint32_t type, link, info;
	uint64_t flags, address, offset, size, entry_size;
};

struct elf_segment { uint64_t offset, size, address; }; /* of the file, where it goes to */

struct elf_symbol {            /* a procedure of the symbol table */
	uint64_t address, size;
	uint32_t section;      /* number of the section that it is in */
	const char *name;
	const char *file;      /* local ones: the source file, without directory; else NULL */
	uint64_t counters;     /* local ones: where its unit's counters are; 0 unknown */
	bool stub;             /* stands in another module; this is the address it goes by here */
};

struct elf {
	int fd;
	const char *path;
	uint64_t size;                 /* of the file */
	int64_t mtime_ns;
	struct elf_section *sections;
	size_t nr_sections;
	struct elf_segment *segments;  /* those that are loaded */
	size_t nr_segments;
	uint64_t entry;                /* where it begins to run (link-time); 0: nowhere */
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_length;        /* 0: it has none */
	struct owners *owners;         /* with whose rights it was opened; NULL: our own */
	struct arena arena;            /* owns texts, sections and segments */
};

/* Opens PATH. Returns -1 and ERR when it cannot be opened, or is no regular file, no 64-bit
 * little-endian ELF file, or damaged. */
int elf_open(struct elf *e, const char *path, struct error *err);
/* Like elf_open(), but opens only what OWNERS may open (collect/import/owners.h). */
int elf_open_for(struct elf *e, const char *path, struct owners *owners, struct error *err);
void elf_close(struct elf *e);

/* Returns the section of this name, or NULL. */
const struct elf_section *elf_section(const struct elf *e, const char *name);

/* Sets where what stands at OFFSET of the file is by its own addresses (link-time). False: it is
 * not loaded. */
bool elf_address_of(const struct elf *e, uint64_t offset, uint64_t *address);

/* Has it neither a symbol table of its own nor debug information? (Names that it exports, and debug
 * information in another file, it may still have.) */
bool elf_stripped(const struct elf *e);

/* Returns the bytes of a section, heap, the caller's; NULL and ERR on failure. */
uint8_t *elf_read(const struct elf *e, const struct elf_section *s, struct error *err);
/* The same of one that may be compressed (SHF_COMPRESSED, by zlib or zstd), as debug information of
 * Go programs is. Sets its SIZE, which is at most MOST. */
uint8_t *elf_read_unpacked(const struct elf *e, const struct elf_section *s, size_t most,
			   size_t *size, struct error *err);

/* Reads the procedures of the symbol table (of the dynamic one if there is no other), sorted by
 * address, into a heap array, the caller's; texts belong to E. Returns how many. -1 and ERR:
 * damaged. */
ptrdiff_t elf_symbols(struct elf *e, struct elf_symbol **symbols, struct error *err);
/* Like elf_symbols(), but of the dynamic symbol table if there is one. */
ptrdiff_t elf_exported(struct elf *e, struct elf_symbol **symbols, struct error *err);
/* Is it code of ours: the runtime's, or what the plugin adds to each program? */
bool elf_is_ours(const struct elf *e, const struct elf_symbol *symbol);
/* Is the code at ADDRESS (link-time) ours? Its SYMBOL may be NULL, as in what is stripped. */
bool elf_is_ours_at(const struct elf *e, const struct elf_symbol *symbol, uint64_t address);

/* Returns which of NR SYMBOLS, sorted by address, ADDRESS (link-time) is in; NULL: none. */
const struct elf_symbol *elf_symbol_at(const struct elf_symbol *symbols, size_t nr,
				       uint64_t address);

/* Reads N bytes at OFFSET of the file. Returns -1 and ERR on failure. */
int elf_read_at(const struct elf *e, uint64_t offset, void *buffer, size_t n, struct error *err);

#endif
