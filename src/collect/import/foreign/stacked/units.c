#include "collect/import/foreign/stacked/units.h"

#include <string.h>
#include <strings.h>

static const struct unit { const char *theirs, *ours; uint64_t scale; } units[] = {
	{ "ns", "ns", 1 }, { "nanoseconds", "ns", 1 }, { "nanosecond", "ns", 1 },
	{ "us", "ns", 1000 }, { "microseconds", "ns", 1000 }, { "microsecond", "ns", 1000 },
	{ "ms", "ns", 1000000 }, { "milliseconds", "ns", 1000000 },
	{ "millisecond", "ns", 1000000 },
	{ "s", "ns", 1000000000 }, { "sec", "ns", 1000000000 }, { "seconds", "ns", 1000000000 },
	{ "second", "ns", 1000000000 },
	{ "b", "bytes", 1 }, { "byte", "bytes", 1 }, { "bytes", "bytes", 1 },
	{ "kb", "bytes", 1024 }, { "kilobytes", "bytes", 1024 },
	{ "mb", "bytes", 1 << 20 }, { "megabytes", "bytes", 1 << 20 },
	{ "", "count", 1 }, { "count", "count", 1 }, { "objects", "count", 1 },
	{ "samples", "samples", 1 },
};

struct stacks_text
unit_of(struct stacks_text unit, uint64_t *scale)
{
	*scale = 1;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		const struct unit *u = &units[i];

		if (strlen(u->theirs) != unit.length ||
		    (unit.length && strncasecmp(u->theirs, unit.at, unit.length) != 0))
			continue;
		*scale = u->scale;
		return (struct stacks_text){ u->ours, strlen(u->ours) };
	}
	return unit;
}
