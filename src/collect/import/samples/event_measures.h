/* Measures of the kernel's events, out of the samples that the runtime took of them. */
#ifndef CGVIEW_COLLECT_EVENT_MEASURES_H
#define CGVIEW_COLLECT_EVENT_MEASURES_H

#include "collect/events.h"
#include "collect/raw.h"
#include "db/model/measure.h"

struct event_measures {
	uint32_t asked;            /* in all that was read; a bit for each event */
	struct event_source_state {
		uint32_t error;    /* errno: why nothing is known of it; 0: something is */
		bool known, ended, sampled; /* sampled: not each event by itself */
		uint64_t missing, lost;
	} sources[NR_EVENT_SOURCES];
	struct event_slots {       /* of the measures that a source counts for */
		unsigned slots[NR_EVENTS], nr;
	} slots[NR_EVENT_SOURCES];
};

/* Takes in what one raw profile tells of events. */
void event_measures_read(struct event_measures *e, const struct raw_events *raw);

/* Returns for how many events SAMPLE, which has the flag RAW_EVENT, stands; 0: it is damaged, or of
 * what nobody asked for. *SOURCE: which they are. */
uint64_t event_measures_take(struct event_measures *e, const struct raw_sample *sample,
			     enum event_source *source);

/* When all has been taken: adds the measures to M, with notes of what is not known, and sets the
 * slots. */
void event_measures_add(struct event_measures *e, struct model *m);

#endif
