/* Small procedures that are inlined, so that their counters are counted together: across branches,
 * calls that do not come back, longjmp, setjmp and the end by a signal. Counts: test-joint.sh. */
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static volatile int sink;
static jmp_buf again;

static int
get(const int *p)
{
	return *p;
}

static void
set(int *p, int v)
{
	*p = v;
	sink = v;
}

static int
twice(int *p)
{
	set(p, get(p) * 2);
	return get(p);
}

static int
half(int *p)
{
	if (get(p) % 2)
		return -1;
	set(p, get(p) / 2);
	return get(p);
}

static void
jump(int i)
{
	int v;

	set(&v, i);
	if (v % 3 == 0)
		longjmp(again, 1);
	set(&v, i + 1);
}

static void
end(int v)
{
	set(&v, 1);
	kill(getpid(), SIGKILL);
	set(&v, 2);
}

int
main(void)
{
	volatile int i;
	int v;

	for (i = 0; i < 100; i++) {
		set(&v, i);
		twice(&v);
		set(&v, i);
		half(&v);
	}
	for (i = 1; i <= 30; i++)
		if (!setjmp(again))
			jump(i);
	end(0);
	return 0;
}
