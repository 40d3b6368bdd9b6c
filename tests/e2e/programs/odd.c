/* What GCC allows beyond the usual: no construct stops a build, and what can be counted is counted.
 * "//= N": the line is executed N times; "//: N": the procedure that is named on it is entered N
 * times. Not counted, but listed: see tests/e2e/test-odd.sh. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static volatile int sink;

/* ---- nested procedures ---- */

static int NOINLINE
outer(int n) //: 3
{
	__label__ out;
	int sum = 0;

	int inner(int k) //: 30
	{
		if (k == 7)
			sum += 2; //= 3
		return k + n; //= 30
	}
	void leaves(int k) //: 6
	{
		if (k == 1)
			goto out; //= 3
		sum++; //= 3
	}

	int (*through)(int) = inner;
	for (int i = 0; i < 10; i++)
		sum += through(i); //= 30
	leaves(0); //= 3
	leaves(1); //= 3
	sum = 0; //= 0
out:
	return sum; //= 3
}

/* ---- jumps ---- */

static int NOINLINE
interpret(const unsigned char *code) //: 2
{
	static const void *const targets[] = { &&op_stop, &&op_add, &&op_loop };
	int sum = 0, rounds = 5;

	goto *targets[*code++];
op_add:
	sum += 3; //= 12
	goto *targets[*code++];
op_loop:
	if (--rounds) { //= 10
		code -= 2; //= 8
		goto *targets[*code++];
	}
	goto *targets[*code++];
op_stop:
	return sum; //= 2
}

static int NOINLINE
asm_jump(int n) //: 20
{
	asm goto ("testl $1, %0; jnz %l[odd]" : : "r"(n) : "cc" : odd);
	return 2; //= 10
odd:
	return 1; //= 10
}

static int NOINLINE
plain_asm(int n) //: 4
{
	int result;

	asm volatile ("leal 1(%1), %0" : "=r"(result) : "r"(n)); //= 4
	return result; //= 4
}

static jmp_buf back;

static void NOINLINE
throws(int n) //: 8
{
	if (n % 2)
		longjmp(back, n); //= 4
	sink++; //= 4
}

static void NOINLINE
jumps_in_a_loop(void) //: 1
{
	for (volatile int i = 0; i < 8; i++) {
		if (setjmp(back) == 0)
			throws(i); //= 8
		else
			sink += 2; //= 4
		sink += 3; //= 8
	}
}

/* ---- declarations that run code ---- */

static void NOINLINE
tidy(int *p) //: 9
{
	sink += *p; //= 9
}

static int NOINLINE
cleaned(int n) //: 9
{
	__attribute__((cleanup(tidy))) int value = n; //= 9

	for (int i = 0; i < n; i++) {
		if (i == 4)
			return i; //= 4
		sink++; //= 26
	}
	return 0; //= 5
}

static int NOINLINE
statement_expression(int n) //: 6
{
	int m = ({
		int k = n * 2; //= 6
		if (k > 4)
			k = 4; //= 3
		k + 1; //= 6
	});
	return m; //= 6
}

static int NOINLINE
variable_length(int n) //: 5
{
	int values[n + 1]; //= 5
	int sum = 0; //= 5

	for (int i = 0; i <= n; i++)
		values[i] = i; //= 15
	for (int i = 0; i <= n; i++)
		sum += values[i]; //= 15
	return sum + (int)sizeof(values); //= 5
}

static __thread int per_thread;

static int NOINLINE
thread_local_variable(void) //: 7
{
	return ++per_thread; //= 7
}

/* ---- types ---- */

typedef int four __attribute__((vector_size(16)));

static four NOINLINE
vectors(four a, four b) //: 3
{
	four mask = a < b; //= 3

	return (mask & a) + b; //= 3
}

typedef union {
	int *i;
	float *f;
} __attribute__((transparent_union)) either;

static int NOINLINE
transparent(either e) //: 2
{
	return *e.i != 0; //= 2
}

#define KIND(x) _Generic((x), int: kind_int, double: kind_double, default: kind_other)(sizeof(x))

static int kind_int(int n) //: 2
{
	return n; //= 2
}

static int kind_double(int n) //: 1
{
	return n + 1; //= 1
}

static int kind_other(int n) //: 1
{
	return n + 2; //= 1
}

static int NOINLINE
old_style(a, b) //: 4
	int a;
	char b;
{
	return a + b; //= 4
}

static _Complex double NOINLINE
complex_numbers(_Complex double z, int n) //: 1
{
	while (n--)
		z = z * z + 1.0i; //= 3
	return z; //= 1
}

static int NOINLINE
case_ranges(int c) //: 100
{
	switch (c) { //= 100
	case 'a' ... 'z':
		return 1; //= 3
	case '0' ... '9':
		return 2; //= 10
	}
	return c ?: 5; //= 87
}

static __int128 NOINLINE
wide(__int128 a) //: 2
{
	return a > 5 ? a * a : a; //= 2
}

struct bits {
	unsigned a : 3, b : 5;
};

