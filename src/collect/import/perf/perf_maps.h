/* The processes of a perf.data: what each has in its memory, and what its threads are called. */
#ifndef CGVIEW_COLLECT_IMPORT_PERF_MAPS_H
#define CGVIEW_COLLECT_IMPORT_PERF_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/keys.h"
#include "util/mem.h"

struct perf_map {
	uint64_t begin, end, offset; /* of the memory; where the file's part begins */
	uint32_t module;           /* the reader's number of it */
};

struct perf_processes {
	struct perf_process *items;
	const char **thread_names;
	size_t nr, alloc, nr_threads, threads_alloc;
	struct keys keys, thread_keys; /* by process, thread */
	struct index name_index;
	const char **names;
	size_t nr_names, names_alloc;
	struct arena arena;
	uint64_t nr_maps;          /* of all */
	uint64_t left_out;         /* maps for which there was no room */
};

void perf_processes_release(struct perf_processes *p);

/* Is anything known of its maps? */
bool perf_is_process(const struct perf_processes *p, uint32_t pid);
void perf_add_map(struct perf_processes *p, uint32_t pid, const struct perf_map *map);
/* The child PID, or only its thread TID, begins as a copy. */
void perf_fork(struct perf_processes *p, uint32_t pid, uint32_t tid, uint32_t from_pid,
	       uint32_t from_tid);
/* EXEC: another program runs now. */
void perf_set_name(struct perf_processes *p, uint32_t pid, uint32_t tid, const char *name,
		   size_t length, bool exec);

/* NULL: nothing is known to be there. It stays until the next change. */
const struct perf_map *perf_map_at(const struct perf_processes *p, uint32_t pid, uint64_t address);
const char *perf_name_of(const struct perf_processes *p, uint32_t tid); /* "": not known */

#endif
