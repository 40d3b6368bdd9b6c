/* Areas: the copies of the counters in raw files. Each is a part of the profile (db/model/parts.h):
 * that of a thread, or of threads that used it one after the other. Children of fork that go on
 * with what dead ones have left are one part, as it is not known which of them counted what. */
#ifndef CGVIEW_COLLECT_AREAS_H
#define CGVIEW_COLLECT_AREAS_H

#include "collect/import/rawfile.h"
#include "db/model/parts.h"
#include "util/index.h"

struct areas {
	struct model *m;
	struct area {
		uint32_t input, pid, slot; /* pid 0: all children */
	} *items;                          /* as m->parts */
	size_t nr, alloc;
	struct index by_key;
	struct area_thread {
		uint32_t input, tid;
		model_id part;
	} *threads;
	size_t nr_threads, threads_alloc;
	struct index by_tid;
	uint64_t *shared;                  /* where samples of several processes begin */
	size_t nr_shared, shared_alloc;
	/* of the raw file at hand */
	uint32_t input, main_pid;
	model_id run;
	int rank;                          /* see struct model_part */
	bool mixed;                        /* its children are one part */
};

struct builder;
struct module;

void areas_init(struct areas *a, struct model *m);
void areas_release(struct areas *a);

/* Begins with the next raw file, for run RUN: its threads and copies are asked about from now
 * on. */
void areas_begin(struct areas *a, const struct rawfile *r, model_id run);
/* Returns the part of thread T. */
model_id areas_of_thread(struct areas *a, const struct raw_thread *t);
/* Returns the part of an extent with counters or targets; it is a new one if there was no such
 * thread. */
model_id areas_take(struct areas *a, const struct raw_part *p);
/* Returns the part of extent P, after all extents have been taken; 0: none. */
model_id areas_of_extent(const struct areas *a, const struct raw_part *p);
/* Returns the part that sample S in extent P belongs to. */
model_id areas_of_sample(const struct areas *a, const struct raw_part *p,
			 const struct raw_sample *s);

/* Adds to E, as entries, what module MOD counted in the one part whose COUNTERS these are. The
 * model must have been built from MOD. */
void areas_count(struct builder *b, const struct module *mod, const uint64_t *counters,
		 struct part_entries *e);

#endif
