/* stacks CASE: as stacks.c, with what only C++ has. */
#include <cstring>
#include <ctime>
#include <stdexcept>

#define APART __attribute__((noipa))

static volatile long sink;

static long
cpu_ms()
{
	timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

APART static void
burn(int ms)
{
	long end = cpu_ms() + ms;

	do
		for (int i = 0; i < 20000; i++)
			sink = sink + i;
	while (cpu_ms() < end);
}

struct base {
	virtual ~base() {}
	virtual void work() = 0;
};

struct derived : base {
	APART void work() override { burn(280); sink = sink + 1; }
};

APART static void
calls_virtual(base *object)
{
	object->work();
	sink = sink + 1;
}

struct cleanup {
	APART ~cleanup() { burn(140); sink = sink + 1; }
};

APART static void
throws()
{
	cleanup at_the_end;

	throw std::runtime_error("thrown");
}

APART static void
catches()
{
	try {
		throws();
	} catch (const std::exception &) {
		burn(140);
		sink = sink + 1;
	}
}

APART static void
throws_at_once()
{
	throw 1;
}

APART static void
catches_much()
{
	long end = cpu_ms() + 280;

	do
		for (int i = 0; i < 100; i++)
			try {
				throws_at_once();
			} catch (int n) {
				sink = sink + n;
			}
	while (cpu_ms() < end);
}

int
main(int argc, char **argv)
{
	derived d;

	if (argc > 1 && !strcmp(argv[1], "virtual"))
		calls_virtual(&d);
	else if (argc > 1 && !strcmp(argv[1], "catch"))
		catches();
	else if (argc > 1 && !strcmp(argv[1], "much"))
		catches_much();
	else
		return 2;
	return 0;
}
