/* Finds procedures by linkage names, and what each direct call calls. */
#ifndef CGVIEW_COLLECT_NAMES_H
#define CGVIEW_COLLECT_NAMES_H

#include "collect/import/counts/build.h"

enum { NO_UNIT = 0xffffffff };

struct name {
	const char *text;
	const struct module *module;
	uint32_t unit;             /* local names: number of the unit that knows it; else NO_UNIT */
	bool plain;                /* the source's name, where the linkage name is another one */
	model_id procedure;
	uint32_t next;             /* of the same text; number + 1, 0 none */
};

struct names {
	const struct model *m;
	struct name *items;
	size_t nr, alloc;
	struct index ix;           /* text -> first of a chain */
	uint32_t *by_place;        /* items that are not plain, by module and place */
	size_t nr_by_place;
};

/* Collects all procedures and aliases of the usable modules. The modules' texts must outlive N. */
void names_init(struct names *n, const struct model *m, const struct module *modules, size_t nr);
void names_release(struct names *n);

/* Return the first entry of TEXT, or NULL; and the next of the same text, or NULL. */
const struct name *names_find(const struct names *n, const char *text);
const struct name *names_next(const struct names *n, const struct name *name);

/* Returns the procedure of MODULE that debug information calls TEXT; LINE and FILE are where it is
 * defined, 0 unknown. 0: none that was profiled. */
model_id names_procedure(const struct names *n, const struct module *module, const char *text,
			 model_id file, uint32_t line);

/* Returns the procedure of MODULE that is defined at LINE and COLUMN of FILE; 0: none. For code
 * that has no name of its own in debug information: lambdas, constructors, unnamed namespaces. TEXT
 * tells instances of a template apart. */
model_id names_at(const struct names *n, const struct module *module, const char *text,
		  model_id file, uint32_t line, uint32_t column);

/* Take off what stands behind the last dot of SYMBOL's text ("f.part.0" belongs to f). False:
 * nothing is left to be taken off. */
bool names_shorten(char *symbol);

/* Returns the procedure of a symbol table's entry; 0: none. */
model_id names_symbol(const struct names *n, const struct module *module,
		      const struct elf_symbol *symbol);

#endif
