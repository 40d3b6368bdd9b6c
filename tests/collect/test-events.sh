#!/bin/bash
# Events of the kernel: page faults at places that are known, as many as the program itself touches.
. tests/collect/rows/lib.sh
programs=$top/tests/collect/programs
source=$programs/faults.c
for level in O0 O2; do
	must "compile at -$level" "$cgcc" -$level "$source" -o "faults-$level" -pthread
done
cp faults-O2 faults
must "compile without cgcc" gcc -O2 "$source" -o faults.plain -pthread
must "compile the filter" gcc -O1 "$programs/deny.c" -o deny
value() { sqlite3 run.db "$1"; }
line_of() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
import()
{
	rm -f run.db
	"$cgview" import -o run.db raw/*.raw > import.out 2> import.err
}
self() { value "SELECT self_faults FROM procedure WHERE name = '$1'"; }

# below CALLER PROCEDURE: of PROCEDURE when CALLER has called it
below()
{
	value "SELECT sum(c.self_faults) FROM context c JOIN context d ON d.id = c.parent
		JOIN procedure p ON p.id = c.procedure JOIN procedure q ON q.id = d.procedure
		WHERE q.name = '$1' AND p.name = '$2'"
}

# near NAME EXPECTED SLACK GOT
near()
{
	check "$1: $4 for $2" [ "$4" -ge $(($2 - $3)) -a "$4" -le $(($2 + $3)) ]
}

# ---- where it is refused ----

perf_event_open=298
./deny $perf_event_open 1 "$cgview" record -e list > list.out
equal "list: refused" 3 "$(grep -c 'cannot be measured here: Operation not permitted$' list.out)"
./deny $perf_event_open 13 "$cgview" record -e faults -o run.db ./faults both 10 10 > out 2> err
equal "refused: the program runs" "0 20" "$? $(cut -d' ' -f1 out)"
equal "... one line says so" 1 "$(grep -c 'page faults were not measured: .*Permission denied' err)"
equal "... and a note" 1 "$(value "SELECT count(*) FROM note WHERE text LIKE 'page faults were not%'")"
equal "... there is no such measure" 0 "$(value "SELECT count(*) FROM measure WHERE name = 'faults'")"
equal "... all else is there" 10 "$(value "SELECT max(count) FROM line WHERE line = $(line_of FIRST)")"
./deny $perf_event_open 0 "$cgview" record -o run.db ./faults both 10 10 > out 2> err
equal "nobody asks: nothing is opened" "0 20" "$? $(cut -d' ' -f1 out)"
./deny $perf_event_open 0 "$cgview" record -o run.db -e faults ./faults both 10 10 > out 2> err
equal "... that would have killed it" 159 $?

# ---- options ----

"$cgview" record -e page-faults,nonsense,minor-faults ./faults both 1 1 > out 2> err
equal "an unknown event" "2|cgview: -e: nonsense: no such event; cgview record -e list tells which there are" \
	"$?|$(cat err)"
equal "... nothing was run" "" "$(cat out)"
"$cgview" record -e list > list.out
[ "$(grep -c 'can be measured here$' list.out)" = 3 ] ||
	skip_all "no events here: $(head -1 list.out)"
export CGVIEW_EVENTS=nonsense,page-faults
run faults both 10 10
equal "an unknown event in CGVIEW_EVENTS is told" 1 "$(grep -c 'CGVIEW_EVENTS: .*unknown' err)"
import
equal "... the others are measured" 10 "$(self second)"

# ---- each one ----

export CGVIEW_EVENTS=page-faults
for program in faults-O0 faults-O2; do
	run $program both 300 700
	import
	equal "$program: pages that the program has, and profile" "1000 300 700" \
		"$(cut -d' ' -f1 out) $(self first) $(self second)"
	equal "$program: the caller's total" "0|1000" \
		"$(value "SELECT self_faults, total_faults FROM procedure WHERE name = 'both'")"
	for place in FIRST:300 SECOND:700; do
		equal "$program: line, range and block of ${place%:*}" \
			"${place#*:}|${place#*:}|${place#*:}" \
			"$(value "SELECT max(l.self_faults), max(r.self_faults), max(b.self_faults)
			FROM line l, range r JOIN block b ON b.id = r.block
			WHERE l.line = $(line_of ${place%:*}) AND r.line = l.line")"
	done
	equal "$program: calls" "1000 300 700" "$(value "SELECT s.total_faults FROM call_site s
		JOIN procedure p ON p.id = s.procedure WHERE p.name IN ('both', 'main')
		AND s.target IN ('first', 'second', 'both') AND s.total_faults
		ORDER BY p.name = 'both', s.target" | tr '\n' ' ' | sed 's/ $//')"
	equal "$program: contexts" "both 0 1000,first 300 300,second 700 700" \
		"$(value "SELECT group_concat(p.name || ' ' || c.self_faults || ' ' || c.total_faults)
		FROM (SELECT * FROM context ORDER BY id) c JOIN procedure p ON p.id = c.procedure
		WHERE p.name IN ('both', 'first', 'second')")"
	equal "$program: all of it adds up" \
		"$(value "SELECT total, total, total FROM measure WHERE name = 'faults'")" \
		"$(value "SELECT (SELECT sum(self_faults) FROM procedure),
			(SELECT sum(self_faults) FROM context),
			(SELECT sum(total_faults) FROM context WHERE parent IS NULL)")"
	equal "$program: that is exact" "1|1|count|sum|stacks" "$(value "SELECT exact, period, unit,
		combine, inclusive FROM measure WHERE name = 'faults'")"
done
read -r pages faults <<< "$(./faults.plain both 300 700)"
check "the kernel counts $faults for $pages without profiling" [ "$faults" -ge 1000 -a "$faults" -le 1003 ]

if "$cgcc" -O2 -static "$source" -o faults-static -pthread 2> static.err; then
	run faults-static both 300 700
	import
	equal "a static program" "300 700" "$(self first) $(self second)"
else
	echo "skip - a static program: $(head -1 static.err)"
fi
CGVIEW_HZ=0 run faults both 300 700
import
equal "without time" "300 700 0" "$(self first) $(self second) $(value 'SELECT samples FROM run')"
CGVIEW_HZ=5000 run faults both 2000 2000
import
equal "with many samples of time" "2000 2000" "$(self first) $(self second)"

run faults threads 40 8 50
import
equal "40 threads of 50" "2000 2000" "$(self second) $(below thread second)"
python3 "$here/parts.py" run.db
run faults threads 64 64 1
import
./faults.plain threads 64 64 1 > out
near "making 64 threads, and nothing of the profile's own" "$(cat out)" 8 "$(self threads)"
run faults processes 100
import
equal "fork, and exec" "300 300" "$(self first) $(below child first)"
cat > library.c <<-'END'
	void touch(volatile char *p, long n);

	void
	touch(volatile char *p, long n)
	{
		for (; n; n--, p += 4096)
			*p = 1;
	}
END
must "compile a library" "$cgcc" -O2 -fPIC -shared library.c -o library.so
run faults library 120 "$TMP_DIR/library.so"
import
equal "a library that is opened" 120 "$(self touch)"

# ---- callers ----

# arcs CALLEE: what each caller's calls of it bring
arcs()
{
	"$cgview" report --by arc --callee "$1" --sort caller --format csv \
		--columns caller,total_faults run.db | tr -d '\r"' | grep ',[1-9]' | xargs
}
for program in faults-O0 faults-O2; do
	run $program callers 17
	import
	equal "$program: faults by caller are not in proportion to its calls" \
		"often,1 pair,17 pair,34 seldom,17" "$(arcs first)"
	equal "$program: ... and of pairs" "often|1|1 pair|17|17 pair|34|34 seldom|17|17" \
		"$(value "SELECT r.name, a.total_faults, a.pair_faults FROM arc a
		JOIN procedure r ON r.id = a.caller JOIN procedure e ON e.id = a.callee
		WHERE e.name = 'first' AND a.count ORDER BY r.name, a.total_faults" | xargs)"
	equal "$program: recursion: both calls, each once; the pair as one; all of it" "32|0|32 33|33|33 34|34" \
		"$(value "SELECT a.total_faults, a.pair_faults, 32 + (s.line = $(line_of EVEN)) FROM arc a
		JOIN call_site s ON s.id = a.site WHERE s.line IN ($(line_of ODD), $(line_of EVEN))
		ORDER BY s.line" | xargs) $(value "SELECT a.total_faults, a.pair_faults FROM arc a
		JOIN procedure r ON r.id = a.caller JOIN procedure e ON e.id = a.callee
		WHERE r.name = 'callers' AND e.name = 'deep'")"
done
mkdir -p config/cgview
echo 'columns callers calls total_faults caller' > config/cgview/config
# callers_of PROCEDURE: as the browser lists them, a row for each
callers_of()
{
	printf 'size:100x30\ntext:&^%s$\nEnter\nc\nz\ntext::w callers\nEnter\n' "$1" > script
	rm -f callers
	XDG_CONFIG_HOME=$TMP_DIR/config CGVIEW_SCRIPT=script TERM=xterm LC_ALL=C.UTF-8 "$cgview" run.db
	sed -n '/[0-9] callers$/d; s/^ *\([0-9]\+\)  *\(≈* *[0-9]\+\)  *[^a-z0-9]*\([a-z]\+\).*/\3 \1 \2/p' callers | sort | xargs
}
equal "the browser: a row for each pair" "often 153 1 pair 2 51 seldom 1 17" "$(callers_of first)"
equal "... once, however many of its calls a stack passes" "callers 1 34 deep 33 33" \
	"$(callers_of deep)"
