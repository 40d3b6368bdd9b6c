/* Addresses of procedures on all the ways that they can go. Each procedure notes the line that led
 * to it; lines of other.c have 1,000 more. */
#ifdef __cplusplus
extern "C" {
#endif
#include "note.h"

#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int numbers[64];
static volatile int sink;

static void
shuffle(void)
{
	for (int i = 0; i < 64; i++)
		numbers[i] = i * 29 % 64;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* ---- handed out ---- */

typedef int (*fn_compare)(const void *, const void *);

static int by_once(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_two(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_idle(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_kept(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_static(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_chosen(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_other_choice(const void *a, const void *b) { CALLED; return compare(b, a); }
static int by_given(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_named(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_local(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_asm(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_twin(const void *a, const void *b) { CALLED; return compare(a, b); }
static int by_alias(const void *a, const void *b) { CALLED; return compare(a, b); }
int by_public(const void *a, const void *b);
int by_public(const void *a, const void *b) { CALLED; return compare(a, b); }
int by_other_name(const void *a, const void *b) __attribute__((alias("by_alias")));

static fn_compare kept;
static fn_compare from_start = by_static;

__attribute__((noinline)) static void
sort_by(fn_compare by)
{
	HERE; qsort(numbers, 64, sizeof(int), by);
}

static void
hand_out(int argc)
{
	int key = 3;
	size_t nr = 64;
	fn_compare chosen = argc > 1 ? by_other_choice : by_chosen, through_asm;

	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_once);
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_two);
	HERE; lfind(&key, numbers, &nr, sizeof(int), by_two);
	if (argc > 1)
		qsort(numbers, 64, sizeof(int), by_idle);
	shuffle(); HERE; qsort(numbers, 16, sizeof(int), by_idle);
	kept = by_kept;
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_kept);
	HERE; sink += kept(numbers, numbers + 1);
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), kept);
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_static);
	HERE; lfind(&key, numbers, &nr, sizeof(int), from_start);
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), chosen);
	HERE; lfind(&key, numbers, &nr, sizeof(int), by_chosen);
	shuffle(); sort_by(by_given);
	HERE; lfind(&key, numbers, &nr, sizeof(int), by_given);
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_named);
	HERE; sink += by_named(numbers, numbers + 1);
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_public);
	HERE; sink += by_public(numbers, numbers + 1);
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_twin);
	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_other_name);
	HERE; lfind(&key, numbers, &nr, sizeof(int), by_alias);
	fn_compare local = by_local;
	HERE; lfind(&key, numbers, &nr, sizeof(int), local);
	HERE; sink += lfind(&key, numbers, &nr, sizeof(int), by_local) != NULL;
	__asm__("" : "=r"(through_asm) : "0"(by_asm));
	HERE; sink += through_asm(numbers, numbers + 1);
	HERE; lfind(&key, numbers, &nr, sizeof(int), by_asm);
}

#ifndef __cplusplus
/* A procedure within another one: its address is that of code on the stack. */
static void
hand_out_nested(void)
{
	int down = -1;
	int by_nested(const void *a, const void *b) { CALLED; return down * compare(a, b); }

	shuffle(); HERE; qsort(numbers, 64, sizeof(int), by_nested);
	HERE; qsort(numbers, 64, sizeof(int), by_nested);
}
#endif

/* ---- called later ---- */

static int exits[8], nr_exits;

static void at_end(void) { note(__func__, exits[--nr_exits]); }
static void at_end_twice(void) { note(__func__, exits[--nr_exits]); }
/* Runs before main() and is handed out as well. */
__attribute__((constructor)) static void
early(void)
{
	note(__func__, nr_exits ? exits[--nr_exits] : 0);
}

static void
hand_out_exits(void)
{
	exits[nr_exits++] = __LINE__; atexit(at_end);
	exits[nr_exits++] = __LINE__; atexit(at_end_twice);
	exits[nr_exits++] = __LINE__; atexit(at_end_twice);
	exits[nr_exits++] = __LINE__; atexit(early);
}

