/* stacks CASE: spends its time in a place that is reached in one known way, see test-stacks.sh. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__((noipa))

enum { MS = 280 }; /* that each case takes */

static volatile long sink;
static volatile sig_atomic_t caught;

static long
cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

APART static void
burn(int ms)
{
	long end = cpu_ms() + ms;

	do
		for (int i = 0; i < 20000; i++)
			sink += i;
	while (cpu_ms() < end);
}

/* ---- through libc ---- */

static int numbers[] = { 4, 2, 5, 1, 3 };

APART static int
compare(const void *a, const void *b)
{
	burn(MS / 7);
	return *(const int *)a - *(const int *)b;
}

APART static void
sorts(void)
{
	qsort(numbers, 5, sizeof(int), compare);
	sink++;
}

APART static int
like(const void *a, const void *b)
{
	burn(MS / 2);
	return *(const int *)a - *(const int *)b;
}

APART static void
searches(void)
{
	void *(*volatile search)(const void *, const void *, size_t, size_t,
				 int (*)(const void *, const void *)) = bsearch; /* libc's own */
	int five = 5;

	sink += search(&five, (int[]){ 1, 2, 5, 7 }, 4, sizeof(int), like) != NULL;
}

/* ---- through signal handlers ---- */

APART static void
on_signal(int signal)
{
	burn(MS / 4);
	caught += signal != 0;
}

APART static void
raises(void)
{
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 4; i++)
		raise(SIGUSR1);
	sink++;
}

static void
alarm_soon(void)
{
	struct itimerval when = { .it_value = { 0, 1000 } };

	setitimer(ITIMER_REAL, &when, NULL);
}

/* Interrupted at any instruction, not at a call. */
APART static void
is_interrupted(void)
{
	signal(SIGALRM, on_signal);
	for (int i = 1; i <= 4; i++) {
		alarm_soon();
		while (caught < i)
			sink++;
	}
}

/* A frame of several pages on a stack of its own. */
APART static void
wide(void)
{
	volatile char room[16384];

	room[0] = room[sizeof(room) - 1] = 1;
	burn(MS / 4);
	sink += room[0];
}

APART static void
on_other_stack(int signal)
{
	wide();
	caught += signal != 0;
}

APART static void
is_interrupted_elsewhere(void)
{
	stack_t stack = { .ss_size = 256 * 1024 };
	struct sigaction action = { .sa_handler = on_other_stack, .sa_flags = SA_ONSTACK };

	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &action, NULL);
	for (int i = 1; i <= 4; i++) {
		alarm_soon();
		while (caught < i)
			sink++;
	}
}

/* ---- calls that leave no frame, or are none ---- */

APART static void
last(int ms)
{
	long end = cpu_ms() + ms;

	do
		for (int i = 0; i < 20000; i++)
			sink += i;
	while (cpu_ms() < end);
}

APART static void
jumps(int ms)
{
	sink++;
	last(ms);
}

APART static void
calls_what_jumps(void)
{
	jumps(MS);
	sink++;
}

/* It could have jumped to the last one itself, but never did. */
APART static void
jumps_to_one(int ms)
{
	if (sink++ < 0)
		last(ms);
	else
		jumps(ms);
}

APART static void
calls_what_could_jump_farther(void)
{
	jumps_to_one(MS);
	sink++;
}

/* It is on no stack, so nobody knows which of both jumped. */
APART static void
jumps_from_two(int ms)
{
	if (ms & 1) {
		sink /= 3;
		last(ms);
	} else {
		sink += 7;
		last(ms + 1);
	}
}

APART static void
calls_what_jumps_from_two(void)
{
	jumps_from_two(MS / 4 * 2);
	sink++;
	jumps_from_two(MS / 4 * 2 + 1);
	sink++;
}

static volatile int priority = 2;

static int
is_wanted(void)
{
	return priority == 2;
}

/* Its condition is worth inlining, the rest is split off. */
static void
splits(int ms)
{
	if (is_wanted()) {
		for (int i = 0; i < 3; i++)
			sink += ms * i;
		for (int i = 3; i < 9; i++)
			sink ^= i / (ms | 1);
		if (ms > 5)
			sink /= ms * ms;
		else
			sink *= ms + 7;
		jumps(ms); /* the part jumps */
	}
}

