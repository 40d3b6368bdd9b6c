/* threads CALLS: eight threads, each calls a procedure CALLS times, half of them inlined ones. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long sink;

__attribute__((noinline)) long
shared_work(long i)
{
	return i ^ (i >> 3);
}

static inline long
inlined_work(long i)
{
	return i % 2 == 0 ? i + 1 : i - 1;
}

static void *
run(void *argument)
{
	long calls = *(long *)argument, sum = 0;

	for (long i = 0; i < calls; i++)
		sum += shared_work(i) + inlined_work(i);
	sink = sum;
	return NULL;
}

int
main(int argc, char **argv)
{
	long calls = argc > 1 ? atol(argv[1]) : 1000;
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, run, &calls) != 0)
			return 1;
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
