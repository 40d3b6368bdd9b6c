/* Procedures that burn known shares of the time, in all the ways that a procedure can come to its
 * time. What is called left_out_... is left out by an option: its callers are to be charged. The
 * number behind each procedure is what it is to be charged with in one turn; shares.expected says
 * the same. Turns are in random order: no procedure is in step with the timer. */
#include "centres.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static jmp_buf jump;
static volatile int zero; /* something to do behind a call: it is no tail call then */
static long nr_turns;

NOINLINE static void
left_out_plain(void)
{
	burn(3);
}

/* ---- left ---- */

static inline void
left_out_inlined(void)
{
	burn(1);
	burn(2);
}

NOINLINE static void /* 4 */
small(void)
{
	burn(2);
	zero++;
}

/* Time before and behind calls of what is profiled. */
NOINLINE static void
left_out_between(void)
{
	burn(1);
	small();
	burn(1);
	small();
	burn(1);
}

NOINLINE static void /* 3 */
calls_left_out(void)
{
	left_out_plain();
	zero++;
}

NOINLINE static void /* 3 */
has_inlined(void)
{
	left_out_inlined();
	zero++;
}

NOINLINE static void /* 3 */
calls_between(void)
{
	left_out_between();
	zero++;
}

NOINLINE static void /* 3, through a pointer */
calls_pointer(void)
{
	static void (*volatile pointer)(void) = left_out_plain;

	pointer();
	zero++;
}

/* ---- jumps ---- */

NOINLINE static void /* 3: it leaves by a jump */
jumps(void)
{
	zero++;
	left_out_plain();
}

NOINLINE static void /* 3 */
jumped_to(void)
{
	burn(3);
	zero++;
}

NOINLINE static void /* 3 before the jump */
jumps_to_profiled(void)
{
	burn(3);
	jumped_to();
}

NOINLINE static int /* 3: one in each of its executions */
recursive(int n)
{
	int below;

	if (n == 0)
		return 0;
	below = recursive(n - 1);
	burn(1);
	return below + 1;
}

NOINLINE static void /* 2 */
jumps_far(void)
{
	burn(2);
	longjmp(jump, 1);
}

NOINLINE static void /* 3, behind the second return */
sets_jump(void)
{
	if (!setjmp(jump))
		jumps_far();
	burn(3);
	zero++;
}

/* ---- outside ---- */

static void
callback(void)
{
	zero++;
}

NOINLINE static void /* 4: the library goes on when the callback has returned */
hands_callback(void)
{
	burn_around(callback, 4);
	zero++;
}

static void /* 3 */
on_signal(int number)
{
	(void)number;
	burn(3);
	zero++;
}

NOINLINE static void /* 4: the handler comes and goes */
is_interrupted(void)
{
	burn_with_signal(4);
	zero++;
}

static void
outside_library(void)
{
	in_library(); /* 3 */
}

/* ---- turns ---- */

static void (*const left[])(void) = {
	calls_left_out, has_inlined, calls_between, calls_pointer, NULL,
};

static void (*const outside[])(void) = {hands_callback, is_interrupted, outside_library, NULL};

/* Calls by name: what is called through a pointer cannot be told when it has left by a jump. */
NOINLINE static void
jump_number(unsigned i)
{
	switch (i) {
	case 0:
		jumps();
		break;
	case 1:
		jumps_to_profiled();
		break;
	case 2:
		recursive(3);
		break;
	default:
		sets_jump();
	}
	zero++;
}

static unsigned
random_below(unsigned n)
{
	static unsigned long state = 1;

	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)(state >> 33) % n;
}

static void
run(void (*const *what)(void), unsigned nr)
{
	unsigned order[8], i, k;

	for (i = 0; i < nr; i++) {
		k = random_below(i + 1);
		order[i] = order[k];
		order[k] = i;
	}
	for (i = 0; i < nr; i++)
		if (what)
			what[order[i]]();
		else
			jump_number(order[i]);
}

/* ---- threads ---- */

NOINLINE static void /* 3 */
in_thread(void)
{
	burn(3);
	zero++;
}

static void *
thread(void *unused)
{
	for (long i = 0; i < nr_turns; i++)
		in_thread();
	return unused;
}

/* (unprofiled): 3, no profiled procedure has called it */
static void *
left_out_thread(void *unused)
{
	for (long i = 0; i < nr_turns; i++)
		burn(3);
	return unused;
}

static void
run_threads(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, thread, NULL);
	pthread_create(&b, NULL, left_out_thread, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

/* shares left|jumps|outside|threads TENTHS-OF-SECONDS */
int
main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	const char *what = argc == 3 ? argv[1] : "";
	clock_t end = clock() + CLOCKS_PER_SEC / 10 * (argc == 3 ? atoi(argv[2]) : 0);

	sigaction(SIGUSR1, &action, NULL);
	for (; clock() < end; nr_turns++)
		if (!strcmp(what, "left"))
			run(left, 4);
		else if (!strcmp(what, "jumps"))
			run(NULL, 4);
		else if (!strcmp(what, "outside"))
			run(outside, 3);
		else
			in_thread();
	if (!strcmp(what, "threads"))
		run_threads();
	return 0;
}
