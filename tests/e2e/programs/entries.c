/* Procedures that are entered by calls only, and some that are not, with their true counts behind
 * them: see shapes.c. Valid C and C++. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

#ifdef __cplusplus
#define LINKAGE "C"
extern "C" {
#endif

static volatile int sink;
static jmp_buf back;

static int
leaf(int i) //: 215
{
	return i + 1; //= 215
}

static int NOINLINE
two_ways(int i) //: 110
{
	if (i & 1) //= 110
		return leaf(i); //= 50
	return leaf(i) + leaf(i + 2); //= 60
}

static int
in_a_loop(int n) //: 10
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		sum += two_ways(i); //= 110
		if (i == 3)
			continue; //= 10
		sum -= i; //= 100
	}
	return sum; //= 10
}

static int
fib(int n) //: 177
{
	if (n < 2) //= 177
		return n; //= 89
	return fib(n - 1) + fib(n - 2); //= 88
}

/* Binomial coefficients: 2 * C(10, 5) - 1 calls. */
static int NOINLINE
choose(int n, int k) //: 503
{
	return k == 0 || k == n ? 1 : choose(n - 1, k - 1) + choose(n - 1, k); //= 503
}

static int odd(int n); /* a circle of two */
static int
even(int n) //: 6
{
	return n ? odd(n - 1) : 1; //= 6
}

static int
odd(int n) //: 6
{
	return n ? even(n - 1) : 0; //= 6
}

/* A circle of three, each of which calls itself: first(14), third(13 10 7 4), second(4),
 * first(3 2), third(1), second(1), first(0), second(-1); then second(2), first(1 0), second(0). */
static int third(int n);
static int
first(int n) //: 6
{
	if (n <= 0) //= 6
		return leaf(n); //= 2
	return n % 2 ? first(n - 1) : third(n - 1); //= 4
}

static int
second(int n) //: 5
{
	if (n <= 0) //= 5
		return leaf(n); //= 2
	return n % 3 ? first(n - 1) + second(n - 2) : first(n - 2); //= 3
}

static int
third(int n) //: 5
{
	if (n > 5) //= 5
		return third(n - 3); //= 3
	return second(n); //= 2
}

/* As from an interrupt: what calls it is not counted. */
static int
by_uncounted(int i) //: 7
{
	return i ^ 5; //= 7
}

__attribute__((no_instrument_function)) static int NOINLINE
uncounted(int i)
{
	return by_uncounted(i);
}

static int
by_both(int i) //: 12
{
	return i ^ 9; //= 12
}

__attribute__((no_profile_instrument_function)) static int NOINLINE
uncounted_too(int i)
{
	return by_both(i);
}

static int
through_pointer(int i) //: 20
{
	return i - 1; //= 20
}

static void
at_exit(void) //: 1
{
	sink = 0; //= 1
}

static void
by_signal(int number) //: 5
{
	sink = number; //= 5
}

__attribute__((constructor)) static void
before_main(void) //: 2
{
	sink++; //= 2
}

/* Called by its other name. */
static int NOINLINE
aliased(int i) //: 9
{
	return i * 2; //= 9
}
static int other_name(int i) __attribute__((alias("aliased")));

/* Called from assembly only (where there is any). */
__attribute__((used, noinline)) static void
by_assembly(void) //: 3
{
	sink++; //= 3
}

static void
cleans(int *i) //: 8
{
	sink = *i; //= 8
}

static int
with_cleanup(int i) //: 8
{
	__attribute__((cleanup(cleans))) int kept = i;

	if (i & 1) //= 8
		return kept; //= 4
	return kept + 1; //= 4
}

static void NOINLINE
jumps(int i) //: 30
{
	if (i % 3 == 0) //= 30
		longjmp(back, 1); //= 10
	sink++; //= 20
}

static void
behind_jump(void) //: 20
{
	sink++; //= 20
}

static void
calls_jump(int i) //: 30
{
	jumps(i); //= 30
	behind_jump(); //= 20
}

static void
landing(void) //: 30
{
	sink++; //= 30
}

static void
catches(int i) //: 30
{
	if (!setjmp(back))
		calls_jump(i); //= 30
	landing(); //= 30
}

__attribute__((noreturn)) static void NOINLINE
never_comes_back(int status) //: 1
{
	exit(status); //= 1
}

static int NOINLINE
tail(int i) //: 1001
{
	if (i == 0) //= 1001
		return leaf(0); //= 1
	return tail(i - 1); //= 1000
}

static int
never_called(int i) //: 0
{
	return i; //= 0
}

static int
switched(int i) //: 40
{
	switch (i % 4) { //= 40
	case 0:
		return leaf(i); //= 10
	case 1:
		i = leaf(i); //= 10
		/* fall through */
	case 2:
		return leaf(i); //= 20
	default:
		return 0; //= 10
	}
}

static int
repeated(int i) //: 100
{
	return i & 3; //= 100
}

#ifdef __cplusplus
}
#endif

int
main(int argc, char **argv)
{
	int (*volatile pointer)(int) = through_pointer;

	(void)argv;
	before_main();
	signal(SIGUSR1, by_signal);
	for (int i = 0; i < 10; i++)
		sink += in_a_loop(11);
	sink += fib(10) + choose(10, 5) + even(11) + first(14);
	for (int i = 0; i < 7; i++)
		sink += uncounted(i);
	for (int i = 0; i < 6; i++)
		sink += by_both(i) + uncounted_too(i);
	for (int i = 0; i < 10; i++)
		sink += pointer(i) + through_pointer(i);
	atexit(at_exit);
	for (int i = 0; i < 5; i++)
		raise(SIGUSR1);
	for (int i = 0; i < 9; i++)
		sink += other_name(i);
	for (int i = 0; i < 3; i++)
#ifdef __x86_64__
		__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpush %%rbp\n\tmov %%rsp, %%rbp\n\t"
				 "and $-16, %%rsp\n\tcall by_assembly\n\tmov %%rbp, %%rsp\n\t"
				 "pop %%rbp\n\tlea 128(%%rsp), %%rsp"
				 ::: "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
				 "r10", "r11");
#else
		by_assembly();
#endif
	for (int i = 0; i < 8; i++)
		sink += with_cleanup(i);
	for (int i = 0; i < 30; i++)
		catches(i);
	sink += tail(1000);
	if (argc > 100)
		sink += never_called(1);
	for (int i = 0; i < 40; i++)
		sink += switched(i);
	for (int i = 0; i < 100; i++)
		sink += repeated(argc);
	never_comes_back(0);
}
