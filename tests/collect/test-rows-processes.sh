#!/bin/bash
# Endings and processes: whatever ends the program, each of its processes is counted.
. tests/collect/rows/lib.sh
need setsid pkill
build processes

# Killed from outside, while cgview records.
"$cgview" record -o outside.db -- ./processes wait > wait.out 2> wait.err &
recorder=$!
wait_for ready wait.out
pkill -KILL -P $recorder
wait $recorder
equal "row 1: kill -9 from outside: 1000" 1000 "$(calls_in outside.db step)"

# The whole group, the recorder included: the raw profile is still there.
mkdir group
setsid "$cgview" record -o group/x.db -- ./processes group > group.out 2> /dev/null &
recorder=$!
both_wait() { [ "$(grep -c ready group.out)" = 2 ]; }
wait_until both_wait
kill -KILL -- -$recorder
wait $recorder 2> /dev/null
rm -rf raw; mv group/x.db.raw-* raw
equal "row 2: kill -9 of the whole group, helper and recorder: 1500" 1500 "$(calls step)"

for how in return exit _exit quick_exit abort SEGV TERM KILL; do
	like_plain "row 3: $how: output and exit status as without profiling" processes $how
	equal "row 3: $how: 1000" 1000 "$(calls step)"
done

like_plain "row 6: fork, both exit: nothing else changes" processes fork
equal "row 6: fork, both exit: 1750" 1750 "$(calls step)"
equal "row 6: fork, both exit: split by process" "500 1250" "$(by_process)"
run processes fork_exit_now
equal "row 7: the child calls _exit: 1750" 1750 "$(calls step)"
run processes eight
equal "row 8: 8 forked children count 10^6 each: 8001000" 8001000 "$(calls step)"
equal "row 8: ... each for itself" "1000$(for i in 1 2 3 4 5 6 7 8; do printf ' 1000000'; done)" "$(by_process)"
like_plain "row 9: vfork and _exit: the parent is intact" processes vfork
equal "row 9: vfork and _exit: 1010" 1010 "$(calls step)"
like_plain "row 9: vfork and exec: the parent is intact" processes vfork_exec
equal "row 9: vfork and exec: 1010" 1010 "$(calls step)"
run processes exec
equal "row 10: exec of another program: 1000" 1000 "$(calls step)"
run processes exec_self
equal "row 10: exec of itself: 2000" 2000 "$(calls step)"
equal "row 10: ... in two raw profiles" 2 "$(ls raw | wc -l)"
like_plain "row 11: posix_spawn: nothing else changes" processes spawn
equal "row 11: posix_spawn of three: 4000" 4000 "$(calls step)"
equal "row 11: ... one raw profile each" 4 "$(ls raw | wc -l)"
"$cgview" record -o daemon.db -- ./processes daemon > out 2> err
equal "row 11: daemon: 1500" 1500 "$(calls_in daemon.db step)"
"$cgview" record -o double.db -- ./processes double_fork > out 2> err
equal "row 11: double fork: 1523" 1523 "$(calls_in double.db step)"
equal "row 11: ... three processes are one run" "1|3" \
	"$(sqlite3 double.db 'SELECT COUNT(*), SUM(processes) FROM run')"