sqlite3 run.db "DELETE FROM context"
equal "without stacks: shares by calls" "often,67" "$(arcs first)"
equal "... of those from elsewhere; nothing by recursion" "callers,34" "$(arcs deep)"
equal "... with the mark of estimates" "callers 1 ≈ 34 deep 33 0" "$(callers_of deep)"

# ---- one of a hundred ----

run faults both 50000 30000
import
# A sample more or less, as the period begins anywhere, is a hundred; so many more or less of all 80,000, by which a
# sample's worth is found, are 63 of 50,000 and 38 of 30,000.
near "80,000: the first place" 50000 163 "$(self first)"
near "80,000: the second place" 30000 138 "$(self second)"
equal "... which is not exact" "0|0" "$(value "SELECT exact, period FROM measure WHERE name = 'faults'")"
equal "... and a note says so" 1 "$(value "SELECT count(*) FROM note WHERE text LIKE 'page faults are estimates%'")"
run faults threads 8 8 6000
import
near "8 threads of 6,000" 48000 800 "$(self second)"
# Each of the threads but the first ones has a sample with a chance of a tenth: 6 standard deviations.
run faults threads 2000 40 10
import
near "2,000 threads of 10" 20000 8000 "$(self second)"

# ---- counters are none of it ----

{
	for ((i = 0; i < 1500; i++)); do
		echo "__attribute__((noipa)) static void f$i(void) { __asm__ volatile(\"\"); }"
	done
	echo '#include <pthread.h>'
	echo 'static void *many(void *unused) {'
	for ((i = 0; i < 1500; i++)); do echo "f$i();"; done
	echo 'return unused; }'
	echo 'int main(void) { pthread_t t; many(0); pthread_create(&t, 0, many, 0); return pthread_join(t, 0); }'
} > many.c
must "compile many.c" "$cgcc" -O1 --cgview-flags=mode=block many.c -o many -pthread
run many
import
equal "the pages of a second thread's counters" 0 "$(value "SELECT coalesce(sum(x.self_faults), 0)
	FROM context x JOIN context y ON y.id = x.parent JOIN procedure p ON p.id = y.procedure
	WHERE p.name = 'many' AND y.parent IS NULL")"
