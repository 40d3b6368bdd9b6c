#include "util/search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

void
search_release(struct search *s)
{
	if (s->is_regex)
		regfree(&s->regex);
	free(s->pattern);
	s->pattern = NULL;
	s->is_regex = false;
}

static bool
has_capital(const char *s)
{
	for (; *s; s++)
		if (isupper((unsigned char)*s))
			return true;
	return false;
}

/* S looks for PATTERN, which is not empty; what regcomp() says of it, 0 when it is no regular
 * expression. */
static int
look_for(struct search *s, const char *pattern)
{
	int code = 0;

	s->pattern = xstrdup(pattern);
	s->length = strlen(pattern);
	s->fold = !has_capital(pattern);
	if (strpbrk(pattern, "[]*+?|^$.\\{}()")) {
		code = regcomp(&s->regex, pattern, REG_EXTENDED | (s->fold ? REG_ICASE : 0));
		s->is_regex = !code;
	}
	return code;
}

void
search_set(struct search *s, const char *pattern)
{
	search_release(s);
	if (pattern && *pattern)
		look_for(s, pattern);
}

int
search_compile(struct search *s, const char *pattern, struct error *err)
{
	struct search new = { .pattern = NULL };
	char why[200];
	int code = *pattern ? look_for(&new, pattern) : 0;

	if (code) {
		/* What regerror() looks at is not set. */
		regerror(code, NULL, why, sizeof(why));
		search_release(&new);
		return error_set(err, "%s", why);
	}
	search_release(s);
	new.backward = s->backward;
	*s = new;
	return 0;
}

/* Where the pattern, which has no capitals, stands in TEXT whatever the case there. */
static const char *
find_folded(const char *text, size_t length, const char *pattern, size_t n)
{
	int lower = (unsigned char)pattern[0], upper = toupper(lower);
	const char *p = text, *last;
	size_t i;

	if (n > length)
		return NULL;
	last = text + length - n;
	for (; p <= last; p++) {
		if ((unsigned char)*p != lower && (unsigned char)*p != upper)
			continue;
		for (i = 1; i < n; i++)
			if (tolower((unsigned char)p[i]) != (unsigned char)pattern[i])
				break;
		if (i == n)
			return p;
	}
	return NULL;
}

static bool
find_regex(const struct search *s, const char *text, size_t length, size_t from, size_t *start,
	   size_t *end)
{
	regmatch_t m = { .rm_so = (regoff_t)from, .rm_eo = (regoff_t)length };

	if (regexec(&s->regex, text, 1, &m, REG_STARTEND | (from ? REG_NOTBOL : 0)))
		return false;
	*start = (size_t)m.rm_so;
	*end = (size_t)m.rm_eo;
	return *end > *start;
}

bool
search_find(const struct search *s, const char *text, size_t length, size_t from, size_t *start,
	    size_t *end)
{
	const char *p;

	if (!s->pattern || from >= length)
		return false;
	if (s->is_regex)
		return find_regex(s, text, length, from, start, end);
	if (s->fold)
		p = find_folded(text + from, length - from, s->pattern, s->length);
	else
		p = memmem(text + from, length - from, s->pattern, s->length);
	if (!p)
		return false;
	*start = (size_t)(p - text);
	*end = *start + s->length;
	return true;
}

bool
search_matches(const struct search *s, const char *text, size_t length)
{
	regmatch_t m = { .rm_so = 0, .rm_eo = (regoff_t)length };
	size_t start, end;

	if (!s->pattern)
		return true;
	if (s->is_regex)
		return !regexec(&s->regex, text, 1, &m, REG_STARTEND);
	return search_find(s, text, length, 0, &start, &end);
}
