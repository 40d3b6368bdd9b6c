#!/bin/bash
# Intervals of a process that goes on (cgview reduce --since): differences of states, that add up.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit 1
same() { [ "$2" = "$3" ] || echo "# expected $2, got $3"; check "$1" [ "$2" = "$3" ]; }
reduce() { "$cgview" reduce "$@"; }
refused() # refused NAME PATTERN ARGUMENT...: in one line, with status 1, and nothing is written
{
	local name=$1 pattern=$2 status
	shift 2
	rm -f no.sum
	reduce -o no.sum "$@" 2> err
	status=$?
	check "$name" [ "$status $(wc -l < err) $(grep -cE "$pattern" err) $(ls no.sum 2> /dev/null)" = "1 1 1 " ]
}
cat > p.c <<'END'
#include <stdio.h>
static long three(long n) { return n * 3; }
static long five(long n) { return n ^ 5; }
static long (*volatile ways[])(long) = { three, five };
volatile long sum;
__attribute__((noinline)) void work(long n)
{
	for (long i = 0; i < 1000000; i++)
		sum += i % 7;
	sum += ways[n % 2](n);
}
int main(void)
{
	for (int n; scanf("%d", &n) == 1; fflush(stdout)) {
		while (n-- > 0)
			work(n);
		puts("done");
	}
	return 0;
}
END
must "compile" "$cgcc" -O1 -g --cgview-flags=targets p.c -o p
CGVIEW_OUT=other ./p < /dev/null
reduce -o other.sum other*.raw
coproc P { CGVIEW_OUT=live exec ./p; }
at=0
for n in 3 4 101 20; do
	echo $n >&${P[1]}
	read -r _ <&${P[0]}
	reduce -o s$((++at)).sum live*.raw
done
raw=$(ls live*.raw)
cp s1.sum i1.sum
for i in 2 3 4; do
	reduce --since s$((i - 1)).sum -o i$i.sum s$i.sum
	same "interval $i is made" 0 $?
done
reduce --since s3.sum -o raw.sum "$raw"
check "of the raw profile of the running process: the same bytes" cmp raw.sum i4.sum
for i in 1 2 3 4; do
	must "import" "$cgview" import -o i$i.db i$i.sum
	must "import" "$cgview" import -o s$i.db s$i.sum
done
calls="SELECT group_concat(name || ' ' || calls, ', ') FROM (SELECT name, calls FROM procedure
	WHERE name IN ('work', 'three', 'five', 'main') ORDER BY name)"
# By hand: work(n - 1) to work(0), of which the even ones call three().
same "calls of the first" "five 1, main 1, three 2, work 3" "$(sqlite3 i1.db "$calls")"
same "... of the second, in which main was not called" "five 2, main 0, three 2, work 4" "$(sqlite3 i2.db "$calls")"
same "... of the third, in which a short process becomes a long one" "five 50, main 0, three 51, work 101" \
	"$(sqlite3 i3.db "$calls")"
same "... of the fourth" "five 10, main 0, three 10, work 20" "$(sqlite3 i4.db "$calls")"
# Each figure by the profiles of the states. (A library's procedure has a row where it has samples.)
figure() { sqlite3 "$1" "SELECT sum($2) FROM $3"; }
for of in 'count block' 'self_samples procedure' 'samples run'; do
	for i in 2 3 4; do
		now=$(figure s$i.db $of) before=$(figure s$((i - 1)).db $of)
		same "interval $i, sum of $of" $((now - before)) "$(figure i$i.db $of)"
	done
done

reduce -o a.sum i3.sum i1.sum i4.sum i2.sum
same "intervals add up" 0 $?
reduce -o b.sum i1.sum i2.sum
reduce -o c.sum i4.sum i3.sum
reduce -o b.sum c.sum b.sum
check "... in any tree: the same bytes" cmp b.sum a.sum
must "import" "$cgview" import -o a.db a.sum
rows="SELECT id, count FROM block ORDER BY 1"
same "... to the blocks of the last state" "$(sqlite3 s4.db "$rows")" "$(sqlite3 a.db "$rows")"
rows="SELECT name, calls, self_samples FROM procedure ORDER BY 1, 2"
same "... its procedures, with their samples" "$(sqlite3 s4.db "$rows")" "$(sqlite3 a.db "$rows")"

refused "two intervals that begin at the same state" 'there twice' raw.sum i4.sum
refused "another process's state" 'other.sum: it is no state of process [0-9]+ of' --since other.sum "$raw"
refused "an interval is no state" 'it is no state of process' --since i2.sum "$raw"
refused "a later state" 's3.sum: .* had done more then' --since s3.sum s2.sum
refused "nothing was done" 'has done nothing since' --since s4.sum "$raw"
refused "a raw profile is no sum" 'no sum' --since "$raw" "$raw"
refused "two processes" 'for one process, here are 2' --since s1.sum "$raw" other.sum
reduce -o two.sum s2.sum other.sum
refused "a state of two processes" 'it is no state of process' --since two.sum "$raw"
refused "no file" 'gone.sum: ' --since gone.sum "$raw"
head -c 9000 s1.sum > cut.sum
refused "a sum that is cut off" 'cut.sum: cut off' --since cut.sum "$raw"
for at in 40 4100; do
	cp s1.sum bad.sum
	printf '\x5a\xa5\x5a' | dd of=bad.sum bs=1 seek=$at conv=notrunc status=none
	refused "damaged at $at" 'bad.sum: ' --since bad.sum "$raw"
done
exec {P[1]}>&-
wait
