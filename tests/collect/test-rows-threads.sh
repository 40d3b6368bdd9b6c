#!/bin/bash
# Threads, libraries, signals: exact counts, and the program does what it does without profiling.
. tests/collect/rows/lib.sh
plain_once=yes
build threads -pthread
build stress -pthread
build signals -pthread
build loads
must "compile library" "$cgcc" -O2 -fPIC -shared "$rows/library.c" -o library.so
cp library.so other.so

run threads eight
equal "row 4: 8 threads: 8000000" 8000000 "$(calls step)"
run threads c11
equal "row 4: 8 threads of C11: 800000" 800000 "$(calls step)"
must "compile threads as a static program" "$cgcc" -O2 -static -pthread "$rows/threads.c" -o threads-static
run threads-static c11
equal "row 4: ... in a static program" 800000 "$(calls step)"
run threads short
equal "row 5: 10000 short threads: 10000" 10000 "$(calls step)"
most "row 5: ... in a raw profile of less than 3 MB" 3000000 "$(raw_bytes)"
run threads odd_ends
equal "row 5: cancelled, exited, detached and left alone: 2100" 2100 "$(calls step)"

build cancel -pthread
for how in never mutex cleanup anywhere; do
	like_plain "row 5: 200 threads are cancelled ($how)" cancel $how
done
must "compile cancel as a static program" "$cgcc" -O2 -static -pthread "$rows/cancel.c" -o cancel
like_plain "row 5: ... in a static program" cancel mutex

run threads exit
# Each thread may be within a call that it has not noted, and have begun what leads to the next one.
noted=$(cat out) counted=$(calls step)
check "row 5: the process ends while 8 threads count: $counted, at most 16 more than they noted" \
	[ $((counted - noted)) -ge 0 -a $((counted - noted)) -le 16 ]

# Threads and processes that come into being where nobody sees it.
while read -r how expected what; do
	run threads $how
	if [ $status = 77 ]; then
		echo "skip - row 5: $what: not possible here"
	else
		equal "row 5: $what: $expected" $expected "$(calls step)"
	fi
done <<'ROWS'
timer 3000000 threads of a timer
mq 2000000 a thread of a message queue
name 2000000 a thread of the resolver
_Fork 2000000 a process by _Fork
clone_process 2000000 a process by clone
ROWS
run threads clone
equal "row 5: a thread by clone: 2000000" "2000000 1" "$(calls step) $(calls_in run.db clone_main)"

run loads ./library.so
equal "row 12: dlopen and dlclose three times: 300" 300 "$(calls library_step)"
run loads ./library.so ./other.so
equal "row 12: two libraries in turn: 600" 600 "$(calls library_step)"

# A program without a runtime: the libraries bring one each, and one does the work.
must "compile host" gcc -O2 "$rows/host.c" -o host -pthread
for how in local global close; do
	run host $how
	equal "row 12: a plain program opens two libraries ($how): it lives, one raw profile" \
		"5 1" "$status $(ls raw | wc -l)"
	check "row 12: ... both are counted" [ "$(calls library_step)" -gt 4000 ]
	check "row 12: ... and it is told that its threads share counters" \
		grep -q 'share counters' <(report run.db note)
done

# Where a copy of the library's counters should be, there is something else.
build crowded -pthread
for hz in 1000 0; do
	CGVIEW_HZ=$hz run crowded
	equal "row 12: no room where the threads' copies want to be ($hz Hz): it lives" "5 crowded" \
		"$status $(cat out)"
	equal "row 12: ... 500000" 500000 "$(calls library_step)"
done

run stress load 2
set -- $(cat out)
equal "row 13: dlopen and dlclose under samples, 2 s: $1" "$1 $2" \
	"$(calls library_step) $(calls_in run.db step)"
CGVIEW_HZ=10000 run stress all 4
set -- $(cat out)
equal "row 14: malloc, fork, dlopen under samples at the highest rate, 4 s: $2" "$1 $2" \
	"$(calls library_step) $(calls_in run.db step)"
check "row 14: ... which were taken" [ "$(sqlite3 run.db 'SELECT SUM(samples) FROM run')" -gt 20 ]

like_plain "row 15: SIGPROF and ITIMER_PROF are the program's" signals profiler
calls step > calls.out
check "row 15: ... and time is measured, too" \
	[ "$(sqlite3 run.db 'SELECT SUM(samples) FROM run')" -gt 5 ]
like_plain "row 15: the program's own timers" signals timers
like_plain "row 15: all signals get their defaults" signals reset
like_plain "row 15: ... by system calls, past libc" signals number
like_plain "row 15: ... by the old names of the procedures" signals names
like_plain "row 15: masks are read back as they were set" signals back
like_plain "row 15: all signals are the program's" signals take
like_plain "row 15: death by the signal that sampling uses" signals die
like_plain "row 15: a thread waits for all signals" signals sigwait
like_plain "row 16: calls that block are not interrupted" signals blocking
like_plain "row 16: nor where signals are let in by the call" signals ppoll
like_plain "row 16: the program's own signals interrupt as ever" signals interrupted

