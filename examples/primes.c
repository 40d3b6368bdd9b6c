/* How many primes there are below a limit, counted by four threads: an example of threads that
 * have not the same to do. Each takes as many numbers as the others; large ones take longer. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };

struct share {
	unsigned from, to;
	unsigned primes;
};

static int is_prime(unsigned n)
{
	if (n % 2 == 0)
		return n == 2;
	for (unsigned d = 3; d * d <= n; d += 2)
		if (n % d == 0)
			return 0;
	return n > 1;
}

static void *count_primes(void *arg)
{
	struct share *s = arg;

	for (unsigned n = s->from; n < s->to; n++)
		s->primes += is_prime(n);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned limit = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 4000000, primes = 0;
	pthread_t threads[THREADS];
	struct share shares[THREADS];

	for (unsigned i = 0; i < THREADS; i++) {
		shares[i] = (struct share){ limit / THREADS * i, limit / THREADS * (i + 1), 0 };
		if (pthread_create(&threads[i], NULL, count_primes, &shares[i]))
			return 1;
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		primes += shares[i].primes;
	}
	printf("%u primes below %u\n", primes, limit);
	return 0;
}
