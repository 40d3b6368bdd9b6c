/* Samples: from addresses to procedures, ranges, lines, call sites and the calling-context tree. */
#ifndef CGVIEW_COLLECT_SAMPLES_H
#define CGVIEW_COLLECT_SAMPLES_H

#include "collect/import/counts/areas.h"
#include "collect/import/counts/candidates.h"
#include "collect/import/rawfile.h"
#include "collect/import/samples/centres.h"
#include "collect/import/samples/event_measures.h"
#include "collect/import/samples/foreign.h"
#include "collect/import/samples/spans.h"
#include "collect/import/samples/weights.h"
#include "collect/import/space/space.h"
#include "collect/import/track_log.h"

struct samples {
	struct builder *b;
	struct module *modules;
	size_t nr_modules;
	struct centres centres;
	struct event_measures events;
	struct space space;
	struct foreign foreign;
	struct index address_index;
	struct address *addresses;
	size_t nr_addresses, addresses_alloc;
	struct index stack_index;
	struct stack *stacks;              /* equal stacks of one run are kept once */
	size_t nr_stacks, stacks_alloc;
	uint32_t *frames;                  /* of all stacks; see samples_inside.h */
	size_t nr_frames, frames_alloc;
	struct track_log times;            /* the stack of a sample is its 2 * number, + 1: waits */
	uint64_t nr_damaged;               /* parts that end in something that is no sample */
	struct sample_faults faults;
	uint64_t helpers_wait_ns;          /* that is left out (helpers.h) */
	size_t nr_helpers;
	struct error unread;               /* debug information that was there and was not read */
};

/* OWNERS: libraries without a profile of their own are opened with their rights. */
void samples_init(struct samples *s, struct builder *b, struct module *modules, size_t nr,
		  struct owners *owners);
void samples_release(struct samples *s);

/* Take in what raw file R tells of events; before its samples. */
void samples_read_events(struct samples *s, const struct rawfile *r);

/* Take in the samples of a raw file for run RUN, the latest whose AREAS were read; MODULE_OF: for
 * each of its modules the number of the module, or -1; W: its weights. Adds to the run's samples,
 * and to the centre_samples of a program that keeps cost centres. */
void samples_read(struct samples *s, const struct rawfile *r, const struct weights *w,
		  const int *module_of, model_id run, const struct areas *areas);

/* Takes in what the member of a sum says of its samples, besides samples_read(). */
struct sum_facts;
void samples_take_facts(struct samples *s, const struct sum_facts *f);

/* Returns the number + 1 of the link-time ADDRESS in MODULE, which is looked up with the others. */
uint32_t samples_address(struct samples *s, uint32_t module, uint64_t address);

/* Multiplies the times of all samples of RUN by FACTOR. */
void samples_scale(struct samples *s, model_id run, double factor);
/* Adds to them what the short processes in RUN have, the member of a sum, times FACTOR. */
void samples_scale_short(struct samples *s, model_id run, double factor);

/* Reads the debug information for the addresses that occurred, and fills the model: self and total
 * samples, times and events of procedures, blocks, ranges, lines, sites, contexts; and allocations,
 * self, of the same but the last two. Samples of no
 * procedure go to one of their own, UNPROFILED_NAME; what foreign code did for a procedure is in
 * its self time, and has a row of its own besides. PARTS (may be NULL) gets the samples of each
 * part of the model, which gets tracks of when these were taken. Calls through pointers that a
 * stack proves are noted in C. */
void samples_attribute(struct samples *s, const struct names *n, struct candidates *c,
		       struct part_entries *parts);

#endif
