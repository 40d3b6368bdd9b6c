/* The library of foreign.c: a function that works, one that calls back, one that reads. */
#include <stddef.h>
#include <unistd.h>

static volatile long sink;

long
plain_work(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
	return sink;
}

long
plain_each(long n, long (*f)(long))
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		for (long k = 0; k < 1000; k++)
			sink += k;
		sum += f(i);
	}
	return sum;
}

long
plain_read(int fd, char *to, size_t n)
{
	return read(fd, to, n);
}