static int NOINLINE
bit_fields(struct bits *p) //: 10
{
	p->a++; //= 10
	return p->a == 0 ? ++p->b : 0; //= 10
}

/* ---- attributes ---- */

static void __attribute__((noreturn, noinline))
never_back(int n) //: 1
{
	sink = n; //= 1
	exit(0); //= 1
}

static int NOINLINE
unreachable(int n) //: 6
{
	if (n < 0)
		__builtin_unreachable();
	switch (n & 1) { //= 6
	case 0:
		return 1; //= 3
	case 1:
		return 2; //= 3
	default:
		__builtin_unreachable();
	}
}

static inline int __attribute__((always_inline))
always(int n) //: 24
{
	return n > 3 ? 1 : 0; //= 24
}

static int __attribute__((flatten, noinline))
flat(int n) //: 12
{
	return always(n) + always(n + 1); //= 12
}

static int __attribute__((cold, noinline))
cold(int n) //: 1
{
	return n; //= 1
}

static int __attribute__((optimize("O0")))
unoptimised(int n) //: 3
{
	return n + 1; //= 3
}

int __attribute__((weak))
weakly(int n) //: 2
{
	return n; //= 2
}

int
aliased(int n) //: 5
{
	return n + 1; //= 5
}

int other_name(int) __attribute__((alias("aliased")));

static int
chosen_one(int n) //: 6
{
	return n + 1; //= 6
}

static int
chosen_two(int n) //: 0
{
	return n + 2; //= 0
}

static int (*
resolver(void))(int)
{
	return sink ? chosen_two : chosen_one;
}

int chosen(int) __attribute__((ifunc("resolver")));

int __attribute__((target_clones("avx2", "default"), noinline))
cloned(const int *values, int n) //: 1
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += values[i]; //= 4
	return sum; //= 1
}

static int __attribute__((target("sse4.2"), noinline))
for_target(int n) //: 1
{
	return n * 2; //= 1
}

#if __x86_64__
int naked(int);
int __attribute__((naked))
naked(int n)
{
	asm ("leal 1(%rdi), %eax; ret");
}
#endif

int __attribute__((no_instrument_function, noinline))
not_instrumented(int n)
{
	return n + 1;
}

int __attribute__((no_profile_instrument_function, noinline))
not_profiled(int n)
{
	return n + 1;
}

static int NOINLINE
excluded(int n)
{
	return n + 1;
}

static void __attribute__((constructor(101)))
early(void) //: 1
{
	sink = 0; //= 1
}

extern inline __attribute__((gnu_inline)) int
only_inline(int n)
{
	return n;
}

/* ---- where it all is called ---- */

int
main(void) //: 1
{
	static const unsigned char code[] = { 1, 1, 2, 0 };
	int values[] = { 1, 2, 3, 4 };
	float f = 1;
	struct bits bits = { 0, 0 };
	four v = { 1, 2, 3, 4 };

	for (int i = 0; i < 3; i++)
		sink += outer(i); //= 3
	sink += interpret(code) + interpret(code); //= 1
	for (int i = 0; i < 20; i++)
		sink += asm_jump(i); //= 20
	for (int i = 0; i < 4; i++)
		sink += plain_asm(i); //= 4
	jumps_in_a_loop(); //= 1
	for (int i = 0; i < 9; i++)
		sink += cleaned(i); //= 9
	for (int i = 0; i < 6; i++)
		sink += statement_expression(i); //= 6
	for (int i = 0; i < 5; i++)
		sink += variable_length(i); //= 5
	for (int i = 0; i < 7; i++)
		sink += thread_local_variable(); //= 7
	for (int i = 0; i < 3; i++)
		v = vectors(v, v + 1); //= 3
	sink += v[0] + transparent(values) + transparent(&f); //= 1
	sink += KIND(1) + KIND(sink) + KIND(1.0) + KIND("") + old_style(1, 'a'); //= 1
	for (int i = 0; i < 3; i++)
		sink += old_style(i, 1); //= 3
	sink += (int)__real__ complex_numbers(1.0, 3); //= 1
	for (int i = 0; i < 100; i++)
		sink += case_ranges(i); //= 100
	sink += (int)wide(3) + (int)wide(7); //= 1
	for (int i = 0; i < 10; i++)
		sink += bit_fields(&bits); //= 10
	for (int i = 0; i < 6; i++)
		sink += unreachable(i); //= 6
	for (int i = 0; i < 12; i++)
		sink += flat(i); //= 12
	sink += cold(1) + unoptimised(1) + unoptimised(2) + unoptimised(3); //= 1
	sink += weakly(1) + weakly(2); //= 1
	for (int i = 0; i < 5; i++)
		sink += i % 2 ? aliased(i) : other_name(i); //= 5
	for (int i = 0; i < 6; i++)
		sink += chosen(i); //= 6
	sink += cloned(values, 4) + for_target(2); //= 1
	sink += naked(1) + not_instrumented(1) + not_profiled(1) + excluded(1); //= 1
	never_back(3); //= 1
}
