/* A program that lies just where the copies of a library's counters want to be. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "step.h"

enum { THREADS = 4, MB = 1 << 20 };
#define ARCH_GET_GS 0x1004

static pthread_barrier_t known, opened;
static long bases[THREADS + 1];
static void (*volatile call)(void);

static void *
work(void *number)
{
	syscall(SYS_arch_prctl, ARCH_GET_GS, &bases[(long)number]);
	pthread_barrier_wait(&known);
	while (!call)
		step(0);
	pthread_barrier_wait(&opened);
	for (int i = 0; i < 100000; i++)
		call();
	return NULL;
}

/* A library will lie somewhere below the last mapping. */
static long
occupy(void)
{
	char *near = mmap(NULL, MB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long taken = 0;

	munmap(near, MB);
	for (int i = 0; i <= THREADS; i++)
		for (long at = -256; at < 64; at++) {
			char *p = near + bases[i] + at * MB;

			if (!bases[i])
				continue;
			taken += mmap(p, MB, PROT_NONE,
				      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
					      MAP_FIXED_NOREPLACE,
				      -1, 0) == p;
		}
	return taken;
}

int
main(void)
{
	pthread_t threads[THREADS];
	void *library;
	long taken;

	pthread_barrier_init(&known, NULL, THREADS + 1);
	pthread_barrier_init(&opened, NULL, THREADS + 1);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	syscall(SYS_arch_prctl, ARCH_GET_GS, &bases[THREADS]);
	pthread_barrier_wait(&known);
	taken = occupy();
	library = dlopen("./library.so", RTLD_NOW);
	call = library ? (void (*)(void))dlsym(library, "library_step") : NULL;
	if (!call)
		abort();
	pthread_barrier_wait(&opened);
	for (int i = 0; i < 100000; i++)
		call();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	steps(1000);
	printf("%s\n", taken > 1000 ? "crowded" : "room enough");
	return 5;
}
