/* cancel CASE: threads that are cancelled; what it prints must not depend on profiling. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "step.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int finished, cleaned;

/* Nothing here is a point where a cancelled thread may end. */
static void *
never_asks(void *unused)
{
	steps(100000);
	__sync_fetch_and_add(&finished, 1);
	return unused;
}

static void *
locks(void *unused)
{
	for (int i = 0; i < 20000; i++) {
		pthread_mutex_lock(&mutex);
		steps(20);
		pthread_mutex_unlock(&mutex);
	}
	return never_asks(unused);
}

static void
clean(void *unused)
{
	(void)unused;
	__sync_fetch_and_add(&cleaned, 1);
	pthread_mutex_unlock(&mutex);
}

/* Ends where it asks, with the lock, which its handler gives back. */
static void *
asks(void *unused)
{
	steps(50000);
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(clean, NULL);
	steps(50000);
	__sync_fetch_and_add(&finished, 1);
	for (;;)
		pthread_testcancel();
	pthread_cleanup_pop(1);
	return unused;
}

/* May end anywhere, also within the sampling handler. */
static void *
anywhere(void *ready)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	__sync_fetch_and_add((volatile int *)ready, 1);
	for (;;)
		step(1);
	return NULL;
}

/* 200 threads, each cancelled before it has begun. */
static void
one_by_one(void *(*start)(void *))
{
	int cancelled = 0;
	pthread_t thread;
	void *result;

	for (int i = 0; i < 200; i++) {
		pthread_create(&thread, NULL, start, NULL);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		cancelled += result == PTHREAD_CANCELED;
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	printf("%d finished, %d cancelled, %d cleaned\n", finished, cancelled, cleaned);
}

/* Afterwards nothing may wait for what such a thread would have done: libraries come and go, others
 * are created, and the process forks. */
static void
asynchronously(void)
{
	int cancelled = 0;
	pthread_t thread;
	void *result;

	for (int i = 0; i < 200; i++) {
		volatile int ready = 0;

		pthread_create(&thread, NULL, anywhere, (void *)&ready);
		while (!ready || i % 4)
			if (ready || usleep(i % 4 * 700) == 0)
				break;
		while (!ready)
			;
		pthread_cancel(thread);
		pthread_join(thread, &result);
		cancelled += result == PTHREAD_CANCELED;
		if (i % 10 == 0)
			dlclose(dlopen("libm.so.6", RTLD_NOW));
		if (i % 50 == 0 && fork() == 0)
			_exit(0);
	}
	printf("%d cancelled\n", cancelled);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (strcmp(how, "never") == 0)
		one_by_one(never_asks);
	else if (strcmp(how, "mutex") == 0)
		one_by_one(locks);
	else if (strcmp(how, "cleanup") == 0)
		one_by_one(asks);
	else if (strcmp(how, "anywhere") == 0)
		asynchronously();
	return 0;
}
