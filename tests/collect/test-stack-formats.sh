#!/bin/bash
# Profiles of other tools that are made of stacks: folded stacks, pprof, traces of calls, speedscope, Firefox. Figures are counted by hand in the texts below; of
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
signed() # signed DB OPTION...: rows in the order of the space that they have
{
	"$cgview" report --format csv --sort self_inuse_space "${@:2}" "$1" | tr -d '\r'
}

shares() # shares DB: of that space, as people read them
{
	"$cgview" report --sort self_inuse_space --columns 'procedure,inuse_space%' "$1" | awk '$2 ~ /^(main|less|more|even|other)$/ { print $2 ":" $1 }
		$1 ~ /^(main|less|more|even|other)$/ { print $1 ":" $2 }'
}

rows()
{
	local db=$1 columns=$2
	shift 2
	"$cgview" report --format csv --columns "$columns" "$@" "$db" | tr -d '\r' | { IFS= read -r head; echo "$head"; LC_ALL=C sort; }
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
# Nothing has an address here: an innermost frame like its caller is recursion.
printf 'main;f;f 3\nmain;f;f;f 2\n' > recursive.folded
import recursive.db recursive.folded
check_output "folded: recursion down to the innermost frame" \
'procedure,self_event_samples,total_event_samples
f,5,5
main,0,5' \
rows recursive.db procedure,self_event_samples,total_event_samples
check_output "folded: ... with each of its levels" \
'name,self_event_samples
main,0
f,0
f,3
f,2' \
"$cgview" report --format csv --sql "SELECT p.name, c.self_event_samples FROM context c
	JOIN procedure p ON p.id = c.procedure ORDER BY c.id" recursive.db
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
c,-2
d,9223372036854775807' \
rows odd.db procedure,self_event_samples
check_output "folded: ... are told" \
'text
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
# Shares are of the sum of all sizes, 12196, as those of go tool pprof are; rows and spots are in the order of sizes.
check_output "pprof: values below 0" \
'procedure,self_inuse_objects,total_inuse_objects,self_inuse_space,total_inuse_space
more,2,2,6000,6000
less,-2,-2,-3096,-3096
main,5,5,100,3004
other,0,-3,0,500
even,0,0,0,0' \
signed diff.db --columns procedure,self_inuse_objects,total_inuse_objects,self_inuse_space,total_inuse_space
check_output "pprof: ... shares" \
'more:49.2
less:-25.4
main:0.8
other:-
even:-' \
shares diff.db
check_output "pprof: ... as a tree" \
'depth,procedure,total_inuse_space,self_inuse_space
1,main,3004,100
2,more,6000,6000
2,less,-4096,-4096
2,other,500,0
3,less,1000,1000
3,even,-500,-500
2,even,500,500' \
eval '"$cgview" report --format csv --by tree --measure inuse_space diff.db | cut -d, -f3,5,10,11'
check_output "pprof: ... its shares" \
'24.6
49.2
-33.6
4.1
8.2
-4.1
4.1' \
eval '"$cgview" report --by tree --measure inuse_space diff.db | awk "/diff.c/ { print \$1 }"'
python3 "$tests/pprof.py" opposite opposite.pb
import opposite.db opposite.pb
"$cgview" merge -o none.db diff.db opposite.db > out 2>&1
check_output "pprof: what makes 0 together has no shares" \
'even:-
less:-
main:-
more:-
other:-' \
eval 'shares none.db | LC_ALL=C sort'
"$cgview" merge -o twice.db diff.db diff.db > out 2>&1
check_output "pprof: differences are added up" \
'procedure,self_inuse_space,total_inuse_space
more,12000,12000
less,-6192,-6192
main,200,6008
other,0,1000
even,0,0' \
signed twice.db --columns procedure,self_inuse_space,total_inuse_space
"$cgview" merge -o part.db twice.db opposite.db > out 2>&1
check_output "pprof: ... and taken apart again" \
'procedure,self_inuse_space
more,-6000
less,3096
main,-100
other,0
even,0' \
signed part.db --columns procedure,self_inuse_space --runs 3
check_output "pprof: ... and compared" \
'procedure,a,b,value
more,6000,-6000,-12000
less,-3096,3096,6192
main,100,-100,-200
other,0,0,0
even,0,0,0' \
eval '"$cgview" diff --config /dev/null --format csv --by procedure -e "b.inuse_space - a.inuse_space" diff.db opposite.db | cut -d, -f1,8-10'
python3 "$tests/pprof.py" diff-time time.pb
import time.db time.pb
check_output "pprof: a difference of times is no time" \
'name,unit,total
cpu,ns,80000000
event_samples,count,8' \
"$cgview" report --format csv --sql "SELECT name, unit, total FROM measure WHERE id > 6 ORDER BY id" time.db
# resource_profiles with a resource that has an attribute "host", or an empty one; and JSON.
printf '\x0a\x1a\x0a\x0e\x0a\x0c\x0a\x04host\x12\x04\x0a\x02me\x12\x08\x12\x06\x0a\x04\x08\x01\x10\x02\x12\x04\x2a\x02\x08\x01' > otlp.pb
refused "OTLP" 'OpenTelemetry .*, which is not read' otlp.pb
printf '\x0a\x0c\x0a\x00\x12\x08\x12\x06\x0a\x04\x08\x01\x10\x02\x12\x00' > otlp.pb
refused "OTLP, without a resource" 'write pprof' otlp.pb
echo '{"resourceProfiles":[]}' > otlp.json
refused "OTLP, JSON" 'write pprof' otlp.json
survives "pprof" diff.pb
gzip -dc hand.pb > hand.raw
survives "pprof" hand.raw
survives "pprof, packed" hand.pb

# Where there are only addresses, the program's own debug information tells, if it is still of that build.
cat > named.c <<'END'
int inner(int n) { return n * 3; }
int outer(int n) { return inner(n) + 1; }
int main(int n, char **v) { return outer(n) - !v; }
END
if gcc -O0 -g -Wl,--build-id -o named named.c 2> out; then
	id=$(readelf -n named | sed -n 's/.*Build ID: //p')
	at=$(nm named | awk '$3 == "inner" || $3 == "outer" { print $1 }')
	# shellcheck disable=SC2086
	python3 "$tests/pprof.py" addresses named.pb "$PWD/named" "$id" $at
	import named.db named.pb
	check_output "pprof: addresses, by debug information" \
'name,line,self_ns
inner,1,1000
outer,2,2000' \
	"$cgview" report --format csv --sql "SELECT name, line, self_ns FROM procedure ORDER BY 1" named.db
	# shellcheck disable=SC2086
	python3 "$tests/pprof.py" addresses named.pb "$PWD/named" "00$id" $at
	import other.db named.pb
	check_output "pprof: another build has not these" \
'name,self_ns
(named),3000' \
	"$cgview" report --format csv --sql "SELECT name, self_ns FROM procedure ORDER BY 1" other.db
	check "pprof: ... that is told" grep -q 'of another build' out
fi

# What gperftools writes itself: words, and the maps. By hand: 10 ms each; inner 2 (one told twice), outer 1, both in outer; the
# caller's address is that behind its call.
if [ -x named ]; then
	python3 - "$PWD/named" $(nm named | awk '$3 == "inner" || $3 == "outer" { print $1 }' | sort) <<'END'
import struct
import sys
inner, outer = (int(a, 16) for a in sys.argv[2:4])
base = 0x7f0000000000
elf = open(sys.argv[1], 'rb').read()
offset, size, nr = struct.unpack_from('<Q', elf, 32)[0], *struct.unpack_from('<HH', elf, 54)
code = [h for h in (struct.unpack_from('<IIQQQQ', elf, offset + k * size) for k in range(nr)) if h[0] == 1 and h[1] & 1][0]
inner, outer, behind = base + inner + 4, base + outer + 4, base + outer + 0x12
words = [0, 3, 0, 10000, 0, 1, 2, inner, behind, 1, 3, inner, inner, behind, 1, 1, outer, 1, 1, 0x1234, 0, 1, 0]
maps = '%x-%x r-xp %08x 08:01 99     %s\n' % (base + code[3], base + code[3] + code[5], code[2], sys.argv[1])
open('gp.prof', 'wb').write(struct.pack('<%dQ' % len(words), *words) + maps.encode())
END
	import gp.db gp.prof
	check_output "gperftools: self and total" \
'procedure,self_ns,self_samples,total_ns,total_samples
(unknown),10000000,1,10000000,1
inner,20000000,2,20000000,2
outer,10000000,1,30000000,3' \
	rows gp.db procedure,self_ns,self_samples,total_ns,total_samples
	survives "gperftools" gp.prof
fi
library=$(ls /usr/lib/*/libprofiler.so.0 2> out)
if [ -n "$library" ] && command -v google-pprof > /dev/null; then
	cat > gp.c <<'END'
static volatile double x;
__attribute__((noinline)) void hot(int n) { for (int i = 0; i < n; i++) x = x * 1.0000001 + 1; x++; }
__attribute__((noinline)) void cold(int n) { hot(n / 4); x++; }
int main(void) { for (int i = 0; i < 60; i++) { hot(1000000); cold(1000000); x++; } return 0; }
END
	gcc -O2 -g -fno-omit-frame-pointer -o gp gp.c
	LD_PRELOAD=$library CPUPROFILE=$PWD/real.prof CPUPROFILE_FREQUENCY=500 ./gp > out 2>&1
	import real.db real.prof
	google-pprof --text ./gp real.prof 2> out | awk '$6 ~ /^(hot|cold|main)$/ { print $6 "," $1 "," $4 }' | LC_ALL=C sort > theirs
	rows real.db procedure,self_samples,total_samples | grep -E '^(hot|cold|main),' > ours
	check "gperftools: samples as google-pprof has them" diff theirs ours
else
	echo "skip - no gperftools here"
fi

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
if command -v go > /dev/null; then
	go_rows diff.pb diff.db inuse_space bytes inuse_space
	go_rows diff.pb diff.db inuse_objects count inuse_objects
fi
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

# ---- traces of calls: Chrome's JSON ----

# By hand, in ns: main 10,000 with 2 calls of f() of 2,500 and 250, of which f() calls itself for 1,000; in thread 8 whole
# calls, the inner ones first; in thread 9 one that has no end.
cat > calls.json <<'END'
{"traceEvents":[
{"ts":0,"ph":"M","pid":7,"tid":7,"name":"thread_name","args":{"name":"first","sort":{"deep":[1,2]}}},
{"ts":0,"ph":"M","pid":7,"name":"process_name","args":{"name":"prog -x"}},
{"ts":10.000,"ph":"B","pid":7,"tid":7,"name":"main"},
{"ts":11.5,"ph":"B","pid":7,"tid":7,"name":"f","args":{"n":2}},
{"name":"f","tid":7,"pid":7,"ph":"B","ts":12},
{"ts":13,"ph":"E","pid":7,"tid":7},
{"ts":14,"ph":"E","pid":7,"tid":7,"name":"f"},
{"ts":14,"ph":"B","pid":7,"tid":7,"name":"f"},
{"ts":14.25,"ph":"E","pid":7,"tid":7,"name":"f"},
{"ts":20.0,"ph":"E","pid":7,"tid":7,"name":"main"},
{"ph":"X","ts":5,"dur":2,"pid":7,"tid":8,"name":"g"},
{"ph":"X","ts":4,"dur":1,"pid":7,"tid":8,"name":"i"},
{"ph":"X","ts":4,"dur":5,"pid":7,"tid":8,"name":"h"},
{"ph":"C","ts":4,"pid":7,"tid":8,"name":"counter","args":{"v":3}},
{"ph":"B","ts":30,"pid":7,"tid":9,"name":"open"},
{"ph":"X","ts":31,"dur":4,"pid":7,"tid":9,"name":"late"},
{"ph":"E","ts":1,"pid":7,"tid":10},
{"ph":"X","ts":1,"pid":7,"tid":10,"name":"without length"}
],"other":[1,{"a":null}]}
END
import calls.db calls.json
check "Chrome: it is read" grep -q 'prog -x: 20.0 .*s time, 9 calls by trace' out
check_output "Chrome: calls, self and total by procedure" \
'procedure,calls,self_ns,total_ns
f,3,2750,2750
g,1,2000,2000
h,1,2000,5000
i,1,1000,1000
late,1,4000,4000
main,1,7250,10000
open,1,1000,5000' \
rows calls.db procedure,calls,self_ns,total_ns
check_output "Chrome: who called what, counted" \
'caller,callee,count,how,total_ns
f,f,1,measured,1000
h,g,1,measured,2000
h,i,1,measured,1000
main,f,2,measured,2750
open,late,1,measured,4000
outside,h,1,solved,5000
outside,main,1,solved,10000
outside,open,1,solved,5000' \
rows calls.db caller,callee,count,how,total_ns --by arc
check_output "Chrome: threads" \
'tid,name,cpu_ns
7,first,10000
8,,5000
9,,5000' \
"$cgview" report --format csv --sql "SELECT tid, name, cpu_ns FROM thread WHERE cpu_ns > 0 ORDER BY 1" calls.db
check_output "Chrome: what does not fit is told" \
'text
1 calls had not ended: they end with their callers or threads
1 ends of calls have no begin: they are left out
1 events are no calls: they are left out
"1 events were not understood, the first ends at line 19"' \
"$cgview" report --format csv --sql "SELECT text FROM note ORDER BY 1" calls.db
"$cgview" report calls.db > text
check "Chrome: lines were not counted, and nothing is told of them" test "$(grep -c 'block' text)" -eq 0
"$cgview" report --by never calls.db > never
check "Chrome: nothing is told to be never executed" grep -qE '(^| )0 ' never
# Ends that say of what: f() ends with main's g(), whose own end is missing; the end of a wait that never began is none.
cat > named.json <<'END'
[{"ph":"B","ts":0,"pid":1,"tid":1,"name":"main"},
{"ph":"E","ts":1,"pid":1,"tid":1,"name":"wait"},
{"ph":"B","ts":2,"pid":1,"tid":1,"name":"g"},
{"ph":"B","ts":3,"pid":1,"tid":1,"name":"f"},
{"ph":"E","ts":5,"pid":1,"tid":1,"name":"g"},
{"ph":"B","ts":6,"pid":1,"tid":1,"name":"f"},
{"ph":"E","ts":7,"pid":1,"tid":1},
{"ph":"E","ts":10,"pid":1,"tid":1,"name":"main"}]
END
import named.db named.json
check_output "Chrome: ends end what they name" \
'procedure,calls,self_ns,total_ns
f,2,3000,3000
g,1,1000,3000
main,1,6000,10000' \
rows named.db procedure,calls,self_ns,total_ns
check_output "... what fits nothing is told" \
'text
1 calls had not ended: they end with their callers or threads
1 ends of calls have no begin: they are left out' \
"$cgview" report --format csv --sql "SELECT text FROM note ORDER BY 1" named.db
python3 -c '
import json
events = json.load(open("calls.json"))["traceEvents"]
events = sorted(events, key=lambda e: (e["ph"] != "X", e["tid"] if "tid" in e else 0))
print("[" + ",\n".join(map(json.dumps, events)) + ",")' > array.json
import array.db array.json
check_output "Chrome: an array without an end, in another order" "$(rows calls.db procedure,calls,self_ns,total_ns)" \
	rows array.db procedure,calls,self_ns,total_ns
check_output "Chrome: ... that is no fault" 'text' \
	"$cgview" report --format csv --sql "SELECT text FROM note WHERE text LIKE '%JSON%'" array.db
head -c 900 calls.json > part.json
import part.db part.json
check_output "Chrome: what is cut is told" 'n
1' "$cgview" report --format csv --sql "SELECT count(*) AS n FROM note WHERE text LIKE 'the file is no JSON any more at line%'" part.db
printf '{"traceEvents":[{"ph":"C","pid":1}]}' > none.json
refused "Chrome, no calls" 'without calls' none.json
python3 -c '
import json
print(json.dumps({"traceEvents": [{"ph": "B", "ts": i, "pid": 1, "name": "f%d" % (i % 3)} for i in range(12000)]}))' > deep.json
import deep.db deep.json
check_output "Chrome: deep" 'n
1' "$cgview" report --format csv --sql "SELECT count(*) AS n FROM note WHERE text LIKE '2000 calls are deeper%'" deep.db
survives "Chrome" calls.json

cat > traced.c <<'END'
static volatile int x;
__attribute__((noinline)) int leaf(int n) { for (int i = 0; i < n; i++) x++; return x; }
__attribute__((noinline)) int twice(int n) { return leaf(n) + leaf(2 * n); }
int main(void) { for (int i = 0; i < 10; i++) twice(i * 100); return 0; }
END
# uftrace_rows: what uftrace report prints, as function,calls,self,total of ns, and how exact that is
uftrace_rows()
{
	awk 'function ns(n, unit) { scale = unit == "us" ? 1000 : unit == "ms" ? 1000000 : 1000000000; return n * scale }
		NF == 6 && $5 ~ /^[0-9]+$/ { total = ns($1, $2); exact = scale; self = ns($3, $4)
			printf "%s,%d,%.0f,%.0f,%.0f\n", $6, $5, self, total, (exact > scale ? exact : scale) / 1000 }'
}
if command -v uftrace > /dev/null && gcc -pg -O1 -o traced traced.c 2> out && uftrace record -d uf.data ./traced > out 2>&1; then
	uftrace dump -d uf.data --chrome > uf.json 2> out
	uftrace dump -d uf.data --flame-graph > uf.folded 2>> out
	uftrace report -d uf.data -f total,self,call 2>> out | uftrace_rows | LC_ALL=C sort > theirs
	import uf.db uf.json
	rows uf.db procedure,calls,self_ns,total_ns | tail -n +2 > ours
	check "uftrace: functions are those of uftrace report" test "$(wc -l < theirs)" -ge 3 -a "$(wc -l < theirs)" -eq "$(wc -l < ours)"
	check "uftrace: calls, self and total, too" awk -F, 'NR == FNR { calls[$1] = $2; self[$1] = $3; total[$1] = $4; next }
		{ d = $3 - self[$1]; e = $4 - total[$1]; if ($2 != calls[$1] || d * d > $5 * $5 || e * e > $5 * $5) { print; bad = 1 } }
		END { exit bad }' ours theirs
	import uff.db uf.folded
	check_output "uftrace: the sum of its folded stacks" "self_event_samples
$(awk '{ s += $NF } END { print s }' uf.folded)" \
		"$cgview" report --format csv --sql "SELECT sum(self_event_samples) AS self_event_samples FROM procedure" uff.db
else
	echo "skip - uftrace records nothing here"
fi
if command -v clang > /dev/null && clang -ftime-trace -O1 -c -o timed.o traced.c 2> out && [ -s timed.json ]; then
	import clang.db timed.json
	python3 -c '
import json
e = [e for e in json.load(open("timed.json"))["traceEvents"] if e["ph"] == "X" and "avg ms" not in e.get("args", {})]
print("name,calls,total_ns")
for name in ("ExecuteCompiler", "Frontend"):
    print("%s,%d,%d" % (name, sum(x["name"] == name for x in e), 1000 * sum(x["dur"] for x in e if x["name"] == name)))' > expected
	"$cgview" report --format csv --sql "SELECT name, calls, total_ns FROM procedure
		WHERE name IN ('ExecuteCompiler', 'Frontend') ORDER BY 1" clang.db | tr -d '\r' > got
	check "clang -ftime-trace: what the compiler did, without its sums" diff expected got
else
	echo "skip - no clang here"
fi

# ---- speedscope ----

# By hand, in ms: samples of f 1, f > g 2 and 0.5, f > g > f 3; of calls in us: main 100, g 30 and 20 of it.
cat > scope.json <<'END'
{"version":"0.0.1","$schema":"https://www.speedscope.app/file-format-schema.json",
"profiles":[{"type":"sampled","name":"one","unit":"milliseconds","startValue":0,"endValue":6.5,
 "samples":[[0],[0,1],[0,1,0],[0,1]],"weights":[1,2,3,0.5]}],
"shared":{"frames":[{"name":"f","file":"/nowhere/f.c","line":3,"col":2},{"name":"g"}]},
"name":"a","activeProfileIndex":null}
END
import scope.db scope.json
check_output "speedscope, sampled: self and total" \
'procedure,calls,self_ns,self_samples,total_ns,total_samples
f,,4000000,2,6500000,4
g,,2500000,2,5500000,3' \
rows scope.db procedure,calls,self_ns,self_samples,total_ns,total_samples
cat > evented.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json",
"shared":{"frames":[{"name":"main"},{"name":"g"}]},
"profiles":[{"name":"one","events":[{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":10},{"type":"C","frame":1,"at":40},
 {"type":"O","frame":1,"at":50},{"type":"C","frame":1,"at":70},{"type":"C","frame":0,"at":100}],
 "type":"evented","unit":"microseconds","startValue":0,"endValue":100},
 {"type":"evented","name":"two","unit":"bytes","startValue":0,"endValue":9,
 "events":[{"type":"O","frame":1,"at":2},{"type":"C","frame":1,"at":9}]}]}
END
import evented.db evented.json
check_output "speedscope, evented: calls, self and total" \
'procedure,calls,self_ns,total_ns,self_bytes,total_bytes
g,3,50000,50000,7,7
main,1,50000,100000,0,0' \
rows evented.db procedure,calls,self_ns,total_ns,self_bytes,total_bytes
check_output "speedscope: threads" \
'tid,name
1,one
2,two' \
"$cgview" report --format csv --sql 'SELECT tid, name FROM thread ORDER BY tid' evented.db
sed 's/"frame":1/"frame":9/g' evented.json > unknown.json
import unknown.db unknown.json
check_output "speedscope: frames that are not there are told" 'n
1' "$cgview" report --format csv --sql "SELECT count(*) AS n FROM note WHERE text LIKE '6 frames have no number%'" unknown.db
head -c 300 evented.json > cut.json
refused "speedscope, cut" 'damaged profile for speedscope' cut.json
survives "speedscope" scope.json
survives "speedscope, evented" evented.json

# ---- Firefox profiler ----

# By hand, of 2 ms each: leaf (inlined into f, line 12) 2 samples, one of which stands for 2; f 1; main 1; one where nothing ran.
cat > firefox.json <<'END'
{"meta":{"interval":2,"startTime":0,"processType":0,"product":"prog","version":27,"preprocessedProfileVersion":47,"categories":[{"name":"Other"}]},
"libs":[{"name":"libodd.so","path":"/nowhere/libodd.so"}],
"threads":[{"name":"GeckoMain","pid":"7","tid":8,"isMainThread":true,
"samples":{"stack":[2,1,0,null,2,3],"time":[0,2,4,6,8,10],"weight":[1,1,1,1,2,1],"weightType":"samples","length":6},
"stackTable":{"frame":[0,1,2,3],"prefix":[null,0,1,0],"length":4},
"frameTable":{"func":[0,1,2,3],"line":[50,12,31,null],"address":[-1,-1,-1,4660],"inlineDepth":[0,0,1,0],"length":4},
"funcTable":{"name":[0,1,2,5],"fileName":[3,3,4,null],"lineNumber":[48,10,30,null],"resource":[-1,-1,-1,0],"length":4},
"resourceTable":{"lib":[0],"length":1},
"stringArray":["main","f","leaf","/nowhere/w.c","/nowhere/w.h","0x1234"]}]}
END
import firefox.db firefox.json
check_output "Firefox: self and total" \
'procedure,calls,self_ns,self_samples,total_ns,total_samples
(libodd),,2000000,1,2000000,1
f,,2000000,1,8000000,4
leaf,,6000000,3,6000000,3
main,,2000000,1,12000000,6' \
rows firefox.db procedure,calls,self_ns,self_samples,total_ns,total_samples
check_output "Firefox: calls, and what is inlined" \
'caller,callee,line,kind
f,leaf,12,inlined
main,(libodd),50,unknown
main,f,50,unknown' \
"$cgview" report --format csv --sql "SELECT p.name AS caller, q.name AS callee, s.line, s.kind FROM arc a
	JOIN call_site s ON s.id = a.site JOIN procedure p ON p.id = s.procedure JOIN procedure q ON q.id = a.callee ORDER BY 1, 2" firefox.db
check_output "Firefox: threads" \
'pid,tid,name,samples
7,8,GeckoMain,6' \
"$cgview" report --format csv --sql 'SELECT pid, tid, name, samples FROM thread' firefox.db
# The same as newer versions have it: tables that all threads share, behind them, and sources in a table.
python3 -c '
import json
p = json.load(open("firefox.json"))
t = p["threads"][0]
p["meta"]["preprocessedProfileVersion"] = 60
p["shared"] = {k: t.pop(k) for k in ("stackTable", "frameTable", "funcTable", "resourceTable", "stringArray")}
f = p["shared"]["funcTable"]
p["shared"]["sources"] = {"length": 2, "filename": [3, 4]}
f["source"] = [{3: 0, 4: 1, None: None}[n] for n in f.pop("fileName")]
del t["samples"]["weight"]
t["samples"]["stack"].append(2)
print(json.dumps(p))' > newer.json
import newer.db newer.json
check_output "Firefox: newer versions" "$(rows firefox.db procedure,self_ns,self_samples,total_ns,total_samples)" \
	rows newer.db procedure,self_ns,self_samples,total_ns,total_samples
check_output "Firefox: ... places" "$("$cgview" report --format csv --sql 'SELECT p.name, p.line, f.path FROM procedure p
	LEFT JOIN file f ON f.id = p.file ORDER BY 1' firefox.db | tr -d '\r')" \
	"$cgview" report --format csv --sql 'SELECT p.name, p.line, f.path FROM procedure p LEFT JOIN file f ON f.id = p.file ORDER BY 1' newer.db
# Versions 66 and 70: how far before a stack the one above it stands, and libraries of frames.
python3 -c '
import json
p = json.load(open("newer.json"))
p["meta"]["preprocessedProfileVersion"] = 70
shared = p["shared"]
shared["stackTable"]["prefixOffset"] = [0, 1, 1, 3]
del shared["stackTable"]["prefix"], shared["resourceTable"]["lib"]
shared["frameTable"]["lib"] = [-1, -1, -1, 0]
print(json.dumps(p))' > newest.json
import newest.db newest.json
check_output "Firefox: the newest version" "$(rows firefox.db procedure,self_ns,self_samples,total_ns,total_samples)" \
	rows newest.db procedure,self_ns,self_samples,total_ns,total_samples
sed 's/"prefix":\[null,0,1,0\]/"prefix":[2,0,9,0]/; s/"stack":\[2,1/"stack":[77,1/' firefox.json > wrong.json
import wrong.db wrong.json
check_output "Firefox: stacks that are none are told" 'n
1' "$cgview" report --format csv --sql "SELECT count(*) AS n FROM note WHERE text LIKE '3 numbers of stacks are of none%'" wrong.db
head -c 700 firefox.json > cut.json
refused "Firefox, cut" 'damaged profile of the Firefox profiler' cut.json
survives "Firefox" firefox.json
