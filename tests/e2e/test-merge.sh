#!/bin/bash
# cgview merge: profiles added up.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit 1

# Threads, statics of a header in two units, calls through pointers, a library that calls back.
cat > both.h <<'END'
static __attribute__((noinline)) int twice(int x) { return x > 2 ? x * 2 : x + 1; }
END
cat > other.c <<'END'
#include "both.h"
int other(int n) { int s = 0; for (int i = 0; i < n; i++) s += twice(i); return s; }
END
cat > prog.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include "both.h"
int other(int);
static volatile long sink;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void one(int n) { __atomic_add_fetch(&sink, n, 5); }
static void two(int n) { __atomic_sub_fetch(&sink, n, 5); }
static void (*volatile which[2])(int) = { one, two };
static void work(long n) { for (long i = 0; i < n; i++) for (volatile int k = 0; k < 1000; k++) ; }
static void *run(void *p)
{
	for (long i = 0; i < (long)p; i++) {
		which[i % 3 == 0](1);
		twice((int)i);
	}
	work((long)p * 100);
	return 0;
}
int main(int argc, char **argv)
{
	long n = atol(argv[1]);
	pthread_t t;
	int a[100];

	pthread_create(&t, 0, run, (void *)n);
	run((void *)(n / 2));
	pthread_join(t, 0);
	for (int i = 0; i < 100; i++)
		a[i] = i * 37 % 101;
	if (n % 2)
		qsort(a, 100, sizeof(int), compare);
	if (argc > 2)
		exit(atoi(argv[2]));
	return other((int)n) < 0;
}
END
for targets in "" --cgview-flags=targets; do
	mkdir "b$targets" && cd "b$targets" && cp ../*.c ../*.h . || exit 1
	must "compile" "$cgcc" $targets -O1 -pthread prog.c other.c -o prog
	for n in 300 501 702; do record $n.db ./prog $n; done
	"$cgview" record -o five.db -- ./prog 44 5 2> /dev/null
	sha256sum *.db > before

	must "merge" "$cgview" merge -o sum.db 300.db 501.db 702.db five.db
	python3 "$here/merge.py" sum.db 300.db 501.db 702.db five.db
	python3 "$here/parts.py" sum.db
	check "one() by hand: $((200 + 100 + 334 + 166 + 468 + 234 + 29 + 14))" \
		[ "$(count_of sum.db one)" = $((200 + 100 + 334 + 166 + 468 + 234 + 29 + 14)) ]
	check "exit statuses" [ "$(sqlite3 sum.db 'SELECT group_concat(exit_status) FROM run')" = 0,0,0,5 ]
	check "the inputs are as they were" sha256sum --quiet -c before

	# (a + b) + c, a + (b + c), c + b + a: down to the last byte.
	"$cgview" merge -o ab.db 300.db 501.db 2> /dev/null
	"$cgview" merge -o left.db ab.db 702.db 2> /dev/null
	"$cgview" merge -o bc.db 501.db 702.db 2> /dev/null
	"$cgview" merge -o right.db 300.db bc.db 2> /dev/null
	"$cgview" merge -o back.db 702.db 501.db 300.db 2> /dev/null
	sqlite3 left.db .dump > left.sql
	for db in right back; do
		sqlite3 $db.db .dump > $db.sql
		check "associative and commutative: $db" cmp left.sql $db.sql
		check "... to the last byte" cmp left.db $db.db
	done
	check "not the same as without c" [ "$(sqlite3 ab.db .dump | cmp -s - left.sql; echo $?)" = 1 ]

	# Each run alone gives what it counted.
	for run in 1 2 3 4; do
		db=$(echo 300.db 501.db 702.db five.db | cut -d' ' -f$run)
		check "run $run alone" [ "$("$cgview" report --runs $run --by line --sort line --format csv sum.db | cut -d, -f2,3,5)" = \
			"$("$cgview" report --by line --sort line --format csv $db | cut -d, -f2,3,5)" ]
	done
	cd ..
done
cd b || exit 1

# As record -a does it.
cp 300.db a.db
"$cgview" record -a -o a.db -- ./prog 501 2> /dev/null
# But for libc's, which have a row where a sample was taken in them.
calls() { sqlite3 "$1" "SELECT group_concat(name || ' ' || calls) FROM (SELECT name, calls FROM procedure
	WHERE calls AND NOT is_foreign ORDER BY name, calls)"; }
check "record -a counts the same: $(calls ab.db)" [ "$(calls a.db)" = "$(calls ab.db)" ]

# With standard error closed, what is said goes nowhere: not into a temporary file either.
must "compare" "$cgview" diff -o compared.db 300.db 702.db
must "with a comparison, which is left out" "$cgview" merge -o open.db ab.db compared.db
"$cgview" merge -o closed.db ab.db compared.db 2>&-
check "with standard error closed" cmp open.db closed.db
"$cgview" merge -o none.db ab.db compared.db <&- >&- 2>&-
check "with all three closed" cmp open.db none.db

# The output is one of the inputs.
cp ab.db growing.db
must "into an input" "$cgview" merge -o growing.db growing.db 702.db
check "the output is one of the inputs" cmp growing.db left.db
check "... which is kept" cmp growing.db.old ab.db
cp growing.db.old was.db
"$cgview" merge -o growing.db 300.db growing.db.old > out 2> err
check "an input that would give way to the old output" [ "$? $(wc -l < err)" = "2 1" ]
check "... is told" grep -q "^cgview: merge: -o growing.db: what is there would be kept in place of the profile growing.db.old" err
check "... and stays" cmp growing.db.old was.db
cp left.db real.db && ln -s real.db name.db
must "into a link" "$cgview" merge -o name.db 300.db 501.db
check "the link stays, the old file is kept beside the new one" [ "$(readlink name.db)" = real.db ]
check "... whole" cmp real.db.old left.db
check "... and replaced" cmp real.db ab.db
check "... no other name" [ -z "$(ls -A | grep '^name\.db\.old$')" ]
cp left.db again.db && mkdir again.db.old
"$cgview" merge -o again.db 300.db 501.db 2> err
check "what is there cannot be kept" [ "$? $(grep -c '^cgview: cannot keep .*again.db as .*again.db.old: Is a directory$' err)" = "1 1" ]
check "... and stays" cmp again.db left.db
check "... with nothing beside it" [ "$(echo again.db*)" = "again.db again.db.old" ]
rmdir again.db.old
"$cgview" record -o again.db -- ./prog 300 2> /dev/null
check "record keeps what was there" cmp again.db.old left.db
# cgview outlives the limit of file sizes; what writes in the same way does not.
( ulimit -c 0; ulimit -f 60; exec "$build/tests/make-profile" killed.db --procedures 500 ) 2> /dev/null
check "killed while it writes" [ $? -gt 128 ]
check "... it leaves a file" ls killed.db.*.tmp
must "after that" "$cgview" merge -o killed.db 300.db 501.db
check "... nothing is left" [ "$(echo killed*)" = killed.db ]

# What is refused, in one line, and nothing is written.
refused() # refused NAME WORDS ARGUMENTS...
{
	local name=$1 words=$2
	shift 2
	rm -f no.db
	"$cgview" merge -o no.db "$@" > out 2> err
	check "refused: $name" [ "$? $(wc -l < err)" = "1 1" ]
	check "... with the reason" grep -qE "$words" err
	check "... nothing is written" [ ! -e no.db ]
}
sed 's/1000; k/1001; k/' prog.c > prog2.c
must "compile" "$cgcc" -O1 -pthread prog2.c other.c -o prog.2
cp prog prog.1; cp prog.2 prog
record rebuilt.db ./prog 300
cp prog.1 prog
refused "another build" "^cgview: rebuilt.db is of another build of .*/prog \([0-9a-f]+\) than 300.db \([0-9a-f]+\)" 300.db rebuilt.db
echo 'int main(void) { return 0; }' > else.c
must "compile" "$cgcc" else.c -o else
record else.db ./else
refused "another program" "else.db is of another program .*/else.* than 300.db" 300.db 501.db else.db
refused "the same run twice" "ab.db has a run that 300.db has, too" 300.db ab.db
refused "the same profile twice" "300.db has a run that 300.db has, too" 300.db 300.db
refused "a missing profile" "missing.db does not exist" 300.db missing.db 501.db
head -c 20000 501.db > cut.db
refused "a damaged profile" "cut.db" 300.db cut.db
cp 501.db parts.db
sqlite3 parts.db "UPDATE part SET data_zlib = zeroblob(length(data_zlib)) WHERE id = 2"
refused "damaged parts" "parts.db" 300.db parts.db
refused "not a profile" "prog.c is not a profile" prog.c 300.db
"$cgview" merge --keep-going -o no.db missing.db cut.db > out 2> err
check "refused: nothing is left" [ "$? $(tail -n 1 err)" = "1 cgview: none of the profiles can be added" ]
check "... nothing is written" [ ! -e no.db ]
ln -s /dev/full full 2> /dev/null
"$cgview" merge -o full 300.db 501.db > out 2> err
check "an output that is no file" [ "$? $(wc -l < err)" = "1 1" ]
"$cgview" merge 300.db 501.db > out 2> err
check "no output: usage" [ $? = 2 ]
check "no temporary files" [ -z "$(ls -A | grep -E 'tmp|XXXX|cgview-')" ]

