/* How many blocks each procedure executes at -O0 can be counted by hand: a call ends one, a loop of
 * N rounds is N, N + 1 tests, and what is before and behind it. */
static volatile long x;

__attribute__((noinline)) static void
leaf(void)
{
	x++;
}

__attribute__((noinline)) static void
loop(long n)
{
	while (n-- > 0)
		x += n;
}

__attribute__((noinline)) static void
once(void)
{
	loop(10);
}

__attribute__((noinline)) static void
thrice(void)
{
	loop(10);
	loop(10);
	loop(10);
	leaf();
}

__attribute__((noinline)) static void
down(long n)
{
	leaf();
	if (n > 0)
		down(n - 1);
}

static void (*volatile which)(void) = leaf;

__attribute__((noinline)) static void
pointed(void)
{
	which();
}

__attribute__((noinline)) static void
above(void)
{
	pointed();
}

int
main(int argc, char **argv)
{
	(void)argv;
	if (argc > 5)
		which = once;
	once();
	thrice();
	down(4);
	above();
	return 0;
}
