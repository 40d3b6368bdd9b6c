/* Builds the model's procedures, blocks, ranges, call sites and lines from the tables and counters
 * of modules. Records of one name and place are one procedure, however many units compiled it,
 * unless their linkage names say that they are several. */
#ifndef CGVIEW_COLLECT_BUILD_H
#define CGVIEW_COLLECT_BUILD_H

#include "collect/import/counts/counts.h"
#include "collect/import/elf/elf.h"
#include "collect/import/counts/held.h"
#include "collect/import/counts/lacking.h"
#include "util/index.h"
#include "collect/import/counts/lines.h"
#include "collect/import/sources.h"
#include "collect/import/elf/tables.h"
#include "db/model/model.h"

struct module {                    /* a program or library that left counters */
	const char *path;
	uint8_t build_id[BUILD_ID_MAX];
	uint32_t build_id_length;
	bool usable;               /* its tables were read */
	bool has_foreign;          /* code that was compiled without cgcc, perhaps */
	struct elf elf;            /* open when usable */
	struct tables tables;
	uint64_t *counters;        /* summed over processes and threads */
	uint64_t *lacking;         /* what they lack, summed as well, see joint.h */
	size_t nr_counters;
	uint64_t counters_address; /* link-time */
	struct measured_word *measured; /* measured.h */
	size_t nr_measured, measured_alloc;
	uint64_t programs;         /* bit set: raw files it is in (bit 63: 64th and on) */
	model_id **procedures;     /* per unit and its procedure: the model's */
	model_id **first_blocks;   /* per unit and its procedure: the first of its blocks */
	model_id **first_branches; /* ... and the first way of its conditions */
	model_id **files;          /* per unit and its file: the model's */
	struct elf_symbol *symbols;
	size_t nr_symbols;
};

struct shape {                     /* blocks of a procedure; different compilations may differ */
	const struct table_procedure *table;
	uint64_t hash;
	model_id first_block, first_range, first_site, first_branch;
	uint32_t nr_ranges;
	uint32_t next;             /* of the same procedure; number + 1, 0 none */
};

struct noted_site {                /* what the program noted procedures of */
	const struct module *mod;
	uint64_t address;          /* of its first word, link-time */
	model_id site;             /* what it called, or handed out; 0 none */
	uint32_t variable;         /* what was stored in this one of held + 1; 0 none */
	uint64_t other;            /* how often it could not be noted */
};

struct builder {
	struct model *m;
	struct sources *sources;
	struct line_counts lines;
	struct index by_place;     /* m->procedures */
	struct shape *shapes;
	size_t nr_shapes, shapes_alloc;
	uint32_t *first_shape;     /* per procedure: number + 1 */
	size_t first_shape_alloc;
	uint32_t *last_unit;       /* per procedure: the last unit that had it */
	size_t last_unit_alloc;
	uint32_t unit;             /* number of the unit at hand, over all modules */
	struct noted_site *noted;
	size_t nr_noted, noted_alloc;
	struct held held;
	struct counts_room counts;
	struct lacking_room lacking;
	uint64_t nr_negative, most_negative, nr_unsolved; /* what the counts had to be forgiven */
	const char *negative_procedure;
	uint64_t extra_returns;
};

void builder_init(struct builder *b, struct model *m, struct sources *s);
void builder_release(struct builder *b);

/* Add a usable module. -1 and ERR: its tables contradict the file. */
int builder_add(struct builder *b, struct module *mod, struct error *err);

/* Sets COUNTS, one for each way of T's conditions in the order of the model's rows, to the sums of
 * what the edges have in C. Returns how many there are. */
uint32_t builder_ways(const struct table_procedure *t, const struct counts *c, uint64_t **counts);

/* All modules were added. */
void builder_finish(struct builder *b);

/* Notes about what was found on the way. FORKED: some program was more than one process, so that a
 * call could return twice. */
void builder_tell(struct builder *b, bool forked);

#endif
