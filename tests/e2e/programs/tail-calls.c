/* Calls in tail position that never come back: by longjmp, from either arm. */
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;
static int steps;

__attribute__((noinline)) static void
leave(int away)
{
	steps++;
	if (away)
		longjmp(back, 1);
}

__attribute__((noinline)) static void
unroll(int away)
{
	steps++;
	if (away)
		longjmp(back, 1);
}

__attribute__((noinline)) static void
resume(int again, int away)
{
	int before = steps;

	if (!again)
		leave(away);
	else {
		steps = before + 1;
		leave(0);
		unroll(away);
	}
}

static struct { void (*call)(int, long); } hook;

__attribute__((noinline)) static void
last(int code, long away)
{
	steps += code;
	unroll(away != 0);
}

__attribute__((noinline)) static int
first(int away)
{
	leave(away);
	return away;
}

/* The line of a call in tail position is executed once, though another call interrupts it. */
__attribute__((noinline)) static void
both(int away)
{
	hook.call(steps,
		  first(away));
}

/* The value goes through a variable of the compiler's. Without a jump the stack would overflow. */
__attribute__((noinline)) static long
count_down(long n, long sum)
{
	return n ? count_down(n - 1, sum + n) : sum;
}

__attribute__((noinline)) static int
give(int away)
{
	leave(away);
	return steps;
}

__attribute__((noinline)) static int
choose(int away)
{
	return steps & 1 ? give(away) : give(2 * away);
}

/* The program's own variable: its return has not been executed before the call comes back. */
__attribute__((noinline)) static int
keep(int away)
{
	int kept = give(away);

	return kept;
}

int
main(int argc, char **argv)
{
	long depth = atol(argv[argc - 1]);

	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(back))
			resume(i > 0, i != 5);
	hook.call = last;
	both(0);
	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(back))
			choose(i == 5);
	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(back))
			keep(i == 5);
	return count_down(depth, 0) != depth * (depth + 1) / 2;
}
