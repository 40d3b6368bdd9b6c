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

static int half(int n) { return n / 2; }

/* The return behind the expression has its first line, and is not that line once more. */
__attribute__((noinline)) static int
several(int n)
{
	return !!(((n & 1 ? half(n) : 0)
		   | (n & 2 ? half(n) : 0))
		  & 7);
}

/* What is behind || leads to the constant as what is before it does. */
__attribute__((noinline)) static int
constant(int a, int b)
{
	return (a || b) && 0x48L;
}

int
main(void)
{
	for (int i = 0; i < 10; i++) {
		small += limited(i) + several(i);
		others += constant(i & 1, i & 2);
		look(i % 2 ? 'b' : 'A', i % 3 == 0);
	}
	return 0;
}
