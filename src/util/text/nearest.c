#include "util/text/nearest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 }; /* letters that are compared; longer names are only searched */

void
nearest_init(struct nearest *n, const char *wanted)
{
	*n = (struct nearest){ .wanted = wanted };
}

void
nearest_release(struct nearest *n)
{
	for (size_t i = 0; i < n->nr; i++)
		free(n->best[i].name);
	n->nr = 0;
}

static unsigned int
least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Damerau's distance, with neighbours swapped at most once (Wagner and Fischer's table; only three
 * rows are kept). */
static unsigned int
distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned int rows[3][MOST + 1];
	unsigned int *before = rows[0], *above = rows[1], *row = rows[2], *spare;

	for (size_t j = 0; j <= nb; j++)
		above[j] = (unsigned int)j;
	for (size_t i = 1; i <= na; i++) {
		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= nb; j++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[j - 1]);

			row[j] = least(above[j - 1] + !same, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		spare = before;
		before = above;
		above = row;
		row = spare;
	}
	return above[nb];
}

/* How far NAME is; UINT_MAX: it is not near. What contains the wanted text comes behind what is
 * equal but for one letter, shorter names first. */
static unsigned int
measure(const char *wanted, const char *name)
{
	size_t nw = strlen(wanted), nn = strlen(name);
	unsigned int far = UINT_MAX;

	if (nw <= MOST && nn <= MOST)
		far = distance(wanted, nw, name, nn);
	if (far > nw / 3)
		far = UINT_MAX;
	else if (far != UINT_MAX)
		far = far <= 1 ? far : far + 1000;
	if (nw >= 2 && strcasestr(name, wanted))
		far = least(far, 2 + (unsigned int)least((unsigned int)(nn - nw), 990));
	return nw ? far : UINT_MAX;
}

void
nearest_try(struct nearest *n, const char *name)
{
	unsigned int far = measure(n->wanted, name);
	size_t at = n->nr;

	for (size_t i = 0; i < n->nr; i++)
		if (!strcmp(n->best[i].name, name))
			return;
	while (at && n->best[at - 1].far > far)
		at--;
	if (far == UINT_MAX || at == NEAREST_MOST)
		return;
	if (n->nr == NEAREST_MOST)
		free(n->best[--n->nr].name);
	memmove(&n->best[at + 1], &n->best[at], (n->nr++ - at) * sizeof(n->best[0]));
	n->best[at].name = xstrdup(name);
	n->best[at].far = far;
}

char *
nearest_question(const struct nearest *n)
{
	struct strbuf sb = STRBUF_INIT;

	if (!n->nr)
		return NULL;
	strbuf_str(&sb, ": did you mean ");
	for (size_t i = 0; i < n->nr; i++)
		strbuf_fmt(&sb, "%s%s", !i ? "" : i + 1 < n->nr ? ", " : " or ", n->best[i].name);
	strbuf_str(&sb, "? See");
	return strbuf_take(&sb);
}

char *
nearest_of(const char *wanted, const char *const *names)
{
	struct nearest n;
	char *question;

	nearest_init(&n, wanted);
	for (; *names; names++)
		nearest_try(&n, *names);
	question = nearest_question(&n);
	nearest_release(&n);
	return question;
}
