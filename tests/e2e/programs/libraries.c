/* libraries NR THREADS SEED: opens copy0.so to copyNR-1.so in any order, closing some between, and
 * has each of THREADS threads call each that is open; prints how many calls there were. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int nr;
static void **libraries;
static int (**procedures)(int);
static unsigned seed;
static long calls;

static unsigned
draw(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static void
open_library(int i)
{
	char name[32];

	snprintf(name, sizeof(name), "./copy%d.so", i);
	libraries[i] = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!libraries[i]) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	procedures[i] = (int (*)(int))dlsym(libraries[i], "in_library");
	procedures[i](0);
	calls++;
}

static void *
call_all(void *none)
{
	for (int i = 0; i < nr; i++)
		procedures[i](i);
	return none;
}

int
main(int argc, char **argv)
{
	int nr_threads, *order;
	pthread_t threads[64];

	if (argc < 4)
		return 2;
	nr_threads = atoi(argv[2]);
	nr = atoi(argv[1]);
	seed = (unsigned)atoi(argv[3]);
	libraries = calloc((size_t)nr, sizeof(*libraries));
	procedures = calloc((size_t)nr, sizeof(*procedures));
	order = calloc((size_t)nr, sizeof(*order));
	for (int i = 0; i < nr; i++) {
		int k = (int)(draw() % (unsigned)(i + 1));

		order[i] = order[k];
		order[k] = i;
	}
	for (int i = 0; i < nr; i++) {
		int old = order[draw() % (unsigned)(i + 1)];

		open_library(order[i]);
		if (draw() % 8 == 0) {
			dlclose(libraries[old]);
			open_library(old);
		}
	}
	for (int i = 0; i < nr_threads; i++)
		if (pthread_create(&threads[i], NULL, call_all, NULL))
			return 1;
	for (int i = 0; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	if (!nr_threads)
		call_all(NULL);
	printf("%ld\n", calls + (long)nr * (nr_threads ? nr_threads : 1));
	return 0;
}
