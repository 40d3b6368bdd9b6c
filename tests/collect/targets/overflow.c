/* 60 sites call each of 1000 procedures TIMES times, more pairs than the tables hold, while signals
 * whose handler does the same at a site of its own interrupt it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { TIMES = 3, NR = 1000 };
static volatile unsigned sum;
typedef void procedure(void);

#define P(n)                                                                                   \
	static void p##n(void)                                                                 \
	{                                                                                      \
		sum += 1##n - 1;                                                               \
	}
#define P10(n) P(n##0) P(n##1) P(n##2) P(n##3) P(n##4) P(n##5) P(n##6) P(n##7) P(n##8) P(n##9)
#define P100(n)                                                                                \
	P10(n##0) P10(n##1) P10(n##2) P10(n##3) P10(n##4)                                      \
	P10(n##5) P10(n##6) P10(n##7) P10(n##8) P10(n##9)
P100(0) P100(1) P100(2) P100(3) P100(4) P100(5) P100(6) P100(7) P100(8) P100(9)
#define N10(n)                                                                                 \
	p##n##0, p##n##1, p##n##2, p##n##3, p##n##4, p##n##5, p##n##6, p##n##7, p##n##8, p##n##9
#define N100(n)                                                                                \
	N10(n##0), N10(n##1), N10(n##2), N10(n##3), N10(n##4), N10(n##5), N10(n##6), N10(n##7), \
		N10(n##8), N10(n##9)
static procedure *const all[NR] = {
	N100(0), N100(1), N100(2), N100(3), N100(4), N100(5), N100(6), N100(7), N100(8), N100(9),
};

#define S(n)                                                                                   \
	static __attribute__((noinline)) void site##n(int i)                                   \
	{                                                                                      \
		all[i]();                                                                      \
	}
#define S10(n) S(n##0) S(n##1) S(n##2) S(n##3) S(n##4) S(n##5) S(n##6) S(n##7) S(n##8) S(n##9)
S10(0) S10(1) S10(2) S10(3) S10(4) S10(5)
#define T10(n) site##n##0, site##n##1, site##n##2, site##n##3, site##n##4, site##n##5, site##n##6, \
	site##n##7, site##n##8, site##n##9
static void (*const sites[])(int) = {T10(0), T10(1), T10(2),
				       T10(3), T10(4), T10(5)};

static void
on_signal(int signal)
{
	static int i;

	(void)signal;
	all[i++ % NR]();
}

int
main(void)
{
	struct itimerval often = {{0, 20}, {0, 20}};

	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int t = 0; t < TIMES; t++)
		for (int i = 0; i < NR; i++)
			for (unsigned s = 0; s < sizeof(sites) / sizeof(*sites); s++)
				sites[s](i);
	return 0;
}
