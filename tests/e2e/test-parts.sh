#!/bin/bash
# What each thread, child and run has counted: by hand, all together, and beside a run that did only that.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
must "compile parts.c" "$cgcc" -O2 -pthread "$here/programs/parts.c" -o parts

# calls DB [OPTION...]: of step().
calls()
{
	local db=$1
	shift
	"$cgview" report "$@" --format csv "$db" | tr -d '\r' |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			$at["procedure"] == "step" { n += $at["calls"] } END { print n + 0 }'
}
# thread DB NAME: its number.
thread()
{
	"$cgview" report --by thread --format csv "$1" | tr -d '\r' |
		awk -F, -v name="$2" '$5 == name { print $1; exit }'
}
# counts DB [OPTION...]: what was executed how often, of all kinds, without times. Nothing that depends on
# where samples were taken: which expression a block is named by, if any came from unprofiled code, what
# foreign code was seen.
counts()
{
	local db=$1 by
	shift
	for by in procedure block site line arc; do
		"$cgview" report "$@" --by $by --format csv --sort file "$db" | tr -d '\r' | python3 -c '
import csv, sys
keep = ["caller", "callee", "procedure", "file", "line", "column", "end_line", "end_column", "calls",
        "count", "lo", "hi", "how", "target", "kind"]
if sys.argv[1] == "block":
    keep = ["procedure", "count"]
rows = [row for row in csv.DictReader(sys.stdin) if row.get("procedure") not in ("(unprofiled)", "(cgview)")
        and row.get("is_foreign") != "1" and row.get("how") != "sampled"]
for row in rows:
    if row.get("callee", "") not in ("", "step", "steps", "run", "run_short", "child", "main"):
        row["callee"] = "outside" # by whatever name
for row in sorted(",".join(row.get(k) or "" for k in keep) for row in rows):
    print(row)' "$by"
	done
}

record all.db ./parts 1000 20000 300000 f7 f11
check "all of it" [ "$(calls all.db)" = 321018 ]
for n in 1000 20000 300000; do
	check "the thread that calls $n times" [ "$(calls all.db --threads "$(thread all.db t$n)")" = $n ]
done
check "two threads" [ "$(calls all.db --threads \
	"$(thread all.db t1000),$(thread all.db t300000)")" = 301000 ]
check "the main thread calls it never" [ "$(calls all.db --threads 1)" = 0 ]
check "children of fork" [ "$(calls all.db --threads 5) $(calls all.db --threads 6)" = "7 11" ]
check "all parts" [ "$(calls all.db --threads 1-6)" = 321018 ]
counts all.db > whole
counts all.db --threads 1-6 > parts_of_it
check "all parts are the whole" diff whole parts_of_it
python3 "$here/parts.py" all.db

# One scale: the CPU time in the head of what threads did is that of the list of threads, and the sum of all rows.
value() { sqlite3 "$1" "$2"; }
unlike=
for threads in 2 3 4 2,3 2,4 3-5 2-6; do
	"$cgview" report --format csv --columns self_ns --threads $threads all.db | tr -d '\r' |
		awk 'NR > 1 { sum += $1; rows += $1 > 0 } END { print sum + 0, rows + 0 }' > sum
	read -r sum rows < sum
	[[ $threads = *-* ]] && list=$(seq -s, ${threads/-/ }) || list=$threads
	cpu=$(value all.db "SELECT sum(cpu_ns) FROM thread WHERE part IN ($list)")
	[ "$sum" -gt 0 ] || { echo "# threads $threads: no samples"; continue; }
	((sum - cpu <= rows && cpu - sum <= rows)) || unlike+="threads $threads: $sum of $cpu; "
done
check "the time of all rows is the threads' CPU time: ${unlike:-always}" [ -z "$unlike" ]

# A thread alone counts what a program counts that runs only this thread (and its main thread).
record one.db ./parts 20000
counts one.db --threads "$(thread one.db t20000)" > alone
counts all.db --threads "$(thread all.db t20000)" > among_others
check "a thread among others is a thread alone" diff alone among_others
check "which counts" grep -q ',20000,' alone

# Ten thousand short ones, one after the other, share counters: one row that says so.
record many.db ./parts 500 s10000
check "10,000 short threads and one" [ "$(calls many.db)" = 30500 ]
check "they say that they share" [ "$("$cgview" report --by thread --format csv many.db | tr -d '\r' |
	python3 -c 'import csv, sys; print(sum(int(r["threads"]) for r in csv.DictReader(sys.stdin)))')" = 10002 ]
