/* Every shape of control flow, with its true counts behind it: "//= N" the times that the line is
 * executed, "//: N" the times that the procedure is entered. Valid C and C++; no input, no
 * output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define TWICE(x) ((x) + (x))

static volatile int sink;
static jmp_buf back;

static int NOINLINE
leaf(int i) //: 4520
{
	return i & 7; //= 4520
}

__attribute__((const)) static int NOINLINE
const_leaf(int i) //: 10
{
	return i * 3; //= 10
}

__attribute__((pure)) static int NOINLINE
pure_leaf(const int *i) //: 10
{
	return *i * 5; //= 10
}

static inline int
inlined(int i) //: 1000
{
	return i > 500 ? i : -i; //= 1000
}

static int
unused_result(int i) //: 10
{
	return i + 1; //= 10
}

static void
conditions(int n) //: 1
{
	for (int i = 0; i < n; i++) {
		if (i % 2 == 0 && i % 3 == 0)
			sink += 1; //= 167
		else if (i % 5 == 0 || i % 7 == 0)
			sink += 2; //= 261
		else
			sink += 3; //= 572
		if (i % 10 == 0) //= 1000
			continue; //= 100
		sink += inlined(i); //= 900
	}
	for (int i = 900; i < n; i++)
		sink += inlined(i); //= 100
}

static void
loops(int n) //: 1
{
	int i = 0;

	while (i < n) //= 101
		i++; //= 100
	do {
		i--; //= 100
	} while (i > 0); //= 100
	for (i = 0; i < 10; i++) {
		int j = 0; //= 10
		for (;;) {
			if (j == i) //= 55
				break; //= 10
			j++; //= 45
		}
	}
}

static int NOINLINE
choose(int i) //: 800
{
	switch (i & 7) { //= 800
	case 0:
		return 1; //= 100
	case 1:
	case 2:
		i = 5; //= 200
		/* fall through */
	case 3:
		return i; //= 300
	default:
		break;
	}
	return TWICE(leaf(i)); //= 400
}

static int NOINLINE
threaded(int n) //: 1
{
	static void *targets[] = { &&add, &&take, &&stop };
	int value = 0, i = 0;

	goto *targets[0];
add:
	value += 2; //= 30
	i++; //= 30
	goto *targets[1];
take:
	value -= 1; //= 30
	if (i >= n) //= 30
		goto *targets[2];
	goto *targets[0];
stop:
	return value; //= 1
}

static int NOINLINE
depth(int n) //: 11
{
	if (n == 0) //= 11
		return 0; //= 1
	return 1 + depth(n - 1); //= 10
}

static int odd(int n);

static int NOINLINE
even(int n) //: 501
{
	if (n == 0) //= 501
		return 1; //= 1
	return odd(n - 1); //= 500
}

static int NOINLINE
odd(int n) //: 500
{
	if (n == 0) //= 500
		return 0; //= 0
	return even(n - 1); //= 500
}

static void NOINLINE
dive(int n) //: 18
{
	if (n == 0) //= 18
		longjmp(back, 1); //= 3
	dive(n - 1); //= 15
	sink++; //= 0
}

static void
jumps(void) //: 1
{
	volatile int times = 0;

	if (setjmp(back) != 0)
		times++; //= 3
	if (times < 3) //= 4
		dive(5); //= 3
	sink++; //= 1
}

static int NOINLINE
sum(int n, ...) //: 3
{
	va_list list;
	int total = 0; //= 3

	va_start(list, n);
	while (n-- > 0)
		total += va_arg(list, int); //= 9
	va_end(list);
	return total; //= 3
}

static int
compare(const void *a, const void *b) //: 1
{
	return *(const int *)a - *(const int *)b; //= 1
}

static int (*const table[])(int) = { leaf, unused_result };

static int NOINLINE
indirect(int n) //: 1
{
	int result = 0;

	for (int i = 0; i < n; i++)
		result += table[i % 2](i); //= 20
	return result; //= 1
}

static void NOINLINE
never(void) //: 0
{
	sink = 0; //= 0
}

static void NOINLINE
nothing(void) //: 7
{
}

__attribute__((constructor)) static void
before_main(void) //: 1
{
	sink = 1; //= 1
}

__attribute__((destructor)) static void
after_main(void) //: 1
{
	sink = 2; //= 1
}

static void
at_exit(void) //: 1
{
	sink = 3; //= 1
}

static void NOINLINE
leave(int n) //: 4
{
	if (n == 0) //= 4
		exit(0); //= 1
	leave(n - 1); //= 3
	never(); //= 0
}

int
main(void) //: 1
{
	int pair[2] = { 2, 1 };

	atexit(at_exit); //= 1
	conditions(1000); //= 1
	loops(100); //= 1
	for (int i = 0; i < 800; i++)
		sink += choose(i); //= 800
	sink += threaded(30); //= 1
	sink += depth(10); //= 1
	sink += even(1000 / 2 * 2); //= 1
	jumps(); //= 1
	sink += sum(2, 1, 2) + sum(3, 1, 2, 3) + sum(4, 1, 2, 3, 4); //= 1
	qsort(pair, 2, sizeof(pair[0]), compare); //= 1
	sink += indirect(20); //= 1
	for (int i = 0; i < 7; i++)
		nothing(); //= 7
	for (int i = 0; i < 10; i++)
		sink += const_leaf(3) + pure_leaf(pair); //= 10
	for (int i = 0; i < 3700; i++)
		leaf(i); //= 3700
	for (int i = 0; i < 10; i++)
		sink += leaf(i) * 0; //= 10
	leave(3); //= 1
	return 0; //= 0
}
