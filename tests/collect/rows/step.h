/* What the tests of the rows count: calls of step(). */
#ifndef STEP_H
#define STEP_H

static volatile long step_sink;

__attribute__((noinline, unused)) static void
step(long i)
{
	step_sink = i;
}

__attribute__((noinline, unused)) static void
steps(long nr)
{
	for (long i = 0; i < nr; i++)
		step(i);
}

#endif
