/* Calls in tail position that never come back: by longjmp, from either arm. */
#include <setjmp.h>

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

int
main(void)
{
	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(back))
			resume(i > 0, i != 5);
	hook.call = last;
	both(0);
	return 0;
}
