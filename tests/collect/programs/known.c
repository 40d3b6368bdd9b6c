/* known ROUNDS: procedures that burn known numbers of cycles, called directly, recursively, through
 * pointers and from threads, in random order. Prints for each what it burnt itself and what was
 * burnt in or below it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noipa))

/* A chain of multiplications, each waits for the one before: its time does not depend on where the
 * code lies, and there is no counter in it. About 10 us at 3 GHz. */
enum { UNIT = 2500 };
#define BURN(n)                                                                                   \
	do {                                                                                      \
		unsigned long x = 3, left = (unsigned long)(n) * UNIT;                            \
		__asm__ volatile("1: imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n"  \
				 "\tdec %1\n\tjnz 1b" : "+r"(x), "+r"(left));                     \
	} while (0)

static volatile int sink;

APART static void one(void) { BURN(5); sink++; }
APART static void two(void) { BURN(10); sink++; }
APART static void three(void) { BURN(15); sink++; }
APART static void helper(void) { BURN(4); sink++; }
APART static void helped(void) { BURN(6); helper(); BURN(5); helper(); sink++; }

APART static void
recursive(int depth)
{
	BURN(2);
	if (depth > 1)
		recursive(depth - 1);
	sink++;
}

APART static void odd(int n);
APART static void
even(int n)
{
	BURN(1);
	if (n > 0)
		odd(n - 1);
	sink++;
}

APART static void
odd(int n)
{
	BURN(3);
	if (n > 0)
		even(n - 1);
	sink++;
}

APART static void pointed(void) { BURN(8); sink++; }
APART static void pointed_too(void) { BURN(12); sink++; }
static void (*volatile pointers[2])(void) = { pointed, pointed_too };

APART static int
compare(const void *a, const void *b)
{
	BURN(1);
	return *(const int *)a - *(const int *)b;
}

static int nr_compared;

APART static int
count_compare(const void *a, const void *b)
{
	nr_compared++;
	return *(const int *)a - *(const int *)b;
}

APART static void *in_thread(void *p) { BURN(300); sink++; return p; }
APART static void *in_short_thread(void *p) { BURN(30); sink++; return p; }

static void call_one(void) { one(); }
static void call_two(void) { two(); }
static void call_three(void) { three(); }
static void call_helped(void) { helped(); }
static void call_recursive(void) { recursive(8); }
static void call_even(void) { even(3); }
static void call_pointed(void) { pointers[0](); }
static void call_pointed_too(void) { pointers[1](); }

static void
call_sort(void)
{
	int numbers[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	qsort(numbers, 8, sizeof(int), compare);
}

static void
start(void *(*f)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, f, NULL) || pthread_join(thread, NULL))
		abort();
}

static void call_in_thread(void) { start(in_thread); }
static void call_in_short_thread(void) { start(in_short_thread); }

static const struct {
	void (*call)(void);
	int times; /* a round */
} plan[] = {
	{ call_one, 40 }, { call_two, 20 }, { call_three, 20 }, { call_helped, 20 },
	{ call_recursive, 20 }, { call_even, 30 }, { call_pointed, 25 }, { call_pointed_too, 25 },
	{ call_sort, 15 }, { call_in_thread, 2 }, { call_in_short_thread, 15 },
};

enum { PLANS = sizeof(plan) / sizeof(*plan) };

static unsigned
random_below(unsigned n)
{
	static unsigned long state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

/* All calls of a round in an order that has nothing to do with the clock's. */
static void
play_round(void)
{
	unsigned char calls[512];
	unsigned nr = 0, i, k;

	for (i = 0; i < PLANS; i++)
		for (k = 0; k < (unsigned)plan[i].times; k++)
			calls[nr++] = (unsigned char)i;
	for (; nr > 0; nr--) {
		k = random_below(nr);
		plan[calls[k]].call();
		calls[k] = calls[nr - 1];
	}
}

int
main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1;
	int numbers[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	qsort(numbers, 8, sizeof(int), count_compare);
	for (long i = 0; i < rounds; i++)
		play_round();
	printf("one 200 200\ntwo 200 200\nthree 300 300\nhelper 160 160\nhelped 220 380\n"
	       "recursive 320 320\neven 60 240\nodd 180 240\npointed 200 200\n"
	       "pointed_too 300 300\ncompare %d %d\nin_thread 600 600\nin_short_thread 450 450\n",
	       15 * nr_compared, 15 * nr_compared);
	return 0;
}
