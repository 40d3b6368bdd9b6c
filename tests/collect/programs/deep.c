/* Does the same twenty times as many calls deep as the argument says, and twenty times not. */
#include <stdlib.h>

static volatile unsigned seen;

__attribute__((noinline)) static void
burn(void)
{
	unsigned x = 1;

	for (long i = 0; i < 30000000; i++)
		x = x * 1103515245 + 12345;
	seen = x;
}

__attribute__((noinline)) static void
dive(long depth)
{
	if (depth)
		dive(depth - 1);
	else
		burn();
	seen++;
}

__attribute__((noinline)) static void
dives(long depth)
{
	dive(depth);
	seen++;
}

__attribute__((noinline)) static void
stays(void)
{
	burn();
	seen++;
}

int
main(int argc, char **argv)
{
	for (int i = 0; i < 20; i++) {
		stays();
		dives(argc > 1 ? atol(argv[1]) : 0);
	}
	return 0;
}
