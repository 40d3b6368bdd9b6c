/* A share of a sum: what one process did, or several of one program, added up. Nothing in it
 * depends on the order in which they were added. */
#ifndef CGVIEW_COLLECT_SHARE_H
#define CGVIEW_COLLECT_SHARE_H

#include "collect/import/owners.h"
#include "collect/import/rawfile.h"
#include "collect/import/sums/space_sum.h"
#include "collect/import/sums/stack_set.h"
#include "collect/sum.h"
#include "util/index.h"

/* A module, or a library of which only the file is known. An address in it is
 * (number of the place + 1) << SUM_PLACE, plus the link-time address (module) or the offset in the
 * file (library). */
struct sum_place {
	const char *path;
	bool library;
	uint64_t inode;            /* of a library's file */
	uint32_t build_id_length;  /* the following: of a module, link-time */
	uint8_t build_id[64];
	uint64_t nr_counters, counters, text_start, text_end;
	uint64_t *sites;           /* where in its counters words of targets are, bytes */
	size_t nr_sites;
	bool has_sites;            /* they were looked for */
};

struct places {
	struct sum_place *items;       /* the first one stands for all code that is not profiled */
	size_t nr, alloc;
	struct index index, text_index;
	const char **texts;        /* each once */
	size_t nr_texts, texts_alloc;
	struct arena arena;
};

void places_init(struct places *p);
void places_release(struct places *p);
/* Returns TEXT as it is kept: equal ones are one. */
const char *places_text(struct places *p, const char *text);
/* Returns the number of TEXT, which is kept. */
size_t places_text_number(const struct places *p, const char *text);
/* Returns the number of the place of M, of the file PATH; -1 and ERR: it contradicts what is known
 * of that, or there are too many. */
int places_module(struct places *p, const struct raw_module *m, const char *path,
		  struct error *err);
int places_library(struct places *p, const char *path, uint64_t inode, struct error *err);
/* Finds the sites of the module NUMBER, in its program, once. -1 and ERR: that is not there, or not
 * of its build. */
int places_find_sites(struct places *p, int number, struct owners *owners, struct error *err);
/* Returns, for each place, its number in the order that places have in a member of PROGRAM: its own
 * code first, then modules, then libraries. Places that are added later never change which of two
 * is first. Heap. */
int *places_order(const struct places *p, const char *program);
static inline uint64_t
place_address(int number, uint64_t address)
{
	return ((uint64_t)number + 1) << SUM_PLACE | address;
}

struct share {
	const char *texts[RAW_TEXTS]; /* "" where they differ; the program never does */
	const char **arguments;    /* that all have in common, from the first on */
	size_t nr_arguments;
	uint32_t pid;              /* the least */
	uint64_t started_ns, ended_ns, started_mono_ns; /* first, last, least */
	uint64_t asked_interval_ns; /* greatest */
	uint64_t flags;            /* of all heads */
	bool any;                  /* something was added */
	uint32_t number;           /* of the member that it becomes */
	struct sum_facts facts;
	struct raw_events events;
	struct raw_wall wall;      /* LOOKS 1, ELAPSED_NS between two: the longest */
	uint64_t **counters;       /* by place; NULL: it is no module of this share */
	size_t nr_counters, counters_alloc;
	struct stack_set stacks;
	struct raw_target *targets; /* addresses in places, SUM_UNKNOWN or SUM_SEVERAL */
	size_t nr_targets, targets_alloc;
	struct index target_index;
	struct space_sum space;
	struct arena arena;        /* has the arguments */
};

struct share *share_new(struct stack_store *stacks);
void share_free(struct share *s);
/* Makes room for the counters of module PLACE, and returns them. */
uint64_t *share_counters(struct share *s, const struct places *p, int place);
void share_add_target(struct share *s, uint64_t site, uint64_t target, uint64_t count);
/* Returns the number of what this would add to; nr_targets: there is none yet. */
size_t share_find_target(const struct share *s, uint64_t site, uint64_t target);
/* Adds FROM, of the same program, to S; FROM is only to be freed then. */
void share_add(struct share *s, const struct places *p, struct share *from);
/* Adds MORE to TO, both of 128 bits. */
void share_add_squares(uint64_t to[2], const uint64_t more[2]);

#endif
