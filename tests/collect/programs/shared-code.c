/* What an inlined procedure that never runs has in common with the code around it is hoisted,
 * and has the place of that procedure. */
#include <stdio.h>
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

static __attribute__((noinline)) void
set(char *format, char letter)
{
	format[3] = letter;
}

/* Both calls are one for the compiler, which has the place of one of them. */
static __attribute__((noinline)) int
print(char *text, size_t size, double value, int how)
{
	char format[] = "%.9g";
	int n = 1;

	switch (how) {
	case 2:
		set(format, 'e');
		n += snprintf(text, size, format, value); // the one that is
		break;
	case 5:
		set(format, 'f');
		n += snprintf(text, size, format, value); // the one that is never executed
		break;
	}
	return n;
}

static __attribute__((noinline)) void
burn(unsigned long n)
{
	for (unsigned long i = 1; i <= n; i++)
		sink = ~i / (sink | 1);
}

/* Of two calls of one procedure the second is a jump. */
static __attribute__((noinline)) void
burn_twice(unsigned long n)
{
	sink = n;
	burn(n); // a quarter
	burn(3 * n); // three quarters
}

int
main(int argc, char **argv)
{
	char text[99];
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000000;

	for (unsigned long i = 1; i <= n; i++)
		sink += often(~i, i | 1, argc > 5);
	for (unsigned long i = 1; i <= n / 200; i++)
		sink += (unsigned)print(text, sizeof(text), 1e10 / (double)i, argc);
	for (unsigned long i = 1; i <= n / 2000; i++)
		burn_twice(200);
	return 0;
}