static void *in_thread(void *line) { origin = *(int *)line; CALLED; return NULL; }
static void *in_threads(void *line) { origin = *(int *)line; CALLED; return NULL; }

static void
hand_out_threads(void)
{
	int line[2];
	pthread_t t;

	line[0] = __LINE__; pthread_create(&t, NULL, in_thread, &line[0]);
	pthread_join(t, NULL);
	for (int i = 0; i < 3; i++) {
		line[1] = __LINE__; pthread_create(&t, NULL, in_threads, &line[1]);
		pthread_join(t, NULL);
	}
	line[1] = __LINE__; pthread_create(&t, NULL, in_threads, &line[1]);
	pthread_join(t, NULL);
}

static void on_first(int n) { (void)n; CALLED; }
static void on_second(int n) { (void)n; CALLED; }
static void on_action(int n) { (void)n; CALLED; }

static void
hand_out_handlers(void)
{
	void (*old)(int);
	struct sigaction action;

	HERE; signal(SIGUSR1, on_first);
	for (int i = 0; i < 3; i++)
		raise(SIGUSR1);
	old = signal(SIGUSR1, on_second);
	HERE; old(SIGUSR1);
	origin = __LINE__ - 2; raise(SIGUSR1); raise(SIGUSR1);
	HERE; signal(SIGUSR1, old);
	raise(SIGUSR1); raise(SIGUSR1);
	memset(&action, 0, sizeof(action));
	action.sa_handler = on_action;
	sigaction(SIGUSR2, &action, NULL);
	origin = 0; raise(SIGUSR2);
}

/* ---- tables ---- */

static int one(int n) { CALLED; return n + 1; }
static int two(int n) { CALLED; return n + 2; }
static int three(int n) { CALLED; return n + 3; }
static int four(int n) { CALLED; return n + 4; }
static int five(int n) { CALLED; return n + 5; }
static int five_too(int n) __attribute__((alias("five")));

struct named { const char *name; fn_int run; };
static const struct named constant[] = { { "one", one }, { "two", two } };
static struct named changing[] = { { "one", one }, { "two", two } };
static const fn_int alone = three;
static const fn_int aliased[] = { five_too, four };
static const struct named *const indirect[] = { &constant[0], &constant[1] };
static const fn_int foreign[] = { abs, one };

#ifdef __cplusplus
__attribute__((noinline)) static fn_int
pick(int n)
{
	return n ? two : one;
}
static const fn_int filled[] = { three, pick(sink), pick(sink + 1) };
#endif

static void
call_tables(int argc)
{
	for (int i = 0; i < 20; i++) {
		HERE; sink += constant[i % 3 == 0].run(i);
	}
	changing[argc].run = three;
	for (int i = 0; i < 21; i++) {
		HERE; sink += changing[i % 2].run(i);
	}
	for (int i = 0; i < 22; i++) {
		HERE; sink += aliased[i % 2](i);
	}
	for (int i = 0; i < 23; i++) {
		HERE; sink += far_table[i % 2](i);
	}
	for (int i = 0; i < 24; i++) {
		HERE; sink += indirect[i % 2]->run(i);
	}
	for (int i = 0; i < 25; i++) {
		HERE; sink += foreign[i % 2](i);
	}
	HERE; sink += (*(volatile fn_int *)&alone)(argc);
	HERE; sink += alone(argc);
#ifdef __cplusplus
	static const struct named filled_here[] = { { "three", three }, { "two", pick(argc) } };
	for (int i = 0; i < 26; i++) {
		HERE; sink += filled[i % 3](i);
	}
	for (int i = 0; i < 27; i++) {
		HERE; sink += filled_here[i % 2].run(i);
	}
#endif
}

/* ---- variables that only this unit's statements can change ---- */

fn_int top; /* anybody's */
static fn_int next_six, next_seven, next_eight, either, escaped, never;
static fn_int forgotten, named_there, kept_local;
static fn_int from_begin = one, from_library = abs, by_assembly;
static __thread fn_int by_thread;

static int six(int n) { CALLED; HERE; return next_six(n) + 6; }
static int seven(int n) { CALLED; HERE; return next_seven(n) + 7; }
static int eight(int n) { CALLED; HERE; return next_eight(n) + 8; }

