/* Foreign code: what was not built by cgcc and does something for code that was. Tells of an
 * address in a library what it is called, and whether the kernel worked there for the program. */
#ifndef CGVIEW_COLLECT_FOREIGN_H
#define CGVIEW_COLLECT_FOREIGN_H

#include "collect/import/elf/elf.h"
#include "collect/import/rawfile.h"
#include "util/index.h"

struct foreign_code {              /* what is known of an address */
	const char *name;          /* of the exported procedure that it is in; NULL: unknown */
	const char *module;        /* "libc"; NULL: unknown */
	bool kernel;               /* behind an instruction that enters the kernel */
};

struct foreign {
	struct owners *owners;
	struct foreign_map *maps;  /* code of files, of the raw file that is read */
	size_t nr_maps, maps_alloc;
	struct library **libraries; /* of all raw files */
	size_t nr_libraries, libraries_alloc;
	struct foreign_code *codes; /* each once */
	size_t nr_codes, codes_alloc;
	struct index code_index, address_index;
	struct foreign_address *addresses;
	size_t nr_addresses, addresses_alloc;
	struct arena arena;        /* owns texts */
	struct error unread;       /* a library that was there and was not read */
};

void foreign_init(struct foreign *f, struct owners *owners);
void foreign_release(struct foreign *f);

/* Takes the maps of R in place of those of the raw file before. */
void foreign_read_maps(struct foreign *f, const struct rawfile *r);

/* Returns the path of the file whose code the run-time ADDRESS of process PID is in, its inode, and
 * where in it that is; NULL: none. */
const char *foreign_file_at(const struct foreign *f, uint32_t pid, uint64_t address,
			    uint64_t *inode, uint64_t *offset);

/* Returns the number + 1 of the code at the run-time ADDRESS in process PID; 0: in no file. LEAF:
 * it is the program counter, else behind a call. */
uint32_t foreign_at(struct foreign *f, uint32_t pid, uint64_t address, bool leaf);

/* Returns the number + 1 of CODE, whose texts must stay. */
uint32_t foreign_number(struct foreign *f, const struct foreign_code *code);

/* Does an instruction that enters the kernel stand in E before the link-time ADDRESS, or, where a
 * call begins anew, at it? */
bool foreign_enters_kernel(const struct elf *e, uint64_t address, struct error *err);

/* Appends the name of a library or program without directory and version: "libc". */
void foreign_short_name(struct strbuf *sb, const char *path);

#endif
