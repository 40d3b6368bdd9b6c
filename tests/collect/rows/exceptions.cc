/* Eight ways of an exception, each 100 times; hand counts beside. */
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <string>

extern "C" {
#include "step.h"

void call_back(void (*f)(int), int i); /* thrower.cc: in a library */

static volatile int never;

__attribute__((noinline)) static void
thrower(int i)
{
	step(i);
	throw i;
}

/* 1: through frames that have nothing to do with it */
__attribute__((noinline)) static void
through(int depth, int i)
{
	step(i);
	if (depth > 0)
		through(depth - 1, i);
	else
		thrower(i);
	never++;
}

/* 2: rethrown */
__attribute__((noinline)) static void
rethrow(int i)
{
	try {
		thrower(i);
	} catch (int) {
		step(i);
		throw;
	}
}

/* 3: caught by the caller, as its base class */
struct base { virtual ~base() {} };
struct derived : base { std::string text = "a text that is too long to be stored in place"; };

__attribute__((noinline)) static void
object(int i)
{
	step(i);
	throw derived();
}

/* 4: with destructors on the way */
struct cleaner {
	~cleaner() { step(1); }
};

__attribute__((noinline)) static void
cleanup(int i)
{
	cleaner a, b;
	thrower(i);
	never++;
}

/* 7: one in the handler of another */
__attribute__((noinline)) static void
nested(int i)
{
	try {
		thrower(i);
	} catch (int) {
		try {
			thrower(i);
		} catch (int) {
			step(i);
		}
		step(i);
	}
}

/* 8: a jump out of a signal handler, past a frame that an exception has left before */
static sigjmp_buf back;

static void
handler(int)
{
	step(8);
	siglongjmp(back, 1);
}

__attribute__((noinline)) static void
by_signal(int i)
{
	try {
		thrower(i);
	} catch (int) {
		raise(SIGUSR1);
	}
	never++;
}

static void *
in_thread(void *)
{
	for (int i = 0; i < 100; i++)
		try {
			cleanup(i); /* 300 */
		} catch (...) {
			step(i); /* 100 */
		}
	return NULL;
}
}

int
main()
{
	pthread_t thread;
	int caught = 0;

	for (int i = 0; i < 100; i++) {
		try { through(4, i); } catch (int) { caught++; }        /* 600 */
		try { rethrow(i); } catch (int) { caught++; }           /* 200 */
		try { object(i); } catch (base &) { caught++; }         /* 100 */
		try { cleanup(i); } catch (...) { caught++; }           /* 300 */
		try { call_back(thrower, i); } catch (int) { caught++; } /* 100 */
		nested(i);                                              /* 400 */
	}
	pthread_create(&thread, NULL, in_thread, NULL);                 /* 400 */
	pthread_join(thread, NULL);
	signal(SIGUSR1, handler);
	for (volatile int i = 0; i < 100; i++)
		if (sigsetjmp(back, 1) == 0)
			by_signal(i);                                   /* 200 */
	std::printf("%d caught, %d never\n", caught, never);
	return 0;
}
