/* Events that the kernel counts and that a profile can have figures of (record -e). Shared by the
 * runtime, which takes a sample of each one or of each hundredth, by record, and by the importer,
 * which makes measures of them: nothing but libc, nothing is allocated.
 *
 * A page fault is either minor or major, and these two are what the kernel is asked for:
 * PERF_COUNT_SW_PAGE_FAULTS tells of a fault before it has been handled; the signal that is pending
 * then may send the program back to fault once more, and a fault on a file would count twice. */
#ifndef CGVIEW_COLLECT_EVENTS_H
#define CGVIEW_COLLECT_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The events that the kernel counts, each by itself. The numbers are those in raw profiles. */
enum event_source { EVENT_MINOR_FAULT, EVENT_MAJOR_FAULT, NR_EVENT_SOURCES };

/* An event that can be asked for; its number is that of its bit in raw_events.asked. */
struct event {
	const char *names;   /* with blanks between them; the first is its own */
	uint32_t sources;    /* a bit each */
	const char *measure; /* as in columns */
	const char *title;
};
enum { NR_EVENTS = 3 };
extern const struct event events[NR_EVENTS];

/* The events of LIST, names with commas between them, as bits in *ASKED. NULL, or where in LIST the
 * first name stands that is none, its length in *LENGTH; the others are in *ASKED then. */
const char *events_parse(const char *list, uint32_t *asked, size_t *length);

/* The sources of the events ASKED, a bit each. */
uint32_t events_sources(uint32_t asked);

/* Returns the attributes for perf_event_open(2): a sample after FIRST times. Events in the kernel
 * itself are left out: to see them needs a privilege, and the signals would end calls that wait. */
struct perf_event_attr event_attr(enum event_source source, uint64_t first);

#endif
