/* parts CALLS...: a thread for each number, all at the same time; each calls step() so often.
 * "f7": a child of fork that does. "xN": at the end, this program again with the argument N.
 * "sN": N threads one after the other, of which each calls step() three times. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static __thread long sum;

__attribute__((noinline)) static void
step(long i)
{
	sum += i % 3 ? i : -i; /* the two arms are told apart in columns */
}

__attribute__((noinline)) static void
steps(long n)
{
	for (long i = 0; i < n; i++)
		step(i);
}

static void *
run(void *argument)
{
	char name[16];

	snprintf(name, sizeof(name), "t%s", (const char *)argument);
	prctl(PR_SET_NAME, name);
	pthread_barrier_wait(&barrier); /* nobody ends before all have begun */
	steps(atol(argument));
	return NULL;
}

static void *
run_short(void *argument)
{
	steps(3);
	return argument;
}

static void
child(long n)
{
	if (!fork()) {
		steps(n);
		exit(0);
	}
	wait(NULL);
}

int
main(int argc, char **argv)
{
	pthread_t threads[64], one;
	int nr = 0, i;

	for (i = 1; i < argc; i++)
		nr += *argv[i] >= '0' && *argv[i] <= '9';
	if (nr && nr < 64) {
		pthread_barrier_init(&barrier, NULL, (unsigned)nr);
		for (i = 1, nr = 0; i < argc; i++)
			if (*argv[i] >= '0' && *argv[i] <= '9')
				pthread_create(&threads[nr++], NULL, run, argv[i]);
		while (nr--)
			pthread_join(threads[nr], NULL);
	}
	for (i = 1; i < argc; i++) {
		if (*argv[i] == 'f')
			child(atol(argv[i] + 1));
		for (long n = *argv[i] == 's' ? atol(argv[i] + 1) : 0; n; n--)
			if (!pthread_create(&one, NULL, run_short, NULL))
				pthread_join(one, NULL);
		if (*argv[i] == 'x')
			execl(argv[0], argv[0], argv[i] + 1, (char *)NULL);
	}
	return 0;
}
