#include "util/text/search.h"

#include <ctype.h>
#include <stdint.h>
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

/* ---- patterns that would become huge ---- */

enum { MOST_DEEP = 100 /* parentheses */, MOST_COPIES = 2000 };

/* Counts what stands within parentheses: characters and the like, as often as they are repeated. */
struct level { uint64_t sum, last; };

static void
add_atom(struct level *l, uint64_t copies)
{
	l->last = copies;
	l->sum += copies;
}

static void
repeat(struct level *l, uint64_t times)
{
	l->sum += l->last * (times ? times - 1 : 0);
	l->last *= times ? times : 1;
}

/* Behind the bracket expression that begins at P. */
static const char *
behind_bracket(const char *p)
{
	p += p[1] == '^' ? 2 : 1;
	p += *p == ']';
	while (*p && *p != ']') {
		char kind = p[0] == '[' && p[1] && strchr(":.=", p[1]) ? p[1] : '\0';

		p += kind ? 2 : 1;
		while (kind && *p && (p[0] != kind || p[1] != ']'))
			p++;
		p += kind && *p ? 2 : 0;
	}
	return *p ? p + 1 : p;
}

/* The interval "{m,n}" or "{,n}" at P, as often as it may be; *END: behind it. */
static uint64_t
interval(const char *p, char **end)
{
	uint64_t least = strtoul(p + 1, end, 10), most = least;

	if (**end == ',')
		most = strtoul(*end + 1, end, 10);
	most = most < least ? least + 1 : most;
	if (**end == '}')
		++*end;
	return most <= MOST_COPIES ? most : MOST_COPIES + 1;
}

/* regcomp() writes repetitions out, so that a few bytes may need gigabytes, and calls itself for
 * each parenthesis. */
static bool
is_huge(const char *p)
{
	struct level levels[MOST_DEEP + 1] = { { 0, 0 } };
	int depth = 0;
	char *end;

	while (*p && depth < MOST_DEEP && levels[depth].sum <= MOST_COPIES) {
		struct level *l = &levels[depth];

		end = (char *)p + 1;
		if (*p == '\\' && p[1]) {
			end++;
			add_atom(l, 1);
		} else if (*p == '[') {
			end = (char *)behind_bracket(p);
			add_atom(l, 1);
		} else if (*p == '(') {
			levels[++depth] = (struct level){ 0, 0 };
		} else if (*p == ')' && depth) {
			depth--;
			add_atom(l - 1, l->sum ? l->sum : 1);
		} else if (*p == '{' && (isdigit((unsigned char)p[1]) || p[1] == ',')) {
			repeat(l, interval(p, &end));
		} else if (*p == '+') {
			repeat(l, 2); /* x+ is xx* */
		} else if (!strchr("*?|", *p)) {
			add_atom(l, 1);
		}
		p = end;
	}
	return *p || levels[depth].sum > MOST_COPIES;
}

int
search_regcomp(regex_t *regex, const char *pattern, int flags)
{
	return is_huge(pattern) ? REG_ESPACE : regcomp(regex, pattern, flags);
}

/* ---- setting it ---- */

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
		code = search_regcomp(&s->regex, pattern,
				      REG_EXTENDED | (s->fold ? REG_ICASE : 0));
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
		/* regerror() needs no regex here: what it would look at is not set. */
		regerror(code, NULL, why, sizeof(why));
		search_release(&new);
		return error_set(err, "%s", why);
	}
	search_release(s);
	new.backward = s->backward;
	*s = new;
	return 0;
}

/* Finds the pattern, which has no capitals, in TEXT whatever the case there. */
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
