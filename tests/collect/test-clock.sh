#!/bin/bash
# The two clocks that sample time: which one is used, that it says so, and that programs do not notice.
. tests/collect/rows/lib.sh
programs=$top/tests/collect/programs
must "compile clock.c" "$cgcc" -O1 -g -pthread "$programs/clock.c" -o clock
must "compile the filter" gcc -O1 "$programs/deny.c" -o deny
value() { sqlite3 run.db "$1"; }
clock() { value 'SELECT clock FROM run'; } # how much jumped on a busy machine stands behind the rest

# recorded NAME COMMAND...: the output is in out, what record says in err
recorded()
{
	local name=$1
	shift
	rm -f run.db
	"$@" > out 2> err
	equal "$name" 0 $?
}
# like NAME GLOB TEXT
like()
{
	case $3 in
	$2) equal "$1" "" "" ;;
	*) equal "$1" "$2" "$3" ;;
	esac
}
# Shares in percent of all points that the program's own clock and ours differ by, the greatest.
error()
{
	python3 - "$@" << 'END'
import sqlite3
true = {n: int(ns) for n, ns in (line.split() for line in open("out"))}
seen = dict(sqlite3.connect("run.db").execute("SELECT name, self_ns FROM procedure"))
all_seen, all_true = sum(seen.get(n, 0) for n in true), sum(true.values())
print(round(max(abs(100 * seen.get(n, 0) / all_seen - 100 * true[n] / all_true) for n in true)))
END
}

# ---- where there is no event ----

recorded "timers are asked for" "$cgview" record --clock timer -o run.db ./clock user 100
like "... which is stored" 'timers, each *, as asked for*' "$(clock)"
equal "... and told" 1 "$(grep -c 'samples by timers, exit 0' err)"
perf_event_open=298
recorded "refused" ./deny $perf_event_open 1 "$cgview" record -o run.db ./clock user 100
like "... which is stored" 'timers, each *; the kernel gives no perf event*Operation not permitted)*' "$(clock)"
recorded "a filter that kills is not asked" ./deny $perf_event_open 0 "$cgview" record -o run.db ./clock user 20
"$cgview" record --clock sun ./clock user 1 > out 2> err
equal "no such clock" "2|cgview: --clock sun: it is auto, timer or ring" "$?|$(cat err)"
recorded "the recorder is refused, too" ./deny $perf_event_open 1 "$cgview" record --clock ring -o run.db ./clock user 100
like "... the program samples itself" 'timers, each *; the kernel gives no perf event*' "$(clock)"
equal "... which is told" 1 "$(grep -c '^cgview: --clock ring: the program must sample itself: perf_event_open: ' err)"

# ---- where there is one ----

# On a busy machine it is not told from what the kernel does when others were given the processor.
often() { value 'SELECT samples * 1000000000 / cpu_ns >= 450 FROM run'; }
for try in 1 2 3 4 5 6; do
	recorded "user code" "$cgview" record -o run.db ./clock user 200
	case $(clock) in
	*perf_event_open*) skip_all "no event here: $(clock)" ;;
	timers* | *jumps*) ;;
	*) [ "$(often)" = 1 ] && break ;;
	esac
done
case $(clock) in
timers* | *jumps*) skip_all "the machine is busy: $(clock)" ;;
esac
like "... by the event" "a perf event of the kernel*" "$(clock)"
equal "... which is told" 1 "$(grep -c "samples by a perf event of the kernel, exit 0" err)"
equal "... and printed" 1 "$("$cgview" report run.db | grep -c "time by a perf event of the kernel, each ")"
check "... at least 450 samples a second" [ "$(often)" = 1 ]
check "... self times are the CPU time" [ "$(value 'SELECT abs(sum(self_ns) - cpu_ns) * 1000 < cpu_ns FROM procedure, run')" = 1 ]
check "... those of contexts, too" [ "$(value 'SELECT abs(sum(self_ns) - cpu_ns) * 1000 < cpu_ns FROM context, run')" = 1 ]
check "... samples do not all stand for as much" [ "$(value 'SELECT sample_ns > interval_ns * 1.05 FROM run')" = 1 ]

# At first it is up to ten times as often, as far as that costs little; never more.
recorded "a hundred times a second" "$cgview" record -F 100 -o run.db ./clock user 200
equal "... and up to ten times that, at first" 1 "$(value 'SELECT samples * 1000000000.0 / cpu_ns BETWEEN 95 AND 1010 FROM run')"
recorded "ten thousand times" "$cgview" record -F 10000 -o run.db ./clock user 50
equal "... is the most" 1 "$(value 'SELECT samples * 1000000000.0 / cpu_ns < 10100 FROM run')"

