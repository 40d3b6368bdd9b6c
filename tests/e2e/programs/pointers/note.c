/* Not profiled. */
#include "note.h"

#include <stdio.h>
#include <string.h>

__thread int origin;

static struct { const char *callee; int line; unsigned count; } truths[MAX_TRUTHS];
static int nr;

void
note(const char *callee, int line)
{
	int i = 0;

	while (i < nr && (truths[i].line != line || strcmp(truths[i].callee, callee)))
		i++;
	if (i == MAX_TRUTHS)
		return;
	if (i == nr) {
		truths[i].callee = callee;
		truths[i].line = line;
		nr++;
	}
	truths[i].count++;
}

void
note_print(void)
{
	for (int i = 0; i < nr; i++)
		printf("%s %d %u\n", truths[i].callee, truths[i].line, truths[i].count);
	fflush(stdout);
}
