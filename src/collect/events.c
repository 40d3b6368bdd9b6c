#include "collect/events.h"

#include <string.h>

enum { MINOR = 1 << EVENT_MINOR_FAULT, MAJOR = 1 << EVENT_MAJOR_FAULT };

const struct event events[NR_EVENTS] = {
	{ "page-faults faults", MINOR | MAJOR, "faults", "page faults" },
	{ "minor-faults", MINOR, "minor_faults", "minor page faults" },
	{ "major-faults", MAJOR, "major_faults", "major page faults" },
};

/* Is NAME, of LENGTH bytes, one of NAMES? */
static bool
is_among(const char *names, const char *name, size_t length)
{
	size_t n;

	for (; *names; names += n + (names[n] == ' ')) {
		n = strcspn(names, " ");
		if (n == length && !memcmp(names, name, n))
			return true;
	}
	return false;
}

const char *
events_parse(const char *list, uint32_t *asked, size_t *length)
{
	const char *unknown = NULL;
	size_t n, i;

	*asked = 0;
	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		for (i = 0; i < NR_EVENTS && !is_among(events[i].names, list, n); i++)
			;
		if (i < NR_EVENTS) {
			*asked |= 1u << i;
		} else if (!unknown) {
			unknown = list;
			*length = n;
		}
	}
	return unknown;
}

uint32_t
events_sources(uint32_t asked)
{
	uint32_t sources = 0;

	for (size_t i = 0; i < NR_EVENTS; i++)
		sources |= asked >> i & 1 ? events[i].sources : 0;
	return sources;
}

struct perf_event_attr
event_attr(enum event_source source, uint64_t first)
{
	static const uint64_t configs[NR_EVENT_SOURCES] = {
		[EVENT_MINOR_FAULT] = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		[EVENT_MAJOR_FAULT] = PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	};

	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(struct perf_event_attr),
		.config = configs[source], .sample_period = first, .disabled = 1,
		.exclude_kernel = 1, .exclude_hv = 1, .wakeup_events = 1,
	};
}