# --keep-going adds the others and says so, in the profile, too.
"$cgview" merge --keep-going -o kept.db missing.db 702.db cut.db parts.db 300.db rebuilt.db else.db 501.db > out 2> err
check "--keep-going: status 1" [ $? = 1 ]
check "... names all five" [ "$(grep -c '^cgview: left out: ' err)" = 5 ]
check "... and the profile does" [ "$(sqlite3 kept.db "SELECT count(*) FROM note WHERE kind = 'merge' AND text LIKE 'left out: %'")" = 5 ]
sqlite3 kept.db "SELECT * FROM line" > kept
sqlite3 left.db "SELECT * FROM line" | check "... the rest is all there" cmp kept -

# By source: a comment moves all lines, work() is changed, other() is gone, a new procedure is there.
mkdir new && sed -e '1i /* moved */' -e 's/k < 1000; k++/k < 1000; k += 2/' -e 's/other((int)n) < 0/fresh((int)n) < 0/' \
	-e 's/^int other(int);/static int fresh(int n) { return n - 1; }/' prog.c > new/prog.c
cp prog.c old.c
cp prog prog.first
cp new/prog.c prog.c
sleep 1
must "compile" "$cgcc" -O1 -pthread prog.c -o prog
record new.db ./prog 702
cp old.c prog.c
refused "by build" "of another build" 300.db new.db
must "by source" "$cgview" merge --by-source -o source.db 300.db new.db 501.db
for name in one two run main compare; do
	check "by source: $name" [ "$(count_of source.db $name)" = $(($(count_of 300.db $name) + $(count_of 501.db $name) + $(count_of new.db $name))) ]
