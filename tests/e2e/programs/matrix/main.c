#include "matrix.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

volatile int matrix_sink;

static int (*
find_plug(void))(int) //: 1
{
#ifdef PLUG
	void *library = dlopen(PLUG, RTLD_NOW);
	int (*run)(int) = library ? (int (*)(int))dlsym(library, "plug_run") : NULL;

	if (!run) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return run;
#else
	return plug_run;
#endif
}

static int
square(int n) //: 25
{
	return n * n; //= 25
}

static void
threads(void) //: 1
{
	pthread_t list[4];
	int results[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&list[i], NULL, part_thread, &results[i]))
			abort();
	for (int i = 0; i < 4; i++)
		pthread_join(list[i], NULL); //= 4
}

int
main(void) //: 1
{
	int values[] = { 3, 1, 4, 1, 5, 9, 2, 6 }, sum = 0;
	int (*plug)(int) = find_plug(); //= 1

	for (int i = 0; i < 10; i++)
		sum += part_fold(values, 8); //= 10
	for (int i = 0; i < 12; i++)
		sum += part_state(i); //= 12
	for (int i = 0; i < 100; i++)
		sum += start_run(i); //= 100
	for (int i = 0; i < 40; i++)
		sum += second_run(i); //= 40
	for (int i = 0; i < 60; i++)
		sum += plug(i); //= 60
	sum += start_callback(square, 25); //= 1
	threads(); //= 1
	matrix_sink = sum; //= 1
	printf("%d\n", sum); //= 1
	return 0; //= 1
}