check "with all that they counted" [ "$(calls many.db --threads "2-$(sqlite3 many.db \
	'SELECT max(id) FROM part')")" = 30500 ]
python3 "$here/parts.py" many.db

# Hundreds of children go on with the counters of dead ones, and nobody can tell them apart.
record forks.db ./parts $(printf 'f%d ' $(seq 1 200))
check "200 children" [ "$(calls forks.db)" = 20100 ]
check "are one row" [ "$(sqlite3 forks.db 'SELECT count(*), max(threads) FROM part')" = "2|200" ]
check "with all that they counted" [ "$(calls forks.db --threads 2)" = 20100 ]
record few.db ./parts $(printf 'f%d ' $(seq 1 20))
check "20 children are told apart" [ "$(calls few.db --threads 2) $(calls few.db --threads 21)" = "1 20" ]

# exec: the same process, another program image.
record exec.db ./parts 40 x50
check "before and after exec" [ "$(calls exec.db) $(calls exec.db --threads "$(thread exec.db t40)") \
$(calls exec.db --threads "$(thread exec.db t50)")" = "90 40 50" ]
python3 "$here/parts.py" exec.db

# Runs.
record runs.db ./parts 100
"$cgview" record -a -o runs.db -- ./parts 200 3000 2> /dev/null
"$cgview" record -a -o runs.db -- ./parts f5 2> /dev/null
check "three runs" [ "$(calls runs.db)" = 3305 ]
check "each of them" [ "$(calls runs.db --runs 1) $(calls runs.db --runs 2) $(calls runs.db --runs 3)" = "100 3200 5" ]
check "two of them" [ "$(calls runs.db --runs 1,3)" = 105 ]
check "a thread of one" [ "$(calls runs.db --runs 2 --threads "$(thread runs.db t3000)")" = 3000 ]
python3 "$here/parts.py" runs.db
record second.db ./parts 200 3000
counts second.db > alone
counts runs.db --runs 2 > among_others
check "a run among others is a run alone" diff alone among_others

# A program with one thread pays nothing.
record single.db ./parts
check "one thread, one part without data" \
	[ "$(sqlite3 single.db 'SELECT count(*), sum(data_zlib IS NULL), sum(size_bytes) FROM part')" = "1|1|0" ]
check "which is the whole" [ "$(calls single.db --threads 1)" = 0 ]

# Times: samples of a thread are its own, with its waiting.
record time.db ./parts 40000000 80000000
python3 "$here/parts.py" time.db
check "samples of a thread are what --by thread says" [ "$("$cgview" report --format csv --threads 2 time.db |
	tr -d '\r' | awk -F, 'NR > 1 { n += $6 } END { print n }')" = \
	"$(sqlite3 time.db 'SELECT samples FROM part WHERE id = 2')" ]

# Waiting times, stacks and cost centres of each thread: one naps for long and works little, the other
# the other way round.
cat > naps.c <<'END'
#include <pthread.h>
#include <time.h>
static volatile long sum;
static __attribute__((noinline)) void nap(long ms)
{
	struct timespec t = { 0, ms * 1000000 };
	nanosleep(&t, 0);
}
static __attribute__((noinline)) void work(long n) { while (n--) sum += n; }
static __attribute__((noinline)) void both(long ms, long n)
{
	nap(ms);
	work(n);
}
static void *run(void *p)
{
	both(p ? 400 : 100, p ? 60000000 : 120000000);
	return p;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, run, &a);
	pthread_create(&b, 0, run, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
END
must "compile naps.c" "$cgcc" --cgview-flags=centres -O1 -pthread naps.c -o naps
must "record naps" "$cgview" record --wall -o naps.db -- ./naps
python3 "$here/parts.py" naps.db
python3 "$here/chosen.py" "$cgview" naps.db

# Calls through pointers that were noted.
cat > pointers.c <<'END'
#include <pthread.h>
static long n;
static __attribute__((noinline)) void one(void) { __atomic_add_fetch(&n, 1, 5); }
static __attribute__((noinline)) void two(void) { __atomic_add_fetch(&n, 2, 5); }
static void (*volatile which[2])(void) = { one, two };
static void *run(void *p)
{
	for (long i = 0; i < 1000; i++)
		which[p && i >= 300]();
	return p;
}
int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, run, &a);
	run(0);
	pthread_join(a, 0);
	return 0;
}
END
must "compile pointers.c" "$cgcc" --cgview-flags=targets -O2 -pthread pointers.c -o pointers
record pointers.db ./pointers
python3 "$here/parts.py" pointers.db
measured() { "$cgview" report --by arc --threads "$1" --caller run --callee "$2" --format csv pointers.db |
	tr -d '\r' | awk -F, 'NR == 2 { print $6 " " $9 }'; }
