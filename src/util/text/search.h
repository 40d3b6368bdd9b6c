/* A search for what the user types: a text, or a regular expression when it has characters that
 * mean something in one. Capitals matter only when the pattern has any. */
#ifndef CGVIEW_UTIL_SEARCH_H
#define CGVIEW_UTIL_SEARCH_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

struct search {
	char *pattern;     /* NULL: nothing to look for */
	size_t length;
	bool fold;         /* ignore case */
	bool is_regex;
	bool backward;     /* direction of n */
	regex_t regex;
};

/* regcomp(), but REG_ESPACE for a pattern that would be huge when its repetitions are written out,
 * or whose parentheses are nested too deep. */
int search_regcomp(regex_t *regex, const char *pattern, int flags);

/* Look for PATTERN from now on; empty or NULL: for nothing. A pattern that is no regular expression
 * (yet) is looked for as it stands. */
void search_set(struct search *s, const char *pattern);
/* Like search_set(), but returns -1 and ERR, with S as it was, when PATTERN is no regular
 * expression. */
int search_compile(struct search *s, const char *pattern, struct error *err);
void search_release(struct search *s);

/* First hit in TEXT (LENGTH bytes) at or after FROM; its bounds in *START and *END. An empty hit
 * does not count. */
bool search_find(const struct search *s, const char *text, size_t length, size_t from,
		 size_t *start, size_t *end);

/* Is there a hit, be it an empty one? True when there is nothing to look for. */
bool search_matches(const struct search *s, const char *text, size_t length);

#endif
