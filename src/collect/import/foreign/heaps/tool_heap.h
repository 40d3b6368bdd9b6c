/* Profiles of memory that other tools made: their measures, and what was live when, by who asked
 * for it. Stacks are those of who asked: without the allocator's own frames. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_HEAPS_TOOL_HEAP_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_HEAPS_TOOL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/import/foreign/stacks.h"
#include "db/model/model.h"

/* The measures are those of record --space, by whose names they can be compared. */
enum heap_event {
	HEAP_BYTES, HEAP_ALLOCS, HEAP_PEAK, HEAP_PEAK_BLOCKS, HEAP_LIVE, HEAP_LIVE_BLOCKS,
	HEAP_READ, HEAP_WRITTEN, HEAP_TEMPORARIES, NR_HEAP_EVENTS
};

struct heap_band { uint32_t moment, node; uint64_t bytes; };
struct tool_heap {
	struct stacks *stacks;
	int events[NR_HEAP_EVENTS]; /* those of STACKS; -1: there is none */
	struct model_moment *moments; /* in the order of time */
	size_t nr_moments, moments_alloc;
	struct heap_band *bands;
	size_t nr_bands, bands_alloc;
	uint32_t pid, thread;
	uint64_t peak;
};

/* OF: the events that the tool has, a bit each. */
void tool_heap_init(struct tool_heap *h, struct stacks *s, unsigned of);
void tool_heap_release(struct tool_heap *h);

/* Adds to what the stack NODE has of an event. */
void tool_heap_add(struct tool_heap *h, uint32_t node, enum heap_event event, uint64_t amount);

/* Adds a moment with so many bytes in use, and who had them: what is missing is others'. */
void tool_heap_moment(struct tool_heap *h, uint64_t at_ns, uint64_t live);
void tool_heap_band(struct tool_heap *h, uint32_t node, uint64_t bytes);

/* Makes the model of all, as stacks_finish(). */
struct stat;
int tool_heap_finish(struct tool_heap *h, const struct stacks_run *run, const char *path,
		     const struct stat *st, struct model *m, struct error *err);

/* Does a frame with this symbol only hand out memory? */
bool tool_heap_is_allocator(struct stacks_text symbol);

/* "name (file.c:12)", "name (in /lib/x.so)" or "name", as valgrind writes them. */
struct stacks_frame valgrind_frame(const char *text, size_t length);
/* Finds the program that valgrind ran as COMMAND, or the one that the user names (m->program): its
 * debug information knows the sources' paths, which valgrind has left out. */
void valgrind_program(struct stacks *s, const struct model *m, const char *command);

#endif