/* Where it stores is not counted. */
__attribute__((no_instrument_function, noinline)) static void
forget(fn_int p)
{
	forgotten = p;
	named_there = three;
}

__attribute__((noinline)) static void
escape(fn_int *p)
{
	*p = five;
}

static void *
call_by_thread(void *to)
{
	fn_int mine = *(fn_int *)to;

	by_thread = mine;
	HERE; sink += by_thread(2);
	return NULL;
}

static void
call_held(int argc)
{
	static fn_int inside;
	fn_int given[] = { six, two, far_table[0] };
	pthread_t t;

	top = one;
	next_six = top; top = seven;
	next_seven = given[0]; top = eight;
	next_eight = top == eight ? seven : one;
	for (int i = 0; i < 28; i++) {
		HERE; sink += top(i);
	}
	for (int i = 0; i < 29; i++) {
		either = i % 2 ? far_table[argc] : given[argc];
		HERE; sink += either(i);
	}
	escaped = four;
	for (int i = 0; i < 30; i++) {
		if (i == 3)
			escape(&escaped);
		HERE; sink += escaped(i);
	}
	forgotten = given[1];
	for (int i = 0; i < 31; i++) {
		if (i == 3)
			forget(given[argc]);
		HERE; sink += forgotten(i);
	}
	for (int i = 0; i < 32; i++) {
		HERE; sink += from_begin(i);
		HERE; sink += from_library(i);
	}
	HERE; sink += named_there(5);
	inside = argc > 1 ? one : given[1];
	HERE; sink += inside(3);
	if (never) {
		HERE; never(argc);
	}
	__asm__("movq %1, %0" : "=m"(by_assembly) : "r"(given[2]));
	HERE; sink += by_assembly(4);
	kept_local = argc > 1 ? NULL : given[argc];
	HERE; sink += kept_local ? kept_local(4) : 0;
	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, call_by_thread, &given[1 + i]);
		pthread_join(t, NULL);
	}
}

/* ---- types that are not those of the procedures ---- */

static long wide(long a, void *b) { CALLED; return a + (b != NULL); }
static long wide_too(long a, void *b) { CALLED; return a - (b != NULL); }
static int loose(int a, int b) { CALLED; return a + b; }
static int many(int a, ...) { CALLED; return a; }
static int few(int a, int b) { CALLED; return a - b; }
static void *pointer(const char *text) { CALLED; return (void *)text; }
static void nothing(int a) { CALLED; sink = a; }

typedef void *(*fn_pointer)(void *);
typedef long (*fn_wide)(long, void *);
typedef int (*fn_many)(int, ...);
typedef int (*fn_few)(int, int);

static void *volatile store[8];

static void
call_types(void)
{
	store[0] = (void *)wide;
	store[1] = (void *)pointer;
	store[2] = (void *)many;
	store[3] = (void *)few;
	store[4] = (void *)wide_too;
	for (int i = 0; i < 5; i++) {
		HERE; sink += (int)((fn_wide)store[i % 2 * 4])(i, NULL);
	}
	HERE; sink += ((fn_pointer)store[1])(numbers) != NULL;
	HERE; sink += ((fn_many)store[2])(1, 2, 3);
	HERE; sink += ((fn_few)store[3])(1, 2);
#ifdef UNPROTOTYPED
	int (*unprototyped)() = sink == 12345 ? (int (*)())few : (int (*)())loose;
	HERE; sink += unprototyped(1, 2);
	int (*no_int)() = sink == 12345 ? unprototyped : (int (*)())nothing;
	HERE; no_int(1);
#endif
	void (*no_result)(int) = nothing;
	HERE; no_result(1);
}

int
main(int argc, char **argv)
{
	(void)argv;
	atexit(note_print);
	hand_out(argc);
#ifndef __cplusplus
	hand_out_nested();
#endif
	hand_out_exits();
	hand_out_threads();
	hand_out_handlers();
	call_tables(argc);
	call_held(argc);
	call_types();
	work_other(argc);
	return 0;
}

#ifdef __cplusplus
}
#endif
