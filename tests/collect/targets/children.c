/* children N: N children, one after the other, of which some are killed, call through pointers.
 * Prints how often whom, from where. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int procedure(int);
enum { NR = 3 };
static unsigned long (*truth)[NR];

static __attribute__((noipa)) int p0(int x) { return x + 1; }
static __attribute__((noipa)) int p1(int x) { return x + 2; }
static __attribute__((noipa)) int p2(int x) { return x + 3; }
static procedure *const all[NR] = {p0, p1, p2};

static __attribute__((noinline)) int
three(int which)
{
	truth[0][which]++;
	return all[which](which) + 1;
}

static __attribute__((noinline)) int
two(int which)
{
	truth[1][which]++;
	return all[which](which) + 2;
}

static void
child(int number)
{
	for (int i = 0; i < 6; i++)
		if (three((i * i + number) % NR) + two((i + number) % 2) < 0)
			return;
	if (number % 7 == 3)
		raise(SIGKILL);
	_exit(0);
}

int
main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 1;

	truth = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < nr; i++) {
		if (!fork())
			child(i);
		wait(NULL);
	}
	for (int i = 0; i < NR; i++)
		printf("three p%d measured %lu\n", i, truth[0][i]);
	for (int i = 0; i < 2; i++)
		printf("two p%d measured %lu\n", i, truth[1][i]);
	return 0;
}
