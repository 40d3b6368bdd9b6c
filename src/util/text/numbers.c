#include "util/text/numbers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool
read_number(const char **s, size_t *n)
{
	unsigned long long v;
	char *end;

	*s += strspn(*s, " ");
	if (**s < '0' || **s > '9')
		return false;
	errno = 0;
	v = strtoull(*s, &end, 10);
	*n = errno || v > SIZE_MAX ? SIZE_MAX : (size_t)v;
	*s = end + strspn(end, " ");
	return true;
}

int
numbers_next(const char **list, size_t *from, size_t *to)
{
	const char *s = *list;

	if (!*s)
		return 0;
	if (!read_number(&s, from))
		return -1;
	*to = *from;
	if (*s == '-' && (s++, !read_number(&s, to)))
		return -1;
	/* A comma wants a number behind it. */
	if (*to < *from || (*s && *s != ',') || (*s == ',' && !*++s))
		return -1;
	*list = s;
	return 1;
}

double
numbers_time(const char *text)
{
	static const struct { const char *name; double ns; } units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	};
	char *end;
	double n = strtod(text, &end);

	for (size_t i = 0; end != text && n >= 0 && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i].name))
			return n * units[i].ns;
	return -1;
}
