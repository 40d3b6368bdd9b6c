/* Data of OpenTelemetry's protocol is known to be that, and not read: profiles of it have had many
 * versions that do not agree in the numbers of fields, and no file says which one it has. */
#include "collect/import/foreign/foreign_format.h"

#include <ctype.h>
#include <string.h>

#include "collect/import/foreign/stacked/wire.h"

enum { FIRST = 1 << 3 | WIRE_BYTES, SECOND = 2 << 3 | WIRE_BYTES };

/* Reads the key of a field that has bytes, and how many. */
static bool
enter(struct wire *w, uint64_t key, uint64_t *length)
{
	uint64_t k;

	return wire_number(w, &k) && k == key && wire_number(w, length);
}

/* ProfilesData 1 resource_profiles, its 1 resource, its 1 attributes, their 1 key; a resource can
 * be empty, and its 2 scope_profiles follow. Spans, metrics and logs begin in the same way. */
static bool
is_message(const char *head, size_t n)
{
	struct wire w = { .at = (const uint8_t *)head, .end = (const uint8_t *)head + n };
	uint64_t length;

	if (!enter(&w, FIRST, &length) || !enter(&w, FIRST, &length))
		return false;
	if (!length)
		return enter(&w, SECOND, &length);
	if (!enter(&w, FIRST, &length) || !enter(&w, FIRST, &length) || !length)
		return false;
	for (; length && w.at < w.end; length--)
		if (!isprint(*w.at++))
			return false;
	return true;
}

static bool
otlp_is(const char *head, size_t n)
{
	return head[strspn(head, " \t\r\n")] == '{'
	       ? memmem(head, n, "\"resourceProfiles\"", strlen("\"resourceProfiles\"")) != NULL
	       : is_message(head, n);
}

static int
otlp_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	(void)m;
	return error_set(err, "%s is data of OpenTelemetry (OTLP), which is not read, as versions "
			 "of its profiles do not agree: let the collector, or what took the "
			 "samples, write pprof", paths[nr - 1]);
}

const struct foreign_format otlp_format = {
	.name = "data of OpenTelemetry", .is = otlp_is, .read = otlp_read,
};
