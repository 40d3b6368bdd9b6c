/* The parts that samples.c reads and attribute.c makes figures of. */
#ifndef CGVIEW_COLLECT_SAMPLES_INSIDE_H
#define CGVIEW_COLLECT_SAMPLES_INSIDE_H

#include "collect/import/samples/locate.h"
#include "collect/import/samples/samples.h"

struct level {                     /* one of the procedures that an address is in */
	model_id procedure;        /* 0: not profiled */
	struct position at;        /* where in it */
	model_id range, block;     /* of the position; valid when it is in a procedure */
	struct model_line *line;
	bool located;
	model_id site;             /* the call that stands there; valid when called */
	bool called, sure;
	bool own_part;             /* what stands there calls a part of the procedure itself */
	bool outermost, innermost; /* of its address */
	uint32_t address;          /* the number + 1 of its address; 0: it has none */
};

struct address {
	uint64_t address;          /* link-time */
	uint32_t module;
	struct level *levels;      /* innermost first */
	uint32_t nr_levels;
	uint32_t foreign[2];       /* code that was not profiled: its number + 1, when asked; of a
	                            * return address, of a leaf */
	bool part;                 /* in a procedure that the compiler split off from another */
};

/* A frame is the number + 1 of an address in a profiled module; or that of foreign code with this
 * bit; or 0: unknown code. */
#define FOREIGN_FRAME ((uint32_t)1 << 31)

/* Its blocks are in the paths of struct space. */
enum { STACK_OF_BLOCKS = NR_EVENT_SOURCES + 1 };

struct stack {
	size_t first;              /* of frames; innermost first */
	uint32_t nr;
	model_id run, part;
	model_id centre;           /* cost centre: a procedure, 0 none */
	uint32_t event;            /* 1 + enum event_source; 0: time and waiting; STACK_OF_BLOCKS */
	uint64_t count, ns, wait_ns, events;
	uint64_t short_ns;         /* as in struct sum_stack */
	uint64_t used;             /* bytes of the thread's stack, the most; 0: not known */
	bool walked;               /* no caller was guessed, in one of its samples at least */
};

/* Returns the procedure of MOD's symbol table that ADDRESS (link-time) is in; NULL: none. */
const struct elf_symbol *samples_symbol_at(const struct module *mod, uint64_t address);

#define RUNTIME_LIBRARY "libcgview_space"
/* Is the foreign code NUMBER (0: not known) of the runtime's library? */
bool samples_in_runtime(const struct samples *s, uint32_t number);

/* Returns the stacks part by part, so that the entries of one are added up before the next begins;
 * heap. */
uint32_t *samples_order(const struct samples *s, size_t nr_parts);

/* Returns the slot of the measure of stack in use; -1: nothing is known of that. */
int samples_add_stack_measure(const struct samples *s, struct model *m);

#endif
