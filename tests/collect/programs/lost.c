/* Blocks that are lost, through a wrapper and without, one that can still be reached, and one that
 * is given back. */
#include <stdlib.h>
#include <string.h>

void *volatile kept;

static void *
xmalloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static void
leak(void)
{
	volatile char *p = xmalloc(100);

	p[0] = 1;
}

static void
direct(int n)
{
	for (int i = 0; i < n; i++) {
		volatile char *p = malloc(30);

		p[0] = 1;
	}
}

/* No address of a block is left in what is not used any more. */
static void
clear(void)
{
	volatile char room[4096];

	memset((char *)room, 0, sizeof(room));
}

int
main(void)
{
	leak();
	leak();
	direct(3);
	kept = xmalloc(1000);
	free(xmalloc(10));
	clear();
	return 0;
}
