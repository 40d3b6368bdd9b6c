/* descriptors CASE RESULT: closes what it did not open, and opens files of its own, whose numbers
 * and texts nobody else may touch. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "step.h"

enum { FILES = 1000 };
static int numbers[FILES];

static void
burn(double seconds)
{
	struct timespec t;
	double end = 0, now;

	do {
		steps(1000);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
		end = end ? end : now + seconds;
	} while (now < end);
}

static void *
count(void *unused)
{
	burn(0.02);
	return unused;
}

/* Whatever writes to a file without knowing whose it is finds one of these. */
static void
open_all(void)
{
	for (int i = 0; i < FILES; i++) {
		numbers[i] = open("own", O_RDWR | O_CREAT | O_APPEND, 0600);
		if (write(numbers[i], "own\n", 4) != 4)
			abort();
	}
}

static void
work(void)
{
	pthread_t threads[4];

	burn(0.05);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	if (fork() == 0) {
		burn(0.02);
		_exit(0);
	}
	wait(NULL);
}

int
main(int argc, char **argv)
{
	struct rlimit limit;
	long sum = 0;
	char text[64];
	off_t size;

	if (argc < 3)
		return 2;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max < 2000 ? limit.rlim_max : 2000;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (strcmp(argv[1], "low") == 0)
		for (int i = 0; i < 64; i++)
			close(i);
	else if (strcmp(argv[1], "all") == 0)
		for (int i = 0; i < (int)limit.rlim_cur; i++)
			close(i);
	else
		close_range(0, ~0u, 0);
	burn(0.02);
	if (strcmp(argv[1], "low") != 0)
		open_all();
	work();
	if (strcmp(argv[1], "low") != 0) {
		for (int i = 0; i < FILES; i++)
			sum += numbers[i];
		size = lseek(numbers[0], 0, SEEK_END);
		snprintf(text, sizeof(text), "%ld %d %ld\n", sum, numbers[FILES - 1], (long)size);
	} else {
		snprintf(text, sizeof(text), "low\n");
	}
	int result = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (write(result, text, strlen(text)) < 0)
		return 3;
	return result < 100 ? result : 100;
}