# ---- how often ----

# A stack of 1,000 calls is walked through by each sample: that is dear on any machine. On a busy one what was measured
# at the start may be too much by some, never half: the least of three.
cat > deep.c << 'END'
#include <stdlib.h>
static volatile unsigned long sum;
static __attribute__((noipa)) void work(long n) { for (long i = 0; i < n; i++) sum += i; }
static __attribute__((noipa)) void deep(int calls, long n)
{
	if (calls <= 1)
		work(n);
	else
		deep(calls - 1, n);
	sum++;
}
int main(int argc, char **argv) { (void)argc; deep(atoi(argv[1]), atol(argv[2])); return 0; }
END
must "compile deep.c" "$cgcc" -O1 -g deep.c -o deep
# told: the last period (ms) and the cost (us) that the profile tells
told()
{
	clock | sed -n 's/^a perf event of the kernel, each \([^ ]* to \)\?\([^ ]*\) ms (samples take \([^ ]*\) us, .*/\2 \3/p'
}
follows() # the last period is what 1.6 % of the time allows, from 1 ms to 4 ms (told with two digits each)
{
	told | awk '{ p = $2 / 16; p = p < 1 ? 1 : p > 4 ? 4 : p; print (NF == 2 && $1 > p * 0.9 && $1 < p * 1.12) }'
}
# run_deep NAME CALLS: sets `cost` and `ok` to the least cost of three runs, and whether some period followed its cost.
run_deep()
{
	cost='' ok=0
	for try in 1 2 3; do
		recorded "$1" "$cgview" record -o run.db ./deep "$2" 2000000000
		cost=$(told | awk -v least="$cost" '{ print (least == "" || $2 < least ? $2 : least) }')
		[ "$(follows)" = 1 ] && ok=1 shown=$(told)
	done
}
run_deep "a shallow stack" 1
equal "... samples take 1.6% of the time, or come each ms: $shown" 1 "$ok"
shallow=$cost
run_deep "a deep stack" 1000
equal "... samples take 1.6% of the time, or come each ms: $shown" 1 "$ok"
check "... a sample takes longer there: $shallow us, $cost" [ "$(awk -v s="$shallow" -v d="$cost" 'BEGIN { print (d > s) }')" = 1 ]
check "... and comes less often than each ms" [ "$(told | awk '{ print ($1 > 1.05) }')" = 1 ]
equal "... the head of a report tells it" 1 "$("$cgview" report run.db | grep -c 'ms (samples take [0-9.]* us, [0-9.]*% of the time)')"
recorded "1,000 a second are asked for" "$cgview" record -F 1000 -o run.db ./deep 1000 400000000
equal "... and given, whatever they take: $(told)" 1 "$(told | cut -d' ' -f1)"
(export CGVIEW_HZ=1000 CGVIEW_OUT=$TMP_DIR/asked && ./deep 1000 400000000)
must "import" "$cgview" import -o run.db asked.*.raw
equal "... by the environment, too: $(told)" 1 "$(told | cut -d' ' -f1)"