APART static void
calls_what_splits(void)
{
	volatile int ms = MS;

	splits(ms);
	for (ms = 0; sink == 17; ms--)
		splits(ms);
	splits(ms - 1);
	splits(ms - 2);
	splits(ms - 3);
	sink++;
}

/* Its body stands in the next one's. */
static inline __attribute__((always_inline)) void
jumps_from_within(int ms)
{
	last(ms);
}

APART static void
has_what_jumps(int ms)
{
	sink++;
	jumps_from_within(ms);
}

APART static void
calls_what_has_it(void)
{
	has_what_jumps(MS);
	sink++;
}

APART static void
jumps_twice(int ms)
{
	sink++;
	jumps(ms);
}

APART static void
does_not_jump(int ms)
{
	sink += ms;
}

static void (*volatile to_call)(int ms);

static inline __attribute__((always_inline)) void
jumps_by_pointer_from_within(int ms)
{
	to_call(ms);
}

APART static void
has_what_jumps_by_pointer(int ms)
{
	sink++;
	jumps_by_pointer_from_within(ms);
}

APART static void
calls_what_has_that(void)
{
	to_call = last;
	has_what_jumps_by_pointer(MS);
	sink++;
}

/* Only one of both can have jumped. */
APART static void
calls_one_that_jumps(void)
{
	to_call = does_not_jump;
	for (int i = 0; i < 2; i++) {
		to_call(MS);
		to_call = jumps_twice;
	}
}

/* Either can. */
APART static void
calls_two_that_jump(void)
{
	to_call = jumps_twice;
	for (int i = 0; i < 2; i++) {
		to_call(MS / 2);
		to_call = jumps;
	}
}

static inline __attribute__((always_inline)) void
inner(int ms)
{
	sink++;
	burn(ms); /* inner calls */
	sink++;
}

static inline __attribute__((always_inline)) void
middle(int ms)
{
	sink++;
	inner(ms); /* middle calls */
	sink++;
}

APART static void
has_inlined(void)
{
	sink++;
	middle(MS); /* outer calls */
	sink++;
}

/* ---- deep ---- */

APART static void
recurse(int depth)
{
	if (depth > 1)
		recurse(depth - 1);
	else
		burn(MS);
	sink++;
}

APART static void
recurses(void)
{
	recurse(10000);
	sink++;
}

/* ---- stacks of its own ---- */

static ucontext_t here, there;

APART static void
coroutine(void)
{
	for (int i = 0; i < 4; i++) {
		wide();
		swapcontext(&there, &here);
	}
}

APART static void
switches(void)
{
	enum { SIZE = 256 * 1024 };

	getcontext(&there);
	there.uc_stack.ss_sp = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	there.uc_stack.ss_size = SIZE;
	makecontext(&there, coroutine, 0);
	for (int i = 0; i < 4; i++)
		swapcontext(&here, &there);
}

/* ---- code that nothing is known about ---- */

/* Inlined: what it calls would leave its return address where the code has its room, and that of a
 * call in the program is taken for the caller. */
static inline __attribute__((always_inline)) void *
make_code(const unsigned char *code, size_t n)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	memcpy(p, code, n);
	return p;
}

/* push %rbx; sub $160, %rsp; mov %esi, ...: calls what it is given, then counts down itself. */
static const unsigned char code[] = {
	0x53,                                     /* push %rbx */
	0x48, 0x81, 0xec, 0xa0, 0x00, 0x00, 0x00, /* sub $160, %rsp */
	0x48, 0x89, 0xf3,                         /* mov %rsi, %rbx */
	0x48, 0x89, 0xf8,                         /* mov %rdi, %rax */
	0xbf, 0x8c, 0x00, 0x00, 0x00,             /* mov $140, %edi */
	0xff, 0xd0,                               /* call *%rax */
	0x48, 0xff, 0xcb,                         /* again: dec %rbx */
	0x75, 0xfb,                               /* jne again */
	0x48, 0x81, 0xc4, 0xa0, 0x00, 0x00, 0x00, /* add $160, %rsp */
	0x5b,                                     /* pop %rbx */
	0xc3,                                     /* ret */
};

