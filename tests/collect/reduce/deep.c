/* A recursion over four procedures by random numbers: nearly each sample has a stack of its own. */
#include <stdlib.h>
#include <stdio.h>
#include <time.h>
static unsigned s;
static volatile unsigned sink;
static unsigned next(void) { s = s * 1103515245u + 12345u; return s >> 16; }
static void a(int), b(int), c(int), d(int);
static void go(int n)
{
	for (int i = 0; i < 2000; i++)
		sink += i;
	switch (next() % 4) {
	case 0: a(n); break;
	case 1: b(n); break;
	case 2: c(n); break;
	default: d(n);
	}
}
static __attribute__((noinline)) void a(int n) { if (n) go(n - 1); sink++; }
static __attribute__((noinline)) void b(int n) { if (n) go(n - 1); sink += 2; }
static __attribute__((noinline)) void c(int n) { if (n) go(n - 1); sink += 3; }
static __attribute__((noinline)) void d(int n) { if (n) go(n - 1); sink += 4; }
int main(int argc, char **argv)
{
	s = (unsigned)atoi(argv[1]);
	for (int i = 0; i < atoi(argv[2]); i++)
		go(24);
	return 0;
}
