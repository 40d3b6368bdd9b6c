#!/bin/bash
# Whom calls through pointers reach, noted by the program: exact in threads, under signals, when it
# is killed; the right procedure whatever the build; and what happens when the tables are full.
set -u
top=$PWD BUILD=$(cd "${BUILD:-build}" && pwd)
cgview=$BUILD/cgview
[ -x "$BUILD/cgcc" ] && ls "$BUILD"/lib/cgview/cgview*.so > /dev/null 2>&1 || {
	echo "skip - targets: cgcc or its plugin was not built"
	exit 0
}
for tool in python3 sqlite3; do
	command -v $tool > /dev/null || { echo "skip - targets: $tool is not installed"; exit 0; }
done
cgcc="$BUILD/cgcc --cgview-flags=targets" cgxx="$BUILD/cgg++ --cgview-flags=targets"
cp -r "$top"/tests/collect/targets/* "$TMP_DIR" && cd "$TMP_DIR" || exit

same() # same NAME FILE FILE
{
	if diff -u "$2" "$3"; then echo "ok - $1"; else echo "not ok - $1"; fi
}
is() # is NAME EXPECTED GOT
{
	if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "# expected $2, got $3"; echo "not ok - $1"; fi
}
must()
{
	"$@" > must.log 2>&1 || { tail -20 must.log; echo "not ok - $*"; exit 1; }
}
arcs() { python3 arcs.py "$@"; }
import() { rm -f "$1"; must "$cgview" import -o "$1" "${@:2}"; rm -f "${@:2}"; }

# Threads, signals, death.
must $cgcc -O2 threads.c -o threads -pthread
for hz in 0 1000; do
	CGVIEW_OUT=th CGVIEW_HZ=$hz ./threads > truth 2> interruptions
	import th.db th.*.raw
	arcs th.db dispatch > got
	same "four threads, a million calls each, $(cat interruptions), $hz Hz" truth got
done
{ CGVIEW_OUT=th ./threads die > truth 2> interruptions; } 2> /dev/null
import th.db th.*.raw
arcs th.db dispatch > got
same "the same, killed in the end" truth got
"$cgview" import -a -o th.db th.*.raw > /dev/null 2>&1
CGVIEW_OUT=th ./threads > more 2> interruptions
must "$cgview" import -a -o th.db th.*.raw
rm -f th.*.raw
paste -d' ' truth more | awk '{ print $1, $2, $3, $4 + $8 }' > both
arcs th.db dispatch > got
same "two runs add up" both got

# Stepped through, with signals at all places, some of which fork. Of a child one call may be lost,
# or counted once more, as it was under way.
stepped() # stepped NAME SEED WORD OPTIONS...
{
	must $cgcc -w "${@:4}" step.c -o step
	CGVIEW_OUT=st CGVIEW_HZ=0 ./step "$2" $3 > truth || echo "not ok - $1: it did not end well"
	import st.db st.*.raw
	arcs st.db | awk '$1 ~ /^site/ && $3 == "measured" { n += $4 } END { print n }' > got
	read -r calls children < truth
	is "$1" yes "$(awk -v n="$calls" -v most="$children" '{ d = $1 - n
		print d <= most && -d <= most ? "yes" : $1 " of " n }' got)"
}
stepped "signals at all places, -O2" 1 "" -O2
stepped "signals at all places, without optimisation" 2 "" -O0
stepped "signals at all places, -O2 -masm=intel" 3 "" -O2 -masm=intel
stepped "handlers that fork at all places" 4 fork -O2

# Children go on with what dead ones have left, but not with their addresses.
must $cgcc -O2 children.c -o children
CGVIEW_OUT=ch CGVIEW_HZ=0 ./children 100 > truth
stat -c %s ch.*.raw > size
import ch.db ch.*.raw
arcs ch.db | grep "^t" > got
same "a hundred children" truth got
CGVIEW_OUT=ch CGVIEW_HZ=0 ./children 1000 > truth
stat -c %s ch.*.raw >> size
import ch.db ch.*.raw
arcs ch.db | grep "^t" > got
same "a thousand children" truth got
is "... take little more room" yes "$(paste -sd" " size | awk '{ print $2 < 1.5 * $1 ? "yes" : $0 }')"

# Vectors, procedures that the loader chooses, and such as lie on the stack.
for width in 16 32 64; do
	flags=-msse2
	[ $width = 16 ] || flags=-mavx2
	[ $width != 64 ] || flags=-mavx512f
	[ $width = 16 ] || grep -qw "${flags#-m}" /proc/cpuinfo || {
		echo "skip - vectors of $width bytes: this processor has none"
		continue
	}
	must $cgcc -w -O2 $flags -DWIDTH=$width odd.c -o odd -pthread
	CGVIEW_OUT=od ./odd > got && is "vectors of $width bytes stay" 0 "$(cut -d" " -f1 got)"
	import od.db od.*.raw
	is "... whom site() reached" "one 7 two 14" "$("$cgview" report --by arc --format csv od.db |
		awk -F, '$1 == "site" && $16 > 0 { print $5, $16 }' | sort | paste -sd" ")"
	is "... and how many calls are of unknown ones" 14 \
		"$("$cgview" report --by note --format csv od.db | sed -n 's/.*[^0-9]\([0-9]*\) calls through pointers reached.*/\1/p')"
	is "... each procedure with vectors" "add 56 take 56" "$(echo $(arcs od.db calculate | cut -d" " -f2,4))"
