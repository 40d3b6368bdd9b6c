#!/bin/bash
# Files of callgrind and cachegrind. Figures of files written by hand are counted by hand; of programs that run under
# valgrind here, all of them are those of callgrind_annotate and cg_annotate. Lines have no counts, and are nowhere
# shown as never executed.
set -u
. tests/db/lib.sh
need sqlite3 python3
compare=$top/tests/collect/callgrind.py
cd "$TMP_DIR" || exit 1

# check_output NAME EXPECTED COMMAND...
check_output()
{
	local name=$1 expected=$2
	shift 2
	printf '%s\n' "$expected" > expected
	{ "$@" 2>&1; } | tr -d '\r' > got
	check "$name" diff expected got
}
rows() { "$cgview" report --sql "$2" --format csv "$1"; } # PROFILE SQL
procedures() # PROFILE
{
	"$cgview" report --format csv --sort procedure --columns procedure,calls,self_ir,total_ir "$1"
}
calls() # PROFILE
{
	rows "$1" "SELECT p.name AS caller, q.name AS callee, a.count, a.total_ir FROM arc a
		JOIN procedure p ON p.id = a.caller JOIN procedure q ON q.id = a.callee ORDER BY 1, 2"
}

# ---- every rule of the grammar ----
# Names by numbers, in three spaces: (1) is an object, a file and a function. fn= goes back to the function's file; fi=
# does not change it. Positions relative to the costs before, also to those of calls and jumps, and in two kinds. A
# callee is in the file at hand if none is said; what is said is forgotten behind cfn=. A cfn= without calls= is none.
tr @ ' ' > rules.cg <<'END'
# callgrind format
version: 1
creator: hand-1
pid: 7
cmd: ./rules 'a b'
desc: Trigger: x = y
event: Ir : instructions done
event: Both = Ir + 2 Dr : twice

positions: instr line
events: Ir Dr


ob=(1) /nowhere/rules
fl=(1) rules.c
fn=(1) main
0x10 10 5
+5 +2 7 1
fi=(2) rules.h
* 3 100
cfn=(3) unused
cfn=(2) helper
calls=3 0x20 40
+1 -1 60 6
fe=(1)
+4 +10 1
cob=(2) /nowhere/lib.so
cfi=(3) other.c
cfn=(4) far
calls=2 0x90 70@
0x40 14 10
jfi=(2)
jump=5 0x44 20
0x50 30
jcnd=3/4 +4 +2
* *
+1 * 2

fl=(2)
fn=(2)
0x20 40 30 3
+1 50 30 3
fi=(1)
+1 2 7
fn=(5) behind
-1 +1 9
ob=(2)
fl=(3)
fn=(4)
0x90 70 8
+1 +3:9 2

totals: 201 7
END
"$cgview" import -o rules.db rules.cg > out 2>&1
check_output "it is read, and told what it has" \
	"rules: 201 instructions done, 5 calls  ->  rules.db" cat out
check_output "calls, self and total of procedures" \
'procedure,calls,self_ir,total_ir
behind,,9,9
far,2,10,10
helper,3,67,67
main,,115,185' procedures rules.db
check_output "who called what" \
'caller,callee,count,total_ir
main,far,2,10
main,helper,3,60' calls rules.db
check_output "calls are exact, where they were made" \
'line,path,count,lo,hi,how,total_ir
2,rules.h,3,3,3,measured,60
14,rules.c,2,2,2,measured,10' rows rules.db "SELECT s.line, f.path, a.count, a.lo, a.hi, a.how, a.total_ir FROM arc a
	JOIN call_site s ON s.id = a.site JOIN file f ON f.id = s.file ORDER BY s.line"
check_output "lines have costs, and no count" \
'path,line,self_ir,self_dr,uncounted
other.c,70,8,0,1
other.c,73,2,0,1
rules.c,2,7,0,1
rules.c,10,5,0,1
rules.c,12,8,1,1
rules.c,14,0,0,1
rules.c,30,2,0,1
rules.h,2,0,0,1
rules.h,3,109,0,1
rules.h,40,30,3,1
rules.h,50,30,3,1' rows rules.db "SELECT f.path, l.line, l.self_ir, l.self_dr, l.count = 0 AND l.lacking = 9223372036854775807
	AS uncounted FROM line l JOIN file f ON f.id = l.file ORDER BY 1, 2"
