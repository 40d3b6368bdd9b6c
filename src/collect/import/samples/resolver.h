/* Inside samples: from the addresses of samples to procedures and places. */
#ifndef CGVIEW_COLLECT_RESOLVER_H
#define CGVIEW_COLLECT_RESOLVER_H

#include "collect/import/dwarf/dwarf.h"
#include "collect/import/samples/jumped.h"
#include "collect/import/samples/samples_inside.h"

/* Of the blocks of a procedure, as bits. */
enum { BLOCKS_RAN = 1, BLOCKS_DID_NOT = 2 };

struct resolver {
	struct samples *s;
	const struct names *n;
	const struct candidates *c;
	struct seen_calls seen;
	struct jumped jumped;
	struct arena arena;            /* levels, DWARF's texts */
	struct dwarf_module *modules;
	unsigned char *ran;            /* by procedure, while addresses are resolved */
	uint32_t **numbers;            /* per module and its DWARF address: number of the address */
};

/* Gives each address of R's samples its levels, and notes in the model what could not be known. */
void resolve_addresses(struct resolver *r);

/* Returns the line of the model that LEVEL stands on, or what of it is nearest; NULL: none. */
struct model_line *resolver_line(const struct resolver *r, const struct level *level);

#endif
