/* Lifetimes in time. The program keeps the account itself: of each kind of blocks it prints how
 * many there were, what the sum of their lifetimes is at least and at most, and what it would be if
 * all were as old as the procedure's call, in ns, by a clock that is finer than the profiler's. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NR = 50 };
static void *volatile fill;

static long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
sleep_ms(long ms)
{
	const struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

/* What comes next is of another 4 kB. */
static void
go_on(void)
{
	for (int i = 0; i < 5; i++) {
		fill = malloc(16384);
		free(fill);
	}
}

/* LEAST and MOST: what is seen around the calls. */
static __attribute__((noinline)) void
tell(const char *name, int nr, long least, long most, long oldest)
{
	printf("%s %d %ld %ld %ld\n", name, nr, least, most, oldest);
}

static __attribute__((noinline)) void
keep_one(void)
{
	long start = now(), oldest = 0;
	long before, born, dies;
	void *p;

	go_on();
	before = now();
	fill = p = malloc(100);
	born = now();
	go_on();
	sleep_ms(150);
	dies = now();
	free(p);
	oldest = now() - start;
	tell("keep_one", 1, dies - born, now() - before, oldest);
}

/* Their births are apart, in one piece of the heap clock. */
static __attribute__((noinline)) void
keep_some(void)
{
	long start = now(), oldest = 0;
	long least = 0, most = 0, before[5], born[5];
	void *p[5];

	go_on();
	for (int i = 0; i < 5; i++) {
		before[i] = now();
		fill = p[i] = malloc(10);
		born[i] = now();
		sleep_ms(10);
	}
	for (int i = 0; i < 5; i++) {
		least += now() - born[i];
		free(p[i]);
		most += now() - before[i];
		oldest += now() - start;
	}
	tell("keep_some", 5, least, most, oldest);
}

static __attribute__((noinline)) void
keep_none(void)
{
	long start = now(), oldest = 0;
	long least = 0, most = 0;

	for (int i = 0; i < 1000; i++) {
		long before = now(), born, dies;
		void *p = fill = malloc(1000);

		born = now();
		dies = now();
		free(p);
		least += dies - born;
		most += now() - before;
		oldest += now() - start;
	}
	tell("keep_none", 1000, least, most, oldest);
}

static long passed[NR][2];
static void *blocks[NR];

static void *
give_back(void *unused)
{
	(void)unused;
	for (int i = 0; i < NR; i++) {
		passed[i][1] = now() - passed[i][1];
		free(blocks[i]);
		passed[i][0] = now() - passed[i][0];
	}
	return NULL;
}

/* Another thread gives them back. */
static __attribute__((noinline)) void
hand_over(void)
{
	long start = now(), oldest = 0;
	long least = 0, most = 0;
	pthread_t t;

	go_on();
	for (int i = 0; i < NR; i++) {
		passed[i][0] = now();
		blocks[i] = malloc(2000);
		passed[i][1] = now();
	}
	sleep_ms(60);
	pthread_create(&t, NULL, give_back, NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < NR; i++) {
		least += passed[i][1];
		most += passed[i][0];
		oldest += now() - start;
	}
	tell("hand_over", NR, least, most, oldest);
}

/* Realloc ends what was there. */
static __attribute__((noinline)) void
grow(void)
{
	long start = now(), oldest = 0;
	long before, born, dies;
	void *p;

	go_on();
	before = now();
	fill = p = malloc(300);
	born = now();
	sleep_ms(40);
	dies = now();
	p = realloc(p, 3000);
	oldest = now() - start;
	tell("grow", 1, dies - born, now() - before, oldest);
	fill = p;
}

int
main(void)
{
	static char room[4096];

	setvbuf(stdout, room, _IOFBF, sizeof(room)); /* no block of its own */
	keep_one();
	keep_some();
	keep_none();
	hand_over();
	grow();
	return 0;
}
