/* Verdict lines of unit tests. */
#ifndef CGVIEW_TESTS_TUI_CHECK_H
#define CGVIEW_TESTS_TUI_CHECK_H

#include <stdio.h>
#include <string.h>

static int failures;

__attribute__((unused)) static void
verdict(int ok, const char *name)
{
	printf("%s - %s\n", ok ? "ok" : "not ok", name);
	failures += !ok;
}

__attribute__((unused)) static int
same(const char *got, const char *want)
{
	if (!strcmp(got, want))
		return 1;
	printf("# got \"%s\", want \"%s\"\n", got, want);
	return 0;
}

#endif
