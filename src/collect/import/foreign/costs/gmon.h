/* What files of gprof (gmon.out) say, added up; and what a program has at their addresses. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_COSTS_GMON_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_COSTS_GMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model/model.h"
#include "util/error.h"
#include "util/keys.h"

/* A piece of code, and how often its address was seen there. Addresses are the program's own. */
struct gmon_bin { uint64_t from, to, samples; };
/* Calls: the return address or up to GMON_ROUNDED bytes before it, where the called procedure noted
 * them, how many. */
enum { GMON_ROUNDED = 15 };
struct gmon_arc { uint64_t from, to, calls; };
struct gmon_block { uint64_t address, executions; };

struct gmon {
	struct gmon_bin *bins;
	size_t nr_bins, bins_alloc;
	struct gmon_arc *arcs;
	size_t nr_arcs, arcs_alloc;
	struct keys arc_keys;
	struct gmon_block *blocks;
	size_t nr_blocks, blocks_alloc;
	struct keys block_keys;
	uint32_t hz;               /* 0: there is no histogram */
	uint64_t saturated, wrapped; /* bins, arcs that may have had more */
	uint32_t files;
};

/* Makes a model of it, of the program PROGRAM. PATH: the profile, for messages; ST: of it. -1 and
 * ERR. */
struct stat;
int gmon_make(const struct gmon *g, const char *program, const char *path, const struct stat *st,
	      struct model *m, struct error *err);

#endif