equal "... which has called each procedure" 3000 "$(value "SELECT sum(calls) FROM procedure
	WHERE name LIKE 'f%'")"

# ---- what the program must not notice ----

like_plain "its own SIGURG: handled, from a socket, blocked and waited for" faults urgent
like_plain "a sandbox in which every call kills" faults sandbox 100
import
equal "... events are measured until then" 100 "$(self first)"
like_plain "waits are not ended" faults waits
import
equal "... what the kernel touches for it is left out" 300 "$(self first)"
like_plain "descriptors have the numbers that they have without us" faults descriptors
(ulimit -l 0; ulimit -n 40; like_plain "a low limit of descriptors" faults descriptors)
(ulimit -n 40; like_plain "no descriptor left" faults full 20)
import
equal "... threads without events are told" "20 0 0 1" "$(self first) $(self second) $(value "SELECT exact
	FROM measure WHERE name = 'faults'") $(value "SELECT count(*) FROM note
	WHERE text LIKE '4 threads have no figures of page faults%'")"
(ulimit -i 0; like_plain "no signal can be queued" faults urgent)
must "compile with the kernel entered by assembly" "$cgcc" -O2 -DENTERS -x c - -o enters -pthread \
	<<< "$(sed 's/^enum { PAGE/static int pid(void) { long r = 39; __asm__ volatile("syscall" : "+a"(r) :: "rcx", "r11"); return r; }\n&/; s/^int$/__attribute__((used)) static int (*const entering)(void) = pid;\nint/' "$source")"
CGVIEW_HZ=4000 run enters both 1500 1500
import
equal "a program that enters the kernel by itself: one signal for time and events" "1500 1500" \
	"$(self first) $(self second)"

# ---- adding up ----

unset CGVIEW_EVENTS
must "record" "$cgview" record -e faults,major-faults -o all.db ./faults both 100 200
must "record -a" "$cgview" record -a -e faults,major-faults -o all.db ./faults both 10 20
sums="SELECT group_concat(self_faults, ' ') FROM (SELECT * FROM procedure ORDER BY name)
	WHERE name IN ('first', 'second')"
equal "record -a" "110 220" "$(sqlite3 all.db "$sums")"
equal "... each run" "10 100" "$(for run in 1 2; do
	"$cgview" report --runs $run --format csv --columns procedure,self_faults all.db
done | tr -d '\r' | sed -n 's/^first,//p' | sort -n | xargs)"
must "record" "$cgview" record -e page-faults -o other.db ./faults both 1 6000
must "merge" "$cgview" merge -o sum.db all.db other.db
equal "merge: not exact any more" 0 "$(sqlite3 sum.db "SELECT exact FROM measure WHERE name = 'faults'")"
near "merge" 6220 100 "$(sqlite3 sum.db "SELECT self_faults FROM procedure WHERE name = 'second'")"
equal "report --sql" "name,self_faults first,110" "$("$cgview" report --format csv --sql \
	"select name, self_faults from procedure where name = 'first'" all.db | tr -d '\r' | xargs)"

CGVIEW_EVENTS=major-faults,minor-faults run faults major 200 "$top/build/events.$$"
import
if [ "$(cat out)" -gt 0 ]; then
	# Where memory is short, a page of code may be one of them.
	near "major faults" "$(cat out)" 3 "$(value "SELECT self_major_faults FROM procedure
		WHERE name = 'first'")"
else
	echo "skip - major faults: the file's pages cannot be had out of memory here"
fi
