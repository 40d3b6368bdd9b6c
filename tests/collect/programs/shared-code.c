/* What an inlined procedure that never runs has in common with the code around it is hoisted,
 * and has the place of that procedure. */
#include <stdlib.h>

static volatile unsigned long sink;

static inline __attribute__((always_inline)) unsigned long
never(unsigned long a, unsigned long b)
{
	return (a / b) ^ 0x55;
}

static __attribute__((noinline)) unsigned long
often(unsigned long a, unsigned long b, int odd)
{
	if (odd)
		return never(a, b);
	return (a / b) + 77;
}

int
main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000000;

	for (unsigned long i = 1; i <= n; i++)
		sink += often(~i, i | 1, argc > 5);
	return 0;
}