check_output "a formula of the file" \
'procedure,self_both,total_both
behind,9,9
far,10,10
helper,79,79
main,117,199' "$cgview" report --format csv --sort procedure --columns procedure,self_both,total_both rules.db
# By hand: helper and behind have 7 and 9 that no call brought.
check_output "the tree of calls has what was measured" \
'depth,procedure,total_ir,self_ir,calls
1,main,185,115,0
2,helper,60,60,3
2,far,10,10,2
1,behind,9,9,0
1,helper,7,7,0' sh -c "'$cgview' report --by tree --format csv --unfolded rules.db | awk -F, '{ print \$3 \",\" \$5 \",\" \$10 \",\" \$11 \",\" \$13 }'"
check_output "... of another event" 'main,7,1
helper,6,6' sh -c "'$cgview' report --by tree --measure dr --format csv --unfolded rules.db |
	awk -F, 'NR > 1 && \$10 { print \$5 \",\" \$10 \",\" \$11 }'"
check_output "... bottom-up" 'main,115,
helper,67,
main,60,3
,7,0
far,10,
behind,9,' sh -c "'$cgview' report --by tree --bottom-up --format csv --unfolded rules.db |
	awk -F, 'NR > 1 && (\$3 == 1 || \$5 != \"main\" || \$10 == 60) { print \$5 \",\" \$11 \",\" (\$3 > 1 ? \$13 : \"\") }'"
"$cgview" report --by tree rules.db > text
check "... named as the tool does" grep -qE '^total% +≈ total Ir +≈ Ir .*calls +procedure$' text
check "... and the text says what it is" grep -q '^calls, from arcs: instructions done shared out' text
"$cgview" report --by block rules.db > text
check_output "expressions begin with the costliest" '100 30 30' sh -c "awk '/rules/ && \$5 ~ /main|helper/ { print \$1 }' text | head -3 | xargs"
check_output "names of events and of the run" \
"name,label,title,inclusive,exact,tool,command
ir,Ir,instructions done,measured,1,hand-1,./rules 'a b'
dr,Dr,data reads,measured,1,hand-1,./rules 'a b'
both,Both,twice,measured,1,hand-1,./rules 'a b'" rows rules.db "SELECT m.name, m.label, m.title, m.inclusive,
	m.exact, r.tool, r.command FROM measure m, run r WHERE m.id > 6"
check_output "modules, and where procedures begin" \
'name,module,path,line
behind,/nowhere/rules,rules.h,3
far,/nowhere/lib.so,other.c,70
helper,/nowhere/rules,rules.h,40
main,/nowhere/rules,rules.c,10' rows rules.db "SELECT p.name, p.module, f.path, p.line FROM procedure p
	JOIN file f ON f.id = p.file ORDER BY 1"
"$cgview" report rules.db > text
check "no column of times" grep -qvE 'self%|propagated|ns' text
check "the tool's name heads its column" grep -qE ' Ir +Ir% +total Ir ' text
check "the first event sorts" awk '/main/ { m = NR } /helper/ { h = NR } END { exit !(m && m < h) }' text
"$cgview" report --by line rules.db > text
check "no column of counts of lines" test "$(grep -c count text)" -eq 0
"$cgview" report --by never rules.db > never
check "nothing is told to be never executed" grep -qE '(^| )0 ' never

# ---- recursion ----
# By hand: f calls itself, g calls f, f calls g. Levels below the first are one more function: all are added up, and the
# total is what came into the first one. The arcs have each stack once, too.
cat > levels.cg <<'END'
# callgrind format
events: Ir
fl=r.c
fn=main
1 1
cfn=f
calls=1 10
2 100
fn=f
10 10
cfn=f'2
calls=1 10
11 60
cfn=g
calls=1 20
12 30
fn=f'2
10 20
cfn=f'2
calls=2 10
11 15
cfn=g
calls=1 20
12 25
fn=g
20 25
cfn=f'2
calls=1 10
21 30
totals: 56
END
"$cgview" import -o levels.db levels.cg > out 2>&1
check_output "levels of recursion are one procedure" \
'procedure,calls,self_ir,total_ir
f,5,30,100
g,2,25,55
main,,1,101' procedures levels.db
check_output "... and its calls are added up" \
'caller,callee,count,total_ir
f,f,3,60
f,g,2,55
g,f,1,30
main,f,1,100' calls levels.db
# In the tree the cycle is one, with what main() brought; its members share that by what they have of their own: 30 of 55.
check_output "... one node in the tree" \
'1,procedure,main,101,1
2,cycle,f,100,0
3,procedure,f,54,54
3,procedure,g,46,46' sh -c "'$cgview' report --by tree --unfolded --format csv levels.db |
	awk -F, 'NR > 1 && \$4 != \"recursion\" { print \$3 \",\" \$4 \",\" \$5 \",\" \$10 \",\" \$11 }'"
# The same without levels: what f and g have comes into their cycle from outside.
sed "s/'2//" levels.cg > cycle.cg
"$cgview" import -o cycle.db cycle.cg > out 2>&1
check_output "a cycle has what comes into it" \
'procedure,calls,self_ir,total_ir
f,5,30,100
g,2,25,100
main,,1,101' procedures cycle.db
# Contexts ("f'main") are one procedure; the quote of a lifetime of Rust is none.
cat > contexts.cg <<'END'
events: Ir
fl=r.c
fn=main
1 1
cfn=f'main
calls=1 10
2 40
cfn=g'main
calls=1 30
3 60
fn=f'main
10 40
fn=g'main
30 10
cfn=f'g'main
calls=4 10
31 50
fn=f'g'main
10 50
fn=<&'a str>::len
40 3
END
"$cgview" import -o contexts.db contexts.cg > out 2>&1
check_output "contexts are one procedure" \
"procedure,calls,self_ir,total_ir
<&'a str>::len,,3,3
f,5,90,90
g,1,10,60
main,,1,101" procedures contexts.db

# ---- parts, threads, several files ----
# Each part has numbers of its own, and may have other events in another order. Parts of a thread are slices of its time.
cat > parts.cg <<'END'
# callgrind format
creator: hand-1
pid: 7
part: 1
thread: 1
events: Ir Dr
fl=(1) p.c
fn=(1) main
1 10 1
cfn=(2) work
calls=1 5
2 20 2
fn=(2)
5 20 2
totals: 30 3

pid: 7
part: 1
thread: 2
events: Dr Ir Dw
fl=(1) q.c
fn=(1) work
7 4 40 400
totals: 4 40 400
pid: 7
part: 2
thread: 1
events: Ir
fl=(9) p.c
fn=(4) work
5 100
totals: 100
END
"$cgview" import -o parts.db parts.cg > out 2>&1
check_output "parts are added up" \
'procedure,file,calls,self_ir,self_dr,self_dw
main,p.c,,10,1,0
work,p.c,1,120,2,0
work,q.c,,40,4,400' "$cgview" report --format csv --sort procedure --columns procedure,file,calls,self_ir,self_dr,self_dw parts.db
check_output "threads" 'pid,tid
7,1
7,2' rows parts.db 'SELECT pid, tid FROM thread ORDER BY tid'
check_output "nothing to complain of" '0' sh -c "'$cgview' report --sql \"SELECT count(*) FROM note WHERE kind = 'counts'\" --format csv parts.db | tail -1 | tr -d '\r'"
awk '/^pid/ && ++n > 0 { f = "part-" n ".cg" } n { print > f }' parts.cg
"$cgview" import -o files.db part-1.cg part-2.cg part-3.cg > out 2>&1
procedures parts.db > want
procedures files.db > got
check "several files are one profile" diff want got
gzip -k rules.cg 2> /dev/null
"$cgview" import -o packed.db rules.cg.gz > out 2>&1
procedures rules.db > want
procedures packed.db > got
check "a compressed file" diff want got
# ---- cachegrind, and what others write ----
cat > cache.cg <<'END'
desc: I1 cache:         65536 B, 64 B, 16-way associative
cmd: ./prog
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
fl=a.c
fn=main
1 100 2 1 30 3 1 20 1 1
2 50
fl=b.h
fn=main
9 7 1 0 2 1 0 1 0 0
summary: 157 3 1 32 4 1 21 1 1
END
"$cgview" import -o cache.db cache.cg > out 2>&1
check_output "cachegrind: events, and those that follow from them" \
'procedure,file,self_ir,self_d1mr,self_l1m,self_llm,self_cest
main,a.c,150,3,6,3,510
main,b.h,7,1,2,0,27' "$cgview" report --format csv --sort file --columns procedure,file,self_ir,self_d1mr,self_l1m,self_llm,self_cest cache.db
check_output "... it counts no calls" '0,0' sh -c "'$cgview' report --sql 'SELECT calls, arcs FROM totals' --format csv cache.db | tail -1 | tr -d '\r'"
printf 'events: cpu(ms) Memory_(bytes)\nfn=(1) f\n+322975 3 100\n-5 2\n' > units.cg
"$cgview" import -o units.db units.cg > out 2>&1
check_output "units that names end with" \
'name,label,unit,total
cpu_ms,cpu(ms),ns,5000000
memory__bytes,Memory_(bytes),bytes,100' rows units.db 'SELECT name, label, unit, total FROM measure WHERE id > 6'

# ---- bad input ----
refused() # NAME PATTERN FILE
{
	"$cgview" import -o none.db "$3" > out 2>&1
	check "refused: $1" test $? -ne 0
	check "... in one line" test "$(wc -l < out)" -eq 1
	check "... that says why" grep -qE "$2" out
	check "... nothing is left" test ! -e none.db
}
printf '# callgrind format\nversion: 1\n' > none.cg
printf 'events: Ir\nfn=f\n' > costless.cg
{ echo 'events: Ir'; for i in $(seq 40); do echo "some text $i"; done; } > other.cg
refused "no events" 'no line that names its events' none.cg
refused "no costs" 'no costs' costless.cg
refused "another file" 'most of its lines' other.cg
# By hand: ids that are too great for an array, numbers for 64 bits, lines before the first, names that nobody gave,
# costs below 0, more costs than events.
printf '# callgrind format\nevents: Ir\nfl=(4000000000) a.c\nfn=(18446744073709551615) f\n+18446744073709551615 5\n' > hostile.cg
printf 'cfn=(2)\ncalls=99999999999999999999 1\n* 7\n3 -4\n4 1 2 3\n-9 1\n5 \0001\nf\0n=(1) x\nfn=(1) g\0h\n6 2\n' >> hostile.cg
"$cgview" import -o hostile.db hostile.cg > out 2>&1
check "numbers that are too great: it is read" test -e hostile.db
check "... what was not understood is told" grep -q '3 lines were not understood, the first is 9' out
check "... names that nobody gave" grep -q '1 lines use a number that no name was given to' out
check "... more costs than events" grep -q '1 lines have more costs than there are events' out
check "... numbers" grep -q 'some numbers are too great' out
check_output "... and what was, counts" \
'procedure,self_ir
(unknown),0
f,7
g,2' "$cgview" report --format csv --sort procedure --columns procedure,self_ir hostile.db
{ printf 'events: Ir\nfn=f\n1 1\n'; head -c 3000000 /dev/zero | tr '\0' 7; printf '\n2 2\nfn='; head -c 100000 /dev/zero | tr '\0' x
	printf '\n3 4\n'; } > long.cg
"$cgview" import -o long.db long.cg > out 2>&1
check "a line of 3 MB is left out, and told" grep -q '1 lines were not understood, the first is 4' out
check_output "... a name of 100 kB is cut" 'n,m
65536,4' rows long.db "SELECT length(linkage_name) AS n, self_ir AS m FROM procedure ORDER BY 1 DESC LIMIT 1"
sed 's/^totals: 201/totals: 202/' rules.cg > sum.cg
"$cgview" import -o sum.db sum.cg > out 2>&1
check "sums that differ from the file's are told" grep -q 'add up to 201 Ir, and the file says that they are 202' out
printf 'events: Ir\nfn=e\033[31mvil\n1 1\n' > evil.cg
"$cgview" import -o evil.db evil.cg > out 2>&1
"$cgview" report evil.db >> out
check "no escape is printed" test "$(grep -c "$(printf '\033')" out)" -eq 0
# Cut at each 64th byte it is read or refused, by one line each.
bad=0 size=$(wc -c < rules.cg)
for ((n = 0; n < size; n += 64)); do
	head -c "$n" rules.cg > cut.cg
	rm -f cut.db
	"$cgview" import -o cut.db cut.cg > out 2>&1
	status=$?
	[ "$status" -le 1 ] || bad=$((bad + 1))
	if [ "$status" = 0 ]; then
		"$cgview" report cut.db > out 2>&1 || bad=$((bad + 1))
	else
		[ "$(wc -l < out)" = 1 ] || bad=$((bad + 1))
	fi
done
check "cut at each 64th byte" test "$bad" -eq 0

# ---- programs, and the tools' own printers ----
if ! command -v valgrind > /dev/null || ! command -v callgrind_annotate > /dev/null; then
	echo "skip - valgrind is not installed"
	exit 0
fi
cat > p.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int __attribute__((noinline)) fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static inline int square(int x)
{
	return x * x;
}

static int
compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int odd(int n);
static int __attribute__((noinline)) even(int n)
{
	return n == 0 ? 1 : odd(n - 1);
}

static int __attribute__((noinline)) odd(int n)
{
	return n == 0 ? 0 : even(n - 1);
}

static void *work(void *n)
{
	int sum = 0;

	for (int i = 0; i < *(int *)n; i++)
		sum += square(i) & 7;
	*(int *)n = sum;
	return NULL;
}

int main(void)
{
	int v[300], n[2] = { 100, 300 };
	pthread_t thread[2];

	for (int i = 0; i < 300; i++)
		v[i] = i * 7919 % 1009;
	qsort(v, 300, sizeof(*v), compare);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, &n[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("%d %d %d %d\n", fib(12), even(20), v[10], n[0]);
	return 0;
}
END
gcc -g -O1 -fno-optimize-sibling-calls -pthread -o p p.c || exit 1
run() # TOOL FILE OPTION...
{
	local tool=$1 file=$2
	shift 2
	valgrind -q --tool="$tool" "--$tool-out-file=$file" "$@" ./p > out 2>&1
}
same() # NAME HOW PROFILE FILE
{
	python3 "$compare" "$2" "$3" "$4" > out 2>&1
	check "$1" test "$(grep -c ' rows, 0 differ' out)" -eq "$(grep -c ' rows,' out)" -a -s out
	grep -v ' 0 differ' out
}
run callgrind plain.cg
run callgrind all.cg --cache-sim=yes --branch-sim=yes --dump-instr=yes --collect-jumps=yes
run callgrind whole.cg --compress-strings=no --compress-pos=no
run callgrind contexts.cg --separate-recs=3 --separate-callers=2
run callgrind flat.cg --separate-recs=1
run cachegrind cache.out --cache-sim=yes --branch-sim=yes
for name in plain all whole; do
	"$cgview" import -o $name.db $name.cg > out 2>&1
	same "$name: self of all, and all calls, are those of callgrind_annotate" annotate $name.db $name.cg
	same "$name: totals" inclusive $name.db $name.cg
done
"$cgview" report --by tree --unfolded --format csv --limit 100000 plain.db > tree.csv
callgrind_annotate --threshold=100 --auto=no --tree=calling --show=Ir "$PWD/plain.cg" > tree.txt
python3 - << 'END'
import collections, csv, re
tool, ours, names, current = {}, collections.Counter(), {}, None
for line in open("tree.txt"):
    m = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+([*>])\s+(.*?)(?: \(\d[\d,]*x\))?(?: \[[^\]]*\])?$", line)
    if m and m.group(2) == "*":
        current = m.group(3).rpartition(":")[2]
    elif m and current == "main":
        tool[re.sub(r"'.*", "", m.group(3).rpartition(":")[2])] = int(m.group(1).replace(",", ""))
for row in csv.DictReader(open("tree.csv")):
    names[row["row"]] = row["procedure"]
    if names.get(row["parent"]) == "main":
        ours[row["procedure"]] += int(row["total_ir"])
# Of a cycle (even, odd) nobody knows what one of both has.
differ = {k: (v, ours[k]) for k, v in tool.items() if k not in ("even", "odd") and ours[k] != v}
print("ok -" if len(tool) > 4 and not differ else "not ok -", "the tree: what main() calls costs what callgrind_annotate says",
      differ or len(tool))
END
"$cgview" import -o contexts.db contexts.cg > out 2>&1
"$cgview" import -o flat.db flat.cg > out 2>&1
same "contexts and levels: self of all, and all calls" annotate contexts.db contexts.cg
same "no levels: self of all, and all calls" annotate flat.db flat.cg
"$cgview" import -o cache.db cache.out > out 2>&1
same "cachegrind: all events are those of cg_annotate" cachegrind cache.db cache.out
own="SELECT p.name, p.calls, p.total_ir FROM procedure p JOIN file f ON f.id = p.file WHERE f.path LIKE '%/p.c' AND p.name <> 'main'
	ORDER BY 1" # what main() does for threads differs from run to run
rows plain.db "$own" > want
for name in contexts flat; do
	rows $name.db "$own" | sed 's/^odd,.*/odd/' > got # of a cycle each has the whole
	sed 's/^odd,.*/odd/' want > expected
	check "$name: the same calls and totals" diff expected got
done
check_output "calls, as the program is written" \
'name,calls
compare,'"$(rows plain.db "SELECT calls FROM procedure WHERE name = 'compare'" | tail -1 | tr -d '\r')"'
even,11
fib,465
main,1
odd,10
work,2' rows plain.db "SELECT p.name, p.calls FROM procedure p JOIN file f ON f.id = p.file WHERE f.path LIKE '%/p.c' ORDER BY 1"
check_output "procedures begin where their names stand" \
'name,line,column
compare,16,1
even,22,38
fib,5,38
main,42,5
odd,27,38
work,32,14' rows plain.db "SELECT p.name, p.line, p.column FROM procedure p JOIN file f ON f.id = p.file WHERE f.path LIKE '%/p.c' ORDER BY 1"
run callgrind threads.cg --separate-threads=yes --combine-dumps=yes
run callgrind apart.cg --separate-threads=yes
"$cgview" import -o threads.db threads.cg > out 2>&1
{ echo tid; sed -n 's/^thread: //p' threads.cg | sort -u; } > want # numbers of threads that ended are used again
check_output "threads" "$(cat want)" rows threads.db 'SELECT tid FROM thread ORDER BY 1'
sum=$(awk '/^totals:/ { n += $2 } END { print n }' threads.cg)
check_output "... and the sum of all" "total
$sum" rows threads.db "SELECT total FROM measure WHERE name = 'ir'"
"$cgview" import -o apart.db apart.cg-0? > out 2>&1
{ echo tid; cat apart.cg-0? | sed -n 's/^thread: //p' | sort -u; } > want
check_output "... of files of their own, too" "$(cat want)" rows apart.db 'SELECT tid FROM thread ORDER BY 1'
"$cgview" merge -o twice.db plain.db flat.db > out 2>&1
check_output "two runs are added up" 'name,calls
compare,'"$((2 * $(rows plain.db "SELECT calls FROM procedure WHERE name = 'compare'" | tail -1 | tr -d '\r')))"'
fib,930' rows twice.db "SELECT name, calls FROM procedure WHERE name IN ('fib', 'compare') ORDER BY 1"
check_output "... and what calls have" "$(rows plain.db "SELECT 2 * sum(a.total_ir) AS n FROM arc a JOIN procedure p ON
	p.id = a.callee WHERE p.name = 'compare'" | tr -d '\r')" rows twice.db "SELECT sum(a.total_ir) AS n FROM arc a
	JOIN procedure p ON p.id = a.callee WHERE p.name = 'compare'"
"$cgview" annotate --procedure work plain.db > text
check "lines show their cost" grep -qE '[0-9]+ +\|.*square' text
check "none is marked as never executed" test "$(grep -c '^ *x ' text)" -eq 0
bad=0 size=$(wc -c < all.cg)
for ((n = 64; n < size; n += 6400)); do
	head -c "$n" all.cg > cut.cg
	"$cgview" import -o cut.db cut.cg > out 2>&1 || [ "$(wc -l < out)" = 1 ] || bad=$((bad + 1))
done
check "a file that is cut anywhere is read or refused" test "$bad" -eq 0
