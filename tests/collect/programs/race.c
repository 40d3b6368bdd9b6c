/* Two threads that write one variable: see tests/collect/test-errors.sh. */
#include <pthread.h>

static int shared;

static void *
add(void *unused)
{
	for (int i = 0; i < 1000; i++)
		shared++; /* RACE */
	return unused;
}

int
main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, NULL); /* CREATED */
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
