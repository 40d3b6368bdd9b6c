/* Threads and processes that end, or are interrupted, at any moment in a loop whose counts are
 * stored behind it: test-sums-ends.sh. It prints what the loop has done, as it stands in memory
 * that outlives who does it: rounds of runs that ended, rounds in all, and runs that ended. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 60000, PAGE = 4096, ROOM = 64 * PAGE };

/* In front of the cells, which end where a page begins that nobody may touch. */
struct seen {
	_Atomic int ended; /* runs; the cells of the next one are those with the next number */
	_Atomic long before; /* rounds of those that a handler left */
};

static struct seen *seen;
static unsigned *cells;
static sigjmp_buf back;

/* Inlined: its calls are rounds. */
static inline __attribute__((always_inline)) unsigned
value_of(unsigned run)
{
	return run;
}

__attribute__((noinline)) static void
fill(unsigned *p, const unsigned *end, unsigned run)
{
	while (p < end)
		*p++ = value_of(run); //= each round
}

static int
length_of(int run)
{
	return 1 + (int)((unsigned)run * 7919u % MOST);
}

static void
runs(int nr)
{
	for (int run = seen->ended + 1; nr--; run++) {
		fill(cells, cells + length_of(run), (unsigned)run);
		seen->ended++; //= each run
#ifdef SHARED
		cells[0] = value_of((unsigned)run);
#endif
	}
}

static long
rounds_of(int runs)
{
	long sum = 0;

	for (int run = 1; run <= runs; run++)
		sum += length_of(run);
	return sum;
}

/* Of the run that did not end. */
static long
rounds_of_last(void)
{
	unsigned run = (unsigned)seen->ended + 1;
	long n = 0;

	while (n < length_of((int)run) && cells[n] == run)
		n++;
	return n;
}

static void
begin(void)
{
	unsigned char *room = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	mprotect(room + ROOM, PAGE, PROT_NONE);
	seen = (struct seen *)room;
	cells = (unsigned *)(room + PAGE);
}

static long all_ended, all, all_runs;

static void
add_up(void)
{
	all_ended += rounds_of(seen->ended);
	all += rounds_of(seen->ended) + rounds_of_last();
	all_runs += seen->ended;
}

/* Children that are killed after some time; or, with a fault, behind some runs. */
static void
children(int nr, int fault)
{
	for (int i = 0; i < nr; i++) {
		pid_t child;

		memset(seen, 0, ROOM);
		child = fork();
		if (!child) {
			if (!fault)
				runs(-1);
			runs(i % 7);
			fill((unsigned *)((char *)seen + ROOM) - length_of(i),
			     (unsigned *)((char *)seen + ROOM + 4), 1u << 31);
			_exit(1);
		}
		if (!fault) {
			usleep((unsigned)(random() % 1500));
			kill(child, SIGKILL);
		}
		waitpid(child, NULL, 0);
		add_up();
		all += fault ? length_of(i) : 0;
	}
}

static _Atomic int interrupts, wanted;
static unsigned own[64];

static void
on_alarm(int signal)
{
	(void)signal;
	if (++interrupts >= wanted)
		return;
	fill(own, own + 64, 7);
}

static void
leave(int signal)
{
	(void)signal;
	interrupts++;
	siglongjmp(back, 1);
}

static void
alarms(void (*handler)(int), int us)
{
	struct itimerval every = {{0, us}, {0, us}};

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &every, NULL);
}

/* The handler counts in the same loop, and comes back. */
static void
interrupted(int nr)
{
	struct itimerval never = {{0, 0}, {0, 0}};

	wanted = nr;
	alarms(on_alarm, 100);
	while (interrupts < nr)
		runs(20);
	setitimer(ITIMER_REAL, &never, NULL);
	add_up();
	all_ended += 64L * (nr - 1);
	all += 64L * (nr - 1);
}

/* The handler does not come back. */
static void
jumping(int nr)
{
	volatile int left = nr;
	struct itimerval once = {{0, 0}, {0, 300}};

	signal(SIGALRM, leave);
	while (left--) {
		memset(cells, 0, ROOM - PAGE);
		if (!sigsetjmp(back, 1)) {
			once.it_value.tv_usec = 50 + left % 400;
			setitimer(ITIMER_REAL, &once, NULL);
			runs(-1);
		}
		seen->before += rounds_of_last();
	}
	memset(cells, 0, ROOM - PAGE);
	add_up();
	all += seen->before;
}

static unsigned *much;
static _Atomic int started;

static void *
fills_much(void *rounds)
{
	started = 1;
	fill(much, much + (long)rounds, 3);
	return NULL;
}

/* Another thread is in a long run when this one ends the program. */
static void
with_thread(long rounds)
{
	pthread_t other;

	much = malloc((size_t)rounds * sizeof(*much));
	memset(much, 1, (size_t)rounds * sizeof(*much));
	pthread_create(&other, NULL, fills_much, (void *)rounds);
	while (!started)
		;
	all_ended = 0;
	all = rounds;
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	int nr = argc > 2 ? atoi(argv[2]) : 0;

	begin();
	if (!strcmp(way, "kill") || !strcmp(way, "fault"))
		children(nr, *way == 'f');
	if (!strcmp(way, "interrupt"))
		interrupted(nr);
	if (!strcmp(way, "jump"))
		jumping(nr);
	if (!strcmp(way, "thread") || !strcmp(way, "_exit") || !strcmp(way, "exec"))
		with_thread(nr);
	printf("%ld %ld %ld\n", all_ended, all, all_runs);
	fflush(stdout);
	if (!strcmp(way, "_exit"))
		_exit(0);
	if (!strcmp(way, "exec"))
		execl("/bin/true", "true", NULL);
	return 0;
}
