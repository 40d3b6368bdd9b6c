/* Errors in wrappers of allocators: what one is asked to do is its caller's, what it does besides
 * its own. */
#include <stdlib.h>
#include <string.h>

static char *__attribute__((noinline))
copy(const char *s)
{
	char *c = malloc(strlen(s));

	return strcpy(c, s); /* BEYOND */
}

static void __attribute__((noinline))
xfree(void *p)
{
	free(p);
}

int
main(void)
{
	char *volatile s = copy("0123456789abcdef");

	xfree(s);
	xfree(s); /* TWICE */
	return 0;
}
