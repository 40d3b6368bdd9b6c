/* Conditions on one line: what stands in it is evaluated less often than the line is executed. */
#include <ctype.h>
#include <limits.h>

static int small, letters, others;

__attribute__((noinline)) static int
limited(long n)
{
	return __builtin_mul_overflow(n, 3, &n) || LONG_MAX < n ? 0 : n < 4 ? 4 : 0;
}

__attribute__((noinline)) static void
look(char c, int have)
{
	if (have || tolower(c) != 'a')
		letters++;
	else
		others++;
}

int
main(void)
{
	for (int i = 0; i < 10; i++) {
		small += limited(i);
		look(i % 2 ? 'b' : 'A', i % 3 == 0);
	}
	return 0;
}
