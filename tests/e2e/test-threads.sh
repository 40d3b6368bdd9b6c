#!/bin/bash
# Eight threads lose no count, whichever way the counters are addressed that claims to be exact.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

exact() # exact NAME FLAGS CALLS
{
	must "compile threads.c ($1)" "$cgcc" $2 -O2 -pthread "$here/programs/threads.c" -o threads
	record threads.db ./threads "$3"
	local all=$((8 * $3)) shared inlined threads
	shared=$(count_of threads.db shared_work)
	inlined=$(count_of threads.db inlined_work)
	threads=$(count_of threads.db run)
	[ "$shared $inlined $threads" = "$all $all 8" ] ||
		echo "# shared_work $shared, inlined_work $inlined, run $threads"
	check "8 threads x $3 calls count $all ($1)" \
		[ "$shared $inlined $threads" = "$all $all 8" ]
}
exact default "" 1000000
exact "block mode" --cgview-flags=mode=block 1000000
exact atomic --cgview-flags=counters=atomic 100000
check "the program says what it says" [ "$(cat record.out)" = "done" ]

# Ten thousand threads, one after the other, are no more than one.
cat > many.c <<'END'
#include <pthread.h>
__attribute__((noinline)) int work(int i) { return i + 1; }
static void *run(void *p) { *(int *)p = work(*(int *)p); return p; }
int main(void)
{
	int n = 0;
	for (int i = 0; i < 10000; i++) {
		pthread_t t;
		if (pthread_create(&t, 0, run, &n) || pthread_join(t, 0))
			return 1;
	}
	return n != 10000;
}
END
must "compile many.c" "$cgcc" -O2 -pthread many.c -o many
record many.db ./many
check "10,000 short threads count 10,000" [ "$(count_of many.db work)" = 10000 ]