options=()
# What is by chance is repeated before it has failed.
close_to() # close_to NAME POINTS SHAPE [TURNS]
{
	local try off
	for try in 1 2 3 4 5 6; do
		"$cgview" record "${options[@]}" -o run.db ./clock "${@:3}" > out 2> err
		off=$(error)
		[ "$off" -le "$2" ] && break
	done
	check "$1: within $2 points of its own clock: $off" [ "$off" -le "$2" ]
}
close_to "user code" 3 user
close_to "400 threads of 3 ms" 4 threads
# Without what the timers say of the kernel's time it would be 3 points.
close_to "page faults in a thirtieth of the time" 2 some-faults 200
check "... by both clocks, if by the event" [ "$(value "SELECT clock NOT LIKE 'an event%' OR
	clock LIKE 'an event%; timers for the kernel''s work, %\% of the time%' ESCAPE '\' FROM run")" = 1 ]
# What of it is the kernel's the timers tell, however much it is.
close_to "much system time" 5 calls 600
close_to "half of the time in page faults" 5 faults 400
like "... by both clocks" "a perf event of the kernel*; timers for the kernel's work, [1-9][0-9].*% of the time*" "$(clock)"
# An event that ended half-way has not seen what no work of the kernel's explains.
close_to "the program takes the signal" 5 urgent 300
like "... timers go on, and are believed" "timers, each *; the program needs SIGURG*" "$(clock)"

recorded "short waits" "$cgview" record -o run.db ./clock waits 100
equal "... none is ended" 'ended 0' "$(head -1 out)"

# ---- the recorder takes the event's samples ----

options=(--clock ring)
close_to "by the recorder: user code" 3 user
like "... told so" "a perf event of the kernel, each 1 ms, taken by the recorder*" "$(clock)"
check "... self times are the CPU time" [ "$(value 'SELECT abs(sum(self_ns) - cpu_ns) * 1000 < cpu_ns FROM procedure, run')" = 1 ]
check "... total of main is it, too" [ "$(value "SELECT total_ns > 0.95 * cpu_ns FROM procedure, run WHERE name = 'main'")" = 1 ]
close_to "by the recorder: page faults in a thirtieth of the time" 2 some-faults 200
# Each is shorter than what the kernel counts before a thread's first sample.
close_to "by the recorder: 400 threads of 3 ms" 8 threads
like "... have those of their timers" "timers, each *; the recorder *" "$(clock)"

# Callers through a library; a stack that the recorder has no copy of; processes; a program that is killed.
cat > ways.c << 'END'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long sum;
static __attribute__((noipa)) void work(long n) { for (long i = 0; i < n; i++) sum += i; }
static int compare(const void *a, const void *b) { work(2000); return *(const char *)a - *(const char *)b; }
static __attribute__((noipa)) void sorts(void)
{
	char text[] = "the quick brown fox jumps over the lazy dog, and back again, and so on";
	for (int i = 0; i < 100; i++) qsort(text + i % 40, 30, 1, compare);
}
static __attribute__((noipa)) void large(long n)
{
	char much[40000];
	memset(much, 1, sizeof(much));
	work(n);
	sum += (unsigned char)much[n % 40000];
}
int main(void)
{
	sorts();
	large(100000000);
	if (!fork()) { work(100000000); _exit(0); }
	wait(NULL);
	kill(getpid(), SIGKILL);
}
END
must "compile ways.c" "$cgcc" -O2 -g ways.c -o ways
"$cgview" record --clock ring -o run.db ./ways > out 2> err
equal "killed" 137 $?
like "... has what was sampled until then" "a perf event of the kernel, each 1 ms, taken by the recorder*" "$(clock)"
equal "... in both processes" 2 "$(value 'SELECT count(DISTINCT pid) FROM thread WHERE samples > 20')"
# callers PROCEDURE: those of the contexts in which PROCEDURE is, and its caller there
callers()
{
	value "SELECT DISTINCT coalesce(p.name, '-') FROM context c JOIN procedure q ON q.id = c.procedure
		LEFT JOIN context u ON u.id = c.parent LEFT JOIN procedure p ON p.id = u.procedure
		WHERE q.name = '$1' AND c.total_samples > 5 ORDER BY 1" | paste -sd' '
}
equal "... through the library's code" "qsort (libc)" "$(callers compare)"
equal "... to who called that" sorts "$(callers "qsort (libc)")"
equal "... not beyond what was copied" - "$(callers large)"
equal "... which is told" 1 "$(grep -c ' larger than what the recorder copied of it: ' err)"
"$cgview" record --clock ring -n 2 -o run.db ./clock user 50 > out 2> err
equal "two runs have each their own" "2 1" "$(value 'SELECT count(*), min(samples >= 20) FROM run' | tr '|' ' ')"
recorded "of a program that was not built with cgcc" "$cgview" record --clock ring -o run.db sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
equal "... time alone" 1 "$(grep -c 'was not built with cgcc: nothing is counted' err)"

# ---- limits ----

(ulimit -i 0 && CGVIEW_OUT=$TMP_DIR/few ./clock user 20 > out 2> err)
equal "no signal can be queued" 0 $?
(ulimit -l 0 && CGVIEW_OUT=$TMP_DIR/few ./clock threads 20 > out 2> err)
equal "no memory can be locked" 0 $?
(ulimit -n 4 && CGVIEW_OUT=$TMP_DIR/few ./clock threads 20 > out 2> err)
equal "no descriptor is left" 0 $?
rm -f few.*
(ulimit -n 12 && CGVIEW_OUT=$TMP_DIR/few ./clock user 100 > out 2> err)
must "import" "$cgview" import -o run.db few.*.raw
like "few descriptors: that is the cause that is told" "timers, each *(perf_event_open: Too many open files)*" "$(clock)"