done
check "... what is new has its own" [ "$(count_of source.db fresh)" = 1 ]
check "... what is gone is left out" [ -z "$(count_of source.db other)" ]
line() { sqlite3 $1 "SELECT sum(l.count) FROM line l JOIN file f ON f.id = l.file WHERE f.path LIKE '%/prog.c' AND line = $2"; }
n=$(grep -n 'which\[i % 3' new/prog.c | cut -d: -f1)
check "... lines have moved by one" [ "$(line source.db $n)" = $(($(line 300.db $((n - 1))) + $(line 501.db $((n - 1))) + $(line new.db $n))) ]
check "... the text is the new one" [ "$(sqlite3 source.db "SELECT sqlar_uncompress(text_zlib, size_bytes) FROM file
	WHERE path LIKE '%/prog.c'" | head -n 1)" = "/* moved */" ]
check "... how much was found is told" [ "$(sqlite3 source.db "SELECT count(*) FROM note WHERE kind = 'merge' AND text LIKE
	'%is of another build: % block executions and % ms were found%'")" = 2 ]
check "... of the blocks as it says" [ "$(sqlite3 source.db "SELECT sum(count) FROM block")" = $(($(sqlite3 new.db "SELECT sum(count) FROM block") +
	$(sqlite3 source.db "SELECT text FROM note WHERE kind = 'merge'" | sed 's/.*build: \([0-9]*\) of.*/\1/' | paste -sd+))) ]
# Of three runs two are of the first build. By hand: fresh() is new, so is its one call; where other() was called
# is another line; in work() only the increment is another one.
without() { sqlite3 source.db "SELECT group_concat(runs_without) FROM ($1)"; }
check "... what only one of three runs has: procedures" [ "$(without "SELECT DISTINCT runs_without FROM procedure WHERE name = 'fresh'")" = 2 ]
check "... all have the others" [ "$(without "SELECT DISTINCT runs_without FROM procedure WHERE name <> 'fresh'")" = 0 ]
n=$(grep -n 'static int fresh' new/prog.c | cut -d: -f1)
check "... its line" [ "$(without "SELECT runs_without FROM line l JOIN file f ON f.id = l.file WHERE f.path LIKE '%/prog.c' AND l.line = $n")" = 2 ]
n=$(grep -n 'which\[i % 3' new/prog.c | cut -d: -f1)
check "... a line that all have" [ "$(without "SELECT runs_without FROM line l JOIN file f ON f.id = l.file WHERE f.path LIKE '%/prog.c' AND l.line = $n")" = 0 ]
check "... the call of it" [ "$(without "SELECT runs_without FROM call_site WHERE target = 'fresh'")" = 2 ]
check "... the sum of all such rows" [ "$(sqlite3 source.db "SELECT (SELECT count(*) FROM procedure WHERE runs_without) + (SELECT count(*) FROM block
	WHERE runs_without) + (SELECT count(*) FROM call_site WHERE runs_without) + (SELECT count(*) FROM line WHERE runs_without) = rows_without
	AND rows_without > 3 FROM totals")" = 1 ]
