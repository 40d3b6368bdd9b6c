#!/bin/bash
# Row 15, programs that set signals by system calls in assembly of their own, which nobody sees: they live,
# count, and their signals are theirs, SIGURG too, by which time is measured there (F16).
. tests/collect/rows/lib.sh
plain_once=yes

# exactly NAME PROGRAM CASE STEPS SAMPLES NOTE [LIBRARY]: as without profiling; STEPS calls, more than SAMPLES samples,
# NOTE notes that the signal was taken.
exactly()
{
	local name=$1 program=$2 case=$3 expected=$4 samples=$5 notes=$6
	shift 6
	like_plain "row 15: $name" "$program" "$case" "$@"
	equal "row 15: ... $expected calls, notes of a signal that was taken: $notes" "$expected $notes" \
		"$(calls step) $(report run.db note | grep -c 'set, blocked or waited')"
	[ "$samples" = any ] || check "row 15: ... more than $samples samples" \
		[ "$(sqlite3 run.db 'SELECT IFNULL(SUM(samples), 0) FROM run')" -gt "$samples" ]
}

all_cases()
{
	exactly "all signals are reset by $1" $2 reset 200000000 5 1
	exactly "... then there are threads and a process" $2 threads 120000000 5 1
	exactly "... where there are threads" $2 among 180000000 5 1
	exactly "... all are blocked by it, too" $2 block 160000000 5 1
	exactly "... there are threads and a process, and nothing is reset" $2 untouched 120000000 5 0
	exactly "... SIGURG is the program's" $2 handle 60000000 5 0
	exactly "... SIGURG is blocked and waited for" $2 wait 45000000 any 1
	like_plain "row 15: ... in a thread" $2 waiter
	like_plain "row 16: ... SIGURG interrupts a call if it is to" $2 interrupt
}

build assembly -pthread
all_cases "assembly" assembly
# A signal that comes while the thread begins; one of 250 was lost.
must "compile assembly that does little" "$cgcc" -O2 -DSTEPS=1000 "$rows/assembly.c" -o early -pthread
runs=0
while [ $runs -lt 1000 ] && ./early waiter > out; do # it has an alarm
	runs=$((runs + 1))
done
equal "row 15: ... in a thread that has just begun, a thousand times" 1000 $runs
# A sample that is pending when the program's own signal comes is not what the program's call gets: four of 300 were.
must "compile assembly that does little" "$cgcc" -O2 -DSTEPS=300000 "$rows/assembly.c" -o early -pthread
runs=0
while [ $runs -lt 300 ] && CGVIEW_HZ=10000 ./early wait > out && grep -q '^sigwaitinfo: 1, 1$' out; do
	runs=$((runs + 1))
done
equal "row 15: ... at 10,000 samples a second, 300 times" 300 $runs
for flag in -O0 -flto -masm=intel; do
	must "compile assembly $flag" "$cgcc" -O2 $flag "$rows/assembly.c" -o assembly -pthread
	like_plain "row 15: ... compiled with $flag" assembly reset
done
must "compile assembly as a static program" "$cgcc" -O2 -static "$rows/assembly.c" -o assembly -pthread
all_cases "assembly in a static program" assembly

# An assembler file, together with others and on its own, also where the compiler would use pipes.
must "compile assembly and enter" "$cgcc" -O2 -DELSEWHERE "$rows/assembly.c" "$rows/enter.S" -o assembly -pthread
exactly "all signals are reset by an assembler file" assembly reset 200000000 5 1
must "compile entering" "$cgcc" -O2 -flto -c "$rows/entering.c"
must "compile assembly, enter" "$cgcc" -O2 -flto -DELSEWHERE "$rows/assembly.c" "$rows/enter.S" entering.o -o assembly \
	-pthread
equal "row 15: ... -flto has nothing to say of it" "" "$(cat must.log)"
for flags in "" -pipe "-x assembler-with-cpp"; do
	must "compile enter $flags" "$cgcc" -c $flags "$rows/enter.S" -o enter.o
	must "compile assembly" "$cgcc" -O2 -DELSEWHERE "$rows/assembly.c" enter.o -o assembly -pthread
	like_plain "row 15: ... compiled on its own, $flags" assembly reset
done

# A library: the program has begun with another signal.
must "compile library" "$cgcc" -O2 -fPIC -shared "$rows/entering.c" -o entering.so
must "compile late" "$cgcc" -O2 -DBY_LIBRARY "$rows/assembly.c" -o late -pthread
must "compile late without cgcc" gcc -O2 -DBY_LIBRARY "$rows/assembly.c" -o host -pthread
printf '#!/bin/sh\nCGVIEW_OUT=off exec ./host "$@"\n' > late.plain
chmod +x late.plain
exactly "all signals are reset by a library that is opened" late reset 200000000 5 1 ./entering.so
exactly "... then there are threads and a process" late threads 120000000 5 1 ./entering.so
exactly "... where there are threads" late among 180000000 5 1 ./entering.so
run host reset ./entering.so
equal "row 15: ... by a program that is not profiled: it lives, and the library counts" "0 done 1" \
	"$status $(cat out) $(calls library_reset)"

# The other signal that samples may have, in a program without assembly.
must "compile other" "$cgcc" -O2 -DBY_LIBRARY "-DWANTED=(SIGRTMAX - 3)" "$rows/assembly.c" -o other -pthread
must "compile other without cgcc" gcc -O2 -DBY_LIBRARY "-DWANTED=(SIGRTMAX - 3)" "$rows/assembly.c" \
	-o other.plain -pthread
exactly "SIGRTMAX - 3 is the program's" other handle 60000000 5 0
exactly "... is blocked and waited for" other wait 45000000 any 1
like_plain "row 15: ... in a thread" other waiter
like_plain "row 16: ... interrupts a call if it is to" other interrupt

# All else that is promised of signals holds for that signal, too.
build signals -pthread "$rows/enter.S"
for how in profiler timers reset number names back take die sigwait blocking ppoll interrupted; do
	like_plain "row 15, 16: with assembly: $how" signals $how
done