done

# The compiler's own checks, at each level.
for level in -O0 -O1 -O2 -O3; do
	must $cgcc $level -fchecking -DFILL -c first.c -o fill.o
	must $cgcc $level first.c fill.o -o first
	# Without samples: one at the program's end, in the linker's code without call frame information, has a guessed caller.
	CGVIEW_OUT=fi CGVIEW_HZ=0 ./first > /dev/null
	import fi.db fi.*.raw
	is "the words of a site before all counters, $level" "fill 1000 reads" \
		"$("$cgview" report --by arc --caller fill --format csv fi.db |
			awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) n[$i] = i; next }
				{ print $n["caller"], $n["count"], $n["callee"] }')"
done

# More pairs of site and procedure than the tables hold.
must $cgcc -O2 overflow.c -o overflow
CGVIEW_OUT=ov ./overflow
read -r entries noted <<< "$(python3 raw.py ov.*.raw)"
import ov.db ov.*.raw
# Where an address falls is left to the system: a few entries are such that no pair comes by.
echo "# $entries entries of 34816"
is "the tables are full" yes "$([ "$entries" -gt 34716 ] && [ "$entries" -le 34816 ] && echo yes)"
other=$("$cgview" report --by note --format csv ov.db | sed -n 's/.*of \([0-9]*\) calls through.*/\1/p')
total=$("$cgview" report --by site --format csv ov.db | python3 -c '
import csv, sys
print(sum(int(r["count"]) for r in csv.DictReader(sys.stdin) if r["kind"] == "indirect"))')
# The first one of each site is with its counters.
first=$(arcs ov.db | awk '$3 == "measured" && ($2 == "p000" || $2 == "site00") { n += $4 } END { print n }')
is "what is not noted is counted: noted and others make all calls" "$total" $((first + noted + other))
arcs ov.db | awk '$1 ~ /^site/ && $3 == "measured" && $4 != 3 { print }' > wrong
same "what is measured is right" /dev/null wrong
truth=$(python3 - << 'EOF'
import sqlite3
db = sqlite3.connect("ov.db")
print(*db.execute("""SELECT count(*), sum(lo <= 3 AND 3 <= hi) FROM arc a JOIN call_site s
    ON a.site = s.id JOIN procedure p ON s.procedure = p.id
    JOIN procedure q ON a.callee = q.id
    WHERE p.name LIKE 'site%' AND q.name LIKE 'p%'""").fetchone())
EOF
)
is "of the rest the truth lies within the interval" "60000 60000" "$truth"

# The right procedure, in many builds.
cat > kinds.txt << 'EOF'
apply minus measured 2
apply plus measured 8
children minus measured 1
children plus measured 2
early plus measured 1
from_library inner measured 4
jump exported measured 3
jump plus measured 6
main exported measured 1
units a/same measured 5
units b/same measured 6
EOF
must gcc -O2 -shared -fPIC library.c -o libplain.so
must $cgcc -O2 -shared -fPIC library.c -o libprofiled.so
must $cgcc -O2 -c -fPIC library.c -o library.o
kinds() # kinds NAME OPTIONS...
{
	must $cgcc -w "${@:2}" kinds.c a/unit.c b/unit.c -o kinds -L. -lprofiled -Wl,-rpath,"$PWD"
	must "$cgview" record -o k.db -- ./kinds ./libplain.so
	arcs k.db | grep -v estimated | grep -v outside > got
	same "$1" kinds.txt got
}
kinds "without optimisation" -O0
kinds "optimised" -O2
kinds "at link time" -O3 -flto
kinds "at a fixed address: libraries are called through stubs" -O2 -no-pie
arcs k.db | grep "outside measured" | sort > got
printf '%s\n' "main outside measured 1" "main outside measured 1" "outside outside measured 1" > want
same "... and of what was not profiled it is known that it is outside" want got
arcs k.db outside | grep -c "outside from_library measured 4" > got
is "... but a profiled library's procedure is found behind its stub" 1 "$(cat got)"
kinds "without a procedure linkage table" -O2 -fno-plt -Wl,-z,now
CGVIEW_FLAGS=counters=atomic kinds "atomic counters" -O2
CGVIEW_FLAGS=mode=block,centres kinds "with cost centres" -O2
must strip -g kinds
must "$cgview" record -o k.db -- ./kinds
arcs k.db | grep -v estimated | grep -v outside > got
grep -v same kinds.txt > want
same "without debug information, but for statics of one name and one file name" want got
CGVIEW_OUT=off ./kinds > plain && is "without a profile it runs as ever" 270 "$(cat plain)"
must "$cgview" record -o k.db -- ./kinds ./libprofiled.so
is "a library opened at run time" "inner 2 inner 2" "$(echo $(arcs k.db opened | grep measured | cut -d" " -f2,4))"

must $cgcc -w -O2 -static threads.c -o threads-static -pthread
CGVIEW_OUT=th ./threads-static > truth 2> interruptions
import th.db th.*.raw
arcs th.db dispatch > got
same "a static program" truth got

# C++: through the second base, with another type of the result, in a template.
cat > virtual.txt << 'EOF'
area Circle::area measured 3
area Square::area measured 3
area Times<long int>::area measured 6
copy Circle::copy measured 3
copy Square::copy measured 1
drop Circle::~Circle (deleting) measured 3
drop Square::~Square (deleting) measured 1
main Square::area measured 1
name Circle::name measured 3
name Named::name measured 3
name Virtual::name measured 4
self Named::self measured 1
EOF
for level in -O0 -O2 "-O3 -flto"; do
	must $cgxx $level virtual.cc -o virtual
	must "$cgview" record -o v.db -- ./virtual
	arcs v.db | grep -v "_ZTc\|thunk" | sed "s/<long>/<long int>/" > got
	same "virtual calls, $level" virtual.txt got
	is "... the one with another result by way of its thunk" "self measured 2" \
		"$(arcs v.db self | sed -n 's/ .*\(_ZTc\|thunk\).* measured/ measured/p')"
	is "... and every one was expected there" "" \
		"$("$cgview" report --by note --format csv v.db | grep 'should not reach')"
done

# A comparison that libc calls: entries from outside, through main's call of qsort.
"$cgview" report --by arc --format csv --callee compare k.db | awk -F, 'NR > 1 { print $1, $6, $9 }' > got
echo "main 3 solved" > want
same "qsort's calls lead through it" want got

# What calls hand out as the value of a variable: entered from outside, through these calls, and nobody else's.
for options in "-O0" "-O2" "-O3 -flto" "-O2 -static"; do
	must $cgcc $options handed.c -o handed -pthread
	must "$cgview" record -o h.db -- sh -c "./handed > want"
	for callee in down hit own start up never; do
		sqlite3 h.db "SELECT callee.name, a.count, t.target FROM arc a JOIN procedure callee ON callee.id = a.callee
			LEFT JOIN call_site t ON t.id = a.through WHERE callee.name = '$callee' AND a.count > 0"
	done | tr '|' ' ' | sed 's/ $//' > got
	same "what is handed out, $options" want got
	is "... it can have come in another way" "0 $(awk '$3 { n += $2 } END { print n }' want)" \
		"$(sqlite3 -separator ' ' h.db "SELECT sum(lo), sum(hi) FROM arc WHERE through")"
done

# By way of the program's own procedures: exact, unless the address goes elsewhere as well.
for options in "-O0" "-O2" "-O3 -flto" "-O2 -static" "-O2 -fPIC"; do
	must $cgcc $options handing.c -o handing -pthread
	must "$cgview" record -o h.db -- sh -c "./handing > want"
	for callee in $(awk '{ print $1 }' want | sort -u); do
		sqlite3 h.db "SELECT callee.name, CASE how WHEN 'solved' THEN CASE WHEN lo = hi THEN a.count ELSE 'wide' END
			ELSE '?' END, CASE how WHEN 'solved' THEN t.target END FROM arc a JOIN procedure callee ON callee.id = a.callee
			JOIN call_site t ON t.id = a.through WHERE callee.name = '$callee' AND a.count > 0 ORDER BY a.count"
	done | tr '|' ' ' | sed 's/ $//' > got
	same "what the program's own procedures hand on, $options" want got
done
must $cgcc --cgview-flags=notargets -O2 handing.c -o handing -pthread
must "$cgview" record -o h.db -- sh -c "./handing > want"
is "... which is not known with notargets" 0 "$(sqlite3 h.db "SELECT count(*) FROM arc WHERE through AND how = 'solved'")"

must $cgcc --cgview-flags=notargets -O2 handed.c -o handed -pthread
must "$cgview" record -o h.db -- ./handed
is "not noted with notargets" 0 "$(sqlite3 h.db "SELECT count(*) FROM arc WHERE through AND count > 0")"

# What sites of several targets share is at work for their procedure: its time is that one's.
cat > shared.c << 'END'
#include <stdlib.h>
static long a(long x) { return x + 1; }
static long b(long x) { return x * 3; }
static long c(long x) { return x ^ 5; }
static long (*const volatile all[])(long) = {a, b, c};
__attribute__((noinline)) static long calls(long n)
{
	long s = 0;
	for (long i = 0; i < n; i++)
		s += all[(i * 7 + i / 3) % 3](s);
	return s;
}
int main(int argc, char **argv) { return calls(argc > 1 ? atol(argv[1]) : 0) == 77; }
END
must $cgcc -O2 shared.c -o shared
must "$cgview" record -o s.db -- ./shared 60000000
is "what sites share is not said to be compiled without cgcc" 0 "$(sqlite3 s.db "SELECT count(*) FROM note WHERE text LIKE '%cgview_beside%'")"
is "what sites share is its callers' time" "0" "$(sqlite3 s.db "SELECT count(*) FROM procedure WHERE name LIKE '%cgview_beside%'")"
samples=$(sqlite3 s.db "SELECT sum(self_samples), sum(self_samples * (name = '(unprofiled)')) FROM procedure")
is "... of $samples samples hardly any has no caller" 1 "$(echo "$samples" | awk -F'|' '{ print ($1 > 50 && $2 * 50 <= $1) }')"
is "... and all calls are counted" "3 60000000" "$(sqlite3 -separator ' ' s.db "SELECT count(*), sum(a.count)
	FROM arc a JOIN procedure p ON p.id = a.caller JOIN procedure q ON q.id = a.callee
	WHERE p.name = 'calls' AND a.count > 0 AND length(q.name) = 1")"

# What it takes to note them is nobody's self time, nor the caller's total. perf says how much it is, and tells the
# symbols of what was added; all that is left is the program's.
cat > own.c << 'END'
#include <stdlib.h>
typedef unsigned long procedure(unsigned long);
static __attribute__((noipa)) unsigned long a(unsigned long n) { return n * 3 + 1; }
static __attribute__((noipa)) unsigned long b(unsigned long n) { return n * 5 + 1; }
static __attribute__((noipa)) unsigned long c(unsigned long n) { return n ^ n >> 7; }
static procedure *volatile all[] = { a, b, c, a };
static __attribute__((noipa)) unsigned long calls(long n)
{
	unsigned long s = 1;
	for (long i = 0; i < n; i++)
		s = all[s >> 13 & 3](s);
	return s;
}
int main(int argc, char **argv) { return calls(argc > 1 ? atol(argv[1]) : 0) == 77; }
END
# share_of_own: what noting takes in a run, in %, and in another one by perf; where code and tables lie differs, and what they cost.
share_of_own()
{
	must "$cgview" record -o own.db -- ./own 100000000
	own=$(sqlite3 own.db "SELECT sum(100.0 * p.self_ns * (p.name = '(cgview)')) / sum(p.self_ns) FROM procedure p")
	truth=
	perf record -q -e task-clock -o own.perf ./own 100000000 > perf.log 2>&1 && truth=$(perf report -i own.perf --stdio -s dso,sym -g none 2> /dev/null |
		awk '/%/ && $0 !~ /^#/ && $0 !~ /\[k\]/ { all += $1 } /__cgview_/ && $0 !~ /\[k\]/ { own += $1 } END { print all ? 100 * own / all : "" }')
}
near() { echo "$own $truth" | awk '{ print ($2 > 10 && $1 - $2 < 9 && $2 - $1 < 9) }'; }
for flags in -O0 -O2 "-O2 -flto" "-O2 -static"; do
	must $cgcc -g $flags own.c -o own
	for try in 1 2 3 4; do
		share_of_own
		[ -n "$truth" ] && [ "$(near)" = 0 ] || break
	done
	is "$flags: self times and what noting takes are all of the time" 1 "$(sqlite3 own.db "SELECT abs(sum(self_ns) - (SELECT cpu_ns FROM run)) * 1000
		< (SELECT cpu_ns FROM run) FROM procedure")"
	is "$flags: ... main's total is without it ($own %)" 1 "$(sqlite3 own.db "SELECT abs(m.total_ns + o.self_ns - r.cpu_ns) * 50 < r.cpu_ns
		FROM procedure m, procedure o, run r WHERE m.name = 'main' AND o.name = '(cgview)'")"
	[ -n "$truth" ] || { echo "ok # skip no perf"; continue; }
	is "$flags: ... it is what perf says: $own and $truth %" 1 "$(near)"
	rm -f own.perf cgview.*.raw
done