APART static void
runs_code(void)
{
	void *made = make_code(code, sizeof(code));
	void (*f)(void (*)(int), long) = (void (*)(void (*)(int), long))made;

	f(burn, 300000000);
	sink++;
}

/* The runtime's code (Makefile). */
extern const unsigned char __start_cgview_rt[] __attribute__((visibility("hidden")));
extern const unsigned char __stop_cgview_rt[] __attribute__((visibility("hidden")));

/* Where one of the runtime's calls of its own returns to. */
static const unsigned char *
behind_a_call_of_the_runtime(void)
{
	const unsigned char *p = __start_cgview_rt, *called;
	int32_t distance;

	for (;; p++) {
		memcpy(&distance, p + 1, sizeof(distance));
		called = p + 5 + distance;
		if (*p == 0xe8 && called >= __start_cgview_rt && called < __stop_cgview_rt)
			return p + 5;
	}
}

APART static void
fills_stack(const unsigned char *what)
{
	const unsigned char *volatile left_over[64];

	for (int i = 0; i < 64; i++)
		left_over[i] = what;
}

APART static void
runs_code_where_runtime_was(void)
{
	void *made = make_code(code, sizeof(code));
	void (*f)(void (*)(int), long) = (void (*)(void (*)(int), long))made;

	fills_stack(behind_a_call_of_the_runtime());
	f(burn, 300000000);
	sink++;
}

APART static void
asks_time(void)
{
	long end = cpu_ms() + MS;
	struct timespec t;

	do
		for (int i = 0; i < 20000; i++)
			clock_gettime(CLOCK_MONOTONIC, &t);
	while (cpu_ms() < end);
}

/* ---- threads that others start ---- */

APART static void
in_thread(void)
{
	burn(MS);
	caught = 1;
}

/* What an unwinder that has lost its way may take for a caller. */
APART static void *
behind_a_call(void)
{
	return __builtin_return_address(0);
}

APART static void *
in_own_thread(void *unused)
{
	void *volatile left_over[16];

	for (int i = 0; i < 16; i++)
		left_over[i] = behind_a_call();
	burn(MS);
	return unused;
}

APART static void
starts_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, in_own_thread, NULL);
	pthread_join(thread, NULL);
}

#ifdef WITH_LIBRARY
void run_in_thread(void (*f)(void));

APART static void
lets_start_thread(void)
{
	run_in_thread(in_thread);
}
#endif

APART static void
on_timer(union sigval value)
{
	in_thread();
	sink += value.sival_int;
}

APART static void
lets_timer_start_thread(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_timer,
				  .sigev_value = { .sival_int = 7 } };
	struct itimerspec when = { .it_value = { 0, 1000000 } };
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &when, NULL);
	while (!caught)
		usleep(1000);
	usleep(1000);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "qsort", sorts },
	{ "bsearch", searches },
	{ "raise", raises },
	{ "interrupt", is_interrupted },
	{ "sigaltstack", is_interrupted_elsewhere },
	{ "tail", calls_what_jumps },
	{ "tail-never", calls_what_could_jump_farther },
	{ "tail-part", calls_what_splits },
	{ "tail-two", calls_what_jumps_from_two },
	{ "tail-inlined", calls_what_has_it },
	{ "tail-inlined-pointer", calls_what_has_that },
	{ "tail-pointer", calls_one_that_jumps },
	{ "tail-pointers", calls_two_that_jump },
	{ "inline", has_inlined },
	{ "deep", recurses },
	{ "coroutine", switches },
	{ "code", runs_code },
	{ "code-runtime", runs_code_where_runtime_was },
	{ "vdso", asks_time },
	{ "thread", starts_thread },
#ifdef WITH_LIBRARY
	{ "library-thread", lets_start_thread },
#endif
	{ "timer-thread", lets_timer_start_thread },
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++)
		if (!strcmp(cases[i].name, argv[1])) {
			cases[i].run();
			return 0;
		}
	return 2;
}
