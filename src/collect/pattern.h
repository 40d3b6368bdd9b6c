/* Names of files with words in them that stand for what is known only where a program runs. Shared
 * by the runtime (CGVIEW_OUT) and by record (-o): nothing but libc, nothing is allocated.
 *
 *   %p  the process   %h  the host   %r  the rank of a parallel program, 0 if it has none
 *   %q{NAME}  the environment variable NAME, 0 if it is not set or empty   %%  a percent sign
 *
 * The text for a word can lead nowhere else: slashes and control bytes in it become _, and so does
 * a dot that would begin a part of the path. */
#ifndef CGVIEW_COLLECT_PATTERN_H
#define CGVIEW_COLLECT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct pattern_values {
	unsigned long process;
	const char *host;
	char *const *environment; /* NULL-terminated, as environ(7) */
};

/* Write PATTERN, with its words replaced, to OUT, which has room for SIZE bytes. NULL, or a static
 * text that says what is wrong with it. */
const char *pattern_expand(const char *pattern, const struct pattern_values *v, char *out,
			   size_t size);

/* What the user, or the launcher of a parallel program, has put into an environment; NULL:
 * nothing. */
struct pattern_told {
	const char *rank, *ranks, *job, *label; /* ranks: how many there are */
};
void pattern_read_told(struct pattern_told *told, char *const *environment);

/* Returns the rank in ENVIRONMENT; NULL: none. */
const char *pattern_rank(char *const *environment);

/* Is %p in it? */
bool pattern_has_process(const char *pattern);

#endif
