#!/bin/bash
# cgview record --against: two programs by turns into two profiles. Which of a pair is first is left to chance; that each
# pair has both is not.
. tests/e2e/lib.sh
need_collection
need sqlite3
need python3
cd "$TMP_DIR" || exit 1
cat > prog.c <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile long sum;
int main(int argc, char **argv)
{
	char line[20] = "";
	FILE *log = fopen("log", "a");

	if (argc > 1 && !strcmp(argv[1], "read") && !fgets(line, sizeof(line), stdin))
		return 3;
	fprintf(log, "%s\n", NAME);
	fclose(log);
	if (argc > 1 && !strcmp(argv[1], "fail"))
		return FAILS;
	if (argc > 1 && !strcmp(argv[1], "last") && access("go-on", F_OK))
		kill(getppid(), 2);
	for (int i = 0; i < ROUNDS; i++)
		sum += i;
	return 0;
}
END_OF_C
sed -i 's/#include <stdio.h>/#include <signal.h>\n&/' prog.c
"$cgcc" -O1 -g -DNAME='"old"' -DROUNDS=1000 -DFAILS=0 -o old prog.c && "$cgcc" -O1 -g -DNAME='"new"' -DROUNDS=1100 -DFAILS=4 -o new prog.c || exit 1
against() # against STATUS NAME [OPTION...] -- PROGRAM...
{
	local wanted=$1 name=$2
	shift 2
	rm -f log ./*.db ./*.old
	"$cgview" record -F 0 --against "$@" > out 2> err < "${input:-/dev/null}"
	local status=$?
	[ $status = "$wanted" ] && ok "$name" && return
	echo "# status $status"
	cat out err
	not_ok "$name"
}
rounds() { "$cgview" report --by line --format csv --columns line,count "$1" | tr -d '\r' | sed -n "s/^$(grep -n 'sum += i' prog.c | cut -d: -f1),//p"; }
runs() { sqlite3 "$1" "SELECT count(*) FROM run"; }
against 0 "two programs" ./old -n 4 -o p.db -- ./new
check "... two profiles" [ "$(echo ./*.db*)" = "./p.base.db ./p.db" ]
check "... of all runs" [ "$(runs p.base.db) $(runs p.db)" = "4 4" ]
check "... each of its program" [ "$(rounds p.base.db) $(rounds p.db)" = "4000 4400" ]
check "... which took turns" python3 -c 'w = open("log").read().split()
assert len(w) == 8 and all(set(w[i:i + 2]) == {"old", "new"} for i in range(0, 8, 2)), w'
check "... and are compared" grep -q '^cgview: compare them: cgview diff p.base.db p.db$' err
check "... -n spends nothing" [ "$(sqlite3 p.db "SELECT count(*) FROM note WHERE kind = 'looks'")" = 0 ]
check "more work, whatever the times" grep -q '^main,.*,more work,' <("$cgview" diff --format csv p.base.db p.db | tr -d '\r')
against 0 "the other name" ./old -n 1 -o prof -- ./new
check "... is behind what has no ending" [ -f prof.base ]
rm -f prof prof.base
echo line > input
input=input against 0 "each reads its input from the beginning" ./old -n 3 -o p.db -- ./new read
input=
against 4 "the status is the program's" ./old -n 3 -o p.db -- ./new fail
check "... which is told once" [ "$(grep -c '3 of 3 runs failed; the first of them is run 1: exit 4' err)" = 1 ]
check "... both profiles are there" [ "$(runs p.base.db) $(runs p.db)" = "3 3" ]
refused() # refused STATUS NAME PATTERN ARGUMENT...: one line, and nothing is left
{
	local status=$1 name=$2 pattern=$3
	shift 3
	against "$status" "refused: $name" "$@"
	check "... in one line: $(head -1 err)" bash -c '[ "$(wc -l < err)" = 1 ] && grep -q -- "$0" err' "$pattern"
	check "... and nothing is there" [ -z "$(find . -name 'p.*')" ]
}
refused 127 "no other program" '^cgview: --against ./nope: no such program$' ./nope -o p.db -- ./new
refused 127 "no program" '^cgview: ./nope: no such program$' ./old -o p.db -- ./nope
echo text > text
refused 126 "none that may be run" '^cgview: --against ./text: it may not be executed (chmod +x)$' ./text -n 2 -o p.db -- ./new
refused 2 "not with --sweep" 'not with' ./old --sweep N=1,2 -o p.db -- ./new
refused 2 "no time" "budget x: it is a time" ./old --budget x -o p.db -- ./new
"$cgview" record --budget 2s -- ./new 2> err
check "a budget of nothing" grep -q 'it goes with --against' err
# The first program sends an interrupt to its recorder: nothing is complete. Later ones are left out.
against 130 "stopped in the first pair" ./old -n 5 -o p.db -- ./new last
check "... nothing is written" [ -z "$(find . -name 'p.*')" ]
check "... which is told" grep -q 'stopped before both programs had run: nothing is written' err
against 0 "a budget" ./old --budget 1s -o p.db -- ./new
check "... ends with a complete pair" [ "$(runs p.base.db)" = "$(runs p.db)" ]
# Killed: the recorders notice, and leave nothing.
rm -f log p.*
"$cgview" record -F 0 --against ./old -n 9999 -o p.db -- ./new > out 2> err < /dev/null &
pid=$!
for i in $(seq 100); do [ -s log ] && break; sleep 0.1; done
kill -9 $pid
wait $pid 2> /dev/null
for i in $(seq 100); do [ -z "$(find . -name 'p.*')" ] && break; sleep 0.1; done
check "killed: nothing is left" [ -z "$(find . -name 'p.*')" ]
# What a look has spent is kept, and comparisons are judged by it.
"$cgview" record -F 0 -n 3 -o a.db -- ./old > out 2>&1
"$cgview" record -F 0 -n 3 -o b.db -- ./new > out 2>&1
for side in a b; do
	sqlite3 $side.db "UPDATE procedure SET self_ns = 0, self_samples = 0;
		UPDATE procedure SET self_ns = $([ $side = a ] && echo 3000000000 || echo 3130000000), self_samples = 3000,
			self_sd_ns = 15000000 WHERE name = 'main';
		UPDATE totals SET self_ns = 3000000000, self_samples = 3000;
		UPDATE run SET cpu_ns = 1000000000, samples = 1000, interval_ns = 1000000, sample_ns = 1000000"
done
main() { "$cgview" diff -e time --format csv a.db b.db | tr -d '\r' | grep '^main,' | grep -oE 'slower|more work'; }
check "43 ms with an error of 12 of 1 s: p is 0.024, which is less than 5 %" [ "$(main)" = slower ]
sqlite3 b.db "INSERT INTO note(id, kind, text) SELECT coalesce(max(id), 0) + 1, 'looks', 'judged at 0.01147 of' FROM note"
check "... but not than what the first look may claim" [ "$(main)" = "more work" ]
