/* threads AMOUNT: four threads that do little but call a small procedure. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long amount;

__attribute__((noinline)) static unsigned
step(unsigned n)
{
	return n & 1 ? n * 3 + 1 : n >> 1;
}

static void *
run(void *result)
{
	unsigned n = 27;

	for (long i = 0; i < amount * 1000000; i++)
		n = step(n) + (i & 7);
	*(unsigned *)result = n;
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[4];
	unsigned results[4];

	amount = argc > 1 ? atol(argv[1]) : 1;
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, run, &results[i]))
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("%u %u\n", results[0], results[3]);
	return 0;
}
