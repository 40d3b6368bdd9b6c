#include "cmd/run/sweep.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/error.h"
#include "util/mem.h"

void
sweep_set(struct sweep *s, char *text)
{
	enum { MOST = 200 };
	char *equals = strchr(text, '='), *value, *end, *rest = NULL;
	double size;

	if (!equals || equals == text || strcspn(text, "{} ,") < (size_t)(equals - text))
		die(2, "--sweep %s: it is NAME=VALUE,VALUE...", text);
	s->name = xstrndup(text, (size_t)(equals - text));
	s->values = xcalloc(MOST, sizeof(*s->values));
	s->nr = 0;
	value = strtok_r(equals + 1, ",", &rest);
	for (; value; value = strtok_r(NULL, ",", &rest)) {
		size = strtod(value, &end);
		if (end == value || *end || !(size > 0 && isfinite(size)))
			die(2, "--sweep: %s is no size: a number greater than 0 is", value);
		if (s->nr == MOST)
			die(2, "--sweep: more than %d sizes", MOST);
		s->values[s->nr++] = value;
	}
	if (s->nr < 2)
		die(2, "--sweep %s: it is two sizes at least, NAME=VALUE,VALUE...", s->name);
}

void
sweep_check(const struct sweep *s, char *const *arguments, int nr)
{
	char *wanted = xasprintf("{%s}", s->name);
	bool found = false;

	for (int i = 0; i < nr; i++)
		found |= strstr(arguments[i], wanted) != NULL;
	if (!found)
		die(2, "record --sweep: no argument has %s, where the sizes go", wanted);
	free(wanted);
}

char *
sweep_replace(const char *text, const char *name, const char *value)
{
	struct strbuf sb = STRBUF_INIT;
	size_t n = strlen(name);

	for (; *text; text++) {
		if (*text == '{' && !strncmp(text + 1, name, n) && text[n + 1] == '}') {
			strbuf_str(&sb, value);
			text += n + 1;
		} else {
			strbuf_char(&sb, *text);
		}
	}
	return strbuf_take(&sb);
}
