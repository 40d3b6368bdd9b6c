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

# A thread that nobody named is told by the procedure that it began with; of std::thread that is the library's.
cat > named.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <threads.h>
#include <sys/prctl.h>
static void *worker(void *p) { return p; }
static void *named(void *p) { pthread_setname_np(pthread_self(), "mine"); return p; }
static void *outside(void *p);
static int of_c11(void *p) { return p != NULL; }
static void *outside(void *p) { return p; }
int main(int argc, char **argv)
{
	pthread_t t;
	thrd_t c11;

	if (argc > 1)
		prctl(PR_SET_NAME, argv[1]); /* whoever comes has it, too */
	pthread_create(&t, NULL, worker, NULL), pthread_join(t, NULL);
	pthread_create(&t, NULL, outside, NULL), pthread_join(t, NULL);
	pthread_create(&t, NULL, named, NULL), pthread_join(t, NULL);
	thrd_create(&c11, of_c11, NULL), thrd_join(c11, NULL);
	return 0;
}
END
names() { sqlite3 "$1" 'SELECT name FROM thread ORDER BY id' | tr '\n' ' '; }
for static in "" -static; do
	must "compile named.c $static" "$cgcc" -O2 $static -pthread named.c -o named
	record named.db ./named
	check "threads are told by what they began with $static" \
		[ "$(names named.db)" = "named worker() outside() mine of_c11() " ]
	record named.db ./named whole
	check "... where the whole program has another name $static" \
		[ "$(names named.db)" = "whole worker() outside() mine of_c11() " ]
done
check "... in a report, too: those that ran one after the other together" \
	grep -q ' worker(), outside(), mine, \.\.\.  *[0-9]' <("$cgview" report --by thread named.db)
check "... in the head, where one is shown" grep -q 'only thread 2 of 2, worker()$' \
	<("$cgview" report --threads 2 named.db)
printf '%s\n' size:120x30 T ":save-screen $TMP_DIR/screen" > script
CGVIEW_SCRIPT=script "$cgview" --config /dev/null named.db
check "... and in the browser" grep -q ' 2  *worker()' screen
