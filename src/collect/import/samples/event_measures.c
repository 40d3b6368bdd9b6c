#include "collect/import/samples/event_measures.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "db/model/model.h"

/* A runtime that takes fewer samples than one of a million events is none of ours. */
#define MOST_AMOUNT 1000000

void
event_measures_read(struct event_measures *e, const struct raw_events *raw)
{
	const uint32_t sources = events_sources(raw->asked);

	e->asked |= raw->asked;
	for (unsigned i = 0; i < NR_EVENT_SOURCES && i < raw->nr_sources; i++) {
		const struct raw_source *from = &raw->sources[i];
		struct event_source_state *to = &e->sources[i];

		if (!(sources >> i & 1))
			continue;
		to->known |= !from->error;
		to->error = from->error ? from->error : to->error;
		to->ended |= from->ended != 0;
		to->missing = count_add(to->missing, from->missing);
		to->lost = count_add(to->lost, from->lost);
	}
}

uint64_t
event_measures_take(struct event_measures *e, const struct raw_sample *sample,
		    enum event_source *source)
{
	unsigned number = sample->flags >> RAW_SOURCE_SHIFT;

	if (number >= NR_EVENT_SOURCES || sample->amount > MOST_AMOUNT ||
	    !(events_sources(e->asked) >> number & 1))
		return 0;
	e->sources[number].known = true;
	e->sources[number].sampled |= sample->amount > 1;
	*source = (enum event_source)number;
	return sample->amount;
}

/* Returns the state of EVENT, all of its sources together. A thread without one has none of the
 * others either. */
static struct event_source_state
state_of(const struct event_measures *e, const struct event *event)
{
	struct event_source_state all = { .error = 0 };

	for (unsigned i = 0; i < NR_EVENT_SOURCES; i++) {
		const struct event_source_state *s = &e->sources[i];

		if (!(event->sources >> i & 1))
			continue;
		all.error = s->error ? s->error : all.error;
		all.known |= s->known;
		all.ended |= s->ended;
		all.sampled |= s->sampled;
		all.missing = s->missing > all.missing ? s->missing : all.missing;
		all.lost = count_add(all.lost, s->lost);
	}
	return all;
}

static void
note_what_lacks(struct model *m, const struct event_source_state *s, const char *title)
{
	bool forbidden = s->error == EPERM || s->error == EACCES;

	if (s->error)
		model_note(m, "samples", "%s were not measured: %s (perf_event_open: %s)", title,
			   forbidden ? "this system does not let this user do it"
				     : "this system cannot do it",
			   s->error < 4096 ? strerror((int)s->error) : "unknown error");
	if (s->ended)
		model_note(m, "samples", "the program uses the signal SIGURG as events do: %s are "
			   "missing from then on", title);
	if (s->missing)
		model_note(m, "samples", "%" PRIu64 " threads have no figures of %s: they had no "
			   "descriptor or no memory to lock for it", s->missing, title);
	if (s->lost)
		model_note(m, "samples", "%" PRIu64 " samples of %s were lost", s->lost, title);
	if (s->sampled)
		model_note(m, "events", "%s are estimates: the first ones were noted each, then "
			   "one of a hundred, which counts for all of them", title);
}

static void
add(struct event_measures *e, struct model *m, const struct event *event, bool exact)
{
	const struct model_measure measure = {
		.name = event->measure, .title = event->title, .unit = "count",
		.combine = COMBINE_SUM, .inclusive = INCLUSIVE_STACKS,
		.exact = exact, .period = exact,
	};
	int slot = measure_add(m, &measure);

	for (unsigned i = 0; i < NR_EVENT_SOURCES && slot >= 0; i++)
		if (event->sources >> i & 1)
			e->slots[i].slots[e->slots[i].nr++] = (unsigned)slot;
}

void
event_measures_add(struct event_measures *e, struct model *m)
{
	for (unsigned i = 0; i < NR_EVENTS; i++) {
		const struct event_source_state s = state_of(e, &events[i]);

		if (!(e->asked >> i & 1))
			continue;
		note_what_lacks(m, &s, events[i].title);
		if (s.known)
			add(e, m, &events[i],
			    !s.error && !s.ended && !s.missing && !s.lost && !s.sampled);
	}
}
