#!/bin/bash
# Procedures that have no counter for their entries, as these follow from the calls: the counts are those
# written in the source in every build, and what is entered in other ways keeps its counter.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
cp "$here/programs/entries.c" .
cp entries.c entries.cc

counts() # counts NAME SOURCE COMPILER ARGUMENT...
{
	local name=$1 source=$2
	shift 2
	must "$name: compile" "$@" "$source" -o entries
	record entries.db ./entries
	check "$name: counts are those written in $source" \
		python3 "$here/expected.py" "$source" "$cgview" entries.db
	check "$name: ... and they add up" [ -z "$(report entries.db note | grep -E '^"?(counts|tables)')" ]
}

for level in -O0 -O1 -O2 -O3 -Os; do
	counts "C $level" entries.c "$cgcc" $level
	counts "C++ $level" entries.cc "$build/cgg++" $level
done
counts "C -O2 -flto" entries.c "$cgcc" -O2 -flto
counts "C -O3 -flto -fwhole-program" entries.c "$cgcc" -O3 -flto -fwhole-program
counts "C -O2 -fPIC" entries.c "$cgcc" -O2 -fPIC
counts "C -O2 -fsanitize=undefined" entries.c "$cgcc" -O2 -fsanitize=undefined
for flags in mode=block counters=plain targets centres; do
	counts "C -O2 $flags" entries.c "$cgcc" --cgview-flags=$flags -O2
done

# Who leaves a caller out must not lose the calls that it makes.
must "compile with an exclusion" "$cgcc" -O2 --cgview-flags=exclude=in_a_loop entries.c -o entries
record entries.db ./entries
check "a caller is left out: 110 calls" [ "$(count_of entries.db two_ways)" = 110 ]

# One increment less in each, which is the only one of leaf().
cat > small.c << 'END'
static int leaf(int i) { return i + 1; }
static int fib(int n) { return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2); }
int main(void) { return fib(10) == 144 - 55 + 1000; }
END
increments() # increments PROCEDURE
{
	objdump -d --no-show-raw-insn small | sed -n "/<$1>:/,/^$/p" | grep -c 'incq.*%gs:'
}
must "compile small.c" "$cgcc" -O0 small.c -o small
check "a leaf that is only called counts nothing" [ "$(increments leaf)" = 0 ]
few=$(increments fib)
must "compile small.c in full" "$cgcc" -O0 -Dstatic= small.c -o small
check "... unless it is public" [ "$(increments leaf)" = 1 ]
check "a procedure that calls itself needs one counter less" [ "$(increments fib)" = $((few + 1)) ]

# Killed at any time, each live frame is an entry, and no more than one call more is told than was made.
cat > killed.c << 'END'
#include <unistd.h>
static volatile int sink;
static int __attribute__((noinline)) deepest(int i)
{
	if (i == 700)
		for (write(1, "there\n", 6);;)
			pause();
	return i;
}
static int __attribute__((noinline)) deep(int i) { return deepest(i) + 1; }
static void __attribute__((noinline)) after(int i) { sink += i; }
int main(void)
{
	for (int i = 0; i < 1000; i++) {
		sink += deep(i);
		after(i);
	}
}
END
must "compile killed.c" "$cgcc" -O2 killed.c -o killed
CGVIEW_OUT=$TMP_DIR/k ./killed > killed.out &
killed=$!
wait_for there killed.out
kill -KILL $killed
wait $killed 2> /dev/null
must "import what a killed program left" "$cgview" import -o killed.db k.*.raw
check "kill -9: 701 entries of what was not left" \
	[ "$(count_of killed.db deep) $(count_of killed.db deepest)" = "701 701" ]
check "kill -9: 700 of what comes behind it" [ "$(count_of killed.db after)" = 700 ]
