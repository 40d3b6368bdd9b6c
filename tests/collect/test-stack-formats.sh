#!/bin/bash
# Profiles of other tools that are made of stacks: folded stacks, pprof. Figures are counted by hand in the texts below; of
# larger ones they are those of the tools' own printers, or sums by awk. What was not counted is nowhere shown as 0.
set -u
. tests/db/lib.sh
need sqlite3
tests=$PWD/tests/collect
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

# rows FILE.db COLUMNS [OPTION...]: a list as CSV, its rows sorted
rows()
{
	local db=$1 columns=$2
	shift 2
	"$cgview" report --format csv --columns "$columns" "$@" "$db" | { IFS= read -r head; echo "$head"; LC_ALL=C sort; }
}

import() # DB FILE
{
	rm -f "$1"
	"$cgview" import -o "$1" "$2" > out 2>&1
}

# refused NAME PATTERN FILE: bad input has one clear line, nothing is made.
refused()
{
	rm -f none.db
	"$cgview" import -o none.db "$3" > out 2>&1
	check "refused: $1" test $? -ne 0
	check "... in one line" test "$(wc -l < out)" -eq 1
	check "... that says why" grep -qE "$2" out
	check "... nothing is left" test ! -e none.db
}

# survives NAME FILE: cut at each 64th byte it is read as far as it goes, or refused in one line.
survives()
{
	local size at status=0 bad=0
	size=$(wc -c < "$2")
	for ((at = 0; at < size; at += 64)); do
		head -c "$at" "$2" > cut
		rm -f none.db
		"$cgview" import -o none.db cut > out 2>&1
		status=$?
		{ [ $status -le 1 ] && { [ -e none.db ] || [ "$(wc -l < out)" -eq 1 ]; }; } ||
			{ bad=1; echo "cut at $at: status $status"; cat out; }
	done
	check "$1: cut at each 64th byte" test $bad -eq 0
}

# ---- folded stacks ----

