/* A library that counts, calls through pointers, a thread, a child, two ways to end; how often each
 * thing is done follows from the argument. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int sorted(int n);

static long
one(long n)
{
	long s = 0;

	for (long i = 0; i < n; i++)
		s += i % 3 ? i : -i;
	return s;
}

static long
two(long n)
{
	return n % 5 == 0 ? n / 5 : n;
}

static long (*volatile ways[])(long) = { one, two, labs };

static void *
thread(void *n)
{
	usleep(10000);
	return (void *)ways[(long)n % 3]((long)n);
}

int
main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1, s = 0;
	pthread_t t;

	for (long i = 0; i < 200 * n; i++)
		s += ways[(i * n + i / 7) % 3](i);
	for (long i = 0; i < n; i++)
		s += sorted(100);
	pthread_create(&t, NULL, thread, (void *)n);
	pthread_join(t, NULL);
	if (n % 4 == 1 && !fork()) {
		for (long i = 0; i < 100; i++)
			s += two(i);
		_exit(s & 1);
	}
	while (wait(NULL) > 0)
		;
	if (n % 7 == 3)
		raise(SIGKILL);
	printf("%ld\n", s);
	return 0;
}
