#!/bin/bash
# Calls that come back for certain need no counter behind them. What may not come back still has one: by
# exit, longjmp, an exception, a loop that never ends, assembly, or a procedure that another module replaces.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

cat > ways.c << 'END'
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
static volatile int sink;
static jmp_buf back;

int NOINLINE get(const int *p) //: 500
{
	return *p > 3 ? *p : 3; //= 500
}
int NOINLINE get_both(const int *p) //: 185
{
	return get(p) + get(p + 1); //= 185
}
static void NOINLINE after(int n) //: 27
{
	sink += n; //= 27
}
static void NOINLINE leaves(int n) //: 101
{
	if (n == 100) //= 101
		_exit(0); //= 1
}
static void NOINLINE leaves_below(int n) //: 101
{
	leaves(n); //= 101
	sink++; //= 100
}
static void NOINLINE jumps(int n) //: 20
{
	if (n % 4 == 0) //= 20
		longjmp(back, 1); //= 5
}
static int NOINLINE jumps_below(const int *p, int n) //: 20
{
	int sum = get(p); //= 20

	jumps(n); //= 20
	sum += get_both(p); //= 15
	return sum; //= 15
}
static void NOINLINE runs(int n) //: 5
{
	for (volatile int i = 0; i < n; i++)
		sink++; //= 10
}
static void NOINLINE assembly(void) //: 7
{
	__asm__ volatile("nop");
}
static int NOINLINE recurses(const int *p, int n) //: 11
{
	return n ? recurses(p, n - 1) + get(p) : 0; //= 11
}
int main(void)
{
	static const int numbers[2] = { 1, 5 };

	for (int i = 0; i < 85; i++)
		sink += get_both(numbers) + get_both(numbers); //= 85
	for (int i = 0; i < 20; i++)
		if (!setjmp(back)) {
			sink += jumps_below(numbers, i); //= 20
			after(i); //= 15
		}
	for (int i = 0; i < 5; i++) {
		runs(i); //= 5
		after(i); //= 5
	}
	for (int i = 0; i < 7; i++) {
		assembly(); //= 7
		after(i); //= 7
	}
	sink += recurses(numbers, 10); //= 1
	for (int i = 0;; i++) {
		leaves_below(i); //= 101
		sink += get(numbers); //= 100
	}
}
END
for level in -O0 -O1 -O2 -O3 "-O2 -fPIC" "-O2 -flto"; do
	must "compile ways.c $level" "$cgcc" $level ways.c -o ways
	record ways.db ./ways
	check "C $level: counts are those written in ways.c" \
		python3 "$here/expected.py" ways.c "$cgview" ways.db
done

cat > throws.cc << 'END'
#include <memory>
#include <stdexcept>
#define NOINLINE __attribute__((noinline))
static volatile int sink;
static int NOINLINE odd(int n) { return n & 1; } //: 100
static int NOINLINE refuse(int n) //: 40
{
	if (odd(n)) //= 40
		throw std::runtime_error("odd"); //= 20
	return n; //= 20
}
static int NOINLINE below(int n) //: 40
{
	int sum = odd(n); //= 40

	sum += refuse(n); //= 40
	return sum + odd(n); //= 20
}
struct guard {
	explicit guard(int n) : kept(n) {} //= 40
	~guard() { sink = kept; } //= 40
	int kept;
};
static void NOINLINE after(int n) { sink = n; } //: 20
int main()
{
	for (int i = 0; i < 40; i++)
		try {
			guard g(i);
			sink = below(i); //= 40
			after(i); //= 20
		} catch (const std::runtime_error &) {
			sink = 0; //= 20
		}
}
END
for level in -O0 -O2 -O3 "-O2 -fnon-call-exceptions"; do
	must "compile throws.cc $level" "$build/cgg++" $level throws.cc -o throws
	record throws.db ./throws
	check "C++ $level: counts are those written in throws.cc" \
		python3 "$here/expected.py" throws.cc "$cgview" throws.db
done

# What the program puts in the place of a library's procedure need not come back as that does.
cat > library.c << 'END'
volatile int sink;
int hook(int n) { return n + 1; }
static void __attribute__((noinline)) behind(int n) { sink = n; }
void calls_hook(int n) { sink = hook(n); behind(n); }
END
cat > replaces.c << 'END'
#include <stdlib.h>
void calls_hook(int n);
int hook(int n) { if (n == 30) exit(0); return n; }
int main(void) { for (int i = 0;; i++) calls_hook(i); }
END
for level in -O0 -O2; do
	must "compile a library $level" "$cgcc" $level -fPIC -shared library.c -o liblibrary.so
	must "compile what replaces its procedure" \
		"$cgcc" $level replaces.c -o replaces -L. -llibrary -Wl,-rpath,"$PWD"
	record replaces.db ./replaces
	check "$level: a replaced procedure that exits: 31 and 30 calls" \
		[ "$(count_of replaces.db calls_hook) $(count_of replaces.db behind)" = "31 30" ]
done

# Killed in a loop that never ends.
cat > loops.c << 'END'
static volatile int sink, go = 1;
static void __attribute__((noinline)) spins(int n) { while (n == 5 && go) sink++; }
static void __attribute__((noinline)) behind(int n) { sink = n; }
int main(void) { for (int i = 0; i < 10; i++) { spins(i); behind(i); } }
END
must "compile loops.c" "$cgcc" -O2 loops.c -o loops
(ulimit -c 0 -t 1; CGVIEW_OUT=$TMP_DIR/l exec ./loops) 2> /dev/null # the kernel kills it: a second of CPU time
must "import what a killed program left" "$cgview" import -o loops.db l.*.raw
check "kill -9 in a loop: 6 and 5 calls" \
	[ "$(count_of loops.db spins) $(count_of loops.db behind)" = "6 5" ]

# By hand: straight code has one counter. Behind a call that may not come back it has one more.
cat > small.c << 'END'
static volatile int sink;
static int __attribute__((noinline)) get(int n) { return n ^ 1; }
#ifdef LOOP
static void __attribute__((noinline)) put(int n) { while (n-- > 0) sink = n; }
#else
static void __attribute__((noinline)) put(int n) { sink = n; }
#endif
void both(int n) { put(get(n)); sink = n; }
END
increments() # increments ARGUMENT...: of both()
{
	must "compile small.c" "$cgcc" -O1 "$@" -c small.c -o small.o
	objdump -d --no-show-raw-insn small.o | sed -n '/<both>:/,/^$/p' | grep -c 'incq.*%gs:'
}
check "one increment for straight code with two calls" [ "$(increments)" = 1 ]
check "two, where one of them loops" [ "$(increments -DLOOP)" = 2 ]
