/* Procedures with known shares of the time: parts PERCENT MILLISECONDS [THREADS]. The second, a
 * quarter of all, is longer by PERCENT. Each thread takes so many milliseconds, about. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };

#define PART(n)                                                                                  \
	static __attribute__((noinline)) unsigned part_##n(unsigned x, unsigned rounds)           \
	{                                                                                        \
		for (unsigned i = 0; i < rounds; i++)                                            \
			x = x * 1664525u + n + (x >> 13);                                        \
		return x;                                                                        \
	}
PART(1) PART(2) PART(3) PART(4) PART(5) PART(6) PART(7) PART(8)

static unsigned percent, turns;

static void *work(void *arg)
{
	unsigned x = 1;

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
	*(unsigned *)arg = x;
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 3 ? atoi(argv[3]) : 1;
	pthread_t others[MOST];
	unsigned sums[MOST];

	percent = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	turns = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
	for (int i = 1; i < threads && i < MOST; i++)
		pthread_create(&others[i], NULL, work, &sums[i]);
	work(&sums[0]);
	for (int i = 1; i < threads && i < MOST; i++)
		pthread_join(others[i], NULL);
	printf("%u\n", sums[0]);
}
