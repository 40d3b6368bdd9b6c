/* The tables that the plugin wrote into a program (docs/formats.md), parsed and checked. */
#ifndef CGVIEW_COLLECT_TABLES_H
#define CGVIEW_COLLECT_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"
#include "util/mem.h"

/* Numbers of files, types etc. are indexes into the unit's arrays; all are checked: a reader of
 * these structs need not check again. */
struct table_place { uint32_t file, line, column, end_line, end_column; };
struct table_range { uint32_t kind; struct table_place place; };
struct table_line {
	uint32_t file, line;
	uint32_t group;                  /* of the line's statements in this procedure */
	uint32_t share;                  /* lines_add(): what its block adds to, + 1; 0 nothing */
};
/* Counter of the procedure + 1, 0 none. NR_COUNTERS + 1: none either, it follows from the calls. */
struct table_edge { uint32_t from, to, counter; };

struct table_block {
	uint32_t counter;                /* as an edge's */
	struct table_line *lines;
	struct table_range *ranges;
	uint32_t nr_lines, nr_ranges;
};

enum table_site_flags {
	SITE_TAIL = 1, SITE_NO_RETURN = 2, SITE_VIRTUAL = 4, SITE_MACRO = 8,
	SITE_RETURNS_TWICE = 16, SITE_READS = 32, SITE_MAKES = 64,
	SITE_POOL = 128, SITE_HELD = 256,
};

struct table_site {
	uint32_t block, kind, flags;
	const char *target;              /* direct: linkage name; indirect: signature, "" unknown */
	struct table_place place;
	const char **passed;
	uint32_t nr_passed;
	const char **reads;              /* SITE_READS: it can call nobody else */
	uint32_t nr_reads;
	uint32_t held;                   /* SITE_HELD: the unit's variable that it calls */
	const char *made;                /* SITE_MAKES: type of what its result points to */
	uint32_t words;                  /* of its targets: the unit's counter + 1, 0 none */
};

/* A condition of the source, and the edges by which control takes its ways (the model's enum
 * branch_kind; see struct model_branch). */
struct table_branch_edge { uint32_t way, edge, line, column; };
struct table_branch {
	uint32_t kind, number, nr_ways, nr_edges;
	struct table_place place;
	struct table_branch_edge *edges;
};

struct table_procedure {
	const char *name, *linkage_name, *signature;
	uint32_t flags;
	bool follows;                    /* it is entered by the unit's direct calls of its linkage
	                                  * name only; see collect/import/counts/entries.h */
	bool wrapper;                    /* of an allocator */
	struct table_place place;
	uint32_t first_counter, nr_counters, nr_blocks, nr_edges, nr_sites;
	uint32_t nr_branches;
	struct table_block *blocks;
	struct table_edge *edges;
	struct table_site *sites;
	struct table_branch *branches;
};

/* Why the plugin left a procedure out; 3: one of the attributes against instrumentation; 4: what is
 * called is a library's. */
enum left_out_reason {
	LEFT_OUT_OPTION = 1, LEFT_OUT_NAKED = 2, LEFT_OUT_ATTRIBUTE = 3, LEFT_OUT_LIBRARY = 4,
	LEFT_OUT_LAST = 4,
};
struct table_left_out {
	const char *name, *linkage_name;
	uint32_t reason, file, line;
};

/* A pattern that names wrappers or pools for record --space ("alloc=get:2"): in this unit it names
 * nothing; nothing that has the argument that it names; or it was of use. */
enum table_pattern_use { PATTERN_UNKNOWN, PATTERN_NO_ARGUMENT, PATTERN_USED };
struct table_pattern { const char *text; uint32_t use; };

/* A procedure whose address is taken; PASSED: static, only as an argument of calls of procedures
 * elsewhere, or of the unit's static ones that hand it on to such and do nothing else with it;
 * PUBLIC_PASSED: public, and so as far as this unit goes. */
enum table_taken_local { TAKEN_PUBLIC, TAKEN_STATIC, TAKEN_PASSED, TAKEN_PUBLIC_PASSED };
struct table_taken { const char *name, *signature; uint32_t local; };
struct table_alias { const char *name, *target; };

/* A pointer to a procedure that nothing but the unit's statements can change. */
struct table_held {
	bool open;                       /* they store what is not known */
	const char **names;              /* linkage names of what they store, and of its first
	                                  * value */
	uint32_t *words;                 /* of what stores told at run time: unit's counter + 1 */
	uint32_t nr_names, nr_words;
};

/* TARGETS: call sites have words of their targets; CENTRES: it keeps cost centres; PATTERNS, HELD,
 * BRANCHES: it has some. */
enum unit_flags {
	UNIT_BLOCKS = 1, UNIT_TARGETS = 2, UNIT_CENTRES = 4, UNIT_PATTERNS = 8, UNIT_HELD = 16,
	UNIT_BRANCHES = 32,
};

struct unit {
	uint32_t flags;                  /* enum unit_flags */
	const char *producer, *directory;
	uint64_t counters_address;       /* link-time */
	uint32_t nr_counters, nr_files, nr_taken, nr_aliases, nr_procedures, nr_left_out;
	uint32_t nr_patterns, nr_held;
	const char **files;
	struct table_taken *taken;
	struct table_alias *aliases;
	struct table_held *held;
	struct table_procedure *procedures;
	struct table_left_out *left_out;
	struct table_pattern *patterns;
};

/* Joint counters: each adds its value, times a factor, to its parts. Late tables are applied before
 * the others; in each the last joint counter first. */
struct joint_part {
	uint32_t array, number;          /* array 0: of this table, one before this */
	int32_t factor;
};
struct joint_counter { struct joint_part *parts; uint32_t nr_parts; };

enum joint_flags { JOINT_LATE = 1 };

struct joint_table {
	uint32_t flags, nr_arrays, nr_counters;
	uint64_t *arrays;                /* link-time addresses of arrays of counters */
	struct joint_counter *counters;
};

/* A call that may have become a jump: by the procedure of this linkage name, of what has the other
 * one, or through a pointer of this signature; and where it stands (line 0: unknown). */
struct table_jump { const char *from, *to; bool through_pointer; uint32_t line, column; };

struct tables {
	struct unit *units;
	size_t nr, alloc;
	struct joint_table *joint;
	size_t nr_joint, joint_alloc;
	struct table_jump *jumps;
	size_t nr_jumps, jumps_alloc;
	struct arena arena;              /* owns all that hangs below the units */
};

/* Parse SIZE bytes of the section cgview_tab. PATH is for messages. -1 and ERR: damaged, or made by
 * a newer compiler plugin; T can be released then too. */
int tables_parse(struct tables *t, const uint8_t *data, size_t size, const char *path,
		 struct error *err);
void tables_release(struct tables *t);

/* Sets *OFFSETS (heap, the caller's) to where words of targets begin (struct raw_target_words),
 * bytes from the module's first counter, which is at ADDRESS (link-time); ascending. Returns how
 * many. */
size_t tables_words(const struct tables *t, uint64_t address, uint64_t **offsets);

#endif