# However a child is made, its calls are counted in its own copy, and its time is sampled: nearly all of what
# the kernel says that it took, in one procedure.
build forks
must "compile forks as a static program" "$cgcc" -O2 -static "$rows/forks.c" -o forks-static
for program in forks forks-static; do
	for how in fork _Fork clone SYS_fork SYS_clone SYS_clone_stack SYS_clone3; do
		run $program $how
		if [ "$status" = 77 ]; then
			echo "skip - row 11: $program: $how: not possible here"
			continue
		fi
		read -r ms ended < out
		equal "row 11: $program: $how: it ends as it wants, all calls are there" "3 1500000" \
			"$ended $(calls step)"
		equal "row 11: ... and nothing is told that is wrong" "" "$(report run.db note | grep ^counts)"
		sampled=$(report run.db procedure | awk -F, '$1 == "spin" { printf "%d", $5 / 1e6 }')
		known=$(sqlite3 run.db 'SELECT cpu_ns / 1000000 FROM thread WHERE pid != (SELECT MIN(pid) FROM thread)')
		check "row 11: ... the child took $ms ms, of which are known $known, in samples $sampled" \
			[ "$known" -gt $((ms * 3 / 4)) -a "$known" -lt $((ms * 5 / 4)) -a \
			  "$sampled" -gt $((ms / 2)) -a "$sampled" -lt $((ms * 3 / 2)) ]
	done
	for how in assembly assembly_exit; do
		run $program $how
		calls step > calls.out
		pid=$(sqlite3 run.db 'SELECT pid FROM thread WHERE samples = 0 AND cpu_ns >= 300000000')
		check "row 11: $program: $how: nobody sees the child come: it is named ($pid)" \
			grep -q "made by system calls in assembly.*(1: $pid)" <(report run.db note)
	done
done

mkdir raw40 && rm -rf raw
for i in $(seq 40); do CGVIEW_OUT=$TMP_DIR/raw40/same ./processes return & done
wait
mv raw40 raw
equal "row 25: 40 runs at the same time with one name: 40 raw profiles" 40 "$(ls raw | wc -l)"
equal "row 25: ... and 40000" 40000 "$(calls step)"

# More than a table of threads has room for; those that have ended make no room.
run processes live_300
sort out > children
equal "row 31: 300 children that live at once: 1300" 1300 "$(calls step)"
parent=$(ls raw | grep -oE '[0-9]+')
equal "row 31: ... each has a row of its own, and its own name and number" "301||301" \
	"$(sqlite3 run.db 'SELECT processes FROM run')|$(sqlite3 run.db 'SELECT pid FROM thread' | grep -v "^$parent$" |
	sort | diff - children)|$(sqlite3 run.db "SELECT count(DISTINCT pid) FROM thread WHERE name = 'processes' AND
	more_threads = 0")"

# The kernel's event takes more samples at the begin, of all processes together.
export CGVIEW_CLOCK=timer
run processes many_500
equal "row 31: 500 children: 1500" 1500 "$(calls step)"
few=$(raw_bytes)
# Two that take the last place of a table at once count beyond its end.
python3 - raw/*.raw << 'END'
import struct, sys
PAGE, MAGIC, THREADS, USED, RECORD = 4096, 0x58454743, 4, 96, 96
with open(sys.argv[1], "r+b") as f:
    data, at = f.read(), PAGE
    while at < len(data):
        magic, _, kind, _, length, _, room = struct.unpack_from("<4I3Q", data, at)
        if magic == MAGIC and kind == THREADS:
            f.seek(at + USED)
            f.write(struct.pack("<Q", room + RECORD))
        at += length if magic == MAGIC else PAGE
END
"$cgview" import -o beyond.db raw/*.raw > out 2>&1
equal "row 31: ... and no table is damaged that two filled at once" "501 0" \
	"$(sqlite3 beyond.db 'SELECT SUM(processes) FROM run') $(grep -c damaged out)"
run processes many_2500
equal "row 31: 2500 children: 3500" 3500 "$(calls step)"
most "row 31: ... and the raw profile is larger by a record for each (and a sample)" $((few + 2000 * 97 + 300000)) \
	"$(raw_bytes)"
unset CGVIEW_CLOCK
equal "row 31: ... and all are known, each by itself" "2501 2501" \
	"$(sqlite3 run.db 'SELECT SUM(processes), (SELECT COUNT(DISTINCT pid) FROM thread) FROM run' | tr '|' ' ')"
run processes bushes
equal "row 31: 2000 children and grandchildren, 400 of them killed: 3000" 3000 "$(calls step)"
most "row 31: ... in a raw profile of less than 4 MB" 4000000 "$(raw_bytes)"
