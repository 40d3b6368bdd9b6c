/* A library that was not built with cgcc: its thread helps, which means that it sleeps; and it runs
 * a procedure of the program in another one, which sleeps there. Each says how long, in ms. */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

static pthread_t helper, worker;
static int ms;

void
sleep_ms(int n)
{
	struct timespec t = { n / 1000, n % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static void *
help(void *none)
{
	(void)none;
	sleep_ms(ms);
	return NULL;
}

void
start_helper(int n, void *(*work)(void *))
{
	ms = n;
	pthread_create(&helper, NULL, help, NULL);
	pthread_create(&worker, NULL, work, NULL);
}

void
end_helper(void)
{
	pthread_join(worker, NULL);
	pthread_join(helper, NULL);
}