check "... none in a sum of one build" [ "$(sqlite3 ab.db 'SELECT rows_without FROM totals')" = 0 ]
"$cgview" report source.db > text
check "... the report has a column for it" [ "$(sed -n '/ without /,$p' text | grep -E ' fresh +' | grep -cE ' 2/3 ')" = 1 ]
"$cgview" report ab.db > text
check "... which others do not have" [ "$(grep -c without text)" = 0 ]
check "... csv has it" [ "$("$cgview" report --format csv --columns procedure,runs_without source.db | grep -E '^(fresh|one),' | sort | tr -d '\r' | paste -sd' ')" = "fresh,2 one,0" ]
check "... a note explains it" [ "$("$cgview" report --by note --format csv source.db | grep -c '^builds,"[1-9][0-9]* procedures, [1-9].* are in the builds of only some of the runs')" = 1 ]
check "... no other cause is given" [ "$("$cgview" report --by note source.db | grep -c 'not profiled')" = 0 ]
python3 "$here/parts.py" source.db
must "by source, the other way" "$cgview" merge --by-source -o ecruos.db 501.db new.db 300.db
check "... in any order" cmp source.db ecruos.db
cp prog.first prog

# The same build at another place.
mkdir moved && cp prog moved/
record moved.db moved/prog 99
must "moved" "$cgview" merge -o both.db 300.db moved.db
check "a copy of the program is the same build" [ "$(sqlite3 both.db "SELECT count(*) FROM procedure WHERE name = 'one'")" = 1 ]
check "... counts" [ "$(count_of both.db one)" = $((200 + 100 + 66 + 32)) ]

# Counts stop at the greatest integer, and that is told.
cp 300.db big.db
sqlite3 big.db "UPDATE block SET count = 9223372036854775807 WHERE id = (SELECT min(id) FROM block WHERE count);
	UPDATE run SET started_ns = 7"
must "big" "$cgview" merge -o bigger.db big.db 501.db
check "an overflow stops" [ "$(sqlite3 bigger.db "SELECT max(count), totals.max_block_count, totals.blocks_executed FROM block, totals")" = \
	"9223372036854775807|9223372036854775807|9223372036854775807" ]
check "... and is told" [ "$(sqlite3 bigger.db "SELECT count(*) FROM note WHERE kind = 'counts' AND text LIKE '%too low%'")" = 1 ]

# Pins do not add up.
cp 300.db pinned.db
sqlite3 pinned.db "INSERT INTO pin SELECT 1, 'mine', site, callee, count FROM arc WHERE site IS NOT NULL LIMIT 1"
must "pins" "$cgview" merge -o unpinned.db pinned.db 501.db
"$cgview" merge -o unpinned.db pinned.db 501.db 2> err
check "pins are dropped" [ "$(sqlite3 unpinned.db "SELECT count(*) FROM pin")" = 0 ]
check "... with a word" grep -q "^cgview: pinned.db: its pins are left out" err

# Two runs of one command give a spread, |x - y| / sqrt(2); one does not, nor do two of different work.
record again.db ./prog 300
must "one command" "$cgview" merge -o twice.db 300.db again.db
spread=$(sqlite3 twice.db "ATTACH '300.db' AS a; ATTACH 'again.db' AS b;
	SELECT sum(abs(p.self_sd_ns - abs(x.self_ns - y.self_ns) / sqrt(2)) > 1), count(p.self_sd_ns) > 0
	FROM main.procedure p, a.procedure x, b.procedure y WHERE p.name = 'work' AND x.name = 'work' AND y.name = 'work'")
check "the spread of two runs: $spread" [ "$spread" = "0|1" ]
check "none of different work" [ "$(sqlite3 ab.db "SELECT count(self_sd_ns) FROM procedure")" = 0 ]
check "none of one" [ "$(sqlite3 300.db "SELECT count(self_sd_ns) FROM procedure")" = 0 ]