check "noted targets of a thread" [ "$(measured 2 one), $(measured 2 two), $(measured 1 one), $(measured 1 two)" = \
	"300 measured, 700 measured, 1000 measured, " ]

# Threads that share counters say so.
must "compile parts.c, plain" "$cgcc" --cgview-flags=counters=plain -O2 -pthread \
	"$here/programs/parts.c" -o plain
record plain.db ./plain 40000000 80000000
check "threads without counts of their own are told" sh -c \
	'"$1" report --by note plain.db | grep -q "have no counts of their own"' sh "$cgview"
check "others are not" sh -c '! "$1" report --by note time.db | grep -q "of their own"' sh "$cgview"

# Lists that are none, and numbers that the profile does not have: six threads of one run.
refused() # refused STATUS WORDS COMMAND...
{
	local status=$1 words=$2
	shift 2
	"$cgview" "$@" all.db > out 2> err
	check "refused: $*" [ "$? $(wc -l < err) $(wc -c < out)" = "$status 1 0" ]
	check "... with the reason" grep -qF -e "$words" err
}
for list in 1, ,1 1-x 2-1 -1 '' 'x' '1 2' '1-' ' ' '1;2'; do
	refused 2 "report: --threads $list: it is a list of numbers, as 1,3-5" report --threads "$list"
	refused 2 "report: --runs $list: it is a list" report --by tree --runs "$list"
	refused 2 "annotate: --runs $list: it is a list" annotate --runs "$list"
done
for list in 0 7 1,9 3-7 6-18446744073709551617 99999999999999999999; do
	refused 1 "threads $list: all.db has threads 1 to 6 only" report --threads "$list"
	refused 1 "threads $list: all.db has threads 1 to 6 only" report --by tree --threads "$list"
done
refused 1 "runs 2: all.db has runs 1 to 1 only" annotate --runs 2
check "blanks in a list" [ "$(calls all.db --threads ' 1 - 3 , 4-6 ')" = 321018 ]

# The other reports of the same threads.
n=$(thread all.db t20000)
check "annotate" sh -c '"$1" annotate --threads "$2" --procedure step all.db | grep -q " 20,000 "' sh "$cgview" "$n"
check "tree" sh -c '"$1" report --by tree --from arcs --threads "$2" all.db | grep -q "only thread $2 of 6"' \
	sh "$cgview" "$n"
check "nothing is left in the temporary directory" sh -c '
	mkdir t && TMPDIR=$PWD/t "$1" report --threads 1 all.db > /dev/null && [ -z "$(ls t)" ]' sh "$cgview"
cat > kills.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
	static int calls;

	if (++calls == 3)
		raise(SIGKILL);
	return syscall(SYS_pwrite64, fd, data, size, at);
}
END
must "compile what kills" gcc -shared -fPIC kills.c -o kills.so
LD_PRELOAD=$PWD/kills.so TMPDIR=$PWD/t "$cgview" report --threads 1 all.db > out 2> err
check "... nor when it is killed while it writes there" [ "$? $(ls t)" = "137 " ]

# In the browser: the thread whose name is searched, then all again.
screen() # screen DB STEP...: what it shows in the end
{
	local db=$1
	shift
	printf '%s\n' size:100x30 "$@" ":save-screen $TMP_DIR/screen" > script
	CGVIEW_SCRIPT=script "$cgview" --config /dev/null "$db" && cat screen
}
screen all.db T text:/t20000 Enter Enter "text:/step\\>" Enter > shown # a sample may have put another row first
check "chosen in the browser" grep -q " 20,000  step " shown
check "... and told" grep -q "only thread $n of 6" shown
check "... callers, too" grep -q "callers of step .* 20,000 calls" shown
screen all.db T text:/t20000 Enter Space text:/t1000 Enter Space a > shown
check "two marked" grep -q " 21,000  step " shown
screen all.db T text:/t20000 Enter Enter T A > shown
check "all again" grep -q " 321,018  step " shown
screen runs.db T g Space Enter > shown
check "a run" grep -q " 100  step " shown
screen all.db T text:/t20000 Enter Enter T g Space Enter > shown
check "another choice after the first: the whole run is all" grep -q " 321,018  step " shown
