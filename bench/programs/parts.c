/* Procedures with known shares of the time: parts PERCENT MILLISECONDS. The second, a quarter of
 * all, is longer by PERCENT. */
#include <stdio.h>
#include <stdlib.h>

#define PART(n)                                                                                  \
	static __attribute__((noinline)) unsigned part_##n(unsigned x, unsigned rounds)           \
	{                                                                                        \
		for (unsigned i = 0; i < rounds; i++)                                            \
			x = x * 1664525u + n + (x >> 13);                                        \
		return x;                                                                        \
	}
PART(1) PART(2) PART(3) PART(4) PART(5) PART(6) PART(7) PART(8)

int main(int argc, char **argv)
{
	unsigned percent = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	unsigned turns = argc > 2 ? (unsigned)atoi(argv[2]) : 100, x = 1;

	for (unsigned i = 0; i < turns * 20; i++) {
		x = part_1(x, 15000);
		x = part_2(x, 12500 + 125 * percent);
		x = part_3(x, 8000);
		x = part_4(x, 5000);
		x = part_5(x, 4000);
		x = part_6(x, 3000);
		x = part_7(x, 1500);
		x = part_8(x, 1000);
	}
	printf("%u\n", x);
}
