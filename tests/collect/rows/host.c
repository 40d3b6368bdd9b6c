/* host CASE: a program that was not built with cgcc opens two libraries that were: each on its own,
 * with threads that call both, and closed again while samples come. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void step_function(void);

static step_function *calls[2];

static void *
open_one(void **handle, const char *path, int flags)
{
	*handle = dlopen(path, RTLD_NOW | flags);
	return *handle ? dlsym(*handle, "library_step") : NULL;
}

static void *
call_both(void *nr)
{
	for (long i = 0; i < (long)nr; i++)
		for (int k = 0; k < 2; k++)
			if (calls[k])
				calls[k]();
	return NULL;
}

static void
burn(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		call_both((void *)1L);
}

/* A thread from before the first library, one from between them, one after both. */
static pthread_barrier_t opened;

static void *
wait_and_call(void *nr)
{
	pthread_barrier_wait(&opened);
	return call_both(nr);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int flags = strcmp(how, "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
	pthread_t threads[3];
	void *handles[2];

	pthread_barrier_init(&opened, NULL, 4);
	pthread_create(&threads[0], NULL, wait_and_call, (void *)1000L);
	calls[0] = (step_function *)open_one(&handles[0], "./library.so", flags);
	pthread_create(&threads[1], NULL, wait_and_call, (void *)1000L);
	calls[1] = (step_function *)open_one(&handles[1], "./other.so", flags);
	pthread_create(&threads[2], NULL, wait_and_call, (void *)1000L);
	if (!calls[0] || !calls[1])
		return 1;
	pthread_barrier_wait(&opened);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	call_both((void *)1000L);
	if (strcmp(how, "close") == 0) {
		burn(0.01);
		calls[0] = NULL;
		dlclose(handles[0]);
		burn(0.05);
		calls[1] = NULL;
		dlclose(handles[1]);
		burn(0.05);
	}
	puts("done");
	return 5;
}