# The thread sanitizer keeps signals until the program waits for something; this one never does.
cat > spin.c <<'END'
#include <time.h>
static volatile long n;
__attribute__((noinline)) static void step(void)
{
	for (int i = 0; i < 100000; i++)
		n++;
}
int main(int argc, char **argv)
{
	(void)argv;
	while (argc == 1 && clock() < CLOCKS_PER_SEC)
		step();
	return 0;
}
END
if gcc -O2 -fsanitize=thread spin.c -o spin 2> spin.err && ./spin not 2>> spin.err; then
	must "compile spin" "$cgcc" -O2 -fsanitize=thread spin.c -o spin
	run spin
	calls step > calls.out
	check "row 15: under the thread sanitizer time is sampled, too" \
		[ "$(sqlite3 run.db 'SELECT SUM(samples) FROM run')" -gt 20 ]
else
	echo "skip - row 15: the thread sanitizer: $(head -1 spin.err)"
fi

# On a small alternate stack a sample would overwrite what lies below it.
build altstack -pthread
for size in 2048 4096 8192 12288 65536; do
	like_plain "row 15: an alternate stack of $size bytes, and what it is told of it" altstack $size
	calls busy > calls.out
done
must "compile altstack as a static program" "$cgcc" -O2 -static "$rows/altstack.c" -o altstack -pthread
like_plain "row 15: ... in a static program" altstack 8192
must "compile signals as a static program" \
	"$cgcc" -O2 -static "$rows/signals.c" -o signals -pthread
for how in reset number names back take; do
	like_plain "row 15: a static program: $how" signals $how
done

# Handlers with a stack that is not aligned: from assembly, and from the emulator that has them so.
build misaligned -no-pie
export MISALIGNED_RAW="$TMP_DIR/raw/*"
run misaligned
equal "row 15: handlers are called with a misaligned stack" "7 2 handlers, called: 1 1" \
	"$status $(cat out)"
export -n MISALIGNED_RAW
if command -v qemu-x86_64 > /dev/null; then
	cp threads threads.direct
	printf '#!/bin/sh\nexec qemu-x86_64 "./threads.direct" "$@"\n' > threads
	run threads eight
	equal "row 15: 8 threads under qemu: 8000000" "0 8000000" "$status $(calls step)"
	mv threads.direct threads
else
	echo "skip - row 15: 8 threads under qemu: qemu-x86_64 is not installed"
fi

# Whatever stands before libc's clocks, times are those of the kernel.
must "compile clock" gcc -O2 -fPIC -shared "$rows/clock.c" -o clock.so
LD_PRELOAD=$TMP_DIR/clock.so run threads eight
equal "clocks that jump by days: 8000000" "0 8000000" "$status $(calls step)"
equal "... no thread has a processor time of an hour, and none is told to" "0 0" \
	"$(sqlite3 run.db "SELECT (SELECT COUNT(*) FROM thread WHERE cpu_ns > 3600e9),
		(SELECT COUNT(*) FROM note WHERE text LIKE '%clock%')" | tr '|' ' ')"

build jumps -pthread
like_plain "row 17: longjmp, and siglongjmp out of a signal handler: nothing else changes" jumps
equal "row 17: longjmp: 600 + 1000 + 50 + 20 calls" 1670 "$(calls step)"
equal "row 17: ... procedures left by a jump, and one that jumps within itself" "600 100 50" \
	"$(calls_in run.db deep) $(calls_in run.db again) $(calls_in run.db handler)"
must "compile thrower" "$build/cgg++" -O2 -fPIC -shared "$rows/thrower.cc" -o libthrower.so
build exceptions -pthread -L. -lthrower "-Wl,-rpath,$TMP_DIR"
like_plain "row 17: exceptions of eight forms: nothing else changes" exceptions
equal "row 17: through frames, rethrow, by base class, cleanup, library, nested, thread, signal" \
	"2300 500 100 100 200 100 100 100" "$(calls step) $(for p in through rethrow \
	object cleanup call_back nested by_signal; do calls_in run.db $p; done | tr '\n' ' ' | sed 's/ $//')"

"$cgview" record -o slowly.db -- ./threads slowly > slowly.out 2> slowly.err &
recorder=$!
wait_for ready slowly.out
last=0 wrong=0 seen=0
while kill -0 $recorder 2> /dev/null && [ $seen -lt 30 ]; do
	"$cgview" import -o now.db slowly.db.raw-*/*.raw > now.out 2>&1 || continue
	now=$(calls_in now.db step)
	[ "$now" -ge "$last" ] && [ "$now" -le 320000000 ] || wrong=$((wrong + 1))
	last=$now seen=$((seen + 1))
	[ $seen -lt 3 ] || touch enough
done
touch enough
wait $recorder
check "row 29: imported $seen times while 8 threads count: always more, never too many" \
	[ $wrong = 0 -a $seen -ge 3 ]
equal "row 29: in the end: 320000000" 320000000 "$(calls_in slowly.db step)"
