/* The same for exceptions: where they land, the time is the procedure's that catches or cleans up. */
#include "centres.h"

#include <cstdlib>
#include <ctime>

static volatile int zero;

NOINLINE static void // 3
throws()
{
	burn(3);
	throw 1;
}

struct held {
	NOINLINE ~held() // 3
	{
		cleaned();
	}
	NOINLINE void
	cleaned() noexcept
	{
		burn(3);
		zero++;
	}
};

NOINLINE static void // 3, on the way: behind the destructor the exception goes on
passes_on()
{
	held h;

	burn(3);
	throws();
}

NOINLINE static void // 3, in the handler
catches()
{
	try {
		passes_on();
	} catch (int) {
		burn(3);
		zero++;
	}
}

int
main(int argc, char **argv)
{
	for (clock_t end = clock() + CLOCKS_PER_SEC / 10 * std::atoi(argv[argc - 1]); clock() < end;)
		catches();
	return 0;
}