# By hand: 24 samples, all in app and main; fact() calls itself.
cat > all.folded <<'END'
app;main;fact;fact;leaf 3
app;main;fact 2
# a remark
app;main;read_[k] 4
app;main;tiny_[i] 1
app;main;libz.so.1`inflate 5
app;main;run (job.py:12) 6
app;main;step - /srv/x.rb:7 2
app;main; 1
END
import all.db all.folded
check "folded: it is read" grep -q '24 samples' out
check_output "folded: self and total by procedure" \
'procedure,calls,self_event_samples,total_event_samples
app,,0,24
fact,,2,5
inflate (libz),,5,5
leaf,,3,3
main,,1,24
read (kernel),,4,4
run,,6,6
step,,2,2
tiny,,1,1' \
rows all.db procedure,calls,self_event_samples,total_event_samples
check_output "folded: who called what" \
'caller,callee,count,how,total_event_samples
app,main,,sampled,24
fact,fact,,sampled,3
fact,leaf,,sampled,3
main,fact,,sampled,5
main,inflate (libz),,sampled,5
main,read (kernel),,sampled,4
main,run,,sampled,6
main,step,,sampled,2
main,tiny,,sampled,1
outside,app,,sampled,24' \
rows all.db caller,callee,count,how,total_event_samples --by arc
check_output "folded: places that are told" \
'line,path
7,/srv/x.rb
12,job.py' \
"$cgview" report --format csv --sql "SELECT p.line, f.path FROM procedure p JOIN file f ON f.id = p.file ORDER BY 1" all.db
check_output "folded: an inlined frame is no call" 'kind
inlined' \
"$cgview" report --format csv --sql "SELECT s.kind FROM arc a JOIN call_site s ON s.id = a.site
	JOIN procedure p ON p.id = a.callee WHERE p.name = 'tiny'" all.db
"$cgview" report all.db > text
check "folded: no column of counts in the text" grep -qvE 'calls' text

# Where only the file is told, its text has the place; a declaration is none.
cat > deep.c <<'END'
/* low() is called by top() */
static int low(int n);
int top(int n)
{
	return low(n) + low(n + 1);
}
static int
low(int n)
{
	return n;
}
END
printf 'main (gone.c);top (%s);low (%s) 4\nmain (gone.c);top (%s) 1\n' "$PWD/deep.c" "$PWD/deep.c" "$PWD/deep.c" > places.folded
import places.db places.folded
check_output "folded: the text tells where a procedure is" \
'name,line
low,8
main (gone.c),
top,3' \
"$cgview" report --format csv --sql "SELECT name, line FROM procedure ORDER BY 1" places.db

# Two numbers are those of two profiles; fractions are rounded, and both are told.
printf 'a;b 3 5\na;c 0 7\na 1 1\n' > two.folded
import two.db two.folded
check_output "folded: two numbers" \
'procedure,self_samples_a,total_samples_a,self_samples_b,total_samples_b
a,1,4,1,13
b,3,3,5,5
c,0,0,7,7' \
rows two.db procedure,self_samples_a,total_samples_a,self_samples_b,total_samples_b
printf 'a;b 2.5\na;c 1\na;c -3\na;d 99999999999999999999999999\n' > odd.folded
import odd.db odd.folded
check_output "folded: odd numbers" \
'procedure,self_event_samples
a,0
b,3
c,1
d,9223372036854775807' \
rows odd.db procedure,self_event_samples
check_output "folded: ... are told" \
'text
1 numbers are below 0: they are taken as 0
1 numbers have a fraction: they were rounded' \
"$cgview" report --format csv --sql "SELECT replace(text, '\"', '') AS text FROM note WHERE text LIKE '%numbers%' ORDER BY 1" odd.db

# Hostile input: what is bad is counted and told.
{ for i in $(seq 12); do echo "a;b$i 1"; done; echo 'no number'; printf 'x\0y;z 3\n'; echo 12; } > bad.folded
import bad.db bad.folded
check_output "folded: bad lines are counted" \
'text
"2 lines were not understood, the first is 13"' \
"$cgview" report --format csv --sql "SELECT text FROM note WHERE text LIKE '%understood%'" bad.db
{ for i in $(seq 12); do echo "a;b$i 1"; done; for i in $(seq 20); do echo "other text"; done; } > mostly.folded
refused "folded, mostly something else" 'most of its lines' mostly.folded
python3 -c 'print("a;b 1"); print("a;" * 30000 + "b 1"); print("x;" + "y" * 2000000 + " 1"); print("z;" + "n" * 100000 + " 1")' > deep.folded
import deep.db deep.folded
check "folded: deep, and long" grep -q '3 samples' out
check_output "folded: ... told" \
'text
"1 lines were not understood, the first is 3"
1 of 3 stacks end where their callers could not be found: what called is missing there' \
"$cgview" report --format csv --sql "SELECT text FROM note ORDER BY 1" deep.db
survives "folded" all.folded

# ---- pprof ----

python3 "$tests/pprof.py" hand hand.pb
import hand.db hand.pb
check "pprof: it is read" grep -q '60.0 ms cpu, 6 samples by cpu' out
check "pprof: labels that are left out are told" grep -q 'such as "colour"' out
check_output "pprof: self and total by procedure, of time and the other values" \
'procedure,calls,self_ns,self_samples,total_ns,total_samples,self_alloc,total_alloc
(libodd),,30000000,3,30000000,3,0,0
main,,0,0,60000000,6,7168,12288
tiny,,20000000,2,20000000,2,0,0
work,,10000000,1,30000000,3,5120,5120' \
rows hand.db procedure,calls,self_ns,self_samples,total_ns,total_samples,self_alloc,total_alloc
check_output "pprof: calls, and what is inlined" \
'caller,callee,line,kind,total_ns
main,(libodd),50,unknown,30000000
main,work,50,unknown,30000000
work,tiny,12,inlined,20000000
work,work,14,unknown,10000000' \
"$cgview" report --format csv --sql "SELECT p.name AS caller, q.name AS callee, s.line, s.kind, a.total_ns FROM arc a
	JOIN call_site s ON s.id = a.site JOIN procedure p ON p.id = s.procedure JOIN procedure q ON q.id = a.callee ORDER BY 1, 2" hand.db
check_output "pprof: threads by labels" \
'tid,name,samples
0,,3
42,io worker,3' \
"$cgview" report --format csv --sql 'SELECT tid, name, samples FROM thread ORDER BY tid' hand.db
check_output "pprof: the run" \
'started_ns,wall_ns,tool
1600000000000000000,3000000000,pprof' \
"$cgview" report --format csv --sql 'SELECT started_ns, wall_ns, tool FROM run' hand.db
check_output "pprof: units" \
'name,unit
alloc,bytes' \
"$cgview" report --format csv --sql "SELECT name, unit FROM measure WHERE name = 'alloc'" hand.db

python3 "$tests/pprof.py" bad-text bad-text.pb
refused "pprof, a text that is not there" 'damaged' bad-text.pb
python3 "$tests/pprof.py" diff diff.pb
import diff.db diff.pb
check "pprof: values below 0 are told" grep -q '2 values are below 0' out
survives "pprof" diff.pb
gzip -dc hand.pb > hand.raw
survives "pprof" hand.raw
survives "pprof, packed" hand.pb

# A program of Go: flat and cum of each function are those of go tool pprof.
cat > prog.go <<'END'
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
)

type box struct{ words []string }

func (b *box) fill(n int) {
	for i := 0; i < n; i++ {
		b.words = append(b.words, strings.Repeat("x", i%100))
	}
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

var kept box

func main() {
	f, _ := os.Create("go-cpu.pprof")
	pprof.StartCPUProfile(f)
	kept.fill(300000)
	fib(36)
	pprof.StopCPUProfile()
	f.Close()
	h, _ := os.Create("go-heap.pprof")
	runtime.GC()
	pprof.WriteHeapProfile(h)
	h.Close()
	os.Stdout.WriteString(kept.words[7])
}
END
# go_rows FILE.pprof FILE.db TYPE UNIT OURS
go_rows()
{
	go tool pprof -top -nodefraction=0 -edgefraction=0 -nodecount=0 -functions -unit="$4" -sample_index="$3" "$1" > top 2> /dev/null
	"$cgview" report --format csv --columns "procedure,self_$5,total_$5" "$2" > rows
	check "pprof of Go: $3 as go tool pprof has it" python3 "$tests/pprof.py" compare top rows
}
if command -v go > /dev/null && GOCACHE=$PWD/gocache HOME=$PWD go build -o goprog prog.go > out 2>&1 && ./goprog > out &&
	[ -s go-cpu.pprof ]; then
	import cpu.db go-cpu.pprof
	go_rows go-cpu.pprof cpu.db cpu nanoseconds ns
	go_rows go-cpu.pprof cpu.db samples count samples
	import heap.db go-heap.pprof
	for type in inuse_space:bytes inuse_objects:count alloc_space:bytes alloc_objects:count; do
		go_rows go-heap.pprof heap.db "${type%:*}" "${type#*:}" "${type%:*}"
	done
	check_output "pprof of Go: the text tells where a procedure begins" \
'name,line
main.(*box).fill,12' \
	"$cgview" report --format csv --sql "SELECT name, line FROM procedure WHERE name = 'main.(*box).fill'" heap.db
else
	echo "skip - no go here"
fi
